//! Authority as a file: what each proof alone does to money. The table of `docs/authority.md` is made here by the running product, and a call
//! without a row fails.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use axum::http::Method;
use cabinet_api::openapi;
use cabinet_domain::LoginStep;
use cabinet_test_kit::{Answer, Database, PaymentKind, Person, TestApp, keys_of, run};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::client_link::link;
use crate::passkeys::{self, add};
use crate::proofs::order_to_foreign;
use crate::returns::{returned, sent_order};

const DAY: SignedDuration = SignedDuration::from_hours(24);
const FOREIGN: &str = "UA213223130000026007233566001";
/// Each act has an account of its own: what was proved for one does not do the next.
const FOREIGN_OF_ORDER: &str = "UA913223130000026007233566002";
const FOREIGN_OF_PART: &str = "UA643223130000026007233566003";
const FOREIGN_OF_RECIPIENT: &str = "UA373223130000026007233566004";
const FOREIGN_OF_OWN: &str = "UA103223130000026007233566005";
/// That of the saved recipient.
const SAVED: &str = "UA223052990000026001234567890";
const CARD: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";

/// What somebody has who tries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proof {
    Nothing,
    ClientLink,
    KnownDevice,
    Code,
    Call,
    Identifier,
    Passkey,
}

impl Proof {
    const ALL: [Proof; 7] = [
        Proof::Nothing,
        Proof::ClientLink,
        Proof::KnownDevice,
        Proof::Code,
        Proof::Call,
        Proof::Identifier,
        Proof::Passkey,
    ];

    const fn title(self) -> &'static str {
        match self {
            Proof::Nothing => "nothing",
            Proof::ClientLink => "a client's link",
            Proof::KnownDevice => "a session of her old device",
            Proof::Code => "her SMS on a new device",
            Proof::Call => "her call on a new device",
            Proof::Identifier => "her identifier on a new device",
            Proof::Passkey => "her passkey on a new device",
        }
    }

    const fn step(self) -> LoginStep {
        match self {
            Proof::Call => LoginStep::PhoneCall,
            Proof::Identifier => LoginStep::Custom,
            _ => LoginStep::Otp,
        }
    }
}

/// What is tried, in this order: what is done does not stand in the way of what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    ChargeNewRecipient,
    ChargeOrderNewRecipient,
    ChargeOrderKnownRecipient,
    FreshPayLink,
    Repeat,
    PartToOtherAccount,
    PartToCard,
    OrderToCard,
    OwnAccount,
    Email,
    SecondPhone,
    Identifier,
    NewRecipient,
    RenamedRecipient,
    ChangedRecipient,
    OtherOwnAccount,
    LargerFigures,
    AddPasskey,
    RemovePasskey,
    EndSession,
    EndOtherSessions,
    Name,
    AcquirersPage,
    ClientLink,
    QrCodes,
    MarkedAsPaid,
    Cancel,
}

impl Act {
    const ALL: [Act; 27] = [
        Act::ChargeNewRecipient,
        Act::ChargeOrderNewRecipient,
        Act::ChargeOrderKnownRecipient,
        Act::FreshPayLink,
        Act::PartToOtherAccount,
        Act::PartToCard,
        Act::OrderToCard,
        Act::OwnAccount,
        Act::Email,
        Act::SecondPhone,
        Act::Identifier,
        Act::NewRecipient,
        Act::RenamedRecipient,
        Act::ChangedRecipient,
        Act::OtherOwnAccount,
        Act::LargerFigures,
        Act::AddPasskey,
        Act::EndSession,
        Act::EndOtherSessions,
        Act::AcquirersPage,
        Act::ClientLink,
        Act::QrCodes,
        Act::MarkedAsPaid,
        Act::Cancel,
        Act::Repeat,
        Act::Name,
        Act::RemovePasskey,
    ];

