-- The link by which a client pays an order without signing in, by the keyed hash of its token. A new one replaces the old.
create table client_links (
    order_id blob primary key not null references orders (id),
    -- Null: withdrawn.
    token_hash blob unique check (length(token_hash) = 32),
    made_at integer not null,
    ends_at integer not null,
    opened_at integer,
    withdrawn_at integer,
    -- How often a link of the order was sent, and when last.
    sent_count integer not null default 0 check (sent_count >= 0),
    sent_at integer,
    check ((token_hash is null) = (withdrawn_at is not null))
) strict, without rowid;
create index client_links_by_end on client_links (ends_at);

-- Where the receipt of an order is sent, with the consent to it.
create table receipt_consents (
    order_id blob primary key not null references orders (id),
    email text not null,
    locale text not null check (locale in ('uk', 'en')),
    given_by text not null check (given_by in ('client', 'notary')),
    given_at integer not null
) strict, without rowid;
create index receipt_consents_by_age on receipt_consents (given_at);
