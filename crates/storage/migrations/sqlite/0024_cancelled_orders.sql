-- When the notary cancelled an order that was not paid.
alter table orders add column cancelled_at integer;
-- A cancellation that was begun and has not ended. The worker finishes what a stopped process left behind.
alter table orders add column cancel_begun_at integer;
alter table orders add column cancel_items text check (cancel_items in ('to_cart', 'drop'));
create index orders_being_cancelled on orders (cancel_begun_at) where cancel_begun_at is not null;
