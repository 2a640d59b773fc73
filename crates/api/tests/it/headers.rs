//! Headers of every answer, and the shape of every refusal.

use axum::http::Method;
use cabinet_storage::testing::execute;
use cabinet_test_kit::{Answer, on_both_databases, on_sqlite};
use serde_json::json;

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
    assert!(!answer.header("permissions-policy").is_empty());
    let policy = answer.header("content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "form-action 'self'",
    ] {
        assert!(policy.contains(part), "{part} is not in {policy}");
    }
    assert!(
        !policy.contains("unsafe") && !policy.contains('*'),
        "{policy}"
    );
    assert_eq!(answer.header("access-control-allow-origin"), "");
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

    async fn over_https_cookie_and_headers_insist_on_it(app: TestApp) {
        app.restart_with(|settings| settings.secure = true).await;
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        let opened = olena.enter(&operation, &olena.code()).await;
        opened.ok();
        let cookie = opened.header("set-cookie");
        assert!(cookie.starts_with("__Host-refresh_token="), "{cookie}");
        for part in ["; HttpOnly", "; Secure", "; SameSite=Strict", "; Path=/", "; Max-Age=14400"] {
            assert!(cookie.contains(part), "{part} is not in {cookie}");
        }
        assert!(!cookie.contains("Domain") && cookie.len() < 4_096, "{cookie}");
        assert_eq!(opened.header("strict-transport-security"), "max-age=31536000; includeSubDomains");
        // The cookie with the plain name is not accepted there.
        let token = opened.cookie("__Host-refresh_token").unwrap();
        let refresh = |cookie: String| olena.elsewhere().call(Method::POST, "/auth/refresh").header("cookie", &cookie).send();
        refresh(format!("refresh_token={token}")).await.refused(401, "unauthorized");
        refresh(format!("__Host-refresh_token={token}")).await.ok();
    }

    async fn without_https_the_cookie_is_as_shut_as_it_can_be(app: TestApp) {
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        let opened = olena.enter(&operation, &olena.code()).await;
        let cookie = opened.header("set-cookie");
        assert!(cookie.starts_with("refresh_token="), "{cookie}");
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

on_both_databases! {
    async fn a_fault_of_ours_tells_its_id_and_nothing_else(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = olena.add(cabinet_test_kit::PaymentKind::RegistryPayment).await;
        app.services().store.write(|tx| execute(tx, "drop table complaints")).await.unwrap();
        let answer = olena.post("/cart/item/complaint", json!({ "cart_item_id": item, "text": "Не той отримувач" })).await;
        let refusal = answer.refused(500, "internal_error");
        assert_eq!(refusal, json!({ "message": "internal_error", "errors": {}, "request_id": answer.header("x-request-id") }));
        // Other calls still work.
        assert_eq!(olena.get("/cart").await.ok()["items_count"], 1);
    }
}
