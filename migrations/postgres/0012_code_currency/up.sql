-- A price may be agreed in any currency of a regulation; none where that was written down before it could have several.
ALTER TABLE codes ADD COLUMN currency TEXT;
