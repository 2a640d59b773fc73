//! Proofs: a session alone charges no saved card for a recipient whom its notary has not proved.

use cabinet_app::payment::proved_orders;
use cabinet_domain::LoginStep;
use cabinet_test_kit::{Answer, PaymentKind, Person, TestApp, TestSettings, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::codes::other_code;
use crate::erasure::{erase_notary, years_pass};

const CARD: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";
/// An account to which nobody of the tests has paid.
const FOREIGN: &str = "UA213223130000026007233566001";

/// Puts a payment to the foreign account into the cart. Returns the body that orders it by a saved card.
pub(crate) async fn order_to_foreign(person: &Person) -> Value {
    order_to(person, FOREIGN).await
}

async fn order_to(person: &Person, iban: &str) -> Value {
    let form = person.form(PaymentKind::RequisitesPayment).await;
    let form = form.with("iban", iban).with("accept_duplicate", true);
    person.post("/cart/add", form.body).await.ok();
    by_card(person).await
}

pub(crate) async fn by_card(person: &Person) -> Value {
    let token = person.save_card(CARD);
    let mut body = person.order_body().await;
    body["token_id"] = token.into();
    body
}

/// Asks for the code of a payment. Returns the answer.
pub(crate) async fn ask(person: &Person, refused: &Answer) -> Value {
    let proof = refused.json()["proof"].clone();
    let body = json!({ "client_id": proof["client_id"], "order_id": proof["order_id"], "part": proof["part"] });
    person.post("/auth/confirmation", body).await.ok()
}

pub(crate) async fn enter(person: &Person, started: &Value, code: &str) -> Answer {
    let body = json!({ "otp_code": code, "operation_id": started["operation_id"] });
    person.post("/auth/confirmation/otp", body).await
}

/// Asks for the code of a payment and enters it.
pub(crate) async fn prove(person: &Person, refused: &Answer) {
    let started = ask(person, refused).await;
    enter(person, &started, &person.code()).await.ok();
}

/// What `cabinet doctor` finds: how many proofs are of what their orders say, are of something else, and can't be compared.
async fn compared(app: &TestApp) -> (u64, u64, u64) {
    let services = app.services();
    let found = proved_orders(&services.store, &services.keys).await;
    let found = found.unwrap().unwrap();
    assert_eq!(found.named.is_empty(), found.changed == 0, "{found:?}");
    (found.same, found.changed, found.unknown)
}

/// Pays an order of a fee with her own part and of a payment to the foreign account, after a proof.
async fn pay_proved(olena: &Person, iban: &str) -> Value {
    olena.keep_own_account().await;
    olena.add(PaymentKind::AdminPayment).await;
    let body = order_to(olena, iban).await;
    let key = olena.fresh_key();
    prove(olena, &olena.create_order(&key, &body).await).await;
    let order = olena.create_order(&key, &body).await.ok()["order"].clone();
    assert_eq!(order["status"], "paid");
    order
}

fn rotate(settings: &mut TestSettings, secret: &'static str) {
    settings.wallet_secret.get_or_insert(settings.secret);
    settings.previous_secret = Some(settings.secret);
    settings.secret = secret;
}

/// Lets time pass. The page refreshes its tokens meanwhile.
async fn minutes_pass(app: &TestApp, person: &Person, minutes: i64) {
    app.clock().advance(SignedDuration::from_mins(minutes));
    person.refresh().await.ok();
}

on_both_databases! {
    async fn for_a_day_after_another_mail_address_cards_pay_known_recipients_alone(app: TestApp) {
        let day = SignedDuration::from_hours(24);
        app.restart_with(|settings| settings.app.codes.device_known_after = day).await;
        let olena = app.notary("olena").await;
        // The first address is no other one.
        olena.post_proved("/me", json!({ "email": "olena@example.com" })).await.ok();
        app.clock().advance(day);
        olena.log_in().await;
        let body = order_to_foreign(&olena).await;
        let refused = olena.create_order(&olena.fresh_key(), &body).await;
        refused.refused(403, "confirmation_required");
        olena.post_proved("/me", json!({ "email": "thief@example.com" })).await.ok();
        app.work().await;
        assert!(app.outside().letters().iter().any(|letter| letter.to == "olena@example.com"));
        app.clock().advance(day - SignedDuration::from_secs(1));
        olena.log_in().await;
        let rows = app.all_rows().await;
        olena.create_order(&olena.fresh_key(), &body).await.refused(403, "contacts_too_new");
        olena.post("/auth/confirmation", json!({ "client_id": body["client_id"] })).await.refused(403, "contacts_too_new");
        assert_eq!(app.all_rows().await, rows);
        app.clock().advance_seconds(1);
        let refused = olena.create_order(&olena.fresh_key(), &body).await;
        prove(&olena, &refused).await;
        olena.create_order(&olena.fresh_key(), &body).await.ok();
        app.finish_and_check().await;
    }

    async fn a_session_alone_pays_nothing_to_a_new_account(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = order_to_foreign(&olena).await;
        let rows = app.all_rows().await;
        let refused = olena.create_order(&olena.fresh_key(), &body).await;
        refused.refused(403, "confirmation_required");
        assert_eq!(app.all_rows().await, rows, "nothing is stored, nothing is charged");
        let proof = &refused.json()["proof"];
        assert_eq!((&proof["new_recipients"], &proof["largest"]["account_end"]), (&json!(1), &json!("6001")));
        assert_eq!((&proof["sum"], &proof["largest"]["sum"]), (&json!(1269.26), &json!(1250.5)));
        // The acquirer's page asks the holder of the card, so the cabinet does not.
        let order = olena.order_cart().await;
        assert_eq!(order["status"], "pending");
        let page = order["widget_url"].as_str().unwrap();
        app.outside().pay(page, DECLINED).await;
        olena.until(&order, "failed").await;
        // A saved card for the same order is no way round.
        let again = json!({ "token_id": olena.save_card(CARD) });
        let path = format!("/order/{}/pay", order["id"].as_str().unwrap());
        let refused = olena.post(&path, again.clone()).await;
        refused.refused(403, "confirmation_required");
        assert_eq!(refused.json()["proof"]["order_id"], order["id"]);
        assert_eq!(olena.order(&order).await["status"], "failed");
        prove(&olena, &refused).await;
        assert_eq!(olena.post(&path, again).await.ok()["order"]["status"], "paid");
        app.finish_and_check().await;
    }

    async fn a_code_proves_one_order_once_and_its_recipient_for_ever(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = order_to_foreign(&olena).await;
        let key = olena.fresh_key();
        let refused = olena.create_order(&key, &body).await;
        let started = ask(&olena, &refused).await;
        assert_eq!(started["proof"], refused.json()["proof"]);
        let message = app.outside().messages(olena.phone()).swap_remove(0);
        for part in ["1\u{a0}269,26 грн", "Нових отримувачів: 1", "1\u{a0}250,50 грн на рахунок …6001"] {
            assert!(message.contains(part), "{message}");
        }
        let code = olena.code();
        enter(&olena, &started, &other_code(&code, 1)).await.refused(422, "wrong_otp");
        olena.create_order(&key, &body).await.refused(403, "confirmation_required");
        enter(&olena, &started, &code).await.ok();
        enter(&olena, &started, &code).await.refused(422, "wrong_otp");
        minutes_pass(&app, &olena, 9).await;
        // The same key goes on.
        let order = olena.create_order(&key, &body).await.ok()["order"].clone();
        assert_eq!(order["status"], "paid");
        assert_eq!(olena.create_order(&key, &body).await.ok()["order"]["id"], order["id"]);
        let detail = "select count(*) from audit_events where action = 'order_created' and changes like '%proved%'";
        assert_eq!(app.number(detail.to_owned()).await, 1);
        assert_eq!(app.number("select count(*) from payment_proofs where order_id is not null".to_owned()).await, 1);

        // From now on she pays there without a word, whatever the payment.
        let body = order_to_foreign(&olena).await;
        olena.create_order(&olena.fresh_key(), &body).await.ok();
        // Nobody else does.
        let taras = app.notary("taras").await;
        let body = order_to_foreign(&taras).await;
        taras.create_order(&taras.fresh_key(), &body).await.refused(403, "confirmation_required");
        app.finish_and_check().await;
    }

    async fn what_was_asked_for_before_a_rotation_is_proved_and_used_up_after_it(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = order_to_foreign(&olena).await;
        let key = olena.fresh_key();
        let refused = olena.create_order(&key, &body).await;
        let started = ask(&olena, &refused).await;
        app.restart_with(|settings| {
            settings.previous_secret = Some(settings.secret);
            settings.wallet_secret = Some(settings.secret);
            settings.secret = "another secret of this installation";
        }).await;
        enter(&olena, &started, &olena.code()).await.ok();
        olena.create_order(&key, &body).await.ok();
        assert_eq!(app.number("select count(*) from payment_proofs where order_id is not null".to_owned()).await, 1);
        app.finish_and_check().await;
    }

    async fn a_proof_confirms_no_session(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = order_to_foreign(&olena).await;
        minutes_pass(&app, &olena, 10).await;
        let refused = olena.create_order(&olena.fresh_key(), &body).await;
        prove(&olena, &refused).await;
        olena.post("/me", json!({ "email": "olena@example.com" })).await.refused(403, "confirmation_required");
        app.finish_and_check().await;
    }

    async fn neither_a_login_nor_another_proof_is_a_proof(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = order_to_foreign(&olena).await;
        olena.post("/auth/confirmation", json!({})).await.refused(422, "field_required");
        // The proof of an act proves no payment.
        olena.post_proved("/me", json!({ "phone_additional": "0671112233" })).await.ok();
        olena.create_order(&olena.fresh_key(), &body).await.refused(403, "confirmation_required");
        app.finish_and_check().await;
    }

    async fn whatever_of_a_payment_changes_is_proved_anew(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = order_to_foreign(&olena).await;
        let refused = olena.create_order(&olena.fresh_key(), &body).await;
        prove(&olena, &refused).await;
        // One more unit.
        let item = olena.group().await["items"][0]["id"].clone();
        olena.post("/cart/items/count", json!({ "cart_item_id": item, "new_count": 2 })).await.ok();
        let body = by_card(&olena).await;
        let refused = olena.create_order(&olena.fresh_key(), &body).await;
        refused.refused(403, "confirmation_required");
        prove(&olena, &refused).await;
        // Ten minutes pass.
        minutes_pass(&app, &olena, 10).await;
        let refused = olena.create_order(&olena.fresh_key(), &body).await;
        refused.refused(403, "confirmation_required");
        // What is proved in one session is not proved in another.
        prove(&olena, &refused).await;
        let elsewhere = app.account("olena").await.elsewhere();
        elsewhere.log_in().await;
        elsewhere.create_order(&elsewhere.fresh_key(), &body).await.refused(403, "confirmation_required");
        olena.create_order(&olena.fresh_key(), &body).await.ok();
        app.finish_and_check().await;
    }

    async fn a_session_by_the_identifier_alone_is_no_proof(app: TestApp) {
        let olena = app.account_with("olena", |notary| notary.login_step = LoginStep::Custom).await;
        let (_, _, identifier) = Person::facts("olena");
        let operation = olena.ask_for_code().await;
        let entry = json!({ "phone": olena.phone(), "otp_code": identifier, "operation_id": operation });
        olena.post("/auth/login/otp/custom", entry).await.ok();
        olena.add(PaymentKind::RegistryPayment).await;
        let body = by_card(&olena).await;
        olena.create_order(&olena.fresh_key(), &body).await.ok();
        let body = order_to_foreign(&olena).await;
        olena.create_order(&olena.fresh_key(), &body).await.refused(403, "confirmation_required");
        app.finish_and_check().await;
    }

    async fn on_a_new_device_a_code_proves_no_new_recipient(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.device_known_after = SignedDuration::from_hours(24)).await;
        let olena = app.notary("olena").await;
        let body = order_to_foreign(&olena).await;
        olena.create_order(&olena.fresh_key(), &body).await.refused(403, "device_too_new");
        let client = body["client_id"].clone();
        olena.post("/auth/confirmation", json!({ "client_id": client })).await.refused(403, "device_too_new");
        assert!(app.outside().messages(olena.phone()).iter().all(|message| !message.contains("оплати")));
        app.clock().advance(SignedDuration::from_hours(24));
        olena.log_in().await;
        let refused = olena.create_order(&olena.fresh_key(), &body).await;
        refused.refused(403, "confirmation_required");
        prove(&olena, &refused).await;
        olena.create_order(&olena.fresh_key(), &body).await.ok();
        app.finish_and_check().await;
    }

    async fn a_known_recipient_asks_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.keep_own_account().await;
        minutes_pass(&app, &olena, 11).await;
        for kind in [PaymentKind::RegistryPayment, PaymentKind::AdminPayment, PaymentKind::RequisitesPayment] {
            olena.add(kind).await;
            let body = by_card(&olena).await;
            olena.create_order(&olena.fresh_key(), &body).await.ok();
        }
        app.finish_and_check().await;
    }

    async fn an_order_that_says_something_else_than_was_proved_is_named(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = pay_proved(&olena, FOREIGN).await;
        let number: i64 = order["number"].as_str().unwrap().parse().unwrap();
        assert_eq!(compared(&app).await, (1, 0, 0));
        let thief = |column: &str| format!("case when {column} is null then null else 'UA643223130000026007233566003' end");
        for table in ["order_items", "transfers", "orders", "clients"] {
            app.execute(format!("create table kept_{table} as select * from {table}")).await;
        }
        for (table, column, changed) in [
            ("order_items", "count", "count + 1"), ("order_items", "amount", "amount + 100"), ("order_items", "purpose", "'101 За каву'"),
            ("order_items", "iban", thief("iban").as_str()), ("order_items", "requisite_iban", thief("requisite_iban").as_str()), ("order_items", "okpo", "'32855961'"),
            ("transfers", "recipient_iban", thief("recipient_iban").as_str()), ("transfers", "recipient_iban", "'no account'"),
            ("transfers", "recipient_code", "'32855961'"), ("transfers", "recipient_name", "'ТОВ Злодій'"),
            ("transfers", "purpose", "'За каву'"), ("transfers", "amount", "amount + 1"),
            ("orders", "sum", "sum + 1"), ("clients", "full_name", "'Хтось Інший'"), ("clients", "inn", "'3184710691'"),
        ] {
            app.execute(format!("update {table} set {column} = {changed}")).await;
            let services = app.services();
            let found = proved_orders(&services.store, &services.keys).await.unwrap().unwrap();
            assert_eq!((found.changed, found.named), (1, vec![number]), "{table}.{column} {changed}");
            app.execute(format!("update {table} set {column} = (select k.{column} from kept_{table} k where k.id = {table}.id)")).await;
            assert_eq!(compared(&app).await, (1, 0, 0), "{table}.{column}");
        }
        // Account, item and transfer alike, as before the payment.
        for (table, column) in [("order_items", "iban"), ("order_items", "requisite_iban"), ("transfers", "recipient_iban")] {
            app.execute(format!("update {table} set {column} = {}", thief(column))).await;
        }
        assert_eq!(compared(&app).await, (0, 1, 0));
        app.skip_final_check();
    }

    async fn another_name_of_the_notary_explains_no_account_code_or_sum(app: TestApp) {
        let olena = app.notary("olena").await;
        let renamed = |number: &Value| app.execute(format!("insert into audit_events (id, created_at, actor, action, notary_id, changes)
            select o.id, p.asked_at, 'worker', 'profile_changed', o.notary_id, '[[\"full_name\",\"А. Б.\",\"В. Г.\"]]'
            from orders o join payment_proofs p on p.order_id = o.id where o.number = {}", number.as_str().unwrap()));
        let thief = "UA643223130000026007233566003";
        // Nobody but the foreign account is paid: her name stands nowhere.
        let body = order_to(&olena, FOREIGN).await;
        let key = olena.fresh_key();
        prove(&olena, &olena.create_order(&key, &body).await).await;
        let order = olena.create_order(&key, &body).await.ok()["order"].clone();
        renamed(&order["number"]).await;
        assert_eq!(compared(&app).await, (1, 0, 0));
        for (from, to, found) in [(FOREIGN, thief, (0, 1, 0)), (thief, FOREIGN, (1, 0, 0))] {
            for (table, column) in [("order_items", "iban"), ("transfers", "recipient_iban")] {
                app.execute(format!("update {table} set {column} = '{to}' where {column} = '{from}'")).await;
            }
            assert_eq!(compared(&app).await, found, "{to}");
        }
        // Her own part may name her otherwise, and nothing but that is explained.
        let second = "UA913223130000026007233566002";
        renamed(&pay_proved(&olena, second).await["number"]).await;
        let own = |name: &str| app.execute(format!("update transfers set recipient_name = '{name}' where role = 'notary'"));
        own("Інша Назва Їївна").await;
        assert_eq!(compared(&app).await, (1, 0, 1));
        let of_second = format!("recipient_iban = '{second}'");
        let changes = [("transfers", "recipient_code = '37993783'"), ("transfers", "amount = amount + 1"), ("order_items", "count = count + 1"), ("order_items", "okpo = '37993783'")];
        for (table, change) in changes {
            app.execute(format!("create table kept as select * from {table}")).await;
            let of_second = if table == "transfers" { of_second.clone() } else { format!("id in (select item_id from transfers where {of_second})") };
            app.execute(format!("update {table} set {change} where {of_second}")).await;
            assert_eq!(compared(&app).await, (1, 1, 0), "{table}: {change}");
            let column = change.split(' ').next().unwrap();
            app.execute(format!("update {table} set {column} = (select kept.{column} from kept where kept.id = {table}.id)")).await;
            app.execute("drop table kept".to_owned()).await;
        }
        assert_eq!(compared(&app).await, (1, 0, 1));
        app.skip_final_check();
    }

    async fn neither_a_name_nor_an_erasure_nor_a_rotation_is_a_change(app: TestApp) {
        let olena = app.notary("olena").await;
        pay_proved(&olena, FOREIGN).await;
        // Her name of today stands in no order of before.
        app.execute("update notaries set full_name = 'Інша Назва Їївна'".to_owned()).await;
        assert_eq!(compared(&app).await, (1, 0, 0));
        // One that was changed between proof and payment can't be told from a change of the transfer.
        app.execute("update transfers set recipient_name = 'Хтось Інший' where role = 'notary'".to_owned()).await;
        assert_eq!(compared(&app).await, (0, 1, 0));
        app.execute("insert into audit_events (id, created_at, actor, action, notary_id, changes)
            select o.id, p.asked_at, 'worker', 'profile_changed', o.notary_id, '[[\"full_name\",\"А. Б.\",\"В. Г.\"]]'
            from orders o join payment_proofs p on p.order_id = o.id".to_owned()).await;
        assert_eq!(compared(&app).await, (0, 0, 1));
        pay_proved(&olena, "UA643223130000026007233566003").await;
        assert_eq!(compared(&app).await, (1, 0, 1));
        // An erased notary's orders keep their names for bookkeeping.
        app.execute("update transfers set status = 'credited'".to_owned()).await;
        erase_notary(&app).await.unwrap();
        assert_eq!(compared(&app).await, (1, 0, 1));
        app.restart_with(|settings| rotate(settings, "the second secret of this installation")).await;
        assert_eq!(compared(&app).await, (1, 0, 1));
        app.restart_with(|settings| rotate(settings, "the third secret of this installation")).await;
        assert_eq!(compared(&app).await, (0, 0, 2));
        years_pass(&app, 8).await;
        assert_eq!(app.number("select count(*) from orders where anonymised_at is null".to_owned()).await, 0);
        assert_eq!(compared(&app).await, (0, 0, 2));
        app.skip_final_check();
    }
}
