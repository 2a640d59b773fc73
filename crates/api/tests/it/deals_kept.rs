//! Deals whose payments were put into the cart: what is kept of them, the document, and what becomes of both.

use axum::http::Method;
use cabinet_app::operator::erasure::Reason;
use cabinet_domain::Phone;
use cabinet_test_kit::{Answer, PETRO, PaymentKind, Person, TestApp, ZORIA, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::deal_cart::{NOON, add, second_sale, whole_deal};
use crate::receipts::{assert_contains_all, document};

/// A card that the sandbox's bank declines.
const DECLINED: &str = "4000000000000002";

const REASON: &str = "Гнатюк П. О. сплатив раніше";

/// The whole deal, with another sum of one payment and one left out.
async fn decided_deal(person: &Person) -> Value {
    let mut deal = whole_deal(person).await;
    deal["lines"]["income-tax"] =
        json!({ "action": "other_sum", "amount": 90_000, "reason": "Витрати на придбання" });
    deal["lines"]["register-information"] = json!({ "action": "leave_out", "reason": REASON });
    deal
}

/// Makes an order of the group of a client.
pub async fn order_of(person: &Person, inn: &str) -> Value {
    let cart = person.get("/cart").await.ok();
    let groups = cart["groups"].as_array().unwrap().iter();
    let group = groups.clone().find(|group| group["client"]["inn"] == inn);
    let body = json!({ "client_id": group.unwrap()["client"]["id"], "locale": "uk" });
    let created = person.create_order(&person.fresh_key(), &body).await;
    created.ok()["order"].clone()
}

async fn printed(person: &Person, order: &Value) -> Answer {
    let id = order["id"].as_str().unwrap();
    person.get(&format!("/order/{id}/deal-calculation")).await
}

fn text_of(answer: &Answer, order: &Value) -> String {
    document(
        answer,
        &format!("Deal-{}.pdf", order["id"].as_str().unwrap()),
    )
}

async fn draft(person: &Person, deal: &Value) -> Answer {
    let call = person.call(Method::POST, "/deal/calculation");
    call.json(deal).send().await
}

async fn all_deals(app: &TestApp) -> [i64; 4] {
    let mut rows = [0; 4];
    for (row, table) in
        rows.iter_mut()
            .zip(["deals", "deal_answers", "deal_payments", "deal_items"])
    {
        *row = app.rows(table).await;
    }
    rows
}

on_both_databases! {
    async fn a_deal_travels_with_its_orders(app: TestApp) {
        app.clock().set(NOON);
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let deal = decided_deal(&olena).await;
        let key = olena.fresh_key();
        add(&olena, &key, &deal).await.ok();
        add(&olena, &key, &deal).await.ok();
        let [deals, answers, payments, items] = all_deals(&app).await;
        assert_eq!((deals, answers, items), (1, 6, 3));
        assert!(payments > 4, "what is not owed is kept as well");
        assert_eq!(app.number("select count(*) from deals where tables_version >= 1 and calculated_on = '2026-06-01'".to_owned()).await, 1);
        // It names nobody of itself.
        let named = "select count(*) from deal_payments where reason is null and recipient like '%Гнатюк%'";
        assert_eq!(app.number(named.to_owned()).await, 0);

        let seller = order_of(&olena, PETRO.inn).await;
        assert_eq!(olena.order(&seller).await["of_deal"], true);
        let listed = olena.get("/order").await.ok();
        assert_eq!(listed["orders"][0]["of_deal"], true);
        let text = text_of(&printed(&olena, &seller).await, &seller);
        assert_contains_all(&text, &[
            "Розрахунок платежів за нотаріальною дією",
            "Дата розрахунку 01.06.2026",
            "Ціна за договором 1 500 000,00 грн",
            "Оціночна вартість 2 100 000,50 грн",
            &format!("Продавець: {}, код {}", PETRO.full_name, PETRO.inn),
            &format!("Покупець: {}, код {}", ZORIA.full_name, ZORIA.inn),
            "5 % від більшої із сум: 2 100 000,50 грн",
            "інша сума; за розрахунком 105 000,03 грн",
            "Витрати на придбання",
            REASON,
            "не сплачується",
            "Сплачується окремо, не в кабінеті.",
            "у кабінеті 195 000,03 грн",
        ]);
        printed(&taras, &seller).await.refused(404, "order_not_found");
        olena.pay(&seller).await;

        // The tables change, the deal doesn't.
        app.load_reference(|files| {
            let lines = files.get_mut("deal-lines.csv").unwrap();
            *lines = lines.replace("Податок на доходи", "Новий податок на доходи");
        }).await;
        let buyer = order_of(&olena, ZORIA.inn).await;
        let text = text_of(&printed(&olena, &buyer).await, &buyer);
        assert!(!text.contains("Новий податок"), "{text}");
        olena.pay(&buyer).await;

        // A payment of its own has no deal.
        olena.add(PaymentKind::RegistryPayment).await;
        let own = olena.order_cart().await;
        assert_eq!(olena.order(&own).await["of_deal"], false);
        printed(&olena, &own).await.refused(404, "not_found");
        olena.pay(&own).await;
        app.finish_and_check().await;
    }

    async fn a_calculation_is_printed_before_anything_is_stored(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let mut deal = decided_deal(&olena).await;
        let rows = app.all_rows().await;
        // Nothing is decided yet, and nobody is named.
        let text = document(&draft(&olena, &second_sale()).await, "Deal.pdf");
        assert_contains_all(&text, &["Розрахунок платежів за нотаріальною дією", "105 000,03 грн", "Платник Продавець"]);
        deal["parties"]["buyer"]["inn"] = json!("");
        let text = document(&draft(&olena, &deal).await, "Deal.pdf");
        assert_contains_all(&text, &[REASON, PETRO.full_name, PETRO.inn, ZORIA.full_name, "90 000,00 грн"]);
        assert!(!text.contains(ZORIA.inn));
        assert_eq!(app.all_rows().await, rows);

        for (path, value, field, key) in [
            ("/price", json!("dear"), "price", "field_type_wrong"),
            ("/answers", json!({}), "answers", "field_required"),
            ("/lines/income-tax/action", json!("forget"), "lines.income-tax.action", "id_invalid"),
            ("/lines/income-tax/reason", json!("4242 4242 4242 4242"), "lines.income-tax.reason", "card_number_not_accepted"),
            ("/lines/ownership-registration/action", json!("other_sum"), "lines.ownership-registration.amount", "amount_invalid"),
            ("/parties/seller/inn", json!("123"), "parties.seller.inn", "client_inn_format_invalid"),
            ("/parties/seller/full_name", json!("4242 4242 4242 4242"), "parties.seller.full_name", "card_number_not_accepted"),
        ] {
            let mut wrong = deal.clone();
            *wrong.pointer_mut(path).unwrap() = value;
            let answer = draft(&olena, &wrong).await;
            assert_eq!(answer.status, 422, "{field}");
            assert_eq!(answer.fields().get(field), Some(&vec![key.to_owned()]), "{:?}", answer.fields());
        }
        app.anonymous().post("/deal/calculation", deal).await.refused(401, "unauthorized");
    }

    async fn the_next_deal_is_offered_the_answers_and_the_clients_of_the_last(app: TestApp) {
        app.clock().set(NOON);
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let kind = |kinds: Value| kinds["kinds"].as_array().unwrap().iter().find(|kind| kind["id"] == "sale-home").unwrap().clone();
        assert_eq!(kind(olena.get("/deal/kinds").await.ok())["last_answers"], Value::Null);
        let mut deal = whole_deal(&olena).await;
        add(&olena, &olena.fresh_key(), &deal).await.ok();
        assert_eq!(kind(olena.get("/deal/kinds").await.ok())["last_answers"], second_sale()["answers"]);
        app.clock().advance_seconds(60);
        deal["answers"]["owned"] = json!("owned-up-to-3-years");
        let answers = deal["answers"].clone();
        let answer = add(&olena, &olena.fresh_key(), &deal).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(kind(olena.get("/deal/kinds").await.ok())["last_answers"], answers);
        let clients = olena.post("/book/clients/search", json!({})).await.ok()["clients"].clone();
        let mut codes: Vec<&str> = clients.as_array().unwrap().iter().map(|client| client["inn"].as_str().unwrap()).collect();
        codes.sort_unstable();
        let mut expected = [PETRO.inn, ZORIA.inn];
        expected.sort_unstable();
        assert_eq!(codes, expected);
        assert_eq!(taras.post("/book/clients/search", json!({})).await.ok()["clients"], json!([]));
        assert_eq!(kind(taras.get("/deal/kinds").await.ok())["last_answers"], Value::Null);
    }

    async fn payments_that_come_back_are_still_of_the_deal(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let token = olena.save_card(DECLINED);
        add(&olena, &olena.fresh_key(), &decided_deal(&olena).await).await.ok();
        let cart = olena.get("/cart").await.ok();
        let group = cart["groups"].as_array().unwrap().iter().find(|group| group["client"]["inn"] == PETRO.inn).unwrap();
        let body = json!({ "client_id": group["client"]["id"], "locale": "uk", "token_id": token });
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        app.load_reference(|files| files.get_mut("tariffs.csv").unwrap().push_str("2026-06-02,2.5,14.00\n")).await;
        app.work().await;
        app.clock().advance_seconds(16 * 3_600);
        olena.log_in().await;
        let path = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        olena.get(&path).await.refused(409, "order_returned_to_cart");
        assert_eq!(all_deals(&app).await[3], 5, "the order keeps its own");
        let cart = olena.get("/cart").await.ok();
        for item in cart["groups"].as_array().unwrap().iter().flat_map(|group| group["items"].as_array().unwrap().clone()) {
            olena.post("/cart/item/refresh", json!({ "cart_item_id": item["id"] })).await.ok();
        }
        let again = order_of(&olena, PETRO.inn).await;
        assert_eq!(olena.order(&again).await["of_deal"], true);
        let text = text_of(&printed(&olena, &again).await, &again);
        assert_eq!(text.matches("Розрахунок складено").count(), 1);
        assert_contains_all(&text, &[PETRO.full_name, "інша сума; за розрахунком 105 000,03 грн"]);
        olena.pay(&again).await;
        app.finish_and_check().await;
    }

    async fn a_deal_goes_with_its_last_item(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        add(&olena, &olena.fresh_key(), &decided_deal(&olena).await).await.ok();
        let cart = olena.get("/cart").await.ok();
        let items: Vec<Value> = cart["groups"].as_array().unwrap().iter()
            .flat_map(|group| group["items"].as_array().unwrap().clone()).collect();
        for item in &items {
            olena.post("/cart/item/delete", json!({ "cart_item_id": item["id"] })).await.ok();
        }
        app.services().maintenance.tidy_up().await.unwrap();
        assert_eq!(app.rows("deals").await, 1, "the items can be restored");
        app.clock().advance(SignedDuration::from_hours(25));
        app.services().maintenance.tidy_up().await.unwrap();
        assert_eq!(all_deals(&app).await, [0; 4]);
    }

    async fn reasons_go_with_the_client(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        add(&olena, &olena.fresh_key(), &decided_deal(&olena).await).await.ok();
        let seller = order_of(&olena, PETRO.inn).await;
        olena.pay(&seller).await;
        app.execute("update transfers set status = 'credited'".to_owned()).await;
        let services = app.services();
        let now = services.now();
        let notary = Phone::parse("+380501110001").unwrap();
        services.operator.erasure().erase_client(notary, PETRO.inn, Reason::Request, now).await.unwrap();
        assert!(app.stores(REASON).await, "bookkeeping needs it");
        for _ in 0..6 {
            app.clock().advance(SignedDuration::from_hours(24 * 366));
            app.ask_acquirer().await;
            app.work().await;
        }
        assert_eq!(app.services().store.truncate_journal().await, Ok(true));
        for text in [REASON, "Гнатюк", PETRO.inn] {
            assert!(!app.stores(text).await, "{text} is left");
        }
        olena.log_in().await;
        // The calculation stays, and names those who are left.
        let text = text_of(&printed(&olena, &seller).await, &seller);
        assert_contains_all(&text, &["105 000,03", "Дані знеособлено", "Платник Продавець", ZORIA.full_name]);
        assert!(!text.contains(PETRO.inn), "{text}");
        let buyer = "select count(*) from clients where erased_at is null".to_owned();
        assert_eq!(app.number(buyer).await, 1);
        services.operator.erasure().erase_client(Phone::parse("+380501110001").unwrap(), ZORIA.inn, Reason::Request, now).await.unwrap();
        assert_eq!(app.rows("deals").await, 1, "the seller's order is kept");
        assert_eq!(app.rows("deal_items").await, 2);
        app.finish_and_check().await;
    }
}
