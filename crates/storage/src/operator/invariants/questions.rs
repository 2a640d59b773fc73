//! The invariants, each with the query that finds its violations.

use crate::transfer::transfers::{is_undecided, waits_for_operator};

/// The rows that a query covers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// A page of orders `o`: `{page}` stands for the condition.
    Orders,
    /// Overdue work: `?1` is the moment before which it was due.
    Overdue,
    /// What waits for a person: `?1` is the moment before which it began to.
    Waiting,
    /// What the bank was given: `?1` is the moment before which it was, if it could not be executed any more.
    Unanswered,
    /// A whole table that stays small.
    All,
}

pub(super) struct Question {
    pub(super) name: &'static str,
    pub(super) promise: &'static str,
    pub(super) about: About,
    /// Returns the id of every row that violates the invariant.
    pub(super) sql: &'static str,
}

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        name: "order_sum",
        promise: "the sum of an order is that of its items",
        about: About::Orders,
        sql: "select o.id from orders o
              where {page} and o.sum <> coalesce((select sum(i.count * (i.amount + i.commission)) from order_items i
                                       where i.order_id = o.id), 0)",
    },
    Question {
        name: "transfers_sum",
        promise: "transfers and commissions of a paid order are what the card was charged",
        about: About::Orders,
        sql: "select o.id from orders o
              where {page} and o.status = 'paid'
                  and o.sum <> coalesce((select sum(t.amount) from transfers t where t.order_id = o.id
                                     and (t.status <> 'called_off' or t.given_back_at is not null)
                                     and not exists (select 1 from transfers n where n.replaces = t.id)), 0)
                      + coalesce((select sum(i.count * i.commission) from order_items i where i.order_id = o.id), 0)
                  and not exists (select 1 from alarms x where x.order_id = o.id and x.kind = 'transfers_not_planned'
                                  and x.closed_at is null)",
    },
    Question {
        name: "transfers_payee",
        promise: "a part that was not corrected goes to the account and the code that its payment names",
        about: About::Orders,
        sql: "select o.id from orders o
              where {page} and exists (select 1 from transfers t join order_items i on i.id = t.item_id
                  where t.order_id = o.id and t.replaces is null
                      and (t.recipient_iban <> case when t.role = 'recipient' then coalesce(i.requisite_iban, i.iban) else i.iban end
                          or t.recipient_code <> case when t.role = 'recipient' then coalesce(i.requisite_okpo, i.okpo) else i.okpo end))",
    },
    Question {
        name: "proofs_kept",
        promise: "each proof that the audit trail tells of is kept with its order",
        about: About::Orders,
        sql: "select o.id from orders o
              where {page} and (select count(*) from audit_events e where e.order_id = o.id and e.changes like '%[\"proved\",%')
                  > (select count(*) from payment_proofs p where p.order_id = o.id)",
    },
    Question {
        name: "transfers_unpaid",
        promise: "only a paid order has transfers that are still to be sent",
        about: About::All,
        sql: "select t.id from transfers t join orders o on o.id = t.order_id where t.status = 'planned' and o.status <> 'paid'",
    },
    Question {
        name: "transfers_held",
        promise: "a held transfer of a paid order is decided within a day",
        about: About::Waiting,
        sql: concat!(
            "select t.id from transfers t where t.held_at < ?1 and ",
            waits_for_operator!()
        ),
    },
    Question {
        name: "transfers_unanswered",
        promise: "of a transfer that was marked as sent the bank has told within eleven days that it was debited, credited, refused or returned",
        about: About::Unanswered,
        sql: "select t.id from transfers t where t.status = 'sent' and t.updated_at < ?1 and t.disputed_at is null
                  and not exists (select 1 from bank_facts f where f.transfer_id = t.id)",
    },
    Question {
        name: "transfers_undecided",
        promise: "a returned transfer is sent again or given back within eleven days",
        about: About::Unanswered,
        sql: concat!(
            "select t.id from transfers t where t.updated_at < ?1 and ",
            is_undecided!()
        ),
    },
    Question {
        name: "transfers_sent_again",
        promise: "a transfer that is sent again came back, belongs to the same part, and is not given back to the card",
        about: About::All,
        sql: "select n.id from transfers n join transfers t on t.id = n.replaces
              where t.status <> 'returned' or t.refund_requested_at is not null or t.item_id <> n.item_id or t.role <> n.role
                  or t.amount <> n.amount or t.order_id <> n.order_id",
    },
    Question {
        name: "refunds_waiting",
        promise: "a returned part is given back to the card within a day after the notary asked for it",
        about: About::Waiting,
        sql: "select t.id from transfers t join orders o on o.id = t.order_id
              where t.refund_requested_at < ?1 and t.refunded_at is null and o.status = 'paid'",
    },
    Question {
        name: "refunds_reported",
        promise: "what is marked as given back to the card was reported by the acquirer within a day",
        about: About::Waiting,
        sql: "select o.id from orders o
              where exists (select 1 from transfers t where t.order_id = o.id and t.refunded_at < ?1)
                  and coalesce((select sum(t.amount) from transfers t where t.order_id = o.id and t.refunded_at < ?1), 0)
                      > coalesce((select sum(a.refunded) from attempts a where a.order_id = o.id
                                  and (o.status <> 'paid' or a.outcome = 'paid')), 0)",
    },
    Question {
        name: "refund_overdue",
        promise: "the acquirer is asked about a refund when it is time to",
        about: About::Overdue,
        sql: "select f.id from refunds f where f.next_check_at < ?1",
    },
    Question {
        name: "refund_unknown",
        promise: "what became of a refund is known within a day",
        about: About::Waiting,
        sql: "select f.id from refunds f where f.ended_at is null and f.created_at < ?1",
    },
    Question {
        name: "refunds_of_charge",
        promise: "what the operator gave back of a charge the acquirer told, and no more than was charged is asked of it",
        about: About::All,
        sql: "select a.id from attempts a
              where exists (select 1 from refunds f where f.attempt_id = a.id)
                  and (coalesce((select sum(f.amount) from refunds f where f.attempt_id = a.id and f.state = 'done'), 0)
                          > case when a.reversed_at is null then a.refunded else a.amount end
                      or coalesce((select sum(f.amount) from refunds f where f.attempt_id = a.id
                                   and f.state not in ('not_sent', 'refused')), 0) > a.amount)
                  and not exists (select 1 from alarms x where x.order_id = a.order_id and x.kind = 'refund_contradicted')",
    },
    Question {
        name: "given_back_not_sent",
        promise: "a transfer whose money was given back to the card is not sent, or has an alarm",
        about: About::All,
        sql: "select t.id from refunds f join transfers t on t.id = f.transfer_id
              where f.state = 'done' and t.given_back_at is null and t.refunded_at is null
                  and not exists (select 1 from orders o where o.id = t.order_id and o.status <> 'paid')
                  and not exists (select 1 from alarms x where x.order_id = t.order_id and x.kind = 'refunded_after_transfer')",
    },
    Question {
        name: "item_in_both",
        promise: "an item is in a cart or in an order, never in both",
        about: About::All,
        sql: "select c.id from cart_items c join order_items i on i.id = c.id",
    },
    Question {
        name: "cart_standing",
        promise: "a cart knows how many items it has and what they cost",
        about: About::All,
        sql: "select n.id from notaries n left join carts c on c.notary_id = n.id
              where coalesce(c.items_count, 0) <> (select count(*) from cart_items i
                                                   where i.notary_id = n.id and i.deleted_at is null)
                  or coalesce(c.total, 0) <> (select coalesce(sum(i.count * (i.amount + i.commission)), 0) from cart_items i
                                              where i.notary_id = n.id and i.deleted_at is null)",
    },
    Question {
        name: "cancelled_in_progress",
        promise: "an order that the notary cancelled is over, unless money came for it all the same",
        about: About::Orders,
        sql: "select o.id from orders o
              where {page} and o.cancelled_at is not null and o.status not in ('expired', 'paid', 'refunded')",
    },
    Question {
        name: "codes_paid_charged",
        promise: "of an order that is marked as paid by QR codes nothing is asked of a card, and it was not given up",
        about: About::Orders,
        // An attempt that is over, and took nothing, may only seem to be later: our clock was set back before the mark.
        sql: "select o.id from orders o
              where {page} and o.codes_paid_at is not null
                  and (o.cancelled_at is not null or o.returned_to_cart_at is not null
                      or exists (select 1 from attempts a where a.order_id = o.id and a.is_stray = false and a.created_at > o.codes_paid_at
                                   and (a.next_check_at is not null or a.charged_at is not null)))",
    },
    Question {
        name: "cancellation_overdue",
        promise: "a cancellation that a stopped process left behind is finished or dropped",
        about: About::Overdue,
        sql: "select o.id from orders o where o.cancel_begun_at < ?1",
    },
    Question {
        name: "order_without_check",
        promise: "every order that is not final has an attempt that the acquirer is going to be asked about",
        about: About::Orders,
        sql: "select o.id from orders o
              where {page} and o.status in ('in_progress', 'pending')
                  and not exists (select 1 from attempts a where a.order_id = o.id and a.next_check_at is not null)",
    },
    Question {
        name: "check_overdue",
        promise: "the acquirer is asked when it is time to",
        about: About::Overdue,
        sql: "select a.id from attempts a where a.next_check_at < ?1",
    },
    Question {
        name: "paid_without_attempt",
        promise: "every paid order has an attempt that ended paid",
        about: About::Orders,
        sql: "select o.id from orders o
              where {page} and o.status = 'paid'
                  and not exists (select 1 from attempts a where a.order_id = o.id and a.outcome = 'paid')",
    },
    Question {
        name: "paid_twice",
        promise: "every charge of an order beside the first that stands has an alarm",
        about: About::Orders,
        sql: "select o.id from orders o join attempts a on a.order_id = o.id
              where {page} and a.outcome = 'paid'
                  and exists (select 1 from attempts b where b.order_id = a.order_id and b.outcome = 'paid'
                              and (b.charged_at, b.id) < (a.charged_at, a.id))
                  and not exists (select 1 from alarms x where x.order_id = a.order_id
                                  and x.kind in ('charged_twice', 'paid_after_refund'))",
    },
    Question {
        name: "paid_but_not",
        promise: "an order whose attempt ended paid is paid, or was given back before and has an alarm",
        about: About::Orders,
        sql: "select o.id from orders o join attempts a on a.order_id = o.id
              where {page} and a.outcome = 'paid' and o.status <> 'paid'
                  and not (o.status = 'refunded' and exists (select 1 from alarms x where x.order_id = o.id
                                                             and x.kind = 'paid_after_refund'))",
    },
    Question {
        name: "attempt_amount",
        promise: "an attempt charges the sum of its order",
        about: About::Orders,
        sql: "select a.id from orders o join attempts a on a.order_id = o.id where {page} and a.amount <> o.sum",
    },
    Question {
        name: "order_history",
        promise: "the last step in the history of an order leads to its status",
        about: About::Orders,
        sql: "select o.id from orders o
              where {page} and o.status <> coalesce((select e.to_status from order_events e
                                          where e.order_id = o.id and e.to_status is not null
                                          order by e.number desc limit 1), 'in_progress')",
    },
    Question {
        name: "outbox_overdue",
        promise: "what must follow is done when it is time to",
        about: About::Overdue,
        sql: "select x.id from outbox x where x.delivered_at is null and x.parked_at is null and x.next_try_at < ?1",
    },
    Question {
        name: "outbox_parked",
        promise: "nothing that must follow was given up",
        about: About::All,
        sql: "select x.id from outbox x where x.parked_at is not null and x.delivered_at is null",
    },
];

/// Name and text of the invariants that are not checked by a query.
pub(super) const COMMISSION: (&str, &str) = (
    "commission",
    "the commission of an item follows from its amount and tariff",
);
pub(super) const FILE: (&str, &str) = ("file", "the database file is whole");
