-- What the acquirer keeps of a charge, in kopiykas. Null: it has not said.
alter table attempts add column acquirer_fee integer check (acquirer_fee >= 0);
