-- The ids of keys that were in use. A cabinet does not start with keys that would lose saved cards or printed receipts.
create table key_ids (
    purpose text not null,
    id text not null check (length(id) = 16),
    first_used_at bigint not null,
    primary key (purpose, id)
);
