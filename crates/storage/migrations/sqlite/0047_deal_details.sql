-- What a deal may name beside price and valuation: the price of a building without its land, the documented costs of what is sold, how many
-- objects it is about, and how many acquire a share in each.
alter table deals add column building_price integer check (building_price > 0);
alter table deals add column costs integer check (costs > 0);
alter table deals add column objects integer not null default 1 check (objects > 0);
alter table deals add column owners integer not null default 1 check (owners > 0);
