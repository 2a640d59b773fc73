//! Acts on the account need a proof of this very act, and are told to the contacts that the notary had before.

use cabinet_app::Signer;
use cabinet_app::kernel::refusal::AppError;
use cabinet_domain::{Key, LoginStep, Origin, SessionId};
use cabinet_test_kit::{Answer, PaymentKind, Person, TestApp, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::codes::other_code;
use crate::proofs::enter;

const TEN_MINUTES: SignedDuration = SignedDuration::from_mins(10);
const ACCOUNT: &str = "UA213223130000026007233566001";
const THIRD_ACCOUNT: &str = "UA913223130000026007233566002";
const OTHER_ACCOUNT: &str = "UA223052990000026001234567890";

/// Lets ten minutes pass. The page refreshes its tokens meanwhile.
async fn ten_minutes_later(app: &TestApp, person: &Person) {
    app.clock().advance(TEN_MINUTES);
    person.refresh().await.ok();
}

/// Asks for the code of an act that was refused. Returns the answer.
async fn start(person: &Person, refused: &Answer) -> Value {
    let proof = refused.json()["proof"].clone();
    person.post("/auth/confirmation", proof).await.ok()
}

/// Returns what a refusal asks to be proved.
fn asked(refused: &Answer) -> Value {
    refused.refused(403, "confirmation_required");
    refused.json()["proof"]["act"].clone()
}

fn recipient(iban: &str) -> Value {
    json!({ "title": "Оренда", "recipient_name": "ТОВ «Зоря»", "iban": iban, "okpo": "32855961" })
}

on_both_databases! {
    async fn a_change_that_could_cost_money_needs_a_proof_of_this_very_change(app: TestApp) {
        let olena = app.notary("olena").await;
        let before = olena.post("/auth/me", json!({})).await.ok();
        // The sign-in of a moment ago proves none of them.
        let changes = [
            (json!({ "iban": ACCOUNT, "okpo": "1759013776" }), "рахунок …6001, код …3776"),
            (json!({ "email": "olena@example.com" }), "e-mail o•••@example.com"),
            (json!({ "phone_additional": "0671112233" }), "другий телефон …2233"),
            (json!({ "registry_identifier": "NOTAR20999" }), "ідентифікатор NOTAR20999"),
        ];
        let rows = app.all_rows().await;
        for (change, _) in &changes {
            asked(&olena.post("/me", change.clone()).await);
        }
        assert_eq!(app.all_rows().await, rows);
        assert_eq!(olena.post("/auth/me", json!({})).await.ok(), before);
        // What costs nothing needs none, and neither does what stays as it is.
        olena.post("/me", json!({ "certificate_number": "123" })).await.ok();
        olena.post("/me", json!({ "registry_identifier": before["registry_identifier"], "email": "" })).await.ok();
        for (place, (change, named)) in changes.iter().enumerate() {
            let started = start(&olena, &olena.post("/me", change.clone()).await).await;
            let message = app.outside().messages(olena.phone()).swap_remove(0);
            assert!(message.contains(named), "{message}");
            enter(&olena, &started, &olena.code()).await.ok();
            // The code of one is none of the next.
            for (other, _) in &changes[place + 1..] {
                asked(&olena.post("/me", other.clone()).await);
            }
            let mut more = change.clone();
            more["email"] = json!("thief@example.com");
            asked(&olena.post("/me", more).await);
            olena.post("/me", change.clone()).await.ok();
        }
        let proved = "select count(*) from audit_events where action = 'profile_changed' and changes like '%\"proved\"%'";
        assert_eq!(app.number(proved.to_owned()).await, 4);
    }

    async fn a_proof_is_good_for_ten_minutes_from_when_it_was_asked_for(app: TestApp) {
        let olena = app.notary("olena").await;
        let change = json!({ "email": "olena@example.com" });
        let started = start(&olena, &olena.post("/me", change.clone()).await).await;
        app.clock().advance(SignedDuration::from_mins(4));
        let until = enter(&olena, &started, &olena.code()).await.ok()["confirmed_until"].clone();
        app.clock().advance(SignedDuration::from_mins(6) - SignedDuration::from_secs(1));
        olena.refresh().await.ok();
        let now = app.services().now() + SignedDuration::from_secs(1);
        assert_eq!(until.as_str().unwrap()[..19], now.to_string()[..19]);
        olena.post("/me", change).await.ok();
        let change = json!({ "email": "other@example.com" });
        let started = start(&olena, &olena.post("/me", change.clone()).await).await;
        enter(&olena, &started, &olena.code()).await.ok();
        ten_minutes_later(&app, &olena).await;
        asked(&olena.post("/me", change).await);
    }

    async fn a_proof_does_one_act_and_does_not_do_it_again_once_it_was_undone(app: TestApp) {
        let olena = app.notary("olena").await;
        let change = json!({ "email": "olena@example.com" });
        // Two codes for the same, both entered.
        let refused = olena.post("/book/recipients/save", recipient(ACCOUNT)).await;
        for _ in 0..2 {
            let started = start(&olena, &refused).await;
            enter(&olena, &started, &olena.code()).await.ok();
            app.clock().advance_seconds(31);
        }
        let saved = olena.post("/book/recipients/save", recipient(ACCOUNT)).await.ok();
        // The answer was lost: the same request changes nothing, and needs no second proof.
        let rows = app.all_rows().await;
        assert_eq!(olena.post("/book/recipients/save", recipient(ACCOUNT)).await.ok(), saved);
        assert_eq!(app.all_rows().await, rows);
        olena.post("/book/recipients/delete", json!({ "recipient_id": saved["recipient"]["id"] })).await.ok();
        asked(&olena.post("/book/recipients/save", recipient(ACCOUNT)).await);

        olena.post_proved("/me", change.clone()).await.ok();
        olena.post("/me", change.clone()).await.ok();
        app.clock().advance_seconds(31);
        olena.post_proved("/me", json!({ "email": "" })).await.ok();
        asked(&olena.post("/me", change).await);

        let thief = olena.elsewhere();
        thief.log_in().await;
        app.clock().advance_seconds(31);
        olena.post_proved("/me/sessions/end-others", json!({})).await.ok();
        assert_eq!(olena.post("/me/sessions/end-others", json!({})).await.ok()["ended"], 0);
        app.clock().advance_seconds(31);
        thief.log_in().await;
        asked(&olena.post("/me/sessions/end-others", json!({})).await);
    }

    async fn another_name_and_tax_id_are_told(app: TestApp) {
        let olena = app.notary("olena").await;
        for (change, named) in [(json!({ "full_name": "Бондар Олена Іванівна" }), "ПІБ"), (json!({ "inn": "3068208400" }), "РНОКПП")] {
            olena.post("/me", change).await.ok();
            app.work().await;
            let short = app.outside().messages(olena.phone()).swap_remove(0);
            assert!(short.contains(&format!("змінено: {named} (")) && !short.contains("Бондар") && !short.contains("30682"), "{short}");
        }
        // With an account beside it, her tax id is the code to which her share is paid.
        let taras = app.notary("taras").await;
        taras.post_proved("/me", json!({ "iban": ACCOUNT })).await.ok();
        assert_eq!(asked(&taras.post("/me", json!({ "inn": "1759013776" })).await)["profile"]["account"]["okpo"], "1759013776");
    }

    async fn a_payment_to_another_own_account_needs_a_proof_of_it(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.keep_own_account().await;
        olena.add(PaymentKind::AdminPayment).await;
        let rows = app.all_rows().await;
        let form = olena.form(PaymentKind::AdminPayment).await.with("iban", ACCOUNT);
        let add = || olena.post("/cart/add", form.body.clone());
        let refused = add().await;
        assert_eq!(asked(&refused)["own_account"]["iban"], ACCOUNT);
        assert_eq!(app.all_rows().await, rows);
        let started = start(&olena, &refused).await;
        assert!(app.outside().messages(olena.phone())[0].contains("на інший власний рахунок: рахунок …6001"));
        enter(&olena, &started, &olena.code()).await.ok();
        // It is no proof of this account in the profile.
        asked(&olena.post("/me", json!({ "iban": ACCOUNT, "okpo": form.body["okpo"] })).await);
        // A client may have several such payments.
        let first = add().await.ok();
        let second = add().await.ok();
        app.work().await;
        let told = app.outside().messages(olena.phone()).iter().filter(|message| message.contains("на інший власний рахунок (")).count();
        assert_eq!(told, 1);
        // Once none is left, neither the proof nor what was there before does it again.
        let restore = || olena.post("/cart/item/restore", json!({ "cart_item_id": first["item_id"] }));
        for added in [&second, &first] {
            olena.post("/cart/item/delete", json!({ "cart_item_id": added["item_id"] })).await.ok();
        }
        asked(&add().await);
        asked(&restore().await);
        // As long as there is one, another is hers, too.
        let restored = olena.post_proved("/cart/item/restore", json!({ "cart_item_id": first["item_id"] })).await.ok();
        // The answer was lost.
        assert_eq!(restore().await.ok(), restored);
        add().await.ok();
        // Kinds without an own account need none.
        olena.add(PaymentKind::RequisitesPayment).await;
    }

    async fn her_account_with_a_code_that_the_profile_does_not_have_is_another_one(app: TestApp) {
        let taras = app.notary("taras").await;
        taras.post_proved("/me", json!({ "iban": THIRD_ACCOUNT })).await.ok();
        let form = taras.form(PaymentKind::AdminPayment).await.with("iban", THIRD_ACCOUNT);
        let refused = taras.post("/cart/add", form.body.clone()).await;
        assert_eq!(asked(&refused)["own_account"], json!({ "iban": THIRD_ACCOUNT, "okpo": form.body["okpo"] }));
    }

    async fn a_saved_recipient_with_another_account_needs_a_proof_of_it(app: TestApp) {
        let olena = app.notary("olena").await;
        let mut recipient = recipient(ACCOUNT);
        let save = |body: &Value| { let body = body.clone(); let olena = &olena; async move { olena.post("/book/recipients/save", body).await } };
        let rows = app.all_rows().await;
        let refused = save(&recipient).await;
        let named = json!({ "id": null, "title": "Оренда", "recipient_name": "ТОВ «Зоря»", "iban": ACCOUNT, "okpo": "32855961" });
        assert_eq!(asked(&refused)["recipient"], named);
        assert_eq!(app.all_rows().await, rows);
        let started = start(&olena, &refused).await;
        assert!(app.outside().messages(olena.phone())[0].contains("зберегти отримувача: рахунок …6001, код …5961"));
        enter(&olena, &started, &olena.code()).await.ok();
        // It is saved under this name alone.
        for (field, value) in [("title", "Держмито"), ("recipient_name", "ГУК у м. Києві")] {
            let mut other = recipient.clone();
            other[field] = json!(value);
            asked(&save(&other).await);
        }
        recipient["id"] = save(&recipient).await.ok()["recipient"]["id"].clone();
        app.work().await;
        let told = |what: &str| {
            let short = app.outside().messages(olena.phone()).swap_remove(0);
            assert!(short.contains(what) && !short.contains("Оренда") && !short.contains("UA21"), "{short}");
        };
        told("збережено нового отримувача");
        // What moves no money needs no code. Another name is told.
        recipient["title"] = json!("Оренда офісу");
        save(&recipient).await.ok();
        app.work().await;
        told("змінено назву збереженого отримувача");
        for (field, value) in [("purpose", "Оренда за грудень"), ("cbc_code", "22090100")] {
            recipient[field] = json!(value);
            save(&recipient).await.ok();
            app.work().await;
            told("змінено призначення або код бюджету збереженого отримувача");
            app.clock().advance_seconds(61);
        }
        for (field, value) in [("iban", THIRD_ACCOUNT), ("okpo", "1759013776")] {
            let mut other = recipient.clone();
            other[field] = json!(value);
            assert_eq!(asked(&save(&other).await)["recipient"]["id"], recipient["id"]);
        }
        let kept = olena.get("/book/recipients").await.ok()["recipients"].clone();
        assert_eq!((&kept[0]["title"], &kept[0]["iban"]), (&json!("Оренда офісу"), &recipient["iban"]));
        // That she has proved that she pays there is no proof of it.
        recipient["iban"] = json!(OTHER_ACCOUNT);
        asked(&save(&recipient).await);
        olena.post_proved("/book/recipients/save", recipient).await.ok();
        app.work().await;
        told("змінено рахунок або код збереженого отримувача");
    }

    async fn another_session_is_ended_by_a_proof_alone(app: TestApp) {
        let olena = app.notary("olena").await;
        let thief = olena.elsewhere();
        thief.log_in().await;
        let sessions = olena.get("/me/sessions").await.ok()["sessions"].clone();
        let path = |is_current: bool| {
            let found = sessions.as_array().unwrap().iter().find(|one| one["is_current"] == is_current).unwrap();
            format!("/me/sessions/{}/end", found["id"].as_str().unwrap())
        };
        let rows = app.all_rows().await;
        assert_eq!(asked(&thief.post("/me/sessions/end-others", json!({})).await)["end_sessions"], json!({ "id": null }));
        asked(&thief.post(&path(true), json!({})).await);
        assert_eq!(app.all_rows().await, rows);
        let refused = olena.post(&path(false), json!({})).await;
        let started = start(&olena, &refused).await;
        assert!(app.outside().messages(olena.phone())[0].contains("завершити інший сеанс"));
        enter(&olena, &started, &olena.code()).await.ok();
        // One is not all.
        asked(&olena.post("/me/sessions/end-others", json!({})).await);
        olena.post_proved("/me", json!({ "email": "olena@example.com" })).await.ok();
        olena.post(&path(false), json!({})).await.ok();
        app.work().await;
        let told = "завершено один із сеансів";
        assert!(app.outside().messages(olena.phone())[0].contains(told));
        assert!(app.outside().letters().iter().any(|letter| letter.to == "olena@example.com" && letter.text.contains(told)));
        // Once is enough.
        olena.post(&path(false), json!({})).await.refused(404, "session_unknown");
        // Her own session is hers to end.
        olena.post(&path(true), json!({})).await.ok();
    }

    async fn nobody_has_messages_sent_without_end_by_changing_and_changing_back(app: TestApp) {
        app.restart_with(|settings| (settings.app.codes.hourly_max, settings.app.codes.daily_max) = (100, 100)).await;
        let olena = app.notary("olena").await;
        olena.post_proved("/me", json!({ "email": "olena@example.com" })).await.ok();
        // What nobody is told of does not count.
        for number in 0..20 {
            olena.post("/me", json!({ "certificate_number": format!("{number}1") })).await.ok();
        }
        let phone = |number: usize| json!({ "phone_additional": format!("067111220{}", number % 2) });
        for number in 1..20 {
            olena.post_proved("/me", phone(number)).await.ok();
        }
        let rows = app.all_rows().await;
        let answer = olena.post("/me", phone(20)).await;
        answer.refused(429, "too_many_today");
        assert!(answer.header("retry-after").parse::<i64>().unwrap() > 80_000);
        assert_eq!(app.all_rows().await, rows);
        // What nobody is told of is saved.
        olena.post("/me", json!({ "certificate_number": "123" })).await.ok();

        app.clock().advance(SignedDuration::from_hours(1));
        olena.log_in().await;
        let mut recipient = recipient(ACCOUNT);
        recipient["id"] = olena.post_proved("/book/recipients/save", recipient.clone()).await.ok()["recipient"]["id"].clone();
        let codes = ["1759013776", "32855961"];
        for number in 1..50 {
            recipient["okpo"] = json!(codes[(number + 1) % 2]);
            olena.post_proved("/book/recipients/save", recipient.clone()).await.ok();
        }
        let rows = app.all_rows().await;
        recipient["okpo"] = json!(codes[1]);
        olena.post("/book/recipients/save", recipient.clone()).await.refused(429, "too_many_today");
        assert_eq!(app.all_rows().await, rows);
        recipient["okpo"] = json!(codes[0]);
        let mut renamed = recipient.clone();
        renamed["title"] = json!("Оренда офісу");
        olena.post("/book/recipients/save", renamed).await.ok();
        recipient["title"] = json!("Оренда офісу");
        recipient["purpose"] = json!("Оренда офісу");
        olena.post("/book/recipients/save", recipient).await.ok();

        // Whoever has a session alone uses up no change that is proved.
        let taras = app.notary("taras").await;
        let names = ["Бондар Тарас Іванович", "Бондар Тарас Петрович"];
        let named = |number: usize| json!({ "full_name": names[number % 2] });
        for number in 0..20 {
            taras.post("/me", named(number)).await.ok();
        }
        taras.post("/me", named(20)).await.refused(429, "too_many_today");
        taras.post_proved("/me", json!({ "email": "taras@example.com" })).await.ok();
    }

    async fn a_code_proves_in_its_own_session_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let other = app.notary("olena").await;
        let change = json!({ "email": "olena@example.com" });
        let started = start(&olena, &olena.post("/me", change.clone()).await).await;
        assert_eq!(&started["otp_length"], &json!(4));
        assert!(started["sent_to"].as_str().unwrap().ends_with(&olena.phone()[11..]));
        assert!(!started["sent_to"].as_str().unwrap().contains(&olena.phone()[6..]));
        let code = olena.code();
        // Neither another session, nor another notary, nor a login takes it.
        enter(&other, &started, &code).await.refused(422, "operation_unknown");
        enter(&app.notary("taras").await, &started, &code).await.refused(422, "operation_unknown");
        olena.enter(started["operation_id"].as_str().unwrap(), &code).await.refused(422, "operation_unknown");
        enter(&olena, &started, &other_code(&code, 1)).await.refused(422, "wrong_otp");
        enter(&olena, &started, &code).await.ok();
        enter(&olena, &started, &code).await.refused(422, "wrong_otp");
        asked(&other.post("/me", change.clone()).await);
        olena.post("/me", change).await.ok();
    }

    async fn a_code_whose_act_was_done_by_another_code_proves_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        let change = json!({ "email": "olena@example.com" });
        let refused = olena.post("/me", change.clone()).await;
        let (first, first_code) = (start(&olena, &refused).await, olena.code());
        app.clock().advance_seconds(31);
        let (second, second_code) = (start(&olena, &refused).await, olena.code());
        enter(&olena, &second, &second_code).await.ok();
        olena.post("/me", change).await.ok();
        let confirmations = || app.number("select count(*) from audit_events where action = 'change_confirmed'".to_owned());
        let before = confirmations().await;
        enter(&olena, &first, &first_code).await.refused(422, "operation_unknown");
        assert_eq!((before, confirmations().await), (1, 1));
    }

    async fn a_session_that_ended_while_its_request_was_on_the_way_proves_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        let other = olena.elsewhere();
        other.log_in().await;
        let started = start(&other, &other.post("/me/sessions/end-others", json!({})).await).await;
        enter(&other, &started, &other.code()).await.ok();
        let session = other.get("/me/sessions").await.ok()["sessions"].as_array().unwrap().iter().find(|one| one["is_current"] == true).unwrap()["id"].as_str().unwrap().to_owned();
        let signer = Signer { notary: other.id(), session: SessionId::parse(&session).unwrap() };
        other.post("/auth/logout", json!({})).await.ok();
        let answer = app.services().accounts.end_other_sessions(signer, Origin::worker()).await;
        let Err(AppError::Refused(refusal)) = answer else { panic!("{answer:?}") };
        assert_eq!(refusal.key, Key::Unauthorized);
        olena.post("/auth/me", json!({})).await.ok();
    }

    async fn a_stolen_session_uses_up_its_own_codes_alone(app: TestApp) {
        let olena = app.notary("olena").await;
        let thief = app.notary("olena").await;
        let change = json!({ "email": "olena@example.com" });
        let refused = thief.post("/me", change.clone()).await;
        let mut given = 0;
        while given < 20 {
            app.clock().advance_seconds(61);
            let answer = thief.post("/auth/confirmation", refused.json()["proof"].clone()).await;
            if answer.status == 200 {
                given += 1;
            } else {
                answer.refused(429, "too_many_codes");
                break;
            }
        }
        assert!((1..20).contains(&given), "{given}");
        let started = start(&olena, &olena.post("/me", change.clone()).await).await;
        enter(&olena, &started, &olena.code()).await.ok();
        olena.post("/me", change).await.ok();
    }

    async fn a_code_is_sent_for_something_alone(app: TestApp) {
        let olena = app.notary("olena").await;
        for (body, key) in [
            (json!({}), "field_required"),
            (json!({ "act": {} }), "field_required"),
            (json!({ "act": { "profile": { "email": "olena@host" } } }), "email_invalid"),
            (json!({ "act": { "end_sessions": { "id": "1" } } }), "session_unknown"),
            (json!({ "act": "all" }), "field_type_wrong"),
        ] {
            for path in ["/auth/confirmation", "/auth/confirmation/passkey/options"] {
                let answer = olena.post(path, body.clone()).await;
                assert_eq!((answer.status, answer.fields().into_values().next().unwrap()), (422, vec![key.to_owned()]), "{path} {body}");
            }
        }
    }

    async fn the_code_of_a_login_proves_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        let operation = olena.elsewhere().ask_for_code().await;
        let body = json!({ "otp_code": olena.code(), "operation_id": operation });
        olena.post("/auth/confirmation/otp", body).await.refused(422, "operation_unknown");
    }

    async fn who_signs_in_by_a_call_proves_by_a_code(app: TestApp) {
        let olena = app.account_with("olena", |account| account.login_step = LoginStep::PhoneCall).await;
        let login = olena.post("/auth/login", json!({ "phone": olena.phone() })).await.ok();
        app.outside().answer_phone_call(olena.phone(), "1").await;
        let body = json!({ "phone": olena.phone(), "transaction_id": login["transaction_id"] });
        olena.post("/auth/login/phone-call/verify", body).await.ok();
        olena.post_proved("/me", json!({ "email": "olena@example.com" })).await.ok();
    }

    async fn the_old_contact_is_told_what_has_changed(app: TestApp) {
        let olena = app.notary("olena").await;
        // Without a mail address the phone is told.
        olena.post_proved("/me", json!({ "email": "olena@example.com" })).await.ok();
        app.work().await;
        let short = app.outside().messages(olena.phone()).swap_remove(0);
        assert!(short.contains("змінено: електронна пошта (") && !short.contains("olena@"), "{short}");
        // Then the mail address that is being replaced.
        let change = json!({ "email": "thief@example.com", "iban": ACCOUNT, "okpo": "1759013776" });
        olena.post_proved("/me", change).await.ok();
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
            asked(&olena.post("/me", json!({ "email": "olena@example.com" })).await);
        }
        // A code by message does.
        olena.post_proved("/me", json!({ "email": "olena@example.com" })).await.ok();
    }
}