    /// What it is, and the call that does it.
    const fn row(self) -> (&'static str, &'static str) {
        match self {
            Act::ChargeNewRecipient => ("Saved card pays a new recipient", "/order/create"),
            Act::ChargeOrderNewRecipient => (
                "Saved card pays an unpaid order, new recipient",
                "/order/{id}/pay",
            ),
            Act::ChargeOrderKnownRecipient => (
                "Saved card pays an unpaid order, recipients of the tables",
                "/order/{id}/pay",
            ),
            Act::FreshPayLink => ("Fresh payment page", "/order/{id}/update/pay-link"),
            Act::Repeat => ("Order repeated into the cart", "/order/{id}/repeat"),
            Act::PartToOtherAccount => (
                "Returned part goes to another account",
                "/order/transfer/{id}/resend",
            ),
            Act::PartToCard => (
                "Returned part goes back to the payer's card",
                "/order/transfer/{id}/refund",
            ),
            Act::OrderToCard => (
                "All returned parts go back to the payer's card",
                "/order/{id}/refund",
            ),
            Act::OwnAccount => ("Own account in the profile", "/me"),
            Act::Email => ("E-mail", "/me"),
            Act::SecondPhone => ("Second phone", "/me"),
            Act::Identifier => ("Identifier in the register", "/me"),
            Act::NewRecipient => ("New saved recipient", "/book/recipients/save"),
            Act::RenamedRecipient => (
                "Another title or name of a saved recipient",
                "/book/recipients/save",
            ),
            Act::Name => (
                "Another name in the profile, which the operator confirms",
                "/me",
            ),
            Act::ChangedRecipient => (
                "Another account of a saved recipient",
                "/book/recipients/save",
            ),
            Act::OtherOwnAccount => (
                "Own account in a payment that is not the profile's",
                "/cart/add",
            ),
            Act::LargerFigures => ("Larger sums for saved cards", "/me/card-figures"),
            Act::AddPasskey => ("New passkey", "/me/passkeys/options"),
            Act::RemovePasskey => ("Passkey removed", "/me/passkeys/{id}/remove"),
            Act::EndSession => ("Another session ended", "/me/sessions/{id}/end"),
            Act::EndOtherSessions => ("All other sessions ended", "/me/sessions/end-others"),
            Act::AcquirersPage => (
                "Payment page, new recipient: the bank asks the card's holder",
                "/order/create",
            ),
            Act::ClientLink => ("Link by which the client pays", "/order/{id}/client-link"),
            Act::QrCodes => ("QR codes in place of the payment page", "/order/{id}/codes"),
            Act::MarkedAsPaid => ("Order marked as paid by QR codes", "/order/{id}/codes/paid"),
            Act::Cancel => ("Order cancelled", "/order/{id}/cancel"),
        }
    }
}

/// Calls that change something and neither move money nor say where it goes, each with its reason.
const WITHOUT_ROW: [(&str, &str); 48] = [
    ("/auth/confirmation", "sends the code that proves"),
    ("/auth/confirmation/otp", "proves"),
    ("/auth/confirmation/passkey", "proves"),
    ("/auth/confirmation/passkey/options", "asks for a proof"),
    ("/auth/login", "a column"),
    ("/auth/login/otp", "a column"),
    ("/auth/login/otp/custom", "a column"),
    ("/auth/login/passkey", "a column"),
    ("/auth/login/passkey/options", "a column"),
    ("/auth/login/phone-call/verify", "a column"),
    ("/auth/logout", "ends the own session"),
    ("/auth/me", "reads"),
    ("/auth/refresh", "keeps the own session"),
    ("/auth/sign-up", "another account"),
    ("/auth/sign-up/verify", "another account"),
    ("/book/clients/delete", "forgets a client"),
    ("/book/clients/search", "reads"),
    ("/book/recipients/delete", "forgets a recipient"),
    ("/cart/act", "words on papers"),
    ("/cart/item/complaint", "tells the support"),
    ("/cart/item/delete", "the cart pays nobody"),
    ("/cart/item/edit", "as /cart/add"),
    ("/cart/item/refresh", "the cart pays nobody"),
    ("/cart/item/restore", "as /cart/add"),
    ("/cart/items/count", "the cart pays nobody"),
    (
        "/cart/sheet/add",
        "own accounts are the profile's; as /cart/add",
    ),
    ("/cart/sheet/choices", "reads"),
    ("/cart/sheet/read", "reads"),
    ("/deal/calculate", "reads"),
    ("/deal/calculation", "reads"),
    ("/deal/cart", "own accounts are the profile's; as /cart/add"),
    (
        "/me/passkeys/add",
        "as /me/passkeys/options, whose proof it uses up",
    ),
    ("/me/passkeys/{id}/rename", "a label"),
    ("/order/export", "reads"),
    ("/order/receipts", "reads"),
    ("/order/receipts/archive", "reads"),
    ("/order/search", "reads"),
    ("/order/statement/mark", "marks what a bank has credited"),
    ("/order/statement/read", "reads"),
    ("/order/transfer/{id}/application", "a paper"),
    ("/order/{id}/act", "words on papers"),
    ("/order/{id}/client-link/send", "as /order/{id}/client-link"),
    ("/order/{id}/client-link/withdraw", "ends a link"),
    ("/order/{id}/codes/credit/undo", "takes a mark back"),
    ("/order/{id}/codes/document", "as /order/{id}/codes"),
    ("/order/{id}/codes/paid/undo", "takes a mark back"),
    ("/order/{id}/receipt-mail", "sends a receipt"),
    ("/order/{id}/receipt-mail/stop", "sends no more receipts"),
];

