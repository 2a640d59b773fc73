-- What a whole refund kept back of an order that another charge pays may be sent, as since the release before this one from the moment on from
-- which that charge pays: the earliest one that stands.
update transfers set refund_id = null
    where status = 'planned' and refund_id in (
        select r.id from refunds r join orders o on o.id = r.order_id
        where r.scope = 'whole' and r.state = 'done' and o.status = 'paid'
            and r.attempt_id <> (select a.id from attempts a
                where a.order_id = r.order_id and a.charged_at is not null and a.reversed_at is null
                order by a.charged_at, a.id limit 1));
