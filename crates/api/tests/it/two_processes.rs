//! Two processes on one database, behind a proxy that takes turns.

use cabinet_test_kit::{Database, PaymentKind, TestApp, run};
use serde_json::json;

use crate::realtime::{Connection, channel_of, login_by_phone_call, token};

/// Starts two processes. Each request goes to the other one than the request before it, so does each of several connections with one token.
async fn two_processes(app: &TestApp) {
    app.restart_with(|settings| settings.processes = 2).await;
}

#[test]
fn a_login_by_call_is_told_by_both_processes() {
    run(Database::Postgres, async |app: TestApp| {
        two_processes(&app).await;
        let (olena, call) = login_by_phone_call(&app, "olena").await;
        let (token, mut pages) = (token(&olena).await, Vec::new());
        for _ in 0..4 {
            let mut page = Connection::of(&app, &token).await;
            page.subscribe(&call).await.unwrap();
            pages.push(page);
        }
        app.outside().answer_phone_call(olena.phone(), "1").await;
        for page in &mut pages {
            assert_eq!(
                page.heard().await["push"]["pub"]["data"],
                json!({ "result": 10 })
            );
        }
        let body = json!({ "phone": olena.phone(), "transaction_id": call });
        olena.post("/auth/login/phone-call/verify", body).await.ok();
    });
}

#[test]
fn a_change_is_told_to_the_pages_of_both_processes() {
    run(Database::Postgres, async |app: TestApp| {
        two_processes(&app).await;
        let olena = app.notary("olena").await;
        let (token, mut pages) = (token(&olena).await, Vec::new());
        let mut epochs = Vec::new();
        for _ in 0..4 {
            let mut page = Connection::of(&app, &token).await;
            epochs.push(page.subscribe(&channel_of(&olena)).await.unwrap()["epoch"].clone());
            pages.push(page);
        }
        epochs.sort_by_key(ToString::to_string);
        epochs.dedup();
        assert_eq!(epochs.len(), 2, "the pages are connected to both processes");
        olena.add(PaymentKind::RegistryPayment).await;
        for page in &mut pages {
            assert_eq!(
                page.heard().await["push"]["pub"]["data"]["cart"]["items_count"],
                1
            );
        }
        app.until_told().await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        for page in &mut pages {
            while page.heard().await["push"]["pub"]["data"]["order"]["status"] != "paid" {}
        }
        app.finish_and_check().await;
    });
}

#[test]
fn a_session_that_is_ended_at_one_process_has_no_connection_at_the_other() {
    run(Database::Postgres, async |app: TestApp| {
        two_processes(&app).await;
        let olena = app.notary("olena").await;
        let (token, mut pages) = (token(&olena).await, Vec::new());
        for _ in 0..4 {
            pages.push(Connection::of(&app, &token).await);
        }
        olena.post("/auth/logout", json!({})).await.ok();
        for page in &mut pages {
            assert_eq!(page.heard().await["push"]["disconnect"]["code"], 3503);
        }
    });
}

#[test]
fn a_ticket_of_the_cards_frame_is_good_once_whichever_process_it_comes_to() {
    run(Database::Postgres, async |app: TestApp| {
        two_processes(&app).await;
        let olena = app.notary("olena").await;
        let cards = olena.get("/tokenization/cards").await.ok();
        let address = cards["cards"]["url"].as_str().unwrap().to_owned();
        let path = &address[address.find("/cards-frame").unwrap()..];
        let mut answers = Vec::new();
        for _ in 0..4 {
            let call = olena
                .page_call(path)
                .header("sec-fetch-site", "same-origin");
            answers.push(call.send().await.status);
        }
        answers.sort_unstable();
        assert_eq!(answers, [303, 403, 403, 403]);
    });
}

#[test]
fn a_page_that_may_have_missed_something_connects_anew_and_reads_everything() {
    run(Database::Postgres, async |app: TestApp| {
        let olena = app.notary("olena").await;
        let mut page = Connection::of(&app, &token(&olena).await).await;
        let before = page.subscribe(&channel_of(&olena)).await.unwrap();
        let mut waiting = Connection::of(&app, &token(&olena).await).await;
        let ends = "do $$ begin perform pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database(); end $$";
        app.execute(ends.to_owned()).await;
        // The client of the browser connects again after this code.
        for connection in [&mut page, &mut waiting] {
            assert_eq!(connection.heard().await["push"]["disconnect"]["code"], 3008);
        }
        let mut page = Connection::of(&app, &token(&olena).await).await;
        let known = json!({ "channel": channel_of(&olena), "recover": true, "offset": 0, "epoch": before["epoch"] });
        let back = page.command("subscribe", known).await["subscribe"].clone();
        assert_eq!(back["recovered"], false);
        assert_ne!(back["epoch"], before["epoch"]);
        olena.add(PaymentKind::RegistryPayment).await;
        assert_eq!(
            page.heard().await["push"]["pub"]["data"]["cart"]["items_count"],
            1
        );
    });
}
