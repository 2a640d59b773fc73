//! What the notary does about a part that a bank returned: sends it again, or has it given back to the card.

use cabinet_app::operator::support_desk::{RefundOrder, RefundOrderWish};
use cabinet_app::transfer::ReleaseError;
use cabinet_app::transfer::returns::RefundError;
use cabinet_domain::payment::{KnownPart, RefundState, RefundWish};
use cabinet_domain::{AccountLimits, Money, OperatorReason, TransferId, TransferStatus};
use cabinet_metrics::Queue;
use cabinet_storage::operator::invariants::{self, Extent};
use cabinet_storage::worker::queues;
use cabinet_test_kit::{FaultKind, PaymentKind, Person, TestApp, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::acquirer_faults::acquirer_fault;
use crate::bank_files::close_alarms;
use crate::passkeys::add;
use crate::proofs::prove;
use crate::proofs_by_passkey::prove as prove_by_passkey;
use crate::receipts::check_code;
use crate::transfers::{ids, import, list, paid_order, receipt};

/// Another account of the notary.
const OTHER_ACCOUNT: &str = "UA213223130000026007233566001";
const REASON: &str = "Рахунок UA22 3052 9900 0002 6001 2335 6671 8 закрито";

/// Orders an administrative fee and has it paid. Its transfers are sent.
pub(crate) async fn sent_order(app: &TestApp, person: &Person) -> (Value, String) {
    person.add(PaymentKind::AdminPayment).await;
    let order = person.order_cart().await;
    let page = order["widget_url"].as_str().unwrap().to_owned();
    let order = person.pay(&order).await;
    let planned = list(app).await;
    import(app, &planned, Some(TransferStatus::Sent))
        .await
        .unwrap();
    (order, page)
}

/// The transfers of an order, by document number.
pub(crate) async fn transfers(person: &Person, order: &Value) -> Vec<Value> {
    let path = format!("/order/{}/transfers", order["id"].as_str().unwrap());
    let answer = person.get(&path).await.ok();
    answer["transfers"].as_array().unwrap().clone()
}

/// Has the bank return the part of a role. Returns the transfer.
pub(crate) async fn returned(app: &TestApp, person: &Person, order: &Value, role: &str) -> Value {
    let all = transfers(person, order).await;
    let part = all.iter().rfind(|one| one["role"] == role).unwrap();
    answered(app, part, "returned", REASON).await;
    let all = transfers(person, order).await;
    all.iter()
        .rfind(|one| one["id"] == part["id"])
        .unwrap()
        .clone()
}

async fn answered(app: &TestApp, part: &Value, status: &str, reason: &str) {
    let id = part["id"].as_str().unwrap();
    let text = format!("transfer_id,status,reason\n{id},{status},{reason}\n");
    import(app, &text, None).await.unwrap();
}

pub(crate) fn resend_path(part: &Value) -> String {
    format!("/order/transfer/{}/resend", part["id"].as_str().unwrap())
}

pub(crate) fn refund_path(part: &Value) -> String {
    format!("/order/transfer/{}/refund", part["id"].as_str().unwrap())
}

/// Sends a part to another account, with the code for it.
async fn send_to_other_account(person: &Person, part: &Value) {
    let request = with(requisites(part), "iban", OTHER_ACCOUNT);
    let refused = person.post(&resend_path(part), request.clone()).await;
    refused.refused(403, "confirmation_required");
    prove(person, &refused).await;
    person.post(&resend_path(part), request).await.ok();
}

/// The requisites of a transfer as the form has them.
pub(crate) fn requisites(part: &Value) -> Value {
    json!({
        "iban": part["iban"], "okpo": part["okpo"], "recipient_name": part["recipient_name"], "purpose": part["purpose"],
    })
}

fn with(mut requisites: Value, field: &str, value: &str) -> Value {
    requisites[field] = value.into();
    requisites
}

/// Compares everything that a paper names, and what none names, with the receipt of a code.
async fn compare(app: &TestApp, code: &str, state: &str, named: &[String]) {
    // What was wrong before does not count any more.
    app.restart().await;
    let stranger = app.anonymous();
    let shown = stranger.page(&format!("/check?code={code}")).await.text();
    // The page names the payer by the end of the code, which is no answer.
    let (_, rest) = shown.split_once("код\u{a0}").unwrap();
    let masked = rest.split('<').next().unwrap().to_owned();
    assert!(
        masked.ends_with("75") && !masked.contains("3652504575"),
        "{state}: {masked}"
    );
    let foreign = [
        "3652504574",
        "4575",
        "UA363220010000026000000012345",
        "440,01",
        "1",
    ]
    .map(str::to_owned);
    let yes = named.iter().map(|one| (one, true));
    for (one, agrees) in yes.chain(foreign.iter().chain([&masked]).map(|one| (one, false))) {
        let typed: String = one.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let form = format!("language=uk&code={code}&named={typed}");
        let page = stranger.page_call("/check").form(&form).send().await.text();
        let says = ["Так, у квитанції це ", "Ні, у квитанції"].map(|answer| page.contains(answer));
        assert_eq!(says, [agrees, !agrees], "{state}: {one}");
        assert!(
            !page.contains("3652504575") && !page.contains("UA22"),
            "{state}: {one}"
        );
    }
}

fn asked(wish: RefundWish) -> RefundOrder {
    RefundOrder {
        number: 100_001,
        wish: RefundOrderWish::Ask(wish),
        reason: OperatorReason::parse("Клієнт відмовився").unwrap(),
    }
}

/// Has the operator give money back, as `cabinet order refund` does. Returns how far that came.
async fn refund(app: &TestApp, wish: RefundWish) -> RefundState {
    let desk = app.services().order_actions(app.recorder());
    desk.refund(&asked(wish)).await.unwrap().state
}

/// The same where nothing is given back. Returns why.
async fn refused_refund(app: &TestApp, wish: RefundWish) -> String {
    let desk = app.services().order_actions(app.recorder());
    desk.refund(&asked(wish)).await.unwrap_err().to_string()
}

/// Makes the database one that was restored from a copy, and lets its transfers be exported again.
async fn restore(app: &TestApp) {
    let services = app.services();
    let start = || services.store.leave_out_used_numbers(services.now());
    start().await.unwrap();
    // As a copy has it, whose file is another one.
    app.execute(
        "update counters set value = value + 1 where name = 'database_identity'".to_owned(),
    )
    .await;
    assert!(start().await.unwrap().is_some(), "a copy is known for one");
    let resumed = services
        .transfers
        .resume(services.now(), true, &why())
        .await;
    resumed.unwrap();
}

/// Why an operator lets transfers go on.
fn why() -> OperatorReason {
    OperatorReason::parse("звірено з банком").unwrap()
}

/// The held transfers.
async fn held(app: &TestApp) -> Vec<TransferId> {
    let held = app.services().transfers.held().await.unwrap();
    assert!(held.iter().all(|one| one.is_of_copy), "{held:?}");
    held.iter().map(|one| one.id).collect()
}

/// Lets held transfers go, as an operator does who has compared them.
async fn release(app: &TestApp, ids: &[TransferId]) {
    let services = app.services();
    let reason = "Порівняно зі списками для банку";
    let released = services.transfers.release(ids, reason, services.now());
    released.await.unwrap();
}

/// Has the operator give back what a transfer would have brought, as `cabinet order refund --transfer` does.
pub(crate) async fn give_back(app: &TestApp, document: &Value) {
    let wish = RefundWish::Transfer(document.as_i64().unwrap());
    assert_eq!(refund(app, wish).await, RefundState::Done);
}

/// An order of which all was given back but for a part that is marked as given back by hand, which is done at the acquirer later.
struct GivenBack {
    order: Value,
    page: String,
    /// The part that was given back with the rest.
    own: Value,
}

/// Makes such an order. `asks`: whether the notary had asked for its other part, too.
async fn given_back_but_for_a_marked_part(app: &TestApp, person: &Person, asks: bool) -> GivenBack {
    let (order, page) = sent_order(app, person).await;
    let part = returned(app, person, &order, "recipient").await;
    let own = returned(app, person, &order, "notary").await;
    for asked in [Some(&part), asks.then_some(&own)].into_iter().flatten() {
        person.post(&refund_path(asked), json!({})).await.ok();
    }
    let id = TransferId::parse(part["id"].as_str().unwrap()).unwrap();
    let marking = app.services().operator.card_refunds();
    let now = app.services().now();
    marking.mark(id, "операція 77", now).await.unwrap();
    assert_eq!(refund(app, RefundWish::Whole).await, RefundState::Done);
    assert_eq!(person.order(&order).await["status"], "paid");
    GivenBack { order, page, own }
}

/// Does at the acquirer what was marked as done there.
async fn end_by_hand(app: &TestApp, person: &Person, given: &GivenBack) {
    app.outside().refund_part(&given.page, 13_200).await;
    person.until(&given.order, "refunded").await;
    close_alarms(app).await;
    app.finish_and_check().await;
}

/// What the list, the order alone and its details say was given back. They must agree.
async fn told_given_back(person: &Person, order: &Value) -> Value {
    let list = person.get("/order").await.ok()["orders"][0].clone();
    let alone = person.order(order).await;
    let path = format!("/order/{}/details", order["id"].as_str().unwrap());
    let details = person.get(&path).await.ok()["order"].clone();
    let told = [list, alone, details].map(|order| order["given_back"].clone());
    assert!(told.iter().all(|one| *one == told[0]), "{told:?}");
    told[0].clone()
}

/// Returns the text of an order's receipt, with runs of white space as one space, and that of the page that checks it.
async fn papers(app: &TestApp, person: &Person, order: &Value) -> (String, String) {
    let text = receipt(person, order).await;
    let path = format!("/order/{}/receipt", order["id"].as_str().unwrap());
    let code = check_code(&person.get(&path).await);
    let page = app.anonymous().page(&format!("/check?code={code}")).await;
    (
        text.split_whitespace().collect::<Vec<_>>().join(" "),
        page.text(),
    )
}

async fn count(app: &TestApp) -> i64 {
    app.number("select count(*) from transfers".to_owned())
        .await
}

on_both_databases! {
    async fn a_corrected_part_is_sent_again_and_leaves_the_headline_once_it_is_credited(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "notary").await;
        assert_eq!((&part["is_undecided"], &part["status"]), (&json!(true), &json!("returned")));
        let old = part["document_number"].as_i64().unwrap();
        app.clock().set("2026-03-05T10:00:00Z");
        olena.log_in().await;
        let letters = app.number("select count(*) from outbox".to_owned()).await;
        send_to_other_account(&olena, &part).await;
        assert_eq!(app.number("select count(*) from outbox".to_owned()).await, letters + 1, "the notary is told");

        let known = olena.order(&order).await;
        let shown = &known["returned"][0];
        let new = shown["sent_again_as"].as_i64().unwrap();
        assert_eq!((&shown["after"], &shown["document_number"], new > old), (&json!("sent_again"), &json!(old), true));
        let text = receipt(&olena, &order).await;
        for told in [
            "частину коштів отримувачу не зараховано".to_owned(),
            format!("Замінено переказом № {new}"),
            format!("№ {old}, який банк повернув 02.03.2026"),
            // The bank gets a document of this day.
            format!("№ {new} від 05.03.2026"),
        ] {
            assert!(text.contains(&told), "{told}: {text}");
        }
        let code = check_code(&olena.get(&format!("/order/{}/receipt", order["id"].as_str().unwrap())).await);
        let page = app.anonymous().page(&format!("/check?code={code}")).await.text();
        assert!(page.contains(&format!("Замінено переказом №\u{a0}{new}")), "{page}");
        assert!(page.contains("Рахунок UA… закрито") && !page.contains("2335"), "{page}");

        // The bank gets the new transfer alone, with the new account.
        let planned = list(&app).await;
        assert!(planned.contains(OTHER_ACCOUNT) && ids(&planned).len() == 1, "{planned}");
        import(&app, &planned, Some(TransferStatus::Sent)).await.unwrap();
        let all = transfers(&olena, &order).await;
        let again = all.iter().find(|one| one["replaces"] == json!(old)).unwrap();
        answered(&app, again, "credited", "").await;
        let text = receipt(&olena, &order).await;
        assert!(text.contains("Квитанція про сплату") && text.contains(&format!("№ {old}, який банк повернув")), "{text}");
        assert_eq!(olena.order(&order).await["returned"][0]["after"], "credited");
        let page = app.anonymous().page(&format!("/check?code={code}")).await.text();
        assert!(!page.contains("не зараховано") && page.contains("Замість повернутого переказу"), "{page}");
        app.finish_and_check().await;
    }

    async fn a_part_that_came_back_again_is_sent_a_third_time(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        for _ in 0..2 {
            let part = returned(&app, &olena, &order, "recipient").await;
            olena.post(&resend_path(&part), requisites(&part)).await.ok();
            import(&app, &list(&app).await, Some(TransferStatus::Sent)).await.unwrap();
        }
        let known = olena.order(&order).await;
        assert_eq!((known["returned"].as_array().unwrap().len(), count(&app).await), (1, 4));
        assert_eq!(receipt(&olena, &order).await.matches("Банк отримувача повернув").count(), 1);
        app.finish_and_check().await;
    }

    async fn the_rules_of_the_form_hold(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let own = returned(&app, &olena, &order, "notary").await;
        let fee = returned(&app, &olena, &order, "recipient").await;
        let rows = app.all_rows().await;
        for (part, field, value, key) in [
            (&own, "iban", "UA21", "iban_invalid"),
            (&own, "iban", "UA328999980999022090100300001", "your_iban_is_treasury"),
            (&own, "purpose", "", "purpose_required"),
            (&fee, "okpo", "37993784", "okpo_not_for_treasury"),
            (&fee, "iban", OTHER_ACCOUNT, "account_not_in_reference"),
            (&fee, "recipient_name", " ", "recipient_name_required"),
            (&fee, "recipient_name", "картка 4242 4242 4242 4242", "card_number_not_accepted"),
            (&fee, "purpose", "101 Збір", "purpose_must_contains_ipn"),
            (&fee, "purpose", "Збір без коду 3652504575", "purpose_invalid"),
        ] {
            let answer = olena.post(&resend_path(part), with(requisites(part), field, value)).await;
            assert_eq!(answer.status, 422, "{field} {value}: {}", answer.text());
            let fields: Vec<_> = answer.fields().into_iter().collect();
            let is_only = fields.iter().all(|(name, _)| name == field);
            assert!(is_only || key == "account_not_in_reference", "{fields:?}");
            let fields: Vec<_> = fields.into_iter().filter(|(name, _)| name == field).collect();
            assert_eq!(fields, [(field.to_owned(), vec![key.to_owned()])], "{value}");
        }
        assert_eq!(app.all_rows().await, rows);
        app.finish_and_check().await;
    }

    async fn another_account_needs_a_code_that_names_it(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "notary").await;
        // She has just signed in by a code, which proves nothing of this.
        olena.log_in().await;
        let rows = app.all_rows().await;
        let other = with(requisites(&part), "iban", OTHER_ACCOUNT);
        let refused = olena.post(&resend_path(&part), other.clone()).await;
        refused.refused(403, "confirmation_required");
        assert_eq!(app.all_rows().await, rows);
        let asked = &refused.json()["proof"];
        assert_eq!((&asked["part"]["transfer_id"], &asked["part"]["iban"]), (&part["id"], &json!(OTHER_ACCOUNT)));
        assert_eq!((&asked["sum"], &asked["new_recipients"]), (&part["amount"], &json!(1)));
        prove(&olena, &refused).await;
        let message = app.outside().messages(olena.phone()).swap_remove(0);
        assert!(message.contains("198,00 грн на рахунок …6001"), "{message}");
        // The code is good for this account and purpose alone.
        let elsewhere = with(requisites(&part), "iban", "UA513999990000026009990000001");
        olena.post(&resend_path(&part), elsewhere).await.refused(403, "confirmation_required");
        let otherwise = with(other.clone(), "purpose", "60 % збору, виправлено");
        olena.post(&resend_path(&part), otherwise).await.refused(403, "confirmation_required");
        olena.post(&resend_path(&part), other.clone()).await.ok();
        let told = "select count(*) from audit_events where action = 'transfer_sent_again' and changes like '%proved%'";
        assert_eq!(app.number(told.to_owned()).await, 1);
        assert_eq!(app.number("select count(*) from payment_proofs where order_id is not null".to_owned()).await, 1);
        // The same request changes nothing, and needs no other code.
        olena.post(&resend_path(&part), other).await.ok();
        app.finish_and_check().await;
    }

    async fn the_same_account_needs_no_code(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "notary").await;
        app.clock().advance(SignedDuration::from_mins(10));
        olena.refresh().await.ok();
        olena.post(&resend_path(&part), requisites(&part)).await.ok();
        app.finish_and_check().await;
    }

    async fn on_a_new_device_no_code_sends_a_part_elsewhere(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.device_known_after = SignedDuration::from_hours(24)).await;
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "notary").await;
        let other = with(requisites(&part), "iban", OTHER_ACCOUNT);
        olena.post(&resend_path(&part), other).await.refused(403, "device_too_new_for_part");
        let mut asked = with(requisites(&part), "iban", OTHER_ACCOUNT);
        asked["transfer_id"] = part["id"].clone();
        olena.post("/auth/confirmation", json!({ "part": asked })).await.refused(403, "device_too_new_for_part");
        olena.post(&resend_path(&part), requisites(&part)).await.ok();
        app.finish_and_check().await;
    }

    async fn on_a_new_device_a_passkey_sends_a_part_elsewhere(app: TestApp) {
        let day = SignedDuration::from_hours(24);
        app.restart_with(|settings| settings.app.codes.device_known_after = day).await;
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "notary").await;
        let (authenticator, _) = add(&app, &olena, "first").await;
        app.clock().advance(day);
        let new = olena.elsewhere();
        new.log_in().await;
        let other = with(requisites(&part), "iban", OTHER_ACCOUNT);
        let refused = new.post(&resend_path(&part), other.clone()).await;
        refused.refused(403, "confirmation_required");
        assert_eq!(refused.json()["proof"]["kinds"], json!(["passkey"]));
        prove_by_passkey(&new, &refused, &authenticator).await.ok();
        // For this account and purpose alone.
        let otherwise = with(other.clone(), "purpose", "60 % збору, виправлено");
        new.post(&resend_path(&part), otherwise).await.refused(403, "confirmation_required");
        new.post(&resend_path(&part), other).await.ok();
        assert_eq!(app.number("select count(*) from payment_proofs where order_id is not null and kind = 'passkey'".to_owned()).await, 1);
        app.finish_and_check().await;
    }

    async fn two_windows_make_one_transfer_and_one_decision_excludes_the_other(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "notary").await;
        let rows = count(&app).await;
        let (path, body) = (resend_path(&part), requisites(&part));
        let (one, other) = tokio::join!(olena.post(&path, body.clone()), olena.post(&path, body));
        one.ok();
        other.ok();
        assert_eq!(count(&app).await, rows + 1);
        let otherwise = with(requisites(&part), "purpose", "60 % збору, виправлено");
        olena.post(&resend_path(&part), otherwise).await.refused(409, "part_decided");
        olena.post(&refund_path(&part), json!({})).await.refused(409, "part_decided");

        let fee = returned(&app, &olena, &order, "recipient").await;
        olena.post(&refund_path(&fee), json!({})).await.ok();
        olena.post(&refund_path(&fee), json!({})).await.ok();
        olena.post(&resend_path(&fee), requisites(&fee)).await.refused(409, "part_decided");
        assert_eq!(count(&app).await, rows + 1);
        app.finish_and_check().await;
    }

    async fn what_did_not_come_back_is_not_sent_again(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = sent_order(&app, &olena).await;
        let all = transfers(&olena, &order).await;
        olena.post(&resend_path(&all[0]), requisites(&all[0])).await.refused(409, "part_not_returned");
        olena.post(&refund_path(&all[0]), json!({})).await.refused(409, "part_not_returned");
        let whole = format!("/order/{}/refund", order["id"].as_str().unwrap());
        olena.post(&whole, json!({})).await.refused(409, "part_not_returned");
        // Neither does another notary find it.
        let part = returned(&app, &olena, &order, "notary").await;
        let taras = app.notary("taras").await;
        taras.post(&resend_path(&part), requisites(&part)).await.refused(404, "order_not_found");
        taras.post(&refund_path(&part), json!({})).await.refused(404, "order_not_found");
        let path = format!("/order/{}/transfers", order["id"].as_str().unwrap());
        taras.get(&path).await.refused(404, "order_not_found");
        // A refund of the order calls off what is planned.
        olena.post(&resend_path(&part), requisites(&part)).await.ok();
        app.outside().refund(&page).await;
        olena.until(&order, "refunded").await;
        let called_off = "select count(*) from transfers where status = 'called_off'";
        assert_eq!(app.number(called_off.to_owned()).await, 1);
        let fee = returned(&app, &olena, &order, "recipient").await;
        olena.post(&resend_path(&fee), requisites(&fee)).await.refused(409, "order_refunded");
        app.finish_and_check().await;
    }

    async fn a_part_about_which_nobody_decides_is_seen_by_the_operator(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let undecided = async || app.services().transfers.undecided().await.unwrap();
        let waiting = async || {
            let measured = app.services().store.read(|tx| queues::measure(tx, Queue::PartsReturned, jiff::Timestamp::MAX)).await.unwrap();
            measured.count
        };
        let findings = async || {
            let check = invariants::examine(&app.services().store, app.services().now(), Extent::Full).await.unwrap();
            check.findings().iter().find(|one| one.name == "transfers_undecided").unwrap().count
        };
        assert_eq!((undecided().await.len(), waiting().await), (0, 0));
        let (fee, own) = (returned(&app, &olena, &order, "recipient").await, returned(&app, &olena, &order, "notary").await);
        let found = undecided().await;
        assert_eq!(found.iter().map(|one| one.order_number).collect::<Vec<_>>(), [100_001, 100_001]);
        assert_eq!((waiting().await, findings().await), (2, 0));
        app.clock().advance(SignedDuration::from_hours(12 * 24));
        assert_eq!(findings().await, 2);
        olena.log_in().await;
        olena.post(&resend_path(&own), requisites(&own)).await.ok();
        olena.post(&refund_path(&fee), json!({})).await.ok();
        assert_eq!((undecided().await.len(), waiting().await, findings().await), (0, 0, 0));
        app.skip_final_check();
    }

    async fn a_young_account_waits_for_the_operator_again(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "notary").await;
        app.restart_with(|settings| {
            settings.app.account_limits = AccountLimits {
                young_for: SignedDuration::from_hours(24 * 1_000),
                young_transfer_max: Money::from_kopiykas(1).unwrap(),
                ..AccountLimits::default()
            };
        })
        .await;
        olena.post(&resend_path(&part), requisites(&part)).await.ok();
        assert_eq!(app.services().transfers.held().await.unwrap().len(), 1);
        assert_eq!(ids(&list(&app).await), [""; 0]);
        app.finish_and_check().await;
    }

    async fn what_came_back_before_a_restore_leaves_only_once_the_operator_has_compared_it(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let own = returned(&app, &olena, &order, "notary").await;
        let fee = returned(&app, &olena, &order, "recipient").await;
        restore(&app).await;
        // It may have been sent again since the copy, and the bank may have that.
        let before_it_was_sent_again = held(&app).await;
        olena.post(&resend_path(&own), requisites(&own)).await.ok();
        assert_eq!(ids(&list(&app).await), [""; 0]);
        // Whoever looked before that must look again.
        let services = app.services();
        let stale = services.transfers.release(&before_it_was_sent_again, "звірено з банком", services.now()).await;
        assert!(matches!(stale, Err(ReleaseError::NotHeld(_))), "{stale:?}");
        for wish in [RefundWish::Whole, RefundWish::Transfer(fee["document_number"].as_i64().unwrap())] {
            let told = refused_refund(&app, wish).await;
            assert!(told.contains("came back before the database was restored"), "{told}");
        }
        let waiting = held(&app).await;
        assert_eq!(waiting.len(), 2, "the part that is sent again, and the other one");
        let returned_at = "select max(updated_at) from transfers where status = 'returned'".to_owned();
        let before = app.number(returned_at.clone()).await;
        release(&app, &waiting).await;
        assert_eq!(app.number(returned_at).await, before, "the day on which it came back stays");
        assert_eq!(ids(&list(&app).await).len(), 1);
        give_back(&app, &fee["document_number"]).await;
        assert!(held(&app).await.is_empty());
        app.finish_and_check().await;
    }

    async fn what_comes_back_once_more_after_a_restore_waits_for_the_operator(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        restore(&app).await;
        // The bank's files since the copy are imported again: what they name may have been sent again since.
        let own = returned(&app, &olena, &order, "notary").await;
        let waiting = held(&app).await;
        assert_eq!(waiting.iter().map(ToString::to_string).collect::<Vec<_>>(), [own["id"].as_str().unwrap()]);
        release(&app, &waiting).await;
        // Nobody can have decided before about what came back later.
        app.clock().set("2026-03-05T10:00:00Z");
        olena.log_in().await;
        let all = transfers(&olena, &order).await;
        let fee = all.iter().find(|one| one["role"] == "recipient").unwrap();
        let later = format!("transfer_id,status,reason,returned_on\n{},returned,{REASON},2026-03-04\n", fee["id"].as_str().unwrap());
        import(&app, &later, None).await.unwrap();
        assert!(held(&app).await.is_empty());
        app.finish_and_check().await;
    }

    async fn the_money_goes_back_to_the_card(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "recipient").await;
        let refunds = app.services().operator.card_refunds();
        assert!(refunds.open().await.unwrap().is_empty());
        let id = TransferId::parse(part["id"].as_str().unwrap()).unwrap();
        let now = app.services().now();
        assert!(refunds.mark(id, "операція 77", now).await.unwrap_err().to_string().contains("is not to be given back"));
        let whole = format!("/order/{}/refund", order["id"].as_str().unwrap());
        // The answer to the first request is lost.
        for _ in 0..2 {
            olena.post(&whole, json!({})).await.ok();
        }
        let open = refunds.open().await.unwrap();
        assert_eq!((open.len(), open[0].1.id), (1, id));
        let known = olena.order(&order).await;
        assert_eq!((&known["returned"][0]["after"], &known["returned"][0]["to_card_on"]), (&json!("refund_requested"), &json!("2026-03-02")));
        assert!(receipt(&olena, &order).await.contains("Запит на повернення на картку подано 02.03.2026"));

        // 40 % of 330 UAH, given back in the acquirer's own cabinet.
        app.outside().refund_part(&page, 13_200).await;
        assert!(refunds.mark(id, " ", now).await.is_err());
        refunds.mark(id, "операція 77", now).await.unwrap();
        assert!(refunds.mark(id, "операція 77", now).await.is_err(), "once");
        assert!(refunds.open().await.unwrap().is_empty());
        let known = olena.order(&order).await;
        assert_eq!((&known["status"], &known["returned"][0]["after"]), (&json!("paid"), &json!("refunded")));
        let text = receipt(&olena, &order).await;
        assert!(text.contains("Повернено на картку 02.03.2026") && text.contains("не зараховано"), "{text}");
        let told = app.number("select count(*) from audit_events where action in ('part_refund_requested', 'part_refunded')".to_owned()).await;
        assert_eq!(told, 2);
        // It stands in no other sum of the report.
        let total = olena.get("/reports?from=2026-03-01&to=2026-03-31").await.ok()["total"].clone();
        assert_eq!((&total["refunded"], &total["amount"], &total["returned"]), (&json!(132), &json!(198), &json!(0)), "{total}");
        app.finish_and_check().await;
    }

    async fn a_part_of_an_order_that_was_refunded_as_a_whole_is_not_given_back_again(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "recipient").await;
        returned(&app, &olena, &order, "notary").await;
        olena.post(&refund_path(&part), json!({})).await.ok();
        let refunds = app.services().operator.card_refunds();
        assert_eq!(refunds.open().await.unwrap().len(), 1);
        app.outside().refund(&page).await;
        olena.until(&order, "refunded").await;
        assert!(refunds.open().await.unwrap().is_empty());
        let id = TransferId::parse(part["id"].as_str().unwrap()).unwrap();
        assert!(refunds.mark(id, "операція 77", app.services().now()).await.is_err());
        app.finish_and_check().await;
    }

    async fn a_part_is_not_sent_again_while_all_of_the_order_is_being_given_back(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "recipient").await;
        returned(&app, &olena, &order, "notary").await;
        let mut lost = acquirer_fault(FaultKind::Reset, "invoice/cancel");
        lost.effect = Some(false);
        app.outside().faults(&[lost]).await;
        assert_eq!(refund(&app, RefundWish::Whole).await, RefundState::Submitted);
        olena.post(&resend_path(&part), requisites(&part)).await.refused(409, "part_decided");
        // The refund was never made, and that is certain after two readings.
        for seconds in [2 * 3_600 + 60, 61] {
            app.clock().advance_seconds(seconds);
            app.work().await;
        }
        olena.log_in().await;
        olena.post(&resend_path(&part), requisites(&part)).await.ok();
        app.finish_and_check().await;
    }

    async fn a_part_is_not_marked_as_given_back_while_all_of_the_order_is_being_given_back(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "recipient").await;
        let own = returned(&app, &olena, &order, "notary").await;
        olena.post(&refund_path(&part), json!({})).await.ok();
        let mut lost = acquirer_fault(FaultKind::Reset, "invoice/cancel");
        lost.effect = Some(false);
        app.outside().faults(&[lost]).await;
        assert_eq!(refund(&app, RefundWish::Whole).await, RefundState::Submitted);
        let refunds = app.services().operator.card_refunds();
        let id = TransferId::parse(part["id"].as_str().unwrap()).unwrap();
        let refused = refunds.mark(id, "операція 77", app.services().now()).await.unwrap_err();
        assert!(matches!(refused, RefundError::NotRequested(_)), "{refused}");
        // Nobody is asked to give it back by hand meanwhile, nor another part.
        assert!(refunds.open().await.unwrap().is_empty());
        olena.post(&refund_path(&own), json!({})).await.refused(409, "part_decided");
        // The refund was never made, and that is certain after two readings.
        for seconds in [2 * 3_600 + 60, 61] {
            app.clock().advance_seconds(seconds);
            app.work().await;
        }
        app.outside().refund_part(&page, 13_200).await;
        refunds.mark(id, "операція 77", app.services().now()).await.unwrap();
        app.work().await;
        app.finish_and_check().await;
    }

    async fn a_part_is_neither_sent_again_nor_asked_for_after_all_that_was_left_was_given_back(app: TestApp) {
        let olena = app.notary("olena").await;
        let rest = given_back_but_for_a_marked_part(&app, &olena, false).await;
        olena.post(&resend_path(&rest.own), requisites(&rest.own)).await.refused(409, "part_given_back");
        olena.post(&refund_path(&rest.own), json!({})).await.refused(409, "part_decided");
        end_by_hand(&app, &olena, &rest).await;
    }

    async fn a_part_is_not_given_back_by_hand_after_all_that_was_left_was_given_back(app: TestApp) {
        let olena = app.notary("olena").await;
        let rest = given_back_but_for_a_marked_part(&app, &olena, true).await;
        let refunds = app.services().operator.card_refunds();
        assert!(refunds.open().await.unwrap().is_empty());
        let id = TransferId::parse(rest.own["id"].as_str().unwrap()).unwrap();
        let refused = refunds.mark(id, "операція 78", app.services().now()).await.unwrap_err();
        assert!(matches!(refused, RefundError::NotRequested(_)), "{refused}");
        end_by_hand(&app, &olena, &rest).await;
    }

    async fn what_the_card_was_given_back_already_is_not_sent_again(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "recipient").await;
        let own = returned(&app, &olena, &order, "notary").await;
        // The operator acts on a call, before the notary has asked for it in the cabinet.
        app.outside().refund_part(&page, 13_200).await;
        app.ask_acquirer().await;
        for each in [&part, &own] {
            olena.post(&resend_path(each), requisites(each)).await.refused(409, "part_given_back");
        }
        olena.post(&refund_path(&part), json!({})).await.ok();
        olena.post(&resend_path(&own), requisites(&own)).await.ok();
        let id = TransferId::parse(part["id"].as_str().unwrap()).unwrap();
        app.services().operator.card_refunds().mark(id, "операція 77", app.services().now()).await.unwrap();
        app.finish_and_check().await;
    }

    async fn a_commission_that_was_given_back_by_itself_keeps_no_returned_part_for_ever(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "recipient").await;
        app.outside().refund_part(&page, 500).await;
        app.ask_acquirer().await;
        olena.post(&resend_path(&part), requisites(&part)).await.refused(409, "part_given_back");
        let said = RefundOrder {
            number: 100_001,
            wish: RefundOrderWish::Record(KnownPart::Sum(Money::from_kopiykas(500).unwrap())),
            reason: OperatorReason::parse("Частина винагороди").unwrap(),
        };
        let desk = app.services().order_actions(app.recorder());
        assert_eq!(desk.refund(&said).await.unwrap().state, RefundState::Done);
        // Twice it was not given back.
        assert!(desk.refund(&said).await.is_err());
        olena.post(&resend_path(&part), requisites(&part)).await.ok();
        app.finish_and_check().await;
    }

    async fn what_a_paper_names_is_compared_in_every_state(app: TestApp) {
        app.restart_with(|settings| settings.login_attempts_per_minute = 1_000).await;
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        let link = crate::client_link::link(&olena, &order).await;
        let order = olena.pay(&order).await;
        let code = check_code(&olena.get(&format!("/order/{}/receipt", order["id"].as_str().unwrap())).await);
        let all = transfers(&olena, &order).await;
        let mut named = vec!["3652504575".to_owned(), order["sum"].to_string()];
        for part in &all {
            named.push(part["iban"].as_str().unwrap().to_owned());
            named.push(format!("{},00", part["amount"]));
        }
        compare(&app, &code, "planned", &named).await;

        import(&app, &list(&app).await, Some(TransferStatus::Sent)).await.unwrap();
        compare(&app, &code, "sent", &named).await;

        let fee = all.iter().find(|one| one["role"] == "recipient").unwrap();
        answered(&app, fee, "credited", "").await;
        compare(&app, &code, "credited", &named).await;

        let own = returned(&app, &olena, &order, "notary").await;
        compare(&app, &code, "returned", &named).await;

        // Papers of before name the old account, and those of today the new one.
        send_to_other_account(&olena, &own).await;
        named.push(OTHER_ACCOUNT.to_owned());
        compare(&app, &code, "sent again", &named).await;

        let fee = returned(&app, &olena, &order, "recipient").await;
        olena.post(&refund_path(&fee), json!({})).await.ok();
        compare(&app, &code, "to be given back to the card", &named).await;
        app.outside().refund_part(&page, 13_200).await;
        let id = TransferId::parse(fee["id"].as_str().unwrap()).unwrap();
        let state = app.anonymous().page(&format!("{link}/state")).await.text();
        app.services().operator.card_refunds().mark(id, "операція 77", app.services().now()).await.unwrap();
        assert_ne!(app.anonymous().page(&format!("{link}/state")).await.text(), state, "an open page is shown anew");
        let of_client = app.anonymous().page(&link).await.text();
        assert_eq!(of_client.matches("Повернено на картку").count(), 1, "{of_client}");
        assert!(!of_client.contains("отримувачу не надіслано"), "a bank had it: {of_client}");
        compare(&app, &code, "given back to the card", &named).await;

        app.outside().refund(&page).await;
        olena.until(&order, "refunded").await;
        compare(&app, &code, "refunded", &named).await;
        app.finish_and_check().await;
    }

    async fn what_was_given_back_unsent_is_told_by_the_order_the_receipt_and_the_check(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let bank_page = order["widget_url"].as_str().unwrap().to_owned();
        let link = crate::client_link::link(&olena, &order).await;
        let order = olena.pay(&order).await;
        assert_eq!(told_given_back(&olena, &order).await, Value::Null);
        let (paper, page) = papers(&app, &olena, &order).await;
        assert!(paper.contains("Квитанція про сплату") && page.contains("answer good"), "{paper} {page}");

        let all = transfers(&olena, &order).await;
        let part = |amount: i64| all.iter().find(|one| one["amount"] == amount).unwrap().clone();
        let (fee, registry) = (part(132), part(80));
        let state = app.anonymous().page(&format!("{link}/state")).await.text();
        give_back(&app, &fee["document_number"]).await;
        assert_ne!(app.anonymous().page(&format!("{link}/state")).await.text(), state, "an open page is shown anew");
        let of_client = app.anonymous().page(&link).await.text();
        assert_eq!(of_client.matches("Повернено на картку, отримувачу не надіслано").count(), 1, "{of_client}");
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(told_given_back(&olena, &order).await, json!(132));
        assert_eq!(olena.order(&order).await["returned"], json!([]));
        let (paper, page) = papers(&app, &olena, &order).await;
        let number = &fee["document_number"];
        for told in [
            "Квитанція: частину коштів повернено на картку".to_owned(),
            format!("Повернено на картку до передачі банку 132,00 грн 02.03.2026, переказ № {number}"),
            "Отримувачам, з них повернено на картку 132,00 грн".to_owned(),
        ] {
            assert!(paper.contains(&told), "{told}: {paper}");
        }
        assert!(page.contains("але частину коштів повернено на картку: отримувачу їх не надіслано"), "{page}");
        assert!(page.contains("answer bad") && !paper.contains("Квитанція про сплату"), "{paper} {page}");

        // A part that came back, was sent again and then given back stands among the returned parts alone.
        import(&app, &list(&app).await, Some(TransferStatus::Sent)).await.unwrap();
        let own = returned(&app, &olena, &order, "notary").await;
        let request = with(requisites(&own), "purpose", "60 % адміністративного збору, виправлено");
        olena.post(&resend_path(&own), request).await.ok();
        let again = olena.order(&order).await["returned"][0]["sent_again_as"].clone();
        give_back(&app, &again).await;
        let of_client = app.anonymous().page(&link).await.text();
        for (told, times) in [("Повернено на картку, отримувачу не надіслано", 1), ("Повернено на картку", 2)] {
            assert_eq!(of_client.matches(told).count(), times, "{told}: {of_client}");
        }
        assert_eq!(told_given_back(&olena, &order).await, json!(132));
        assert_eq!(olena.order(&order).await["returned"][0]["after"], "called_off");
        let (paper, page) = papers(&app, &olena, &order).await;
        for told in [
            "Квитанція: частину коштів отримувачу не зараховано",
            "Отримувачам, з них не зараховано 198,00 грн, повернено на картку 132,00 грн",
        ] {
            assert!(paper.contains(told), "{told}: {paper}");
        }
        assert!(page.contains("але частину коштів отримувачу не зараховано"), "{page}");

        // A refunded order says so itself.
        answered(&app, &registry, "returned", REASON).await;
        app.outside().refund(&bank_page).await;
        olena.until(&order, "refunded").await;
        assert_eq!(told_given_back(&olena, &order).await, Value::Null);
        app.finish_and_check().await;
    }

    async fn where_all_was_given_back_unsent_no_recipient_is_said_to_get_it(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        let all = transfers(&olena, &order).await;
        let number = |amount: i64| all.iter().find(|one| one["amount"] == amount).unwrap()["document_number"].clone();
        give_back(&app, &number(198)).await;
        give_back(&app, &number(80)).await;
        assert_eq!(told_given_back(&olena, &order).await, json!(278));
        let (paper, _) = papers(&app, &olena, &order).await;
        assert!(paper.contains("Отримувачам, з них повернено на картку 278,00 грн"), "{paper}");
        let code = check_code(&olena.get(&format!("/order/{}/receipt", order["id"].as_str().unwrap())).await);
        compare(&app, &code, "given back unsent", &["278,00".to_owned()]).await;

        give_back(&app, &number(132)).await;
        // The commission stays with the service, so the order stays paid.
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(told_given_back(&olena, &order).await, json!(410));
        let (paper, page) = papers(&app, &olena, &order).await;
        assert!(paper.contains("Квитанція: кошти повернено на картку"), "{paper}");
        assert!(page.contains("але кошти повернено на картку: отримувачам їх не надіслано"), "{page}");
        app.finish_and_check().await;
    }
}
