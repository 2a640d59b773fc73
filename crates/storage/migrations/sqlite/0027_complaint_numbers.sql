-- A short number that a notary can say on the telephone. Null: the complaint was made before.
alter table complaints add column number integer;
create unique index complaints_by_number on complaints (number) where number is not null;
create index complaints_by_item on complaints (item_id);
