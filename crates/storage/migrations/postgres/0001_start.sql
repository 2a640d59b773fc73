-- The first schema. PostgreSQL side; the SQLite side has the same tables, columns and names.
--
-- Sums: kopiykas. Times: microseconds since 1970, UTC.
-- Card numbers are only ever stored masked, and the checks below refuse one that is not.

create table notaries (
    id uuid primary key,
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
    new_flow_enabled boolean not null,
    agreed_terms_at bigint,
    phone_verified_at bigint,
    created_at bigint not null,
    updated_at bigint not null
);

create table login_operations (
    id uuid primary key,
    notary_id uuid not null references notaries (id),
    phone text not null,
    purpose text not null check (purpose in ('login', 'sign_up')),
    step text not null check (step in ('otp', 'phone_call', 'custom')),
    code_hash bytea check (length(code_hash) = 32),
    tries bigint not null check (tries >= 0),
    address_hash bytea not null check (length(address_hash) = 32),
    transaction_id uuid unique,
    call_id text,
    created_at bigint not null,
    expires_at bigint not null,
    sent_at bigint,
    confirmed_at bigint,
    used_at bigint
);
create index login_operations_by_phone on login_operations (phone, created_at);
create index login_operations_by_address on login_operations (address_hash, created_at);
create index login_operations_by_age on login_operations (created_at);
create index login_operations_by_notary on login_operations (notary_id);

create table sessions (
    id uuid primary key,
    notary_id uuid not null references notaries (id),
    created_at bigint not null,
    last_used_at bigint not null,
    expires_at bigint not null,
    ended_at bigint,
    end_reason text,
    check ((ended_at is null) = (end_reason is null))
);
create index sessions_by_notary on sessions (notary_id, created_at);
create index sessions_by_expiry on sessions (expires_at);

create table refresh_tokens (
    hash bytea primary key check (length(hash) = 32),
    session_id uuid not null references sessions (id) on delete cascade,
    created_at bigint not null,
    expires_at bigint not null,
    replaced_at bigint
);
create index refresh_tokens_by_session on refresh_tokens (session_id);

create table clients (
    id uuid primary key,
    notary_id uuid not null references notaries (id),
    inn text not null,
    full_name text not null,
    created_at bigint not null,
    used_at bigint not null,
    unique (notary_id, inn, full_name)
);
create index clients_by_use on clients (notary_id, used_at);

create table cart_items (
    id uuid primary key,
    notary_id uuid not null references notaries (id),
    client_id uuid not null references clients (id),
    created_at bigint not null,
    deleted_at bigint,
    count bigint not null check (count between 1 and 999),
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
    amount bigint not null check (amount > 0),
    commission bigint not null check (commission >= 0),
    tariff_basis_points bigint not null,
    tariff_minimum bigint not null,
    iban text,
    okpo text,
    recipient_name text,
    purpose text not null,
    cbc_code text
);
create index cart_items_by_notary on cart_items (notary_id, created_at, id) where deleted_at is null;
create index cart_items_by_client on cart_items (client_id);
create index cart_items_deleted on cart_items (deleted_at) where deleted_at is not null;

create table counters (
    name text primary key,
    value bigint not null
);

create table orders (
    id uuid primary key,
    number bigint not null unique check (number > 0),
    notary_id uuid not null references notaries (id),
    client_id uuid not null references clients (id),
    status text not null check (status in ('in_progress', 'pending', 'paid', 'failed', 'expired', 'refunded')),
    created_at bigint not null,
    updated_at bigint not null,
    paid_at bigint,
    sum bigint not null check (sum > 0),
    locale text not null check (locale in ('uk', 'en')),
    method text not null check (method in ('card_page', 'saved_card')),
    pan text check (pan like '%*%'),
    idempotency_key text not null,
    request_fingerprint bytea not null check (length(request_fingerprint) = 32),
    widget_url text,
    failure text,
    search_text text not null,
    unique (notary_id, idempotency_key),
    check (status <> 'paid' or paid_at is not null)
);
create index orders_by_notary on orders (notary_id, created_at, id);
create index orders_by_client on orders (client_id, created_at);
create index orders_not_final on orders (created_at) where status in ('in_progress', 'pending');
create index orders_paid on orders (paid_at) where paid_at is not null;

