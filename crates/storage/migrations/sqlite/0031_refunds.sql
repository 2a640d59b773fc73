-- Money that the operator gives back to the card. A row is stored before the acquirer is asked. Its id is our reference there.
create table refunds (
    id blob primary key not null check (length(id) = 16),
    order_id blob not null references orders (id),
    attempt_id blob not null references attempts (id),
    scope text not null check (scope in ('whole', 'sum', 'transfer')),
    transfer_id blob references transfers (id),
    amount integer not null check (amount > 0),
    reason text not null,
    state text not null check (state in ('prepared', 'submitted', 'accepted', 'done', 'not_sent', 'refused')),
    submitted_at integer,
    ended_at integer,
    code text,
    last_error text,
    created_at integer not null,
    next_check_at integer,
    scheduled_at integer not null,
    checks integer not null,
    check ((scope = 'transfer') = (transfer_id is not null)),
    check ((state in ('prepared', 'submitted', 'accepted')) = (next_check_at is not null)),
    check ((state in ('done', 'not_sent', 'refused')) = (ended_at is not null)),
    check ((state = 'refused') = (code is not null))
) strict;
-- One refund of an order at a time.
create unique index refunds_under_way on refunds (order_id) where ended_at is null;
create index refunds_by_order on refunds (order_id, created_at, id);
create index refunds_by_attempt on refunds (attempt_id);
create index refunds_due on refunds (next_check_at) where next_check_at is not null;

-- The refund that keeps a transfer from being sent: one that is under way, or that has given its money back.
alter table transfers add column refund_id blob references refunds (id);
-- When a transfer that was never sent was given back to the card.
alter table transfers add column given_back_at integer;
create index transfers_by_refund on transfers (refund_id) where refund_id is not null;
