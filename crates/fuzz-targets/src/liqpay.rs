//! Answers and callbacks of LiqPay.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA3_256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_domain::Money;
use cabinet_gateways::acquirer::{
    Acquirer as _, InvoiceId, PaymentReference, RefundReference, RefundRequest, ReportError,
    Statements as _,
};
use cabinet_gateways::liqpay::{LiqPay, LiqPaySettings};
use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;
use serde_json::Value;

use crate::answers::{Stub, now, nowhere, split};
use crate::invoices::{check_page, check_state, checked, request};

/// The shop's private key.
const KEY: &str = "key";

/// LiqPay refuses in an answer of status 200, too.
const REFUSES: fn(u16) -> bool = |status| status == 200 || (400..500).contains(&status);

thread_local! {
    static LIQPAY: (LiqPay, Arc<Stub>) = {
        let stub = Stub::new(None);
        let settings = LiqPaySettings::new(nowhere(), "i1".to_owned(), SecretString::from(KEY));
        (LiqPay::new(settings).unwrap().with_transport(stub.clone()), stub)
    };
}

/// Every call reads the answer or fails with an error that may be logged. What it keeps may be stored.
pub fn answers(bytes: &[u8]) {
    let (status, body) = split(bytes);
    LIQPAY.with(|(adapter, stub)| {
        stub.answer_with(status, body);
        if let Some(state) = checked(status, REFUSES, now(adapter.invoice_status(&invoice()))) {
            assert_eq!(state.invoice_id, invoice());
            check_state(&state);
        }
        let reference = PaymentReference::parse("r-1").unwrap();
        let (from, until) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
        let found = adapter.find_by_payment_reference(&reference, from, until);
        for found in checked(status, REFUSES, now(found)).unwrap_or_default() {
            assert_eq!(found, invoice());
        }
        let _ = checked(status, REFUSES, now(adapter.refund(&refund())));
        // An answer that is read closes the circuit breaker, so that the next input is not refused unread.
        stub.answer_with(200, br#"{"result":"ok"}"#);
        assert!(now(adapter.invoice_status(&invoice())).is_err());
        // Nothing is sent for a page: its address is ours.
        check_page(&now(adapter.create_invoice(&request())).unwrap().page_url);
    });
}

/// An archive names each payment that it lists, or counts it as unreadable.
pub fn archive(bytes: &[u8]) {
    let (status, body) = split(bytes);
    let until = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * 365 * 60);
    LIQPAY.with(|(adapter, stub)| {
        stub.answer_with(status, body);
        let statement = now(adapter.statement(Timestamp::UNIX_EPOCH, until));
        if let Some(statement) = checked(status, REFUSES, statement) {
            let answer: Value = serde_json::from_slice(body).unwrap();
            let entries = answer["data"].as_array().map_or(0, Vec::len);
            let unreadable = usize::try_from(statement.unreadable).unwrap();
            assert!(statement.items.len() + unreadable <= entries);
            for item in &statement.items {
                assert!(item.amount.kopiykas() >= 0);
                assert!(Money::sum(item.refunded.iter().copied()).unwrap() <= item.amount);
            }
        }
        stub.answer_with(200, br#"{"result":"ok"}"#);
        assert!(now(adapter.invoice_status(&invoice())).is_err());
    });
}

/// A callback is read only under a signature of its bytes, and the same each time.
pub fn callbacks(json: &[u8]) {
    let data = STANDARD.encode(json);
    let signature = STANDARD.encode(digest(&SHA3_256, format!("{KEY}{data}{KEY}").as_bytes()));
    let form = |data: &str| {
        form_urlencoded::Serializer::new(String::new())
            .append_pair("data", data)
            .append_pair("signature", &signature)
            .finish()
    };
    LIQPAY.with(|(adapter, _)| {
        let read = |body: &str| now(adapter.verify_report(None, body.as_bytes()));
        match (read(&form(&data)), read(&form(&data))) {
            (Ok(state), Ok(again)) => {
                check_state(&state);
                assert_eq!(format!("{state:?}"), format!("{again:?}"));
            }
            (Err(error), Err(again)) => assert_eq!(error, again),
            _ => panic!("a callback is read one time and refused another"),
        }
        let forged = STANDARD.encode([json, b" "].concat());
        assert_eq!(
            read(&form(&forged)).map(drop),
            Err(ReportError::BadSignature)
        );
    });
}

/// Bytes that nobody has signed are never read.
pub fn strange_callbacks(body: &[u8]) {
    LIQPAY.with(|(adapter, _)| {
        let read = now(adapter.verify_report(None, body));
        assert_eq!(read.map(drop), Err(ReportError::BadSignature));
    });
}

fn invoice() -> InvoiceId {
    InvoiceId::parse("r-1").unwrap()
}

fn refund() -> RefundRequest {
    RefundRequest {
        invoice: invoice(),
        refund_reference: RefundReference::parse("b-1").unwrap(),
        amount: Money::from_kopiykas(100).unwrap(),
    }
}
