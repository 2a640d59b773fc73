-- Clients that nothing names are deleted, so the items of a client are looked for.
create index cart_items_by_client on cart_items (client_id);
-- Those that earlier versions left behind.
delete from clients where not exists (select 1 from orders o where o.client_id = clients.id)
    and not exists (select 1 from cart_items i where i.client_id = clients.id);
