-- The invariants of the data are asked of orders in the order of their last change.
create index orders_by_update on orders (updated_at, id);
-- A search of the archive reads this index alone, and only the orders that it finds.
drop index orders_by_notary;
create index orders_by_notary on orders (notary_id, created_at, id, status, search_text);
-- The token that a refresh token replaced, and when the next of its own line was used: until then its answer may have been lost.
alter table refresh_tokens add column predecessor bytea check (length(predecessor) = 32);
alter table refresh_tokens add column answered_at bigint;