/// What the notary has when somebody tries.
struct Belongings {
    card: String,
    charge: Value,
    /// Orders that were not paid: to a new recipient, twice, and to recipients of the tables.
    failed: [String; 3],
    waiting: Vec<String>,
    /// Paid orders, each with a returned part.
    returned: Vec<(String, Value)>,
    recipient: Value,
    passkey: String,
    authenticator: crate::authenticator::Authenticator,
    session: String,
    link: String,
}

fn id(object: &Value) -> String {
    object["id"].as_str().unwrap().to_owned()
}

fn recipient(iban: &str) -> Value {
    json!({ "title": "Оренда", "recipient_name": "ТОВ «Зоря»", "iban": iban, "okpo": "32855961" })
}

/// Signs in by the step of the account.
async fn sign_in(app: &TestApp, person: &Person, step: LoginStep) {
    let started = person
        .post("/auth/login", json!({ "phone": person.phone() }))
        .await
        .ok();
    match step {
        LoginStep::PhoneCall => {
            app.outside()
                .answer_phone_call(person.phone(), &keys_of(&started))
                .await;
            let body =
                json!({ "phone": person.phone(), "transaction_id": started["transaction_id"] });
            person
                .post("/auth/login/phone-call/verify", body)
                .await
                .ok();
        }
        LoginStep::Otp => {
            let operation = started["operation_id"].as_str().unwrap();
            person.enter(operation, &person.code()).await.ok();
        }
        LoginStep::Custom => {
            let (_, _, identifier) = Person::facts("olena");
            let body = json!({ "phone": person.phone(), "otp_code": identifier, "operation_id": started["operation_id"] });
            person.post("/auth/login/otp/custom", body).await.ok();
        }
    }
}

/// Makes an order of the cart that the acquirer declines.
async fn declined(app: &TestApp, person: &Person) -> String {
    let order = person.order_cart().await;
    app.outside()
        .pay(order["widget_url"].as_str().unwrap(), DECLINED)
        .await;
    person.until(&order, "failed").await;
    id(&order)
}

