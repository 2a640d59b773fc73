-- The first schema. SQLite side; the PostgreSQL side has the same tables, columns and names.
--
-- uuid: blob of 16 bytes. Sums: kopiykas. Times: microseconds since 1970, UTC. Booleans: 0 and 1.
-- Card numbers are only ever stored masked, and the checks below refuse one that is not.

create table notaries (
    id blob primary key not null check (length(id) = 16),
    phone text not null unique check (length(phone) = 13 and phone like '+380%'),
    full_name text not null,
    registry_identifier text not null,
    inn text,
    certificate_number text,
    phone_additional text,
    email text,
    notary_address text,
    card_pan text check (card_pan like '%*%'),
    iban text,
    okpo text,
    exemption_date_finish text check (length(exemption_date_finish) = 10),
    login_step text not null check (login_step in ('otp', 'phone_call', 'custom')),
    new_flow_enabled integer not null check (new_flow_enabled in (0, 1)),
    agreed_terms_at integer,
    phone_verified_at integer,
    created_at integer not null,
    updated_at integer not null
) strict;

create table login_operations (
    id blob primary key not null check (length(id) = 16),
    notary_id blob not null references notaries (id),
    phone text not null,
    purpose text not null check (purpose in ('login', 'sign_up')),
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
    used_at integer
) strict;
create index login_operations_by_phone on login_operations (phone, created_at);
create index login_operations_by_address on login_operations (address_hash, created_at);
create index login_operations_by_age on login_operations (created_at);
create index login_operations_by_notary on login_operations (notary_id);

create table sessions (
    id blob primary key not null check (length(id) = 16),
    notary_id blob not null references notaries (id),
    created_at integer not null,
    last_used_at integer not null,
    expires_at integer not null,
    ended_at integer,
    end_reason text,
    check ((ended_at is null) = (end_reason is null))
) strict, without rowid;
create index sessions_by_notary on sessions (notary_id, created_at);
create index sessions_by_expiry on sessions (expires_at);

create table refresh_tokens (
    hash blob primary key not null check (length(hash) = 32),
    session_id blob not null references sessions (id) on delete cascade,
    created_at integer not null,
    expires_at integer not null,
    replaced_at integer
) strict, without rowid;
create index refresh_tokens_by_session on refresh_tokens (session_id);

create table clients (
    id blob primary key not null check (length(id) = 16),
    notary_id blob not null references notaries (id),
    inn text not null,
    full_name text not null,
    created_at integer not null,
    used_at integer not null,
    unique (notary_id, inn, full_name)
) strict, without rowid;
create index clients_by_use on clients (notary_id, used_at);

create table cart_items (
    id blob primary key not null check (length(id) = 16),
    notary_id blob not null references notaries (id),
    client_id blob not null references clients (id),
    created_at integer not null,
    deleted_at integer,
    count integer not null check (count between 1 and 999),
    payment_kind text not null
        check (payment_kind in ('admin_payment', 'admin_government_payment', 'registry_payment', 'requisites_payment')),
    payment_type_id text not null,
    option_id text,
    option_name_uk text,
    option_name_en text,
    term_id text,
    term_period_uk text,
    term_period_en text,
    region_id text,
    region_name_uk text,
    region_name_en text,
    requisite_id text,
    requisite_name text,
    requisite_iban text,
    requisite_okpo text,
    template_id text,
    amount integer not null check (amount > 0),
    commission integer not null check (commission >= 0),
    tariff_basis_points integer not null,
    tariff_minimum integer not null,
    iban text,
    okpo text,
    recipient_name text,
    purpose text not null,
    cbc_code text
) strict;
create index cart_items_by_notary on cart_items (notary_id, created_at, id) where deleted_at is null;
create index cart_items_by_client on cart_items (client_id);
create index cart_items_deleted on cart_items (deleted_at) where deleted_at is not null;

create table counters (
    name text primary key not null,
    value integer not null
) strict, without rowid;

create table orders (
    id blob primary key not null check (length(id) = 16),
    number integer not null unique check (number > 0),
    notary_id blob not null references notaries (id),
    client_id blob not null references clients (id),
    status text not null check (status in ('in_progress', 'pending', 'paid', 'failed', 'expired', 'refunded')),
    created_at integer not null,
    updated_at integer not null,
    paid_at integer,
    sum integer not null check (sum > 0),
    locale text not null check (locale in ('uk', 'en')),
    method text not null check (method in ('card_page', 'saved_card')),
    pan text check (pan like '%*%'),
    idempotency_key text not null,
    request_fingerprint blob not null check (length(request_fingerprint) = 32),
    widget_url text,
    failure text,
    search_text text not null,
    unique (notary_id, idempotency_key),
    check (status <> 'paid' or paid_at is not null)
) strict;
create index orders_by_notary on orders (notary_id, created_at, id);
create index orders_by_client on orders (client_id, created_at);
create index orders_not_final on orders (created_at) where status in ('in_progress', 'pending');
create index orders_paid on orders (paid_at) where paid_at is not null;

