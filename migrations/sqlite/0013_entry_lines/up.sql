-- What an entry's price is made of once it is no longer that of the form; none while it is.
ALTER TABLE entries ADD COLUMN lines TEXT;
