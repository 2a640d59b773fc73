//! The statement of a notary's own bank: her part of payments by QR codes is found in it and marked, and nothing else of it is kept.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_test_kit::{Answer, PaymentKind, Person, TestApp, kopiykas, on_both_databases};
use serde_json::{Value, json};

use crate::receipts::{assert_contains_all, document};

/// The account of the notary's share in test payments.
pub(crate) const OWN: &str = "UA223052990000026001234567890";
/// An account of nobody here.
const OTHER: &str = "UA743052990000026007233566001";

/// An order whose codes were given out.
struct Coded {
    id: String,
    number: String,
    item: String,
    path: String,
    /// The notary's part, as its code has it.
    own: Value,
}

async fn coded(person: &Person) -> Coded {
    person.add(PaymentKind::AdminPayment).await;
    let order = person.order_cart().await;
    let id = order["id"].as_str().unwrap().to_owned();
    let path = format!("/order/{id}");
    let codes = person.post(&format!("{path}/codes"), json!({})).await.ok();
    let transfers = codes["transfers"].as_array().unwrap();
    let own = transfers.iter().find(|transfer| transfer["iban"] == OWN);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let order = person.order(&order).await;
    Coded {
        number: text(&order["number"]),
        item: text(&order["items"][0]["id"]),
        own: own.unwrap().clone(),
        id,
        path,
    }
}

/// The same, marked as paid by its codes.
async fn paid(person: &Person) -> Coded {
    let order = coded(person).await;
    mark(person, &order).await;
    order
}

async fn mark(person: &Person, order: &Coded) {
    let path = format!("{}/codes/paid", order.path);
    person.post(&path, json!({})).await.ok();
}

fn today(app: &TestApp) -> String {
    let moment = app.clock().shows();
    cabinet_domain::kyiv_date(moment).to_string()
}

/// An entry of camt.053 that is this order's own part.
fn entry(order: &Coded, day: &str, reference: &str) -> String {
    let kopiykas = kopiykas(&order.own["amount"]);
    let purpose = order.own["purpose"].as_str().unwrap();
    entry_of((kopiykas, "CRDT"), purpose, day, reference)
}

fn entry_of((kopiykas, direction): (i64, &str), text: &str, day: &str, reference: &str) -> String {
    format!(
        "<Ntry><Amt Ccy=\"UAH\">{}.{:02}</Amt><CdtDbtInd>{direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><ValDt><Dt>{day}</Dt></ValDt>\
         <AcctSvcrRef>{reference}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>{text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>",
        kopiykas / 100,
        kopiykas % 100
    )
}

pub(crate) fn statement(account: &str, entries: &[String]) -> String {
    format!(
        "<?xml version=\"1.0\"?><Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><Stmt>\
         <Acct><Id><IBAN>{account}</IBAN></Id></Acct>{}</Stmt></BkToCstmrStmt></Document>",
        entries.concat()
    )
}

async fn read(person: &Person, file: &str) -> Answer {
    let body = json!({ "file": STANDARD.encode(file) });
    person.post("/order/statement/read", body).await
}

/// Marks what the statement shows as clear.
async fn mark_clear(person: &Person, file: &str) -> Value {
    let shown = read(person, file).await.ok();
    let clear = shown["clear"].as_array().unwrap().iter();
    let items: Vec<&Value> = clear.map(|part| &part["item_id"]).collect();
    let body = json!({ "file": STANDARD.encode(file), "items": items });
    person.post("/order/statement/mark", body).await.ok()
}

/// Returns how many parts are clear, of unmarked orders, unclear, and how many credits are known and others.
fn counts(report: &Value) -> [u64; 5] {
    let length = |name: &str| report[name].as_array().unwrap().len() as u64;
    let number = |name: &str| report[name].as_u64().unwrap();
    [
        length("clear"),
        length("unmarked"),
        length("unclear"),
        number("known"),
        number("other"),
    ]
}

async fn credits_of(person: &Person, order: &Coded) -> Value {
    let shown = person.get(&order.path).await.ok();
    shown["order"]["codes_payment"]["credits"].clone()
}

async fn marks(app: &TestApp) -> i64 {
    let sql = "select count(*) from order_items where credited_on is not null";
    app.number(sql.to_owned()).await
}

