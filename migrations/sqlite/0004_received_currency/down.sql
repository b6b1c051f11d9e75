ALTER TABLE payments DROP COLUMN received_currency;
