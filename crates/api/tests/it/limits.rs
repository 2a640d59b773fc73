//! Limits: codes and wrong codes by phone and by address, login attempts by address, calls to the acquirer by notary.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use cabinet_storage::{StorageError, lock_notary};
use cabinet_test_kit::{Database, PaymentKind, TestApp, on_both_databases, run};
use jiff::SignedDuration;
use serde_json::json;

use crate::codes::other_code;

on_both_databases! {
    async fn five_codes_an_hour_and_ten_a_day_whatever_restarts(app: TestApp) {
        let olena = app.account("olena").await;
        let ask = || olena.post("/auth/login", json!({ "phone": olena.phone() }));
        let five = async || {
            for _ in 0..5 {
                ask().await.ok();
                app.clock().advance_seconds(60);
            }
            app.restart().await;
        };
        five().await;
        let answer = ask().await;
        answer.refused(429, "too_many_codes");
        let wait: i64 = answer.header("retry-after").parse().unwrap();
        assert!((3_290..=3_300).contains(&wait), "{wait}");
        // The limit of the phone holds from another address too.
        olena.clone().at_address("203.0.113.7").post("/auth/login", json!({ "phone": olena.phone() })).await.refused(429, "too_many_codes");
        app.clock().advance_seconds(wait - 1);
        ask().await.refused(429, "too_many_codes");
        // All of the five are an hour old.
        app.clock().advance(SignedDuration::from_hours(1));
        five().await;
        // From now on it counts as a new device, until the day has passed.
        let known = async || app.number("select count(*) from login_operations where budget = 'known_device'".to_owned()).await;
        ask().await.ok();
        assert_eq!(known().await, 10);
        app.clock().advance(SignedDuration::from_hours(24));
        ask().await.ok();
        assert_eq!(known().await, 11);
        // Other phones are not limited.
        app.notary("taras").await;
    }

    async fn codes_are_limited_by_address_too(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.address_hourly_max = 3).await;
        for name in ["olena", "taras", "iryna"] {
            let person = app.account(name).await.elsewhere().at_address("10.9.9.9");
            person.ask_for_code().await;
        }
        app.restart().await;
        let andrii = app.account("andrii").await;
        let from_there = andrii.elsewhere().at_address("10.9.9.9");
        let answer = from_there.post("/auth/login", json!({ "phone": andrii.phone() })).await;
        answer.refused(429, "too_many_codes_from_address");
        assert_eq!(answer.fields()["phone"], ["too_many_codes_from_address"]);
        assert!(answer.header("retry-after").parse::<i64>().unwrap() > 3_000);
        andrii.log_in().await;
        // The answer reveals nothing about the phone: a phone over its own limit gets the same.
        for _ in 1..5 {
            andrii.ask_for_code().await;
            app.clock().advance_seconds(60);
        }
        andrii.post("/auth/login", json!({ "phone": andrii.phone() })).await.refused(429, "too_many_codes");
        from_there.post("/auth/login", json!({ "phone": andrii.phone() })).await.refused(429, "too_many_codes_from_address");
        // Neighbours in an IPv6 network count as one.
        for (number, name) in ["olena", "taras", "iryna"].into_iter().enumerate() {
            let person = app.account(name).await.elsewhere().at_address(&format!("2001:db8:1:2::{number}"));
            person.ask_for_code().await;
        }
        andrii.elsewhere().at_address("2001:db8:1:2:ffff::1").post("/auth/login", json!({ "phone": "+380501110004" })).await.refused(429, "too_many_codes_from_address");
    }

    async fn whoever_goes_through_the_numbers_meets_the_limit_of_the_address(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.address_hourly_max = 3).await;
        let olena = app.account("olena").await;
        let stranger = olena.elsewhere().at_address("10.8.8.8");
        for number in 0..3 {
            stranger.post("/auth/login", json!({ "phone": format!("+38050999000{number}") })).await.refused(404, "phone_not_exist");
        }
        app.restart().await;
        // From now on all phones get the same answer: registered, unknown or taken.
        for phone in ["+380509990009", olena.phone()] {
            let answer = stranger.post("/auth/login", json!({ "phone": phone })).await;
            answer.refused(429, "too_many_codes_from_address");
            assert!(answer.header("retry-after").parse::<i64>().unwrap() > 3_000);
            let wish = json!({ "full_name": "Нова Надія Назарівна", "phone": phone, "registry_identifier": "NOTAR30001", "is_agreed": true });
            stranger.post("/auth/sign-up", wish).await.refused(429, "too_many_codes_from_address");
        }
        assert_eq!(app.number("select count(*) from notaries where phone = '+380509990009'".to_owned()).await, 0);
        olena.log_in().await;
    }

    async fn wrong_codes_are_counted_by_address_whatever_the_phone(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.address_wrong_daily_max = 5).await;
        for name in ["olena", "taras"] {
            let person = app.account(name).await.elsewhere().at_address("10.7.7.7");
            let operation = person.ask_for_code().await;
            for step in 1..=3 {
                person.enter(&operation, &other_code(&person.code(), step)).await;
            }
        }
        let iryna = app.account("iryna").await;
        let guesser = iryna.elsewhere().at_address("10.7.7.7");
        // Registered and unknown phones get the same answer.
        for phone in [iryna.phone(), "+380509990009"] {
            let answer = guesser.post("/auth/login", json!({ "phone": phone })).await;
            answer.refused(429, "too_many_codes_from_address");
            assert!(answer.header("retry-after").parse::<i64>().unwrap() > 80_000);
        }
        iryna.log_in().await;
    }

    async fn known_devices_use_up_nothing_of_what_new_ones_at_their_address_have(app: TestApp) {
        app.restart_with(|settings| {
            settings.app.codes.address_hourly_max = 3;
            settings.app.codes.address_wrong_daily_max = 3;
        })
        .await;
        let olena = app.account("olena").await.at_address("10.6.6.6");
        for _ in 0..4 {
            let operation = olena.ask_for_code().await;
            olena.enter(&operation, &other_code(&olena.code(), 1)).await.refused(422, "wrong_otp");
            app.clock().advance_seconds(100);
        }
        let taras = app.account("taras").await.elsewhere().at_address("10.6.6.6");
        taras.ask_for_code().await;
    }

    async fn one_notary_may_not_have_the_acquirer_asked_too_often(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let mut paths = Vec::new();
        for person in [&olena, &taras] {
            person.add(PaymentKind::RegistryPayment).await;
            let order = person.order_cart().await;
            paths.push(format!("/order/{}", order["id"].as_str().unwrap()));
        }
        app.restart_with(|settings| settings.acquirer_calls_per_minute = 2).await;
        olena.get(&format!("{}/status", paths[0])).await.ok();
        olena.get(&format!("{}?update_status=1", paths[0])).await.ok();
        for path in [format!("{}/status", paths[0]), format!("{}?update_status=1", paths[0]), "/order/token/get-all-tokens-by-phone".to_owned()] {
            let answer = olena.get(&path).await;
            answer.refused(429, "too_many_requests");
            assert!(answer.header("retry-after").parse::<u32>().unwrap() >= 1, "{path}");
        }
        // Reading the stored order is not limited, and other notaries are not affected.
        olena.get(&paths[0]).await.ok();
        taras.get(&format!("{}/status", paths[1])).await.ok();
    }

    async fn every_call_that_ends_at_the_acquirer_counts(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        let frame = olena.get("/tokenization/cards").await.ok()["cards"]["url"].as_str().unwrap().to_owned();
        let opened = olena.page(&frame[frame.find("/cards-frame").unwrap()..]).await;
        let pass = opened.header("set-cookie").split(';').next().unwrap().to_owned();
        app.restart_with(|settings| settings.acquirer_calls_per_minute = 1).await;
        olena.get(&format!("{path}/status")).await.ok();
        olena.get(&format!("{path}/update/pay-link")).await.refused(429, "too_many_requests");
        olena.post("/order/create", json!({})).await.refused(429, "too_many_requests");
        olena.post("/order/export", json!({})).await.refused(429, "too_many_requests");
        // A document costs as much.
        olena.get(&format!("{path}/deal-calculation")).await.refused(429, "too_many_requests");
        olena.post("/deal/calculation", json!({})).await.refused(429, "too_many_requests");
        for form in ["add", "delete"] {
            let page = format!("/cards-frame/{form}");
            let answer = olena.page_call(&page).form("token=any").header("cookie", &pass).send().await;
            assert_eq!((answer.status, answer.header("location")), (303, "/cards-frame?failed=too_many_requests"), "{form}");
        }
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn one_address_may_not_try_too_often(app: TestApp) {
        app.restart_with(|settings| settings.login_attempts_per_minute = 5).await;
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        for _ in 0..4 {
            assert_eq!(olena.enter(&operation, "").await.status, 422);
        }
        let answer = olena.enter(&operation, "").await;
        answer.refused(429, "too_many_requests");
        assert!(answer.header("retry-after").parse::<u32>().unwrap() >= 1);
        for path in ["/auth/login", "/auth/login/otp", "/auth/login/otp/custom", "/auth/login/phone-call/verify", "/auth/sign-up"] {
            olena.post(path, json!({})).await.refused(429, "too_many_requests");
        }
        // A forged header does not change the address.
        olena.call(axum::http::Method::POST, "/auth/login").json(&json!({})).header("x-forwarded-for", "10.7.7.7").send().await.refused(429, "too_many_requests");
        assert_eq!(olena.elsewhere().enter(&operation, "").await.status, 422);
    }

    async fn behind_a_proxy_that_tells_no_address_nobody_is_counted_under_the_proxys(app: TestApp) {
        app.restart_with(|settings| {
            settings.login_attempts_per_minute = 2;
            settings.client_address_header = Some(axum::http::HeaderName::from_static("x-forwarded-for"));
        }).await;
        // All of them arrive from the proxy.
        let proxy = app.account("olena").await.at_address("10.0.0.1");
        let from = |address: &str| {
            let call = proxy.call(axum::http::Method::POST, "/auth/login").json(&json!({}));
            if address.is_empty() { call } else { call.header("x-forwarded-for", address) }.send()
        };
        for unreadable in ["", "unknown", "198.51.100.7, _hidden", "198.51.100.7:port"] {
            let answer = from(unreadable).await;
            answer.refused(400, "client_address_unreadable");
            assert!(answer.fields().is_empty());
        }
        // A port is no other client, and another address is.
        for address in ["198.51.100.7", "198.51.100.7:443"] {
            assert_eq!(from(address).await.status, 422);
        }
        from("\"198.51.100.7:8443\"").await.refused(429, "too_many_requests");
        for address in ["198.51.100.8", "[2001:db8:1:2::7]:443", "2001:db8:1:2::8"] {
            assert_eq!(from(address).await.status, 422);
        }
        from("\"[2001:db8:1:2::9]\"").await.refused(429, "too_many_requests");
    }
}

