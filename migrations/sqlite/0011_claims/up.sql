-- Which entries have a row that only so many may have.
CREATE TABLE claims (
    entry_id BIGINT NOT NULL REFERENCES entries (id),
    rule TEXT NOT NULL,
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    PRIMARY KEY (entry_id, rule)
);
CREATE INDEX claims_by_rule ON claims (tournament_id, rule);
