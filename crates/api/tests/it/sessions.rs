//! Sessions: rotation and expiry of tokens, and detection of stolen ones.

use axum::http::Method;
use cabinet_app::operator::account_change::AccountChange;
use cabinet_app::operator::administration::EndedSessions;
use cabinet_domain::{LoginStep, OperatorReason, Phone};
use cabinet_test_kit::{Answer, PaymentKind, Person, TestApp, on_both_databases, on_sqlite};
use jiff::SignedDuration;
use serde_json::json;

async fn me(person: &Person) -> Answer {
    person.call(Method::POST, "/auth/me").send().await
}

/// Refreshes with the given token in a new browser.
async fn refresh_with(person: &Person, token: &str) -> Answer {
    let browser = person.elsewhere();
    browser.hold_refresh_token(token);
    browser.refresh().await
}

/// Refreshes in the background, like a page that nobody uses.
async fn refresh_in_background(person: &Person) -> Answer {
    person
        .call(Method::POST, "/auth/refresh?background=1")
        .send()
        .await
}

/// Returns another tab with the same tokens, independent from now on.
fn other_tab(person: &Person) -> Person {
    let tab = person.elsewhere();
    tab.hold_access_token(&person.access_token());
    tab.hold_refresh_token(&person.refresh_token());
    tab
}

/// Signs in with a browser that was forgotten: the owner is told of a new device.
async fn enters_as_a_new_device(app: &TestApp, person: &Person) {
    app.work().await;
    let messages = app.outside().messages(person.phone()).len();
    person.log_in().await;
    app.work().await;
    let told = app.outside().messages(person.phone());
    assert_eq!(told.len(), messages + 2, "{told:?}");
    assert!(told[0].contains("з нового пристрою"), "{told:?}");
}

