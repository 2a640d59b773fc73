//! The status of notaries: which kinds of payment they have, and what a change of it does.

use axum::http::Method;
use cabinet_app::account::RegisterLoaded;
use cabinet_domain::{NotaryStatus, Phone};
use cabinet_test_kit::{PaymentKind, Person, TestApp, on_both_databases};
use serde_json::{Value, json};

async fn set_status(app: &TestApp, phone: &str, status: NotaryStatus) {
    let services = app.services();
    let phone = Phone::parse(phone).unwrap();
    let confirmation = services.operator.account_confirmation();
    let set = confirmation.set_status(phone, status, "Перевірено за реєстром", services.now());
    set.await.unwrap();
}

async fn load(app: &TestApp, text: &str) -> RegisterLoaded {
    let services = app.services();
    let confirmation = services.operator.account_confirmation();
    let loading = confirmation.load_register(text, services.now());
    loading.await.unwrap()
}

async fn me(person: &Person) -> Value {
    person.call(Method::POST, "/auth/me").send().await.ok()
}

async fn status(person: &Person) -> Value {
    me(person).await["notary_status"].clone()
}

/// Returns the kinds that the form offers.
async fn offered(person: &Person) -> Vec<String> {
    let list = person.get("/payment-types").await.ok();
    let types = list["payment_types"].as_array().unwrap().iter();
    types
        .map(|kind| kind["slug"].as_str().unwrap().to_owned())
        .collect()
}

async fn sign_up(app: &TestApp, phone: &str, name: &str, identifier: &str) -> Person {
    let person = app.anonymous();
    let body = json!({ "full_name": name, "phone": phone, "registry_identifier": identifier, "is_agreed": true });
    let started = person.post("/auth/sign-up", body).await.ok();
    let code = app.outside().code(phone);
    let body = json!({ "otp_code": code, "operation_id": started["operation_id"] });
    person.post("/auth/sign-up/verify", body).await.ok();
    person
}

const REGISTER: &str = "REGION,NAME_OBJ,FIO,LICENSE,IDENTIFIER,INFO,PHONE\n\
    Київ,Перша київська державна нотаріальна контора,Дем’яненко Лук’ян Олексійович,77,NOTAR30001,,+380671234567\n\
    Київ,Київський міський нотаріальний округ,Савченко Юрій Павлович,78,NOTAR30002,,+380671234568\n\
    Київ,,Григоренко Марія Степанівна,79,NOTAR30003,,+380671234569\n";

