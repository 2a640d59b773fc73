//! Confirmation: changes that could cost money need a fresh code, and are told to the contact that the notary had before.

use cabinet_domain::LoginStep;
use cabinet_test_kit::{PaymentKind, Person, TestApp, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::codes::other_code;

/// After so long the sign-in itself confirms nothing any more.
const TEN_MINUTES: SignedDuration = SignedDuration::from_mins(10);
const ACCOUNT: &str = "UA213223130000026007233566001";

async fn notary_of_ten_minutes(app: &TestApp) -> Person {
    let olena = app.notary("olena").await;
    ten_minutes_later(app, &olena).await;
    olena
}

/// Lets ten minutes pass. The page refreshes its tokens meanwhile.
async fn ten_minutes_later(app: &TestApp, person: &Person) {
    app.clock().advance(TEN_MINUTES);
    person.refresh().await.ok();
}

/// Asks for a code inside the session. Returns the answer.
async fn start(person: &Person) -> Value {
    person.post("/auth/confirmation", json!({})).await.ok()
}

async fn confirm(person: &Person) {
    let started = start(person).await;
    let body = json!({ "otp_code": person.code(), "operation_id": started["operation_id"] });
    person.post("/auth/confirmation/otp", body).await.ok();
}

on_both_databases! {
    async fn a_change_that_could_cost_money_needs_a_fresh_code(app: TestApp) {
        let olena = notary_of_ten_minutes(&app).await;
        let before = olena.post("/auth/me", json!({})).await.ok();
        let changes = [
            json!({ "iban": ACCOUNT, "okpo": "1759013776" }),
            json!({ "email": "olena@example.com" }),
            json!({ "phone_additional": "0671112233" }),
            json!({ "registry_identifier": "NOTAR20999" }),
        ];
        for change in &changes {
            olena.post("/me", change.clone()).await.refused(403, "confirmation_required");
        }
        assert_eq!(olena.post("/auth/me", json!({})).await.ok(), before);
        // What costs nothing needs none, and neither does what stays as it is.
        olena.post("/me", json!({ "certificate_number": "123" })).await.ok();
        olena.post("/me", json!({ "registry_identifier": before["registry_identifier"], "email": "" })).await.ok();
        confirm(&olena).await;
        for change in &changes {
            olena.post("/me", change.clone()).await.ok();
        }
        ten_minutes_later(&app, &olena).await;
        olena.post("/me", json!({ "email": "" })).await.refused(403, "confirmation_required");
    }

    async fn the_sign_in_itself_is_a_fresh_code(app: TestApp) {
        let olena = app.notary("olena").await;
        app.clock().advance(TEN_MINUTES - SignedDuration::from_secs(1));
        olena.refresh().await.ok();
        olena.post("/me", json!({ "email": "olena@example.com" })).await.ok();
        // Refreshing the session proves nothing.
        olena.refresh().await.ok();
        app.clock().advance_seconds(1);
        olena.post("/me", json!({ "email": "" })).await.refused(403, "confirmation_required");
    }

    async fn a_payment_to_another_own_account_needs_a_fresh_code(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.keep_own_account().await;
        ten_minutes_later(&app, &olena).await;
        olena.add(PaymentKind::AdminPayment).await;
        let foreign = olena.form(PaymentKind::AdminPayment).await.with("iban", ACCOUNT);
        let rows = app.all_rows().await;
        let add = || olena.post("/cart/add", foreign.body.clone());
        add().await.refused(403, "confirmation_required");
        assert_eq!(app.all_rows().await, rows);
        confirm(&olena).await;
        add().await.ok();
        // Kinds without an own account need none.
        ten_minutes_later(&app, &olena).await;
        olena.add(PaymentKind::RequisitesPayment).await;
    }

    async fn a_saved_recipient_with_another_account_needs_a_fresh_code(app: TestApp) {
        let olena = notary_of_ten_minutes(&app).await;
        let mut recipient = json!({ "title": "Оренда", "recipient_name": "ТОВ «Зоря»", "iban": "UA223052990000026001234567890", "okpo": "32855961" });
        let save = |body: &Value| { let body = body.clone(); let olena = &olena; async move { olena.post("/book/recipients/save", body).await } };
        let rows = app.all_rows().await;
        save(&recipient).await.refused(403, "confirmation_required");
        assert_eq!(app.all_rows().await, rows);
        confirm(&olena).await;
        recipient["id"] = save(&recipient).await.ok()["recipient"]["id"].clone();
        app.work().await;
        let told = |what: &str| {
            let short = app.outside().messages(olena.phone()).swap_remove(0);
            assert!(short.contains(what) && !short.contains("Оренда") && !short.contains("UA22"), "{short}");
        };
        told("збережено нового отримувача");
        ten_minutes_later(&app, &olena).await;
        // What moves no money needs no code.
        recipient["title"] = json!("Оренда офісу");
        save(&recipient).await.ok();
        for (field, value) in [("iban", ACCOUNT), ("okpo", "1759013776")] {
            let mut other = recipient.clone();
            other[field] = json!(value);
            save(&other).await.refused(403, "confirmation_required");
        }
        let kept = olena.get("/book/recipients").await.ok()["recipients"].clone();
        assert_eq!((&kept[0]["title"], &kept[0]["iban"]), (&json!("Оренда офісу"), &recipient["iban"]));
        confirm(&olena).await;
        recipient["iban"] = json!(ACCOUNT);
        save(&recipient).await.ok();
        app.work().await;
        told("змінено рахунок або код збереженого отримувача");
    }

    async fn nobody_has_messages_sent_without_end_by_changing_and_changing_back(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.post("/me", json!({ "email": "olena@example.com" })).await.ok();
        // What nobody is told of does not count.
        for number in 0..20 {
            olena.post("/me", json!({ "certificate_number": format!("{number}1") })).await.ok();
        }
        let phone = |number: usize| json!({ "phone_additional": format!("067111220{}", number % 2) });
        for number in 1..20 {
            olena.post("/me", phone(number)).await.ok();
        }
        let rows = app.all_rows().await;
        let answer = olena.post("/me", phone(20)).await;
        answer.refused(429, "too_many_today");
        assert!(answer.header("retry-after").parse::<i64>().unwrap() > 80_000);
        assert_eq!(app.all_rows().await, rows);
        // What nobody is told of is saved.
        olena.post("/me", json!({ "certificate_number": "123" })).await.ok();

        let mut recipient = json!({ "title": "Оренда", "recipient_name": "ТОВ «Зоря»", "iban": ACCOUNT, "okpo": "32855961" });
        recipient["id"] = olena.post("/book/recipients/save", recipient.clone()).await.ok()["recipient"]["id"].clone();
        let codes = ["1759013776", "32855961"];
        for number in 1..50 {
            recipient["okpo"] = json!(codes[(number + 1) % 2]);
            olena.post("/book/recipients/save", recipient.clone()).await.ok();
        }
        let rows = app.all_rows().await;
        recipient["okpo"] = json!(codes[1]);
        olena.post("/book/recipients/save", recipient.clone()).await.refused(429, "too_many_today");
        assert_eq!(app.all_rows().await, rows);
        recipient["okpo"] = json!(codes[0]);
        recipient["title"] = json!("Оренда офісу");
        olena.post("/book/recipients/save", recipient).await.ok();
    }

    async fn a_code_confirms_its_own_session_once(app: TestApp) {
        let olena = notary_of_ten_minutes(&app).await;
        let other = app.notary("olena").await;
        ten_minutes_later(&app, &olena).await;
        other.refresh().await.ok();
        let started = start(&olena).await;
        assert_eq!((&started["is_phone_call"], &started["otp_length"]), (&json!(false), &json!(4)));
        assert!(started["sent_to"].as_str().unwrap().ends_with(&olena.phone()[11..]));
        assert!(!started["sent_to"].as_str().unwrap().contains(&olena.phone()[6..]));
        let code = olena.code();
        let body = |code: &str| json!({ "otp_code": code, "operation_id": started["operation_id"] });
        // Neither another session, nor another notary, nor a login takes it.
        other.post("/auth/confirmation/otp", body(&code)).await.refused(422, "operation_unknown");
        app.notary("taras").await.post("/auth/confirmation/otp", body(&code)).await.refused(422, "operation_unknown");
        olena.enter(started["operation_id"].as_str().unwrap(), &code).await.refused(422, "operation_unknown");
        olena.post("/auth/confirmation/otp", body(&other_code(&code, 1))).await.refused(422, "wrong_otp");
        olena.post("/auth/confirmation/otp", body(&code)).await.ok();
        olena.post("/auth/confirmation/otp", body(&code)).await.refused(422, "wrong_otp");
        olena.post("/me", json!({ "email": "olena@example.com" })).await.ok();
        other.post("/me", json!({ "email": "" })).await.refused(403, "confirmation_required");
    }

    async fn after_the_wrong_codes_of_a_day_a_confirmation_goes_on_by_a_call(app: TestApp) {
        let olena = notary_of_ten_minutes(&app).await;
        for tries in [3, 2] {
            let started = start(&olena).await;
            for step in 1..=tries {
                let body = json!({ "otp_code": other_code(&olena.code(), step), "operation_id": started["operation_id"] });
                assert_eq!(olena.post("/auth/confirmation/otp", body).await.status, 422);
            }
            app.clock().advance_seconds(60);
        }
        assert_eq!(start(&olena).await["is_phone_call"], true);
        // The budget of the login is another.
        olena.log_in().await;
    }

    async fn the_code_of_a_login_confirms_nothing(app: TestApp) {
        let olena = notary_of_ten_minutes(&app).await;
        let operation = olena.elsewhere().ask_for_code().await;
        let body = json!({ "otp_code": olena.code(), "operation_id": operation });
        olena.post("/auth/confirmation/otp", body).await.refused(422, "operation_unknown");
    }

    async fn who_signs_in_by_a_call_confirms_by_one(app: TestApp) {
        let olena = app.account_with("olena", |account| account.login_step = LoginStep::PhoneCall).await;
        let login = olena.post("/auth/login", json!({ "phone": olena.phone() })).await.ok();
        app.outside().answer_phone_call(olena.phone(), "1").await;
        let body = json!({ "phone": olena.phone(), "transaction_id": login["transaction_id"] });
        olena.post("/auth/login/phone-call/verify", body).await.ok();
        ten_minutes_later(&app, &olena).await;
        let started = start(&olena).await;
        assert_eq!(started["is_phone_call"], true);
        let body = json!({ "transaction_id": started["transaction_id"] });
        olena.post("/auth/confirmation/phone-call", body.clone()).await.refused(409, "call_not_confirmed");
        app.outside().answer_phone_call(olena.phone(), "1").await;
        olena.post("/auth/confirmation/phone-call", body.clone()).await.ok();
        olena.post("/auth/confirmation/phone-call", body).await.refused(409, "call_already_used");
        olena.post("/me", json!({ "email": "olena@example.com" })).await.ok();
    }

    async fn the_old_contact_is_told_what_has_changed(app: TestApp) {
        let olena = app.notary("olena").await;
        // Without a mail address the phone is told.
        olena.post("/me", json!({ "email": "olena@example.com" })).await.ok();
        app.work().await;
        let short = app.outside().messages(olena.phone()).swap_remove(0);
        assert!(short.contains("змінено: електронна пошта (") && !short.contains("olena@"), "{short}");
        // Then the mail address that is being replaced.
        let change = json!({ "email": "thief@example.com", "iban": ACCOUNT, "okpo": "1759013776" });
        olena.post("/me", change).await.ok();
        app.work().await;
        let letters = app.outside().letters();
        let [letter] = &letters[..] else { panic!("{letters:?}") };
        assert_eq!(letter.to, "olena@example.com");
        assert!(letter.text.contains("рахунок IBAN або код його власника, електронна пошта"), "{letter:?}");
        assert!(!letter.text.contains(ACCOUNT) && !letter.text.contains("thief"), "{letter:?}");
        // And the phone of the login always: the address of a moment ago may be a thief's.
        let short = app.outside().messages(olena.phone()).swap_remove(0);
        assert!(short.contains("рахунок") && !short.contains("thief"), "{short}");
    }

    async fn the_identifier_of_the_custom_step_is_changed_by_the_operator_alone(app: TestApp) {
        let olena = app.account_with("olena", |account| account.login_step = LoginStep::Custom).await;
        let (_, _, identifier) = Person::facts("olena");
        let operation = olena.ask_for_code().await;
        let body = json!({ "phone": olena.phone(), "otp_code": identifier, "operation_id": operation });
        olena.post("/auth/login/otp/custom", body).await.ok();
        let change = olena.post("/me", json!({ "registry_identifier": "NOTAR20999" })).await;
        change.refused(422, "registry_identifier_fixed");
        assert_eq!(change.fields()["registry_identifier"], ["registry_identifier_fixed"]);
        olena.post("/me", json!({ "registry_identifier": identifier })).await.ok();
    }

    async fn a_registry_identifier_confirms_nothing(app: TestApp) {
        let olena = app.account_with("olena", |account| account.login_step = LoginStep::Custom).await.elsewhere();
        let (_, _, identifier) = Person::facts("olena");
        // The first login makes the device a known one.
        for _ in 0..2 {
            let operation = olena.ask_for_code().await;
            let body = json!({ "phone": olena.phone(), "otp_code": identifier, "operation_id": operation });
            olena.post("/auth/login/otp/custom", body).await.ok();
            olena.post("/me", json!({ "email": "olena@example.com" })).await.refused(403, "confirmation_required");
        }
        // A code by message does.
        assert_eq!(start(&olena).await["is_phone_call"], false);
    }
}
