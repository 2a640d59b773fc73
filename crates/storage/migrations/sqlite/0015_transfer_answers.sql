-- What banks tell of a transfer, the number of its document, and a status of its own for what a refund called off. The table is made
-- anew, because SQLite can't change a check.
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
    -- When a file of the operator last changed it.
    imported_at integer,
    held_at integer,
    release_reason text,
    created_at integer not null,
    updated_at integer not null,
    unique (item_id, role),
    check ((reason is not null) = (status = 'returned')),
    check (credited_on is null or status in ('credited', 'returned')),
    check (returned_on is null or status = 'returned')
) strict;
insert into transfers_new (id, document_number, order_id, item_id, role, amount, payer_code, payer_name, recipient_name, recipient_iban,
        recipient_code, purpose, status, reason, held_at, release_reason, created_at, updated_at)
    select id, row_number() over (order by created_at, id), order_id, item_id, role, amount, payer_code, payer_name, recipient_name,
        recipient_iban, recipient_code, purpose,
        case when reason = 'order_refunded' then 'called_off' else status end,
        case when reason = 'order_refunded' then null
             when status = 'returned' then coalesce(reason, '-') end,
        held_at, release_reason, created_at, updated_at
    from transfers;
drop table transfers;
alter table transfers_new rename to transfers;
create index transfers_by_order on transfers (order_id);
create index transfers_by_status on transfers (status, created_at, id);
create index transfers_held on transfers (held_at, id) where held_at is not null;
create unique index transfers_by_uetr on transfers (uetr) where uetr is not null;
create index transfers_imported on transfers (imported_at) where imported_at is not null;
insert into counters (name, value)
    select 'document_number', max(document_number) from transfers having count(*) > 0;
