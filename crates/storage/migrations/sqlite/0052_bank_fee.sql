-- What a bank kept for itself of money that came back.
alter table bank_facts add column fee integer check (fee > 0);
