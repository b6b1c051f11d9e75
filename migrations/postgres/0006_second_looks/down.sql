DROP INDEX payments_disputed;
ALTER TABLE deliveries DROP COLUMN waits_since;
ALTER TABLE gateway_events DROP COLUMN waits_since;
