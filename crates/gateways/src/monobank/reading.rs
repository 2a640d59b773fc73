//! Converts the bank's JSON into the cabinet's types.

use std::collections::HashSet;

use cabinet_domain::{MaskedPan, Money};
use jiff::Timestamp;

use super::wire;
use crate::acquirer::{
    CardToken, Failure, InvoiceId, InvoiceState, InvoiceStatus, PaymentAnswer, PaymentDetails,
    PaymentMarks, PaymentReference, Refund, SavedCard, SavedCardDetails, Statement, StatementItem,
    TokenStatus, WalletId, short,
};

fn moment(text: Option<&str>) -> Option<Timestamp> {
    text?.parse().ok()
}

fn money(kopiykas: Option<i64>) -> Option<Money> {
    Money::from_kopiykas(kopiykas?).ok()
}

fn failure(status: &InvoiceStatus, code: Option<String>, text: Option<String>) -> Option<Failure> {
    let (code, text) = (short(code), short(text));
    let told = code.is_some() || text.is_some();
    (told || *status == InvoiceStatus::Failure).then_some(Failure { code, text })
}

/// Converts a status answer or report. Returns `None` if a required part is missing or invalid.
pub(super) fn state(state: wire::State) -> Option<InvoiceState> {
    let status = InvoiceStatus::from_wire(&state.status);
    Some(InvoiceState {
        invoice_id: InvoiceId::parse(&state.invoice_id)?,
        amount: Money::from_kopiykas(state.amount).ok()?,
        currency: state.ccy,
        final_amount: money(state.final_amount),
        created_at: moment(state.created_date.as_deref()),
        modified_at: moment(state.modified_date.as_deref()),
        payment_reference: state.reference.as_deref().and_then(PaymentReference::parse),
        failure: failure(&status, state.err_code, state.failure_reason),
        payment: state.payment_info.map(payment),
        wallet: state.wallet_data.and_then(wallet),
        refunds: state
            .cancel_list
            .unwrap_or_default()
            .into_iter()
            .map(refund)
            .collect(),
        status,
    })
}

fn payment(payment: wire::Payment) -> PaymentDetails {
    PaymentDetails {
        masked_pan: payment
            .masked_pan
            .as_deref()
            .and_then(MaskedPan::from_acquirer),
        payment_system: short(payment.payment_system),
        approval_code: short(payment.approval_code),
        rrn: short(payment.rrn),
        fee: money(payment.fee),
    }
}

fn wallet(wallet: wire::WalletData) -> Option<SavedCardDetails> {
    Some(SavedCardDetails {
        wallet: WalletId::parse(&wallet.wallet_id)?,
        token: CardToken::parse(&wallet.card_token)?,
        status: match wallet.status.as_str() {
            "new" => TokenStatus::New,
            "created" => TokenStatus::Created,
            "failed" => TokenStatus::Failed,
            _ => TokenStatus::Other,
        },
    })
}

fn refund(cancel: wire::Cancel) -> Refund {
    Refund {
        status: short(cancel.status).unwrap_or_default(),
        amount: money(cancel.amount),
        refund_reference: short(cancel.ext_ref),
    }
}

/// Converts a saved card. Returns `None` if its token is invalid.
pub(super) fn saved_card(card: wire::WalletCard) -> Option<SavedCard> {
    Some(SavedCard {
        token: CardToken::parse(&card.card_token)?,
        masked_pan: MaskedPan::from_acquirer(&card.masked_pan),
    })
}

/// Converts the answer to a payment by a saved card. Returns `None` if a required part is missing or invalid.
pub(super) fn payment_answer(answer: wire::PaymentAnswer) -> Option<PaymentAnswer> {
    let status = InvoiceStatus::from_wire(&answer.status);
    Some(PaymentAnswer {
        invoice_id: InvoiceId::parse(&answer.invoice_id)?,
        // The bank's page is of use only while the payment is processing.
        three_d_secure_url: (status == InvoiceStatus::Processing)
            .then_some(answer.tds_url)
            .flatten(),
        failure: failure(&status, answer.err_code, answer.failure_reason),
        amount: Money::from_kopiykas(answer.amount).ok()?,
        currency: answer.ccy,
        modified_at: moment(answer.modified_date.as_deref()),
        status,
    })
}

