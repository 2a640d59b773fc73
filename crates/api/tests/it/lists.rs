//! The lists of the payment form.

use axum::http::Method;
use cabinet_test_kit::{Answer, Person, on_both_databases, on_sqlite};
use serde_json::{Value, json};

/// The last moment of 2025 in Kyiv, and the first of 2026.
const BEFORE_YEAR: &str = "2025-12-31T21:59:59.999Z";
const AT_YEAR: &str = "2025-12-31T22:00:00Z";

async fn english(person: &Person, path: &str) -> Value {
    let call = person.call(Method::GET, path);
    call.header("accept-language", "en").send().await.ok()
}

/// The values of a member of each entry.
fn all<'a>(list: &'a Value, member: &str) -> Vec<&'a str> {
    let entries = list.as_array().unwrap().iter();
    entries
        .map(|entry| entry[member].as_str().unwrap())
        .collect()
}

/// The members of an object, by name.
fn members(value: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    names.sort_unstable();
    names
}

fn fields(kind: &str) -> String {
    format!("/payment-types/fields?payment_type_id={kind}")
}

fn terms(option: &str) -> String {
    format!("/payment-types/option/terms?payment_type_option_id={option}")
}

fn requisites(region: &str, kind: &str) -> String {
    format!(
        "/payment-types/region/requisites?payment_type_region_id={region}&payment_type_id={kind}"
    )
}

fn refused_on(answer: &Answer, status: u16, field: &str, key: &str) {
    answer.refused(status, key);
    assert_eq!(
        answer.fields(),
        [(field.to_owned(), vec![key.to_owned()])].into()
    );
}

on_both_databases! {
    async fn lists_are_those_of_the_day_and_of_the_version_that_was_loaded_last(app: TestApp) {
        app.clock().set("2025-12-31T21:58:00Z");
        let olena = app.notary("olena").await;
        app.clock().set(BEFORE_YEAR);
        let term = olena.get(&terms("ownership")).await.ok()["terms"][0].clone();
        assert_eq!((&term["id"], &term["tax"]), (&json!("ownership-5wd"), &json!(300)));
        let of_term = format!("{}&payment_type_option_term_id=ownership-5wd", requisites("ua-30", "admin"));
        let before = olena.get(&of_term).await.ok();
        app.clock().set(AT_YEAR);
        let term = olena.get(&terms("ownership")).await.ok()["terms"][0].clone();
        assert_eq!((&term["id"], &term["tax"]), (&json!("ownership-5wd"), &json!(330)));
        let after = olena.get(&of_term).await.ok();
        let offers = |list: &Value, id: &str| all(&list["requisites"], "id").contains(&id);
        for (id, is_of_2025, is_of_2026) in [("ua-30-holosiivskyi-22012600-2025", true, false), ("ua-30-holosiivskyi-22012600-2026", false, true)] {
            assert_eq!((offers(&before, id), offers(&after, id)), (is_of_2025, is_of_2026), "{id}");
        }

        // New reference data is offered once the worker has loaded it, and expired entries are not.
        app.load_reference(|files| {
            let taxes = files.get_mut("term-taxes.csv").unwrap();
            *taxes = taxes.replace("ownership-5wd,330.00,2026-01-01,,", "ownership-5wd,331.50,2026-01-01,,");
            let templates = files.get_mut("templates.csv").unwrap();
            *templates = templates.replace("{clientName}, код {clientIPN}\",2025-01-01,,yes", "{clientName}, код {clientIPN}\",2025-01-01,2025-12-31,yes");
        })
        .await;
        assert!(!olena.get("/payment-types/requisites/templates").await.ok()["requisites_templates"].as_array().unwrap().is_empty());
        app.work().await;
        assert_eq!(olena.get(&terms("ownership")).await.ok()["terms"][0]["tax"], 331.5);
        let left = olena.get("/payment-types/requisites/templates").await.ok();
        assert!(!all(&left["requisites_templates"], "id").contains(&"state-duty"), "{left}");
    }
}

