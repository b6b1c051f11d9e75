ALTER TABLE regulations DROP COLUMN journal_number;
