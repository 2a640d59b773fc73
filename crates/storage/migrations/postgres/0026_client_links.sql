-- The link by which a client pays an order without signing in, by the keyed hash of its token. A new one replaces the old.
create table client_links (
    order_id uuid primary key references orders (id),
    -- Null: withdrawn.
    token_hash bytea unique check (length(token_hash) = 32),
    made_at bigint not null,
    ends_at bigint not null,
    opened_at bigint,
    withdrawn_at bigint,
    -- How often a link of the order was sent, and when last.
    sent_count bigint not null default 0 check (sent_count >= 0),
    sent_at bigint,
    check ((token_hash is null) = (withdrawn_at is not null))
);
create index client_links_by_end on client_links (ends_at);

-- Where the receipt of an order is sent, with the consent to it.
create table receipt_consents (
    order_id uuid primary key references orders (id),
    email text not null,
    locale text not null check (locale in ('uk', 'en')),
    given_by text not null check (given_by in ('client', 'notary')),
    given_at bigint not null
);
create index receipt_consents_by_age on receipt_consents (given_at);
