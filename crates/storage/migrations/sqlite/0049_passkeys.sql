-- Passkeys: keys by which notaries enter without a code.
create table notary_passkeys (
    id blob primary key not null check (length(id) = 16),
    notary_id blob not null references notaries (id),
    label text not null,
    credential_id blob not null unique check (length(credential_id) between 1 and 1023),
    -- COSE.
    public_key blob not null,
    sign_count integer not null check (sign_count >= 0),
    is_backup_eligible integer not null check (is_backup_eligible in (0, 1)),
    is_backed_up integer not null check (is_backed_up in (0, 1)),
    created_at integer not null,
    last_used_at integer
) strict;
create index notary_passkeys_by_notary on notary_passkeys (notary_id, created_at);

-- What the code of a confirmation proves about passkeys, and whether it did. It proves this alone, once.
create table passkey_proofs (
    id blob primary key not null references login_operations (id) on delete cascade,
    act text not null check (act in ('add', 'remove')),
    passkey_id blob check (length(passkey_id) = 16),
    proved_at integer,
    used_at integer,
    check ((act = 'remove') = (passkey_id is not null)),
    check (used_at is null or proved_at is not null)
) strict;
