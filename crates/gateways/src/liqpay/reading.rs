//! Converts LiqPay's JSON into the cabinet's types.

use std::cmp::Reverse;

use cabinet_domain::{MaskedPan, Money};
use jiff::Timestamp;

use super::wire::{Archive, Moment, Payment};
use crate::acquirer::{
    Failure, HRYVNIA, InvoiceId, InvoiceState, InvoiceStatus, PaymentDetails, PaymentMarks,
    PaymentReference, Refund, RefundAnswer, Statement, StatementItem, short,
};

/// ISO 4217 number for no currency: of one that is not known here.
const NO_CURRENCY: u16 = 999;

/// The status of a payment whose money is kept for a refund, which may be one of another payment.
const WAIT_RESERVE: &str = "wait_reserve";

/// The action of a payment.
pub(super) const PAY: &str = "pay";

/// Errors after which nothing has happened: the request was refused before it was carried out. After any other error that may be otherwise.
const REFUSALS: &[&str] = &[
    "amount_limit",
    "err_access",
    "err_amount_hold",
    "err_api_action",
    "err_api_callback",
    "err_api_ip",
    "err_auth",
    "err_blocked",
    "err_currency_is_not_allowed",
    "err_empty",
    "err_limit_amount",
    "err_missing",
    "err_shop_not_agent",
    "err_signature",
    "err_split_amount",
    "err_wrong",
    "err_wrong_currency",
    "invalid_signature",
    "order_id_duplicate",
    "order_id_empty",
    "payment_err_status",
    "payment_not_found",
    "public_key_not_found",
    "shop_blocked",
    "shop_not_active",
    "user_not_found",
    "wrong_amount_currency",
];

/// Returns whether an error says that nothing has happened.
pub(super) fn is_refusal(code: &str) -> bool {
    REFUSALS.contains(&code)
}

/// Converts a status. One that is not documented is a payment that can still end either way.
///
/// `is_test`: the shop's keys are test keys, so that a payment without money counts.
fn status(word: &str, is_test: bool) -> InvoiceStatus {
    match word {
        // Paid, and credited to the shop with the day's other payments.
        "success" | "wait_compensation" => InvoiceStatus::Success,
        // Paid, and the money is kept for a refund that is not carried out yet.
        WAIT_RESERVE => InvoiceStatus::Success,
        "sandbox" if is_test => InvoiceStatus::Success,
        "failure" | "error" => InvoiceStatus::Failure,
        "reversed" => InvoiceStatus::Reversed,
        "hold_wait" => InvoiceStatus::Hold,
        // Nobody has confirmed anything yet: the page still waits for its payer.
        "prepared" | "try_again" | "invoice_wait" => InvoiceStatus::Created,
        // The payer is asked for something.
        "3ds_verify" | "captcha_verify" | "cvv_verify" | "ivr_verify" | "otp_verify"
        | "password_verify" | "phone_verify" | "pin_verify" | "receiver_verify"
        | "sender_verify" | "senderapp_verify" | "wait_qr" | "wait_sender" | "p24_verify"
        | "mp_verify" => InvoiceStatus::Processing,
        "processing" | "cash_wait" | "wait_accept" | "wait_card" | "wait_lc" | "wait_secure" => {
            InvoiceStatus::Processing
        }
        _ => {
            tracing::warn!("LiqPay names a status of a payment that is not expected");
            InvoiceStatus::Processing
        }
    }
}

fn currency(code: &str) -> u16 {
    match code {
        "UAH" => HRYVNIA,
        "USD" => 840,
        "EUR" => 978,
        _ => NO_CURRENCY,
    }
}

