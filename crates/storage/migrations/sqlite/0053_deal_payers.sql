-- Which of several payers of a party owes a payment of a deal, from 1, and her share.
alter table deal_payments add column payer_number integer not null default 1 check (payer_number between 1 and 20);
alter table deal_payments add column share_part integer check (share_part > 0);
alter table deal_payments add column share_of integer check (share_of > 0);
