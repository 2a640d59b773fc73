-- Devices that have signed a notary in, and what is known of the devices of sessions and logins.

-- A browser that has signed a notary in, by the hash of its cookie.
create table devices (
    id blob primary key not null check (length(id) = 16),
    notary_id blob not null references notaries (id),
    token_hash blob not null check (length(token_hash) = 32),
    browser text,
    first_entered_at integer not null,
    last_entered_at integer not null,
    unique (notary_id, token_hash)
) strict;
create index devices_by_token on devices (token_hash);
create index devices_by_age on devices (last_entered_at);

alter table sessions add column device_id blob references devices (id) on delete set null;
alter table sessions add column browser text;
alter table sessions add column network text;
-- When the notary last proved the phone in this session.
alter table sessions add column confirmed_at integer;
create index sessions_by_device on sessions (device_id) where device_id is not null;
create index sessions_by_network on sessions (network, created_at) where network is not null;
create index sessions_by_age on sessions (created_at, notary_id);

-- A third purpose needs another check, and SQLite can't change one.
create table new_login_operations (
    id blob primary key not null check (length(id) = 16),
    notary_id blob not null references notaries (id),
    phone text not null,
    purpose text not null check (purpose in ('login', 'sign_up', 'confirmation')),
    step text not null check (step in ('otp', 'phone_call', 'custom')),
    code_hash blob check (length(code_hash) = 32),
    tries integer not null check (tries >= 0),
    address_hash blob not null check (length(address_hash) = 32),
    transaction_id blob unique check (length(transaction_id) = 16),
    call_id text,
    created_at integer not null,
    expires_at integer not null,
    sent_at integer,
    confirmed_at integer,
    used_at integer,
    budget text not null default 'unknown' check (budget in ('known_device', 'known_network', 'unknown', 'confirmation')),
    network_hash blob check (length(network_hash) = 32),
    code_digits integer not null default 4,
    session_id blob references sessions (id) on delete cascade
) strict;
insert into new_login_operations (id, notary_id, phone, purpose, step, code_hash, tries, address_hash, transaction_id, call_id,
        created_at, expires_at, sent_at, confirmed_at, used_at)
    select id, notary_id, phone, purpose, step, code_hash, tries, address_hash, transaction_id, call_id,
        created_at, expires_at, sent_at, confirmed_at, used_at
    from login_operations;
drop table login_operations;
alter table new_login_operations rename to login_operations;
create index login_operations_by_phone on login_operations (phone, created_at);
create index login_operations_by_address on login_operations (address_hash, created_at);
create index login_operations_by_age on login_operations (created_at);
create index login_operations_by_notary on login_operations (notary_id);
create index login_operations_by_network on login_operations (network_hash, created_at);
create index login_operations_by_session on login_operations (session_id) where session_id is not null;
-- Wrong codes and messages of the whole installation are counted for each login.
create index login_operations_wrong on login_operations (created_at) where tries > 0;
create index login_operations_messages on login_operations (created_at) where step = 'otp';

alter table refused_entries add column network_hash blob check (length(network_hash) = 32);
create index refused_entries_by_network on refused_entries (network_hash, created_at);
