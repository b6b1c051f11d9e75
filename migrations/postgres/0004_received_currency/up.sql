-- The currency of what came in, where it is not the one that was asked.
ALTER TABLE payments ADD COLUMN received_currency TEXT;
