-- Saved cards that a notary removed, by the hash of their token. They are neither shown nor charged; until the acquirer forgets them they
-- can be put back.
create table removed_cards (
    token_hash blob primary key not null check (length(token_hash) = 32),
    notary_id blob not null references notaries (id),
    removed_at integer not null,
    -- When the acquirer is next told to forget the card.
    next_try_at integer not null
) strict, without rowid;
create index removed_cards_by_notary on removed_cards (notary_id, removed_at);
create index removed_cards_due on removed_cards (next_try_at);
