-- Where a regulation lets money wait for a seat, those who have paid are in line by when their money arrived.
ALTER TABLE entries ADD COLUMN waiting_since BIGINT;
CREATE INDEX entries_in_paid_line ON entries (tournament_id, waiting_since, form_number) WHERE status = 'waitlisted' AND waiting_since IS NOT NULL;
