//! The adapters with undocumented answers: redirects, huge bodies, states of other invoices.
#![expect(
    clippy::unwrap_used,
    reason = "in a test a failure shall stop the test"
)]

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use cabinet_domain::{Money, Phone};
use cabinet_gateways::acquirer::{
    Acquirer as _, AcquirerError, CardToken, InvoiceId, InvoiceKind, InvoiceRequest,
    PaymentReference,
};
use cabinet_gateways::monobank::{Monobank, MonobankSettings};
use cabinet_gateways::outbound::BaseUrl;
use cabinet_gateways::sms::{Sms, SmsError};
use cabinet_gateways::smsclub::{SmsClub, SmsClubSettings};
use cabinet_gateways::turbosms::{TurboSms, TurboSmsSettings};
use jiff::Timestamp;
use secrecy::SecretString;
use tokio::net::TcpListener;

/// A service with the same answer to every request. Returns its address and a counter of requests.
async fn service(
    answer: impl Fn() -> Response + Clone + Send + Sync + 'static,
) -> (String, Arc<AtomicU32>) {
    let asked = Arc::new(AtomicU32::new(0));
    let counter = asked.clone();
    let router = Router::new().fallback(move || {
        counter.fetch_add(1, Ordering::SeqCst);
        let answer = answer();
        async move { answer }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, asked)
}

fn monobank(address: &str) -> Monobank {
    let base = BaseUrl::parse(address).unwrap();
    let mut settings = MonobankSettings::new(base, SecretString::from("token"));
    settings.time_limit = Duration::from_secs(2);
    Monobank::new(settings).unwrap()
}

fn request() -> InvoiceRequest {
    InvoiceRequest {
        payment_reference: PaymentReference::parse("r-1").unwrap(),
        amount: Money::from_kopiykas(100).unwrap(),
        destination: "Збір".to_owned(),
        redirect_url: "https://cabinet.example/".to_owned(),
        report_url: "https://cabinet.example/".to_owned(),
        validity_seconds: 60,
        lines: Vec::new(),
        save_card: None,
        kind: InvoiceKind::Debit,
        in_frame: false,
        marks: None,
    }
}

fn invoice() -> InvoiceId {
    InvoiceId::parse("i1").unwrap()
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_the_token_goes_nowhere_else() {
    let (elsewhere, asked) = service(|| StatusCode::OK.into_response()).await;
    let (address, _) = service(move || Redirect::temporary(&elsewhere).into_response()).await;
    let adapter = monobank(&address);
    assert_eq!(
        adapter.create_invoice(&request()).await,
        Err(AcquirerError::Unknown)
    );
    assert_eq!(
        adapter.remove_invoice(&invoice()).await,
        Err(AcquirerError::Unknown)
    );
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_page_of_a_proxy_does_not_prove_that_an_invoice_was_removed_or_a_card_forgotten() {
    let (address, _) = service(|| "<html>".into_response()).await;
    let adapter = monobank(&address);
    assert_eq!(
        adapter.remove_invoice(&invoice()).await,
        Err(AcquirerError::Unknown)
    );
    let token = CardToken::parse("t1").unwrap();
    assert_eq!(
        adapter.delete_card(&token).await,
        Err(AcquirerError::Unknown)
    );
    let (address, _) = service(|| "{}".into_response()).await;
    assert_eq!(monobank(&address).remove_invoice(&invoice()).await, Ok(()));
}

#[tokio::test]
async fn an_answer_without_end_is_given_up() {
    let (address, _) = service(|| vec![b' '; 5 * 1024 * 1024].into_response()).await;
    let answer = monobank(&address).invoice_status(&invoice()).await;
    assert_eq!(answer.unwrap_err(), AcquirerError::Unknown);
}

#[tokio::test]
async fn a_statement_that_is_too_long_for_one_answer_is_asked_for_in_shorter_pieces() {
    const HOUR: i64 = 3_600;
    /// How many hours fit into one answer.
    const FIT: i64 = 5;
    let asked = Arc::new(AtomicU32::new(0));
    let counter = asked.clone();
    let answer = move |Query(period): Query<HashMap<String, i64>>| async move {
        counter.fetch_add(1, Ordering::SeqCst);
        let (from, to) = (period["from"], period["to"]);
        if to - from > FIT * HOUR {
            return vec![b' '; 5 * 1024 * 1024].into_response();
        }
        // One payment at the beginning of each hour.
        let list: Vec<_> = (from..=to)
            .rev()
            .filter(|second| second % HOUR == 0)
            .map(|second| {
                let date = Timestamp::from_second(second).unwrap().to_string();
                serde_json::json!({"invoiceId": format!("i{second}"), "status": "success", "date": date, "amount": 1, "ccy": 980})
            })
            .collect();
        axum::Json(serde_json::json!({ "list": list })).into_response()
    };
    let router = Router::new().fallback(answer);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let until: Timestamp = "2026-11-20T00:00:00Z".parse().unwrap();
    let statement = monobank(&address)
        .statement(until - jiff::SignedDuration::from_hours(3 * 24), until)
        .await
        .unwrap();
    let mut hours: Vec<i64> = statement
        .items
        .iter()
        .map(|item| item.date.as_second() / HOUR)
        .collect();
    hours.reverse();
    let last = until.as_second() / HOUR;
    assert_eq!(hours, (last - 72..=last).collect::<Vec<_>>());
    assert!(
        asked.load(Ordering::SeqCst) < 72 / 4 + 8,
        "what is too long is not asked for again and again"
    );
}

#[tokio::test]
async fn a_state_of_another_invoice_settles_nothing() {
    let other = r#"{"invoiceId":"i2","status":"success","amount":100,"ccy":980}"#;
    let (address, _) = service(move || other.into_response()).await;
    let answer = monobank(&address).invoice_status(&invoice()).await;
    assert_eq!(answer.unwrap_err(), AcquirerError::Unknown);
}

#[tokio::test]
async fn a_page_that_is_no_page_is_not_handed_to_a_browser() {
    for page in [
        "javascript:alert(1)",
        "data:text/html,x",
        "/pay/1",
        "https://user:word@pay.example/1",
    ] {
        let body = format!(r#"{{"invoiceId":"i1","pageUrl":"{page}"}}"#);
        let (address, _) = service(move || body.clone().into_response()).await;
        assert_eq!(
            monobank(&address).create_invoice(&request()).await,
            Err(AcquirerError::Unknown),
            "{page}"
        );
    }
}

#[tokio::test]
async fn statuses_are_sorted_by_what_they_say_about_the_request() {
    let refused = |code: &str| AcquirerError::Refused {
        code: code.to_owned(),
    };
    for (status, body, expected) in [
        (400, r#"{"errCode":"1001","errText":"x"}"#, refused("1001")),
        (400, r#"{"errCode":1001}"#, refused("1001")),
        (400, r#"{"errCode":"<script>"}"#, refused("HTTP_400")),
        (404, "<html>", refused("HTTP_404")),
        (408, "", AcquirerError::Unknown),
        (
            500,
            r#"{"errCode":"CANCEL_NOT_AVAILABLE"}"#,
            refused("CANCEL_NOT_AVAILABLE"),
        ),
        (
            500,
            r#"{"errCode":"INTERNAL_ERROR"}"#,
            AcquirerError::Unknown,
        ),
        (502, "", AcquirerError::Unknown),
        (429, "", AcquirerError::TooMany { retry_after: None }),
        (204, "", AcquirerError::Unknown),
    ] {
        let status = StatusCode::from_u16(status).unwrap();
        let (address, _) = service(move || (status, body).into_response()).await;
        assert_eq!(
            monobank(&address).remove_invoice(&invoice()).await,
            Err(expected),
            "{status} {body}"
        );
    }
}

#[tokio::test]
async fn a_sum_that_does_not_fit_is_refused_before_anything_is_sent() {
    let (address, asked) = service(|| StatusCode::OK.into_response()).await;
    let adapter = monobank(&address);
    let mut nothing = request();
    nothing.amount = Money::ZERO;
    let refused = Err(AcquirerError::Refused {
        code: "AMOUNT_DOES_NOT_FIT_KIND".to_owned(),
    });
    assert_eq!(adapter.create_invoice(&nothing).await, refused);
    nothing.kind = InvoiceKind::Verification;
    assert_eq!(
        adapter.create_invoice(&nothing).await,
        refused,
        "a check without a wallet saves nothing"
    );
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn the_message_service_is_read_with_the_same_care() {
    let phone = Phone::parse("+380501112233").unwrap();
    for (status, body, expected) in [
        (200, "<html>", SmsError::Unknown),
        (301, "", SmsError::Unknown),
        (
            404,
            "",
            SmsError::NotServed {
                code: "HTTP_404".to_owned(),
            },
        ),
        (503, "", SmsError::Unknown),
        (429, "", SmsError::Unavailable),
    ] {
        let status = StatusCode::from_u16(status).unwrap();
        let (address, _) = service(move || (status, body).into_response()).await;
        let base = BaseUrl::parse(&address).unwrap();
        let (token, sender) = (SecretString::from("token"), "Notary".to_owned());
        let turbosms = TurboSmsSettings::new(base.clone(), token.clone(), sender.clone());
        let smsclub = SmsClubSettings::new(base, token, sender);
        let services: [Box<dyn Sms>; 2] = [
            Box::new(TurboSms::new(turbosms).unwrap()),
            Box::new(SmsClub::new(smsclub).unwrap()),
        ];
        for sms in services {
            assert_eq!(
                sms.send(&phone, "Код 0471", "s-1").await,
                Err(expected.clone()),
                "{status}"
            );
        }
    }
}
