-- Whether the support has begun the cancellation of an order. Its notary is told then, also where the worker finishes it.
alter table orders add column cancel_by_support boolean not null default false;
