-- What is asked all the time looks at what is open, whatever is long done: each such question has an index of its own rows.
-- SQLite uses it only where the question says the condition in the same words.
DROP INDEX orders_by_hold;
CREATE INDEX orders_by_hold ON orders (tournament_id, hold_until) WHERE hold_until IS NOT NULL;
DROP INDEX entries_by_status;
CREATE INDEX entries_waiting ON entries (tournament_id, form_number, section, status) WHERE status = 'waitlisted';
DROP INDEX entries_by_institution;
CREATE INDEX entries_by_institution ON entries (tournament_id, institution, form_number) WHERE institution IS NOT NULL;
DROP INDEX payments_unsettled;
CREATE INDEX payments_unsettled ON payments (account, updated_at) WHERE status IN ('creating', 'open', 'processing');
CREATE INDEX payments_for_staff ON payments (tournament_id, id)
    WHERE status = 'quarantined' OR disputed > 0 AND failure IS NULL OR account = 'desk' AND status = 'processing';
CREATE INDEX refunds_for_staff ON refunds (tournament_id, id) WHERE status IN ('owed', 'failed');
CREATE INDEX deliveries_dead ON deliveries (tournament_id, id) WHERE status = 'dead';
CREATE INDEX gateway_events_dead ON gateway_events (received_at) WHERE status = 'dead';
