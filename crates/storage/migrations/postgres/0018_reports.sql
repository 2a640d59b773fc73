-- The orders of a notary by the time of their payment, for reports.
create index orders_by_payment on orders (notary_id, paid_at) where paid_at is not null;
-- What reports read of the transfers of an order: the rows themselves, which are wide, need not be read.
create index transfers_for_reports on transfers (order_id, status, credited_on, returned_on, item_id, role, document_number, amount,
    updated_at, refunded_at, replaces);
-- What was given back to cards on a day, for the operator's accountant.
create index attempts_reversed on attempts (reversed_at) where reversed_at is not null;
create index transfers_refunded on transfers (refunded_at) where refunded_at is not null;
