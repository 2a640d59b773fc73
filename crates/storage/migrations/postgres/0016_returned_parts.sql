-- What follows after a bank returned a transfer: another transfer replaces it, or it is given back to the client's card. The transfers
-- of a part form a chain.
alter table transfers drop constraint if exists transfers_item_id_role_key;
-- The returned transfer that this one sends again.
alter table transfers add column replaces uuid references transfers (id);
-- When the notary asked for the money to be given back to the card.
alter table transfers add column refund_requested_at bigint;
alter table transfers add column refunded_at bigint;
-- How the operator gave it back.
alter table transfers add column refund_reason text;
alter table transfers add constraint transfers_replaces_check check (replaces <> id);
alter table transfers add constraint transfers_refund_requested_check check (refund_requested_at is null or status = 'returned');
alter table transfers add constraint transfers_refunded_check check (refunded_at is null or refund_requested_at is not null);
alter table transfers add constraint transfers_refund_reason_check check ((refunded_at is null) = (refund_reason is null));
create unique index transfers_by_part on transfers (item_id, role) where replaces is null;
create unique index transfers_by_replaced on transfers (replaces) where replaces is not null;
create index transfers_refunds on transfers (refund_requested_at, id) where refund_requested_at is not null;
