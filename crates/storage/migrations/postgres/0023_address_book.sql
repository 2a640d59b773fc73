-- The address book: by what a client is found, and since when the notary has taken a client out of it.
-- The server fills the key of clients that were stored before.
alter table clients add column search_key text;
alter table clients add column removed_at bigint;
create index clients_unfolded on clients (id) where search_key is null and erased_at is null;

-- Recipients that a notary has saved for payments to any requisites.
create table own_recipients (
    id uuid primary key,
    notary_id uuid not null references notaries (id),
    title text not null,
    recipient_name text not null,
    iban text not null,
    okpo text not null,
    cbc_code text,
    -- May hold {clientName} and {clientIPN}.
    purpose text,
    created_at bigint not null,
    updated_at bigint not null
);
create index own_recipients_by_notary on own_recipients (notary_id, updated_at);
