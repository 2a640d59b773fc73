//! Erasing clients and accounts: what goes, what bookkeeping keeps, and what is left of it in the files.

use cabinet_app::operator::erasure::{Erasable, EraseError, Erased, ExportError, Reason};
use cabinet_domain::{Inn, OperatorReason, Origin, Phone};
use cabinet_test_kit::{
    Fault, FaultKind, FaultService, PETRO, PaymentKind, Person, TestApp, ZORIA, on_both_databases,
};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::transfers::import;

const PURPOSE: &str = "Оплата за Гнатюка П. О., 3652504575";

fn phone(text: &str) -> Phone {
    Phone::parse(text).unwrap()
}

async fn erase_client(app: &TestApp, client: &str) -> Result<Erased, EraseError> {
    let services = app.services();
    let notary = phone("+380501110001");
    let now = services.now();
    let erasure = services.operator.erasure();
    erasure
        .erase_client(notary, client, Reason::Request, now)
        .await
}

pub(crate) async fn erase_notary(app: &TestApp) -> Result<Erased, EraseError> {
    let services = app.services();
    let notary = phone("+380501110001");
    let now = services.now();
    let (erasure, wallets) = (services.operator.erasure(), services.wallets);
    erasure
        .erase_notary(notary, &wallets, Reason::Request, now)
        .await
}

/// Lists what a client leaves behind. Changes nothing.
async fn listed_of(app: &TestApp) -> Erasable {
    let services = app.services();
    let now = services.now();
    let notary = phone("+380501110001");
    let listed = services
        .operator
        .erasure()
        .list_client(notary, PETRO.inn, now)
        .await;
    listed.unwrap()
}

