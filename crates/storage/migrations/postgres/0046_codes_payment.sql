-- The notary's mark that the payer paid the recipients by QR codes, past the cabinet, and what the payer's own receipt says.
alter table orders add column codes_paid_at bigint check (codes_paid_at is null or codes_given_at is not null);
alter table orders add column codes_paid_reference text check (codes_paid_reference is null or codes_paid_at is not null);
