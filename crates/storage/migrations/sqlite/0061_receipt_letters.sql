-- What became of the letter with the receipt: when it was handed to the mail server, and when it was given up. Neither is known of letters
-- from before.
alter table receipt_consents add column letter_sent_at integer;
alter table receipt_consents add column letter_given_up_at integer;

-- When the notary last had it sent again. The consent stays that of whoever gave it, when it was given.
alter table receipt_consents add column asked_again_at integer;
