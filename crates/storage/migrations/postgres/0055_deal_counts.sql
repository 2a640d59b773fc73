-- How often a fee of the tables is owed: for each object, or for each share in each object.
alter table deal_payments add column count bigint not null default 1 check (count between 1 and 999);
