-- Passkeys: keys by which notaries enter without a code.
create table notary_passkeys (
    id uuid primary key,
    notary_id uuid not null references notaries (id),
    label text not null,
    credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
    -- COSE.
    public_key bytea not null,
    sign_count bigint not null check (sign_count >= 0),
    is_backup_eligible boolean not null,
    is_backed_up boolean not null,
    created_at bigint not null,
    last_used_at bigint
);
create index notary_passkeys_by_notary on notary_passkeys (notary_id, created_at);

-- What the code of a confirmation proves about passkeys, and whether it did. It proves this alone, once.
create table passkey_proofs (
    id uuid primary key references login_operations (id) on delete cascade,
    act text not null check (act in ('add', 'remove')),
    passkey_id uuid,
    proved_at bigint,
    used_at bigint,
    check ((act = 'remove') = (passkey_id is not null)),
    check (used_at is null or proved_at is not null)
);
