-- The orders of a notary by the time of their payment, for reports.
create index orders_by_payment on orders (notary_id, paid_at) where paid_at is not null;
-- What reports read of the transfers of an order: the rows themselves, which are wide, need not be read.
create index transfers_for_reports on transfers (order_id, status, credited_on, returned_on, item_id, role, document_number, amount,
    updated_at, refunded_at, replaces, id);
-- What was given back of a charge until a moment, by the acquirer's clock: one row for each sum that the acquirer told.
create table card_refunds (
    attempt_id blob not null references attempts (id),
    refunded integer not null check (refunded > 0),
    at integer not null,
    primary key (attempt_id, refunded)
) strict, without rowid;
insert into card_refunds (attempt_id, refunded, at)
    select id, case when reversed_at is null and refunded < amount then refunded else amount end,
        case when reversed_at > 0 then reversed_at when reversed_at is null and acquirer_modified_at > 0 then acquirer_modified_at
            else created_at end
    from attempts where reversed_at is not null or refunded > 0;
-- What was given back to cards on a day, for the operator's accountant.
create index card_refunds_by_time on card_refunds (at);
