-- When the wait, or the lease, of a row began by the wall clock. One that began in the future was set by a clock that was
-- ahead: nobody waits for its end.
ALTER TABLE deliveries ADD COLUMN waits_since BIGINT NOT NULL DEFAULT 0;
ALTER TABLE gateway_events ADD COLUMN waits_since BIGINT NOT NULL DEFAULT 0;
-- Disputes run for weeks: how far back the walk through the gateway's goes.
CREATE INDEX payments_disputed ON payments (account, created_at) WHERE disputed > 0 AND failure IS NULL;
