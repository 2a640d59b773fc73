-- Whether the support has begun the cancellation of an order. Its notary is told then, also where the worker finishes it.
alter table orders add column cancel_by_support integer not null default 0 check (cancel_by_support in (0, 1));
