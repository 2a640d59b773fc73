//! Fees follow the year. Those of an earlier year are shown as such, and refused from a day that the operator sets.

use std::collections::BTreeMap;

use cabinet_app::{FeesOfEarlierYears, Reading, TableChoices};
use cabinet_domain::TemplateId;
use cabinet_test_kit::{PaymentKind, Person, TestApp, log_written, on_both_databases, on_sqlite};
use jiff::civil::date;
use serde_json::{Value, json};

/// The last moment of 2026 in Kyiv, and the first of 2027.
const BEFORE_YEAR: &str = "2026-12-31T21:59:59.999Z";
const AT_YEAR: &str = "2026-12-31T22:00:00Z";
/// The last moment before 31 January 2027 in Kyiv, and that day's first.
const BEFORE_SET_DAY: &str = "2027-01-30T21:59:59.999Z";
const AT_SET_DAY: &str = "2027-01-30T22:00:00Z";

async fn term(person: &Person, option: &str, term: &str) -> Value {
    let path = format!("/payment-types/option/terms?payment_type_option_id={option}");
    let terms = person.get(&path).await.ok()["terms"].clone();
    let mut terms = terms.as_array().unwrap().iter();
    terms.find(|one| one["id"] == term).unwrap().clone()
}

/// The first option of the registry payment.
async fn registry_option(person: &Person) -> Value {
    let path = "/payment-types/fields?payment_type_id=registry";
    person.get(path).await.ok()["options"][0]["additional_data"].clone()
}

async fn change(person: &Person) -> Value {
    person.group().await["items"][0]["change"].clone()
}

/// Ends the fee of ownership in 2026 and adds that of 2027.
fn with_fee_of_2027(files: &mut BTreeMap<String, String>) {
    let taxes = files.get_mut("term-taxes.csv").unwrap();
    *taxes = taxes.replace(
        "ownership-5wd,330.00,2026-01-01,,",
        "ownership-5wd,330.00,2026-01-01,2026-12-31,",
    );
    taxes.push_str("ownership-5wd,350.00,2027-01-01,,,,,,\n");
}

/// Gives the recipient of ownership in Lviv an account that is not invented, and adds columns to the recipients' table.
fn with_real_account(files: &mut BTreeMap<String, String>, columns: &str, cells: &str) {
    let table = files.get_mut("requisites.csv").unwrap();
    let empty = ",".repeat(columns.matches(',').count());
    let rows = table.lines().map(|row| match row {
        header if header.starts_with("id,") => format!("{header}{columns}"),
        row if row.starts_with("ua-46-22012600-2026,") => {
            let row = row.replace("Демонстраційний", "Львів").replace(
                "UA768999980999022012600460051",
                "UA648999980333119340000013001",
            );
            format!("{}no{cells}", row.strip_suffix("yes").unwrap())
        }
        row => format!("{row}{empty}"),
    });
    *table = rows.collect::<Vec<_>>().join("\n");
}

/// What the form is told of the only recipient of ownership in Lviv: the day of the last confirmation, where it is not of this year.
async fn unconfirmed(person: &Person) -> Value {
    let path = "/payment-types/region/requisites?payment_type_region_id=ua-46&payment_type_id=admin&payment_type_option_term_id=ownership-5wd";
    person.get(path).await.ok()["requisites"][0]["unconfirmed"].clone()
}

/// A notary who has signed in just before a moment.
async fn notary_before(app: &TestApp, sign_in: &str) -> Person {
    app.clock().set(sign_in);
    app.notary("olena").await
}

