-- Where a cart stands: the change it is at, so that whoever has read it can tell whether it is still the same; its items that are
-- not deleted, and what they cost together, so that nobody has to go through them at each payment that is added.
create table carts (
    notary_id blob primary key not null references notaries (id),
    version integer not null check (version > 0),
    items_count integer not null check (items_count >= 0),
    total integer not null check (total >= 0)
) strict, without rowid;
insert into carts (notary_id, version, items_count, total)
    select notary_id, 1, sum(case when deleted_at is null then 1 else 0 end),
        sum(case when deleted_at is null then count * (amount + commission) else 0 end)
    from cart_items group by notary_id;
-- The sums stood in this index before.
drop index cart_items_by_notary;
create index cart_items_by_notary on cart_items (notary_id, created_at, id) where deleted_at is null;
