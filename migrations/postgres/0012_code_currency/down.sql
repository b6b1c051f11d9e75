ALTER TABLE codes DROP COLUMN currency;
