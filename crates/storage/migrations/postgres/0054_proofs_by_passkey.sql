-- A passkey proves a payment, too.
alter table payment_proofs drop constraint payment_proofs_kind_check;
alter table payment_proofs add constraint payment_proofs_kind_check check (kind in ('code', 'passkey'));
-- What is no payment is used without one.
alter table payment_proofs drop constraint payment_proofs_check;
alter table payment_proofs add constraint payment_proofs_check check (order_id is null or used_at is not null);

-- The figures of a notary for her saved cards; null: those of the installation.
alter table notaries add column card_daily_unproved_max bigint check (card_daily_unproved_max > 0);
alter table notaries add column card_told_from bigint check (card_told_from > 0);

-- What the last charge of a saved card for an order pays to recipients outside of the tables.
create table charges_outside_tables (
    -- Stored before the order is, in the same unit of work.
    order_id uuid primary key not null references orders (id) deferrable initially deferred,
    notary_id uuid not null references notaries (id),
    amount bigint not null check (amount > 0),
    charged_at bigint not null
);
create index charges_outside_tables_by_notary on charges_outside_tables (notary_id, charged_at);
create index charges_outside_tables_by_age on charges_outside_tables (charged_at);