async fn belongings(app: &TestApp, owner: &Person, step: LoginStep) -> Belongings {
    sign_in(app, owner, step).await;
    let (authenticator, passkey) = add(app, owner, "olena").await;
    owner
        .post_proved("/me", json!({ "email": "olena@example.com" }))
        .await
        .ok();
    owner.keep_own_account().await;
    let saved = owner
        .post_proved("/book/recipients/save", recipient(SAVED))
        .await
        .ok();
    // Devices and passkeys prove after a day.
    app.clock().advance(DAY + DAY);
    sign_in(app, owner, step).await;
    let mut parts = Vec::new();
    for _ in 0..3 {
        let (order, _) = sent_order(app, owner).await;
        parts.push((id(&order), returned(app, owner, &order, "notary").await));
    }
    let form = owner.form(PaymentKind::RequisitesPayment).await;
    let form = form.with("iban", FOREIGN_OF_ORDER);
    owner.post("/cart/add", form.body).await.ok();
    let first = declined(app, owner).await;
    order_to_foreign(owner).await;
    let second = declined(app, owner).await;
    owner.add(PaymentKind::RegistryPayment).await;
    let known = declined(app, owner).await;
    let mut waiting = Vec::new();
    for _ in 0..3 {
        owner.add(PaymentKind::RegistryPayment).await;
        waiting.push(owner.order_cart().await);
    }
    let link = link(owner, &waiting[0]).await;
    let sessions = owner.get("/me/sessions").await.ok()["sessions"].clone();
    Belongings {
        card: owner.save_card(CARD),
        charge: order_to_foreign(owner).await,
        failed: [first, second, known],
        waiting: waiting.iter().map(id).collect(),
        returned: parts,
        recipient: saved["recipient"].clone(),
        passkey: id(&passkey),
        authenticator,
        session: id(sessions
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["is_current"] == true)
            .unwrap()),
        link: link.trim_start_matches("/pay/").to_owned(),
    }
}

/// Returns the browser of somebody who has this proof and no other.
async fn who(app: &TestApp, owner: &Person, held: &Belongings, proof: Proof) -> Person {
    let new = owner.elsewhere();
    match proof {
        Proof::Nothing => return app.anonymous(),
        Proof::ClientLink => {
            let client = app.anonymous();
            client.hold_access_token(&held.link);
            return client;
        }
        // The owner's own browser is used.
        Proof::KnownDevice => {}
        Proof::Code | Proof::Call | Proof::Identifier => {
            app.clock().advance_seconds(60);
            sign_in(app, &new, proof.step()).await;
        }
        Proof::Passkey => {
            let asked = passkeys::ask(&new).await;
            let signed = held.authenticator.get(&asked, &passkeys::handle(owner));
            passkeys::answer(&new, &signed).await.ok();
        }
    }
    new
}

async fn attempt(act: Act, by: &Person, owner: &Person, held: &Belongings) -> Answer {
    let (_, path) = act.row();
    let post = |id: &str, body: Value| {
        let path = path.replace("{id}", id);
        async move { by.post(&path, body).await }
    };
    let card = json!({ "token_id": held.card });
    match act {
        Act::ChargeNewRecipient => by.create_order(&owner.fresh_key(), &held.charge).await,
        Act::AcquirersPage => {
            let mut body = order_to_foreign(owner).await;
            body.as_object_mut().unwrap().remove("token_id");
            by.create_order(&owner.fresh_key(), &body).await
        }
        Act::ChargeOrderNewRecipient => post(&held.failed[0], card).await,
        Act::ChargeOrderKnownRecipient => post(&held.failed[2], card).await,
        Act::FreshPayLink => by.get(&path.replace("{id}", &held.failed[1])).await,
        Act::Repeat => post(&held.returned[0].0, json!({})).await,
        Act::PartToOtherAccount => {
            let (_, part) = &held.returned[0];
            let body = json!({ "iban": FOREIGN_OF_PART, "okpo": part["okpo"], "recipient_name": part["recipient_name"], "purpose": part["purpose"] });
            post(part["id"].as_str().unwrap(), body).await
        }
        Act::PartToCard => post(held.returned[1].1["id"].as_str().unwrap(), json!({})).await,
        Act::OrderToCard => post(&held.returned[2].0, json!({})).await,
        Act::OwnAccount => post("", json!({ "iban": FOREIGN, "okpo": "3068208400" })).await,
        Act::Email => post("", json!({ "email": "thief@example.com" })).await,
        Act::SecondPhone => post("", json!({ "phone_additional": "0671112233" })).await,
        Act::Identifier => post("", json!({ "registry_identifier": "NOTAR20999" })).await,
        Act::NewRecipient => post("", recipient(FOREIGN_OF_RECIPIENT)).await,
        Act::RenamedRecipient => {
            let mut body = recipient(SAVED);
            body["id"] = held.recipient["id"].clone();
            body["title"] = json!("Оренда офісу");
            post("", body).await
        }
        Act::Name => post("", json!({ "full_name": "Злодій Олена Іванівна" })).await,
        Act::ChangedRecipient => {
            let mut body = recipient(FOREIGN_OF_RECIPIENT);
            body["id"] = held.recipient["id"].clone();
            post("", body).await
        }
        Act::OtherOwnAccount => {
            let form = owner.form(PaymentKind::AdminPayment).await;
            post(
                "",
                form.with("iban", FOREIGN_OF_OWN)
                    .with("accept_duplicate", true)
                    .body,
            )
            .await
        }
        Act::LargerFigures => {
            post(
                "",
                json!({ "daily_unproved_max": 900_000, "told_from": 900_000 }),
            )
            .await
        }
        Act::RemovePasskey => post(&held.passkey, json!({})).await,
        Act::EndSession => {
            let sessions = owner.get("/me/sessions").await;
            let others = if sessions.status == 200 {
                sessions.json()["sessions"].clone()
            } else {
                json!([])
            };
            let other = others
                .as_array()
                .unwrap()
                .iter()
                .find(|one| one["is_current"] == false);
            let other = other
                .filter(|_| std::ptr::eq(by, owner))
                .map_or(held.session.clone(), id);
            post(&other, json!({})).await
        }
        Act::ClientLink | Act::Cancel => post(&held.waiting[1], json!({})).await,
        Act::QrCodes => post(&held.waiting[2], json!({})).await,
        Act::MarkedAsPaid => {
            let body = json!({ "reference": "97ED4827-7B6F-4491-A06F-B548D5A7512D" });
            post(&held.waiting[2], body).await
        }
        Act::AddPasskey | Act::EndOtherSessions => post("", json!({})).await,
    }
}

