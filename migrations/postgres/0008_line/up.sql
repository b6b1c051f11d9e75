-- A place in a waiting list is counted, section by section, from the nearer end.
CREATE INDEX entries_in_line ON entries (tournament_id, section, form_number, status) WHERE status = 'waitlisted';
