-- Tries to enter that were refused before anything was sent, as with a phone that has no account: they count for the limit of their
-- address, so that nobody can go through the numbers.
create table refused_entries (
    address_hash blob not null check (length(address_hash) = 32),
    created_at integer not null
) strict;
create index refused_entries_by_address on refused_entries (address_hash, created_at);
create index refused_entries_by_age on refused_entries (created_at);
