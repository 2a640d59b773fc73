//! Deals: the questions of a kind, and the payments that follow from the answers.

use axum::http::Method;
use cabinet_domain::{NotaryStatus, Phone};
use cabinet_test_kit::{Person, TestApp, on_both_databases};
use serde_json::{Value, json};

/// The last moment of 2025 in Kyiv, and the first of 2026.
const BEFORE_YEAR: &str = "2025-12-31T21:59:59.999Z";
const AT_YEAR: &str = "2025-12-31T22:00:00Z";

/// The second sale of a flat in the year.
fn second_sale() -> Value {
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

async fn calculate(person: &Person, deal: &Value) -> Value {
    person.post("/deal/calculate", deal.clone()).await.ok()
}

/// The payment of a calculation.
fn payment(calculation: &Value, id: &str) -> Value {
    let mut payments = calculation["payments"].as_array().unwrap().iter();
    payments
        .find(|payment| payment["id"] == id)
        .unwrap()
        .clone()
}

async fn become_state_notary(app: &TestApp, person: &Person) {
    let services = app.services();
    let me = person.call(Method::POST, "/auth/me").send().await.ok();
    let phone = Phone::parse(me["phone"].as_str().unwrap()).unwrap();
    let confirmation = services.operator.account_confirmation();
    let set = confirmation.set_status(
        phone,
        NotaryStatus::State,
        "Перевірено за реєстром",
        services.now(),
    );
    set.await.unwrap();
}

on_both_databases! {
    async fn a_deal_is_asked_for_and_calculated(app: TestApp) {
        app.clock().set("2026-06-01T09:00:00Z");
        let olena = app.notary("olena").await;
        let kinds = olena.get("/deal/kinds").await.ok();
        let home = &kinds["kinds"][0];
        assert_eq!((&home["id"], &home["sums"]), (&json!("sale-home"), &json!(["price", "valuation", "building_price", "costs"])));
        assert_eq!(home["optional_sums"], json!(["building_price", "costs"]));
        assert_eq!((&home["counts_objects"], &home["counts_shares"]), (&json!(true), &json!(true)));
        // Any first answer to each question makes a deal of every kind.
        for kind in kinds["kinds"].as_array().unwrap() {
            let questions = kind["questions"].as_array().unwrap().iter();
            let answers = questions.map(|question| {
                (question["id"].as_str().unwrap().to_owned(), question["answers"][0]["id"].clone())
            });
            let answers: serde_json::Map<_, _> = answers.collect();
            let deal = json!({ "kind_id": kind["id"], "price": 1, "valuation": 2, "answers": answers });
            assert!(!calculate(&olena, &deal).await["payments"].as_array().unwrap().is_empty(), "{kind}");
        }

        let calculation = calculate(&olena, &second_sale()).await;
        assert_eq!(calculation["date"], "2026-06-01");
        let tax = payment(&calculation, "income-tax");
        assert_eq!((&tax["payer"], &tax["unconfirmed"]), (&json!("seller"), &json!(false)));
        assert_eq!(tax["name"], "Податок на доходи фізичних осіб");
        assert!(tax["ground"].as_str().unwrap().contains("172.2"));
        // 5 % of the larger sum, 2 100 000,50.
        assert_eq!(tax["outcome"], json!({
            "state": "due",
            "sum": 105_000.03,
            "count": 1,
            "percentage": { "base": "larger", "base_sum": 2_100_000.5, "basis_points": 500, "minimum": null, "maximum": null },
            "stale": null,
            "way": { "way": "template", "template_id": "income-tax" },
        }));
        assert_eq!(payment(&calculation, "military-levy")["outcome"]["way"], json!({ "way": "template", "template_id": "military-levy" }));
        let levy = payment(&calculation, "pension-levy");
        assert_eq!((&levy["payer"], &levy["outcome"]["sum"]), (&json!("buyer"), &json!(15_000)));
        assert_eq!(levy["outcome"]["way"], json!({ "way": "unconfirmed" }));
        assert_eq!(payment(&calculation, "state-duty")["outcome"], json!({ "state": "nothing" }));
        let registration = payment(&calculation, "ownership-registration")["outcome"].clone();
        assert_eq!(registration["sum"], 330);
        assert_eq!((&registration["way"]["payment_type"]["slug"], &registration["way"]["term"]["id"]), (&json!("admin_payment"), &json!("ownership-act")));
        assert_eq!(payment(&calculation, "register-information")["outcome"]["way"]["way"], "register");
    }

    async fn what_a_deal_says_beside_is_calculated_with_its_doubt(app: TestApp) {
        app.clock().set("2026-06-01T09:00:00Z");
        let olena = app.notary("olena").await;
        let mut deal = second_sale();
        deal["answers"]["real-estate-sale"] = json!("real-estate-sale-third");
        deal["building_price"] = json!(1_000_000);
        deal["costs"] = json!(100_000.5);
        deal["objects"] = json!(2);
        deal["owners"] = json!(2);
        let calculation = calculate(&olena, &deal).await;
        let told = |line: &str| {
            let payment = payment(&calculation, line);
            (payment["outcome"]["sum"].clone(), payment["outcome"]["count"].clone(), payment["unconfirmed"].clone())
        };
        // 18 % of 2 000 000; the levy stays 5 % of the larger sum.
        assert_eq!(told("income-tax"), (json!(360_000), json!(1), json!(true)));
        assert_eq!(told("military-levy"), (json!(105_000.03), json!(1), json!(true)));
        assert_eq!(told("pension-levy"), (json!(10_000), json!(1), json!(true)));
        assert_eq!(told("ownership-registration"), (json!(1_320), json!(4), json!(true)));
        assert_eq!(told("register-information"), (json!(80), json!(2), json!(true)));
        let ground = |line: &str| payment(&calculation, line)["ground"].as_str().unwrap().to_owned();
        assert!(ground("income-tax").ends_with("; дохід зменшено на документально підтверджені витрати"));
        assert!(ground("pension-levy").ends_with("; лише від ціни будівлі, без землі"));
        // A deal that says nothing of it has no doubt of it.
        let plain = calculate(&olena, &second_sale()).await;
        assert_eq!(payment(&plain, "ownership-registration")["unconfirmed"], false);
        assert_eq!(payment(&plain, "pension-levy")["unconfirmed"], false);
    }

    async fn a_company_that_sells_is_not_asked_how_often_it_sold(app: TestApp) {
        app.clock().set("2026-06-01T09:00:00Z");
        let olena = app.notary("olena").await;
        let kinds = olena.get("/deal/kinds").await.ok();
        let questions = kinds["kinds"][0]["questions"].as_array().unwrap();
        let spared: Vec<_> = questions.iter().filter(|question| question["spared_by"] == json!(["seller-company"])).map(|question| &question["id"]).collect();
        assert_eq!(spared, ["buyer", "real-estate-sale", "owned"]);
        let mut deal = second_sale();
        deal["answers"]["seller"] = json!("seller-company");
        let with_all = calculate(&olena, &deal).await;
        for question in ["buyer", "real-estate-sale", "owned"] {
            deal["answers"].as_object_mut().unwrap().remove(question);
        }
        assert_eq!(calculate(&olena, &deal).await, with_all);
        assert_eq!(payment(&with_all, "income-tax")["outcome"], json!({ "state": "nothing" }));
        deal["answers"]["seller"] = json!("seller-resident");
        let refused = olena.post("/deal/calculate", deal).await;
        assert_eq!(refused.fields()["answers"], ["field_required"]);
    }

    async fn a_company_that_buys_withholds_the_taxes(app: TestApp) {
        app.clock().set("2026-06-01T09:00:00Z");
        let olena = app.notary("olena").await;
        let mut deal = second_sale();
        deal["answers"]["buyer"] = json!("buyer-business");
        let calculation = calculate(&olena, &deal).await;
        for (line, sum) in [("income-tax", json!(105_000.03)), ("military-levy", json!(105_000.03))] {
            let withheld = payment(&calculation, line);
            assert_eq!((&withheld["payer"], &withheld["outcome"]["sum"]), (&json!("seller"), &sum));
            assert_eq!(withheld["outcome"]["way"], json!({ "way": "withheld" }));
            assert!(withheld["ground"].as_str().unwrap().ends_with("; утримує й сплачує інша сторона – податковий агент"), "{withheld}");
        }
        assert_eq!(payment(&calculation, "ownership-registration")["outcome"]["sum"], 330);
    }

    async fn a_gift_to_a_spouse_needs_no_valuation(app: TestApp) {
        app.clock().set("2026-06-01T09:00:00Z");
        let olena = app.notary("olena").await;
        let kinds = olena.get("/deal/kinds").await.ok();
        let kinds = kinds["kinds"].as_array().unwrap();
        let gift = kinds.iter().find(|kind| kind["id"] == "gift-real-estate").unwrap();
        assert_eq!((&gift["sums"], &gift["optional_sums"]), (&json!(["valuation"]), &json!(["valuation"])));
        let car = kinds.iter().find(|kind| kind["id"] == "sale-car").unwrap();
        assert_eq!(car["optional_sums"], json!([]));
        let mut deal = json!({ "kind_id": "gift-real-estate", "answers": {
            "donor": "donor-person",
            "recipient": "recipient-close-kin",
            "residency": "residency-all",
            "registration-exemption": "registration-fee-due",
        } });
        let calculation = calculate(&olena, &deal).await;
        for line in ["income-tax", "military-levy", "state-duty"] {
            assert_eq!(payment(&calculation, line)["outcome"], json!({ "state": "nothing" }), "{line}");
        }
        become_state_notary(&app, &olena).await;
        let duty = payment(&calculate(&olena, &deal).await, "state-duty")["outcome"].clone();
        assert_eq!((&duty["sum"], &duty["percentage"]), (&json!(17), &Value::Null));
        // Five percent are taken of the valuation.
        deal["answers"]["recipient"] = json!("recipient-other");
        let answer = olena.post("/deal/calculate", deal).await;
        assert_eq!(answer.fields()["valuation"], ["amount_required"]);
    }

    async fn a_line_of_a_deal_goes_into_the_cart_as_it_says(app: TestApp) {
        app.clock().set("2026-06-01T09:00:00Z");
        let olena = app.notary("olena").await;
        let calculation = calculate(&olena, &second_sale()).await;
        let due = payment(&calculation, "ownership-registration")["outcome"].clone();
        let form = olena.form(cabinet_test_kit::PaymentKind::AdminPayment).await;
        let form = form
            .with("payment_type_id", due["way"]["payment_type"]["id"].clone())
            .with("payment_type_option_id", due["way"]["option"]["id"].clone())
            .with("payment_type_option_term_id", due["way"]["term"]["id"].clone())
            .with("amount", due["sum"].clone());
        olena.add_payment(&form).await;
        assert_eq!(olena.group().await["items"][0]["sum_base"], due["sum"]);
    }

    async fn the_day_and_the_status_of_the_notary_decide(app: TestApp) {
        app.clock().set("2025-12-31T21:58:00Z");
        let olena = app.notary("olena").await;
        let fee = |calculation: &Value| payment(calculation, "ownership-registration")["outcome"].clone();
        app.clock().set(BEFORE_YEAR);
        let calculation = calculate(&olena, &second_sale()).await;
        assert_eq!((&calculation["date"], &fee(&calculation)["sum"]), (&json!("2025-12-31"), &json!(300)));
        app.clock().set(AT_YEAR);
        let calculation = calculate(&olena, &second_sale()).await;
        assert_eq!((&calculation["date"], &fee(&calculation)["sum"]), (&json!("2026-01-01"), &json!(330)));

        become_state_notary(&app, &olena).await;
        let calculation = calculate(&olena, &second_sale()).await;
        assert_eq!(fee(&calculation)["way"]["payment_type"]["slug"], "admin_government_payment");
        let duty = payment(&calculation, "state-duty");
        assert_eq!(duty["unconfirmed"], true);
        // 1 % of 2 100 000,50, rounded half up.
        assert_eq!((&duty["outcome"]["sum"], &duty["outcome"]["percentage"]["minimum"]), (&json!(21_000.01), &json!(17)));
        let act = json!({ "kind_id": "power-of-attorney" });
        let act = calculate(&olena, &act).await;
        assert_eq!(payment(&act, "state-duty")["outcome"]["state"], "unknown");

        app.clock().set("2027-01-02T09:00:00Z");
        let taras = app.notary("taras").await;
        let calculation = calculate(&taras, &second_sale()).await;
        assert_eq!(fee(&calculation)["stale"], json!({ "valid_from": "2026-01-01", "refused_from": "2027-01-31" }));
    }

    async fn every_bad_field_of_a_deal_is_named(app: TestApp) {
        app.clock().set("2026-06-01T09:00:00Z");
        let olena = app.notary("olena").await;
        let with = |changes: Value| {
            let mut deal = second_sale();
            for (name, value) in changes.as_object().unwrap() {
                deal[name.as_str()] = value.clone();
            }
            deal
        };
        let answer = olena.post("/deal/calculate", json!({})).await;
        assert_eq!(answer.fields()["kind_id"], ["field_required"]);
        for (changes, field, key) in [
            (json!({ "kind_id": "barter" }), "kind_id", "not_found"),
            (json!({ "kind_id": "No id" }), "kind_id", "not_found"),
            (json!({ "kind_id": 5 }), "kind_id", "field_type_wrong"),
            (json!({ "price": null }), "price", "amount_required"),
            (json!({ "price": 0 }), "price", "amount_invalid"),
            (json!({ "valuation": 1.005 }), "valuation", "amount_invalid"),
            (json!({ "building_price": 1_500_000.01 }), "building_price", "amount_invalid"),
            (json!({ "costs": 0 }), "costs", "amount_invalid"),
            (json!({ "objects": 0 }), "objects", "count_invalid"),
            (json!({ "owners": 1.5 }), "owners", "count_invalid"),
            (json!({ "objects": 500, "owners": 2 }), "owners", "count_invalid"),
            (json!({ "answers": {} }), "answers", "field_required"),
            (json!({ "answers": [] }), "answers", "field_type_wrong"),
            (json!({ "answers": { "seller": "Not an id" } }), "answers", "id_invalid"),
        ] {
            let answer = olena.post("/deal/calculate", with(changes)).await;
            answer.refused(422, key);
            let fields = answer.fields();
            assert_eq!(fields, [(field.to_owned(), vec![key.to_owned()])].into());
        }
        let mut wrong = second_sale();
        wrong["answers"]["seller"] = json!("owned-inherited");
        let answer = olena.post("/deal/calculate", wrong).await;
        assert_eq!(answer.fields()["answers"], ["id_invalid"]);

        // A stranger is told nothing.
        let stranger = app.anonymous();
        stranger.get("/deal/kinds").await.refused(401, "unauthorized");
        stranger.post("/deal/calculate", second_sale()).await.refused(401, "unauthorized");
    }
}
