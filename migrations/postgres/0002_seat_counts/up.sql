-- How many entries of each section stand in each state, as JSON [[section or null, status, count], ...]: kept with the
-- row that every write locks and writes back anyway, so that a seat is decided without counting the tournament's entries.
ALTER TABLE tournaments ADD COLUMN counts TEXT NOT NULL DEFAULT '[]';
UPDATE tournaments SET counts = (
    SELECT COALESCE(json_agg(json_build_array(section, status, n)), '[]'::json)::text
    FROM (SELECT section, status, COUNT(*) AS n FROM entries WHERE tournament_id = tournaments.id
          GROUP BY section, status) AS each);
