-- Pairs of account and code to which a notary's saved cards pay without a fresh proof: she has proved them once, or had paid them before
-- proofs were asked for.
create table proved_recipients (
    notary_id blob not null references notaries (id),
    iban text not null,
    okpo text not null,
    proved_at integer not null,
    primary key (notary_id, iban, okpo)
) strict;
insert into proved_recipients (notary_id, iban, okpo, proved_at)
    select o.notary_id, t.recipient_iban, t.recipient_code, min(t.created_at)
    from transfers t join orders o on o.id = t.order_id
    where o.status = 'paid' and t.status in ('sent', 'credited') and t.created_at < (unixepoch() - 30 * 86400) * 1000000
        and not exists (select 1 from notaries n where n.id = o.notary_id and n.erased_at is not null)
    group by o.notary_id, t.recipient_iban, t.recipient_code;

-- What a notary was asked to prove, and whether she did: that a saved card may be charged for what the digest tells. Kept with its order.
create table payment_proofs (
    -- The operation of the code.
    id blob primary key not null check (length(id) = 16),
    notary_id blob not null references notaries (id),
    session_id blob not null check (length(session_id) = 16),
    kind text not null check (kind in ('code')),
    digest blob not null check (length(digest) = 32),
    asked_at integer not null,
    proved_at integer,
    -- Stored before the order is, in the same unit of work.
    order_id blob references orders (id) deferrable initially deferred,
    used_at integer,
    check ((order_id is null) = (used_at is null)),
    check (used_at is null or proved_at is not null)
) strict;
create index payment_proofs_by_session on payment_proofs (session_id);
create index payment_proofs_by_notary on payment_proofs (notary_id);
create index payment_proofs_by_order on payment_proofs (order_id) where order_id is not null;
create index payment_proofs_by_age on payment_proofs (asked_at);
