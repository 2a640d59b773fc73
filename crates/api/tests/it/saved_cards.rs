//! Paying with a saved card. The cabinet never receives a card number.

use cabinet_app::kernel::refusal::AppError;
use cabinet_domain::{Key, Origin};
use cabinet_test_kit::{
    CardsFrame, Fault, FaultKind, FaultService, PaymentKind, Person, SLOW_CARD_SECONDS,
    log_written, on_both_databases,
};
use serde_json::{Value, json};

const PAYS: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";
const ASKS: &str = "4000000000003063";
const SLOW: &str = "4000000000000259";

/// Puts a payment into the cart and pays it with a saved card.
pub async fn pay_with(person: &Person, card: &str) -> Value {
    let token = person.save_card(card);
    person.add(PaymentKind::AdminPayment).await;
    let mut body = person.order_body().await;
    body["token_id"] = token.into();
    body["pan"] = format!("{}******{}", &card[..6], &card[12..]).into();
    let key = person.fresh_key();
    person.create_order(&key, &body).await.ok()["order"].clone()
}

on_both_databases! {
    async fn a_saved_card_pays_at_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = pay_with(&olena, PAYS).await;
        assert_eq!(order["status"], "paid");
        assert_eq!(order["widget_url"], json!(null));
        let paid = olena.order(&order).await;
        assert_eq!(paid["pan"], "424242******4242");
        assert_eq!(paid["failure"], json!(null));
        app.finish_and_check().await;
    }

    async fn a_declined_card_says_why_and_the_order_can_be_paid_on_the_page(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = pay_with(&olena, DECLINED).await;
        assert_eq!(order["status"], "failed");
        let failed = olena.order(&order).await;
        assert_eq!(failed["failure"], "payment_insufficient_funds");
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 0);
        let link = olena.get(&format!("/order/{}/update/pay-link", order["id"].as_str().unwrap())).await.ok();
        let page = link["widget_url"].as_str().unwrap();
        assert_eq!(app.outside().pay(page, PAYS).await, "success");
        let paid = olena.until(&order, "paid").await;
        assert_eq!(paid["failure"], json!(null));
        assert_eq!(paid["pan"], "424242******4242");
        app.finish_and_check().await;
    }

    async fn a_card_that_asks_is_confirmed_on_the_banks_page(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = pay_with(&olena, ASKS).await;
        assert_eq!(order["status"], "pending");
        let page = order["widget_url"].as_str().unwrap().to_owned();
        assert!(page.ends_with("/3ds"));
        assert!(app.outside().ledger().is_empty());
        app.outside().answer_three_d_secure(&page, true).await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn the_confirmation_of_a_charge_is_shown_also_when_the_price_has_changed(app: TestApp) {
        let olena = app.notary("olena").await;
        app.load_reference(|files| files.get_mut("tariffs.csv").unwrap().push_str("2026-03-03,2.5,14.00\n")).await;
        app.work().await;
        app.clock().advance_seconds(14 * 3_600 + 1_700);
        olena.log_in().await;
        let order = pay_with(&olena, ASKS).await;
        let page = order["widget_url"].clone();
        assert!(page.is_string());
        app.clock().advance_seconds(120);
        assert_eq!(olena.order(&order).await["widget_url"], page);
        app.outside().answer_three_d_secure(page.as_str().unwrap(), true).await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn a_list_of_cards_that_a_proxy_could_not_find_is_not_empty(app: TestApp) {
        let olena = app.notary("olena").await;
        let mut not_found = Fault::new(FaultService::Acquirer, FaultKind::Refuse);
        not_found.path = Some("wallet".to_owned());
        not_found.code = Some("HTTP_404".to_owned());
        app.outside().faults(&[not_found]).await;
        olena.get("/order/token/get-all-tokens-by-phone").await.refused(502, "acquirer_refused");
    }

    async fn a_confirmation_page_elsewhere_is_shown_to_nobody_and_told_to_a_person(app: TestApp) {
        let olena = app.notary("olena").await;
        app.restart_with(|settings| settings.page_hosts = Some(vec!["pay.example".to_owned()])).await;
        let order = pay_with(&olena, "4000000000003063").await;
        assert_eq!((&order["status"], &order["widget_url"]), (&Value::from("pending"), &Value::Null));
        // The person is told the host, and nothing that opens the page.
        let alarms = "select count(*) from alarms where kind = 'page_host_unlisted'
            and detail like '127.0.0.1:% is not in CABINET_ACQUIRER_PAGE_HOSTS' and detail not like '%/%'".to_owned();
        assert_eq!(app.number(alarms).await, 1);
    }

    async fn a_card_that_asks_and_is_not_confirmed_is_not_charged(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = pay_with(&olena, ASKS).await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        app.outside().answer_three_d_secure(&page, false).await;
        let failed = olena.until(&order, "failed").await;
        assert_eq!(failed["failure"], "payment_not_confirmed");
        assert!(app.outside().ledger().is_empty());
        app.finish_and_check().await;
    }

    async fn the_banks_page_is_known_even_where_a_report_overtakes_the_answer(app: TestApp) {
        let olena = app.notary("olena").await;
        // The card is charged at once; the answer about it comes after the report.
        let mut late = Fault::new(FaultService::Acquirer, FaultKind::Delay);
        (late.path, late.delay_ms, late.effect) = (Some("wallet/payment".to_owned()), Some(60_000), Some(true));
        app.outside().faults(&[late]).await;
        let overtakes = async {
            app.wait_for_number("select count(distinct invoice_id) from acquirer_reports", 1).await;
            app.outside().faults(&[]).await;
        };
        let (order, ()) = tokio::join!(pay_with(&olena, ASKS), overtakes);
        assert_eq!(order["status"], "pending");
        let page = order["widget_url"].as_str().expect("the payer must get to the bank's page").to_owned();
        app.outside().answer_three_d_secure(&page, true).await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn a_payment_the_bank_is_still_at_is_not_offered_a_second_time(app: TestApp) {
        let olena = app.notary("olena").await;
        app.keep_reports();
        let order = pay_with(&olena, SLOW).await;
        assert_eq!((&order["status"], &order["widget_url"]), (&json!("pending"), &json!(null)));
        let id = order["id"].as_str().unwrap();
        olena.get(&format!("/order/{id}/update/pay-link")).await.refused(409, "payment_outcome_unknown");
        app.clock().advance_seconds(SLOW_CARD_SECONDS);
        assert_eq!(olena.get(&format!("/order/{id}/status")).await.ok()["status"], "paid");
        app.finish_and_check().await;
    }

    async fn a_payment_saves_no_card_whoever_pays_it(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        // Her client has the link, and would leave a card with which the notary pays for others.
        app.outside().pay_and_save(order["widget_url"].as_str().unwrap(), "5555555555554444").await;
        olena.until(&order, "paid").await;
        assert_eq!(olena.get("/order/token/get-all-tokens-by-phone").await.ok(), json!({ "tokens": [], "last_used": null }));
        app.finish_and_check().await;
    }

    async fn a_card_saved_on_its_own_page_is_offered_next_time(app: TestApp) {
        let olena = app.notary("olena").await;
        assert_eq!(olena.get("/order/token/get-all-tokens-by-phone").await.ok(), json!({ "tokens": [], "last_used": null }));
        let page = CardsFrame::open(&olena).await.add().await;
        assert_eq!(app.outside().pay(&page, "5555555555554444").await, "success");
        let cards = olena.get("/order/token/get-all-tokens-by-phone").await.ok();
        assert_eq!(cards["tokens"][0]["MaskPan"], "555555******4444");
        olena.add(PaymentKind::RegistryPayment).await;
        let mut body = olena.order_body().await;
        body["token_id"] = cards["tokens"][0]["Token"].clone();
        body["pan"] = cards["tokens"][0]["MaskPan"].clone();
        let paid = olena.create_order(&olena.fresh_key(), &body).await.ok();
        assert_eq!(paid["order"]["status"], "paid");
        app.finish_and_check().await;
    }

    async fn somebody_elses_card_is_not_there(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let token = taras.save_card(PAYS);
        olena.save_card("5555555555554444");
        olena.add(PaymentKind::AdminPayment).await;
        let mut body = olena.order_body().await;
        for foreign in [token.as_str(), "no-such-token"] {
            body["token_id"] = foreign.into();
            let answer = olena.create_order(&olena.fresh_key(), &body).await;
            answer.refused(422, "card_not_found");
            assert_eq!(answer.fields()["token_id"], ["card_not_found"]);
        }
        let own = olena.get("/order/token/get-all-tokens-by-phone").await.ok();
        assert_eq!(own["tokens"].as_array().unwrap().len(), 1);
        assert_eq!(app.rows("orders").await, 0);
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 1);
        assert!(app.outside().ledger().is_empty());
    }

    async fn the_mask_must_be_the_cards_own(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let mut body = olena.order_body().await;
        body["token_id"] = olena.save_card(PAYS).into();
        body["pan"] = "555555******4444".into();
        let answer = olena.create_order(&olena.fresh_key(), &body).await;
        assert_eq!(answer.status, 422);
        assert_eq!(answer.fields()["pan"], ["card_not_found"]);
        assert_eq!(app.rows("orders").await, 0);
    }

    async fn a_full_card_number_is_refused_and_leaves_no_trace(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let body = olena.order_body().await;
        // A number that no other test of this program uses.
        for number in ["4556737586899855", "4556 7375 8689 9855", "4556-7375-8689-9855"] {
            for field in ["token_id", "pan"] {
                let mut body = body.clone();
                body[field] = number.into();
                let answer = olena.create_order(&olena.fresh_key(), &body).await;
                answer.refused(422, "card_number_not_accepted");
                assert_eq!(answer.fields()[field], ["card_number_not_accepted"]);
                assert!(!answer.text().contains("9855"));
            }
            assert!(!app.stores(number).await);
            assert!(!log_written().contains(number));
        }
        assert_eq!(app.rows("orders").await, 0);
    }

    async fn a_refusal_of_the_acquirer_is_not_taken_for_a_missing_card(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.save_card(PAYS);
        let refuse = async |code: &str| {
            let mut fault = Fault::new(FaultService::Acquirer, FaultKind::Refuse);
            fault.code = Some(code.to_owned());
            app.outside().faults(&[fault]).await;
        };
        let cards = || olena.get("/order/token/get-all-tokens-by-phone");
        refuse("FORBIDDEN").await;
        cards().await.refused(502, "acquirer_refused");
        // Only a wallet that is unknown to the acquirer counts as empty.
        refuse("NOT_FOUND").await;
        assert_eq!(cards().await.ok(), json!({ "tokens": [], "last_used": null }));
        let tokens = cards().await.ok()["tokens"].clone();
        let token = tokens[0]["Token"].as_str().unwrap();
        for (code, key) in [("FORBIDDEN", Key::AcquirerRefused), ("NOT_FOUND", Key::CardNotFound)] {
            refuse(code).await;
            let removed = app.services().saved_cards.remove(olena.id(), token, Origin::worker()).await;
            let Err(AppError::Refused(refusal)) = removed else { panic!("{removed:?}") };
            assert_eq!(refusal.key, key);
        }
        assert_eq!(cards().await.ok()["tokens"], tokens);
    }

    async fn without_the_acquirer_nothing_is_ordered(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let mut body = olena.order_body().await;
        body["token_id"] = olena.save_card(PAYS).into();
        let mut broken = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        broken.calls = 2;
        app.outside().faults(&[broken]).await;
        olena.get("/order/token/get-all-tokens-by-phone").await.refused(503, "acquirer_unavailable");
        let key = olena.fresh_key();
        // Definitely refused: the page need not take the outcome for unknown.
        olena.create_order(&key, &body).await.refused(409, "acquirer_unavailable");
        assert_eq!(app.rows("orders").await, 0);
        // The same key can be used for the next attempt.
        assert_eq!(olena.create_order(&key, &body).await.ok()["order"]["status"], "paid");
        app.finish_and_check().await;
    }
}