/// Converts what an answer or a callback tells of a payment. Returns `None` if a required part is missing or invalid.
pub(super) fn state(payment: Payment, is_test: bool) -> Option<InvoiceState> {
    let order_id = payment.order_id.as_deref()?;
    let amount = payment.amount?.0;
    // Taken as nothing, it would let transfers leave whose money went back.
    let refunded = payment.refund_amount.0?;
    let status = match status(payment.status.as_deref()?, is_test) {
        InvoiceStatus::Success if !amount.is_zero() && refunded >= amount => {
            InvoiceStatus::Reversed
        }
        // The two contradict each other, so a person decides.
        InvoiceStatus::Reversed if !refunded.is_zero() && refunded < amount => {
            InvoiceStatus::Success
        }
        told => told,
    };
    let final_amount = match status {
        InvoiceStatus::Success => amount.minus(refunded).ok(),
        InvoiceStatus::Reversed => Some(Money::ZERO),
        _ => None,
    };
    let is_reserved = payment.status.as_deref() == Some(WAIT_RESERVE);
    let refunds = is_reserved.then(|| Refund {
        status: "processing".to_owned(),
        amount: None,
        refund_reference: None,
    });
    let refunds = refunds.into_iter().collect();
    let code = payment.code();
    let failure = (status == InvoiceStatus::Failure).then(|| Failure {
        code,
        text: short(payment.err_description.clone()),
    });
    Some(InvoiceState {
        invoice_id: InvoiceId::parse(order_id)?,
        payment_reference: PaymentReference::parse(order_id),
        amount,
        currency: currency(payment.currency.as_deref()?),
        final_amount,
        created_at: payment.create_date.map(|at| at.0),
        modified_at: modified_at(&payment),
        failure,
        payment: final_amount.is_some().then(|| PaymentDetails {
            masked_pan: payment
                .sender_card_mask2
                .as_deref()
                .and_then(MaskedPan::from_acquirer),
            payment_system: short(payment.sender_card_type),
            approval_code: short(payment.authcode_debit),
            rrn: short(payment.rrn_debit),
            fee: payment.receiver_commission.map(|fee| fee.0),
        }),
        wallet: None,
        refunds,
        status,
    })
}

/// Converts the entries of an archive to a statement.
pub(super) fn statement(archive: Archive, is_test: bool) -> Statement {
    let mut statement = Statement::default();
    for entry in archive.data {
        let payment: Option<Payment> = serde_json::from_value(entry).ok();
        // What another program of the shop asks for is none of ours.
        let is_other = |payment: &Payment| payment.action.as_deref().is_some_and(|it| it != PAY);
        if payment.as_ref().is_some_and(is_other) {
            continue;
        }
        match payment.and_then(|payment| statement_item(payment, is_test)) {
            Some(item) => statement.items.push(item),
            None => statement.unreadable += 1,
        }
    }
    statement.items.sort_by_key(|item| Reverse(item.date));
    statement
}

/// The date is that of the beginning: the end moves when money is given back.
fn statement_item(payment: Payment, is_test: bool) -> Option<StatementItem> {
    let date = payment.create_date?.0;
    let marks = payment
        .info
        .as_deref()
        .and_then(|info| serde_json::from_str(info).ok())
        .and_then(|fields| PaymentMarks::read(&fields));
    let state = state(payment, is_test)?;
    let left = state.final_amount.unwrap_or(state.amount);
    let refunded = state.amount.minus(left).ok()?;
    // A charge that was given back was one, as in the statement of the other acquirer.
    let status = match state.status {
        InvoiceStatus::Reversed => InvoiceStatus::Success,
        other => other,
    };
    Some(StatementItem {
        invoice_id: state.invoice_id,
        status,
        date,
        amount: state.amount,
        currency: state.currency,
        payment_reference: state.payment_reference,
        refunded: Some(refunded)
            .filter(|sum| !sum.is_zero())
            .into_iter()
            .collect(),
        marks,
    })
}

/// Returns when a payment changed last.
fn modified_at(payment: &Payment) -> Option<Timestamp> {
    let ended = [payment.end_date, payment.refund_date_last];
    let latest = ended.into_iter().flatten().map(|Moment(at)| at).max();
    latest
        .or(payment.completion_date.map(|at| at.0))
        .or(payment.create_date.map(|at| at.0))
}

