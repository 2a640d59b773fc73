-- Attempts with the facts that a settlement joins: the reference at the acquirer, the first moment of a charge and of its
-- reversal, what was given back, when the page was closed at our request.
alter table attempts drop constraint attempts_state_check;
alter table attempts drop constraint attempts_check;
alter table attempts add column reference uuid;
alter table attempts add column is_stray boolean not null default false;
alter table attempts add column charged_at bigint;
alter table attempts add column reversed_at bigint;
alter table attempts add column refunded bigint not null default 0 check (refunded >= 0);
alter table attempts add column withdrawn_at bigint;
alter table attempts add column submitted_at bigint;
alter table attempts add column scheduled_at bigint;
update attempts set reference = id, scheduled_at = created_at,
    acquirer_status = case when acquirer_modified_at is null then null else acquirer_status end,
    acquirer_modified_at = case when acquirer_status is null then null else acquirer_modified_at end,
    charged_at = case when outcome = 'paid' then coalesce(acquirer_modified_at, created_at) end,
    reversed_at = case when outcome = 'refunded' then coalesce(acquirer_modified_at, created_at) end,
    withdrawn_at = case when state = 'superseded' and next_check_at is null then created_at end,
    outcome = case when state = 'superseded' and next_check_at is null then 'expired' else outcome end,
    state = case when state = 'asked' then 'submitted'
                 when state = 'superseded' and next_check_at is null then 'finished'
                 when state = 'superseded' then 'accepted'
                 else state end;
alter table attempts alter column reference set not null;
alter table attempts alter column scheduled_at set not null;
alter table attempts drop column acquirer_rank;
alter table attempts add constraint attempts_state_check
    check (state in ('prepared', 'submitted', 'accepted', 'not_sent', 'refused', 'finished'));
alter table attempts add constraint attempts_outcome_finished check ((state = 'finished') = (outcome is not null));
alter table attempts add constraint attempts_told_dated check ((acquirer_status is null) = (acquirer_modified_at is null));
alter table attempts add constraint attempts_paid_charged check (outcome <> 'paid' or charged_at is not null);
alter table attempts add constraint attempts_refunded_reversed check (outcome <> 'refunded' or reversed_at is not null);
create index attempts_by_reference on attempts (reference);
create index attempts_by_charge on attempts (charged_at) where charged_at is not null;

-- Where the payment of an order stands, in more detail than its status, and whether its items went back to the cart.
alter table orders add column payment_state text not null default 'unknown'
    check (payment_state in ('not_sent', 'unknown', 'waiting', 'declined_page_open', 'declined', 'expired', 'paid', 'refunded',
        'under_review'));
alter table orders add column returned_to_cart_at bigint;
update orders set payment_state = case status
    when 'in_progress' then 'unknown' when 'pending' then 'waiting' when 'failed' then 'declined' else status end;
update orders set payment_state = 'declined_page_open'
    where status = 'failed' and exists (
        select 1 from attempts a where a.order_id = orders.id and a.state = 'accepted' and a.acquirer_status = 'failure');

-- The events of an order have their sequence by number: the clock may be set back.
alter table order_events add column number bigint not null default 0;
update order_events set number = (
    select count(*) from order_events e
    where e.order_id = order_events.order_id and (e.at, e.id) <= (order_events.at, order_events.id));
drop index order_events_by_order;
create unique index order_events_by_order on order_events (order_id, number);

-- What a person must look at. One row is open for a kind and a subject.
create table alarms (
    id uuid primary key,
    kind text not null,
    subject text not null,
    order_id uuid references orders (id),
    first_at bigint not null,
    last_at bigint not null,
    count bigint not null check (count > 0),
    closed_at bigint,
    note text,
    check ((closed_at is null) = (note is null))
);
create unique index alarms_open on alarms (kind, subject) where closed_at is null;
create index alarms_by_order on alarms (order_id) where order_id is not null;
create index alarms_by_age on alarms (first_at);

-- The days of the acquirer's statement that were compared with the attempts here.
create table statement_days (
    day text primary key check (length(day) = 10),
    compared_at bigint not null,
    compared_by text not null,
    agreeing bigint not null,
    made_good bigint not null,
    unknown bigint not null,
    different bigint not null,
    lacking bigint not null
);

-- Work that one process at a time does.
create table leases (
    name text primary key,
    holder text not null,
    held_until bigint not null
);

-- What the receipts of an order name, kept when it is paid: names change afterwards, a receipt does not.
create table order_receipts (
    order_id uuid primary key references orders (id),
    kept_at bigint not null,
    facts text not null
);