create table order_items (
    id uuid primary key,
    order_id uuid not null references orders (id),
    position bigint not null check (position > 0),
    created_at bigint not null,
    count bigint not null check (count between 1 and 999),
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
    amount bigint not null check (amount > 0),
    commission bigint not null check (commission >= 0),
    tariff_basis_points bigint not null,
    tariff_minimum bigint not null,
    iban text,
    okpo text,
    recipient_name text,
    purpose text not null,
    cbc_code text,
    unique (order_id, position)
);

create table attempts (
    id uuid primary key,
    order_id uuid not null references orders (id),
    kind text not null check (kind in ('invoice', 'card_token')),
    state text not null check (state in ('asked', 'accepted', 'refused', 'superseded', 'finished')),
    outcome text check (outcome in ('paid', 'failed', 'expired', 'refunded')),
    invoice_id text unique,
    page_url text,
    acquirer_status text,
    acquirer_rank bigint not null,
    acquirer_modified_at bigint,
    masked_pan text check (masked_pan like '%*%'),
    payment_system text,
    approval_code text,
    rrn text,
    failure_code text,
    amount bigint not null check (amount > 0),
    created_at bigint not null,
    answered_at bigint,
    expires_at bigint,
    next_check_at bigint,
    checks bigint not null,
    last_error text,
    check ((state = 'finished') = (outcome is not null))
);
create index attempts_by_order on attempts (order_id, created_at);
create index attempts_due on attempts (next_check_at) where next_check_at is not null;
create index attempts_by_age on attempts (created_at);

create table order_events (
    id uuid primary key,
    order_id uuid not null references orders (id),
    at bigint not null,
    kind text not null,
    from_status text,
    to_status text,
    detail text
);
create index order_events_by_order on order_events (order_id, at, id);

create table acquirer_reports (
    id uuid primary key,
    received_at bigint not null,
    invoice_id text,
    modified_at bigint,
    body bytea not null,
    body_digest bytea not null unique check (length(body_digest) = 32),
    signature text,
    verdict text not null
);
create index acquirer_reports_by_invoice on acquirer_reports (invoice_id);

create table transfers (
    id uuid primary key,
    order_id uuid not null references orders (id),
    item_id uuid not null references order_items (id),
    role text not null check (role in ('notary', 'recipient')),
    amount bigint not null check (amount > 0),
    payer_code text not null,
    payer_name text not null,
    recipient_name text not null,
    recipient_iban text not null,
    recipient_code text not null,
    purpose text not null,
    status text not null check (status in ('planned', 'sent', 'credited', 'returned')),
    reason text,
    created_at bigint not null,
    updated_at bigint not null,
    unique (item_id, role)
);
create index transfers_by_order on transfers (order_id);
create index transfers_by_status on transfers (status, created_at, id);

create table complaints (
    id uuid primary key,
    notary_id uuid not null references notaries (id),
    item_id uuid not null,
    text text not null,
    created_at bigint not null
);
create index complaints_by_notary on complaints (notary_id, created_at);

create table outbox (
    id uuid primary key,
    kind text not null,
    payload text not null,
    created_at bigint not null,
    next_try_at bigint not null,
    tries bigint not null,
    delivered_at bigint,
    parked_at bigint,
    last_error text
);
create index outbox_due on outbox (next_try_at) where delivered_at is null and parked_at is null;
create index outbox_delivered on outbox (delivered_at) where delivered_at is not null;

create table reference_versions (
    version bigint primary key,
    loaded_at bigint not null
);

create table reference_files (
    version bigint not null references reference_versions (version),
    file text not null,
    content text not null,
    primary key (version, file)
);