/// Returns the end of the session that an answer names, in whole seconds.
fn session_end(answer: &Answer) -> jiff::Timestamp {
    answer.ok()["session_expires_at"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap()
}

on_both_databases! {
    async fn each_refresh_replaces_both_tokens(app: TestApp) {
        let olena = app.notary("olena").await;
        let (access, refresh) = (olena.access_token(), olena.refresh_token());
        app.clock().advance_seconds(60);
        let answer = olena.refresh().await;
        let body = answer.ok();
        assert_eq!(body["expires_in"], 600);
        assert_eq!(body["session_expires_at"].as_str().unwrap()[..16], *"2026-03-02T13:01");
        assert!(!answer.text().contains(&olena.refresh_token()), "no script of a page sees it");
        assert_eq!(body["access_token"], olena.access_token());
        assert_ne!(olena.refresh_token(), refresh);
        assert_ne!(olena.access_token(), access);
        me(&olena).await.ok();
        // A client without cookies sends it as a Bearer token.
        let bearer = format!("Bearer {}", olena.refresh_token());
        let answer = olena.elsewhere().call(Method::POST, "/auth/refresh").header("authorization", &bearer).send().await;
        assert_eq!(answer.ok()["refresh_token"].as_str(), answer.cookie("refresh_token").as_deref());
        for secret in [access, refresh, olena.access_token(), olena.refresh_token()] {
            assert!(!app.stores(&secret).await);
        }
    }

    async fn every_answer_with_an_access_token_names_the_notary(app: TestApp) {
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        let opened = olena.enter(&operation, &olena.code()).await.ok();
        let id = me(&olena).await.ok()["id"].clone();
        assert_eq!(opened["notary_id"], id);
        assert_eq!(olena.refresh().await.ok()["notary_id"], id);

        let taras = app.account_with("taras", |account| account.login_step = LoginStep::PhoneCall).await;
        let started = taras.post("/auth/login", json!({ "phone": taras.phone() })).await.ok();
        app.outside().answer_phone_call(taras.phone(), "1").await;
        let body = json!({ "phone": taras.phone(), "transaction_id": started["transaction_id"] });
        let opened = taras.post("/auth/login/phone-call/verify", body).await.ok();
        assert_eq!(opened["notary_id"], me(&taras).await.ok()["id"]);

        let nadiia = app.anonymous();
        let body = json!({ "full_name": "Нова Надія Назарівна", "phone": "+380671234567", "registry_identifier": "NOTAR30001", "is_agreed": true });
        let started = nadiia.post("/auth/sign-up", body).await.ok();
        let body = json!({ "otp_code": app.outside().code("+380671234567"), "operation_id": started["operation_id"] });
        let verified = nadiia.post("/auth/sign-up/verify", body).await.ok();
        assert_eq!(verified["notary_id"], me(&nadiia).await.ok()["id"]);
    }

    async fn a_session_that_has_ended_is_found_in_the_unit_of_work_of_the_call(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        olena.add_payment(&payment).await;
        let order = olena.order_cart().await;
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        let token = olena.access_token();
        olena.post("/auth/logout", json!({})).await.ok();
        olena.hold_access_token(&token);
        for call in ["/cart", "/order?limit=20", path.as_str(), &format!("{path}?update_status=1"), "/order/unknown"] {
            olena.get(call).await.refused(401, "unauthorized");
        }
        for payment in [payment.clone(), payment.without("amount").without("client")] {
            olena.post("/cart/add", payment.body).await.refused(401, "unauthorized");
        }
        assert_eq!(app.rows("cart_items").await, 0);
    }

    async fn an_access_token_lives_ten_minutes(app: TestApp) {
        let olena = app.notary("olena").await;
        app.clock().advance_seconds(599);
        me(&olena).await.ok();
        app.clock().advance_seconds(1);
        me(&olena).await.refused(401, "unauthorized");
        olena.refresh().await.ok();
        me(&olena).await.ok();
    }

    async fn two_tabs_that_refresh_at_once_both_stay(app: TestApp) {
        let olena = app.notary("olena").await;
        // Tabs share the cookies of their browser.
        let tabs: Vec<Person> = (0..5).map(|_| olena.clone()).collect();
        // All have the same token, however late a task begins.
        let calls: Vec<_> = tabs
            .iter()
            .map(|tab| tab.call(Method::POST, "/auth/refresh"))
            .collect();
        let tasks: Vec<_> = calls
            .into_iter()
            .map(|call| tokio::spawn(async move { call.send().await.status }))
            .collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), 200);
        }
        // Both still work a day later.
        for _ in 0..3 {
            app.clock().advance(SignedDuration::from_mins(9));
            for tab in &tabs {
                tab.refresh().await.ok();
                me(tab).await.ok();
            }
        }
    }

    async fn of_the_successors_of_a_token_the_first_used_excludes_the_others(app: TestApp) {
        let olena = app.notary("olena").await;
        let thief = other_tab(&olena);
        // Within the grace both get a successor.
        olena.refresh().await.ok();
        thief.refresh().await.ok();
        olena.refresh().await.ok();
        // The thief's successor is retired; that it comes tells of the theft.
        thief.refresh().await.refused(401, "session_expired");
        olena.refresh().await.refused(401, "session_expired");
        me(&olena).await.refused(401, "unauthorized");
    }

    async fn a_token_that_comes_late_within_the_grace_leaves_one_chain(app: TestApp) {
        let olena = app.notary("olena").await;
        let late = other_tab(&olena);
        olena.refresh().await.ok();
        olena.refresh().await.ok();
        late.refresh().await.ok();
        late.refresh().await.ok();
        olena.refresh().await.refused(401, "session_expired");
    }

    async fn a_used_token_that_comes_back_later_ends_the_family(app: TestApp) {
        let olena = app.notary("olena").await;
        let other_device = app.notary("olena").await;
        let stolen = olena.refresh_token();
        olena.refresh().await.ok();
        app.clock().advance_seconds(9);
        // Within the grace: two tabs.
        refresh_with(&olena, &stolen).await.ok();
        me(&olena).await.ok();
        // Its successor was used, so the answer was not lost.
        olena.refresh().await.ok();
        app.clock().advance_seconds(2);
        let answer = refresh_with(&olena, &stolen).await;
        answer.refused(401, "session_expired");
        assert_eq!(answer.cookie("refresh_token").as_deref(), Some(""));
        me(&olena).await.refused(401, "unauthorized");
        olena.refresh().await.refused(401, "session_expired");
        app.restart().await;
        me(&olena).await.refused(401, "unauthorized");
        // The other login of the same notary is another family.
        me(&other_device).await.ok();
        assert_eq!(app.number("select count(*) from sessions where end_reason = 'token_replayed'".to_owned()).await, 1);
    }

    async fn a_refresh_whose_answer_was_lost_may_be_repeated_for_ten_seconds(app: TestApp) {
        let olena = app.notary("olena").await;
        // The answer is lost twice.
        let held = olena.refresh_token();
        for seconds in [5, 4] {
            refresh_with(&olena, &held).await.ok();
            app.clock().advance_seconds(seconds);
        }
        olena.refresh().await.ok();
        assert_ne!(olena.refresh_token(), held);
        app.clock().advance_seconds(60);
        olena.refresh().await.ok();
        me(&olena).await.ok();

        let taras = app.notary("taras").await;
        let held = taras.refresh_token();
        refresh_with(&taras, &held).await.ok();
        app.clock().advance_seconds(11);
        taras.refresh().await.refused(401, "session_expired");
        me(&taras).await.refused(401, "unauthorized");
    }

    async fn an_answer_that_was_taken_for_lost_and_was_not_ends_the_family(app: TestApp) {
        let olena = app.notary("olena").await;
        let stolen = olena.refresh_token();
        olena.refresh().await.ok();
        app.clock().advance_seconds(5);
        // A thief uses the token before the notary has used its successor, and the thief's successor first.
        let thief = olena.elsewhere();
        thief.hold_refresh_token(&stolen);
        thief.refresh().await.ok();
        thief.refresh().await.ok();
        me(&thief).await.ok();
        app.clock().advance_seconds(60);
        olena.refresh().await.refused(401, "session_expired");
        me(&thief).await.refused(401, "unauthorized");
        thief.refresh().await.refused(401, "session_expired");
    }

    async fn signing_out_ends_the_session_at_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let second_tab = other_tab(&olena);
        let answer = olena.call(Method::POST, "/auth/logout").send().await;
        assert_eq!(answer.ok(), json!({ "success": true }));
        assert_eq!(answer.cookie("refresh_token").as_deref(), Some(""));
        for path in ["/cart", "/order", "/payment-types"] {
            second_tab.get(path).await.refused(401, "unauthorized");
        }
        second_tab.refresh().await.refused(401, "session_expired");
        olena.call(Method::POST, "/auth/logout").send().await.refused(401, "unauthorized");
    }

    async fn a_session_left_alone_for_four_hours_ends(app: TestApp) {
        let olena = app.notary("olena").await;
        app.clock().advance(SignedDuration::from_hours(4) - SignedDuration::from_secs(1));
        olena.refresh().await.ok();
        app.clock().advance(SignedDuration::from_hours(4));
        olena.refresh().await.refused(401, "session_expired");
    }

    async fn a_session_ends_after_twelve_hours_whatever_is_done(app: TestApp) {
        let olena = app.notary("olena").await;
        for _ in 0..4 {
            app.clock().advance(SignedDuration::from_hours(3) - SignedDuration::from_secs(15));
            olena.refresh().await.ok();
        }
        app.restart().await;
        me(&olena).await.ok();
        app.clock().advance_seconds(61);
        // The access token itself has not expired.
        me(&olena).await.refused(401, "unauthorized");
        olena.refresh().await.refused(401, "session_expired");
        olena.log_in().await;
        me(&olena).await.ok();
    }

    async fn the_end_that_is_told_is_the_one_that_comes(app: TestApp) {
        let olena = app.notary("olena").await;
        let minute = |answer: &Answer| answer.ok()["session_expires_at"].as_str().unwrap()[..16].to_owned();
        // From the first answer on: four hours after the login at 09:00.
        let operation = olena.ask_for_code().await;
        let login = olena.enter(&operation, &olena.code()).await;
        assert_eq!(minute(&login), "2026-03-02T13:00");
        // Refreshing extends it, up to the absolute end.
        app.clock().set("2026-03-02T12:57:00Z");
        assert_eq!(minute(&olena.refresh().await), "2026-03-02T16:57");
        app.clock().set("2026-03-02T16:56:00Z");
        assert_eq!(minute(&olena.refresh().await), "2026-03-02T20:56");
        // Refreshing never extends the absolute end.
        app.clock().set("2026-03-02T17:30:00Z");
        assert_eq!(minute(&olena.refresh().await), "2026-03-02T21:00");
        app.clock().set("2026-03-02T20:58:00Z");
        let last = olena.refresh().await;
        assert_eq!(minute(&last), "2026-03-02T21:00");
        // It ends exactly at the named second.
        let end = session_end(&last);
        app.clock().set(&end.to_string());
        me(&olena).await.ok();
        app.clock().set(&(end + SignedDuration::from_secs(1)).to_string());
        me(&olena).await.refused(401, "unauthorized");
        olena.refresh().await.refused(401, "session_expired");
    }

    async fn a_session_left_alone_ends_when_it_was_told(app: TestApp) {
        let olena = app.notary("olena").await;
        let end = session_end(&olena.refresh().await);
        app.clock().set(&end.to_string());
        let end = session_end(&olena.refresh().await);
        app.clock().set(&(end + SignedDuration::from_secs(1)).to_string());
        olena.refresh().await.refused(401, "session_expired");
    }

    async fn a_tab_that_nobody_touches_ends_all_the_same(app: TestApp) {
        let olena = app.notary("olena").await;
        let end = session_end(&olena.refresh().await);
        // The page keeps polling with fresh tokens.
        for _ in 0..25 {
            app.clock().advance(SignedDuration::from_mins(9));
            let answer = refresh_in_background(&olena).await;
            assert_eq!(session_end(&answer), end);
            me(&olena).await.ok();
        }
        let cookie = refresh_in_background(&olena).await.headers.get("set-cookie").unwrap().to_str().unwrap().to_owned();
        assert!(cookie.contains("Max-Age=900") || cookie.contains("Max-Age=899"), "{cookie}");
        // One refresh by a person extends it again.
        let moved = session_end(&olena.refresh().await);
        assert!(moved > end, "{moved}");
        assert_eq!(session_end(&refresh_in_background(&olena).await), moved);
        app.clock().set(&(moved + SignedDuration::from_secs(1)).to_string());
        refresh_in_background(&olena).await.refused(401, "session_expired");
        olena.refresh().await.refused(401, "session_expired");
    }

    async fn a_tab_in_the_background_takes_nothing_from_the_one_in_use(app: TestApp) {
        let olena = app.notary("olena").await;
        let behind = other_tab(&olena);
        app.clock().advance(SignedDuration::from_hours(3));
        let end = session_end(&olena.refresh().await);
        // Its token was replaced a moment ago; its session end is that of the active tab.
        app.clock().advance_seconds(5);
        assert_eq!(session_end(&refresh_in_background(&behind).await), end);
        app.clock().set(&end.to_string());
        behind.refresh().await.ok();
    }

    async fn a_session_shorter_than_its_idle_time_tells_its_own_end(app: TestApp) {
        app.restart_with(|settings| settings.app.sessions.absolute = SignedDuration::from_mins(30)).await;
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        let login = olena.enter(&operation, &olena.code()).await;
        assert_eq!(login.ok()["session_expires_at"].as_str().unwrap()[..16], *"2026-03-02T09:30");
        let cookies = login.headers.get_all("set-cookie").into_iter().map(|cookie| cookie.to_str().unwrap());
        let of_session: Vec<&str> = cookies.filter(|cookie| cookie.starts_with("refresh_token=")).collect();
        assert!(matches!(of_session[..], [cookie] if cookie.contains("Max-Age=1800")), "{of_session:?}");
    }

    async fn no_token_of_a_browser_is_in_the_database(app: TestApp) {
        let olena = app.account("olena").await.elsewhere();
        olena.log_in().await;
        let device = olena.device().unwrap_or_default();
        for token in [olena.access_token(), olena.refresh_token(), device] {
            assert!(token.len() > 20, "{token}");
            assert!(!app.stores(&token).await, "{token}");
        }
        assert!(app.stores(olena.phone()).await);
    }

    async fn tokens_that_are_none_open_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        let (access, refresh) = (olena.access_token(), olena.refresh_token());
        let mut parts = access.split('.');
        let (head, body, signature) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        let reversed: String = signature.chars().rev().collect();
        // {"alg":"none"}, {"alg":"HS512","typ":"JWT"}
        for token in [
            "",
            "x",
            refresh.as_str(),
            &format!("{head}.{body}."),
            &format!("{head}.{body}.{reversed}"),
            &format!("eyJhbGciOiJub25lIn0.{body}."),
            &format!("eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCJ9.{body}.{signature}"),
            &format!("{head}.{body}.{signature}.{signature}"),
            &"A".repeat(20_000),
        ] {
            olena.hold_access_token(token);
            me(&olena).await.refused(401, "unauthorized");
        }
        olena.hold_access_token(&access);
        for scheme in ["bearer", "Basic", "Token", ""] {
            let answer = olena.call(Method::POST, "/auth/me").header("authorization", &format!("{scheme} {access}")).send().await;
            // The scheme's name is not case-sensitive (RFC 9110); anything else is no token.
            if scheme == "bearer" {
                assert!([200, 401].contains(&answer.status));
            } else {
                answer.refused(401, "unauthorized");
            }
        }
        olena.call(Method::POST, "/auth/me").without("authorization").send().await.refused(401, "unauthorized");
        for token in ["x", access.as_str()] {
            refresh_with(&olena, token).await.refused(401, "session_expired");
        }
        olena.elsewhere().refresh().await.refused(401, "unauthorized");
        me(&olena).await.ok();
    }

    async fn the_cookie_works_for_our_own_pages_alone(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.refresh_token();
        for origin in ["https://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:8080"] {
            let answer = olena.call(Method::POST, "/auth/refresh").header("origin", origin).send().await;
            answer.refused(403, "forbidden");
            assert_eq!(answer.cookie("refresh_token"), None);
        }
        assert_eq!(olena.refresh_token(), token);
        olena.call(Method::POST, "/auth/refresh").header("origin", app.public_url()).send().await.ok();
    }

    async fn the_operator_can_end_a_notarys_sessions(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        app.clock().advance_seconds(60);
        let thief = olena.elsewhere();
        let operation = thief.ask_for_code().await;
        let code = olena.code();
        let change = AccountChange { end_sessions: true, ..AccountChange::default() };
        let phone = Phone::parse(olena.phone()).unwrap();
        assert!(app.services().operator.administration().change_account(phone, change, &OperatorReason::parse("a call").unwrap(), app.services().now()).await.unwrap());
        me(&olena).await.refused(401, "unauthorized");
        olena.refresh().await.refused(401, "session_expired");
        me(&taras).await.ok();
        // A code that was on its way opens nothing, and no browser of hers is known any more.
        thief.enter(&operation, &code).await.refused(422, "otp_expired");
        enters_as_a_new_device(&app, &olena).await;
        assert_eq!(app.rows("devices").await, 2, "his is known, and hers again");
    }

    async fn the_operator_can_end_everybodys_sessions(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let second = olena.elsewhere();
        second.log_in().await;
        app.account("iryna").await;
        app.clock().advance_seconds(60);
        let thief = olena.elsewhere();
        let operation = thief.ask_for_code().await;
        let code = olena.code();
        let reason = OperatorReason::parse("Відновлено копію, SD-4721").unwrap();
        let end = async || {
            let services = app.services();
            services.operator.administration().end_all_sessions(&reason, services.now()).await.unwrap()
        };
        assert_eq!(end().await, EndedSessions { sessions: 3, accounts: 2 });
        for person in [&olena, &second, &taras] {
            me(person).await.refused(401, "unauthorized");
            person.refresh().await.refused(401, "session_expired");
        }
        thief.enter(&operation, &code).await.refused(422, "otp_expired");
        assert_eq!(app.rows("devices").await, 0, "also of who had no session");
        assert_eq!(end().await, EndedSessions::default());
        // One event for each account whose sessions ended, and one for each time that it was done.
        let events = |condition: &str| format!("select count(*) from audit_events where action = 'sessions_ended' and changes like '%SD-4721%' and {condition}");
        assert_eq!(app.number(events("notary_id is not null")).await, 2);
        assert_eq!(app.number(events("notary_id is null")).await, 2);
        enters_as_a_new_device(&app, &olena).await;
        let seen = olena.get("/me/security-events").await.ok();
        let ended = seen["events"].as_array().unwrap().iter().find(|event| event["kind"] == "sessions_ended").unwrap();
        assert_eq!(ended["changes"], json!([{ "field": "sessions", "from": null, "to": "2" }]));
    }
}

on_sqlite! {
    async fn a_refresh_with_a_token_that_nobody_has_waits_for_no_write(app: TestApp) {
        let olena = app.notary("olena").await;
        let ended = olena.refresh_token();
        olena.call(Method::POST, "/auth/logout").send().await.ok();
        // The one writer of the database is held until both were refused.
        let (begun, wait_until_begun) = tokio::sync::oneshot::channel();
        let (release, held) = std::sync::mpsc::channel::<()>();
        let mut begun = Some(begun);
        let store = app.services().store.clone();
        let writing = tokio::spawn(async move {
            let hold = move |_: &mut cabinet_storage::Tx| {
                let _ = begun.take().map(|begun| begun.send(()));
                let _ = held.recv();
                Ok::<_, cabinet_storage::StorageError>(())
            };
            store.write(hold).await
        });
        wait_until_begun.await.unwrap();
        for token in ["made-up", &ended] {
            refresh_with(&olena, token).await.refused(401, "session_expired");
        }
        release.send(()).unwrap();
        writing.await.unwrap().unwrap();
    }
}
