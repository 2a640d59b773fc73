-- The status of notaries: private, state or suspended. It decides which kinds of payment they may order.

-- Accounts from before count as private notaries'. `default` marks the doubt until the register or the operator ends it.
alter table notaries add column notary_status text not null default 'private'
    check (notary_status in ('private', 'state', 'suspended'));
alter table notaries add column notary_status_by text not null default 'default'
    check (notary_status_by in ('default', 'register', 'operator'));
alter table notaries add column notary_status_reason text;
alter table notaries add column notary_status_since bigint not null default 0;
update notaries set notary_status_since = created_at;

-- What the register tells of how a notary practises. Null: nothing.
alter table register_rows add column practises_as text check (practises_as in ('private', 'state'));
-- The same file must be read once more for it.
update register_loads set fingerprint = decode(repeat('00', 32), 'hex');
