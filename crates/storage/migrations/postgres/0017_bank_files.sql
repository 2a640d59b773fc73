-- A bank's file names a payment by the bank's reference, or only by account, sum and day.
create index transfers_by_bank_reference on transfers (bank_reference) where bank_reference is not null;
create index transfers_by_value_date on transfers (value_date, recipient_iban) where value_date is not null;
