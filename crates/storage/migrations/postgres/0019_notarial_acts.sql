-- The notarial act that payments are for: of a client's group in the cart, and of an order.
create table cart_acts (
    client_id uuid primary key references clients (id),
    notary_id uuid not null references notaries (id),
    register_number text,
    -- YYYY-MM-DD, Kyiv.
    act_on text,
    object text,
    check (register_number is not null or act_on is not null or object is not null)
);
create index cart_acts_by_notary on cart_acts (notary_id);
alter table orders add column act_register_number text;
alter table orders add column act_on text;
alter table orders add column act_object text;
-- When QR codes for paying the recipients past the cabinet were first given out.
alter table orders add column codes_given_at bigint;
