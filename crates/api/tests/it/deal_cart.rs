//! Deals: their payments go into the cart, all at once or none.

use axum::http::Method;
use cabinet_test_kit::{Answer, Client, PETRO, PaymentKind, Person, ZORIA, on_both_databases};
use serde_json::{Value, json};

use crate::deals_kept::order_of;
use crate::receipts::{assert_contains_all, document};

/// Buys from [`PETRO`].
const BUYER: Client = ZORIA;

pub const NOON: &str = "2026-06-01T09:00:00Z";

/// The second sale of a flat in the year.
pub fn second_sale() -> Value {
    json!({
        "kind_id": "sale-home",
        "price": 1_500_000,
        "valuation": 2_100_000.50,
        "answers": {
            "seller": "seller-resident",
            "buyer": "buyer-person",
            "real-estate-sale": "real-estate-sale-second",
            "owned": "owned-over-3-years",
            "pension-levy-exemption": "pension-levy-due",
            "registration-exemption": "registration-fee-due",
        },
    })
}

/// The recipient that the form would offer first in Kyiv.
async fn recipient(person: &Person, way: &Value) -> Value {
    let mut path = format!(
        "/payment-types/region/requisites?payment_type_region_id=ua-30&payment_type_id={}",
        way["payment_type"]["id"].as_str().unwrap()
    );
    if let Some(term) = way["term"]["id"].as_str() {
        path.push_str(&format!("&payment_type_option_term_id={term}"));
    }
    person.get(&path).await.ok()["requisites"][0]["id"].clone()
}

/// Returns the whole deal as the page asks for it: each payment that can be made here, as it was calculated.
pub async fn whole_deal(person: &Person) -> Value {
    whole_deal_of(
        person,
        second_sale(),
        json!({ "inn": PETRO.inn, "full_name": PETRO.full_name }),
    )
    .await
}

/// The same of any sale by a seller.
pub async fn whole_deal_of(person: &Person, mut deal: Value, seller: Value) -> Value {
    person.keep_own_account().await;
    let calculation = person.post("/deal/calculate", deal.clone()).await.ok();
    let mut lines = serde_json::Map::new();
    for payment in calculation["payments"].as_array().unwrap() {
        let outcome = &payment["outcome"];
        let way = &outcome["way"];
        let mut line = json!({ "action": "add", "amount": outcome["sum"] });
        match way["way"].as_str() {
            Some("template") => {}
            Some("fee" | "register") => {
                line["payment_type_region_id"] = "ua-30".into();
                line["payment_type_requisite_id"] = recipient(person, way).await;
            }
            _ => continue,
        }
        lines.insert(payment["id"].as_str().unwrap().to_owned(), line);
    }
    let buyer = json!({ "inn": BUYER.inn, "full_name": BUYER.full_name });
    deal["parties"] = json!({ "seller": seller, "buyer": buyer });
    deal["lines"] = Value::Object(lines);
    deal
}

pub async fn add(person: &Person, key: &str, deal: &Value) -> Answer {
    let call = person.call(Method::POST, "/deal/cart");
    call.header("idempotency-key", key).json(deal).send().await
}

async fn count(person: &Person) -> Value {
    person.get("/cart/items/count").await.ok()["items_count"].clone()
}

/// Names and sums of the items of a group.
fn items(group: &Value) -> Vec<(Value, Value)> {
    let items = group["items"].as_array().unwrap().iter();
    items
        .map(|item| {
            (
                item["payment_type"]["slug"].clone(),
                item["sum_base"].clone(),
            )
        })
        .collect()
}

