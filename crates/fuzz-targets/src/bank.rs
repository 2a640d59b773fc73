//! Answers, reports and statements of monobank.

use std::collections::BTreeSet;
use std::sync::Arc;

use aws_lc_rs::encoding::AsDer as _;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_domain::Money;
use cabinet_gateways::acquirer::{
    Acquirer as _, CardKeeper as _, CardToken, InvoiceId, PaymentReference, ReportError,
    SavedCardPayment, Statements as _, WalletId,
};
use cabinet_gateways::monobank::{Monobank, MonobankSettings};
use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;

use crate::answers::{Stub, now, nowhere, split};
use crate::invoices::{check_mask, check_page, check_state, check_texts, checked, lines, request};

/// monobank refuses with these statuses.
const REFUSES: fn(u16) -> bool = |status| (400..=500).contains(&status);

/// The adapter, its network, and the bank's key for reports.
struct Bank {
    adapter: Monobank,
    stub: Arc<Stub>,
    key: EcdsaKeyPair,
}

impl Bank {
    fn new() -> Bank {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap();
        let der = STANDARD.encode(key.public_key().as_der().unwrap().as_ref());
        let pem = format!("-----BEGIN PUBLIC KEY-----\n{der}\n-----END PUBLIC KEY-----\n");
        let stub = Stub::new(Some(format!(r#"{{"key":"{}"}}"#, STANDARD.encode(pem))));
        let settings = MonobankSettings::new(nowhere(), SecretString::from("token"));
        let adapter = Monobank::new(settings)
            .unwrap()
            .with_transport(stub.clone());
        Bank { adapter, stub, key }
    }

    /// Lets a call succeed. That closes the circuit breaker, so that the next input is not refused unread.
    fn recover(&self) {
        self.stub.answer_with(200, b"{}");
        now(self.adapter.remove_invoice(&invoice())).unwrap();
    }
}

thread_local! {
    static BANK: Bank = Bank::new();
}

fn invoice() -> InvoiceId {
    InvoiceId::parse("p2_9ZgpZVsl3").unwrap()
}

/// Every call reads the answer or fails with an error that may be logged. What it keeps may be stored.
pub fn answers(bytes: &[u8]) {
    let (status, body) = split(bytes);
    BANK.with(|bank| {
        bank.stub.answer_with(status, body);
        let adapter = &bank.adapter;
        if let Some(invoice) = checked(status, REFUSES, now(adapter.create_invoice(&request()))) {
            check_page(&invoice.page_url);
        }
        if let Some(state) = checked(status, REFUSES, now(adapter.invoice_status(&invoice()))) {
            assert_eq!(state.invoice_id, invoice());
            check_state(&state);
        }
        let _ = checked(status, REFUSES, now(adapter.remove_invoice(&invoice())));
        let wallet = WalletId::parse("w1").unwrap();
        for card in checked(status, REFUSES, now(adapter.saved_cards(&wallet))).unwrap_or_default()
        {
            check_mask(card.masked_pan.as_ref());
            assert_eq!(
                format!("{:?}", card.token),
                format!("{:?}", CardToken::parse("t").unwrap())
            );
        }
        let paid = checked(status, REFUSES, now(adapter.pay_with_saved_card(&charge())));
        if let Some(answer) = paid {
            let failure = answer.failure.unwrap_or_default();
            check_texts([
                failure.code,
                failure.text,
                Some(answer.status.as_str().to_owned()),
            ]);
        }
        bank.recover();
    });
}

/// A report is read only under a signature of its bytes, and the same each time.
pub fn reports(body: &[u8]) {
    BANK.with(|bank| {
        let signature =
            STANDARD.encode(bank.key.sign(&SystemRandom::new(), body).unwrap().as_ref());
        let read = |body: &[u8]| now(bank.adapter.verify_report(Some(&signature), body));
        match (read(body), read(body)) {
            (Ok(state), Ok(again)) => {
                check_state(&state);
                assert_eq!(format!("{state:?}"), format!("{again:?}"));
            }
            (Err(error), Err(again)) => assert_eq!(
                (error, again),
                (ReportError::Unreadable, ReportError::Unreadable)
            ),
            _ => panic!("a report is read one time and refused another"),
        }
        let forged = read(&[body, b" "].concat());
        assert_eq!(forged.map(drop), Err(ReportError::BadSignature));
        bank.recover();
    });
}

/// A statement names each invoice once, and every entry that it could not read is counted.
pub fn statement(bytes: &[u8]) {
    let (status, body) = split(bytes);
    let until = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * 365 * 50);
    BANK.with(|bank| {
        bank.stub.answer_with(status, body);
        // Two pieces, so that their entries overlap.
        let from = until - SignedDuration::from_hours(24 * 40);
        if let Some(statement) = checked(status, REFUSES, now(bank.adapter.statement(from, until)))
        {
            let answer: serde_json::Value = serde_json::from_slice(body).unwrap();
            let entries = answer["list"].as_array().map_or(0, Vec::len);
            let unreadable = usize::try_from(statement.unreadable).unwrap();
            assert!(
                statement.items.len() + unreadable / 2 <= entries && unreadable.is_multiple_of(2)
            );
            let known: BTreeSet<_> = statement
                .items
                .iter()
                .map(|item| &item.invoice_id)
                .collect();
            assert_eq!(known.len(), statement.items.len());
            for item in &statement.items {
                assert!(item.amount.kopiykas() >= 0);
                check_texts([Some(item.status.as_str().to_owned())]);
            }
        }
        bank.recover();
    });
}

fn charge() -> SavedCardPayment {
    SavedCardPayment {
        payment_reference: PaymentReference::parse("r-1").unwrap(),
        token: CardToken::parse("t1").unwrap(),
        amount: Money::from_kopiykas(100).unwrap(),
        destination: "Збір".to_owned(),
        redirect_url: "https://cabinet.example/".to_owned(),
        report_url: "https://cabinet.example/".to_owned(),
        lines: lines(),
        marks: None,
    }
}