#[test]
fn while_the_presses_of_one_notary_wait_for_a_lock_another_adds_a_payment() {
    run(Database::Postgres, async |app: TestApp| {
        let (olena, iryna) = (app.notary("olena").await, app.notary("iryna").await);
        let hers = olena.form(PaymentKind::RegistryPayment).await.body;
        let (store, id) = (app.services().store, olena.id());
        let (locked, is_locked) = tokio::sync::oneshot::channel();
        let (mut locked, go_on) = (Some(locked), Arc::new(AtomicU32::new(0)));
        let may_go_on = Arc::clone(&go_on);
        let holding = tokio::spawn(async move {
            store
                .write(move |tx| {
                    lock_notary(tx, id)?;
                    if let Some(locked) = locked.take() {
                        locked.send(()).expect("the test waits");
                    }
                    // A transaction that stands still would lose its lock.
                    while may_go_on.load(Ordering::Relaxed) == 0 {
                        lock_notary(tx, id)?;
                        std::thread::sleep(Duration::from_millis(5));
                    }
                    Ok::<_, StorageError>(())
                })
                .await
        });
        is_locked.await.expect("her row is locked");
        let ended = Arc::new(AtomicU32::new(0));
        let presses = (0..30).map(|_| {
            let (olena, hers, ended) = (olena.clone(), hers.clone(), Arc::clone(&ended));
            tokio::spawn(async move {
                let answer = olena.post("/cart/add", hers).await;
                ended.fetch_add(1, Ordering::Relaxed);
                answer.status
            })
        });
        let presses: Vec<_> = presses.collect();
        let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        app.wait_for_number(waiting, 1).await;
        iryna.add(PaymentKind::RegistryPayment).await;
        assert_eq!(
            ended.load(Ordering::Relaxed),
            0,
            "nobody has waited for her"
        );
        go_on.store(1, Ordering::Relaxed);
        holding.await.unwrap().unwrap();
        for press in presses {
            assert!(
                [200, 409].contains(&press.await.unwrap()),
                "each is answered"
            );
        }
    });
}
