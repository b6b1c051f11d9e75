-- One slip or transfer pays one order, in capitals or not. ASCII letters fold alike on both engines.
DROP INDEX payments_slip;
CREATE UNIQUE INDEX payments_slip ON payments (tournament_id, method, lower(slip_number))
    WHERE slip_number IS NOT NULL AND status IN ('processing', 'succeeded');
