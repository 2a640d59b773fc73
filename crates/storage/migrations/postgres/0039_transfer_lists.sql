-- The lists that were written for a bank. One that was changed since has another digest.
create table transfer_lists (
    digest text primary key not null check (length(digest) = 64),
    transfers bigint not null check (transfers > 0),
    amount bigint not null check (amount > 0),
    exported_at bigint not null
);
