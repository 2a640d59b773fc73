//! Calls that a stranger has a notary get (decision 64): what opens a session is what her own page shows, and a stranger who calls and
//! sends codes for a day is stopped.

use std::net::{IpAddr, Ipv4Addr};

use cabinet_test_kit::{
    Database, Fault, FaultKind, FaultService, LoginStep, Person, TestApp, device_token, keys_of,
    on_both_databases, run,
};
use jiff::SignedDuration;
use serde_json::{Value, json};

async fn start(person: &Person) -> Value {
    let login = json!({ "phone": person.phone() });
    person.post("/auth/login", login).await.ok()
}

async fn finish(person: &Person, started: &Value) -> cabinet_test_kit::Answer {
    let body = json!({ "phone": person.phone(), "transaction_id": started["transaction_id"] });
    person.post("/auth/login/phone-call/verify", body).await
}

/// Other digits than those that the page shows.
fn wrong_digits(started: &Value) -> String {
    let shown: u32 = started["call_digits"].as_str().unwrap().parse().unwrap();
    format!("1{:02}", (shown + 1) % 100)
}

on_both_databases! {
    async fn a_new_device_shows_two_digits_and_the_call_asks_for_them(app: TestApp) {
        let olena = app.account_with("olena", |account| account.login_step = LoginStep::PhoneCall).await;
        // Where the notary has signed in before, the 1 is enough.
        let started = start(&olena).await;
        assert_eq!((&started["is_phone_call"], &started["call_digits"]), (&json!(true), &json!(null)));
        let heard = app.outside().answer_phone_call(olena.phone(), "1").await;
        assert!(heard[0].contains("натисніть один. Якщо ні"), "{heard:?}");
        finish(&olena, &started).await.ok();

        let new = olena.elsewhere();
        let started = start(&new).await;
        let shown = started["call_digits"].as_str().unwrap().to_owned();
        assert!(shown.len() == 2 && shown.bytes().all(|digit| digit.is_ascii_digit()), "{shown}");
        let heard = app.outside().answer_phone_call(olena.phone(), "1").await;
        assert!(heard[0].contains("дві цифри, які показує ваш екран"), "{heard:?}");
        assert!(!heard.iter().any(|words| words.contains(&shown)), "the call tells the digits");
        assert_eq!(heard[1], "Вхід не підтверджено. До побачення.");
        finish(&new, &started).await.refused(409, "otp_expired");

        for keys in [wrong_digits, |started: &Value| started["call_digits"].as_str().unwrap().to_owned()] {
            app.clock().advance_seconds(60);
            let started = start(&new).await;
            app.outside().answer_phone_call(olena.phone(), &keys(&started)).await;
            finish(&new, &started).await.refused(409, "otp_expired");
        }
        app.clock().advance_seconds(60);
        let started = start(&new).await;
        let heard = app.outside().answer_phone_call(olena.phone(), &keys_of(&started)).await;
        assert_eq!(heard[1], "Дякуємо, вхід підтверджено.");
        finish(&new, &started).await.ok();
    }

    async fn a_session_that_a_call_has_opened_proves_nothing(app: TestApp) {
        let olena = app.account_with("olena", |account| account.login_step = LoginStep::PhoneCall).await;
        for person in [olena.elsewhere(), olena] {
            let started = start(&person).await;
            app.outside().answer_phone_call(person.phone(), &keys_of(&started)).await;
            finish(&person, &started).await.ok();
            let change = json!({ "email": "thief@example.com" });
            person.post("/me", change).await.refused(403, "confirmation_required");
        }
    }
}

const NOTARIES: u32 = 40;
const QUARTERS: u32 = 24 * 4;
/// Messages to numbers that nobody has proved, of the whole day.
const PUMPED_MAX: i64 = 300;

fn address(first: u8, network: u32, host: u8) -> IpAddr {
    let [_, _, high, low] = network.to_be_bytes();
    IpAddr::V4(Ipv4Addr::new(first, high, low, host))
}

/// A stranger with networks all over the world, of whom nobody knows that it is one.
struct Stranger<'a> {
    app: &'a TestApp,
    phones: &'a [String],
    called: u32,
}