on_both_databases! {
    async fn everything_is_added_at_once_for_each_payer(app: TestApp) {
        app.clock().set(NOON);
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let deal = whole_deal(&olena).await;
        let added = add(&olena, &olena.fresh_key(), &deal).await.ok();
        assert_eq!(added, json!({ "items_count": 4, "added": 4 }));
        let cart = olena.get("/cart").await.ok();
        let groups = cart["groups"].as_array().unwrap();
        let of = |client: Client| groups.iter().find(|group| group["client"]["inn"] == client.inn).unwrap();
        // 5 % of the larger sum, and what the register tells; the pension levy is paid elsewhere.
        assert_eq!(items(of(PETRO)), [
            (json!("requisites_payment"), json!(105_000.03)),
            (json!("requisites_payment"), json!(105_000.03)),
            (json!("registry_payment"), json!(40)),
        ]);
        assert_eq!(items(of(BUYER)), [(json!("admin_payment"), json!(330))]);
        let tax = &of(PETRO)["items"][0];
        assert!(tax["purpose"].as_str().unwrap().contains(PETRO.inn), "{tax}");
        // Another notary sees nothing of it.
        assert_eq!(count(&taras).await, 0);

        // The same recipients are offered for the next deal.
        let next = olena.post("/deal/calculate", second_sale()).await.ok();
        for payment in next["payments"].as_array().unwrap() {
            let id = payment["id"].as_str().unwrap();
            let last = &payment["outcome"]["way"]["last"];
            if id == "ownership-registration" || id == "register-information" {
                let line = &deal["lines"][id];
                assert_eq!(last["payment_type_requisite_id"], line["payment_type_requisite_id"]);
                assert_eq!(last["payment_type_region_id"], "ua-30");
            } else {
                assert_eq!(last, &Value::Null);
            }
        }
        let of_taras = taras.post("/deal/calculate", second_sale()).await.ok();
        assert!(!of_taras.to_string().contains("payment_type_requisite_id"));

        let order = olena.order_cart().await;
        olena.pay(&order).await;
        app.finish_and_check().await;
        // It is remembered from the order as well.
        let paid = olena.post("/deal/calculate", second_sale()).await.ok();
        assert_eq!(paid["payments"], next["payments"]);
    }

    async fn each_of_two_sellers_pays_her_taxes_of_her_share(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let mut sale = second_sale();
        sale["payers"] = json!([{ "part": 1, "of": 3 }, { "part": 2, "of": 3 }]);
        let mut deal = whole_deal_of(&olena, sale, json!({ "inn": PETRO.inn, "full_name": PETRO.full_name })).await;
        // Without the second seller nothing is added.
        add(&olena, &olena.fresh_key(), &deal).await.refused(422, "client_inn_required");
        let second = json!({ "inn": "3000000001", "full_name": "Продавець Друга" });
        deal["parties"]["seller:2"] = second.clone();
        let added = add(&olena, &olena.fresh_key(), &deal).await.ok();
        assert_eq!(added["added"], 6);
        let cart = olena.get("/cart").await.ok();
        let groups = cart["groups"].as_array().unwrap();
        let of = |inn: &str| groups.iter().find(|group| group["client"]["inn"] == inn).unwrap();
        // 2 100 000,50 are 700 000,17 and 1 400 000,33; what is owed once is the first seller's.
        let requisites = json!("requisites_payment");
        assert_eq!(items(of(PETRO.inn)), [
            (requisites.clone(), json!(35_000.01)),
            (requisites.clone(), json!(35_000.01)),
            (json!("registry_payment"), json!(40)),
        ]);
        assert_eq!(items(of("3000000001")), [(requisites.clone(), json!(70_000.02)), (requisites, json!(70_000.02))]);
        assert!(of("3000000001")["items"][0]["purpose"].as_str().unwrap().contains("3000000001"));

        // Each seller's order has the whole calculation, with the names of both.
        let order = order_of(&olena, "3000000001").await;
        olena.pay(&order).await;
        let id = order["id"].as_str().unwrap();
        let printed = olena.get(&format!("/order/{id}/deal-calculation")).await;
        let text = document(&printed, &format!("Deal-{id}.pdf"));
        assert_contains_all(&text, &[
            &format!("Продавець 1: {}, код {}", PETRO.full_name, PETRO.inn),
            "Продавець 2: Продавець Друга, код 3000000001",
            "Частка 2/3",
            "5 % від більшої із сум: 1 400 000,33 грн",
            "від частки 2/3",
        ]);
        for wrong in [json!([{ "part": 1, "of": 2 }, { "part": 1, "of": 3 }]), json!([{ "part": 0, "of": 1 }, { "part": 1, "of": 1 }])] {
            let mut sale = second_sale();
            sale["payers"] = wrong;
            let answer = olena.post("/deal/calculate", sale).await;
            answer.refused(422, "shares_invalid");
            assert_eq!(answer.fields()["payers"], ["shares_invalid"]);
        }
        app.finish_and_check().await;
    }

    async fn each_object_and_share_has_its_fee_and_the_deal_keeps_what_was_said(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let mut deal = second_sale();
        deal["building_price"] = json!(1_000_000.25);
        deal["objects"] = json!(2);
        deal["owners"] = json!(3);
        let seller = json!({ "inn": PETRO.inn, "full_name": PETRO.full_name });
        let deal = whole_deal_of(&olena, deal, seller).await;
        assert_eq!(deal["lines"]["ownership-registration"]["amount"], 1_980);
        // What the screen showed for one object is another price.
        let mut stale = deal.clone();
        stale["lines"]["ownership-registration"]["amount"] = json!(330);
        add(&olena, &olena.fresh_key(), &stale).await.refused(409, "price_changed");
        add(&olena, &olena.fresh_key(), &deal).await.ok();
        let cart = olena.get("/cart").await.ok();
        let groups = cart["groups"].as_array().unwrap();
        let all = groups.iter().flat_map(|group| group["items"].as_array().unwrap());
        let counted: Vec<_> = all
            .filter(|item| item["count"] != 1)
            .map(|item| (item["payment_type"]["slug"].as_str().unwrap(), item["count"].as_i64().unwrap(), item["sum_base"].as_f64().unwrap()))
            .collect();
        assert_eq!(counted.len(), 2, "{counted:?}");
        assert!(counted.contains(&("admin_payment", 6, 330.0)) && counted.contains(&("registry_payment", 2, 40.0)), "{counted:?}");
        let kept = "select count(*) from deals where building_price = 100000025 and costs is null and objects = 2 and owners = 3";
        assert_eq!(app.number(kept.to_owned()).await, 1);
        let order = olena.order_cart().await;
        let id = order["id"].as_str().unwrap();
        let printed = olena.get(&format!("/order/{id}/deal-calculation")).await;
        let text = document(&printed, &format!("Deal-{id}.pdf"));
        assert_contains_all(&text, &[
            "Ціна будівлі без землі 1 000 000,25 грн",
            "Кількість об’єктів 2",
            "Кількість набувачів 3",
            "за тарифом, 6 × 330,00 грн",
            "1 % від ціни: 1 000 000,25 грн",
            "лише від ціни будівлі, без землі",
        ]);
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn a_repeated_key_adds_nothing_twice(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let deal = whole_deal(&olena).await;
        let key = olena.fresh_key();
        let tasks: Vec<_> = (0..5).map(|_| {
            let (olena, key, deal) = (olena.clone(), key.clone(), deal.clone());
            tokio::spawn(async move { add(&olena, &key, &deal).await.ok() })
        }).collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), json!({ "items_count": 4, "added": 4 }));
        }
        // Also once the fees are others.
        app.clock().set("2027-02-01T09:00:00Z");
        olena.log_in().await;
        assert_eq!(add(&olena, &key, &deal).await.ok()["added"], 4);
        assert_eq!(count(&olena).await, 4);
        let mut other = deal.clone();
        other["lines"]["income-tax"] = json!({ "action": "leave_out", "reason": "Сплачено раніше" });
        add(&olena, &key, &other).await.refused(409, "idempotency_key_reused");
        let mut other = deal.clone();
        other["parties"]["buyer"]["full_name"] = json!("ТОВ «Вечірня зоря»");
        add(&olena, &key, &other).await.refused(409, "idempotency_key_reused");
        add(&olena, "short", &deal).await.refused(422, "idempotency_key_invalid");
        assert_eq!(count(&olena).await, 4);
        assert_eq!(app.rows("deals").await, 1);
    }

    async fn nothing_is_added_where_one_payment_is_wrong(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let deal = whole_deal(&olena).await;
        let with = |path: &str, value: Value| {
            let mut deal = deal.clone();
            *deal.pointer_mut(path).unwrap() = value;
            deal
        };
        let requisite = "/lines/ownership-registration/payment_type_requisite_id";
        let region = "/lines/ownership-registration/payment_type_region_id";
        let tax = "/lines/income-tax";
        for (deal, field, key) in [
            (with(requisite, json!("nobody")), "lines.ownership-registration.payment_type_requisite_id", "requisite_not_for_region"),
            (with(requisite, json!(null)), "lines.ownership-registration.payment_type_requisite_id", "payment_type_requisite_required"),
            (with(region, json!(5)), "lines.ownership-registration.payment_type_region_id", "field_type_wrong"),
            (with("/parties/buyer/inn", json!("123")), "parties.buyer.inn", "client_inn_format_invalid"),
            (with("/parties/seller/full_name", json!("4242 4242 4242 4242")), "parties.seller.full_name", "card_number_not_accepted"),
            (with("/parties", json!({ "landlord": {} })), "parties", "id_invalid"),
            (with("/parties/buyer", json!(7)), "parties.buyer", "field_type_wrong"),
            (with("/lines", json!({ "Not an id": {} })), "lines", "id_invalid"),
            (with("/lines", json!([])), "lines", "field_type_wrong"),
            (with("/lines/income-tax/amount", json!(1.005)), "lines.income-tax.amount", "amount_invalid"),
            (with("/lines/income-tax/amount", json!(null)), "lines.income-tax.amount", "amount_required"),
            (with("/lines/income-tax/action", json!("forget")), "lines.income-tax.action", "id_invalid"),
            (with("/lines/income-tax/action", json!(null)), "lines.income-tax.action", "field_required"),
            (with(tax, json!({ "action": "leave_out" })), "lines.income-tax.reason", "field_required"),
            (with(tax, json!({ "action": "leave_out", "reason": "x".repeat(251) })), "lines.income-tax.reason", "text_too_long"),
            (with(tax, json!({ "action": "other_sum", "amount": 5 })), "lines.income-tax.reason", "field_required"),
            (with("/price", json!(0)), "price", "amount_invalid"),
            (with("/lines/register-information/action", json!("other_sum")), "lines.register-information.reason", "field_required"),
        ] {
            let answer = add(&olena, &olena.fresh_key(), &deal).await;
            assert_eq!(answer.status, 422, "{field}");
            assert_eq!(answer.fields().get(field), Some(&vec![key.to_owned()]), "{:?}", answer.fields());
        }
        // A payment of the deal that is not named, one that is paid elsewhere, and a fee at a price of one's own.
        let mut without = deal.clone();
        without["lines"].as_object_mut().unwrap().remove("income-tax");
        let answer = add(&olena, &olena.fresh_key(), &without).await;
        assert_eq!(answer.fields(), [("lines.income-tax.action".to_owned(), vec!["field_required".to_owned()])].into());
        let mut elsewhere = deal.clone();
        elsewhere["lines"]["pension-levy"] = json!({ "action": "add", "amount": 15_000 });
        let answer = add(&olena, &olena.fresh_key(), &elsewhere).await;
        answer.refused(422, "template_unknown");
        let mut cheap = deal.clone();
        cheap["lines"]["register-information"]["action"] = json!("other_sum");
        cheap["lines"]["register-information"]["reason"] = json!("Так дешевше");
        cheap["lines"]["register-information"]["amount"] = json!(1);
        add(&olena, &olena.fresh_key(), &cheap).await.refused(422, "amount_invalid");
        // Everything that is wrong is named together.
        let nobody = with("/parties", json!({}));
        let fields = add(&olena, &olena.fresh_key(), &nobody).await.fields();
        assert_eq!(fields.into_keys().collect::<Vec<_>>(), [
            "parties.buyer.full_name", "parties.buyer.inn", "parties.seller.full_name", "parties.seller.inn",
        ]);
        assert_eq!(count(&olena).await, 0);
        assert_eq!(app.rows("clients").await, 0);
        assert_eq!(app.rows("deals").await, 0);
        app.anonymous().post("/deal/cart", deal).await.refused(401, "unauthorized");
    }

    async fn a_price_other_than_the_one_on_the_screen_adds_nothing(app: TestApp) {
        app.clock().set("2025-12-31T21:58:00Z");
        let olena = app.notary("olena").await;
        let deal = whole_deal(&olena).await;
        app.clock().set("2025-12-31T22:00:00Z");
        let answer = add(&olena, &olena.fresh_key(), &deal).await;
        answer.refused(409, "price_changed");
        assert_eq!(answer.fields().into_keys().collect::<Vec<_>>(), ["lines.ownership-registration.amount"]);
        // What is not owed any more is another price too.
        let mut first = deal.clone();
        first["answers"]["real-estate-sale"] = json!("real-estate-sale-first");
        let answer = add(&olena, &olena.fresh_key(), &first).await;
        answer.refused(409, "price_changed");
        assert!(answer.fields().contains_key("lines.income-tax.amount"));
        // So is what the buyer withholds.
        let mut withheld = deal.clone();
        withheld["answers"]["buyer"] = json!("buyer-business");
        let answer = add(&olena, &olena.fresh_key(), &withheld).await;
        answer.refused(409, "price_changed");
        assert!(answer.fields().contains_key("lines.military-levy.amount"));
        assert_eq!(count(&olena).await, 0);
    }

    async fn a_payment_is_left_out_or_has_another_sum_with_a_reason(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let mut deal = whole_deal(&olena).await;
        deal["lines"]["income-tax"] = json!({ "action": "other_sum", "amount": 90_000, "reason": "Витрати на придбання" });
        deal["lines"]["ownership-registration"] = json!({ "action": "leave_out", "reason": "Реєструє інший нотаріус" });
        // The buyer has nothing to pay, so nobody asks who it is.
        deal["parties"].as_object_mut().unwrap().remove("buyer");
        assert_eq!(add(&olena, &olena.fresh_key(), &deal).await.ok()["added"], 3);
        assert_eq!(items(&olena.group().await)[0].1, 90_000);
        for line in deal["lines"].as_object_mut().unwrap().values_mut() {
            *line = json!({ "action": "leave_out", "reason": "Сплачено" });
        }
        let answer = add(&olena, &olena.fresh_key(), &deal).await;
        assert_eq!(answer.fields()["lines"], ["field_required"]);
        assert_eq!(count(&olena).await, 3);
    }

    async fn a_cart_without_room_for_all_takes_none(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let deal = whole_deal(&olena).await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        for _ in 0..198 {
            olena.add_payment(&payment).await;
        }
        add(&olena, &olena.fresh_key(), &deal).await.refused(409, "cart_full");
        assert_eq!(count(&olena).await, 198);
    }

    async fn one_person_on_both_sides_has_one_group(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let mut deal = whole_deal(&olena).await;
        deal["parties"]["buyer"] = deal["parties"]["seller"].clone();
        add(&olena, &olena.fresh_key(), &deal).await.ok();
        assert_eq!(olena.get("/cart").await.ok()["groups"].as_array().unwrap().len(), 1);
    }

    async fn without_an_account_in_the_profile_it_is_asked_for(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let deal = whole_deal(&olena).await;
        olena.post_proved("/me", json!({ "iban": "", "okpo": "" })).await.ok();
        let answer = add(&olena, &olena.fresh_key(), &deal).await;
        assert_eq!(answer.fields()["lines.ownership-registration.iban"], ["your_iban_required"]);
    }
}
