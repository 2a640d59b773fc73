//! The audit trail: each action leaves one event that says who did it, on what and from where, and names nobody.

use axum::http::Method;
use cabinet_app::audit::AuditFilter;
use cabinet_app::operator::account_change::AccountChange;
use cabinet_domain::{
    Actor, AuditAction, AuditEvent, AuditObject, AuditSeal, LoginStep, OperatorReason, OrderId,
    Phone,
};
use cabinet_test_kit::{
    Fault, FaultKind, FaultService, PaymentKind, Person, TestApp, on_both_databases,
};
use jiff::SignedDuration;
use serde_json::{Value, json};

const FIREFOX: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0";
const PAYS: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";

async fn trail(app: &TestApp) -> Vec<AuditEvent> {
    let page = app
        .services()
        .audit
        .page(AuditFilter::default(), None)
        .await
        .unwrap();
    page.into_iter().map(|listed| listed.event).collect()
}

/// Returns what an action added to the trail.
async fn recorded<T>(app: &TestApp, action: impl Future<Output = T>) -> (Vec<AuditEvent>, T) {
    let before = trail(app).await;
    let result = action.await;
    let mut events = trail(app).await;
    events.retain(|event| !before.contains(event));
    (events, result)
}

/// Returns the only event that an action added.
#[track_caller]
fn only((events, _): (Vec<AuditEvent>, impl Sized)) -> AuditEvent {
    let [event] = <[AuditEvent; 1]>::try_from(events).unwrap();
    event
}

/// Checks that a notary did it on her own account, from her network and browser.
#[track_caller]
fn assert_by(event: &AuditEvent, notary: &Person) {
    assert_eq!(event.origin.actor, Actor::Notary(notary.id()));
    assert_eq!(event.notary_id, Some(notary.id()));
    let network = event.origin.network.as_ref().unwrap();
    assert_eq!(network.as_str(), "198.51.100.0/24");
}

fn changes(event: &AuditEvent) -> Vec<String> {
    event.changes.iter().map(ToString::to_string).collect()
}

fn id_of(order: &Value) -> OrderId {
    OrderId::parse(order["id"].as_str().unwrap()).unwrap()
}

/// Signs in from an address whose network is known.
async fn notary(app: &TestApp, name: &str) -> Person {
    app.notary(name).await.at_address("198.51.100.7")
}

async fn order_with_card(person: &Person, card: &str) -> Value {
    let token = person.save_card(card);
    person.add(PaymentKind::AdminPayment).await;
    let mut body = person.order_body().await;
    body["token_id"] = token.into();
    person.create_order(&person.fresh_key(), &body).await.ok()["order"].clone()
}

