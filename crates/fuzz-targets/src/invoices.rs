//! What must hold for an invoice as any acquirer tells of it, and a request for one.

use cabinet_domain::{Count, MaskedPan, Money, names_payment_card};
use cabinet_gateways::acquirer::{
    AcquirerError, InvoiceKind, InvoiceLine, InvoiceRequest, InvoiceState, PaymentReference,
};
use jiff::Timestamp;

use crate::answers::is_code;

/// Returns what was read of an answer. It must have been a 200; an error must have only a code. `refuses` tells whether the acquirer refuses
/// with a status.
pub(crate) fn checked<T>(
    status: u16,
    refuses: fn(u16) -> bool,
    result: Result<T, AcquirerError>,
) -> Option<T> {
    match result {
        Ok(read) => {
            assert_eq!(status, 200);
            Some(read)
        }
        Err(AcquirerError::Refused { code }) => {
            assert!(refuses(status) && is_code(&code), "{status} {code}");
            None
        }
        Err(AcquirerError::Unavailable) => panic!("the answer was not read"),
        Err(_) => None,
    }
}

/// A notary's browser is sent there.
pub(crate) fn check_page(page: &str) {
    assert!(
        page.starts_with("http://") || page.starts_with("https://"),
        "{page}"
    );
    assert!(!page.contains(char::is_control), "{page}");
}

pub(crate) fn check_state(state: &InvoiceState) {
    assert!(state.amount.kopiykas() >= 0);
    let failure = state.failure.clone().unwrap_or_default();
    check_texts([
        failure.code,
        failure.text,
        Some(state.status.as_str().to_owned()),
    ]);
    if let Some(payment) = state.payment.clone() {
        check_mask(payment.masked_pan.as_ref());
        check_texts([payment.payment_system, payment.approval_code, payment.rrn]);
    }
    for refund in &state.refunds {
        check_texts([Some(refund.status.clone()), refund.refund_reference.clone()]);
    }
}

pub(crate) fn check_mask(mask: Option<&MaskedPan>) {
    let digits = mask.map_or(0, |mask| {
        mask.as_str().bytes().filter(u8::is_ascii_digit).count()
    });
    assert!(digits <= 10);
}

/// These texts are stored: they are short, without control characters, and name no card.
pub(crate) fn check_texts<const N: usize>(texts: [Option<String>; N]) {
    for text in texts.into_iter().flatten() {
        assert!(text.chars().count() <= 200, "{text}");
        assert!(!names_payment_card(&text), "{text}");
    }
}

pub(crate) fn request() -> InvoiceRequest {
    InvoiceRequest {
        payment_reference: PaymentReference::parse("r-1").unwrap(),
        amount: Money::from_kopiykas(100).unwrap(),
        destination: "Збір".to_owned(),
        redirect_url: "https://cabinet.example/".to_owned(),
        report_url: "https://cabinet.example/".to_owned(),
        asked_at: Timestamp::UNIX_EPOCH,
        validity_seconds: 60,
        lines: lines(),
        kind: InvoiceKind::Debit,
        in_frame: false,
        marks: None,
    }
}

pub(crate) fn lines() -> Vec<InvoiceLine> {
    vec![InvoiceLine {
        name: "Збір".to_owned(),
        code: "1".to_owned(),
        quantity: Count::new(1).unwrap(),
        unit_amount: Money::from_kopiykas(100).unwrap(),
        split_receiver: None,
    }]
}
