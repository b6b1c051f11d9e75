DROP INDEX orders_by_reprice;
ALTER TABLE orders DROP COLUMN reprice_at;
ALTER TABLE orders DROP COLUMN received_as_of;
ALTER TABLE orders DROP COLUMN paid_as_of;
