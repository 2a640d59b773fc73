-- The search of the archive reads the indexes `orders_by_notary` and `order_items_by_search`; only PostgreSQL has more (decision 51).
select 1;