/// Returns the kinds of what Petro would be told, if anything is stored.
async fn told_to_petro(app: &TestApp) -> Option<Vec<&'static str>> {
    let services = app.services();
    let (code, now) = (Inn::parse(PETRO.inn).unwrap(), services.now());
    let reason = OperatorReason::parse("SD-1").unwrap();
    let told = services
        .operator
        .erasure()
        .export_person(code, &reason, now)
        .await;
    match told {
        Ok(told) => Some(told.counts.into_iter().map(|(kind, _)| kind).collect()),
        Err(ExportError::Nobody) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Has the bank credit every transfer.
async fn credit(app: &TestApp) {
    app.execute("update transfers set status = 'credited'".to_owned())
        .await;
}

pub(crate) async fn years_pass(app: &TestApp, years: i64) {
    app.clock()
        .advance(SignedDuration::from_hours(24 * 366 * years));
    app.ask_acquirer().await;
    app.work().await;
}

/// A paid order of Petro, whose purpose names him.
async fn paid_order(olena: &Person) -> Value {
    let form = olena.form(PaymentKind::RequisitesPayment).await;
    olena.add_payment(&form.with("purpose", PURPOSE)).await;
    let order = olena.order_cart().await;
    olena.pay(&order).await
}

async fn complain(olena: &Person, item: &str, text: &str) {
    let body = json!({ "cart_item_id": item, "text": text });
    olena.post("/cart/item/complaint", body).await.ok();
}

/// Returns the client of an order.
async fn client_of(olena: &Person, order: &Value) -> (String, String) {
    let order = olena.order(order).await;
    let field = |name: &str| order["client"][name].as_str().unwrap().to_owned();
    (field("inn"), field("full_name"))
}

/// Empties the journal, so that the files hold what is stored and nothing else.
async fn stores(app: &TestApp, needle: &str) -> bool {
    assert_eq!(app.services().store.truncate_journal().await, Ok(true));
    app.stores(needle).await
}

on_both_databases! {
    async fn a_client_goes_at_once_and_from_orders_after_the_period(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        let item = olena.order(&order).await["items"][0]["id"].as_str().unwrap().to_owned();
        // A bank's reason is free text and may name the payer.
        app.execute("update transfers set status = 'returned', reason = 'Гнатюк П. О. не є платником'".to_owned()).await;
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        let whole = listed_of(&app).await;
        assert_eq!((whole.kept.len(), whole.open.len()), (0, 1), "nobody has decided about the money yet");
        olena.post(&format!("{path}/refund"), json!({})).await.ok();
        let pages = app.outside().pages().await;
        let returned = app.number("select sum(amount) from transfers".to_owned()).await;
        app.outside().refund_part(&pages[0], returned).await;
        app.ask_acquirer().await;
        let part = app.services().operator.card_refunds().open().await.unwrap()[0].1.id;
        app.services().operator.card_refunds().mark(part, "операція 77", app.services().now()).await.unwrap();
        app.execute("update alarms set closed_at = 1, note = '-'".to_owned()).await;
        let zoria = olena.form_for(PaymentKind::RegistryPayment, ZORIA).await;
        let kept = olena.add_payment(&zoria).await;
        complain(&olena, &kept, "Сума не та").await;
        let cart = olena.add(PaymentKind::AdminPayment).await;
        complain(&olena, &cart, "Платник не той").await;
        complain(&olena, &kept, "Має бути гнатюк петро  олександрович").await;

        let services = app.services();
        let (now, erasure) = (services.now(), services.operator.erasure());
        let rows = app.all_rows().await;
        let listed = erasure.list_client(phone("+380501110001"), PETRO.inn, now).await.unwrap();
        assert_eq!(app.all_rows().await, rows, "a listing changes nothing");
        assert_eq!((listed.clients, listed.cart_items, listed.complaints, listed.letters), (1, 1, 2, 2));
        assert_eq!((listed.kept.len(), listed.open.len(), listed.anonymised.len()), (1, 0, 0));

        let erased = erase_client(&app, "гнатюк  петро олександрович").await.unwrap();
        assert_eq!(erased.erasable, listed);
        assert!(erased.journal_emptied);
        let groups = olena.get("/cart").await.ok()["groups"].clone();
        assert_eq!(groups.as_array().unwrap().len(), 1);
        assert_eq!(groups[0]["client"]["inn"], ZORIA.inn);
        assert_eq!(olena.get("/cart/client/last").await.ok()["client"]["inn"], ZORIA.inn);
        assert_eq!((app.rows("complaints").await, app.rows("outbox").await), (1, rows["outbox"] - 2));
        // Bookkeeping needs the payer, who is told so.
        assert_eq!(told_to_petro(&app).await.unwrap(), ["clients", "orders", "items", "transfers", "alarms"]);
        assert_eq!(client_of(&olena, &order).await, (PETRO.inn.to_owned(), PETRO.full_name.to_owned()));
        let trail = "select count(*) from audit_events where action = 'client_erased' and changes like '%75%' and changes like '%request%'
                         and changes not like '%3652%'";
        assert_eq!(app.number(trail.to_owned()).await, 1);

        years_pass(&app, 4).await;
        olena.log_in().await;
        assert_eq!(client_of(&olena, &order).await.1, PETRO.full_name);
        years_pass(&app, 2).await;
        olena.log_in().await;
        assert_eq!(client_of(&olena, &order).await, ("00000000".to_owned(), "Дані знеособлено".to_owned()));
        for text in [PETRO.full_name, PETRO.inn, PURPOSE, "Гнатюк"] {
            assert!(!stores(&app, text).await, "{text} is left");
        }
        assert_eq!(told_to_petro(&app).await, None);
        // The bank's file comes once more.
        let again = format!("transfer_id,status,reason\n{part},returned,Гнатюк П. О. не є платником\n");
        import(&app, &again, None).await.unwrap();
        assert!(!stores(&app, "Гнатюк").await);
        // Sum, recipient and receipts stay.
        let after = olena.order(&order).await;
        assert_eq!((&after["status"], &after["sum"]), (&json!("paid"), &order["sum"]));
        assert!(stores(&app, ZORIA.full_name).await);
        let id = order["id"].as_str().unwrap();
        assert_eq!(olena.get(&format!("/order/{id}/receipt")).await.status, 200);
        olena.get(&format!("/order/item/{item}/repeat")).await.refused(404, "order_not_found");
        app.finish_and_check().await;
    }

    async fn saved_recipients_that_name_a_client_go_with_the_client(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add_payment(&olena.form(PaymentKind::RequisitesPayment).await).await;
        let recipient = json!({ "title": "Оренда", "recipient_name": "ТОВ «Зоря»", "iban": "UA223052990000026001234567890", "okpo": "32855961" });
        for (field, value) in [
            ("title", "Оренда"),
            ("title", "Повернення гнатюк петро  олександрович"),
            ("recipient_name", PETRO.full_name),
            ("okpo", PETRO.inn),
            ("purpose", "Оренда, 3652504575"),
        ] {
            let mut saved = recipient.clone();
            saved[field] = json!(value);
            olena.post_proved("/book/recipients/save", saved).await.ok();
        }
        assert_eq!(listed_of(&app).await.recipients, 4);
        assert_eq!(erase_client(&app, PETRO.inn).await.unwrap().erasable.recipients, 4);
        let left = olena.get("/book/recipients").await.ok()["recipients"].clone();
        assert_eq!((left.as_array().unwrap().len(), &left[0]["title"]), (1, &json!("Оренда")));
    }

    async fn a_client_is_found_by_a_code_or_by_a_name_that_only_one_has(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(PaymentKind::RequisitesPayment).await;
        olena.add_payment(&form).await;
        let form = form.with("purpose", "Оплата послуг, 1759013776");
        olena.add_payment(&form.clone().with("client.inn", "1759013776")).await;
        assert!(matches!(erase_client(&app, PETRO.full_name).await, Err(EraseError::SeveralClients(2))));
        assert!(matches!(erase_client(&app, "Гнатюк").await, Err(EraseError::NoClient)));
        assert!(matches!(erase_client(&app, "2817364509").await, Err(EraseError::NoClient)));
        // The other with that name stays.
        erase_client(&app, " 1759013776 ").await.unwrap();
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 1);
        assert!(!stores(&app, "1759013776").await);
        // Who was erased may come again.
        olena.add_payment(&form.with("client.inn", "1759013776")).await;
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 2);
        app.finish_and_check().await;
    }

    async fn nothing_of_an_open_order_goes_and_its_account_stays(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        // Its transfer is planned, so money is on its way.
        let erased = erase_client(&app, PETRO.inn).await.unwrap();
        assert_eq!(erased.erasable.open.len(), 1);
        years_pass(&app, 7).await;
        olena.log_in().await;
        assert_eq!(client_of(&olena, &order).await.1, PETRO.full_name);
        let rows = app.all_rows().await;
        assert!(matches!(erase_notary(&app).await, Err(EraseError::OpenOrders(orders)) if orders.len() == 1));
        assert_eq!(app.all_rows().await, rows);
        credit(&app).await;
        let alarm = "insert into alarms (id, kind, subject, order_id, first_at, last_at, count)
                     select o.id, 'late_payment', 'test', o.id, 0, 0, 1 from orders o";
        app.execute(alarm.to_owned()).await;
        assert!(matches!(erase_notary(&app).await, Err(EraseError::OpenOrders(_))));
        app.execute("update alarms set closed_at = 1, note = 'Гнатюк Петро не відповідає'".to_owned()).await;
        erase_notary(&app).await.unwrap();
        // It was old enough, so it lost its names with the account.
        for text in [PETRO.full_name, PETRO.inn, "Коваль", "+380501110001", "Гнатюк"] {
            assert!(!stores(&app, text).await, "{text} is left");
        }
        app.finish_and_check().await;
    }

    async fn what_would_name_nobody_is_not_sent_to_the_bank(app: TestApp) {
        let olena = app.notary("olena").await;
        paid_order(&olena).await;
        credit(&app).await;
        erase_notary(&app).await.unwrap();
        // As if its money had come only now.
        app.execute("delete from transfers".to_owned()).await;
        let alarm = "insert into alarms (id, kind, subject, order_id, first_at, last_at, count)
                     select o.id, 'transfers_not_planned', 'test', o.id, 0, 0, 1 from orders o";
        app.execute(alarm.to_owned()).await;
        app.work().await;
        assert_eq!(app.rows("transfers").await, 0);
        assert_eq!(app.number("select count(*) from alarms where closed_at is null".to_owned()).await, 1);
        app.skip_final_check();
    }

    async fn an_account_goes_with_its_cards_and_its_phone_becomes_free(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.log_in().await;
        let profile = json!({ "full_name": "Коваль Олена Іванівна", "registry_identifier": "NOTAR20001", "email": "olena@private.example",
            "notary_address": "вул. Прихована, 7", "iban": "UA223052990000026001234567890", "okpo": "3068208400" });
        olena.post_proved("/me", profile).await.ok();
        let order = paid_order(&olena).await;
        credit(&app).await;
        let item = olena.add(PaymentKind::AdminPayment).await;
        complain(&olena, &item, "Таємна скарга").await;
        olena.save_card("4242424242424242");
        // A removed card that the acquirer still keeps goes, too.
        let removed = olena.save_card("5555555555554444");
        app.services().saved_cards.remove(olena.id(), &removed, Origin::worker()).await.unwrap();

        // Nothing happens without the acquirer.
        app.outside().faults(&[Fault::new(FaultService::Acquirer, FaultKind::Status500)]).await;
        let rows = app.all_rows().await;
        assert!(matches!(erase_notary(&app).await, Err(EraseError::Acquirer { deleted: 0, .. })));
        assert_eq!(app.all_rows().await, rows);
        app.outside().faults(&[]).await;
        olena.post("/auth/me", json!({})).await.ok();
        assert_eq!(olena.get("/order/token/get-all-tokens-by-phone").await.ok()["tokens"].as_array().unwrap().len(), 1);

        let erased = erase_notary(&app).await.unwrap();
        assert_eq!((erased.erasable.saved_cards, erased.cards_gone, erased.journal_emptied), (Some(2), true, true));
        assert_eq!(app.rows("removed_cards").await, 0);
        assert_eq!((erased.erasable.cart_items, erased.erasable.complaints, erased.erasable.kept.len()), (1, 1, 1));
        assert_eq!(olena.post("/auth/me", json!({})).await.status, 401);
        assert!(matches!(erase_notary(&app).await, Err(EraseError::NoAccount)));
        for text in ["+380501110001", "NOTAR20001", "olena@private.example", "Прихована", "Таємна скарга"] {
            assert!(!stores(&app, text).await, "{text} is left");
        }
        // The receipt of the order names the notary until bookkeeping needs it no longer.
        assert!(stores(&app, "Коваль Олена Іванівна").await);
        app.clock().advance_seconds(4_000);
        olena.post("/auth/login", json!({ "phone": olena.phone() })).await.refused(404, "phone_not_exist");

        // Whoever has the phone now begins anew and sees nothing of what was.
        let anew = app.anonymous();
        let wish = json!({ "full_name": "Нова Людина", "phone": olena.phone(), "registry_identifier": "NEW12345", "is_agreed": true });
        let started = anew.post("/auth/sign-up", wish).await.ok();
        let code = app.outside().code(olena.phone());
        anew.post("/auth/sign-up/verify", json!({ "otp_code": code, "operation_id": started["operation_id"] })).await.ok();
        assert_eq!(anew.get("/order").await.ok()["orders"], json!([]));
        let id = order["id"].as_str().unwrap();
        anew.get(&format!("/order/{id}")).await.refused(404, "order_not_found");

        years_pass(&app, 6).await;
        for text in ["Коваль Олена", PETRO.full_name, PETRO.inn, PURPOSE] {
            assert!(!stores(&app, text).await, "{text} is left");
        }
        app.finish_and_check().await;
    }
}