impl Stranger<'_> {
    /// Tries to enter each account, by a code and by a call.
    async fn enter_everywhere(&mut self, quarter: u32) {
        for (number, phone) in (0..).zip(self.phones) {
            self.enter(phone, address(45, quarter % 22, number)).await;
        }
    }

    /// Tries to enter one account again and again, each time from networks that were not used before.
    async fn besiege(&mut self, quarter: u32) {
        for number in 0..2 {
            self.enter(&self.phones[0], address(47, quarter * 2 + number, 1))
                .await;
        }
    }

    /// Tries to enter an account. Its owner answers her telephone and presses 1.
    async fn enter(&mut self, phone: &str, from: IpAddr) {
        let person = self.app.anonymous_at(from);
        for by_call in [false, true] {
            let body = json!({ "phone": phone, "by_call": by_call });
            let answer = person.post("/auth/login", body).await;
            let started = answer.json();
            if answer.status == 200 && started["is_phone_call"] == true {
                self.called += 1;
                self.app.outside().answer_phone_call(phone, "1").await;
                let transaction = &started["transaction_id"];
                let body = json!({ "phone": phone, "transaction_id": transaction });
                let verified = person.post("/auth/login/phone-call/verify", body).await;
                verified.refused(409, "otp_expired");
            }
        }
    }

    /// Has codes sent to numbers that belong to nobody here.
    async fn pump(&self, quarter: u32) {
        for number in 0..60 {
            let address = address(46, number % 22, u8::try_from(number).unwrap());
            let person = self.app.anonymous_at(address);
            let wish = json!({
                "full_name": "Нова Надія Назарівна", "phone": format!("+38050{:07}", quarter * 100 + number),
                "registry_identifier": "NOTAR30001", "is_agreed": true,
            });
            let answer = person.post("/auth/sign-up", wish).await;
            assert!([200, 429].contains(&answer.status), "{}", answer.json());
        }
    }
}

/// Signs an owner in by what she is sent.
async fn enter(app: &TestApp, person: &Person, phone: &str) {
    let login = json!({ "phone": phone });
    let started = person.post("/auth/login", login).await.ok();
    assert_eq!(started["is_phone_call"], false, "{phone}");
    let code = app.outside().code(phone);
    let body = json!({ "phone": phone, "otp_code": code, "operation_id": started["operation_id"] });
    person.post("/auth/login/otp", body).await.ok();
}

#[test]
fn a_day_of_calls_takes_no_account_keeps_no_owner_out_and_pumps_little() {
    run(Database::Sqlite, async |app: TestApp| {
        let phones = app.crowd(NOTARIES).await;
        for (number, phone) in (0..).zip(&phones) {
            let owner = app.anonymous_at(address(77, number, 7));
            owner.hold_device(&device_token(phone));
            enter(&app, &owner, phone).await;
        }
        app.clock().advance(SignedDuration::from_mins(15));
        let opened = app.rows("sessions").await;
        let mut stranger = Stranger {
            app: &app,
            phones: &phones,
            called: 0,
        };
        for quarter in 0..QUARTERS {
            // The message service fails now and then.
            if quarter % 8 == 0 {
                let fault = Fault::new(FaultService::Sms, FaultKind::Refuse);
                app.outside().faults(&vec![fault; 10]).await;
            }
            stranger.enter_everywhere(quarter).await;
            stranger.besiege(quarter).await;
            app.outside().faults(&[]).await;
            stranger.pump(quarter).await;
            app.work().await;
            app.clock().advance(SignedDuration::from_mins(15));
        }
        assert!(stranger.called >= 20, "{}", stranger.called);
        let signed_up = "select count(*) from login_operations where purpose = 'sign_up'";
        let pumped = app.number(signed_up.to_owned()).await;
        assert!((100..=PUMPED_MAX).contains(&pumped), "{pumped}");
        let of_owners = "select count(*) from sessions s join notaries n on n.id = s.notary_id where n.phone_verified_at is not null";
        assert_eq!(
            app.number(of_owners.to_owned()).await,
            opened,
            "an account was taken"
        );
        for kind in ["codes_unanswered", "entries_used_up"] {
            let open =
                format!("select count(*) from alarms where kind = '{kind}' and closed_at is null");
            assert!(app.number(open).await >= 1, "{kind}");
        }
        // Each owner enters with her device from anywhere, and with a new one where she has been before.
        for (number, phone) in (0..).zip(&phones) {
            let travelling = app.anonymous_at(address(78, number, 7));
            travelling.hold_device(&device_token(phone));
            enter(&app, &travelling, phone).await;
            app.clock().advance_seconds(30);
            let new = app.anonymous_at(address(77, number, 200));
            enter(&app, &new, phone).await;
        }
    });
}
