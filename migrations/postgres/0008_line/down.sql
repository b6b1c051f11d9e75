DROP INDEX entries_in_line;
