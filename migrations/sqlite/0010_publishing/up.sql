-- Who published a version, and why, stands in this row of the journal. Until now there were first versions only, and the
-- first row of every journal tells of one.
ALTER TABLE regulations ADD COLUMN journal_number BIGINT NOT NULL DEFAULT 1;