fn cell(answer: &Answer) -> String {
    if answer.status == 200 {
        return "**done**".to_owned();
    }
    let body = answer.json();
    let key = body["message"].as_str().unwrap_or_default();
    if key != "confirmation_required" {
        return format!("{} `{key}`", answer.status);
    }
    let kinds = body["proof"]["kinds"].as_array();
    let kinds: Vec<_> = kinds.map_or(vec!["code"], |kinds| {
        kinds.iter().map(|kind| kind.as_str().unwrap()).collect()
    });
    format!("asks: {}", kinds.join(" or "))
}

/// Returns who was told of something since, besides the codes.
async fn told(app: &TestApp, owner: &Person, before: (usize, usize)) -> String {
    app.work().await;
    let messages = app.outside().messages(owner.phone());
    let fresh = messages.len() - before.0;
    let notices = messages[..fresh]
        .iter()
        .filter(|message| !message.contains(" – код"))
        .count();
    let letters = app.outside().letters().len() - before.1;
    match (notices, letters) {
        (0, 0) => "–".to_owned(),
        (0, _) => "mail".to_owned(),
        (_, 0) => "phone".to_owned(),
        _ => "phone, mail".to_owned(),
    }
}

/// Tries everything by one proof. Returns its column, and whom each act has told.
async fn tried(app: &TestApp, proof: Proof) -> (Vec<String>, Vec<String>) {
    app.restart_with(|settings| settings.app.codes.device_known_after = DAY)
        .await;
    let owner = app
        .account_with("olena", |account| account.login_step = proof.step())
        .await;
    let held = belongings(app, &owner, proof.step()).await;
    if proof == Proof::KnownDevice {
        // One is ended alone, the other with all.
        for _ in 0..2 {
            app.clock().advance_seconds(60);
            sign_in(app, &owner.elsewhere(), proof.step()).await;
        }
    }
    let by = who(app, &owner, &held, proof).await;
    let by = if proof == Proof::KnownDevice {
        &owner
    } else {
        &by
    };
    let (mut cells, mut notices) = (Vec::new(), Vec::new());
    for act in Act::ALL {
        app.work().await;
        let before = (
            app.outside().messages(owner.phone()).len(),
            app.outside().letters().len(),
        );
        let answer = attempt(act, by, &owner, &held).await;
        cells.push(cell(&answer));
        if proof == Proof::KnownDevice {
            prove_and_repeat(app, act, &owner, &held, &answer).await;
            notices.push(told(app, &owner, before).await);
        }
    }
    (cells, notices)
}

