DROP INDEX entries_in_paid_line;
ALTER TABLE entries DROP COLUMN waiting_since;
