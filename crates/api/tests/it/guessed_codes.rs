//! A day on which the codes of all notaries are guessed by somebody with many networks (decision 24).

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use cabinet_test_kit::{Database, TestApp, device_token, keys_of, run};
use jiff::Timestamp;
use serde_json::{Value, json};

const MINUTES: u32 = 24 * 60;
/// An owner with a new device must be in after so many minutes.
const ENTERED_WITHIN_MINUTES: i64 = 15;

/// An installation and what the attacker of it has.
struct Scale {
    notaries: u32,
    /// Networks of IPv4 with 256 addresses each.
    networks: u32,
    /// Addresses of one /48 of IPv6.
    sixth_version_addresses: u32,
    /// So many codes of six digits are guessed at least, or the attack is weaker than it could be.
    long_codes_min: i64,
    /// What may be taken, in millionths of an account.
    taken_max: i64,
}

/// All of Ukraine's notaries: at most a twentieth of an account.
const WHOLE: Scale = Scale {
    notaries: 5_800,
    networks: 4_096,
    sixth_version_addresses: 65_536,
    long_codes_min: 10_000,
    taken_max: 50_000,
};

/// A quarter of all. More than a quarter is taken, because a hundred wrong codes count as usual in any installation.
const QUARTER: Scale = Scale {
    notaries: 1_450,
    networks: 1_024,
    sixth_version_addresses: 16_384,
    long_codes_min: 2_500,
    taken_max: 20_000,
};

/// Returns how many of `all` are due in a minute, when they are spread evenly over the day.
fn due(all: u32, minute: u32) -> std::ops::Range<u32> {
    (all * minute / MINUTES)..(all * (minute + 1) / MINUTES)
}

struct Attacker<'a> {
    app: &'a TestApp,
    phones: &'a [String],
    /// The phone that is next.
    next: usize,
}

impl Attacker<'_> {
    /// Guesses from a network for as long as it is let.
    async fn use_up(&mut self, addresses: impl Iterator<Item = IpAddr>) {
        for address in addresses {
            let phone = &self.phones[self.next % self.phones.len()];
            let person = self.app.anonymous_at(address);
            let answer = person.post("/auth/login", json!({ "phone": phone })).await;
            let started = answer.json();
            if started["message"] == "too_many_codes_from_address" {
                return;
            }
            self.next += 1;
            if answer.status == 200 && started["is_phone_call"] == false {
                self.guess(address, phone, &started).await;
            }
        }
    }

    async fn guess(&self, address: IpAddr, phone: &str, started: &Value) {
        let digits = usize::try_from(started["otp_length"].as_u64().unwrap()).unwrap();
        for guess in ["13579246", "24681357", "97531864"] {
            let body = json!({
                "phone": phone, "otp_code": &guess[..digits], "operation_id": started["operation_id"],
            });
            let person = self.app.anonymous_at(address);
            let answer = person.post("/auth/login/otp", body).await;
            if answer.status != 422 || answer.json()["errors"]["otp_code"][0] != "wrong_otp" {
                return;
            }
        }
    }
}

/// An owner who signs in from a new device.
struct Owner<'a> {
    phone: &'a str,
    address: IpAddr,
    since: Timestamp,
}

impl Owner<'_> {
    /// Tries to sign in. Returns whether it worked.
    async fn has_entered(&self, app: &TestApp) -> bool {
        let person = app.anonymous_at(self.address);
        let answer = person
            .post("/auth/login", json!({ "phone": self.phone }))
            .await;
        let started = answer.json();
        if answer.status != 200 {
            assert_eq!(answer.status, 429, "{started}");
            return false;
        }
        let entered = if started["is_phone_call"] == true {
            app.outside()
                .answer_phone_call(self.phone, &keys_of(&started))
                .await;
            let body = json!({ "phone": self.phone, "transaction_id": started["transaction_id"] });
            person.post("/auth/login/phone-call/verify", body).await
        } else {
            let code = app.outside().code(self.phone);
            let body = json!({ "phone": self.phone, "otp_code": code, "operation_id": started["operation_id"] });
            person.post("/auth/login/otp", body).await
        };
        entered.ok();
        true
    }
}

