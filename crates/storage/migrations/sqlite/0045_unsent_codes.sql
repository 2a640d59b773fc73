-- Codes of logins that did not leave, or may not have arrived. An account whose step is the code is called only after one of these, and
-- only for the address that asked for the code.
create table unsent_codes (
    notary_id blob not null references notaries (id),
    address_hash blob not null check (length(address_hash) = 32),
    created_at integer not null
) strict;
create index unsent_codes_by_notary on unsent_codes (notary_id, created_at);
create index unsent_codes_by_age on unsent_codes (created_at);
