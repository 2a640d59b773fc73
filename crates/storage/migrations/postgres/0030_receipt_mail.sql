-- What is known of letters with the receipt of an order. It names no address.
create table receipt_mail (
    order_id uuid primary key references orders (id),
    -- How often the notary has had the receipt sent, and when last.
    given_count bigint not null default 0 check (given_count >= 0),
    given_at bigint,
    -- When the receiver of a letter, or the client by the link, refused more of them.
    refused_at bigint
);

-- Text messages to clients count with the messages of an hour.
create index outbox_client_messages on outbox (created_at) where kind = 'client_message';
