//! Generates the documentation of steps and settlement from the code.

use jiff::{SignedDuration, Timestamp};

use super::{
    AcquirerName, Answer, Attempt, AttemptKind, Case, Delays, Effect, InvoiceId, InvoiceNews,
    InvoiceStatus, NewAttempt, News, OrderFacts, PaymentState, Refund, RefundAnswer, RefundEnd,
    RefundNews, RefundScope, RefundStage, Search, decide_settlement,
};
use crate::{
    AttemptId, CodesState, Line, Money, NotaryId, OperatorReason, OrderId, OrderStatus, RefundId,
    TransferId,
};

/// Returns `docs/settlement.md`: the table of steps, and what each news does to an order in each state.
#[must_use]
pub fn diagrams() -> String {
    let mut text = String::from(HEAD);
    text.push_str("```mermaid\nstateDiagram-v2\n    [*] --> in_progress\n");
    for from in OrderStatus::ALL {
        for to in OrderStatus::ALL {
            if from.may_become(to) {
                text.push_str(&format!("    {} --> {}\n", from.as_str(), to.as_str()));
            }
        }
    }
    text.push_str("```\n\n## What each news does\n\n");
    text.push_str("Rows are states of the payment, columns what becomes known about the latest attempt. A cell names the state\nafterwards, then what else follows; a dash means that the state stays and nothing follows.\n\n");
    let news = samples_of_news();
    text.push_str("| state |");
    for (name, _) in &news {
        text.push_str(&format!(" {name} |"));
    }
    text.push_str("\n| --- |");
    text.push_str(&" --- |".repeat(news.len()));
    text.push('\n');
    for (name, case) in samples_of_cases() {
        text.push_str(&format!("| {name} |"));
        for (_, news) in &news {
            text.push_str(&format!(" {} |", outcome(&case, news)));
        }
        text.push('\n');
    }
    text.push_str(&refunds_table());
    text.push_str(ABSENCE);
    text
}

const ABSENCE: &str = "
## What absence proves\n
That the acquirer lacks something is a proof only where both clocks, ours and the `Date` of its answers, say at two readings, at least a
minute apart, that the longest delay that is known of it has passed. Where the clocks differ by more than five minutes, or the acquirer tells
no time, that delay is a day at least; an alarm `clocks_differ` says so once in all. One function decides it: `Absence::read`.\n
| missing | time counts from | delay | then |
| --- | --- | --- | --- |
| the charge of a saved card on the statement | its request | 2 hours | it was not charged; the order may be paid again |
| a refund in the list of the invoice | its request | 2 hours | it was not made; transfers are released |
| a refund in the sum given back (LiqPay) | its request | 24 hours | the same |
| the payment of an untouched page (LiqPay) | the end of the page | none | the page has expired |
| the invoice of a page (monobank), also of one that is to be closed | the end of the page | 24 hours | the page has expired |
| the invoice of a saved card's charge | its request | 24 hours | the statement is searched |

Whatever is told ends an absence, so it begins anew. Until something is proved the order stays as it is, the old page is given again, and
`cabinet order ask` shows the readings.
";

/// What each news does to a refund in each state.
fn refunds_table() -> String {
    let mut text = String::from(REFUNDS);
    let news = samples_of_refund_news();
    text.push_str("| refund |");
    for (name, _) in &news {
        text.push_str(&format!(" {name} |"));
    }
    text.push_str("\n| --- |");
    text.push_str(&" --- |".repeat(news.len()));
    text.push('\n');
    for (name, case) in samples_of_refund_cases() {
        text.push_str(&format!("| {name} |"));
        for (_, news) in &news {
            text.push_str(&format!(" {} |", outcome(&case, news)));
        }
        text.push('\n');
    }
    text
}

const REFUNDS: &str = "
## What each news does to a refund\n
A refund gives money of a charge back to the card, as the operator asked for. Here it gives back what one transfer of a paid order would
have brought. A cell names the state of the refund afterwards, then what else follows.\n
";

