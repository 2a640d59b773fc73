//! The figures of a notary for her saved cards: beyond a sum a day a proof is asked for known recipients, too, and from a sum on she is told.

use cabinet_domain::{CardFigures, Money};
use cabinet_test_kit::{Answer, PaymentKind, Person, TestApp, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::proofs::{by_card, enter, order_to_foreign, prove};

const PATH: &str = "/me/card-figures";

fn money(sum: i64) -> Money {
    Money::from_hryvnias(sum).unwrap()
}

async fn set_defaults(app: &TestApp, daily_unproved_max: i64, told_from: i64) {
    let figures = CardFigures {
        daily_unproved_max: money(daily_unproved_max),
        told_from: money(told_from),
    };
    app.restart_with(|settings| settings.app.card_figures = figures)
        .await;
}

fn figures(daily_unproved_max: i64, told_from: i64) -> Value {
    json!({ "daily_unproved_max": daily_unproved_max, "told_from": told_from })
}

async fn order(person: &Person, body: &Value) -> Answer {
    person.create_order(&person.fresh_key(), body).await
}

/// Pays the foreign account, 1,250.50 hryvnias, which is known from then on.
async fn pay_foreign(person: &Person) {
    let body = order_to_foreign(person).await;
    let refused = order(person, &body).await;
    prove(person, &refused).await;
    order(person, &body).await.ok();
}

fn told_of_charges(app: &TestApp, person: &Person) -> usize {
    let messages = app.outside().messages(person.phone());
    messages
        .iter()
        .filter(|message| message.contains("Збереженою карткою сплачено"))
        .count()
}

on_both_databases! {
    async fn beyond_the_sum_of_a_day_known_recipients_are_proved(app: TestApp) {
        set_defaults(&app, 3_000, 1_000_000).await;
        let olena = app.notary("olena").await;
        pay_foreign(&olena).await;
        let body = order_to_foreign(&olena).await;
        order(&olena, &body).await.ok();
        // 2,501 hryvnias are paid. The next would make it more than 3,000.
        let body = order_to_foreign(&olena).await;
        let refused = order(&olena, &body).await;
        refused.refused(403, "confirmation_required");
        assert_eq!((app.rows("orders").await, app.rows("attempts").await), (2, 2));
        let proof = &refused.json()["proof"];
        assert_eq!((&proof["new_recipients"], &proof["beyond_daily"]), (&json!(0), &json!(3000)));
        app.clock().advance_seconds(60);
        prove(&olena, &refused).await;
        assert!(app.outside().messages(olena.phone())[0].contains("код оплати 1\u{a0}269,26 грн карткою"));
        order(&olena, &body).await.ok();
        // What goes to the accounts of the tables is not counted, and the acquirer's page asks nothing.
        olena.add(PaymentKind::RegistryPayment).await;
        let body = by_card(&olena).await;
        order(&olena, &body).await.ok();
        // Another notary has her own.
        let taras = app.notary("taras").await;
        pay_foreign(&taras).await;
        app.clock().advance(SignedDuration::from_hours(24));
        olena.log_in().await;
        let body = order_to_foreign(&olena).await;
        order(&olena, &body).await.ok();
        app.finish_and_check().await;
    }

    async fn what_was_declined_is_not_counted(app: TestApp) {
        set_defaults(&app, 1_300, 1_000_000).await;
        let olena = app.notary("olena").await;
        let mut body = order_to_foreign(&olena).await;
        body["token_id"] = olena.save_card("4000000000000002").into();
        let refused = order(&olena, &body).await;
        prove(&olena, &refused).await;
        assert_eq!(order(&olena, &body).await.ok()["order"]["status"], "failed");
        let body = order_to_foreign(&olena).await;
        order(&olena, &body).await.ok();
        let body = order_to_foreign(&olena).await;
        order(&olena, &body).await.refused(403, "confirmation_required");
        app.finish_and_check().await;
    }

    async fn larger_figures_need_a_proof_of_their_own(app: TestApp) {
        let olena = app.notary("olena").await;
        assert_eq!(olena.get(PATH).await.ok(), figures(50_000, 20_000));
        // Smaller ones need none.
        assert_eq!(olena.post(PATH, figures(40_000, 10_000)).await.ok(), figures(40_000, 10_000));
        app.work().await;
        let rows = app.all_rows().await;
        for wanted in [figures(40_001, 10_000), figures(1, 10_001)] {
            let refused = olena.post(PATH, wanted.clone()).await;
            refused.refused(403, "confirmation_required");
            assert_eq!(refused.json()["proof"]["card_figures"], wanted);
        }
        assert_eq!(app.all_rows().await, rows);
        let ask = |wanted: Value| json!({ "card_figures": wanted });
        let started = olena.post("/auth/confirmation", ask(figures(80_000, 30_000))).await.ok();
        let message = app.outside().messages(olena.phone()).swap_remove(0);
        for part in ["80\u{a0}000,00 грн на добу", "від 30\u{a0}000,00 грн"] {
            assert!(message.contains(part), "{message}");
        }
        enter(&olena, &started, &olena.code()).await.ok();
        // The code is good for these alone, in this session, and for nothing else.
        olena.post(PATH, figures(80_001, 30_000)).await.refused(403, "confirmation_required");
        olena.post(PATH, figures(80_000, 30_001)).await.refused(403, "confirmation_required");
        let other = olena.elsewhere();
        other.log_in().await;
        other.post(PATH, figures(80_000, 30_000)).await.refused(403, "confirmation_required");
        assert_eq!(olena.post(PATH, figures(80_000, 30_000)).await.ok(), figures(80_000, 30_000));
        assert_eq!(other.get(PATH).await.ok(), figures(80_000, 30_000));
        // And once.
        olena.post(PATH, figures(1_000, 1_000)).await.ok();
        olena.post(PATH, figures(80_000, 30_000)).await.refused(403, "confirmation_required");
        app.work().await;
        assert!(app.outside().messages(olena.phone()).iter().any(|message| message.contains("змінено межі збережених карток")));
        let told = "select count(*) from audit_events where action = 'card_figures_changed'";
        assert_eq!(app.number(told.to_owned()).await, 3);
        assert_eq!(app.number(format!("{told} and changes like '%\"proved\"%'")).await, 1);
        let taras = app.notary("taras").await;
        assert_eq!(taras.get(PATH).await.ok(), figures(50_000, 20_000));
    }

    async fn figures_are_sums(app: TestApp) {
        let olena = app.notary("olena").await;
        let rows = app.all_rows().await;
        for (body, field, key) in [
            (json!({ "told_from": 1 }), "daily_unproved_max", "field_required"),
            (json!({ "daily_unproved_max": 1 }), "told_from", "field_required"),
            (figures(0, 1), "daily_unproved_max", "amount_invalid"),
            (json!({ "daily_unproved_max": 1, "told_from": 1.001 }), "told_from", "amount_invalid"),
            (json!({ "daily_unproved_max": "1", "told_from": 1 }), "daily_unproved_max", "field_type_wrong"),
        ] {
            let answer = olena.post(PATH, body).await;
            assert_eq!(answer.status, 422, "{}", answer.text());
            let fields: Vec<_> = answer.fields().into_iter().collect();
            assert_eq!(fields, [(field.to_owned(), vec![key.to_owned()])]);
        }
        assert_eq!(app.all_rows().await, rows);
    }

    async fn on_a_new_device_no_code_makes_figures_larger(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.device_known_after = SignedDuration::from_hours(24)).await;
        let olena = app.notary("olena").await;
        olena.post(PATH, figures(80_000, 20_000)).await.refused(403, "device_too_new_for_act");
        let asked = json!({ "card_figures": figures(80_000, 20_000) });
        olena.post("/auth/confirmation", asked).await.refused(403, "device_too_new_for_act");
        olena.post(PATH, figures(40_000, 20_000)).await.ok();
    }

    async fn a_notary_is_told_of_a_large_charge(app: TestApp) {
        set_defaults(&app, 50_000, 1_269).await;
        let olena = app.notary("olena").await;
        pay_foreign(&olena).await;
        app.work().await;
        assert_eq!(told_of_charges(&app, &olena), 1);
        // The acquirer's page asks its card's holder, and smaller sums are not told.
        order_to_foreign(&olena).await;
        let pending = olena.order_cart().await;
        app.outside().pay(pending["widget_url"].as_str().unwrap(), "4242424242424242").await;
        olena.until(&pending, "paid").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let body = by_card(&olena).await;
        order(&olena, &body).await.ok();
        app.work().await;
        assert_eq!(told_of_charges(&app, &olena), 1);
        // It is the charge that counts, not how the order was begun.
        order_to_foreign(&olena).await;
        let begun = olena.order_cart().await;
        app.outside().pay(begun["widget_url"].as_str().unwrap(), "4000000000000002").await;
        olena.until(&begun, "failed").await;
        let token = json!({ "token_id": olena.save_card("4242424242424242") });
        let path = format!("/order/{}/pay", begun["id"].as_str().unwrap());
        assert_eq!(olena.post(&path, token).await.ok()["order"]["status"], "paid");
        app.work().await;
        assert_eq!(told_of_charges(&app, &olena), 2);
        app.finish_and_check().await;
    }
}