on_both_databases! {
    async fn each_status_has_its_kind_of_administrative_fee(app: TestApp) {
        let olena = app.notary("olena").await;
        // Nobody has told how she practises, so both fees are offered and taken.
        assert_eq!(status(&olena).await, "private");
        let all = ["admin_payment", "admin_government_payment", "registry_payment", "requisites_payment"];
        assert_eq!(offered(&olena).await, all);
        let of_state = app.notary("taras").await.form(PaymentKind::AdminGovernmentPayment).await;
        olena.post("/cart/add", of_state.body).await.ok();
        let waiting = olena.group().await["items"][0]["id"].clone();
        assert_eq!(olena.group().await["items"][0]["change"], json!(null));

        set_status(&app, olena.phone(), NotaryStatus::Private).await;
        assert_eq!(status(&olena).await, "private");
        assert_eq!(offered(&olena).await, ["admin_payment", "registry_payment", "requisites_payment"]);
        let change = olena.group().await["items"][0]["change"].clone();
        assert_eq!(change, json!({ "message": "payment_type_not_for_status", "price": null }));
        olena.post("/cart/item/delete", json!({ "cart_item_id": waiting })).await.ok();
        let own = olena.form(PaymentKind::AdminPayment).await;
        let item = olena.add_payment(&own).await;
        let state = own.clone().with("payment_type_id", "admin-government");
        let refused = olena.post("/cart/add", state.body).await.refused(422, "payment_type_not_for_status");
        assert_eq!(refused["errors"]["payment_type_id"], json!(["payment_type_not_for_status"]));

        set_status(&app, olena.phone(), NotaryStatus::State).await;
        assert_eq!(status(&olena).await, "state");
        assert_eq!(offered(&olena).await, ["admin_government_payment", "registry_payment", "requisites_payment"]);
        olena.post("/cart/add", own.body.clone()).await.refused(422, "payment_type_not_for_status");
        // What waits in the cart says so, and is neither accepted at a new price nor ordered.
        let change = olena.group().await["items"][0]["change"].clone();
        assert_eq!(change, json!({ "message": "payment_type_not_for_status", "price": null }));
        olena.post("/cart/item/refresh", json!({ "cart_item_id": item })).await.refused(422, "payment_type_not_for_status");
        let (key, body) = (olena.fresh_key(), olena.order_body().await);
        let rows = app.all_rows().await;
        olena.create_order(&key, &body).await.refused(409, "payment_type_not_for_status");
        assert_eq!(app.all_rows().await, rows);

        set_status(&app, olena.phone(), NotaryStatus::Private).await;
        assert_eq!(olena.group().await["items"][0]["change"], json!(null));
        let order = olena.create_order(&key, &body).await.ok();
        olena.pay(&order["order"]).await;
        let changes = "select count(*) from audit_events where action = 'notary_status_changed'";
        assert_eq!(app.number(changes.to_owned()).await, 3);
        assert_eq!(app.number(format!("{changes} and changes like '%operator_reason%'")).await, 3);
        app.finish_and_check().await;
    }

    async fn a_suspended_notary_prepares_and_does_not_order_and_open_orders_finish(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let open = olena.order_cart().await;
        set_status(&app, olena.phone(), NotaryStatus::Suspended).await;
        assert_eq!(status(&olena).await, "suspended");
        assert_eq!(offered(&olena).await.len(), 4);
        olena.add(PaymentKind::RegistryPayment).await;
        let (key, body) = (olena.fresh_key(), olena.order_body().await);
        olena.create_order(&key, &body).await.refused(403, "notary_suspended");
        // The page of the order that was made before is given again, and paid.
        let id = open["id"].as_str().unwrap();
        let link = olena.get(&format!("/order/{id}/update/pay-link")).await.ok();
        assert_eq!(link["widget_url"], open["widget_url"]);
        olena.pay(&open).await;
        assert_eq!(olena.get(&format!("/order/{id}")).await.ok()["order"]["status"], "paid");
        app.finish_and_check().await;
    }

    async fn the_register_tells_the_status_and_a_new_one_changes_it(app: TestApp) {
        load(&app, REGISTER).await;
        let lukian = sign_up(&app, "+380671234567", "Дем’яненко Лук’ян Олексійович", "NOTAR30001").await;
        let yurii = sign_up(&app, "+380671234568", "Савченко Юрій Павлович", "NOTAR30002").await;
        let mariia = sign_up(&app, "+380671234569", "Григоренко Марія Степанівна", "NOTAR30003").await;
        for (person, expected) in [(&lukian, "state"), (&yurii, "private"), (&mariia, "private")] {
            let user = me(person).await;
            assert_eq!((&user["notary_status"], &user["standing"]), (&json!(expected), &json!("confirmed")));
        }
        // Whom the register does not tell of, and whom it has never named, the operator is shown.
        let stranger = sign_up(&app, "+380671234570", "Інша Ганна Петрівна", "NOTAR30009").await;
        let again = load(&app, REGISTER).await;
        assert_eq!((again.is_same, again.statuses, again.doubtful.unknown.len()), (true, 0, 2));

        let changed = REGISTER
            .replace("NOTAR30001,", "NOTAR30001,діяльність зупинено")
            .replace("Київський міський нотаріальний округ", "Друга київська державна нотаріальна контора");
        let loaded = load(&app, &changed).await;
        assert_eq!((loaded.statuses, loaded.gone.len()), (2, 1));
        assert_eq!((status(&lukian).await, status(&yurii).await), (json!("suspended"), json!("state")));
        assert_eq!((status(&mariia).await, status(&stranger).await), (json!("private"), json!("private")));

        // The operator's decision is not overruled; the load names it.
        set_status(&app, "+380671234568", NotaryStatus::Private).await;
        let loaded = load(&app, &format!("{changed}Львів,,Хтось Інший Третій,99,,,\n")).await;
        assert_eq!((loaded.statuses, loaded.doubtful.otherwise.len()), (0, 1));
        assert_eq!(status(&yurii).await, "private");
        // The activity goes on.
        let loaded = load(&app, REGISTER).await;
        assert_eq!((loaded.statuses, loaded.doubtful.otherwise.len()), (1, 0));
        assert_eq!(status(&lukian).await, "state");
    }

    async fn the_own_account_of_a_private_notary_goes_with_a_persons_code(app: TestApp) {
        let olena = app.notary("olena").await;
        let office = json!({ "iban": "UA223052990000026001234567890", "okpo": "32855961" });
        let refused = olena.post("/me", office.clone()).await.refused(422, "your_okpo_not_yours");
        assert_eq!(refused["errors"]["okpo"], json!(["your_okpo_not_yours"]));
        let form = olena.form(PaymentKind::AdminPayment).await.with("okpo", "32855961");
        olena.post("/cart/add", form.body).await.refused(422, "your_okpo_not_yours");
        // A state notary has no share, and may note the account of her office.
        set_status(&app, olena.phone(), NotaryStatus::State).await;
        olena.post_proved("/me", office).await.ok();
        let payment = olena.form(PaymentKind::AdminGovernmentPayment).await;
        olena.add_payment(&payment).await;
    }
}