on_both_databases! {
    async fn a_changed_profile_is_recorded_without_what_it_says(app: TestApp) {
        let olena = notary(&app, "olena").await;
        let profile = json!({
            "full_name": "Коваль Марія Іванівна",
            "email": "olena.koval@ukr.net",
            "iban": "UA223052990000026001234567890",
            "okpo": "1759013776",
            "phone_additional": "+380671234455",
            "card_pan": "4242424242424242",
            "notary_address": "м. Київ, вул. Перша, 1",
        });
        let refused = olena.post("/me", profile.clone()).await.json();
        olena.prove(&refused["proof"]).await;
        let save = olena.call(Method::POST, "/me").header("user-agent", FIREFOX).json(&profile).send();
        let event = only(recorded(&app, save).await);
        assert_by(&event, &olena);
        assert_eq!((event.action, event.order_id, event.object), (AuditAction::ProfileChanged, None, None));
        assert_eq!(event.origin.browser.as_ref().unwrap().as_str(), "Firefox, Windows");
        let mut named = changes(&event);
        assert!(named.pop().unwrap().starts_with("proved: "));
        assert_eq!(named, [
            "phone_additional: +38067•••4455",
            "email: o•••@ukr.net",
            "notary_address: •••",
            "card_pan: •••4242",
            "iban: UA22•••7890",
            "okpo: •••76",
            "requested_name: К. М. І.",
        ]);
        // The same again changes nothing.
        let (events, answer) = recorded(&app, olena.post_proved("/me", profile)).await;
        answer.ok();
        assert_eq!(events, []);
        // A refused change, too.
        let (events, _) = recorded(&app, olena.post_proved("/me", json!({ "email": "olena@host" }))).await;
        assert_eq!(events, []);
        let refused = olena.post("/me", json!({ "email": "" })).await.json();
        olena.prove(&refused["proof"]).await;
        let event = only(recorded(&app, olena.post("/me", json!({ "email": "" }))).await);
        assert_eq!(changes(&event)[0], "email: o•••@ukr.net → –");
    }

    async fn an_order_is_recorded_when_it_is_made_and_when_it_is_paid(app: TestApp) {
        let olena = notary(&app, "olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let body = olena.order_body().await;
        let sum = body["sum"].clone();
        let key = olena.fresh_key();
        let (events, answer) = recorded(&app, olena.create_order(&key, &body)).await;
        let order = answer.ok()["order"].clone();
        let event = only((events, ()));
        assert_by(&event, &olena);
        assert_eq!((event.action, event.order_id), (AuditAction::OrderCreated, Some(id_of(&order))));
        assert_eq!(changes(&event), [format!("sum: {}", cabinet_test_kit::hryvnias(cabinet_test_kit::kopiykas(&sum)))]);
        // The same request again makes no second order.
        let (events, answer) = recorded(&app, olena.create_order(&key, &body)).await;
        answer.ok();
        assert_eq!(events, []);
        let event = only(recorded(&app, olena.pay(&order)).await);
        assert_eq!((event.action, &event.origin.actor), (AuditAction::OrderPaid, &Actor::Worker));
        assert_eq!((event.notary_id, event.order_id), (Some(olena.id()), Some(id_of(&order))));
        assert_eq!(changes(&event), ["status: pending → paid"]);
        app.finish_and_check().await;
    }

    async fn a_failed_order_and_its_new_link_are_recorded(app: TestApp) {
        let olena = notary(&app, "olena").await;
        let (events, order) = recorded(&app, order_with_card(&olena, DECLINED)).await;
        let actions: Vec<AuditAction> = events.iter().map(|event| event.action).collect();
        assert_eq!(actions, [AuditAction::OrderCreated, AuditAction::OrderFailed]);
        let path = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        let event = only(recorded(&app, olena.get(&path)).await);
        assert_by(&event, &olena);
        assert_eq!((event.action, event.order_id), (AuditAction::OrderLinkRenewed, Some(id_of(&order))));
        // The same link is given again.
        assert_eq!(recorded(&app, olena.get(&path)).await.0, []);
        let link = olena.get(&path).await.ok()["widget_url"].as_str().unwrap().to_owned();
        app.outside().pay(&link, PAYS).await;
        olena.until(&order, "paid").await;
        let refund = async {
            app.outside().refund(&link).await;
            olena.until(&order, "refunded").await
        };
        let event = only(recorded(&app, refund).await);
        assert_eq!((event.action, &event.origin.actor), (AuditAction::OrderRefunded, &Actor::Worker));
        app.finish_and_check().await;
    }

    async fn an_order_that_ends_at_the_wish_of_its_notary_names_her(app: TestApp) {
        let olena = notary(&app, "olena").await;
        let order = order_with_card(&olena, DECLINED).await;
        app.load_reference(|files| files.get_mut("tariffs.csv").unwrap().push_str("2026-03-03,2.5,14.00\n")).await;
        app.work().await;
        app.clock().advance_seconds(16 * 3_600);
        olena.log_in().await;
        let path = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        let (events, answer) = recorded(&app, olena.get(&path)).await;
        answer.refused(409, "order_returned_to_cart");
        let event = only((events, ()));
        assert_by(&event, &olena);
        assert_eq!((event.action, changes(&event)), (AuditAction::OrderExpired, vec!["status: failed → expired".to_owned()]));
        app.finish_and_check().await;
    }

    async fn files_that_are_taken_away_are_recorded(app: TestApp) {
        let olena = notary(&app, "olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let order = olena.order(&order).await;
        let (id, item) = (order["id"].as_str().unwrap(), order["items"][0]["id"].as_str().unwrap());
        for (path, receipt, is_item) in [
            (format!("/order/{id}/receipt"), "payment", false),
            (format!("/order/{id}/receipt?receipt_type=commission"), "commission", false),
            (format!("/order/item/{item}/receipt"), "payment", true),
            (format!("/order/{id}/receipts"), "all", false),
        ] {
            let (events, answer) = recorded(&app, olena.get(&path)).await;
            assert_eq!(answer.status, 200);
            let event = only((events, ()));
            assert_by(&event, &olena);
            assert_eq!((event.action, event.order_id), (AuditAction::ReceiptsDownloaded, Some(id_of(&order))));
            assert_eq!(changes(&event), [format!("receipt: {receipt}")]);
            assert_eq!(matches!(event.object, Some(AuditObject::Item(of)) if of.to_string() == item), is_item, "{path}");
        }
        let (events, answer) = recorded(&app, olena.post("/order/export", json!({ "text": "Гнатюк" }))).await;
        assert_eq!(answer.status, 200);
        let event = only((events, ()));
        assert_by(&event, &olena);
        assert_eq!((event.action, changes(&event)), (AuditAction::OrdersExported, vec!["payments: 1".to_owned()]));
        // What is refused is not taken away.
        let taras = notary(&app, "taras").await;
        let refused = async {
            taras.get(&format!("/order/{id}/receipts")).await.refused(404, "order_not_found");
            olena.post("/order/export", json!({ "from": "?" })).await
        };
        assert_eq!(recorded(&app, refused).await.0, []);
        app.finish_and_check().await;
    }

    async fn a_deleted_card_is_recorded(app: TestApp) {
        let olena = notary(&app, "olena").await;
        let token = olena.save_card(PAYS);
        let frame = olena.get("/tokenization/cards").await.ok()["cards"]["url"].as_str().unwrap().to_owned();
        let opened = olena.page(&frame[frame.find("/cards-frame").unwrap()..]).await;
        let pass = opened.header("set-cookie").split(';').next().unwrap().to_owned();
        let form = format!("token={token}");
        let delete = || olena.page_call("/cards-frame/delete").form(&form).header("cookie", &pass).send();
        let mut fault = Fault::new(FaultService::Acquirer, FaultKind::Refuse);
        (fault.code, fault.path) = (Some("FORBIDDEN".to_owned()), Some("wallet".to_owned()));
        app.outside().faults(&[fault]).await;
        assert_eq!(recorded(&app, delete()).await.0, [], "the card is still there");
        let (events, answer) = recorded(&app, delete()).await;
        assert_eq!(answer.header("location"), "/cards-frame?done=deleted");
        let event = only((events, ()));
        assert_by(&event, &olena);
        assert_eq!((event.action, changes(&event)), (AuditAction::SavedCardDeleted, vec!["card: •••4242 → –".to_owned()]));
    }

    async fn each_change_of_the_operator_is_an_event_of_its_own(app: TestApp) {
        let olena = notary(&app, "olena").await;
        let phone = Phone::parse(olena.phone()).unwrap();
        let change = AccountChange { login_step: Some(LoginStep::PhoneCall), chooses_payment_method: Some(false), end_sessions: true };
        let services = app.services();
        let (events, _) = recorded(&app, services.operator.administration().change_account(phone, change, &OperatorReason::parse("a call").unwrap(), services.now())).await;
        let mut told: Vec<(AuditAction, Vec<String>)> = events.iter().map(|event| (event.action, changes(event))).collect();
        told.sort();
        let why = "operator_reason: a call".to_owned();
        assert_eq!(told, [
            (AuditAction::SessionsEnded, vec!["sessions: 1".to_owned(), why.clone()]),
            (AuditAction::LoginStepChanged, vec!["login_step: otp → phone_call".to_owned(), why.clone()]),
            (AuditAction::PaymentFlowChanged, vec!["new_flow_enabled: true → false".to_owned(), why]),
        ]);
        assert!(events.iter().all(|event| event.notary_id == Some(olena.id())));
    }

    async fn the_trail_names_nobody(app: TestApp) {
        let olena = notary(&app, "olena").await;
        let order = order_with_card(&olena, PAYS).await;
        let id = order["id"].as_str().unwrap();
        assert_eq!(olena.get(&format!("/order/{id}/receipts")).await.status, 200);
        olena.post("/order/export", json!({ "text": "Гнатюк" })).await;
        olena.post_proved("/me", json!({ "email": "olena.koval@ukr.net", "inn": "3068208400", "registry_identifier": "NOTAR77777" })).await.ok();
        let (tax_id, full_name, identifier) = Person::facts("olena");
        let surname = full_name.split(' ').next().unwrap();
        for secret in [olena.phone(), tax_id, surname, identifier, "NOTAR7", "olena.", "Гнатюк", "198.51.100.7", "424242"] {

            let sql = format!(
                "select count(*) from audit_events where actor_name like '%{secret}%' or changes like '%{secret}%' or object_id like '%{secret}%'
                 or network like '%{secret}%' or browser like '%{secret}%'"
            );
            assert_eq!(app.number(sql).await, 0, "{secret}");
        }
        app.finish_and_check().await;
    }

    async fn the_worker_seals_what_happened(app: TestApp) {
        let olena = notary(&app, "olena").await;
        olena.post_proved("/me", json!({ "email": "olena@ukr.net" })).await.ok();
        let audit = app.services().audit;
        let now = app.services().now();
        assert_eq!(audit.overdue(now).await, Ok(0));
        assert!(audit.overdue(now + SignedDuration::from_mins(61)).await.unwrap() >= 1);
        app.work().await;
        assert_eq!(audit.overdue(now + SignedDuration::from_mins(61)).await, Ok(0));
        let check = audit.check(None, None, now).await.unwrap();
        assert_eq!((check.start, check.breaks.as_slice()), (AuditSeal::START, [].as_slice()));
        assert_eq!(app.rows("audit_events").await, check.end.sequence);
    }
}
