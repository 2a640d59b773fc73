-- A passkey proves a payment, too.
alter table payment_proofs drop constraint payment_proofs_kind_check;
alter table payment_proofs add constraint payment_proofs_kind_check check (kind in ('code', 'passkey'));
