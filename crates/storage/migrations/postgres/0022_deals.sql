-- Deals whose payments were put into the cart: what was calculated, from which facts, and what the notary decided. Names are
-- those of the tables on that day. A deal names no party: that do the items that it became.
create table deals (
    id uuid primary key not null,
    notary_id uuid not null references notaries (id),
    created_at bigint not null,
    kind_id text not null,
    kind_uk text not null,
    kind_en text not null,
    -- YYYY-MM-DD, Kyiv.
    calculated_on text not null,
    tables_version bigint not null,
    notary_status text not null check (notary_status in ('private', 'state', 'suspended')),
    price bigint check (price > 0),
    valuation bigint check (valuation > 0)
);
create index deals_by_notary on deals (notary_id, kind_id, created_at);

create table deal_answers (
    deal_id uuid not null references deals (id),
    position bigint not null check (position > 0),
    fact_id text not null,
    question_uk text not null,
    question_en text not null,
    answer_id text not null,
    answer_uk text not null,
    answer_en text not null,
    primary key (deal_id, position)
);

create table deal_payments (
    deal_id uuid not null references deals (id),
    position bigint not null check (position > 0),
    line_id text not null,
    name_uk text not null,
    name_en text not null,
    payer text not null,
    ground_uk text not null,
    ground_en text not null,
    unconfirmed boolean not null,
    state text not null check (state in ('due', 'nothing', 'unknown')),
    owed bigint check (owed > 0),
    base text,
    base_sum bigint,
    basis_points bigint,
    minimum bigint,
    maximum bigint,
    action text check (action in ('add', 'other_sum', 'leave_out')),
    sum bigint check (sum > 0),
    reason text,
    recipient text,
    primary key (deal_id, position)
);

-- The items that payments of deals became, in the cart and then in an order. Items that return from an unpaid order have new ids,
-- so a payment may have several.
create table deal_items (
    item_id uuid primary key not null,
    deal_id uuid not null references deals (id),
    position bigint not null check (position > 0)
);
create index deal_items_by_deal on deal_items (deal_id, position);