create table order_items (
    id blob primary key not null check (length(id) = 16),
    order_id blob not null references orders (id),
    position integer not null check (position > 0),
    created_at integer not null,
    count integer not null check (count between 1 and 999),
    payment_kind text not null
        check (payment_kind in ('admin_payment', 'admin_government_payment', 'registry_payment', 'requisites_payment')),
    payment_type_id text not null,
    option_id text,
    option_name_uk text,
    option_name_en text,
    term_id text,
    term_period_uk text,
    term_period_en text,
    region_id text,
    region_name_uk text,
    region_name_en text,
    requisite_id text,
    requisite_name text,
    requisite_iban text,
    requisite_okpo text,
    template_id text,
    amount integer not null check (amount > 0),
    commission integer not null check (commission >= 0),
    tariff_basis_points integer not null,
    tariff_minimum integer not null,
    iban text,
    okpo text,
    recipient_name text,
    purpose text not null,
    cbc_code text,
    unique (order_id, position)
) strict;

create table attempts (
    id blob primary key not null check (length(id) = 16),
    order_id blob not null references orders (id),
    kind text not null check (kind in ('invoice', 'card_token')),
    state text not null check (state in ('asked', 'accepted', 'refused', 'superseded', 'finished')),
    outcome text check (outcome in ('paid', 'failed', 'expired', 'refunded')),
    invoice_id text unique,
    page_url text,
    acquirer_status text,
    acquirer_rank integer not null,
    acquirer_modified_at integer,
    masked_pan text check (masked_pan like '%*%'),
    payment_system text,
    approval_code text,
    rrn text,
    failure_code text,
    amount integer not null check (amount > 0),
    created_at integer not null,
    answered_at integer,
    expires_at integer,
    next_check_at integer,
    checks integer not null,
    last_error text,
    check ((state = 'finished') = (outcome is not null))
) strict;
create index attempts_by_order on attempts (order_id, created_at);
create index attempts_due on attempts (next_check_at) where next_check_at is not null;
create index attempts_by_age on attempts (created_at);

create table order_events (
    id blob primary key not null check (length(id) = 16),
    order_id blob not null references orders (id),
    at integer not null,
    kind text not null,
    from_status text,
    to_status text,
    detail text
) strict;
create index order_events_by_order on order_events (order_id, at, id);

create table acquirer_reports (
    id blob primary key not null check (length(id) = 16),
    received_at integer not null,
    invoice_id text,
    modified_at integer,
    body blob not null,
    body_digest blob not null unique check (length(body_digest) = 32),
    signature text,
    verdict text not null
) strict;
create index acquirer_reports_by_invoice on acquirer_reports (invoice_id);

create table transfers (
    id blob primary key not null check (length(id) = 16),
    order_id blob not null references orders (id),
    item_id blob not null references order_items (id),
    role text not null check (role in ('notary', 'recipient')),
    amount integer not null check (amount > 0),
    payer_code text not null,
    payer_name text not null,
    recipient_name text not null,
    recipient_iban text not null,
    recipient_code text not null,
    purpose text not null,
    status text not null check (status in ('planned', 'sent', 'credited', 'returned')),
    reason text,
    created_at integer not null,
    updated_at integer not null,
    unique (item_id, role)
) strict;
create index transfers_by_order on transfers (order_id);
create index transfers_by_status on transfers (status, created_at, id);

create table complaints (
    id blob primary key not null check (length(id) = 16),
    notary_id blob not null references notaries (id),
    item_id blob not null check (length(item_id) = 16),
    text text not null,
    created_at integer not null
) strict;
create index complaints_by_notary on complaints (notary_id, created_at);

create table outbox (
    id blob primary key not null check (length(id) = 16),
    kind text not null,
    payload text not null,
    created_at integer not null,
    next_try_at integer not null,
    tries integer not null,
    delivered_at integer,
    parked_at integer,
    last_error text
) strict;
create index outbox_due on outbox (next_try_at) where delivered_at is null and parked_at is null;
create index outbox_delivered on outbox (delivered_at) where delivered_at is not null;

create table reference_versions (
    version integer primary key not null,
    loaded_at integer not null
) strict;

create table reference_files (
    version integer not null references reference_versions (version),
    file text not null,
    content text not null,
    primary key (version, file)
) strict;
