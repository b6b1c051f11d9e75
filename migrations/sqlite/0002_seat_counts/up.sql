-- How many entries of each section stand in each state, as JSON [[section or null, status, count], ...]: kept with the
-- row that every write locks and writes back anyway, so that a seat is decided without counting the tournament's entries.
ALTER TABLE tournaments ADD COLUMN counts TEXT NOT NULL DEFAULT '[]';
UPDATE tournaments SET counts = (
    SELECT json_group_array(json_array(section, status, n))
    FROM (SELECT section, status, COUNT(*) AS n FROM entries WHERE tournament_id = tournaments.id
          GROUP BY section, status));
