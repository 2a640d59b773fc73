//! `cabinet order`, `cabinet complaints` and `cabinet notary show|set-phone` beside a running cabinet.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use cabinet_test_kit::{
    Fault, FaultKind, FaultService, PETRO, PaymentKind, Person, TestApp, complained,
    on_both_databases, said,
};
use serde_json::{Value, json};

use crate::command::{cabinet, events};

const PAYS: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";

/// Runs it with `--json`.
fn as_json(app: &TestApp, arguments: &[&str]) -> Value {
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    serde_json::from_str(&said(&cabinet(app, &arguments))).unwrap()
}

fn page_of(order: &Value) -> String {
    order["widget_url"].as_str().unwrap().to_owned()
}

async fn order_of(person: &Person) -> Value {
    person.add(PaymentKind::RegistryPayment).await;
    person.order_cart().await
}

on_both_databases! {
    async fn the_support_sees_everything_of_an_order_and_nobodys_name(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let (_, olenas_name, identifier) = Person::facts("olena");
        let private = [PETRO.inn, PETRO.full_name, "Гнатюк", olena.phone(), olenas_name, identifier, "UA223052990000026001234567890"];

        let shown = said(&cabinet(&app, &["order", "show", "100001"]));
        for expected in ["status", "paid", "ITEMS", "ATTEMPTS", "REPORTS", "TIMELINE", "TRANSFERS", "Г. П. О.", "•••75", "К. О. І.", "+38050•••0001", "424242******4242", "receipt code"] {
            assert!(shown.contains(expected), "{expected}: {shown}");
        }
        for private in private {
            assert!(!shown.contains(private), "{private}: {shown}");
        }
        let file = as_json(&app, &["order", "show", "100001"]);
        let attempt = &file["attempts"][0];
        assert_eq!((&file["order"], &file["status"], &file["acquirer_says"]), (&json!(100_001), &json!("paid"), &json!("success")));
        assert_eq!((&attempt["state"], &attempt["outcome"], &attempt["acquirer_says"]), (&json!("finished"), &json!("paid"), &json!("success")));
        assert_eq!(file["reports"].as_array().unwrap().last().unwrap()["status"], "success");
        let parts: Vec<&Value> = file["transfers"].as_array().unwrap().iter().map(|transfer| &transfer["part"]).collect();
        assert_eq!(parts, ["notary", "recipient"]);
        assert!(file["items"][0]["shares"].as_str().unwrap().contains("notary"), "{file}");
        let steps: Vec<&Value> = file["timeline"].as_array().unwrap().iter().map(|event| &event["event"]).collect();
        assert!(steps.contains(&&json!("created")) && file["timeline"].as_array().unwrap().iter().any(|event| event["to"] == "paid"), "{steps:?}");
        for private in private {
            assert!(!file.to_string().contains(private), "{private}: {file}");
        }

        // In full only with a reason, which the trail keeps.
        let refused = complained(&cabinet(&app, &["order", "show", "100001", "--full"]));
        assert!(refused.join("\n").contains("--reason"), "{refused:?}");
        let refused = complained(&cabinet(&app, &["order", "show", "100001", "--full", "--reason", "просить 050 111-22-33"]));
        assert_eq!(refused, ["cabinet: --reason: it has a long number: leave cards, telephones and codes out"]);
        assert!(events(&app, "100001", "personal_data_shown").is_empty());
        let full = said(&cabinet(&app, &["order", "show", "100001", "--full", "--reason", "Звернення SD-4711"]));
        for private in private {
            assert!(full.contains(private), "{private}: {full}");
        }
        let event = &events(&app, "100001", "personal_data_shown")[..];
        assert!(event.len() == 1 && event[0].contains("operator oksana") && event[0].contains("SD-4711"), "{event:?}");

        let fees = app.number("select cast(sum(count * amount) as bigint) from order_items".to_owned()).await;
        let fees = format!("{}.{:02}", fees / 100, fees % 100);
        let code = file["receipt_code"].as_str().unwrap();
        for by in [
            vec!["--phone", "тел. 050 111 00 01"],
            vec!["--code", PETRO.inn],
            vec!["--code", code],
            vec!["--reference", attempt["rrn"].as_str().unwrap()],
            vec!["--reference", attempt["invoice"].as_str().unwrap()],
            vec!["--reference", attempt["reference"].as_str().unwrap()],
            vec!["--reference", file["transfers"][0]["id"].as_str().unwrap()],
            vec!["--reference", "2"],
            vec!["--sum", file["sum"].as_str().unwrap(), "--day", "2026-03-02"],
            vec!["--sum", fees.as_str(), "--day", "02.03.2026"],
            vec!["--name", "гнат", "--from", "2026-03-01", "--to", "2026-03-02"],
            vec!["--name", "петро ГНАТЮК", "--card", "4242", "--sum", fees.as_str(), "--from", "2026-03-01"],
            vec!["--card", "•••• 4242", "--day", "2026-03-02"],
            vec!["--from", "2026-03-02"],
        ] {
            let arguments = [&["order", "find"][..], by.as_slice()].concat();
            let found = as_json(&app, &arguments);
            assert_eq!((found["orders"].as_array().unwrap().len(), &found["orders"][0]["order"]), (1, &json!(100_001)), "{by:?}");
            let shown = said(&cabinet(&app, &arguments));
            assert!(shown.contains("Г. П. О.") && !shown.contains(PETRO.full_name) && !shown.contains(PETRO.inn), "{shown}");
        }
        for by in [
            vec!["--code", "3068208400"],
            vec!["--code", "100001-7KQ2-M4XD-01AB"],
            vec!["--reference", "нема"],
            vec!["--sum", "1,00", "--day", "2026-03-02"],
            vec!["--sum", file["sum"].as_str().unwrap(), "--day", "2026-03-03"],
            vec!["--name", "Шевченко", "--from", "2026-03-01"],
            vec!["--card", "4243", "--from", "2026-03-01"],
            vec!["--sum", file["sum"].as_str().unwrap()],
        ] {
            assert_eq!(said(&cabinet(&app, &[&["order", "find"][..], by.as_slice()].concat())), "No order fits.\n", "{by:?}");
        }
        assert_eq!(complained(&cabinet(&app, &["order", "find", "--code", "12"])), ["cabinet: --code: neither the code of a client (8 to 10 digits, or a passport) nor that of a receipt (100123-7KQ2-M4XD-01AB)"]);
        assert!(complained(&cabinet(&app, &["order", "find", "--phone", "+380671230000"]))[0].contains("nobody is registered"));
        assert!(complained(&cabinet(&app, &["order", "find"]))[0].contains("--name"));
        for (by, told) in [(["--name", "Ґ"], "at least three letters"), (["--name", "3068208400"], "--code"), (["--card", "4242424242424242"], "last four digits")] {
            assert!(complained(&cabinet(&app, &["order", "find", by[0], by[1]]))[0].contains(told), "{by:?}");
        }
        // Which days were looked through is told beside the list.
        let beside = cabinet(&app, &["order", "find", "--card", "4242"]).stderr;
        assert!(String::from_utf8_lossy(&beside).starts_with("Looked through 20"));
        assert_eq!(complained(&cabinet(&app, &["order", "show", "999999"])), ["cabinet: there is no order with the number 999999: cabinet order find looks by phone, code, reference, name, card, sum or day"]);
        app.finish_and_check().await;
    }

    async fn a_search_that_finds_more_than_it_lists_says_so(app: TestApp) {
        let olena = app.notary("olena").await;
        order_of(&olena).await;
        let fresh = if app.database_folder().is_some() { "randomblob(16)" } else { "gen_random_uuid()" };
        let copies = |from: u32, to: u32| format!(
            "with recursive n(i) as (select {from} union all select i + 1 from n where i < {to})
             insert into orders (id, number, notary_id, client_id, status, created_at, updated_at, sum, locale, method, idempotency_key,
                 request_fingerprint, search_text, payment_state)
             select {fresh}, o.number + n.i, o.notary_id, o.client_id, o.status, o.created_at + n.i, o.updated_at, o.sum, o.locale, o.method,
                 o.idempotency_key || '-' || n.i, o.request_fingerprint, o.search_text, o.payment_state from orders o, n where o.number = 100001"
        );
        let by = ["order", "find", "--phone", olena.phone()];
        app.execute(copies(1, 49)).await;
        let found = as_json(&app, &by);
        assert_eq!((found["orders"].as_array().unwrap().len(), &found["more"]), (50, &json!(false)));
        assert!(!said(&cabinet(&app, &by)).contains("More than fifty"));
        app.execute(copies(50, 50)).await;
        let found = as_json(&app, &by);
        assert_eq!((found["orders"].as_array().unwrap().len(), &found["more"]), (50, &json!(true)));
        assert_eq!(found["orders"][0]["order"], 100_051, "the newest");
        let shown = said(&cabinet(&app, &by));
        assert!(shown.lines().last().unwrap().starts_with("More than fifty fit, and these are the newest."), "{shown}");
        app.skip_final_check();
    }

    async fn an_order_that_was_paid_and_shows_otherwise_is_asked_about(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = order_of(&olena).await;
        let page = page_of(&order);
        app.outside().pay(&page, DECLINED).await;
        olena.until(&order, "failed").await;
        app.keep_reports();
        assert_eq!(app.outside().pay(&page, PAYS).await, "success");

        let asked = as_json(&app, &["order", "ask", "100001"]);
        assert_eq!((&asked["answer"], &asked["changed"]), (&json!("the acquirer answered"), &json!(true)));
        let [before, after] = [&asked["states"][0], &asked["states"][1]];
        assert_eq!((&before["status"], &before["acquirer_says"]), (&json!("failed"), &json!("failure")));
        assert_eq!((&after["status"], &after["acquirer_says"]), (&json!("paid"), &json!("success")));
        assert_eq!(app.number("select count(*) from transfers where status = 'planned'".to_owned()).await, 1, "as the worker plans them");
        assert_eq!(app.rows("order_receipts").await, 1);
        assert_eq!(events(&app, "100001", "order_asked").len(), 1);

        // Once more changes nothing, and what was given back meanwhile is learnt of an attempt that is over.
        assert_eq!(as_json(&app, &["order", "ask", "100001"])["changed"], json!(false));
        let rows = app.all_rows().await;
        let mut fault = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        fault.path = Some("invoice/status".to_owned());
        app.outside().faults(&[fault]).await;
        let silent = said(&cabinet(&app, &["order", "ask", "100001"]));
        assert!(silent.contains("did not answer about every invoice"), "{silent}");
        assert_eq!(app.all_rows().await["order_events"], rows["order_events"]);
        app.outside().faults(&[]).await;
        app.outside().refund(&page).await;
        let asked = as_json(&app, &["order", "ask", "100001"]);
        assert_eq!(asked["states"][1]["status"], "refunded");
        assert!(complained(&cabinet(&app, &["order", "ask", "7"])).join("\n").contains("there is no order with the number 7"));
        app.finish_and_check().await;
    }

    async fn a_charge_that_was_given_up_is_looked_for_when_the_support_asks(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.save_card(PAYS);
        olena.keep_own_account().await;
        olena.add(PaymentKind::AdminPayment).await;
        let mut body = olena.order_body().await;
        body["token_id"] = token.into();
        let fault = |service, kind, path: Option<&str>, calls| {
            let mut fault = Fault::new(service, kind);
            (fault.path, fault.calls) = (path.map(str::to_owned), calls);
            fault
        };
        let faults = [
            fault(FaultService::Acquirer, FaultKind::TimeoutAfter, Some("wallet/payment"), 1),
            fault(FaultService::Acquirer, FaultKind::Behind, Some("statement"), 1_000),
            fault(FaultService::Reports, FaultKind::Drop, None, 1_000),
        ];
        app.outside().faults(&faults).await;
        olena.create_order(&olena.fresh_key(), &body).await.ok();
        app.clock().advance_seconds(61);
        let asked = as_json(&app, &["order", "ask", "100001"]);
        let missing = &asked["missing"][0];
        assert_eq!((&missing["missing"], &missing["readings"]), (&json!("charge"), &json!(1)), "{asked}");
        for seconds in [3 * 3_600, 61] {
            app.clock().advance_seconds(seconds);
            app.work().await;
        }
        let asked = as_json(&app, &["order", "ask", "100001"]);
        assert_eq!((&asked["changed"], &asked["states"][1]["status"]), (&json!(false), &json!("failed")));
        assert_eq!(asked["missing"][0]["readings"], 3);
        // The statement shows it at last.
        app.outside().faults(&[]).await;
        let asked = as_json(&app, &["order", "ask", "100001"]);
        assert_eq!((&asked["changed"], &asked["states"][1]["status"]), (&json!(true), &json!("paid")));
        app.finish_and_check().await;
    }

    async fn a_refund_waits_until_it_is_known_whether_a_given_up_charge_was_made(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.save_card(PAYS);
        olena.keep_own_account().await;
        olena.add(PaymentKind::AdminPayment).await;
        let mut body = olena.order_body().await;
        body["token_id"] = token.into();
        let mut lost = Fault::new(FaultService::Acquirer, FaultKind::TimeoutBefore);
        lost.path = Some("wallet/payment".to_owned());
        app.outside().faults(&[lost]).await;
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        for seconds in [3 * 3_600, 61] {
            app.clock().advance_seconds(seconds);
            app.work().await;
        }
        olena.log_in().await;
        let path = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        let page = olena.get(&path).await.ok()["widget_url"].as_str().unwrap().to_owned();
        assert_eq!(app.outside().pay(&page, PAYS).await, "success");
        olena.until(&order, "paid").await;
        let mut unread = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        (unread.path, unread.calls) = (Some("statement".to_owned()), 1_000);
        app.outside().faults(&[unread]).await;
        let refund = || cabinet(&app, &["order", "refund", "100001", "--reason", "Клієнт просить", "--yes"]);
        let told = complained(&refund()).join("\n");
        assert!(told.contains("another charge of the order was given up") && told.contains("Nothing was sent"), "{told}");
        app.outside().faults(&[]).await;
        said(&refund());
        app.finish_and_check().await;
    }

    async fn an_unpaid_order_is_cancelled_and_a_paid_one_is_not(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = order_of(&olena).await;
        let page = page_of(&order);
        let cancel = |number: &str, more: &[&str]| cabinet(&app, &[&["order", "cancel", number][..], more].concat());
        assert!(complained(&cancel("100001", &[])).join("\n").contains("--reason"));
        assert!(complained(&cancel("100001", &["--reason", " "]))[0].contains("--reason: it is empty"));
        let why = ["--reason", "Нотаріус просить, SD-4712", "--return-items"];

        // Where the acquirer does not say that the page is closed, the order stays.
        let mut fault = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        fault.path = Some("invoice/remove".to_owned());
        app.outside().faults(&[fault]).await;
        assert!(complained(&cancel("100001", &why)).join("\n").contains("the acquirer does not answer, so the payment page may still be open. Nothing was changed"));
        app.outside().faults(&[]).await;
        assert_eq!(olena.order(&order).await["status"], "pending");

        assert_eq!(said(&cancel("100001", &why)), "The order is cancelled: nobody can pay it any more. The notary is told.\n");
        assert_eq!(app.outside().pay(&page, PAYS).await, "the invoice is expired");
        let ended = olena.order(&order).await;
        assert_eq!((&ended["status"], &ended["failure"]), (&json!("expired"), &json!("order_cancelled")));
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 1);
        let event = events(&app, "100001", "order_cancelled");
        assert!(event.len() == 1 && event[0].contains("operator oksana"), "{event:?}");
        let event = events(&app, "100001", "order_cancel_asked");
        assert!(event.len() == 2 && event[1].contains("SD-4712"), "{event:?}");
        app.work().await;
        let told = app.outside().messages(olena.phone());
        assert!(told[0].contains("Замовлення № 100001 скасовано службою підтримки. Платежі повернено до кошика"), "{told:?}");
        assert_eq!(said(&cancel("100001", &why)), "The order was cancelled before: nothing changed.\n");
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 1);

        let paid = olena.order_cart().await;
        olena.pay(&paid).await;
        let refused = complained(&cancel("100002", &why)).join("\n");
        assert!(refused.contains("the order is paid, so it can't be cancelled. Its money is given back to the card with cabinet order refund"), "{refused}");
        assert_eq!(olena.order(&paid).await["status"], "paid");
        app.finish_and_check().await;
    }

    async fn a_cancellation_that_the_worker_dropped_is_shown(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = order_of(&olena).await;
        let begun = app.services().now().as_microsecond();
        app.execute(format!("update orders set cancel_begun_at = {begun}, cancel_items = 'drop', cancel_by_support = true")).await;
        app.clock().advance_seconds(121);
        let mut fault = Fault::new(FaultService::Acquirer, FaultKind::Refuse);
        fault.path = Some("invoice/remove".to_owned());
        fault.code = Some("INVOICE_ALREADY_USED".to_owned());
        app.outside().faults(&[fault]).await;
        app.work().await;
        app.outside().faults(&[]).await;
        let file = as_json(&app, &["order", "show", "100001"]);
        let last = file["timeline"].as_array().unwrap().last().unwrap();
        assert_eq!((&last["event"], &last["detail"]), (&json!("cancellation_dropped"), &json!("payment_page_not_closed")));
        assert_eq!(app.outside().pay(&page_of(&order), PAYS).await, "success");
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn an_order_that_can_not_be_read_keeps_no_alarm_out_of_the_list(app: TestApp) {
        let olena = app.notary("olena").await;
        for _ in 0..2 {
            olena.add(PaymentKind::RegistryPayment).await;
            let order = olena.order_cart().await;
            olena.pay(&order).await;
        }
        let alarms = "insert into alarms (id, kind, subject, order_id, first_at, last_at, count)
            select o.id, 'order_not_settled', 'order:' || o.number, o.id, 1, 1, 1 from orders o";
        app.execute(alarms.to_owned()).await;
        app.execute("update transfers set held_at = 1".to_owned()).await;
        app.execute("update clients set inn = 'x'".to_owned()).await;
        let listed = |command: [&str; 2]| said(&cabinet(&app, &command));
        for (command, orders) in [
            (["alarms", "list"], ["  100001  ", "  100002  "]),
            (["transfers", "held"], ["\n100001  ", "\n100002  "]),
        ] {
            assert!(orders.iter().all(|order| listed(command).contains(order)), "{}", listed(command));
        }
        assert!(listed(["alarms", "list"]).starts_with("ALARMS (Kyiv time)\n"), "{}", listed(["alarms", "list"]));
        let alarms = as_json(&app, &["alarms", "list"])["alarms"].clone();
        let subjects: Vec<&Value> = alarms.as_array().unwrap().iter().map(|alarm| &alarm["subject"]).collect();
        assert!(subjects.len() == 2 && subjects.contains(&&json!("order:100001")), "{alarms}");
        let held = as_json(&app, &["transfers", "held"])["held_transfers"].clone();
        assert!(held.as_array().unwrap().iter().all(|row| row["held"] == "1970-01-01T00:00:00.000001Z"), "{held}");
        app.execute("update transfers set status = 'returned', reason = 'Рахунок закрито', held_at = null".to_owned()).await;
        assert!(listed(["transfers", "returned"]).contains("\n100002  "));
        app.execute("update transfers set refund_requested_at = 1".to_owned()).await;
        assert!(listed(["transfers", "refunds"]).contains("\n100002  "));
        // A program of an earlier release meets kinds that it does not know.
        app.execute("update alarms set kind = 'of_tomorrow'".to_owned()).await;
        assert!(listed(["alarms", "list"]).contains("of_tomorrow"));
        app.skip_final_check();
    }

    async fn a_complaint_is_answered_once_and_the_notary_is_told(app: TestApp) {
        let olena = app.notary("olena").await;
        for text in ["Сума не та", "Отримувач не той"] {
            let item = olena.add(PaymentKind::RequisitesPayment).await;
            olena.post("/cart/item/complaint", json!({ "cart_item_id": item, "text": text })).await.ok();
        }
        let in_cart = as_json(&app, &["complaints", "list"]);
        let cart = as_json(&app, &["notary", "show", olena.phone()])["cart"].clone();
        let complained_of = &in_cart["complaints"][0];
        assert_eq!((&cart[0]["item"], &cart[0]["total"], cart.as_array().unwrap().len()), (&complained_of["item"], &complained_of["total"], 2));
        assert!(complained_of["total"].is_string() && complained_of["account"].is_string() && complained_of["order"].is_null(), "{in_cart}");
        olena.order_cart().await;
        let listed = as_json(&app, &["complaints", "list"]);
        assert_eq!(listed["complaints"][0]["total"], complained_of["total"]);
        let rows: Vec<_> = listed["complaints"].as_array().unwrap().iter().map(|row| (row["number"].clone(), row["text"].clone(), row["order"].clone())).collect();
        assert_eq!(rows, [(json!(1_001), json!("Сума не та"), json!(100_001)), (json!(1_002), json!("Отримувач не той"), json!(100_001))]);
        assert_eq!(as_json(&app, &["order", "show", "100001"])["complaints"].as_array().unwrap().len(), 2);
        let trail = said(&cabinet(&app, &["audit", "show", "--since", "2026-01-01"]));
        assert!(trail.lines().any(|line| line.contains("personal_data_shown") && line.contains("list: complaints") && line.contains("rows: 2")), "{trail}");

        let answer = |number: &str, text: &str| cabinet(&app, &["complaints", "answer", number, "--text", text, "--reason", "Передзвонили, SD-1"]);
        assert_eq!(complained(&answer("1001", "Код 2817364509")), ["cabinet: --text: it has a long number: leave cards, telephones and codes out"]);
        assert!(complained(&answer("7", "Так"))[0].contains("there is no such complaint"));
        assert!(complained(&answer("1001", "Телефонуйте 0 800 000 001"))[0].contains("it has a long number"));
        assert_eq!(said(&answer("1001", "Суму виправлено, дякуємо: 0 800 000 000")), "The complaint is closed. The notary is sent the answer.\n");
        assert!(complained(&answer("1001", "Ще раз"))[0].contains("the complaint was closed on"));
        app.work().await;
        let told = app.outside().messages(olena.phone());
        assert_eq!(told[0], "Відповідь на Ваше повідомлення № 1001: Суму виправлено, дякуємо: 0 800 000 000");

        let id = listed["complaints"][1]["id"].as_str().unwrap();
        assert_eq!(said(&cabinet(&app, &["complaints", "close", id, "--reason", "Повторне"])), "The complaint is closed. Nobody is told.\n");
        app.work().await;
        assert_eq!(app.outside().messages(olena.phone()).len(), told.len());
        assert_eq!(said(&cabinet(&app, &["complaints", "list"])), "There are no complaints.\n");
        let all = said(&cabinet(&app, &["complaints", "list", "--all"]));
        assert!(all.contains("Суму виправлено, дякуємо") && all.contains("Отримувач не той"), "{all}");
        assert_eq!(events(&app, "100001", "complaint_answered").len(), 1);
        let closed = events(&app, "100001", "complaint_closed");
        assert!(closed.len() == 1 && closed[0].contains("Повторне") && closed[0].contains(id), "{closed:?}");
        app.check_invariants().await;
    }

    async fn an_account_is_shown_and_gets_another_phone(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let item = olena.add(PaymentKind::RegistryPayment).await;
        let complaint = json!({ "cart_item_id": item, "text": "Клієнтка Коваль Олена, сума не та" });
        olena.post("/cart/item/complaint", complaint).await.ok();
        olena.order_cart().await;
        let (_, name, identifier) = Person::facts("olena");
        let id = olena.id().to_string();
        for account in [olena.phone(), identifier, id.as_str()] {
            let shown = said(&cabinet(&app, &["notary", "show", account]));
            for expected in ["К. О. І.", "+38050•••0001", "ORDERS", "100001", "confirmed"] {
                assert!(shown.contains(expected), "{expected}: {shown}");
            }
            assert!(shown.contains("COMPLAINTS") && !shown.contains("Коваль"), "{shown}");
            assert!(!shown.contains(name) && !shown.contains(olena.phone()) && !shown.contains(identifier), "{shown}");
        }
        let full = as_json(&app, &["notary", "show", &id, "--full", "--reason", "SD-5"]);
        assert_eq!((&full["name"], &full["phone"], &full["identifier"]), (&json!(name), &json!(olena.phone()), &json!(identifier)));
        assert!(full["complaints"][0]["text"].as_str().unwrap().contains("Коваль"));
        assert_eq!(app.number("select count(*) from audit_events where action = 'personal_data_shown'".to_owned()).await, 1);
        assert!(complained(&cabinet(&app, &["notary", "show", "NOTAR99999"]))[0].contains("nobody is registered"));

        let new = "+380671112233";
        let thief = olena.elsewhere();
        app.clock().advance_seconds(100);
        let operation = thief.ask_for_code().await;
        let code = olena.code();
        let set = |account: &str, to: &str| cabinet(&app, &["notary", "set-phone", account, "--to", to, "--reason", "Телефон загублено, паспорт звірено"]);
        assert!(complained(&set(olena.phone(), taras.phone()))[0].contains("another account has that phone"));
        assert!(complained(&set(olena.phone(), olena.phone()))[0].contains("the account has that phone already"));
        assert!(complained(&set(olena.phone(), "12"))[0].contains("--to: that is not a telephone number"));
        olena.get("/cart").await.ok();
        // Somebody has begun a sign-up with the new phone, and can't finish it.
        let begun = json!({ "full_name": "Хтось Інший", "phone": new, "registry_identifier": "NOTAR123", "is_agreed": true });
        thief.post("/auth/sign-up", begun).await.ok();
        // A command has the machine's clock, for which the sessions of the test expired long ago.
        app.execute("update sessions set expires_at = 4102444800000000".to_owned()).await;
        assert_eq!(said(&set(olena.phone(), new)), "The phone is changed. Sessions that ended: 1. The old phone, the new one and the email address are told.\n");
        olena.get("/cart").await.refused(401, "unauthorized");
        taras.get("/cart").await.ok();
        app.work().await;
        for phone in [olena.phone(), new] {
            let told = &app.outside().messages(phone)[0];
            assert!(told.starts_with("У кабінеті нотаріуса змінено: телефон для входу") && !told.contains("67"), "{told}");
        }
        // A code that the lost telephone got before opens nothing.
        let late = thief.enter(&operation, &code).await;
        assert!(late.status >= 400, "{}", late.status);
        // Nor does one of a login that was begun before and stored after the change.
        app.execute("update login_operations set expires_at = (select max(expires_at) from sessions) where used_at is null".to_owned()).await;
        let late = thief.enter(&operation, &code).await;
        assert!(late.status >= 400, "{}", late.status);
        let event = "select count(*) from audit_events where action = 'profile_changed' and changes like '%operator_reason%'";
        assert_eq!(app.number(event.to_owned()).await, 1);

        let started = thief.post("/auth/login", json!({ "phone": new })).await.ok();
        let body = json!({ "phone": new, "otp_code": app.outside().code(new), "operation_id": started["operation_id"] });
        thief.post("/auth/login/otp", body).await.ok();
        let events = thief.get("/me/security-events").await.ok();
        let changed = events["events"].as_array().unwrap().iter().find(|event| event["kind"] == "profile_changed").unwrap();
        assert_eq!(changed["actor"], "support");
        let fields: Vec<&Value> = changed["changes"].as_array().unwrap().iter().map(|change| &change["field"]).collect();
        assert_eq!(fields, ["phone", "sessions"], "the operator's reason is not hers to read");
        app.check_invariants().await;
    }
}
