-- What banks' files have told of each transfer. Nothing is kept of what earlier programs read.
create table bank_facts (
    transfer_id uuid not null references transfers (id),
    number bigint not null check (number > 0),
    kind text not null check (kind in ('debited', 'credited', 'refused', 'returned')),
    day text,
    bank_reference text,
    booking_reference text,
    -- SHA-256 of the file, and the line of the entry. Null: it was known before facts were kept.
    file text,
    line bigint,
    told_at bigint not null,
    -- When a person decided against it.
    settled_at bigint,
    primary key (transfer_id, number)
);
-- Since when what banks told contradicts itself. Such a transfer counts as sent, or stays returned where somebody has decided about it.
alter table transfers add column disputed_at bigint;