on_both_databases! {
    async fn a_credit_is_shown_first_then_marked_once_and_undone_by_one_press(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid(&olena).await;
        let day = today(&app);
        let salary = entry_of((2_500_000, "CRDT"), "Сторонній платіж 7741", &day, "JBKLSALARY7");
        let file = statement(OWN, &[entry(&order, &day, "JBKLPAID1"), salary]);
        let before = app.all_rows().await;
        let shown = read(&olena, &file).await.ok();
        assert_eq!(app.all_rows().await, before, "looking keeps nothing");
        assert_eq!(marks(&app).await, 0);
        assert_eq!((counts(&shown), &shown["credits"]), ([1, 0, 0, 0, 1], &json!(2)));
        let part = &shown["clear"][0];
        assert_eq!((&part["item_id"], &part["order_id"], &part["order_number"]), (&json!(order.item), &json!(order.id), &json!(order.number)));
        assert_eq!((&part["on"], &part["amount"]), (&json!(day), &order.own["amount"]));
        assert!(!shown.to_string().contains("Сторонній платіж 7741"), "other people's payments are not told");
        let updated = "select max(updated_at) from orders".to_owned();
        let status_since = app.number(updated.clone()).await;
        let marked = mark_clear(&olena, &file).await;
        assert_eq!((&marked["marked"], counts(&marked)), (&json!(1), [0, 0, 0, 1, 1]));
        let credit = json!([{ "item_id": order.item, "on": day, "amount": order.own["amount"] }]);
        assert_eq!(credits_of(&olena, &order).await, credit);
        assert_eq!(app.number(updated).await, status_since, "nothing of the payment has changed");
        assert_eq!(app.rows("transfers").await, 0, "it is no transfer of the operator's");
        assert!(app.stores("JBKLPAID1").await && !app.stores("JBKLSALARY7").await && !app.stores("Сторонній платіж 7741").await, "nothing of others is kept");
        // The same statement again, also by a page that still shows what was clear.
        let body = json!({ "file": STANDARD.encode(&file), "items": [order.item] });
        let again = olena.post("/order/statement/mark", body).await.ok();
        assert_eq!((&again["marked"], counts(&again)), (&json!(0), [0, 0, 0, 1, 1]));
        let undo = format!("{}/codes/credit/undo", order.path);
        let shown = olena.post(&undo, json!({})).await.ok();
        assert_eq!((&shown["order"]["codes_payment"]["credits"], &shown["order"]["paid_by"]), (&json!([]), &json!("codes")));
        olena.post(&undo, json!({})).await.ok();
        let events = "select count(*) from audit_events where action in ('payment_codes_credited', 'payment_codes_credit_undone')";
        assert_eq!(app.number(events.to_owned()).await, 2, "a second press changes nothing");
        assert_eq!(counts(&read(&olena, &file).await.ok()), [1, 0, 0, 0, 1], "it can be marked again");
        app.finish_and_check().await;
    }

    async fn only_what_fits_by_account_sum_day_and_purpose_is_told(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid(&olena).await;
        let (day, amount) = (today(&app), kopiykas(&order.own["amount"]));
        let purpose = order.own["purpose"].as_str().unwrap().to_owned();
        for (credit, expected) in [
            (entry_of((amount + 1, "CRDT"), &purpose, &day, "R-1"), [0, 0, 0, 0, 1]),
            (entry_of((amount - 1, "CRDT"), &purpose, &day, "R-1"), [0, 0, 0, 0, 1]),
            (entry_of((amount, "CRDT"), "Оплата послуг", &day, "R-1"), [0, 0, 0, 0, 1]),
            (entry_of((amount, "CRDT"), &purpose, "2020-01-01", "R-1"), [0, 0, 0, 0, 1]),
            (entry_of((amount, "DBIT"), &purpose, &day, "R-1"), [0, 0, 0, 0, 0]),
            (entry(&order, &day, "R-1").replace("UAH", "EUR"), [0, 0, 0, 0, 0]),
            (entry(&order, &day, "R-1").replace("BOOK", "PDNG"), [0, 0, 0, 0, 0]),
            (entry(&order, &day, "R-1").replace("<Sts>", "<RvslInd>true</RvslInd><Sts>"), [0, 0, 0, 0, 0]),
            (entry(&order, &day, ""), [0, 0, 1, 0, 0]),
            (entry(&order, &day, "R-1"), [1, 0, 0, 0, 0]),
        ] {
            let shown = read(&olena, &statement(OWN, std::slice::from_ref(&credit))).await.ok();
            assert_eq!(counts(&shown), expected, "{credit}");
        }
        let answer = read(&olena, &statement(OTHER, &[entry(&order, &day, "R-1")])).await;
        assert_eq!((answer.status, &answer.json()["errors"]["file"][0]), (422, &json!("statement_other_account")));
        assert_eq!(marks(&app).await, 0);
        app.finish_and_check().await;
    }

    async fn the_table_of_privat24_is_read_too(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid(&olena).await;
        let day = today(&app);
        let dotted: Vec<&str> = day.rsplit('-').collect();
        let amount = kopiykas(&order.own["amount"]);
        let row = |direction: &str, sum: i64, reference: &str| {
            let purpose = order.own["purpose"].as_str().unwrap();
            let (whole, rest, day) = (sum / 100, sum % 100, dotted.join("."));
            format!("{OWN};{OTHER};{direction};{whole}.{rest:02};UAH;{day};77;r;r;{reference};1;\"{purpose}\"\n")
        };
        let rows = [row("C", amount, "JB"), row("C", amount + 1, "JC"), row("D", amount, "JD")];
        let file = format!("AUT_MY_ACC;AUT_CNTR_ACC;TRANTYPE;SUM;CCY;DAT_OD;NUM_DOC;PR_PR;FL_REAL;REF;REFN;OSND\n{}", rows.concat());
        let marked = mark_clear(&olena, &file).await;
        assert_eq!((&marked["marked"], counts(&marked)), (&json!(1), [0, 0, 0, 1, 1]));
        let kept = app.number("select count(*) from order_items where credited_reference = 'JB1'".to_owned()).await;
        assert_eq!(kept, 1);
        app.finish_and_check().await;
    }

    async fn what_is_not_clear_is_shown_with_all_it_may_be_and_never_marked(app: TestApp) {
        let olena = app.notary("olena").await;
        let (one, two) = (paid(&olena).await, paid(&olena).await);
        assert_eq!(one.own["purpose"], two.own["purpose"]);
        let day = today(&app);
        let file = statement(OWN, &[entry(&one, &day, "R-1")]);
        let shown = read(&olena, &file).await.ok();
        assert_eq!(counts(&shown), [0, 0, 1, 0, 0]);
        let unclear = &shown["unclear"][0];
        assert_eq!((&unclear["reference"], &unclear["amount"]), (&json!("R-1"), &one.own["amount"]));
        let mut numbers: Vec<&str> = unclear["parts"].as_array().unwrap().iter().map(|part| part["order_number"].as_str().unwrap()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [one.number.as_str(), two.number.as_str()]);
        let body = json!({ "file": STANDARD.encode(&file), "items": [one.item, two.item] });
        assert_eq!(olena.post("/order/statement/mark", body).await.ok()["marked"], 0);
        let both = statement(OWN, &[entry(&one, &day, "R-1"), entry(&two, &day, "R-2")]);
        assert_eq!(counts(&read(&olena, &both).await.ok()), [0, 0, 2, 0, 0]);
        assert_eq!(marks(&app).await, 0);
        app.finish_and_check().await;
    }

    async fn an_entry_marks_one_payment_whatever_comes_later(app: TestApp) {
        let olena = app.notary("olena").await;
        let one = paid(&olena).await;
        let day = today(&app);
        let file = statement(OWN, &[entry(&one, &day, "R-1")]);
        assert_eq!(mark_clear(&olena, &file).await["marked"], 1);
        let two = paid(&olena).await;
        assert_eq!(counts(&read(&olena, &file).await.ok()), [0, 0, 0, 1, 0]);
        // The same money under another name.
        let renamed = statement(OWN, &[entry(&one, &day, "R-9")]);
        assert_eq!(counts(&read(&olena, &renamed).await.ok()), [0, 0, 1, 0, 0]);
        assert_eq!(credits_of(&olena, &two).await, json!([]));
        // Another notary with the same account and an equal order: the bank's reference is of the account.
        let taras = app.notary("taras").await;
        let his = paid(&taras).await;
        assert_eq!(counts(&read(&taras, &file).await.ok()), [0, 0, 0, 1, 0]);
        assert_eq!(credits_of(&taras, &his).await, json!([]));
        app.finish_and_check().await;
    }

    async fn the_statement_of_another_notary_marks_nothing_of_hers(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let order = paid(&olena).await;
        let file = statement(OWN, &[entry(&order, &today(&app), "R-1")]);
        let body = json!({ "file": STANDARD.encode(&file), "items": [order.item] });
        let answer = taras.post("/order/statement/mark", body).await;
        assert!(answer.status == 422 || answer.ok()["marked"] == 0);
        taras.post(&format!("{}/codes/credit/undo", order.path), json!({})).await.refused(404, "order_not_found");
        assert_eq!(marks(&app).await, 0);
        app.finish_and_check().await;
    }

    async fn an_order_that_is_not_marked_is_named_and_its_mark_comes_first(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = coded(&olena).await;
        let file = statement(OWN, &[entry(&order, &today(&app), "R-1")]);
        let shown = read(&olena, &file).await.ok();
        assert_eq!((counts(&shown), &shown["unmarked"][0]["order_id"]), ([0, 1, 0, 0, 0], &json!(order.id)));
        let body = json!({ "file": STANDARD.encode(&file), "items": [order.item] });
        assert_eq!(olena.post("/order/statement/mark", body).await.ok()["marked"], 0);
        mark(&olena, &order).await;
        assert_eq!(mark_clear(&olena, &file).await["marked"], 1);
        // Without the mark that codes were paid nothing of it stays.
        olena.post(&format!("{}/codes/paid/undo", order.path), json!({})).await.ok();
        assert_eq!(marks(&app).await, 0);
        app.finish_and_check().await;
    }

    async fn codes_that_were_shown_again_after_the_payment_do_not_hide_it(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = coded(&olena).await;
        let day = today(&app);
        app.clock().advance_seconds(3 * 24 * 3_600);
        olena.log_in().await;
        olena.post(&format!("{}/codes", order.path), json!({})).await.ok();
        mark(&olena, &order).await;
        let shown = read(&olena, &statement(OWN, &[entry(&order, &day, "R-1")])).await.ok();
        assert_eq!(counts(&shown), [1, 0, 0, 0, 0]);
        app.finish_and_check().await;
    }

    async fn a_hostile_or_oversized_file_is_refused(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid(&olena).await;
        let day = today(&app);
        let entities = statement(OWN, &[entry(&order, &day, "R-1")])
            .replace("<Document", "<!DOCTYPE d [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><Document");
        let many = statement(OWN, &vec!["<Ntry/>".to_owned(); 10_001]);
        let deep = format!("{}{}", "<a>".repeat(200), "</a>".repeat(200));
        for (file, key) in [
            (entities.as_str(), "statement_unreadable"),
            ("", "statement_unreadable"),
            ("слова;ще слова\n1;2\n", "statement_unreadable"),
            ("<Document><BkToCstmrStmt>", "statement_unreadable"),
            ("\u{0}\u{1}PK", "statement_unreadable"),
            (many.as_str(), "statement_too_large"),
            (deep.as_str(), "statement_too_large"),
        ] {
            let answer = read(&olena, file).await;
            assert_eq!((answer.status, &answer.json()["errors"]["file"][0]), (422, &json!(key)));
        }
        for body in [json!({}), json!({ "file": 7 }), json!({ "file": null }), json!({ "file": "не Base64" })] {
            let answer = olena.post("/order/statement/read", body).await;
            assert_eq!((answer.status, &answer.json()["errors"]["file"][0]), (422, &json!("statement_unreadable")));
        }
        read(&olena, &"x".repeat(800_000)).await.refused(413, "body_too_large");
        app.anonymous().post("/order/statement/read", json!({ "file": "" })).await.refused(401, "unauthorized");
        assert_eq!(marks(&app).await, 0);
        app.finish_and_check().await;
    }

    async fn papers_say_by_whose_word_it_is_credited_and_reports_count_nothing_more(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid(&olena).await;
        let day = today(&app);
        let report = format!("/reports?from={day}&to={day}&by=crediting");
        let before = olena.get(&report).await.ok();
        let file = statement(OWN, &[entry(&order, &day, "R-1")]);
        assert_eq!(mark_clear(&olena, &file).await["marked"], 1);
        assert_eq!(olena.get(&report).await.ok(), before);
        let answer = olena.get(&format!("{}/extract", order.path)).await;
        let text = document(&answer, &format!("Extract-{}.pdf", order.id));
        let dotted: Vec<&str> = day.rsplit('-').collect();
        let credited = format!("{}, за випискою банку нотаріуса", dotted.join("."));
        assert_contains_all(&text, &[&credited]);
        assert_eq!(text.matches("за випискою банку нотаріуса").count(), 1, "the other part went to the budget");
        app.finish_and_check().await;
    }
}