async fn enter_from_known_device(app: &TestApp, phone: &str, address: IpAddr) {
    let person = app.anonymous_at(address);
    person.hold_device(&device_token(phone));
    let started = person
        .post("/auth/login", json!({ "phone": phone }))
        .await
        .ok();
    assert_eq!(
        (&started["is_phone_call"], &started["otp_length"]),
        (&json!(false), &json!(4))
    );
    let code = app.outside().code(phone);
    let body = json!({ "phone": phone, "otp_code": code, "operation_id": started["operation_id"] });
    person.post("/auth/login/otp", body).await.ok();
}

fn address(first: u8, number: u32, host: u8) -> IpAddr {
    let [_, _, high, low] = number.to_be_bytes();
    IpAddr::V4(Ipv4Addr::new(first, high, low, host))
}

fn sixth_version(number: u32) -> IpAddr {
    let [high, low] = [number >> 16, number & 0xffff].map(|part| u16::try_from(part).unwrap());
    IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0xbad, low, high, 0, 0, 1))
}

/// Adds a session of yesterday's for each notary, so that the share of wrong codes that counts as usual is as large as it can be.
async fn everybody_signed_in_yesterday(app: &TestApp) {
    let moment = app.clock().shows().as_microsecond() - 60_000_000;
    app.execute(format!(
        "insert into sessions (id, notary_id, created_at, last_used_at, expires_at, ended_at, end_reason)
         select randomblob(16), id, {moment}, {moment}, {moment}, {moment}, 'logged_out' from notaries"
    ))
    .await;
}

async fn guessed_for_a_day(app: TestApp, scale: Scale) {
    let phones = app.crowd(scale.notaries).await;
    everybody_signed_in_yesterday(&app).await;
    let mut attacker = Attacker {
        app: &app,
        phones: &phones,
        next: 0,
    };
    let mut waiting: VecDeque<Owner<'_>> = VecDeque::new();
    for minute in 0..MINUTES {
        for network in due(scale.networks, minute) {
            attacker
                .use_up((0..=255).map(|host| address(45, network, host)))
                .await;
        }
        attacker
            .use_up(due(scale.sixth_version_addresses, minute).map(sixth_version))
            .await;
        // In another order than the attacker's.
        for owner in due(scale.notaries, minute) {
            let known = &phones[usize::try_from(owner * 7 % scale.notaries).unwrap()];
            enter_from_known_device(&app, known, address(77, owner, 7)).await;
            waiting.push_back(Owner {
                phone: &phones[usize::try_from(owner * 11 % scale.notaries).unwrap()],
                address: address(78, owner, 7),
                since: app.clock().shows(),
            });
        }
        for _ in 0..waiting.len() {
            let Some(owner) = waiting.pop_front() else {
                break;
            };
            if !owner.has_entered(&app).await {
                let waited = app.clock().shows().duration_since(owner.since);
                assert!(
                    waited.as_mins() < ENTERED_WITHIN_MINUTES,
                    "an owner still waits"
                );
                waiting.push_back(owner);
            }
        }
        app.clock().advance_seconds(60);
    }

    // Each try that was compared could have been right. The owners' were, and are not counted.
    let tries = |digits: u8| {
        app.number(format!(
            "select coalesce(sum(tries), 0) from login_operations where used_at is null and code_digits = {digits}"
        ))
    };
    let (short, long) = (tries(4).await, tries(6).await);
    // In millionths of an account: a code of four digits is guessed once in ten thousand tries, one of six once in a million.
    let taken = short * 100 + long;
    // The attack was as strong as it could be: it was noticed, and went on.
    assert!(
        short >= 100 && long > scale.long_codes_min,
        "{short} {long}"
    );
    assert!(
        taken < scale.taken_max,
        "{short} guesses at four digits, {long} at six"
    );
}

#[test]
fn a_day_of_guessing_takes_little_and_keeps_nobody_out() {
    run(Database::Sqlite, |app| guessed_for_a_day(app, QUARTER));
}

#[test]
#[ignore = "long: scripts/test long"]
fn a_day_of_guessing_takes_a_twentieth_of_an_account_and_keeps_nobody_out() {
    run(Database::Sqlite, |app| guessed_for_a_day(app, WHOLE));
}
