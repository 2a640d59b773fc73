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
    Acquirer as _, AcquirerError, CardKeeper as _, CardToken, InvoiceId, InvoiceKind,
    InvoiceRequest, PaymentReference, RefundAnswer, RefundReference, RefundRequest, ReportError,
    Statements as _, WalletId,
};
use cabinet_gateways::liqpay::{LiqPay, LiqPaySettings};
use cabinet_gateways::monobank::{Monobank, MonobankSettings};
use cabinet_gateways::outbound::BaseUrl;
use cabinet_gateways::sms::{Sms, SmsError};
use cabinet_gateways::smsclub::{SmsClub, SmsClubSettings};
use cabinet_gateways::turbosms::{TurboSms, TurboSmsSettings};
use jiff::Timestamp;
use secrecy::SecretString;
use tokio::net::TcpListener;

/// The time limit of calls, all of which are answered.
const AMPLE: Duration = Duration::from_secs(30);

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
    settings.time_limit = AMPLE;
    Monobank::new(settings).unwrap()
}

fn request() -> InvoiceRequest {
    InvoiceRequest {
        payment_reference: PaymentReference::parse("r-1").unwrap(),
        amount: Money::from_kopiykas(100).unwrap(),
        destination: "Збір".to_owned(),
        redirect_url: "https://cabinet.example/".to_owned(),
        report_url: "https://cabinet.example/".to_owned(),
        asked_at: "2026-03-02T10:00:00Z".parse().unwrap(),
        validity_seconds: 60,
        lines: Vec::new(),
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
    let mut check = request();
    check.kind = InvoiceKind::SaveCard(WalletId::parse("w-1").unwrap());
    assert_eq!(adapter.create_invoice(&check).await, refused);
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

const SIGNED_BY_SHA3: &str = "B6bKOOt95m/ttphaXByU+PnkFuGkXdxCJT+da5Mhv6E=";
const SIGNED_BY_SHA1: &str = "+BqTbd3hxyCKWzbgIgqVou1RnGA=";
const EMPTY_SIGNED_BY_SHA3: &str = "flAmtxkWoNr0hMjURH2qzahzydQEmyvQBkxXMumPVU0=";

fn liqpay(address: &str) -> LiqPay {
    let base = BaseUrl::parse(address).unwrap();
    let key = SecretString::from("a4825234f4bae72a0be04eafe9e8e2bada209255");
    let mut settings = LiqPaySettings::new(base, "i00000000".to_owned(), key);
    settings.time_limit = AMPLE;
    settings.refund_time_limit = AMPLE;
    LiqPay::new(settings).unwrap()
}

fn refund_of(invoice: InvoiceId) -> RefundRequest {
    RefundRequest {
        invoice,
        refund_reference: RefundReference::parse("refund-1").unwrap(),
        amount: Money::from_kopiykas(100).unwrap(),
    }
}

#[tokio::test]
async fn an_error_of_liqpay_is_a_refusal_only_where_nothing_can_have_happened() {
    for (body, error) in [
        ("payment_err_status", Some("payment_err_status")),
        ("amount_limit", Some("amount_limit")),
        ("invalid_signature", Some("invalid_signature")),
        ("payment_processing", None),
        ("err_cache", None),
        ("90", None),
        ("a new one", None),
    ] {
        let answer = format!(r#"{{"result":"error","status":"error","err_code":"{body}"}}"#);
        let (address, _) = service(move || answer.clone().into_response()).await;
        let expected = match error {
            Some(code) => AcquirerError::Refused {
                code: code.to_owned(),
            },
            None => AcquirerError::Unknown,
        };
        let refunded = liqpay(&address).refund(&refund_of(invoice())).await;
        assert_eq!(refunded, Err(expected), "{body}");
    }
}

#[tokio::test]
async fn the_answer_to_a_refund_at_liqpay_says_how_far_it_came() {
    for (status, answer) in [
        ("success", Some(RefundAnswer::Accepted)),
        ("reversed", Some(RefundAnswer::Accepted)),
        ("failure", Some(RefundAnswer::Failed)),
        ("thawed", None),
    ] {
        let body = format!(r#"{{"result":"ok","action":"refund","status":"{status}"}}"#);
        let (address, _) = service(move || body.clone().into_response()).await;
        let refunded = liqpay(&address).refund(&refund_of(invoice())).await;
        assert_eq!(refunded, answer.ok_or(AcquirerError::Unknown), "{status}");
    }
}

#[tokio::test]
async fn strange_answers_of_liqpay_settle_nothing() {
    let unknown = r#"{"result":"error","status":"error","err_code":"payment_not_found"}"#;
    let (address, _) = service(|| unknown.into_response()).await;
    let adapter = liqpay(&address);
    assert!(
        adapter
            .invoice_status(&invoice())
            .await
            .unwrap_err()
            .is_unknown()
    );
    let (reference, now) = (
        PaymentReference::parse("i1").unwrap(),
        Timestamp::UNIX_EPOCH,
    );
    let found = adapter
        .find_by_payment_reference(&reference, now, now)
        .await;
    assert_eq!(found, Ok(Vec::new()));
    adapter.check_keys().await.unwrap();
    for body in [
        // Of another payment.
        r#"{"status":"success","order_id":"i2","amount":1,"currency":"UAH"}"#,
        r#"{"status":"success","order_id":"i1","currency":"UAH"}"#,
        "<html>",
        "[]",
        "",
    ] {
        let (address, _) = service(move || body.into_response()).await;
        let state = liqpay(&address).invoice_status(&invoice()).await;
        assert_eq!(state.unwrap_err(), AcquirerError::Unknown, "{body}");
    }
}

#[tokio::test]
async fn a_page_of_liqpay_is_a_signed_address_and_nothing_is_sent_for_it() {
    let (address, asked) = service(|| StatusCode::OK.into_response()).await;
    let adapter = liqpay(&address);
    let made = adapter.create_invoice(&request()).await.unwrap();
    assert_eq!(made.id.as_str(), "r-1");
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    let (page, form) = made.page_url.split_once('?').unwrap();
    assert_eq!(page, format!("{address}/api/3/checkout"));
    let fields: HashMap<String, String> = form_urlencoded::parse(form.as_bytes())
        .into_owned()
        .collect();
    let data = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, &fields["data"]);
    let data: serde_json::Value = serde_json::from_slice(&data.unwrap()).unwrap();
    assert_eq!(
        data,
        serde_json::json!({
            "version": 7, "public_key": "i00000000", "action": "pay", "order_id": "r-1",
            "amount": serde_json::from_str::<serde_json::Value>("1.00").unwrap(), "currency": "UAH", "description": "Збір",
            "paytypes": "card,apay,gpay,privat24", "result_url": "https://cabinet.example/",
            "server_url": "https://cabinet.example/", "expired_date": "2026-03-02 10:01:00",
        })
    );
    // The same request is the same page, so an answer that was lost is made again.
    assert_eq!(adapter.create_invoice(&request()).await.unwrap(), made);
    let zero = InvoiceRequest {
        amount: Money::ZERO,
        ..request()
    };
    assert!(adapter.create_invoice(&zero).await.is_err());
    let closed = adapter.remove_invoice(&made.id).await;
    assert!(matches!(closed, Err(AcquirerError::Refused { .. })));
}

#[tokio::test]
async fn a_callback_of_liqpay_counts_only_with_its_signature() {
    let adapter = liqpay("http://127.0.0.1:9");
    // `{"status":"success","order_id":"r-1","amount":1,"currency":"UAH"}`, signed by SHA3-256 and by SHA-1.
    let data =
        "eyJzdGF0dXMiOiJzdWNjZXNzIiwib3JkZXJfaWQiOiJyLTEiLCJhbW91bnQiOjEsImN1cnJlbmN5IjoiVUFIIn0=";
    let form = |data: &str, signature: &str| {
        form_urlencoded::Serializer::new(String::new())
            .append_pair("data", data)
            .append_pair("signature", signature)
            .finish()
    };
    let genuine = form(data, SIGNED_BY_SHA3);
    let state = adapter
        .verify_report(None, genuine.as_bytes())
        .await
        .unwrap();
    assert_eq!(state.invoice_id.as_str(), "r-1");
    let other = data.replacen("eyJz", "eyJ0", 1);
    for forged in [
        form(&other, SIGNED_BY_SHA3),
        form(data, SIGNED_BY_SHA1),
        form(data, ""),
        format!("data={data}"),
        format!("{genuine}&data={other}"),
        String::new(),
    ] {
        let refused = adapter.verify_report(None, forged.as_bytes()).await;
        assert_eq!(refused.unwrap_err(), ReportError::BadSignature, "{forged}");
    }
    // The addresses of our own pages are signed with the same key, and tell no status.
    let no_callback = form("e30=", EMPTY_SIGNED_BY_SHA3);
    let refused = adapter.verify_report(None, no_callback.as_bytes()).await;
    assert_eq!(refused.unwrap_err(), ReportError::BadSignature);
}

#[tokio::test]
async fn an_archive_of_liqpay_that_is_too_large_is_asked_for_in_halves() {
    let whole = Arc::new(AtomicU32::new(0));
    let counter = whole.clone();
    // The first answer is larger than any that is read. Each half lists the same payment.
    let (address, asked) = service(move || {
        if counter.fetch_add(1, Ordering::SeqCst) == 0 {
            return vec![b' '; 5 * 1024 * 1024].into_response();
        }
        let payment = r#"{"status":"success","order_id":"r-1","amount":1,"currency":"UAH","create_date":1758000000000}"#;
        format!(r#"{{"result":"success","data":[{payment}]}}"#).into_response()
    })
    .await;
    let from = Timestamp::from_second(1_757_999_000).unwrap();
    let until = Timestamp::from_second(1_758_001_000).unwrap();
    let statement = liqpay(&address).statement(from, until).await.unwrap();
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    assert_eq!((statement.items.len(), statement.unreadable), (1, 0));
}