on_sqlite! {
    async fn the_kinds_come_in_the_order_of_the_select(app: TestApp) {
        let olena = app.notary("olena").await;
        let kinds = olena.get("/payment-types").await.ok();
        assert_eq!(members(&kinds), ["payment_types"]);
        let list = &kinds["payment_types"];
        let of_all = ["admin_payment", "admin_government_payment", "registry_payment", "requisites_payment"];
        assert_eq!(all(list, "slug"), of_all);
        assert_eq!(members(&list[0]), ["id", "slug"]);
        // Each id can be used in the next call.
        for id in all(list, "id") {
            assert_eq!(members(&olena.get(&fields(id)).await.ok()), ["options", "regions"]);
        }
    }

    async fn options_and_regions_are_of_the_kind_and_in_the_language(app: TestApp) {
        let olena = app.notary("olena").await;
        for kind in ["admin", "admin-government"] {
            let list = olena.get(&fields(kind)).await.ok();
            assert!(all(&list["options"], "id").contains(&"ownership"));
            assert_eq!(members(&list["options"][0]), ["additional_data", "id", "name"]);
            assert!(list["options"].as_array().unwrap().iter().all(|option| option["additional_data"] == json!({ "tariff": null, "stale": null, "outdated_from": null, "next_year": null })));
        }
        let registry = olena.get(&fields("registry")).await.ok();
        assert!(!all(&registry["options"], "id").contains(&"ownership"));
        let paper = registry["options"].as_array().unwrap().iter().find(|option| option["id"] == "registry-real-rights-information-paper").unwrap();
        assert_eq!(paper["additional_data"], json!({ "tariff": 80, "stale": null, "outdated_from": null, "next_year": null }));
        // The regions are the same for all of them: 24 oblasts, Kyiv, Sevastopol and Crimea.
        assert_eq!(registry["regions"].as_array().unwrap().len(), 27);
        assert_eq!(registry["regions"][0], json!({ "id": "ua-30", "name": "м. Київ" }));
        let in_english = english(&olena, &fields("registry")).await;
        assert_eq!(in_english["regions"][0], json!({ "id": "ua-30", "name": "Kyiv City" }));
        assert_eq!(all(&in_english["options"], "id"), all(&registry["options"], "id"));
        assert_ne!(all(&in_english["options"], "name"), all(&registry["options"], "name"));
        assert_eq!(olena.get(&fields("requisites")).await.ok(), json!({ "options": [], "regions": [] }));
    }

    async fn terms_are_of_the_option(app: TestApp) {
        let olena = app.notary("olena").await;
        let list = olena.get(&terms("ownership")).await.ok();
        assert_eq!(members(&list), ["terms"]);
        assert_eq!(all(&list["terms"], "id"), ["ownership-5wd", "ownership-2wd", "ownership-1wd", "ownership-2h", "ownership-act"]);
        assert_eq!(list["terms"][0], json!({ "id": "ownership-5wd", "period": "5 робочих днів", "tax": 330, "budget_code": "22012600", "stale": null, "outdated_from": null, "next_year": null }));
        assert_eq!(english(&olena, &terms("ownership")).await["terms"][0]["period"], "5 working days");
        let other = olena.get(&terms("encumbrance")).await.ok();
        assert!(all(&other["terms"], "id").iter().all(|id| id.starts_with("encumbrance-")), "{other}");
        // A register's service has a price of its own and no terms.
        assert_eq!(olena.get(&terms("registry-real-rights-information-paper")).await.ok(), json!({ "terms": [] }));
    }

    async fn recipients_depend_on_region_kind_and_term(app: TestApp) {
        let olena = app.notary("olena").await;
        let list = olena.get(&requisites("ua-30", "admin")).await.ok();
        assert_eq!(members(&list), ["requisites"]);
        assert_eq!(members(&list["requisites"][0]), ["budget_code", "demonstration", "iban", "id", "name", "okpo", "unconfirmed"]);
        let everywhere = all(&list["requisites"], "id");
        for (term, code) in [("ownership-5wd", "22012600"), ("ownership-2wd", "22012900")] {
            let of_term = olena.get(&format!("{}&payment_type_option_term_id={term}", requisites("ua-30", "admin"))).await.ok();
            let of_term = &of_term["requisites"];
            assert!(!all(of_term, "id").is_empty());
            assert!(all(of_term, "budget_code").iter().all(|of_it| *of_it == code), "{of_term}");
            assert!(all(of_term, "id").iter().all(|id| everywhere.contains(id)));
        }
        // Another region has others, and none of the kind of another fee.
        let vinnytsia = olena.get(&requisites("ua-05", "admin")).await.ok();
        assert!(all(&vinnytsia["requisites"], "id").iter().all(|id| id.starts_with("ua-05-")), "{vinnytsia}");
        let registry = olena.get(&requisites("ua-30", "registry")).await.ok();
        assert!(all(&registry["requisites"], "id").iter().all(|id| !everywhere.contains(id)), "{registry}");
        assert!(!all(&registry["requisites"], "id").is_empty());
        // A region where nothing can be paid has an empty list, not an error.
        assert_eq!(olena.get(&requisites("ua-43", "admin")).await.ok(), json!({ "requisites": [] }));
    }

    async fn templates_are_ready_to_be_filled_in(app: TestApp) {
        let olena = app.notary("olena").await;
        let list = olena.get("/payment-types/requisites/templates").await.ok();
        let duty = &list["requisites_templates"][0];
        assert_eq!(*duty, json!({
            "id": "state-duty", "title": "Державне мито за вчинення нотаріальної дії", "amount": null,
            "recipient_name": "ГУК у м.Києві/Демонстраційний/22090100", "recipient_iban": "UA328999980999022090100300001",
            "recipient_code": "37993783", "cbc_code": "22090100", "account_cbc_codes": ["22090100"],
            "comment": "101 Державне мито за вчинення нотаріальної дії, {clientName}, код {clientIPN}",
        }));
        assert_eq!(list["requisites_templates"][1]["amount"], 34);
        let codes = list["payment_codes"].as_array().unwrap();
        assert!(codes.contains(&json!("101")) && !codes.contains(&json!("999")), "{codes:?}");
        let in_english = english(&olena, "/payment-types/requisites/templates").await;
        assert_eq!(in_english["requisites_templates"][0]["title"], "State duty for a notarial act");
        // Texts for the bank are always in Ukrainian.
        assert_eq!(in_english["requisites_templates"][0]["comment"], duty["comment"]);
    }

    async fn what_is_not_named_or_not_there_is_refused_by_its_field(app: TestApp) {
        let olena = app.notary("olena").await;
        for empty in ["/payment-types/fields", "/payment-types/fields?payment_type_id=", "/payment-types/fields?payment_type_id=%20"] {
            refused_on(&olena.get(empty).await, 422, "payment_type_id", "payment_type_required");
        }
        refused_on(&olena.get("/payment-types/option/terms").await, 422, "payment_type_option_id", "payment_type_option_required");
        refused_on(&olena.get("/payment-types/region/requisites?payment_type_id=admin").await, 422, "payment_type_region_id", "payment_type_region_required");
        refused_on(&olena.get("/payment-types/region/requisites?payment_type_region_id=ua-30").await, 422, "payment_type_id", "payment_type_required");
        for wrong in ["nobody", "ADMIN", "../admin", "admin%00", "ua-30", &"a".repeat(5_000)] {
            refused_on(&olena.get(&fields(wrong)).await, 404, "payment_type_id", "payment_type_unknown");
            refused_on(&olena.get(&terms(wrong)).await, 404, "payment_type_option_id", "option_not_for_type");
            refused_on(&olena.get(&requisites("ua-30", wrong)).await, 404, "payment_type_id", "payment_type_unknown");
            if wrong != "ua-30" {
                refused_on(&olena.get(&requisites(wrong, "admin")).await, 404, "payment_type_region_id", "region_unknown");
            }
            let with_term = format!("{}&payment_type_option_term_id={wrong}", requisites("ua-30", "admin"));
            refused_on(&olena.get(&with_term).await, 404, "payment_type_option_term_id", "term_not_for_option");
        }
    }
}
