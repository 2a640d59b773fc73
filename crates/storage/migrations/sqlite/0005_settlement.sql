-- Attempts with the facts that a settlement joins: the reference at the acquirer, the first moment of a charge and of its
-- reversal, what was given back, when the page was closed at our request. The table is made anew, because SQLite can't
-- change a check.
create table attempts_new (
    id blob primary key not null check (length(id) = 16),
    order_id blob not null references orders (id),
    reference blob not null check (length(reference) = 16),
    is_stray integer not null check (is_stray in (0, 1)),
    kind text not null check (kind in ('invoice', 'card_token')),
    state text not null check (state in ('prepared', 'submitted', 'accepted', 'not_sent', 'refused', 'finished')),
    outcome text check (outcome in ('paid', 'failed', 'expired', 'refunded')),
    invoice_id text unique,
    page_url text,
    acquirer_status text,
    acquirer_modified_at integer,
    charged_at integer,
    reversed_at integer,
    refunded integer not null check (refunded >= 0),
    withdrawn_at integer,
    masked_pan text check (masked_pan like '%*%'),
    payment_system text,
    approval_code text,
    rrn text,
    failure_code text,
    amount integer not null check (amount > 0),
    created_at integer not null,
    submitted_at integer,
    answered_at integer,
    expires_at integer,
    next_check_at integer,
    scheduled_at integer not null,
    checks integer not null,
    last_error text,
    check ((state = 'finished') = (outcome is not null)),
    check ((acquirer_status is null) = (acquirer_modified_at is null)),
    check (outcome <> 'paid' or charged_at is not null),
    check (outcome <> 'refunded' or reversed_at is not null)
) strict;
insert into attempts_new
    select id, order_id, id, 0, kind,
        case when state = 'asked' then 'submitted'
             when state = 'superseded' and next_check_at is null then 'finished'
             when state = 'superseded' then 'accepted'
             else state end,
        case when state = 'superseded' and next_check_at is null then 'expired' else outcome end,
        invoice_id, page_url,
        case when acquirer_modified_at is null then null else acquirer_status end,
        case when acquirer_status is null then null else acquirer_modified_at end,
        case when outcome = 'paid' then coalesce(acquirer_modified_at, created_at) end,
        case when outcome = 'refunded' then coalesce(acquirer_modified_at, created_at) end,
        0,
        case when state = 'superseded' and next_check_at is null then created_at end,
        masked_pan, payment_system, approval_code, rrn, failure_code, amount, created_at, null, answered_at, expires_at,
        next_check_at, created_at, checks, last_error
    from attempts;
drop table attempts;
alter table attempts_new rename to attempts;
create index attempts_by_order on attempts (order_id, created_at);
create index attempts_by_reference on attempts (reference);
create index attempts_by_charge on attempts (charged_at) where charged_at is not null;
create index attempts_due on attempts (next_check_at) where next_check_at is not null;
create index attempts_by_age on attempts (created_at);

-- Where the payment of an order stands, in more detail than its status, and whether its items went back to the cart.
alter table orders add column payment_state text not null default 'unknown'
    check (payment_state in ('not_sent', 'unknown', 'waiting', 'declined_page_open', 'declined', 'expired', 'paid', 'refunded',
        'under_review'));
alter table orders add column returned_to_cart_at integer;
update orders set payment_state = case status
    when 'in_progress' then 'unknown' when 'pending' then 'waiting' when 'failed' then 'declined' else status end;
update orders set payment_state = 'declined_page_open'
    where status = 'failed' and exists (
        select 1 from attempts a where a.order_id = orders.id and a.state = 'accepted' and a.acquirer_status = 'failure');

-- The events of an order have their sequence by number: the clock may be set back.
alter table order_events add column number integer not null default 0;
update order_events set number = (
    select count(*) from order_events e
    where e.order_id = order_events.order_id and (e.at, e.id) <= (order_events.at, order_events.id));
drop index order_events_by_order;
create unique index order_events_by_order on order_events (order_id, number);

-- What a person must look at. One row is open for a kind and a subject.
create table alarms (
    id blob primary key not null check (length(id) = 16),
    kind text not null,
    subject text not null,
    order_id blob references orders (id),
    first_at integer not null,
    last_at integer not null,
    count integer not null check (count > 0),
    closed_at integer,
    note text,
    check ((closed_at is null) = (note is null))
) strict;
create unique index alarms_open on alarms (kind, subject) where closed_at is null;
create index alarms_by_order on alarms (order_id) where order_id is not null;
create index alarms_by_age on alarms (first_at);

-- The days of the acquirer's statement that were compared with the attempts here.
create table statement_days (
    day text primary key not null check (length(day) = 10),
    compared_at integer not null,
    compared_by text not null,
    agreeing integer not null,
    made_good integer not null,
    unknown integer not null,
    different integer not null,
    lacking integer not null
) strict, without rowid;

-- Work that one process at a time does.
create table leases (
    name text primary key not null,
    holder text not null,
    held_until integer not null
) strict, without rowid;

-- What the receipts of an order name, kept when it is paid: names change afterwards, a receipt does not.
create table order_receipts (
    order_id blob primary key not null references orders (id),
    kept_at integer not null,
    facts text not null
) strict, without rowid;