/// Adds a part of a statement. Entries of an overlapping earlier part are skipped.
pub(super) fn add_to_statement(
    statement: &mut Statement,
    known: &mut HashSet<InvoiceId>,
    piece: wire::StatementAnswer,
) {
    for entry in piece.list {
        let Some(item) = serde_json::from_value(entry).ok().and_then(statement_item) else {
            statement.unreadable += 1;
            continue;
        };
        if known.insert(item.invoice_id.clone()) {
            statement.items.push(item);
        }
    }
}

fn statement_item(entry: wire::StatementEntry) -> Option<StatementItem> {
    let refunded: Option<Vec<Money>> = entry
        .cancel_list
        .iter()
        .map(|cancel| Money::from_kopiykas(cancel.amount).ok())
        .collect();
    Some(StatementItem {
        invoice_id: InvoiceId::parse(&entry.invoice_id)?,
        status: InvoiceStatus::from_wire(&entry.status),
        date: moment(Some(&entry.date))?,
        amount: Money::from_kopiykas(entry.amount).ok()?,
        currency: entry.ccy,
        payment_reference: entry.reference.as_deref().and_then(PaymentReference::parse),
        refunded: refunded?,
        marks: entry.metadata.as_ref().and_then(PaymentMarks::read),
    })
}

#[cfg(test)]
mod tests {
    use cabinet_domain::NotaryId;
    use serde_json::Value;

    use super::*;

    fn read(json: &str) -> Option<InvoiceState> {
        state(serde_json::from_str(json).ok()?)
    }

    #[test]
    fn what_was_sent_with_a_payment_is_read_from_the_statement_and_nothing_else_is() {
        let notary = "0190f0c2-5a1e-7c3d-9f00-4c1f4f1d2a77";
        let read = |metadata: Value| {
            let entry = serde_json::json!({
                "invoiceId": "i1", "status": "success", "date": "2026-03-02T10:00:00Z", "amount": 100, "ccy": 980, "metadata": metadata,
            });
            statement_item(serde_json::from_value(entry).unwrap())
                .unwrap()
                .marks
        };
        let whole = serde_json::json!({ "order_number": "100123", "notary": notary });
        let marks = PaymentMarks {
            order_number: 100_123,
            notary: NotaryId::parse(notary).unwrap(),
        };
        assert_eq!(read(whole), Some(marks));
        for other in [
            Value::Null,
            serde_json::json!([]),
            serde_json::json!({ "order_number": "100123" }),
            serde_json::json!({ "order_number": "-1", "notary": notary }),
            serde_json::json!({ "order_number": "Шевченко", "notary": notary }),
            serde_json::json!({ "order_number": "100123", "notary": "+380501112233" }),
        ] {
            assert_eq!(read(other), None);
        }
    }

    #[test]
    fn the_documented_report_is_read_whole() {
        let state = read(include_str!("../../testdata/monobank-report.json")).unwrap();
        assert_eq!(state.invoice_id.as_str(), "p2_9ZgpZVsl3");
        assert_eq!(state.status, InvoiceStatus::Created);
        assert_eq!(state.amount.kopiykas(), 4200);
        assert_eq!(state.currency, 980);
        assert_eq!(state.modified_at, "2019-08-24T14:15:22Z".parse().ok());
        assert_eq!(
            state.payment_reference.unwrap().as_str(),
            "84d0070ee4e44667b31371d8f8813947"
        );
        assert_eq!(state.failure.unwrap().text.as_deref(), Some("string"));
        assert_eq!(state.refunds.len(), 1);
        assert_eq!(
            state.refunds[0].refund_reference.as_deref(),
            Some("635ace02599849e981b2cd7a65f417fe")
        );
    }

