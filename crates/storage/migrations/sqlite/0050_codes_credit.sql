-- When QR codes were first given out: nobody can have paid by them before. Orders of earlier versions have the moment of the last time alone.
alter table orders add column codes_first_given_at integer check (codes_first_given_at is null or codes_given_at is not null);
-- That the notary's part of a payment by QR code is on her account, by the statement of her own bank: the day, and the entry's reference.
alter table order_items add column credited_on text;
alter table order_items add column credited_reference text check (credited_reference is null or credited_on is not null);
