-- The notary's mark that the payer paid the recipients by QR codes, past the cabinet, and what the payer's own receipt says.
alter table orders add column codes_paid_at integer check (codes_paid_at is null or codes_given_at is not null);
alter table orders add column codes_paid_reference text check (codes_paid_reference is null or codes_paid_at is not null);
-- The search of the archive asks by status, which the mark may decide, and reads this index alone.
drop index orders_by_notary;
create index orders_by_notary on orders (notary_id, created_at, id, status, sum, search_text, codes_paid_at, payment_state);
