-- The standing of accounts, the register of notaries, and transfers that wait for the operator.

-- An account that a release before this one makes meanwhile waits.
alter table notaries add column standing text not null default 'waiting'
    check (standing in ('waiting', 'confirmed', 'refused', 'blocked'));
alter table notaries add column standing_reason text;
alter table notaries add column standing_since bigint not null default 0;
alter table notaries add column standing_by text not null default 'sign_up'
    check (standing_by in ('sign_up', 'register', 'operator', 'setting'));
alter table notaries add column confirmed_at bigint;
-- The row of the register that confirmed the account. A row confirms one account.
alter table notaries add column register_key text;
create unique index notaries_by_register on notaries (register_key) where register_key is not null;
create index notaries_waiting on notaries (created_at, id) where standing = 'waiting';
update notaries set standing_since = created_at;
update notaries set standing = 'confirmed', standing_by = 'setting', confirmed_at = created_at
    where phone_verified_at is not null;

-- The register as it was last loaded. Names and identifiers are folded for comparison.
create table register_rows (
    register_key text primary key not null,
    line bigint not null,
    full_name text not null,
    folded_name text not null,
    certificate_number text,
    folded_identifier text,
    is_active boolean not null
);
create index register_rows_by_name on register_rows (folded_name, register_key);

create table register_loads (
    number bigint primary key not null,
    fingerprint bytea not null check (length(fingerprint) = 32),
    row_count bigint not null,
    loaded_at bigint not null
);

-- Since when a planned transfer waits for the operator.
alter table transfers add column held_at bigint;
-- Why the operator released it.
alter table transfers add column release_reason text;
create index transfers_held on transfers (held_at, id) where held_at is not null;

-- Declined cards of the last hour are counted for each order.
create index attempts_declined on attempts (acquirer_modified_at) where acquirer_status = 'failure';
-- The server closes the connections of sessions that a command has ended.
create index sessions_ended_by_operator on sessions (ended_at) where end_reason = 'ended_by_operator';
