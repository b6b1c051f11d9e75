-- An order may be priced by the instants of its payment and of the money's arrival; unpaid, it is priced anew when one
-- that its regulation names passes.
ALTER TABLE orders ADD COLUMN paid_as_of BIGINT;
ALTER TABLE orders ADD COLUMN received_as_of BIGINT;
ALTER TABLE orders ADD COLUMN reprice_at BIGINT;
CREATE INDEX orders_by_reprice ON orders (tournament_id, reprice_at) WHERE reprice_at IS NOT NULL;
