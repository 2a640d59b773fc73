-- What banks' files have told of each transfer. Nothing is kept of what earlier programs read.
create table bank_facts (
    transfer_id blob not null references transfers (id),
    number integer not null check (number > 0),
    kind text not null check (kind in ('debited', 'credited', 'refused', 'returned')),
    day text,
    bank_reference text,
    booking_reference text,
    -- SHA-256 of the file, and the line of the entry. Null: it was known before facts were kept.
    file text,
    line integer,
    told_at integer not null,
    -- When a person decided against it.
    settled_at integer,
    primary key (transfer_id, number)
) strict;
-- Since when what banks told contradicts itself. Such a transfer counts as sent, or stays returned where somebody has decided about it.
alter table transfers add column disputed_at integer;
