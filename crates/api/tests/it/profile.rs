//! The notary's profile: fields that the form can change, and those it can't.

use axum::http::Method;
use cabinet_api::openapi;
use cabinet_app::Signer;
use cabinet_app::account::{DecisionError, ProfileRequest};
use cabinet_app::kernel::refusal::{AppError, FieldErrors, RefusalKind};
use cabinet_domain::{
    CertificateNumber, Email, Iban, Inn, Key, Line, NotaryId, Okpo, Origin, PersonName, Phone,
    Profile, RegistryIdentifier, SessionId, SignUpConfirmation, StandingDecision, TruncatedPan,
};
use cabinet_storage::Tx;
use cabinet_storage::testing::execute;
use cabinet_test_kit::{PaymentKind, Person, TestApp, log_written, on_both_databases};
use jiff::civil::date;
use serde_json::{Map, Value, json};

use crate::client_link::link;
use crate::new_accounts::decide;

/// A number that no other test of this program uses.
const CARD: &str = "5425233430109903";

/// Returns the names that wait for the operator.
async fn asked_names(app: &TestApp) -> Vec<String> {
    let waiting = app
        .services()
        .operator
        .account_confirmation()
        .waiting()
        .await
        .unwrap();
    let names = waiting
        .into_iter()
        .filter_map(|notary| notary.requested_name);
    names.map(|name| name.as_str().to_owned()).collect()
}

/// Decides about the name that the operator was shown.
pub(crate) async fn decide_name(
    app: &TestApp,
    person: &Person,
    shown: &str,
    takes: bool,
) -> Result<(), DecisionError> {
    let services = app.services();
    let phone = Phone::parse(person.phone()).unwrap();
    let shown = PersonName::parse(shown).unwrap();
    let (reason, now) = ("Перевірено за реєстром", services.now());
    let confirmation = services.operator.account_confirmation();
    confirmation
        .decide_name(phone, &shown, takes, reason, now)
        .await
}

async fn me(person: &Person) -> Value {
    person.call(Method::POST, "/auth/me").send().await.ok()
}

fn form() -> Value {
    json!({
        "full_name": "Коваль Олена Іванівна",
        "inn": "3068208400",
        "certificate_number": "1209",
        "registry_identifier": "NOTAR20001",
        "phone_additional": "067 765 43 21",
        "email": "olena@notary.example",
        "notary_address": "м. Київ, вул. Перша, 1",
        "card_pan": "542523******9903",
        "iban": "UA22 3052 9900 0002 6001 2345 6789 0",
        "okpo": "3068208400",
        "exemption_date_finish": "2026-12-31",
    })
}

/// Every field of the profile: how it is sent, and how it is answered.
const FIELDS: [(&str, &str, &str); 11] = [
    ("full_name", "Ґудзь Марія Петрівна", "Ґудзь Марія Петрівна"),
    ("registry_identifier", "OTHER1", "OTHER1"),
    ("inn", "123456789", "123456789"),
    ("certificate_number", "1209", "1209"),
    ("phone_additional", "067 765 43 21", "+380677654321"),
    ("email", "maria@notary.example", "maria@notary.example"),
    (
        "notary_address",
        "м. Львів, вул. Друга, 2",
        "м. Львів, вул. Друга, 2",
    ),
    ("card_pan", "542523******9903", "542523******9903"),
    (
        "iban",
        "UA22 3052 9900 0002 6001 2345 6789 0",
        "UA223052990000026001234567890",
    ),
    ("okpo", "3068208400", "3068208400"),
    ("exemption_date_finish", "2026-12-31", "2026-12-31"),
];