    #[test]
    fn a_bare_state_and_an_odd_one_are_read_alike() {
        let bare = read(r#"{"invoiceId":"i1","status":"success","amount":100,"ccy":980}"#).unwrap();
        assert_eq!(bare.status, InvoiceStatus::Success);
        assert!(bare.payment.is_none() && bare.failure.is_none() && bare.modified_at.is_none());
        let odd = read(
            r#"{"invoiceId":"i1","status":"thawed","amount":100,"ccy":980,"finalAmount":"x","modifiedDate":17,
                "errCode":59,"paymentInfo":{"maskedPan":"4242424242424242","rrn":60189181768,"fee":"1","new":[1]},
                "walletData":{"status":"created"},"cancelList":null,"tipsInfo":{}}"#,
        )
        .unwrap();
        assert_eq!(odd.status, InvoiceStatus::Other("thawed".to_owned()));
        assert_eq!(odd.failure.unwrap().code.as_deref(), Some("59"));
        let payment = odd.payment.unwrap();
        assert_eq!(payment.masked_pan.unwrap().as_str(), "424242******4242");
        assert_eq!(payment.rrn.as_deref(), Some("60189181768"));
        assert_eq!(payment.fee, None);
        assert!(odd.wallet.is_none() && odd.refunds.is_empty() && odd.final_amount.is_none());
    }

    #[test]
    fn the_fee_is_read_where_it_is_a_sum_in_kopiykas() {
        for (fee, read_as) in [
            ("455", Some(455)),
            ("0", Some(0)),
            ("-1", None),
            ("4.55", None),
            ("null", None),
        ] {
            let state = read(&format!(
                r#"{{"invoiceId":"i1","status":"success","amount":35000,"ccy":980,"paymentInfo":{{"fee":{fee}}}}}"#
            ))
            .unwrap();
            let fee = state.payment.unwrap().fee;
            assert_eq!(fee.map(Money::kopiykas), read_as);
        }
    }

    #[test]
    fn a_text_with_a_full_card_number_is_not_kept() {
        let state = read(
            r#"{"invoiceId":"i1","status":"4242424242424242","amount":100,"ccy":980,"errCode":"59",
                "failureReason":"Card 4242 4242\u200b4242-4242 was declined","paymentInfo":{"rrn":"4242424242424242"}}"#,
        )
        .unwrap();
        let failure = state.failure.unwrap();
        assert_eq!((failure.code.as_deref(), failure.text), (Some("59"), None));
        assert_eq!(state.payment.unwrap().rrn, None);
        assert_eq!(state.status, InvoiceStatus::Other(String::new()));
    }

    #[test]
    fn a_state_without_a_vital_part_is_no_state() {
        for json in [
            r#"{"status":"success","amount":100,"ccy":980}"#,
            r#"{"invoiceId":"i1","amount":100,"ccy":980}"#,
            r#"{"invoiceId":"i1","status":"success","ccy":980}"#,
            r#"{"invoiceId":"i1","status":"success","amount":100}"#,
            r#"{"invoiceId":"i1","status":"success","amount":-1,"ccy":980}"#,
            r#"{"invoiceId":"i1","status":"success","amount":1.5,"ccy":980}"#,
            r#"{"invoiceId":"i 1","status":"success","amount":100,"ccy":980}"#,
            "[]",
            "<html>",
        ] {
            assert!(read(json).is_none(), "{json}");
        }
    }

    #[test]
    fn an_unreadable_entry_of_a_statement_is_counted_and_hides_no_other() {
        let piece = |json: &str| serde_json::from_str::<wire::StatementAnswer>(json).unwrap();
        let (mut statement, mut known) = (Statement::default(), HashSet::new());
        let entry = r#"{"invoiceId":"i1","status":"success","maskedPan":"4242****","date":"2026-11-20T10:00:00Z","amount":5,"ccy":980,"reference":"r1","shortQrId":null,"cancelList":null}"#;
        add_to_statement(
            &mut statement,
            &mut known,
            piece(&format!(r#"{{"list":[{entry},{{"invoiceId":"i2"}}]}}"#)),
        );
        add_to_statement(
            &mut statement,
            &mut known,
            piece(&format!(r#"{{"list":[{entry}]}}"#)),
        );
        add_to_statement(&mut statement, &mut known, piece(r#"{"list":null}"#));
        assert_eq!(statement.items.len(), 1);
        assert_eq!(statement.unreadable, 1);
        assert_eq!(
            statement.items[0]
                .payment_reference
                .as_ref()
                .unwrap()
                .as_str(),
            "r1"
        );
    }
}
