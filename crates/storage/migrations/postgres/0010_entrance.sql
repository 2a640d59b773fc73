-- Devices that have signed a notary in, and what is known of the devices of sessions and logins.

-- A browser that has signed a notary in, by the hash of its cookie.
create table devices (
    id uuid primary key,
    notary_id uuid not null references notaries (id),
    token_hash bytea not null check (length(token_hash) = 32),
    browser text,
    first_entered_at bigint not null,
    last_entered_at bigint not null,
    unique (notary_id, token_hash)
);
create index devices_by_token on devices (token_hash);
create index devices_by_age on devices (last_entered_at);

alter table sessions add column device_id uuid references devices (id) on delete set null;
alter table sessions add column browser text;
alter table sessions add column network text;
-- When the notary last proved the phone in this session.
alter table sessions add column confirmed_at bigint;
create index sessions_by_device on sessions (device_id) where device_id is not null;
create index sessions_by_network on sessions (network, created_at) where network is not null;
create index sessions_by_age on sessions (created_at, notary_id);

alter table login_operations drop constraint login_operations_purpose_check;
alter table login_operations add constraint login_operations_purpose_check
    check (purpose in ('login', 'sign_up', 'confirmation'));
alter table login_operations add column budget text not null default 'unknown'
    check (budget in ('known_device', 'known_network', 'unknown', 'confirmation'));
alter table login_operations add column network_hash bytea check (length(network_hash) = 32);
alter table login_operations add column code_digits bigint not null default 4;
alter table login_operations add column session_id uuid references sessions (id) on delete cascade;
create index login_operations_by_network on login_operations (network_hash, created_at);
create index login_operations_by_session on login_operations (session_id) where session_id is not null;
-- Wrong codes and messages of the whole installation are counted for each login.
create index login_operations_wrong on login_operations (created_at) where tries > 0;
create index login_operations_messages on login_operations (created_at) where step = 'otp';

alter table refused_entries add column network_hash bytea check (length(network_hash) = 32);
create index refused_entries_by_network on refused_entries (network_hash, created_at);
