//! New accounts: who may order, and the limits of young accounts.

use axum::http::Method;
use cabinet_app::account::{DecisionError, RegisterError, RegisterLoaded};
use cabinet_app::transfer::{Format, ImportError, ReleaseError};
use cabinet_bank_files::Encoding;
use cabinet_domain::{
    AccountLimits, AccountStanding, Money, Phone, SignUpConfirmation, StandingDecision, TransferId,
};
use cabinet_storage::operator::invariants::{self, Extent};
use cabinet_test_kit::{PaymentKind, Person, TestApp, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::transfers::{import, payer};

const REGISTER: &str = "REGION,FIO,LICENSE,IDENTIFIER,INFO,PHONE\n\
    Київ,ДЕМ'ЯНЕНКО Лук’ян  Олексiйович,0077,NOTAR30001,,067 123 45 67\n\
    Київ,Савченко Юрій Павлович,78,NOTAR30003,зупинено,\n";
const DECLINED: &str = "4000000000000002";
const GOOD: &str = "4242424242424242";

/// Signs up under a name and an identifier, and verifies the phone.
pub(crate) async fn sign_up(app: &TestApp, phone: &str, name: &str, identifier: &str) -> Person {
    let person = app.anonymous();
    let body = json!({ "full_name": name, "phone": phone, "registry_identifier": identifier, "is_agreed": true });
    let started = person.post("/auth/sign-up", body).await.ok();
    let body =
        json!({ "otp_code": app.outside().code(phone), "operation_id": started["operation_id"] });
    person.post("/auth/sign-up/verify", body).await.ok();
    person
}

pub(crate) async fn standing(person: &Person) -> Value {
    me(person).await["standing"].clone()
}

pub(crate) async fn me(person: &Person) -> Value {
    person.call(Method::POST, "/auth/me").send().await.ok()
}

pub(crate) async fn load(app: &TestApp, text: &str) -> Result<RegisterLoaded, RegisterError> {
    let services = app.services();
    services
        .operator
        .account_confirmation()
        .load_register(text, services.now())
        .await
}

pub(crate) async fn decide(
    app: &TestApp,
    phone: &str,
    decision: StandingDecision,
) -> Result<AccountStanding, DecisionError> {
    let services = app.services();
    let phone = Phone::parse(phone).unwrap();
    services
        .operator
        .account_confirmation()
        .decide(phone, decision, "Перевірено за реєстром", services.now())
        .await
        .map(|decided| decided.standing)
}

/// Returns the actions of the audit trail about accounts and transfers.
pub(crate) async fn recorded(app: &TestApp, action: &str) -> i64 {
    app.number(format!(
        "select count(*) from audit_events where action = '{action}'"
    ))
    .await
}

fn money(hryvnias: i64) -> Money {
    Money::from_hryvnias(hryvnias).unwrap()
}

/// Makes every account of the tests young, with these limits.
async fn limit(app: &TestApp, limits: AccountLimits) {
    app.restart_with(|settings| settings.app.account_limits = limits)
        .await;
}

/// A young account's limits that no test reaches.
fn wide() -> AccountLimits {
    AccountLimits {
        young_for: SignedDuration::from_hours(24 * 500),
        young_daily_sum_max: money(1_000_000),
        young_transfer_max: money(1_000_000),
        young_declines_hourly_max: 1_000,
        declines_hourly_max: 1_000,
    }
}

on_both_databases! {
    async fn a_notary_who_signs_up_with_the_telephone_of_the_register_orders_at_once(app: TestApp) {
        let loaded = load(&app, REGISTER).await.unwrap();
        assert_eq!((loaded.rows, loaded.is_same, loaded.confirmed), (2, false, 0));
        // Case, apostrophes, spaces and look-alikes don't matter.
        let lukian = sign_up(&app, "+380671234567", "Демʼяненко Лук'ян Олексійович", "notar30001").await;
        assert_eq!(standing(&lukian).await, "confirmed");
        assert_eq!(recorded(&app, "notary_confirmed").await, 1);
        lukian.add(PaymentKind::RequisitesPayment).await;
        let order = lukian.order_cart().await;
        lukian.pay(&order).await;
        // The same row confirms nobody else, by whichever of its numbers.
        for (phone, identifier) in [("+380671234568", "NOTAR30001"), ("+380671234569", "0077")] {
            let other = sign_up(&app, phone, "Дем’яненко Лук’ян Олексійович", identifier).await;
            assert_eq!(standing(&other).await, "waiting");
        }
        app.finish_and_check().await;
    }

    async fn whom_the_register_does_not_name_waits_and_prepares_payments(app: TestApp) {
        load(&app, REGISTER).await.unwrap();
        let cases = [
            ("+380671234501", "Дем’яненко Лук’ян Олексійович", "NOTAR30009"),
            ("+380671234502", "Дем’яненко Лука Олексійович", "NOTAR30001"),
            ("+380671234503", "Савченко Юрій Павлович", "NOTAR30003"),
        ];
        for (phone, name, identifier) in cases {
            let person = sign_up(&app, phone, name, identifier).await;
            assert_eq!(standing(&person).await, "waiting", "{name} {identifier}");
        }
        let waiting = app.services().operator.account_confirmation().waiting().await.unwrap();
        assert_eq!(waiting.iter().map(|notary| notary.phone.as_str()).collect::<Vec<_>>(), cases.map(|(phone, ..)| phone));
        let (phone, name, _) = cases[0];
        let person = sign_up(&app, "+380671234567", name, "NOTAR30008").await;
        person.add(PaymentKind::RequisitesPayment).await;
        let rows = app.all_rows().await;
        let body = person.order_body().await;
        let key = person.fresh_key();
        person.create_order(&key, &body).await.refused(403, "notary_not_confirmed");
        assert_eq!(app.all_rows().await, rows);
        // With the number of the certificate the register names her, and has her telephone.
        person.post_proved("/me", json!({ "certificate_number": "77" })).await.ok();
        assert_eq!(standing(&person).await, "confirmed");
        person.create_order(&key, &body).await.ok();
        assert_eq!(decide(&app, phone, StandingDecision::Confirm).await.unwrap(), AccountStanding::Confirmed);
        app.finish_and_check().await;
    }

    async fn a_load_confirms_those_who_wait(app: TestApp) {
        let lukian = sign_up(&app, "+380671234567", "Дем’яненко Лук’ян Олексійович", "NOTAR30001").await;
        let twin = sign_up(&app, "+380671234568", "Дем’яненко Лук’ян Олексійович", "NOTAR30001").await;
        assert_eq!(standing(&lukian).await, "waiting");
        let broken = format!("{REGISTER}Львів,,79,,,\n");
        match load(&app, &broken).await {
            Err(RegisterError::Rows(rows)) => assert_eq!(rows.len(), 1),
            other => panic!("{other:?}"),
        }
        assert_eq!((app.rows("register_rows").await, standing(&lukian).await), (0, json!("waiting")));
        assert_eq!(load(&app, REGISTER).await.unwrap().confirmed, 1);
        // Of two who claim the same row, the one whose telephone it has.
        assert_eq!((standing(&lukian).await, standing(&twin).await), (json!("confirmed"), json!("waiting")));
        // The same file again changes nothing.
        let rows = app.all_rows().await;
        let again = load(&app, REGISTER).await.unwrap();
        assert!(again.is_same && again.gone.is_empty());
        assert_eq!(app.all_rows().await, rows);
        // A later one replaces it as a whole, and names confirmed accounts that it no longer has.
        let later = load(&app, "FIO,LICENSE,INFO\nШевчук Ірина Петрівна,5,\n").await.unwrap();
        assert_eq!((app.rows("register_rows").await, later.gone.len()), (1, 1));
        assert_eq!(standing(&lukian).await, "confirmed");
        assert_eq!(recorded(&app, "register_loaded").await, 2);
        let found = app.services().operator.account_confirmation().find("ШЕВЧУК ір").await.unwrap();
        assert_eq!(found.len(), 1);
    }

    async fn an_installation_may_ask_the_operator_alone_or_nobody(app: TestApp) {
        app.restart_with(|settings| settings.app.sign_up_confirmation = SignUpConfirmation::Operator).await;
        load(&app, REGISTER).await.unwrap();
        let lukian = sign_up(&app, "+380671234567", "Дем’яненко Лук’ян Олексійович", "NOTAR30001").await;
        assert_eq!(standing(&lukian).await, "waiting");
        app.restart_with(|settings| settings.app.sign_up_confirmation = SignUpConfirmation::Nobody).await;
        let nobody = sign_up(&app, "+380671234568", "Нова Надія Назарівна", "NOTAR30007").await;
        assert_eq!(standing(&nobody).await, "confirmed");
        // A setting alone changes no account that waits already.
        assert_eq!(standing(&lukian).await, "waiting");
    }

    async fn the_operator_decides_and_the_owner_is_told(app: TestApp) {
        let phone = "+380671234567";
        let nadiia = sign_up(&app, phone, "Нова Надія Назарівна", "NOTAR30007").await;
        assert!(matches!(decide(&app, phone, StandingDecision::Unblock).await, Err(DecisionError::DoesNotFit(AccountStanding::Waiting))));
        assert!(matches!(decide(&app, "+380671234500", StandingDecision::Confirm).await, Err(DecisionError::Unknown)));
        assert_eq!(decide(&app, phone, StandingDecision::Refuse).await.unwrap(), AccountStanding::Refused);
        assert_eq!(standing(&nadiia).await, "refused");
        nadiia.add(PaymentKind::RequisitesPayment).await;
        let body = nadiia.order_body().await;
        nadiia.create_order(&nadiia.fresh_key(), &body).await.refused(403, "notary_not_confirmed");
        // A load does not overrule the operator.
        load(&app, "FIO,IDENTIFIER,INFO\nНова Надія Назарівна,NOTAR30007,\n").await.unwrap();
        assert_eq!(standing(&nadiia).await, "refused");
        let before = app.outside().messages(phone).len();
        assert_eq!(decide(&app, phone, StandingDecision::Confirm).await.unwrap(), AccountStanding::Confirmed);
        app.work().await;
        let messages = app.outside().messages(phone);
        assert_eq!(messages.len(), before + 2);
        assert!(messages.iter().any(|text| text.contains("підтверджено: можна оформлювати замовлення")), "{messages:?}");
        nadiia.create_order(&nadiia.fresh_key(), &body).await.ok();
        let reason = "select count(*) from notaries where standing_by = 'operator' and standing_reason = 'Перевірено за реєстром'";
        assert_eq!(app.number(reason.to_owned()).await, 1);
        // The operator's confirmation took the row, so it confirms nobody else.
        let twin = sign_up(&app, "+380671234568", "Нова Надія Назарівна", "NOTAR30007").await;
        assert_eq!(standing(&twin).await, "waiting");
        app.finish_and_check().await;
    }

    async fn a_blocked_account_is_closed_and_its_open_orders_are_finished(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RequisitesPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        let operation = olena.elsewhere().ask_for_code().await;
        let code = olena.code();
        assert_eq!(decide(&app, olena.phone(), StandingDecision::Block).await.unwrap(), AccountStanding::Blocked);
        for path in ["/cart", "/order"] {
            olena.get(path).await.refused(401, "unauthorized");
        }
        olena.refresh().await.refused(401, "session_expired");
        // A code that was on its way is good for nothing, and no browser is known any more.
        olena.elsewhere().enter(&operation, &code).await.refused(422, "otp_expired");
        assert_eq!(app.rows("devices").await, 0);
        // Of a new one a wrong code tells nothing, the right one whom to ask.
        let operation = olena.elsewhere().ask_for_code().await;
        let code = olena.code();
        let wrong = crate::codes::other_code(&code, 1);
        olena.elsewhere().enter(&operation, &wrong).await.refused(422, "wrong_otp");
        olena.elsewhere().enter(&operation, &code).await.refused(403, "account_blocked");
        assert_eq!(app.number("select count(*) from sessions where ended_at is null".to_owned()).await, 0);
        // What was ordered is paid and booked all the same.
        app.outside().pay(&page, GOOD).await;
        app.clock().advance_seconds(60);
        app.work().await;
        app.wait_for_number("select count(*) from orders where status = 'paid'", 1).await;
        assert!(matches!(decide(&app, olena.phone(), StandingDecision::Block).await, Err(DecisionError::DoesNotFit(_))));
        assert_eq!(decide(&app, olena.phone(), StandingDecision::Unblock).await.unwrap(), AccountStanding::Confirmed);
        app.clock().advance_seconds(60);
        olena.log_in().await;
        olena.until(&order, "paid").await;
        assert_eq!((recorded(&app, "notary_blocked").await, recorded(&app, "notary_unblocked").await), (1, 1));
        // The account keeps the last reason alone, the trail those of both decisions.
        let reasons = "select count(*) from audit_events where action in ('notary_blocked', 'notary_unblocked') and changes like '%Перевірено за реєстром%'";
        assert_eq!(app.number(reasons.to_owned()).await, 2);
        app.finish_and_check().await;
    }

    async fn an_account_that_is_not_confirmed_gets_no_payment_link(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RequisitesPayment).await;
        let order = olena.order_cart().await;
        app.outside().pay(order["widget_url"].as_str().unwrap(), DECLINED).await;
        olena.until(&order, "failed").await;
        let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        for (word, key) in [("waiting", "notary_not_confirmed"), ("refused", "notary_not_confirmed"), ("blocked", "account_blocked")] {
            app.execute(format!("update notaries set standing = '{word}'")).await;
            olena.get(&link).await.refused(403, key);
        }
        app.execute("update notaries set standing = 'confirmed'".to_owned()).await;
        olena.get(&link).await.ok();
        app.finish_and_check().await;
    }

    async fn a_young_account_orders_up_to_a_sum_a_day(app: TestApp) {
        let limits = AccountLimits { young_daily_sum_max: money(2_000), ..wide() };
        limit(&app, limits).await;
        let olena = app.notary("olena").await;
        // Twice 1,250.50 and its commission are more than 2,000.
        olena.add(PaymentKind::RequisitesPayment).await;
        let first = olena.order_cart().await;
        olena.add(PaymentKind::RequisitesPayment).await;
        let body = olena.order_body().await;
        olena.create_order(&olena.fresh_key(), &body).await.refused(409, "daily_sum_exceeded");
        // A declined card leaves the page open for another one, so the sum still counts.
        app.outside().pay(first["widget_url"].as_str().unwrap(), DECLINED).await;
        olena.until(&first, "failed").await;
        olena.create_order(&olena.fresh_key(), &body).await.refused(409, "daily_sum_exceeded");
        // Once the page has ended it does not, until the payment is begun again.
        app.clock().advance(SignedDuration::from_hours(25));
        app.work().await;
        olena.log_in().await;
        let second = olena.create_order(&olena.fresh_key(), &body).await.ok();
        let link = format!("/order/{}/update/pay-link", first["id"].as_str().unwrap());
        olena.pay(&second["order"]).await;
        olena.get(&link).await.refused(409, "daily_sum_exceeded");
        // A day later it may, and a grown account always.
        app.clock().advance(SignedDuration::from_hours(25));
        olena.log_in().await;
        olena.add(PaymentKind::RequisitesPayment).await;
        olena.order_cart().await;
        limit(&app, AccountLimits { young_for: SignedDuration::from_hours(1), ..limits }).await;
        olena.add(PaymentKind::RequisitesPayment).await;
        olena.order_cart().await;
        app.finish_and_check().await;
    }

    async fn qr_codes_count_to_the_sum_of_a_young_account(app: TestApp) {
        limit(&app, AccountLimits { young_daily_sum_max: money(2_000), ..wide() }).await;
        let day = SignedDuration::from_hours(25);
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RequisitesPayment).await;
        let first = olena.order_cart().await;
        app.clock().advance(day);
        app.work().await;
        olena.log_in().await;
        olena.add(PaymentKind::RequisitesPayment).await;
        olena.order_cart().await;
        let codes = format!("/order/{}/codes", first["id"].as_str().unwrap());
        let rows = app.all_rows().await;
        olena.post(&codes, json!({})).await.refused(409, "daily_sum_exceeded");
        assert_eq!(app.all_rows().await, rows);
        app.clock().advance(day);
        app.work().await;
        olena.log_in().await;
        olena.post(&codes, json!({})).await.ok();
        olena.post(&codes, json!({})).await.ok();
        olena.add(PaymentKind::RequisitesPayment).await;
        let body = olena.order_body().await;
        olena.create_order(&olena.fresh_key(), &body).await.refused(409, "daily_sum_exceeded");
        app.finish_and_check().await;
    }

    async fn what_young_accounts_send_to_one_account_is_added_up(app: TestApp) {
        limit(&app, AccountLimits { young_transfer_max: money(2_000), ..wide() }).await;
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let held = async || app.services().transfers.held().await.unwrap().len();
        let pay = async |person: &Person, kind: PaymentKind| {
            person.add(kind).await;
            let order = person.order_cart().await;
            person.pay(&order).await;
        };
        pay(&olena, PaymentKind::RequisitesPayment).await;
        assert_eq!(held().await, 0);
        // Another account, the same recipient: twice 1,250.50 are more than 2,000.
        pay(&taras, PaymentKind::RequisitesPayment).await;
        assert_eq!(held().await, 1);
        // Recipients of the tables get as much as there is.
        for _ in 0..30 {
            pay(&olena, PaymentKind::RegistryPayment).await;
        }
        assert_eq!(held().await, 1);
        let id = app.services().transfers.held().await.unwrap()[0].id;
        app.services().transfers.release(&[id], "Перевірено", app.services().now()).await.unwrap();
        // The next day begins anew.
        app.clock().advance(SignedDuration::from_hours(25));
        olena.log_in().await;
        pay(&olena, PaymentKind::RequisitesPayment).await;
        assert_eq!(held().await, 0);
        app.finish_and_check().await;
    }

    async fn after_declined_cards_an_account_pauses(app: TestApp) {
        limit(&app, AccountLimits { young_declines_hourly_max: 2, ..wide() }).await;
        let olena = app.notary("olena").await;
        let mut orders = Vec::new();
        for _ in 0..2 {
            olena.add(PaymentKind::RequisitesPayment).await;
            let order = olena.order_cart().await;
            app.outside().pay(order["widget_url"].as_str().unwrap(), DECLINED).await;
            olena.until(&order, "failed").await;
            app.clock().advance_seconds(60);
            orders.push(order);
        }
        // What is refused closes no open page: see the end.
        let order = &orders[1];
        let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        olena.get(&link).await.refused(429, "too_many_declines");
        olena.add(PaymentKind::RequisitesPayment).await;
        let body = olena.order_body().await;
        let refused = olena.create_order(&olena.fresh_key(), &body).await;
        refused.refused(429, "too_many_declines");
        let wait: i64 = refused.header("retry-after").parse().unwrap();
        assert!((3_000..=3_600).contains(&wait), "{wait}");
        app.clock().advance_seconds(wait);
        olena.refresh().await;
        olena.create_order(&olena.fresh_key(), &body).await.ok();
        app.outside().pay(order["widget_url"].as_str().unwrap(), GOOD).await;
        olena.until(order, "paid").await;
        app.finish_and_check().await;
    }

    async fn large_transfers_of_a_young_account_wait_for_the_operator(app: TestApp) {
        limit(&app, AccountLimits { young_transfer_max: money(1_250), ..wide() }).await;
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RequisitesPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let transfers = app.services().transfers;
        let held = transfers.held().await.unwrap();
        assert_eq!(held.len(), 1);
        assert_eq!((transfers.export(Format::Csv(Encoding::Utf8), &payer(), app.services().now()).await.unwrap().transfers, recorded(&app, "transfer_held").await), (0, 1));
        let id = held[0].id;
        let sent = format!("transfer_id,status\n{id},sent\n");
        match import(&app, &sent, None).await {
            Err(ImportError::Rows(rows)) => assert!(rows[0].to_string().contains("it is held"), "{rows:?}"),
            other => panic!("{other:?}"),
        }
        // The doctor speaks of one that waits for more than a day.
        let broken = |app: &TestApp| {
            let (store, now) = (app.services().store, app.services().now());
            async move {
                let check = invariants::examine(&store, now, Extent::Full).await.unwrap();
                let findings = check.findings().iter();
                findings.filter(|one| one.count > 0).map(|one| one.name).collect::<Vec<_>>()
            }
        };
        assert_eq!(broken(&app).await, Vec::<&str>::new());
        app.clock().advance(SignedDuration::from_hours(25));
        app.work().await;
        assert_eq!(broken(&app).await, ["transfers_held"]);
        let now = app.services().now();
        let unknown = TransferId::parse("01990000-0000-7000-8000-000000000007").unwrap();
        assert!(matches!(transfers.release(&[id, unknown], "Перевірено", now).await, Err(ReleaseError::NotHeld(_))));
        assert!(matches!(transfers.release(&[id], " ", now).await, Err(ReleaseError::Reason)));
        assert_eq!(transfers.held().await.unwrap().len(), 1);
        transfers.release(&[id], "Перевірено за документами", now).await.unwrap();
        assert_eq!((transfers.held().await.unwrap().len(), transfers.export(Format::Csv(Encoding::Utf8), &payer(), app.services().now()).await.unwrap().transfers), (0, 1));
        assert_eq!(recorded(&app, "transfer_released").await, 1);
        import(&app, &sent, None).await.unwrap();
        app.finish_and_check().await;
    }

    async fn a_refund_calls_a_held_transfer_off(app: TestApp) {
        limit(&app, AccountLimits { young_transfer_max: money(1), ..wide() }).await;
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RequisitesPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        app.outside().refund(order["widget_url"].as_str().unwrap()).await;
        olena.until(&order, "refunded").await;
        assert_eq!(app.services().transfers.held().await.unwrap().len(), 0);
        app.clock().advance(SignedDuration::from_hours(48));
        app.work().await;
        app.finish_and_check().await;
    }
}