on_both_databases! {
    async fn from_midnight_in_kyiv_a_fee_is_of_last_year_and_still_paid(app: TestApp) {
        let olena = notary_before(&app, "2026-12-31T21:58:00Z").await;
        let of_2026 = json!({ "valid_from": "2026-01-01", "refused_from": "2027-01-31" });
        for (moment, expected) in [(BEFORE_YEAR, json!(null)), (AT_YEAR, of_2026)] {
            app.clock().set(moment);
            assert_eq!(term(&olena, "ownership", "ownership-5wd").await["stale"], expected, "{moment}");
            assert_eq!(registry_option(&olena).await["stale"], expected, "{moment}");
        }
        olena.add(PaymentKind::AdminPayment).await;
        assert_eq!(change(&olena).await, json!(null));
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn from_1_december_a_fee_says_that_the_next_years_is_missing(app: TestApp) {
        let olena = notary_before(&app, "2026-11-30T21:58:00Z").await;
        let missing = async || [term(&olena, "ownership", "ownership-5wd").await, registry_option(&olena).await].map(|fee| fee["outdated_from"].clone());
        let first = json!("2027-01-01");
        for (moment, expected) in [("2026-11-30T21:59:59.999Z", json!(null)), ("2026-11-30T22:00:00Z", first.clone())] {
            app.clock().set(moment);
            assert_eq!(missing().await, [expected.clone(), expected], "{moment}");
        }
        app.load_reference(with_fee_of_2027).await;
        app.work().await;
        assert_eq!(missing().await, [json!(null), first.clone()]);
        let olena = notary_before(&app, "2026-12-31T21:58:00Z").await;
        for (moment, expected) in [(BEFORE_YEAR, first), (AT_YEAR, json!(null))] {
            app.clock().set(moment);
            assert_eq!(registry_option(&olena).await["outdated_from"], expected, "{moment}");
        }
    }

    async fn an_account_that_nobody_confirmed_this_year_is_told_to_the_notary(app: TestApp) {
        let olena = notary_before(&app, "2026-12-31T21:58:00Z").await;
        app.clock().set(BEFORE_YEAR);
        // An invented account, and tables without the column, of which only the operator is told.
        assert_eq!(unconfirmed(&olena).await, json!(null));
        let columns = ",confirmed_on,confirmed_source";
        for (columns, cells, before, after) in [
            ("", "", json!(null), json!(null)),
            (columns, ",2026-02-03,a letter", json!(null), json!({ "confirmed_on": "2026-02-03" })),
            (columns, ",2025-12-31,a letter", json!({ "confirmed_on": "2025-12-31" }), json!({ "confirmed_on": "2025-12-31" })),
            (columns, ",,", json!({ "confirmed_on": null }), json!({ "confirmed_on": null })),
        ] {
            app.load_reference(|files| with_real_account(files, columns, cells)).await;
            app.work().await;
            app.clock().set(BEFORE_YEAR);
            assert_eq!(unconfirmed(&olena).await, before, "{cells}");
            app.clock().set(AT_YEAR);
            assert_eq!(unconfirmed(&olena).await, after, "{cells}");
        }
    }

    async fn the_treasurys_last_day_is_told_from_ten_days_before_until_the_year_ends(app: TestApp) {
        let told = async |moment: &str| {
            app.clock().set(moment);
            app.anonymous().get("/config").await.ok()["treasury_last_day"].clone()
        };
        let last = "2026-12-27T22:00:00Z";
        // Nobody has told the day of 2026.
        assert_eq!(told(last).await, json!(null));
        app.load_reference(|files| files.get_mut("treasury-last-days.csv").unwrap().push_str("2026-12-28,a letter\n")).await;
        app.work().await;
        assert_eq!(told("2026-12-17T21:59:59.999Z").await, json!(null));
        for moment in ["2026-12-17T22:00:00Z", last, BEFORE_YEAR] {
            assert_eq!(told(moment).await, json!("2026-12-28"), "{moment}");
        }
        assert_eq!(told(AT_YEAR).await, json!(null));
    }

    async fn from_20_december_a_payment_may_name_the_next_year_of_filing_and_keeps_its_price(app: TestApp) {
        app.load_reference(with_fee_of_2027).await;
        app.work().await;
        let olena = notary_before(&app, "2026-12-19T21:58:00Z").await;
        olena.keep_own_account().await;
        let form = olena.form(PaymentKind::AdminPayment).await;
        let next = form.clone().with("filing_year", 2027).with("amount", 350).with("sum", 370);
        let refused = async |body: &Value| {
            let answer = olena.post("/cart/add", body.clone()).await;
            answer.refused(422, "filing_year_invalid");
            assert_eq!(answer.fields()["filing_year"], ["filing_year_invalid"]);
        };
        app.clock().set("2026-12-19T21:59:59.999Z");
        assert_eq!(term(&olena, "ownership", "ownership-5wd").await["next_year"], json!(null));
        refused(&next.body).await;
        app.clock().set("2026-12-19T22:00:00Z");
        assert_eq!(term(&olena, "ownership", "ownership-5wd").await["next_year"], json!({ "year": 2027, "amount": 350 }));
        // This term's fee of 2027 is not loaded, nor are the tariffs of registers.
        assert_eq!(term(&olena, "ownership", "ownership-2wd").await["next_year"], json!(null));
        assert_eq!(registry_option(&olena).await["next_year"], json!(null));
        let registry = olena.form(PaymentKind::RegistryPayment).await.with("filing_year", 2027);
        refused(&registry.body).await;
        for year in [2025, 2028] {
            refused(&form.clone().with("filing_year", year).body).await;
        }
        olena.post("/cart/add", form.clone().with("filing_year", 2027).body).await.refused(409, "price_changed");

        // One for each year, and one that names the present year.
        let kept = olena.add_payment(&next).await;
        olena.add_payment(&form).await;
        olena.add_payment(&form.clone().with("filing_year", 2026)).await;
        let seen = async |person: &Person| {
            let group = person.group().await;
            let items = group["items"].as_array().unwrap().iter();
            items.map(|item| (item["filing_year"].clone(), item["sum_full"].clone(), item["change"]["message"].clone())).collect::<Vec<_>>()
        };
        let (of_2027, of_2026) = ((json!(2027), json!(370), json!(null)), (json!(null), json!(350), json!(null)));
        assert_eq!(seen(&olena).await, [of_2027.clone(), of_2026.clone(), of_2026.clone()]);
        let editable = olena.get(&format!("/cart/item/{kept}")).await.ok();
        assert_eq!((&editable["item"]["filing_year"], &editable["payment_data"]["changed"]), (&json!(2027), &json!(false)));
        let edit = json!({ "cart_item_id": kept, "version": editable["version"], "payment": next.body });
        olena.post("/cart/item/edit", edit).await.ok();

        let olena = notary_before(&app, "2026-12-31T21:58:00Z").await;
        app.clock().set(BEFORE_YEAR);
        assert_eq!(seen(&olena).await, [of_2027.clone(), of_2026.clone(), of_2026]);
        app.clock().set(AT_YEAR);
        let changed = (json!(null), json!(350), json!("price_changed"));
        assert_eq!(seen(&olena).await, [of_2027.clone(), changed.clone(), changed]);
        // The year has come, and the form that was filled in for it is right.
        olena.add_payment(&next).await;
        assert_eq!(seen(&olena).await[3], (json!(null), json!(370), json!(null)));
    }

    async fn an_order_for_a_filing_in_january_is_paid_at_its_price_after_midnight_and_repeated_as_one_of_today(app: TestApp) {
        app.load_reference(with_fee_of_2027).await;
        app.work().await;
        let olena = notary_before(&app, "2026-12-31T21:57:00Z").await;
        let form = olena.form(PaymentKind::AdminPayment).await;
        let next = form.with("filing_year", 2027).with("amount", 350).with("sum", 370);
        olena.add_payment(&next).await;
        let paid = olena.order_cart().await;
        assert_eq!(paid["sum"], 370);
        olena.pay(&paid).await;
        olena.post(&format!("/order/{}/repeat", paid["id"].as_str().unwrap()), json!({})).await.ok();
        let item = olena.group().await["items"][0].clone();
        assert_eq!((&item["filing_year"], &item["sum_full"], &item["change"]), (&json!(null), &json!(350), &json!(null)));
        olena.post("/cart/item/delete", json!({ "cart_item_id": item["id"] })).await.ok();

        olena.add_payment(&next).await;
        let waiting = olena.order_cart().await;
        app.clock().set(AT_YEAR);
        let link = format!("/order/{}/update/pay-link", waiting["id"].as_str().unwrap());
        olena.get(&link).await.ok();
        let order = olena.order(&waiting).await;
        assert_eq!(order["sum"], 370);
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn from_the_set_day_a_fee_of_last_year_is_refused_until_new_ones_are_loaded(app: TestApp) {
        let olena = notary_before(&app, "2027-01-30T21:58:00Z").await;
        let payment = olena.form(PaymentKind::AdminPayment).await;
        app.clock().set(BEFORE_SET_DAY);
        let item = olena.add_payment(&payment).await;
        app.clock().set(BEFORE_SET_DAY);
        assert_eq!(change(&olena).await, json!(null));
        app.clock().set(AT_SET_DAY);
        assert_eq!(change(&olena).await, json!({ "message": "fee_of_last_year", "price": null }));
        let answer = olena.post("/cart/add", payment.body.clone()).await;
        answer.refused(422, "fee_of_last_year");
        assert_eq!(answer.fields()["payment_type_option_term_id"], ["fee_of_last_year"]);
        let body = olena.order_body().await;
        olena.create_order(&olena.fresh_key(), &body).await.refused(409, "fee_of_last_year");
        assert_eq!(app.rows("orders").await, 0);

        // A registry tariff is refused alike. Payments to any requisites have no fee of a year.
        let tariff = olena.form(PaymentKind::RegistryPayment).await;
        let answer = olena.post("/cart/add", tariff.body.clone()).await;
        answer.refused(422, "fee_of_last_year");
        assert_eq!(answer.fields()["payment_type_option_id"], ["fee_of_last_year"]);
        let free = olena.add(PaymentKind::RequisitesPayment).await;
        olena.post("/cart/item/delete", json!({ "cart_item_id": free })).await.ok();

        app.load_reference(with_fee_of_2027).await;
        app.work().await;
        assert_eq!(term(&olena, "ownership", "ownership-5wd").await["stale"], json!(null));
        assert_eq!(change(&olena).await["message"], "price_changed");
        olena.post("/cart/item/refresh", json!({ "cart_item_id": item })).await.ok();
        let order = olena.order_cart().await;
        assert_eq!(order["sum"], 370);
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn an_unpaid_order_is_not_paid_at_a_refused_fee(app: TestApp) {
        let olena = notary_before(&app, "2027-01-30T21:58:00Z").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        app.clock().set(AT_SET_DAY);
        let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        olena.get(&link).await.refused(409, "order_returned_to_cart");
        assert_eq!(change(&olena).await["message"], "fee_of_last_year");
        app.finish_and_check().await;
    }

    async fn fixed_fees_and_the_operators_day_refuse_nothing(app: TestApp) {
        app.load_reference(|files| {
            let tariffs = files.get_mut("option-tariffs.csv").unwrap();
            let rows: Vec<String> = tariffs.lines().map(|row| format!("{row}{}", if row.starts_with("option_id") { "" } else { "yes" })).collect();
            *tariffs = rows.join("\n");
        }).await;
        app.work().await;
        let olena = notary_before(&app, "2027-03-01T10:00:00Z").await;
        assert_eq!(registry_option(&olena).await["stale"], json!(null));
        olena.add(PaymentKind::RegistryPayment).await;
        let payment = olena.form(PaymentKind::AdminPayment).await;
        olena.post("/cart/add", payment.body.clone()).await.refused(422, "fee_of_last_year");

        app.restart_with(|settings| settings.app.table_choices.stale_fees_refused_from = None).await;
        let stale = term(&olena, "ownership", "ownership-5wd").await["stale"].clone();
        assert_eq!(stale, json!({ "valid_from": "2026-01-01", "refused_from": null }));
        olena.add_payment(&payment).await;
        assert_eq!(olena.get("/cart").await.ok()["items_count"], 2);
    }

    async fn stored_tables_from_before_the_column_fixed_are_only_warned_of(app: TestApp) {
        app.load_reference(|files| {
            let tariffs = files.get_mut("option-tariffs.csv").unwrap();
            let rows: Vec<&str> = tariffs.lines().map(|row| row.rsplit_once(',').unwrap().0).collect();
            *tariffs = rows.join("\n");
        }).await;
        app.work().await;
        let olena = notary_before(&app, "2027-03-01T10:00:00Z").await;
        assert_eq!(registry_option(&olena).await["stale"]["refused_from"], json!(null));
        olena.add(PaymentKind::AdminPayment).await;
    }

    async fn stored_rows_that_break_a_newer_rule_are_named_with_what_to_do(app: TestApp) {
        app.execute("update reference_files set content = replace(content, 'ownership-5wd,330.00,', 'ownership-5wd,-330.00,')".to_owned()).await;
        let services = app.services();
        let store = services.store.clone();
        let error = cabinet_app::catalogue::reference::stored_tables(&store, &TableChoices::default()).await.unwrap_err().to_string();
        assert!(error.contains("1 rows of the stored reference data") && error.contains("cabinet reference load DIR"), "{error}");
        assert!(error.contains("term-taxes.csv:3: tax is not a sum"), "{error}");
    }

    async fn the_operator_chooses_how_short_terms_are_read(app: TestApp) {
        let olena = app.notary("olena").await;
        let taxes = async |person: &Person| {
            let mut taxes = Vec::new();
            for (option, id) in [("entity-change", "entity-change-6h"), ("entity-change", "entity-change-2h"), ("proprietor-change", "proprietor-change-6h"), ("proprietor-change", "proprietor-change-2h")] {
                taxes.push(term(person, option, id).await["tax"].as_i64().unwrap());
            }
            taxes
        };
        assert_eq!(taxes(&olena).await, [2_000, 4_990, 670, 1_660]);
        app.restart_with(|settings| settings.app.table_choices.reading = Reading::Surcharge).await;
        assert_eq!(taxes(&olena).await, [3_000, 5_990, 1_000, 1_990]);
        assert_eq!(term(&olena, "entity-change", "entity-change-24h").await["tax"], 1_000);
    }

    async fn an_unconfirmed_template_is_offered_by_the_operators_decision(app: TestApp) {
        let olena = app.notary("olena").await;
        let offered = async |person: &Person| {
            let list = person.get("/payment-types/requisites/templates").await.ok();
            let mut templates = list["requisites_templates"].as_array().unwrap().iter();
            templates.any(|template| template["id"] == "purchase-levy")
        };
        assert!(!offered(&olena).await);
        let form = olena.form(PaymentKind::RequisitesPayment).await.with("requisites_template", "purchase-levy");
        olena.post("/cart/add", form.body.clone()).await.refused(422, "template_unknown");
        app.restart_with(|settings| settings.app.table_choices = TableChoices {
            unconfirmed_templates: TemplateId::parse("purchase-levy").into_iter().collect(),
            ..TableChoices::default()
        }).await;
        assert!(offered(&olena).await);
        olena.add_payment(&form).await;
    }
}

on_sqlite! {
    async fn from_1_december_the_log_names_what_the_next_year_lacks(app: TestApp) {
        let warnings = |moment: &str| {
            app.services().reference.warn_of_old_rows(moment.parse().unwrap());
            log_written().matches("will be of an earlier year").count()
        };
        assert_eq!(warnings("2026-11-30T21:59:59Z"), 0);
        assert_eq!((warnings("2026-11-30T22:00:00Z"), warnings("2026-12-01T21:59:59Z")), (1, 1));
        assert_eq!((warnings(BEFORE_YEAR), warnings(AT_YEAR)), (2, 2));
        let data = app.services().reference.current().unwrap();
        let on = |day| FeesOfEarlierYears::of_next_year(day, &data).map(|missing| missing.to_string());
        assert_eq!((on(date(2026, 11, 30)), on(date(2027, 1, 1))), (None, None));
        let told = on(date(2026, 12, 1)).unwrap();
        assert!(told.starts_with("34 fees in force on 2027-01-01 will be of an earlier year (term-taxes.csv ") && told.ends_with("load those of 2027 before that day. `cabinet reference year 2027` computes them, `cabinet reference load DIR` loads them"), "{told}");
    }

    async fn the_log_warns_once_a_day_in_kyiv_and_again_of_new_tables(app: TestApp) {
        let warnings = |moment: &str| {
            app.services().reference.warn_of_old_rows(moment.parse().unwrap());
            log_written().matches("fees in force are of an earlier year").count()
        };
        assert_eq!(warnings(BEFORE_YEAR), 0);
        assert_eq!((warnings(AT_YEAR), warnings("2027-01-01T21:59:59Z")), (1, 1));
        assert_eq!(warnings("2027-01-01T22:00:00Z"), 2);
        app.load_reference(with_fee_of_2027).await;
        app.work().await;
        assert_eq!((warnings("2027-01-01T22:00:01Z"), warnings("2027-01-01T22:00:02Z")), (3, 3));
    }

    async fn the_log_names_accounts_of_an_earlier_year_and_one_line_tells_of_tables_that_cannot(app: TestApp) {
        let warnings = |moment: &str, words: &str| {
            app.services().reference.warn_of_old_rows(moment.parse().unwrap());
            log_written().matches(words).count()
        };
        let old = "the accounts of 1 recipients were not confirmed in";
        assert_eq!(warnings(BEFORE_YEAR, "confirmed"), 0);
        app.load_reference(|files| with_real_account(files, "", "")).await;
        app.work().await;
        let cannot = "the tables do not tell when the accounts of 1 recipients were last confirmed";
        assert_eq!((warnings(BEFORE_YEAR, cannot), warnings(BEFORE_YEAR, cannot)), (1, 1));
        app.load_reference(|files| with_real_account(files, ",confirmed_on,confirmed_source", ",2026-02-03,a letter")).await;
        app.work().await;
        assert_eq!((warnings(BEFORE_YEAR, old), warnings(AT_YEAR, old), warnings(AT_YEAR, old)), (0, 1, 1));
        assert!(log_written().contains("not confirmed in 2027 (last: ua-46-22012600-2026 on 2026-02-03): they may be of an earlier year"));
    }

    async fn from_1_december_the_log_says_that_the_treasurys_last_day_is_missing(app: TestApp) {
        let warnings = |moment: &str| {
            app.services().reference.warn_of_old_rows(moment.parse().unwrap());
            log_written().matches("the tables lack the last day of 2026 on which the Treasury takes payments").count()
        };
        assert_eq!((warnings("2026-11-30T21:59:59Z"), warnings("2026-11-30T22:00:00Z")), (0, 1));
        app.load_reference(|files| files.get_mut("treasury-last-days.csv").unwrap().push_str("2026-12-28,a letter\n")).await;
        app.work().await;
        assert_eq!((warnings("2026-11-30T22:00:00Z"), warnings(BEFORE_YEAR)), (1, 1));
    }
}
