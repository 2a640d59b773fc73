-- What requests to add a payment to a cart were answered, by the hash of the key they carried: the same request is answered the same
-- and adds nothing again, whatever has become of the item since.
create table cart_additions (
    notary_id blob not null references notaries (id),
    key_hash blob not null check (length(key_hash) = 32),
    request_fingerprint blob not null check (length(request_fingerprint) = 32),
    item_id blob not null check (length(item_id) = 16),
    items_count integer not null check (items_count > 0),
    created_at integer not null,
    primary key (notary_id, key_hash)
) strict, without rowid;
create index cart_additions_by_age on cart_additions (created_at);
