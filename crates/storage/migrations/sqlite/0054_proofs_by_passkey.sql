-- A passkey proves a payment, too. SQLite can't change a check.
create table new_payment_proofs (
    -- The operation of the code; a passkey's proof has an id of its own.
    id blob primary key not null check (length(id) = 16),
    notary_id blob not null references notaries (id),
    session_id blob not null check (length(session_id) = 16),
    kind text not null check (kind in ('code', 'passkey')),
    digest blob not null check (length(digest) = 32),
    asked_at integer not null,
    proved_at integer,
    -- Stored before the order is, in the same unit of work.
    order_id blob references orders (id) deferrable initially deferred,
    used_at integer,
    -- What is no payment is used without one.
    check (order_id is null or used_at is not null),
    check (used_at is null or proved_at is not null)
) strict;
insert into new_payment_proofs (id, notary_id, session_id, kind, digest, asked_at, proved_at, order_id, used_at)
    select id, notary_id, session_id, kind, digest, asked_at, proved_at, order_id, used_at
    from payment_proofs;
drop table payment_proofs;
alter table new_payment_proofs rename to payment_proofs;
create index payment_proofs_by_session on payment_proofs (session_id);
create index payment_proofs_by_notary on payment_proofs (notary_id);
create index payment_proofs_by_order on payment_proofs (order_id) where order_id is not null;
create index payment_proofs_by_age on payment_proofs (asked_at);

-- The figures of a notary for her saved cards; null: those of the installation.
alter table notaries add column card_daily_unproved_max integer check (card_daily_unproved_max > 0);
alter table notaries add column card_told_from integer check (card_told_from > 0);

-- What the last charge of a saved card for an order pays to recipients outside of the tables.
create table charges_outside_tables (
    -- Stored before the order is, in the same unit of work.
    order_id blob primary key not null references orders (id) deferrable initially deferred,
    notary_id blob not null references notaries (id),
    amount integer not null check (amount > 0),
    charged_at integer not null
) strict;
create index charges_outside_tables_by_notary on charges_outside_tables (notary_id, charged_at);
create index charges_outside_tables_by_age on charges_outside_tables (charged_at);