/// Gives the proof that was asked for, and does it.
async fn prove_and_repeat(
    app: &TestApp,
    act: Act,
    owner: &Person,
    held: &Belongings,
    refused: &Answer,
) {
    if refused.json()["message"] != "confirmation_required" {
        return;
    }
    let refused = refused.json();
    app.clock().advance_seconds(60);
    owner.refresh().await.ok();
    if refused["proof"].is_null() {
        owner.prove(&json!({ "passkey": refused["passkey"] })).await;
    } else {
        let asked = owner
            .post(
                "/auth/confirmation/passkey/options",
                refused["proof"].clone(),
            )
            .await
            .ok();
        let signed = held.authenticator.get(&asked, &passkeys::handle(owner));
        owner
            .post(
                "/auth/confirmation/passkey",
                json!({ "credential": signed }),
            )
            .await
            .ok();
    }
    attempt(act, owner, owner, held).await.ok();
}

fn table(columns: &[(Proof, Vec<String>)], notices: &[String]) -> String {
    let mut table = String::from("| act |");
    for (proof, _) in columns {
        write!(table, " {} |", proof.title()).unwrap();
    }
    table.push_str(" told of it, proved by a passkey |\n|");
    table.push_str(&" --- |".repeat(columns.len() + 2));
    table.push('\n');
    for (place, act) in Act::ALL.into_iter().enumerate() {
        let (title, path) = act.row();
        write!(table, "| {title} (`{path}`) |").unwrap();
        for (_, cells) in columns {
            write!(table, " {} |", cells[place]).unwrap();
        }
        writeln!(table, " {} |", notices[place]).unwrap();
    }
    table
}

#[test]
fn what_each_proof_does_is_what_the_table_says() {
    let column = |proof: Proof| {
        let made = Arc::new(Mutex::new((Vec::new(), Vec::new())));
        let out = Arc::clone(&made);
        run(Database::Sqlite, move |app| async move {
            let column = tried(&app, proof).await;
            app.finish_and_check().await;
            *out.lock().unwrap() = column;
        });
        made.lock().unwrap().clone()
    };
    let made: Vec<_> = std::thread::scope(|scope| {
        let threads = Proof::ALL.map(|proof| (proof, scope.spawn(move || column(proof))));
        threads
            .into_iter()
            .map(|(proof, thread)| (proof, thread.join().unwrap()))
            .collect()
    });
    let notices: Vec<String> = made
        .iter()
        .flat_map(|(_, (_, told))| told.clone())
        .collect();
    let columns: Vec<_> = made
        .into_iter()
        .map(|(proof, (cells, _))| (proof, cells))
        .collect();
    let table = table(&columns, &notices);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/authority.md");
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        // An empty line follows: a row after the last one would be stale.
        kept.contains(&format!("{table}\n")),
        "docs/authority.md is stale. Its table has to be:\n{table}"
    );
}

#[test]
fn every_call_that_changes_something_has_a_row_or_a_reason() {
    let document = openapi();
    let calls: BTreeSet<String> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, operations)| {
            operations
                .as_object()
                .unwrap()
                .keys()
                .any(|method| *method != Method::GET.as_str().to_lowercase())
        })
        .map(|(path, _)| path.trim_start_matches("/api").to_owned())
        .collect();
    let rows: BTreeSet<String> = Act::ALL
        .into_iter()
        .map(|act| act.row().1.to_owned())
        .collect();
    let reasons: BTreeSet<String> = WITHOUT_ROW
        .into_iter()
        .map(|(path, _)| path.to_owned())
        .collect();
    assert_eq!(
        rows.intersection(&reasons).collect::<Vec<_>>(),
        Vec::<&String>::new()
    );
    let known: BTreeSet<String> = rows.union(&reasons).cloned().collect();
    let missing: Vec<_> = calls.difference(&known).collect();
    assert!(
        missing.is_empty(),
        "without a row in the table of authority: {missing:?}"
    );
    let gone: Vec<_> = reasons.difference(&calls).collect();
    assert!(gone.is_empty(), "no such calls: {gone:?}");
}
