-- The bank's reference of the booking with which a transfer was debited. Null in the rows of earlier programs: their bank_reference may be
-- that of the booking or of the payment.
alter table transfers add column booking_reference text;
