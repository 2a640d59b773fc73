//! Headers of every answer, and the shape of every refusal.

use axum::http::Method;
use cabinet_storage::testing::execute;
use cabinet_test_kit::{Answer, PaymentKind, on_both_databases, on_sqlite};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

fn is_guarded(answer: &Answer) {
    for (name, value) in [
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
    assert!(
        answer
            .header("permissions-policy")
            .contains("publickey-credentials-get=(self)")
    );
    let policy = answer.header("content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "form-action 'self'",
        "report-uri /api/csp-report",
        "report-to csp",
    ] {
        assert!(policy.contains(part), "{part} is not in {policy}");
    }
    assert!(
        !policy.contains("unsafe") && !policy.contains('*'),
        "{policy}"
    );
    assert_eq!(answer.header("access-control-allow-origin"), "");
    assert_eq!(
        answer.header("reporting-endpoints"),
        "csp=\"/api/csp-report\""
    );
    assert_eq!(answer.header("server"), "");
    assert_eq!(answer.header("x-request-id").len(), 32);
}

on_sqlite! {
    async fn every_answer_is_guarded(app: TestApp) {
        let olena = app.notary("olena").await;
        for path in ["/config", "/cart", "/order", "/order/1", "/payment-types", "/openapi.json", "/no/such/call"] {
            is_guarded(&olena.get(path).await);
        }
        is_guarded(&olena.post("/auth/login", json!({})).await);
        is_guarded(&app.anonymous().get("/cart").await);
        is_guarded(&olena.call(Method::POST, "/cart/add").bytes(vec![b'x'; 100_000]).send().await);
        is_guarded(&olena.call(Method::DELETE, "/cart").send().await);
        for origin in ["https://evil.example", "null"] {
            is_guarded(&olena.call(Method::GET, "/cart").header("origin", origin).send().await);
            let asked = olena.call(Method::OPTIONS, "/cart/add").header("origin", origin).header("access-control-request-method", "POST").send().await;
            assert_eq!((asked.status, asked.header("access-control-allow-origin"), asked.header("access-control-allow-methods")), (405, "", ""));
        }
    }

    async fn reports_about_the_policy_are_taken_from_anybody_in_measure(app: TestApp) {
        let stranger = app.anonymous();
        let body = json!({ "csp-report": { "effective-directive": "script-src", "blocked-uri": "inline" } });
        let report = |bytes: Vec<u8>| stranger.call(Method::POST, "/csp-report").bytes(bytes).header("content-type", "application/csp-report").send();
        let answer = report(body.to_string().into_bytes()).await;
        assert_eq!((answer.status, answer.text().as_str()), (204, ""));
        assert_eq!(report(b"no json".to_vec()).await.status, 400);
        assert_eq!(report(vec![b' '; 17 * 1024]).await.status, 413);
        for _ in 0..40 {
            report(body.to_string().into_bytes()).await;
        }
        assert_eq!(report(body.to_string().into_bytes()).await.status, 429);
        assert_eq!(app.rows("alarms").await, 0);
    }

    async fn times_of_page_loads_are_taken_from_anybody_in_measure(app: TestApp) {
        let stranger = app.anonymous();
        let kept = app.rows("audit_events").await;
        let body = json!({ "screen": "payment_form", "first_paint": 210, "largest_paint": 900, "usable": 1_400 }).to_string().into_bytes();
        let tell = |bytes: Vec<u8>| stranger.call(Method::POST, "/page-timing").bytes(bytes);
        let answer = tell(body.clone()).send().await;
        assert_eq!((answer.status, answer.text().as_str()), (204, ""));
        assert_eq!(answer.header("set-cookie"), "");
        is_guarded(&answer);
        assert_eq!(tell(br#"{ "screen": "/order/1", "usable": 1 }"#.to_vec()).send().await.status, 400);
        assert_eq!(tell(vec![b' '; 300]).send().await.status, 413);
        assert_eq!(tell(body.clone()).header("origin", "https://evil.example").send().await.status, 403);
        for _ in 0..120 {
            tell(body.clone()).send().await;
        }
        assert_eq!(tell(body).send().await.status, 429);
        // Nothing of it is kept.
        assert_eq!((app.rows("audit_events").await, app.rows("alarms").await), (kept, 0));
    }

    async fn the_pages_of_the_server_report_too(app: TestApp) {
        for path in ["/offer", "/check", "/cards-frame"] {
            let page = app.anonymous().page(path).await;
            assert!(page.header("content-security-policy").ends_with("report-uri /api/csp-report; report-to csp"), "{path}");
            assert!(!page.header("reporting-endpoints").is_empty(), "{path}");
        }
    }

    async fn the_public_pages_say_what_they_are_for(app: TestApp) {
        let described = "<meta name=\"description\" content=\"";
        for path in ["/offer", "/offer?language=en", "/check", "/check?language=en"] {
            assert!(app.anonymous().page(path).await.text().contains(described), "{path}");
        }
        assert!(!app.anonymous().page("/cards-frame").await.text().contains(described));
    }

    async fn the_public_address_tells_no_reasons_and_no_metrics(app: TestApp) {
        let stranger = app.anonymous();
        assert_eq!(stranger.page("/metrics").await.status, 404);
        assert_eq!(stranger.page("/healthz").await.text(), "alive\n");
        // The worker of this cabinet does nothing.
        app.clock().advance_seconds(3_600);
        let ready = stranger.page("/readyz").await;
        assert_eq!((ready.status, ready.text().as_str()), (503, "not ready\n"));
    }

    async fn what_the_database_says_is_shared_for_a_moment_by_all_who_ask(app: TestApp) {
        app.restart_with(|settings| settings.processes = 1).await;
        let stranger = app.anonymous();
        assert_eq!(stranger.page("/readyz").await.status, 200);
        app.services().store.close().await;
        assert_eq!(stranger.page("/readyz").await.status, 200, "the database is not asked again");
        app.clock().advance_seconds(1);
        assert_eq!(stranger.page("/readyz").await.status, 503);
        // Only the database is asked less often.
        app.services().health.leaving.begin();
        assert_eq!(stranger.page("/readyz").await.status, 404);
    }

    async fn who_can_not_write_is_not_ready(app: TestApp) {
        let stranger = app.anonymous();
        assert_eq!(stranger.page("/readyz").await.status, 200);
        app.execute("create trigger unwritable before insert on counters begin select raise(abort, 'as if the disk were full'); end".to_owned()).await;
        app.clock().advance_seconds(1);
        assert_eq!(stranger.page("/readyz").await.status, 503);
        app.execute("drop trigger unwritable".to_owned()).await;
        app.clock().advance_seconds(1);
        assert_eq!(stranger.page("/readyz").await.status, 200);
    }

    async fn one_address_has_only_so_many_requests_at_a_time(app: TestApp) {
        app.restart_with(|settings| settings.requests_of_address_max = 0).await;
        let answer = app.anonymous().get("/config").await;
        answer.refused(429, "too_many_requests");
        assert_eq!(answer.header("retry-after"), "1");
        is_guarded(&answer);
        app.restart_with(|settings| settings.requests_of_address_max = 1).await;
        let stranger = app.anonymous();
        // The place of an answered request is free again.
        for _ in 0..3 {
            stranger.get("/config").await.ok();
        }
    }

    async fn where_too_much_is_asked_for_payments_go_first(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let body = olena.order_body().await;
        let wrong_link = format!("/pay/{}", "A".repeat(24));
        // As if as many calls as can be were being answered.
        app.restart_with(|settings| settings.calls_max = 0).await;
        for path in ["/cart", "/order", "/config"] {
            let answer = olena.get(path).await;
            answer.refused(503, "service_unavailable");
            assert_eq!(answer.header("retry-after"), "5");
        }
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        // So does another saved card for an order.
        let again = olena.post(&format!("/order/{}/pay", order["id"].as_str().unwrap()), json!({})).await;
        assert_ne!(again.status, 503, "{}", again.text());
        olena.pay(&order).await;
        assert_eq!(app.anonymous().page("/healthz").await.status, 200);
        let page = app.anonymous().page(&wrong_link).await;
        assert_eq!(page.status, 503, "pages of clients' links have a ceiling, too");
        assert!(page.header("content-type").starts_with("text/html"));
        app.restart_with(|settings| settings.calls_max = 1).await;
        for _ in 0..2 {
            assert_eq!(app.anonymous().page(&wrong_link).await.status, 404);
        }
        // The place of an answered call is free again.
        for _ in 0..3 {
            olena.get("/cart").await.ok();
        }
        app.finish_and_check().await;
    }

    async fn a_body_that_does_not_come_takes_no_place_of_the_calls(app: TestApp) {
        let olena = app.notary("olena").await;
        app.restart_with(|settings| settings.calls_max = 1).await;
        let mut slow = TcpStream::connect(app.public_url().trim_start_matches("http://")).await.unwrap();
        let head = "POST /api/cart/add HTTP/1.1\r\nhost: cabinet\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n";
        slow.write_all(head.as_bytes()).await.unwrap();
        // The server asks for the body once it waits for it.
        let mut told = [0; 12];
        slow.read_exact(&mut told).await.unwrap();
        assert_eq!(&told, b"HTTP/1.1 100");
        olena.get("/cart").await.ok();
    }

    async fn readings_wait_for_their_turn_and_payments_do_not(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let body = olena.order_body().await;
        // As if all turns were taken for as long as it takes.
        app.restart_with(|settings| settings.readings_max = 0).await;
        let reading = olena.call(Method::GET, "/cart").send();
        let paying = async {
            let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
            olena.pay(&order).await;
            olena.get("/order/token/get-all-tokens-by-phone").await.ok();
        };
        tokio::select! {
            biased;
            _ = reading => panic!("the cart was read before its turn"),
            _ = paying => {}
        }
        app.restart_with(|settings| settings.readings_max = 1).await;
        // The turn of an answered call is free again.
        for _ in 0..3 {
            olena.get("/cart").await.ok();
        }
        app.finish_and_check().await;
    }

    async fn a_request_id_is_ours_and_new_each_time(app: TestApp) {
        let olena = app.notary("olena").await;
        let first = olena.call(Method::GET, "/cart").header("x-request-id", "injected\" line").send().await;
        let second = olena.get("/cart").await;
        assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
        assert!(!first.header("x-request-id").contains("injected"));
    }

    async fn calls_that_are_none_are_refused_in_the_same_shape(app: TestApp) {
        let olena = app.notary("olena").await;
        for path in ["/cart/", "/no/such", "/order/1/2/3/4", "/auth", "/../etc/passwd"] {
            let answer = olena.get(path).await;
            answer.refused(404, "not_found");
            assert!(answer.fields().is_empty());
        }
        for (method, path) in [(Method::DELETE, "/cart"), (Method::GET, "/cart/add"), (Method::PUT, "/me"), (Method::POST, "/payment-types"), (Method::PATCH, "/order/1")] {
            olena.call(method, path).send().await.refused(405, "method_not_allowed");
        }
    }

    async fn what_can_not_be_read_is_refused_in_our_own_words(app: TestApp) {
        let stranger = app.anonymous();
        // Addresses, queries and forms that are no text or lack what they need.
        for path in ["/pay/%0d%0aX/card", "/pay/%0d%0aX/codes", "/pay/a%20b/mail"] {
            assert_eq!(stranger.page(path).await.status, 404, "{path}");
        }
        for path in ["/pay/%ff", "/check?code=%ff", "/api/order/%ff/status"] {
            let answer = stranger.page(path).await;
            assert!((400..500).contains(&answer.status), "{path} {}", answer.status);
            assert!(!answer.header("content-type").starts_with("text/plain"), "{path} {}", answer.text());
            assert!(!answer.text().contains("Failed") && !answer.text().contains("Invalid"), "{path} {}", answer.text());
        }
        let form = stranger.page_call("/check").form("code=%ff&code=1").send().await;
        assert_eq!(form.json()["message"], "body_unreadable");
    }

    async fn over_https_cookie_and_headers_insist_on_it(app: TestApp) {
        app.restart_with(|settings| settings.secure = true).await;
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        let opened = olena.enter(&operation, &olena.code()).await;
        opened.ok();
        let cookie = &set_cookie(&opened, "__Host-refresh_token");
        let device = set_cookie(&opened, "__Host-device");
        for part in ["; HttpOnly", "; Secure", "; SameSite=Strict", "; Path=/", "; Max-Age=34560000"] {
            assert!(device.contains(part), "{part} is not in {device}");
        }
        for part in ["; HttpOnly", "; Secure", "; SameSite=Strict", "; Path=/", "; Max-Age=14400"] {
            assert!(cookie.contains(part), "{part} is not in {cookie}");
        }
        assert!(!cookie.contains("Domain") && cookie.len() < 4_096, "{cookie}");
        assert_eq!(opened.header("strict-transport-security"), "max-age=31536000; includeSubDomains");
        // The cookie with the plain name is not accepted there.
        let token = opened.cookie("__Host-refresh_token").unwrap();
        let refresh = |cookie: String| olena.elsewhere().call(Method::POST, "/auth/refresh").header("cookie", &cookie).send();
        refresh(format!("refresh_token={token}")).await.refused(401, "unauthorized");
        let refreshed = refresh(format!("__Host-refresh_token={token}")).await.ok();
        assert_eq!(refreshed.get("refresh_token"), Some(&Value::Null), "the document says that it is there");
    }

    async fn without_https_the_cookie_is_as_shut_as_it_can_be(app: TestApp) {
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        let opened = olena.enter(&operation, &olena.code()).await;
        let cookie = &set_cookie(&opened, "refresh_token");
        for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/"] {
            assert!(cookie.contains(part), "{part} is not in {cookie}");
        }
        assert_eq!(opened.header("strict-transport-security"), "");
        // The refresh token is only in the cookie.
        assert!(!opened.text().contains(&opened.cookie("refresh_token").unwrap()));
    }

    async fn the_document_is_the_one_in_the_repository(app: TestApp) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api/openapi.json");
        let kept: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let made = cabinet_api::openapi();
        assert!(kept == made, "docs/api/openapi.json is stale: run `make generate` and commit what it changed");
        assert_eq!(app.anonymous().get("/openapi.json").await.ok(), made);
    }

    async fn keys_of_the_document_are_those_of_the_catalogue(app: TestApp) {
        let document = app.anonymous().get("/openapi.json").await.ok();
        let keys = document["components"]["schemas"]["MessageKey"]["enum"].as_array().unwrap().clone();
        assert_eq!(keys.len(), cabinet_domain::Key::ALL.len());
        assert!(keys.contains(&json!("payment_insufficient_funds")));
    }
}

/// Returns the header that sets a cookie.
fn set_cookie(answer: &Answer, name: &str) -> String {
    let headers = answer.headers.get_all("set-cookie").into_iter();
    let mut texts = headers.map(|header| header.to_str().unwrap());
    let found = texts.find(|text| text.starts_with(&format!("{name}=")));
    found.expect("the cookie is set").to_owned()
}

on_both_databases! {
    async fn a_fault_of_ours_tells_its_id_and_nothing_else(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(cabinet_test_kit::PaymentKind::RegistryPayment).await;
        app.services().store.write(|tx| execute(tx, "drop table own_recipients")).await.unwrap();
        let answer = olena.get("/book/recipients").await;
        let refusal = answer.refused(500, "internal_error");
        assert_eq!(refusal, json!({ "message": "internal_error", "errors": {}, "request_id": answer.header("x-request-id") }));
        // Other calls still work.
        assert_eq!(olena.get("/cart").await.ok()["items_count"], 1);
    }
}
