ALTER TABLE tournaments DROP COLUMN counts;
