-- Deals whose payments were put into the cart: what was calculated, from which facts, and what the notary decided. Names are
-- those of the tables on that day. A deal names no party: that do the items that it became.
create table deals (
    id blob primary key not null check (length(id) = 16),
    notary_id blob not null references notaries (id),
    created_at integer not null,
    kind_id text not null,
    kind_uk text not null,
    kind_en text not null,
    -- YYYY-MM-DD, Kyiv.
    calculated_on text not null,
    tables_version integer not null,
    notary_status text not null check (notary_status in ('private', 'state', 'suspended')),
    price integer check (price > 0),
    valuation integer check (valuation > 0)
) strict;
create index deals_by_notary on deals (notary_id, kind_id, created_at);

create table deal_answers (
    deal_id blob not null references deals (id),
    position integer not null check (position > 0),
    fact_id text not null,
    question_uk text not null,
    question_en text not null,
    answer_id text not null,
    answer_uk text not null,
    answer_en text not null,
    primary key (deal_id, position)
) strict, without rowid;

create table deal_payments (
    deal_id blob not null references deals (id),
    position integer not null check (position > 0),
    line_id text not null,
    name_uk text not null,
    name_en text not null,
    payer text not null,
    ground_uk text not null,
    ground_en text not null,
    unconfirmed integer not null,
    state text not null check (state in ('due', 'nothing', 'unknown')),
    owed integer check (owed > 0),
    base text,
    base_sum integer,
    basis_points integer,
    minimum integer,
    maximum integer,
    action text check (action in ('add', 'other_sum', 'leave_out')),
    sum integer check (sum > 0),
    reason text,
    recipient text,
    primary key (deal_id, position)
) strict, without rowid;

-- The items that payments of deals became, in the cart and then in an order. Items that return from an unpaid order have new ids,
-- so a payment may have several.
create table deal_items (
    item_id blob primary key not null,
    deal_id blob not null references deals (id),
    position integer not null check (position > 0)
) strict, without rowid;
create index deal_items_by_deal on deal_items (deal_id, position);