/// Reads the status of an answer to a refund. `None`: it says nothing about what became of it.
pub(super) fn refund_answer(status: Option<&str>) -> Option<RefundAnswer> {
    match status? {
        "success" | "reversed" | "processing" | "wait_reserve" => Some(RefundAnswer::Accepted),
        "failure" => Some(RefundAnswer::Failed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<InvoiceState> {
        state(serde_json::from_str(json).ok()?, false)
    }

    #[test]
    fn a_paid_payment_is_read_whole() {
        let state = read(
            r#"{"result":"ok","payment_id":2540000000,"action":"pay","status":"success","version":7,"type":"buy","paytype":"card",
                "public_key":"i00000000","acq_id":414963,"order_id":"a1","liqpay_order_id":"X","description":"t",
                "sender_card_mask2":"473118*97","sender_card_bank":"pb","sender_card_type":"visa","amount":325.5,"currency":"UAH",
                "sender_commission":0.0,"receiver_commission":4.88,"agent_commission":0.0,"amount_debit":325.5,
                "authcode_debit":"388432","rrn_debit":"002665267066","create_date":1758000000123,"end_date":1758000005456,
                "transaction_id":2540000000}"#,
        )
        .unwrap();
        assert_eq!(state.status, InvoiceStatus::Success);
        assert_eq!((state.amount.kopiykas(), state.currency), (32_550, HRYVNIA));
        assert_eq!(state.final_amount, Some(state.amount));
        assert_eq!(state.invoice_id.as_str(), "a1");
        assert_eq!(state.payment_reference.unwrap().as_str(), "a1");
        assert_eq!(
            state.modified_at.unwrap().as_millisecond(),
            1_758_000_005_456
        );
        let payment = state.payment.unwrap();
        assert_eq!(payment.masked_pan.unwrap().as_str(), "473118*97");
        assert_eq!(payment.payment_system.as_deref(), Some("visa"));
        assert_eq!(payment.approval_code.as_deref(), Some("388432"));
        assert_eq!(payment.rrn.as_deref(), Some("002665267066"));
        assert_eq!(payment.fee.unwrap().kopiykas(), 488);
        assert!(state.failure.is_none());
    }

    #[test]
    fn every_documented_status_has_a_meaning_and_any_other_leaves_the_end_open() {
        use InvoiceStatus::{Created, Failure, Hold, Processing, Reversed, Success};
        for (word, meaning) in [
            ("success", Success),
            ("failure", Failure),
            ("error", Failure),
            ("reversed", Reversed),
            ("hold_wait", Hold),
            ("prepared", Created),
            ("try_again", Created),
            ("invoice_wait", Created),
            ("3ds_verify", Processing),
            ("otp_verify", Processing),
            ("wait_sender", Processing),
            ("processing", Processing),
            ("wait_accept", Processing),
            ("wait_compensation", Success),
            ("wait_reserve", Success),
            ("wait_secure", Processing),
            ("subscribed", Processing),
            ("thawed", Processing),
            // Only with test keys is a payment without money a payment.
            ("sandbox", Processing),
        ] {
            assert_eq!(status(word, false), meaning, "{word}");
        }
        assert_eq!(status("sandbox", true), Success);
    }

    #[test]
    fn what_was_given_back_is_known_in_all() {
        let read = |status: &str, refunded: &str| {
            let state = read(&format!(
                r#"{{"status":"{status}","order_id":"a1","amount":"100.00","currency":"UAH","end_date":1758000005456,
                    "refund_amount":{refunded},"refund_date_last":1758000009000}}"#
            ))
            .unwrap();
            let rest = state.final_amount.map(Money::kopiykas);
            (
                state.status,
                rest,
                state.modified_at.unwrap().as_millisecond(),
            )
        };
        let last = 1_758_000_009_000;
        assert_eq!(
            read("success", "0"),
            (InvoiceStatus::Success, Some(10_000), last)
        );
        assert_eq!(
            read("success", "40.5"),
            (InvoiceStatus::Success, Some(5_950), last)
        );
        assert_eq!(
            read("success", "\"40.5000\""),
            (InvoiceStatus::Success, Some(5_950), last)
        );
        assert_eq!(
            read("success", "100"),
            (InvoiceStatus::Reversed, Some(0), last)
        );
        assert_eq!(
            read("reversed", "null"),
            (InvoiceStatus::Reversed, Some(0), last)
        );
        assert_eq!(
            read("reversed", "0"),
            (InvoiceStatus::Reversed, Some(0), last)
        );
        assert_eq!(
            read("reversed", "100"),
            (InvoiceStatus::Reversed, Some(0), last)
        );
        // A person looks at what contradicts itself.
        assert_eq!(
            read("reversed", "10"),
            (InvoiceStatus::Success, Some(9_000), last)
        );
    }

    #[test]
    fn a_payment_whose_given_back_sum_can_not_be_read_is_none() {
        for refunded in [
            "1.005",
            "-1",
            "1e2",
            "true",
            "{}",
            "[]",
            r#""""#,
            r#""40,50""#,
        ] {
            for status in ["success", "reversed", "wait_reserve"] {
                let told = format!(
                    r#"{{"status":"{status}","order_id":"a1","amount":100,"currency":"UAH","create_date":1758000000000,
                        "refund_amount":{refunded}}}"#
                );
                assert!(read(&told).is_none(), "{told}");
                let data = vec![serde_json::from_str(&told).unwrap()];
                let archive = statement(Archive { data }, false);
                assert!(
                    archive.items.is_empty() && archive.unreadable == 1,
                    "{told}"
                );
            }
        }
        // What another program of the shop asks for is none of ours.
        let data = vec![serde_json::json!({"action": "subscribe", "refund_amount": "-"})];
        assert_eq!(statement(Archive { data }, false).unreadable, 0);
    }

    #[test]
    fn an_archive_is_a_statement_of_charges_at_their_beginning() {
        let notary = "0190f0c2-5a1e-7c3d-9f00-4c1f4f1d2a77";
        let paid = serde_json::json!({
            "status": "success", "action": "pay", "order_id": "a1", "amount": 100, "currency": "UAH", "create_date": 1_758_000_000_000_i64,
            "end_date": 1_758_900_000_000_i64, "info": format!(r#"{{"order_number":"100123","notary":"{notary}"}}"#),
        });
        let with = |fields: serde_json::Value| {
            let mut entry = paid.clone();
            for (name, value) in fields.as_object().unwrap() {
                entry[name] = value.clone();
            }
            entry
        };
        let later = 1_758_000_100_000_i64;
        let data = vec![
            paid.clone(),
            with(
                serde_json::json!({"order_id": "a2", "status": "reversed", "create_date": later, "info": "of another program"}),
            ),
            with(serde_json::json!({"order_id": "a3", "refund_amount": 40.5})),
            with(serde_json::json!({"order_id": "a4", "status": "wait_reserve"})),
            with(serde_json::json!({"order_id": "a5", "status": "wait_accept"})),
            with(serde_json::json!({"order_id": "a6", "create_date": null})),
            with(serde_json::json!({"action": "subscribe", "order_id": "a7"})),
        ];
        let read = statement(Archive { data }, false);
        let told: Vec<_> = read
            .items
            .iter()
            .map(|item| {
                let refunded: Vec<i64> = item.refunded.iter().map(|sum| sum.kopiykas()).collect();
                (item.invoice_id.as_str(), item.status.as_str(), refunded)
            })
            .collect();
        assert_eq!(
            told,
            [
                ("a2", "success", vec![10_000]),
                ("a1", "success", vec![]),
                ("a3", "success", vec![4_050]),
                ("a4", "success", vec![]),
                ("a5", "processing", vec![]),
            ]
        );
        assert_eq!(read.unreadable, 1);
        assert_eq!(read.items[1].date.as_second(), 1_758_000_000);
        assert_eq!(read.items[1].marks.unwrap().order_number, 100_123);
        assert_eq!(read.items[0].marks, None);
    }

    #[test]
    fn a_declined_payment_says_why() {
        let state = read(
            r#"{"result":"error","status":"failure","err_code":"limit","err_description":"Card 4242424242424242","order_id":"a1",
                "amount":1,"currency":"UAH"}"#,
        )
        .unwrap();
        assert_eq!(state.status, InvoiceStatus::Failure);
        let failure = state.failure.unwrap();
        assert_eq!(
            (failure.code.as_deref(), failure.text),
            (Some("limit"), None)
        );
    }

    #[test]
    fn a_payment_without_a_vital_part_is_none() {
        for json in [
            r#"{"status":"success","amount":1,"currency":"UAH"}"#,
            r#"{"status":"success","order_id":"a 1","amount":1,"currency":"UAH"}"#,
            r#"{"status":"success","order_id":"a1","currency":"UAH"}"#,
            r#"{"status":"success","order_id":"a1","amount":1.005,"currency":"UAH"}"#,
            r#"{"status":"success","order_id":"a1","amount":1}"#,
            r#"{"order_id":"a1","amount":1,"currency":"UAH"}"#,
            "{}",
            "[]",
        ] {
            assert!(read(json).is_none(), "{json}");
        }
        let other = read(r#"{"status":"success","order_id":"a1","amount":1,"currency":"RUB"}"#);
        assert_eq!(other.unwrap().currency, NO_CURRENCY);
    }
}
