-- What a search of the archive finds a payment by: its sums, recipient, budget code and service, folded. Null: not worked out yet, which
-- the worker does for payments of earlier versions.
alter table order_items add column search_text text;
-- A search reads this index alone.
create index order_items_by_search on order_items (order_id, search_text);
create index order_items_without_search on order_items (id) where search_text is null;
-- As before, with the sum.
drop index orders_by_notary;
create index orders_by_notary on orders (notary_id, created_at, id, status, sum, search_text);