const HEAD: &str = "# How a payment is settled\n
Made from the code by `make generate`; a stale copy fails the tests. The rules are in `crates/domain/src/payment/`.\n
## Steps of an order\n
";

/// News, and when each becomes known.
type Sample = (&'static str, Vec<(News, Timestamp)>);

fn once((name, news): (&'static str, News)) -> Sample {
    (name, vec![(news, moment(1))])
}

fn outcome(case: &Case, news: &[(News, Timestamp)]) -> String {
    let mut after = case.clone();
    let mut effects = Vec::new();
    for (news, at) in news {
        let settled = decide_settlement(&after, news, &Delays::default(), *at);
        after = settled.case;
        effects.extend(settled.effects);
    }
    let mut parts = Vec::new();
    if after.order.payment_state != case.order.payment_state {
        parts.push(format!("**{}**", after.order.payment_state.as_str()));
    }
    if let (Some(before), Some(after)) = (case.refunds.first(), after.refunds.first())
        && before.stage.state() != after.stage.state()
    {
        parts.push(format!("**{}**", after.stage.state().as_str()));
    }
    for effect in &effects {
        match effect {
            Effect::Raise { kind, .. } => parts.push(format!("alarm `{}`", kind.as_str())),
            Effect::PlanTransfers => parts.push("transfers planned".to_owned()),
            Effect::CallOffTransfers => parts.push("transfers called off".to_owned()),
            Effect::ReturnItems => parts.push("items back in the cart".to_owned()),
            Effect::GiveBackTransfer(_) => parts.push("transfer given back".to_owned()),
            Effect::HoldForRefund(_) => parts.push("transfers held".to_owned()),
            Effect::ReleaseFromRefund(_) => parts.push("transfers released".to_owned()),
            Effect::SaveAttempt(_)
            | Effect::SaveRefund(_)
            | Effect::SaveOrder(_)
            | Effect::Record { .. }
            | Effect::LookForPartsByHand(_)
            | Effect::KeepReceipt => {}
        }
    }
    if parts.is_empty() {
        "–".to_owned()
    } else {
        parts.join(", ")
    }
}

fn moment(hours: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours)
}

fn id() -> AttemptId {
    AttemptId::new(uuid::Uuid::from_u128(1))
}

fn fresh() -> AttemptId {
    AttemptId::new(uuid::Uuid::from_u128(2))
}

fn sum() -> Money {
    Money::from_kopiykas(100_000).unwrap_or(Money::ZERO)
}

fn prepared(kind: AttemptKind) -> Case {
    let order_id = OrderId::new(uuid::Uuid::from_u128(3));
    let attempt: Attempt = NewAttempt {
        id: id(),
        order_id,
        acquirer: AcquirerName::Monobank,
        kind,
        amount: sum(),
        created_at: moment(0),
    }
    .prepared();
    Case {
        order: OrderFacts {
            id: order_id,
            notary_id: NotaryId::new(uuid::Uuid::from_u128(3)),
            status: OrderStatus::InProgress,
            payment_state: PaymentState::Unknown,
            sum: sum(),
            created_at: moment(0),
            paid_at: None,
            failure: None,
            pan: None,
            payment_page_url: None,
            is_returned_to_cart: false,
            is_cancelled: false,
            codes: CodesState::NotGiven,
        },
        attempts: vec![attempt],
        refunds: Vec::new(),
        has_money_alarm: false,
    }
}

fn told(status: InvoiceStatus, hours: i64) -> Option<News> {
    let news = InvoiceNews {
        acquirer: AcquirerName::Monobank,
        invoice_id: InvoiceId::parse("invoice")?,
        payment_reference: Some(id()),
        amount: sum(),
        is_hryvnia: true,
        refunded: if status == InvoiceStatus::Reversed {
            sum()
        } else {
            Money::ZERO
        },
        refunds: Vec::new(),
        modified_at: Some(moment(hours)),
        created_at: Some(moment(0)),
        as_of: Some(moment(hours)),
        card: super::CardDetails::default(),
        acquirer_fee: None,
        failure_code: None,
        status,
    };
    Some(News::Told(Box::new(news), fresh()))
}

fn samples_of_news() -> Vec<Sample> {
    let mut all: Vec<Sample> = [
        ("given up unsent", News::GivenUpUnsent(id())),
        ("not sent", News::Answered(id(), Answer::NotSent)),
        (
            "refused",
            News::Answered(
                id(),
                Answer::Refused {
                    code: "REFUSED".to_owned(),
                },
            ),
        ),
        (
            "no answer",
            News::Answered(
                id(),
                Answer::Unknown {
                    error: "no answer".to_owned(),
                    pause: SignedDuration::ZERO,
                },
            ),
        ),
    ]
    .into_iter()
    .map(once)
    .collect();
    if let Some(invoice_id) = InvoiceId::parse("invoice") {
        let answer = Answer::Invoice {
            invoice_id,
            page: Ok("https://pay.example/1".to_owned()),
            made_at: Some(moment(0)),
            fresh: fresh(),
        };
        all.push(once(("page made", News::Answered(id(), answer))));
    }
    let states = [
        ("told processing", InvoiceStatus::Processing),
        ("told declined", InvoiceStatus::Failure),
        ("told paid", InvoiceStatus::Success),
        ("told expired", InvoiceStatus::Expired),
        ("told given back", InvoiceStatus::Reversed),
    ];
    for (name, status) in states {
        all.extend(told(status, 9).map(|news| once((name, news))));
    }
    let lacking = |minutes: &[i64], news: fn(Timestamp) -> News| {
        let moments = minutes.iter().map(|minutes| minute(*minutes));
        moments.map(|at| (news(at), at)).collect::<Vec<_>>()
    };
    let search = |at| News::NotOnStatement(id(), Search { as_of: Some(at) });
    all.push(("not on the statement", lacking(&[120], search)));
    let readings = lacking(&[120, 121], search);
    all.push((
        "not on the statement at two readings after 2 hours",
        readings,
    ));
    let unknown = |at| News::Missing(id(), Some(at));
    all.push(("not known at two readings", lacking(&[5, 6], unknown)));
    // The page ends after a day, with a minute of margin.
    let after_two_days = lacking(&[2 * 1_440 + 1, 2 * 1_440 + 2], unknown);
    all.push((
        "not known at two readings a day after the page's end",
        after_two_days,
    ));
    all.push(once(("page closed", News::Withdrawn(id()))));
    all
}

fn minute(minutes: i64) -> Timestamp {
    moment(0) + SignedDuration::from_mins(minutes)
}

fn samples_of_cases() -> Vec<(&'static str, Case)> {
    let after = |case: &Case, news: Option<News>| match news {
        Some(news) => decide_settlement(case, &news, &Delays::default(), moment(0)).case,
        None => case.clone(),
    };
    let page_made = || {
        let made = samples_of_news();
        let made = made.into_iter().find(|(name, _)| *name == "page made");
        made.and_then(|(_, news)| news.into_iter().next())
            .map(|(news, _)| news)
    };
    let page = prepared(AttemptKind::Invoice);
    let sent = after(&page, Some(News::Submitting(id(), Some(moment(0)))));
    let waiting = after(&sent, page_made());
    let card = prepared(AttemptKind::CardToken);
    let charging = after(&card, Some(News::Submitting(id(), Some(moment(0)))));
    vec![
        ("page prepared", page),
        ("page asked for", sent.clone()),
        ("card being charged", charging),
        ("waiting on the page", waiting.clone()),
        (
            "declined, page open",
            after(&waiting, told(InvoiceStatus::Failure, 2)),
        ),
        (
            "not sent",
            after(&sent, Some(News::Answered(id(), Answer::NotSent))),
        ),
        ("expired", after(&waiting, told(InvoiceStatus::Expired, 3))),
        ("paid", after(&waiting, told(InvoiceStatus::Success, 4))),
        (
            "given back",
            after(&waiting, told(InvoiceStatus::Reversed, 5)),
        ),
    ]
}

fn refund_id() -> RefundId {
    RefundId::new(uuid::Uuid::from_u128(4))
}

fn part() -> Money {
    Money::from_kopiykas(40_000).unwrap_or(Money::ZERO)
}

/// The state of the paid invoice after so many minutes, with this end of the refund in its list.
fn told_of_refund(end: Option<RefundEnd>, minutes: i64) -> Option<News> {
    let News::Told(mut state, fresh) = told(InvoiceStatus::Success, 1)? else {
        return None;
    };
    state.modified_at = Some(moment(0) + SignedDuration::from_mins(minutes));
    state.as_of = state.modified_at;
    state.refunds = end
        .map(|end| RefundNews {
            refund: Some(refund_id()),
            end,
            amount: Some(part()),
        })
        .into_iter()
        .collect();
    if end == Some(RefundEnd::Done) {
        state.refunded = part();
    }
    Some(News::Told(state, fresh))
}

fn samples_of_refund_news() -> Vec<Sample> {
    let answered = |answer| News::RefundAnswered(refund_id(), answer);
    let refused = RefundAnswer::Refused {
        code: "REFUSED".to_owned(),
    };
    let unknown = RefundAnswer::Unknown {
        error: "no answer".to_owned(),
        pause: SignedDuration::ZERO,
    };
    let mut all: Vec<Sample> = [
        ("given up unsent", News::RefundGivenUpUnsent(refund_id())),
        (
            "about to be sent",
            News::RefundSubmitting(refund_id(), Some(moment(0))),
        ),
        ("not sent", answered(RefundAnswer::NotSent)),
        ("refused", answered(refused)),
        ("no answer", answered(unknown)),
        ("accepted", answered(RefundAnswer::Accepted)),
    ]
    .into_iter()
    .map(once)
    .collect();
    let states: [(_, _, &[i64]); 5] = [
        ("listed as processing", Some(RefundEnd::Open), &[1]),
        ("listed as done", Some(RefundEnd::Done), &[1]),
        ("listed as failed", Some(RefundEnd::Failed), &[1]),
        ("not listed", None, &[120]),
        (
            "not listed at two readings after 2 hours",
            None,
            &[120, 121],
        ),
    ];
    for (name, end, minutes) in states {
        let told = minutes.iter().filter_map(|minutes| {
            let news = told_of_refund(end, *minutes)?;
            Some((news, minute(*minutes)))
        });
        all.push((name, told.collect()));
    }
    all
}

fn samples_of_refund_cases() -> Vec<(&'static str, Case)> {
    let paid = prepared(AttemptKind::Invoice);
    let paid = match told(InvoiceStatus::Success, 0) {
        Some(news) => decide_settlement(&paid, &news, &Delays::default(), moment(0)).case,
        None => paid,
    };
    let with = |stage: RefundStage| {
        let mut case = paid.clone();
        // The text is of no consequence here.
        let reason = Line::parse("-", 1).map(OperatorReason::from_saved);
        case.refunds = reason
            .map(|reason| Refund {
                id: refund_id(),
                order_id: case.order.id,
                attempt_id: id(),
                scope: RefundScope::Transfer(TransferId::new(uuid::Uuid::from_u128(5))),
                amount: part(),
                given_back_before: Money::ZERO,
                reason,
                created_at: moment(0),
                checks: 0,
                stage,
                absence: None,
            })
            .into_iter()
            .collect();
        case
    };
    let (at, next_check_at) = (moment(0), moment(1));
    let (submitted_at, last_error) = (Some(moment(0)), None);
    vec![
        ("prepared", with(RefundStage::Prepared { next_check_at })),
        (
            "submitted",
            with(RefundStage::Submitted {
                submitted_at,
                next_check_at,
                last_error: last_error.clone(),
            }),
        ),
        (
            "accepted",
            with(RefundStage::Accepted {
                submitted_at,
                next_check_at,
                last_error,
            }),
        ),
        ("done", with(RefundStage::Done { at })),
        ("not_sent", with(RefundStage::NotSent { at })),
        (
            "refused",
            with(RefundStage::Refused {
                code: "REFUSED".to_owned(),
                at,
            }),
        ),
    ]
}
