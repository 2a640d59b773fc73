-- What follows after a bank returned a transfer: another transfer replaces it, or it is given back to the client's card. The transfers
-- of a part form a chain. The table is made anew, because SQLite can't drop the rule of one transfer for a part.
create table transfers_new (
    id blob primary key not null check (length(id) = 16),
    document_number integer not null unique check (document_number between 1 and 9999999999),
    order_id blob not null references orders (id),
    item_id blob not null references order_items (id),
    role text not null check (role in ('notary', 'recipient')),
    amount integer not null check (amount > 0),
    payer_code text not null,
    payer_name text not null,
    recipient_name text not null,
    recipient_iban text not null,
    recipient_code text not null,
    purpose text not null,
    status text not null check (status in ('planned', 'sent', 'credited', 'returned', 'called_off')),
    reason text,
    value_date text,
    uetr text,
    bank_reference text,
    credited_on text,
    returned_on text,
    -- When the operator's commands last changed it.
    imported_at integer,
    held_at integer,
    release_reason text,
    -- The returned transfer that this one sends again.
    replaces blob references transfers (id) check (replaces <> id),
    -- When the notary asked for the money to be given back to the card.
    refund_requested_at integer,
    refunded_at integer,
    -- How the operator gave it back.
    refund_reason text,
    created_at integer not null,
    updated_at integer not null,
    check ((reason is not null) = (status = 'returned')),
    check (credited_on is null or status in ('credited', 'returned')),
    check (returned_on is null or status = 'returned'),
    check (refund_requested_at is null or status = 'returned'),
    check (refunded_at is null or refund_requested_at is not null),
    check ((refunded_at is null) = (refund_reason is null))
) strict;
insert into transfers_new (id, document_number, order_id, item_id, role, amount, payer_code, payer_name, recipient_name, recipient_iban,
        recipient_code, purpose, status, reason, value_date, uetr, bank_reference, credited_on, returned_on, imported_at, held_at,
        release_reason, created_at, updated_at)
    select id, document_number, order_id, item_id, role, amount, payer_code, payer_name, recipient_name, recipient_iban,
        recipient_code, purpose, status, reason, value_date, uetr, bank_reference, credited_on, returned_on, imported_at, held_at,
        release_reason, created_at, updated_at
    from transfers;
drop table transfers;
alter table transfers_new rename to transfers;
create index transfers_by_order on transfers (order_id);
create index transfers_by_status on transfers (status, created_at, id);
create index transfers_held on transfers (held_at, id) where held_at is not null;
create unique index transfers_by_uetr on transfers (uetr) where uetr is not null;
create index transfers_imported on transfers (imported_at) where imported_at is not null;
create unique index transfers_by_part on transfers (item_id, role) where replaces is null;
create unique index transfers_by_replaced on transfers (replaces) where replaces is not null;
create index transfers_refunds on transfers (refund_requested_at, id) where refund_requested_at is not null;
