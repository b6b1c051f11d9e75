DROP INDEX payments_slip;
CREATE UNIQUE INDEX payments_slip ON payments (tournament_id, method, slip_number)
    WHERE slip_number IS NOT NULL AND status IN ('processing', 'succeeded');