/// Returns the profile of [`FIELDS`]. Its fields are written out, so that a new one does not compile until it is there.
fn full_profile() -> Profile {
    Profile {
        full_name: PersonName::parse("Ґудзь Марія Петрівна").unwrap(),
        registry_identifier: RegistryIdentifier::parse("OTHER1").unwrap(),
        inn: Some(Inn::parse("123456789").unwrap()),
        certificate_number: Some(CertificateNumber::parse("1209").unwrap()),
        phone_additional: Some(Phone::parse("+380677654321").unwrap()),
        email: Some(Email::parse("maria@notary.example").unwrap()),
        notary_address: Some(Line::parse("м. Львів, вул. Друга, 2", 300).unwrap()),
        card_pan: Some(TruncatedPan::parse_profile("542523******9903").unwrap()),
        iban: Some(Iban::parse("UA223052990000026001234567890").unwrap()),
        okpo: Some(Okpo::parse("3068208400").unwrap()),
        exemption_date_finish: Some(date(2026, 12, 31)),
    }
}

on_both_databases! {
    async fn another_name_of_a_confirmed_account_waits_for_the_operator(app: TestApp) {
        let olena = app.notary("olena").await;
        let name = "Коваль Олена Іванівна";
        let wish = |name: &str| json!({ "full_name": name, "registry_identifier": "NOTAR20001" });
        // Another spelling of the same name waits for nobody.
        let tidied = olena.post("/me", wish("Коваль  олена Іванівна")).await.ok();
        assert_eq!((&tidied["full_name"], &tidied["requested_name"]), (&json!("Коваль олена Іванівна"), &json!(null)));
        olena.post("/me", wish(name)).await.ok();
        let wanted = "АТ Банк Перевірте рахунок";
        app.work().await;
        let before = app.outside().messages(olena.phone()).len();
        let saved = olena.post("/me", wish(wanted)).await.ok();
        assert_eq!((&saved["full_name"], &saved["requested_name"]), (&json!(name), &json!(wanted)));
        app.work().await;
        assert_eq!(app.outside().messages(olena.phone()).len(), before + 1);
        // The client's page, the letter to the client and the papers carry the confirmed name.
        olena.add(PaymentKind::RequisitesPayment).await;
        let order = olena.order_cart().await;
        let path = link(&olena, &order).await;
        let page = app.anonymous().page(&path).await.text();
        assert!(page.contains(name) && !page.contains("Банк Перевірте"), "{page}");
        assert_eq!(asked_names(&app).await, [wanted]);
        // Saving anything else leaves it, and the operator refuses it.
        olena.post("/me", json!({ "notary_address": "м. Київ" })).await.ok();
        decide_name(&app, &olena, wanted, false).await.unwrap();
        let me = me(&olena).await;
        assert_eq!((&me["full_name"], &me["requested_name"], &me["standing"]), (&json!(name), &json!(null), &json!("confirmed")));
        // One that is confirmed is on all papers from then on.
        olena.post("/me", wish("Коваль-Бондар Олена Іванівна")).await.ok();
        // Of what was shown alone: another name may have come meanwhile.
        for takes in [true, false] {
            assert!(matches!(decide_name(&app, &olena, wanted, takes).await, Err(DecisionError::OtherName)));
        }
        assert!(decide(&app, olena.phone(), StandingDecision::Confirm).await.is_err());
        assert_eq!(asked_names(&app).await, ["Коваль-Бондар Олена Іванівна"]);
        decide_name(&app, &olena, "Коваль-Бондар Олена Іванівна", true).await.unwrap();
        let me = self::me(&olena).await;
        assert_eq!((&me["full_name"], &me["requested_name"]), (&json!("Коваль-Бондар Олена Іванівна"), &json!(null)));
        assert!(app.anonymous().page(&path).await.text().contains("Коваль-Бондар"));
        app.work().await;
        let told = app.outside().messages(olena.phone());
        assert!(["не підтверджено: на", "підтверджено: воно"].iter().all(|part| told.iter().any(|text| text.contains(part))), "{told:?}");
        assert!(asked_names(&app).await.is_empty());
        let because = "select count(*) from audit_events where action = 'profile_changed' and changes like '%operator_reason%'";
        assert_eq!(app.number(because.to_owned()).await, 2);
        assert!(matches!(decide_name(&app, &olena, "Коваль-Бондар Олена Іванівна", true).await, Err(DecisionError::OtherName)));
        app.finish_and_check().await;
    }

    async fn the_form_is_saved_and_emptied(app: TestApp) {
        let olena = app.notary("olena").await;
        let before = me(&olena).await;
        app.clock().advance_seconds(60);
        let saved = olena.post_proved("/me", form()).await.ok();
        for (field, value) in [
            ("inn", "3068208400"),
            ("certificate_number", "1209"),
            ("phone_additional", "+380677654321"),
            ("email", "olena@notary.example"),
            ("notary_address", "м. Київ, вул. Перша, 1"),
            ("card_pan", "542523******9903"),
            ("iban", "UA223052990000026001234567890"),
            ("okpo", "3068208400"),
            ("exemption_date_finish", "2026-12-31"),
        ] {
            assert_eq!(saved[field], value, "{field}");
        }
        assert_eq!(me(&olena).await, saved);
        assert_ne!(saved["updated_at"], before["updated_at"]);
        assert_eq!(saved["created_at"], before["created_at"]);
        let mut bare = form();
        let optional = ["inn", "certificate_number", "phone_additional", "email", "notary_address", "card_pan", "iban", "okpo"];
        for (index, field) in optional.into_iter().enumerate() {
            bare[field] = if index % 2 == 0 { json!(null) } else { json!("") };
        }
        bare["exemption_date_finish"] = json!(null);
        let emptied = olena.post_proved("/me", bare).await.ok();
        for field in optional {
            assert_eq!(emptied[field], "", "{field}");
        }
        assert_eq!(emptied["exemption_date_finish"], json!(null));
    }

    async fn every_field_of_the_call_is_stored_and_answered(app: TestApp) {
        let document = openapi();
        let of_the_call = document["components"]["schemas"]["ProfileRequest"]["properties"].as_object().unwrap();
        let mut sent: Vec<&str> = FIELDS.iter().map(|(field, ..)| *field).collect();
        sent.sort_unstable();
        assert_eq!(of_the_call.keys().collect::<Vec<_>>(), sent);

        // Where nobody confirms accounts, nobody confirms names.
        app.restart_with(|settings| settings.app.sign_up_confirmation = SignUpConfirmation::Nobody).await;
        let olena = app.notary("olena").await;
        let body: Map<String, Value> = FIELDS.iter().map(|(field, sent, _)| ((*field).to_owned(), json!(sent))).collect();
        let saved = olena.post_proved("/me", Value::Object(body)).await.ok();
        for (field, _, answered) in FIELDS {
            assert_eq!(saved[field], answered, "{field}");
        }
        assert_eq!(me(&olena).await, saved);
        assert_eq!(app.services().accounts.profile(olena.id()).await.unwrap().profile, full_profile());
    }

    async fn what_is_left_out_stays_as_it_is(app: TestApp) {
        // Where nobody confirms accounts, nobody confirms names.
        app.restart_with(|settings| settings.app.sign_up_confirmation = SignUpConfirmation::Nobody).await;
        let olena = app.notary("olena").await;
        let mut expected = olena.post_proved("/me", form()).await.ok();
        for (field, value) in [("email", json!("new@notary.example")), ("full_name", json!("Коваль-Ткач Олена Іванівна")), ("exemption_date_finish", json!(null)), ("notary_address", json!(""))] {
            expected[field] = value.clone();
            assert_eq!(olena.post_proved("/me", json!({ field: value })).await.ok(), expected, "{field}");
        }
        assert_eq!(olena.post_proved("/me", json!({})).await.ok(), expected);
        // Account and code are validated together, even when only one is sent.
        let own_needs = "UA263220010000026201234567890";
        olena.post("/me", json!({ "iban": own_needs })).await.refused(422, "iban_balance_code_by_okpo_rule");
        olena.post("/me", json!({ "iban": own_needs, "okpo": "32855961" })).await.refused(422, "your_okpo_not_yours");
        olena.post("/me", json!({ "iban": own_needs, "okpo": "32855961", "inn": "" })).await.refused(422, "your_okpo_not_yours");
        olena.practise_for(PaymentKind::AdminGovernmentPayment).await;
        olena.post_proved("/me", json!({ "iban": own_needs, "okpo": "32855961", "inn": "" })).await.ok();
        olena.post("/me", json!({ "okpo": "3068208400" })).await.refused(422, "iban_balance_code_by_okpo_rule");
        let stored = me(&olena).await;
        assert_eq!((&stored["iban"], &stored["okpo"]), (&json!(own_needs), &json!("32855961")));
    }

    async fn the_own_account_is_at_a_bank_and_the_notarys(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.post_proved("/me", form()).await.ok();
        let before = me(&olena).await;
        let treasury = "UA328999980999022090100300001";
        for (change, field, key) in [
            (json!({ "iban": treasury }), "iban", "your_iban_is_treasury"),
            (json!({ "iban": treasury, "okpo": "37993783", "inn": "" }), "iban", "your_iban_is_treasury"),
            (json!({ "okpo": "32855961" }), "okpo", "your_okpo_not_yours"),
            (json!({ "okpo": "1759013776" }), "okpo", "your_okpo_not_yours"),
            (json!({ "inn": "1759013776" }), "okpo", "your_okpo_not_yours"),
        ] {
            let answer = olena.post_proved("/me", change.clone()).await;
            assert_eq!(answer.status, 422, "{change}: {}", answer.text());
            assert_eq!(answer.fields()[field], [key], "{change}");
        }
        assert_eq!(me(&olena).await, before);
        olena.post_proved("/me", json!({ "inn": "1759013776", "okpo": "1759013776" })).await.ok();
        olena.post_proved("/me", json!({ "inn": "АВ123456" })).await.ok();
    }

    async fn what_is_not_the_forms_is_ignored(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let before = me(&olena).await;
        let of_taras = me(&taras).await;
        let mut body = form();
        for (field, value) in [
            ("phone", json!("+380991112233")),
            ("id", of_taras["id"].clone()),
            ("notary_id", of_taras["id"].clone()),
            ("new_flow_enabled", json!(false)),
            ("login_step", json!("custom")),
            ("agreed_terms_at", json!(null)),
            ("phone_verified_at", json!(null)),
            ("created_at", json!("2020-01-01T00:00:00Z")),
            ("updated_at", json!("2020-01-01T00:00:00Z")),
        ] {
            body[field] = value;
        }
        let saved = olena.post_proved("/me", body).await.ok();
        for field in ["id", "phone", "new_flow_enabled", "created_at"] {
            assert_eq!(saved[field], before[field], "{field}");
        }
        assert_eq!(me(&taras).await, of_taras);
        app.clock().advance_seconds(100);
        olena.log_in().await;
    }

    async fn a_full_card_number_is_cut_at_once(app: TestApp) {
        let olena = app.notary("olena").await;
        for typed in [CARD, "5425 2334 3010 9903", "5425-2334-3010-9903"] {
            let mut body = form();
            body["card_pan"] = typed.into();
            assert_eq!(olena.post_proved("/me", body).await.ok()["card_pan"], "542523******9903");
            // A refusal of another field does not keep it either.
            let mut body = form();
            (body["card_pan"], body["email"]) = (typed.into(), "no address".into());
            olena.post("/me", body).await.refused(422, "email_invalid");
            assert!(!app.stores(typed).await);
            assert!(!log_written().contains(typed));
        }
    }

    async fn every_field_has_its_rule_and_all_are_named_at_once(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.post_proved("/me", form()).await.ok();
        let before = me(&olena).await;
        for (field, value, key) in [
            ("full_name", json!(""), "full_name_required"),
            ("full_name", json!(null), "full_name_required"),
            ("full_name", json!("Я".repeat(141)), "text_too_long"),
            ("registry_identifier", json!(" "), "registry_identifier_required"),
            ("registry_identifier", json!("NOTAR-1"), "registry_identifier_invalid"),
            ("registry_identifier", json!("N".repeat(16)), "registry_identifier_invalid"),
            ("registry_identifier", json!("N12"), "registry_identifier_invalid"),
            ("registry_identifier", json!("NOTAR_1"), "registry_identifier_invalid"),
            ("inn", json!("12345"), "client_inn_format_invalid"),
            ("inn", json!("1111111111"), "client_inn_same_digits"),
            ("certificate_number", json!("12a"), "certificate_number_invalid"),
            ("phone_additional", json!("123"), "phone_incorrect"),
            ("email", json!("olena@"), "email_invalid"),
            ("notary_address", json!("я".repeat(301)), "text_too_long"),
            ("card_pan", json!("5425233430109904"), "card_pan_invalid"),
            ("card_pan", json!("542523"), "card_pan_invalid"),
            ("iban", json!("UA23"), "iban_invalid"),
            ("iban", json!("UA263220010000026201234567890"), "iban_balance_code_by_okpo_rule"),
            ("okpo", json!("306820840"), "okpo_invalid"),
            ("exemption_date_finish", json!("31.12.2026"), "date_invalid"),
            ("exemption_date_finish", json!("2026-02-30"), "date_invalid"),
        ] {
            let mut body = form();
            body[field] = value.clone();
            let answer = olena.post_proved("/me", body).await;
            answer.refused(422, key);
            assert_eq!(answer.fields().into_iter().collect::<Vec<_>>(), [(field.to_owned(), vec![key.to_owned()])], "{field} = {value}");
        }
        let answer = olena.post_proved("/me", json!({ "full_name": null, "registry_identifier": "", "email": "x", "iban": "x", "okpo": "x", "card_pan": "x", "inn": "x" })).await;
        assert_eq!(
            answer.fields().into_keys().collect::<Vec<_>>(),
            ["card_pan", "email", "full_name", "iban", "inn", "okpo", "registry_identifier"]
        );
        assert_eq!(me(&olena).await, before);
    }

    async fn an_identifier_of_an_earlier_form_stays_until_it_is_changed(app: TestApp) {
        let olena = app.notary("olena").await;
        let write = |tx: &mut Tx| execute(tx, "update notaries set registry_identifier = 'OTHER_1'");
        app.services().store.write(write).await.unwrap();
        let mut body = form();
        body["registry_identifier"] = "OTHER_1".into();
        olena.post_proved("/me", body.clone()).await.ok();
        assert_eq!(me(&olena).await["registry_identifier"], "OTHER_1");
        body["registry_identifier"] = "OTHER_2".into();
        olena.post("/me", body).await.refused(422, "registry_identifier_invalid");
    }

    async fn an_account_that_is_not_there_is_said_to_be_so(app: TestApp) {
        let olena = app.notary("olena").await;
        // The database prevents deleting an account with a live session.
        let gone = app.services().store.write(|tx| execute(tx, "delete from notaries")).await;
        assert!(gone.is_err());
        me(&olena).await;
        // A missing account is an error, not an empty profile.
        let nobody = NotaryId::new(uuid::Uuid::from_u128(7));
        let request = ProfileRequest { full_name: Some("Ніхто".to_owned()), registry_identifier: Some("NOTAR1".to_owned()), ..ProfileRequest::default() };
        let asked = [app.services().accounts.profile(nobody).await, app.services().accounts.save_profile(Signer { notary: nobody, session: SessionId::new(uuid::Uuid::from_u128(8)) }, request, FieldErrors::new(), Origin::worker()).await];
        let refused = [(RefusalKind::NotFound, Key::UserNotFound), (RefusalKind::Unauthorized, Key::Unauthorized)];
        for (answer, expected) in asked.into_iter().zip(refused) {
            let Err(AppError::Refused(refusal)) = answer else { panic!("{answer:?}") };
            assert_eq!((refusal.kind, refusal.key), expected);
        }
        assert_eq!(app.rows("notaries").await, 1);
    }
}
