//! The export: exactly the payments that a search finds.

use std::io::{Cursor, Read};
use std::ops::RangeInclusive;

use axum::http::Method;
use cabinet_domain::TransferStatus;
use cabinet_storage::testing::execute;
use cabinet_test_kit::{Answer, PETRO, PaymentKind, Person, TestApp, ZORIA, on_both_databases};
use calamine::{Data, Reader, Xlsx};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::transfers::import;

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// Positions of the columns.
const NUMBER: usize = 0;
const CREATED: usize = 1;
const CLIENT: usize = 2;
const CODE: usize = 3;
const KIND: usize = 4;
const OPTION: usize = 5;
const RECIPIENT: usize = 7;
const IBAN: usize = 8;
const RECIPIENT_CODE: usize = 9;
const PURPOSE: usize = 10;
const COUNT: usize = 11;
const AMOUNT: usize = 12;
const TO_RECIPIENT: usize = 15;
const TO_NOTARY: usize = 16;
const COMMISSION_TOTAL: usize = 17;
const TOTAL: usize = 18;
const RETURNED: usize = 19;
const GIVEN_BACK: usize = 20;
const STATUS: usize = 21;
const PAID_AT: usize = 22;
const CARD: usize = 23;
const CREDITED: usize = 27;

const BY_CODES: &str = "Сплачено за QR-кодами";

/// A table, read with an independent library.
struct Table {
    heading: Vec<Data>,
    rows: Vec<Vec<Data>>,
    /// The last rows: all payments, those that a card paid, those that codes paid, and those that were given back to the card.
    last: [Vec<Data>; 4],
    formulas: usize,
}

impl Table {
    fn of(answer: &Answer, name: &str) -> Table {
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("content-type"), XLSX);
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(
            answer.header("content-disposition"),
            format!("attachment; filename=\"{name}\"")
        );
        let mut book = Xlsx::new(Cursor::new(&answer.body)).unwrap();
        let sheets = book.sheet_names().to_owned();
        assert_eq!(sheets.len(), 1);
        let formulas = book
            .worksheet_formula(&sheets[0])
            .unwrap()
            .used_cells()
            .count();
        let range = book.worksheet_range(&sheets[0]).unwrap();
        let mut rows: Vec<Vec<Data>> = range.rows().map(<[Data]>::to_vec).collect();
        let last = rows.split_off(rows.len() - 4).try_into().unwrap();
        let heading = rows.remove(0);
        Table {
            heading,
            rows,
            last,
            formulas,
        }
    }

    fn column(&self, at: usize) -> Vec<String> {
        self.rows.iter().map(|row| row[at].to_string()).collect()
    }

    /// Returns the number of payments and what they cost in kopiykas. The last rows must agree with the rows: of all their number, of
    /// the paid and the refunded ones number and sums.
    fn sums(&self) -> (usize, i64) {
        let [all, paid, by_codes, refunded] = &self.last;
        assert_eq!(all[1], Data::Float(self.rows.len() as f64));
        assert_eq!(all[TOTAL], Data::Empty);
        for (last, statuses) in [
            (paid, ["Сплачено", "Paid"]),
            (by_codes, [BY_CODES, "Paid by QR codes"]),
            (refunded, ["Повернено", "Refunded"]),
        ] {
            let of_it = || {
                let rows = self.rows.iter();
                rows.filter(|row| statuses.contains(&row[STATUS].to_string().as_str()))
            };
            assert_eq!(last[1], Data::Float(of_it().count() as f64));
            for column in [
                TO_RECIPIENT,
                TO_NOTARY,
                COMMISSION_TOTAL,
                TOTAL,
                RETURNED,
                GIVEN_BACK,
            ] {
                let sum: i64 = of_it().map(|row| kopiykas(&row[column])).sum();
                assert_eq!(sum, kopiykas(&last[column]), "column {column}");
            }
        }
        let by_card = |row: &&Vec<Data>| row[STATUS] != BY_CODES;
        for row in self.rows.iter().filter(by_card) {
            let shares = [TO_RECIPIENT, TO_NOTARY, COMMISSION_TOTAL];
            let shares: i64 = shares.map(|column| kopiykas(&row[column])).iter().sum();
            assert_eq!(shares, kopiykas(&row[TOTAL]));
        }
        let totals = self.rows.iter().map(|row| kopiykas(&row[TOTAL]));
        (self.rows.len(), totals.sum())
    }
}

/// Returns a numeric cell in kopiykas, exactly, by its shortest decimal text.
#[track_caller]
fn kopiykas(cell: &Data) -> i64 {
    let Data::Float(number) = cell else {
        panic!("no number but {cell:?}");
    };
    cabinet_test_kit::kopiykas(&json!(number))
}

async fn export(person: &Person, body: Value) -> Answer {
    person.post("/order/export", body).await
}

/// Searches the same orders in the archive. Returns the number of payments and their sum.
async fn on_screen(person: &Person, body: &Value) -> (usize, i64) {
    let orders = person.post("/order/search", body.clone()).await.ok();
    assert_eq!(orders["next"], Value::Null);
    let orders = orders["orders"].as_array().unwrap();
    let items = || {
        orders
            .iter()
            .flat_map(|order| order["items"].as_array().unwrap())
    };
    (
        items().count(),
        items()
            .map(|item| cabinet_test_kit::kopiykas(&item["sum_total"]))
            .sum(),
    )
}

/// Creates three orders on three days: a paid one of two payments for Petro, one for a company, and an unpaid one for Petro.
async fn three_orders(app: &TestApp, person: &Person) -> [Value; 3] {
    let item = person.add(PaymentKind::AdminPayment).await;
    person
        .post(
            "/cart/items/count",
            json!({ "cart_item_id": item, "new_count": 3 }),
        )
        .await
        .ok();
    person.add(PaymentKind::RegistryPayment).await;
    let first = person.order_cart().await;
    let first = person.pay(&first).await;
    next_day(app, person).await;
    let payment = person.form_for(PaymentKind::RequisitesPayment, ZORIA).await;
    person
        .add_payment(&payment.with("purpose", "Оплата послуг за договором № 1, 32855961"))
        .await;
    let second = person.order_cart().await;
    next_day(app, person).await;
    person.add(PaymentKind::RegistryPayment).await;
    let third = person.order_cart().await;
    app.outside()
        .pay(third["widget_url"].as_str().unwrap(), "4000000000000002")
        .await;
    person.until(&third, "failed").await;
    [first, second, third]
}

/// Inserts copies of an order with one payment directly into the database, each a moment older than the one before.
async fn insert_copies(app: &TestApp, order: &Value, numbers: RangeInclusive<i64>) {
    let of = if app.services().store.is_sqlite() {
        "unhex(printf('%032x', n))"
    } else {
        "cast(lpad(to_hex(n), 32, '0') as uuid)"
    };
    let number = order["number"].as_str().unwrap();
    let all = format!(
        "with recursive n(n) as (select {} union all select n + 1 from n where n < {})",
        numbers.start(),
        numbers.end()
    );
    let orders = format!(
        "insert into orders (id, number, created_at, idempotency_key, notary_id, client_id, status, updated_at, sum, locale, method,
             request_fingerprint, search_text)
         {all} select {of}, number + n, created_at - n, idempotency_key || n, notary_id, client_id, status, updated_at, sum, locale,
             method, request_fingerprint, search_text
         from orders cross join n where number = {number}"
    );
    let items = format!(
        "insert into order_items (id, order_id, position, created_at, count, payment_kind, payment_type_id, amount, commission,
             tariff_basis_points, tariff_minimum, purpose)
         {all} select {of}, {of}, i.position, i.created_at, i.count, i.payment_kind, i.payment_type_id, i.amount, i.commission,
             i.tariff_basis_points, i.tariff_minimum, i.purpose
         from order_items i join orders o on o.id = i.order_id cross join n where o.number = {number}"
    );
    let copied = app
        .services()
        .store
        .write(move |tx| {
            execute(tx, &orders)?;
            execute(tx, &items)
        })
        .await;
    copied.unwrap();
}

async fn next_day(app: &TestApp, person: &Person) {
    app.clock().advance(SignedDuration::from_hours(20));
    person.log_in().await;
}

on_both_databases! {
    async fn a_table_has_what_the_screen_has(app: TestApp) {
        let olena = app.notary("olena").await;
        let [first, second, third] = three_orders(&app, &olena).await;
        let today = app.clock().shows().to_string()[..10].to_owned();
        let name = format!("Archive-{today}.xlsx");
        let all = Table::of(&export(&olena, json!({})).await, &name);
        assert_eq!(all.sums(), on_screen(&olena, &json!({})).await);
        assert_eq!(all.sums().0, 4);
        // Newest order first, and the payments of an order as in the cart.
        let numbers: Vec<&str> = [&third, &second, &first, &first].map(|order| order["number"].as_str().unwrap()).into();
        assert_eq!(all.column(NUMBER), numbers);
        assert_eq!(all.column(STATUS), ["Не сплачено", "Очікує оплати", "Сплачено", "Сплачено"]);
        assert_eq!(all.column(CLIENT), [PETRO.full_name, ZORIA.full_name, PETRO.full_name, PETRO.full_name]);
        assert_eq!(all.column(CODE), [PETRO.inn, ZORIA.inn, PETRO.inn, PETRO.inn]);
        assert_eq!(all.column(KIND)[1..3], ["Платіж за реквізитами", "Адміністративний збір"]);
        assert_eq!(all.heading[TOTAL].to_string(), "Списано з картки, грн");
        assert_eq!(all.formulas, 0);

        // Each cell has the right type.
        let fee = &all.rows[2];
        assert_eq!((&fee[COUNT], kopiykas(&fee[AMOUNT]), kopiykas(&fee[TOTAL])), (&Data::Float(3.0), 33_000, 105_000));
        let shares = [TO_RECIPIENT, TO_NOTARY, COMMISSION_TOTAL].map(|column| kopiykas(&fee[column]));
        assert_eq!(shares, [39_600, 59_400, 6_000], "40 %, 60 % and the commission of three fees of 330");
        assert!(matches!(fee[CODE], Data::String(_)) && matches!(fee[IBAN], Data::String(_)));
        let Data::DateTime(created) = &fee[CREATED] else { panic!("{:?}", fee[CREATED]) };
        let (year, month, day, hour, minute, _, _) = created.to_ymd_hms_milli();
        let expected = first["created_at"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
        let expected = expected.to_zoned(jiff::tz::TimeZone::get("Europe/Kyiv").unwrap());
        assert_eq!(format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}"), expected.strftime("%Y-%m-%d %H:%M").to_string());
        assert!(matches!(fee[PAID_AT], Data::DateTime(_)));
        assert_eq!(fee[CARD], Data::String("424242******4242".to_owned()));
        assert_eq!(fee[OPTION].to_string(), first["items"][0]["payment_type_option"]["name"].as_str().unwrap());
        assert_eq!(fee[RECIPIENT].to_string(), first["items"][0]["payment_type_requisite"]["name"].as_str().unwrap());
        let requisites = &all.rows[1];
        assert_eq!(requisites[RECIPIENT].to_string(), ZORIA.full_name);
        assert_eq!(requisites[IBAN].to_string(), "UA223052990000026001234567890");
        assert_eq!(requisites[RECIPIENT_CODE], Data::String(ZORIA.inn.to_owned()));
        assert_eq!(requisites[PURPOSE].to_string(), "Оплата послуг за договором № 1, 32855961");
        assert_eq!((&requisites[PAID_AT], &requisites[OPTION]), (&Data::Empty, &Data::Empty));

        let english = olena.call(Method::POST, "/order/export").header("accept-language", "en").json(&json!({})).send().await;
        let english = Table::of(&english, &name);
        assert_eq!(english.column(STATUS)[..3], ["Failed", "Awaiting payment", "Paid"]);
        assert_eq!(english.heading[CLIENT].to_string(), "Client");
        assert_eq!(english.sums(), all.sums());
        app.finish_and_check().await;
    }

    async fn a_search_narrows_the_table_as_it_narrows_the_screen(app: TestApp) {
        let olena = app.notary("olena").await;
        let [_, second, _] = three_orders(&app, &olena).await;
        let today = app.clock().shows().to_string()[..10].to_owned();
        let of_today = format!("Archive-{today}.xlsx");
        for (body, payments) in [
            (json!({ "text": "гнатюк" }), 3),
            (json!({ "text": ZORIA.inn }), 1),
            (json!({ "text": format!("№{}", second["number"].as_str().unwrap()) }), 1),
            (json!({ "status": "paid" }), 2),
            (json!({ "text": "Петро", "status": "failed" }), 1),
            (json!({ "text": "нікого такого" }), 0),
            (json!({ "status": "refunded" }), 0),
            (json!({ "from": today }), 1),
        ] {
            let table = Table::of(&export(&olena, body.clone()).await, &of_today);
            assert_eq!(table.sums(), on_screen(&olena, &body).await, "{body}");
            assert_eq!(table.sums().0, payments, "{body}");
            if payments == 0 {
                assert_eq!(table.heading.len(), 28);
                assert_eq!(table.last[1][TOTAL], Data::Float(0.0));
            }
        }
        let period = json!({ "from": "2026-01-01", "to": "2026-12-31", "status": "paid" });
        let table = Table::of(&export(&olena, period.clone()).await, "Archive-2026-01-01-2026-12-31.xlsx");
        assert_eq!(table.sums(), on_screen(&olena, &period).await);
        // Paging does not limit the table.
        let before = json!({ "limit": 1, "before": second["id"] });
        assert_eq!(Table::of(&export(&olena, before).await, &of_today).sums().0, 4);
        app.finish_and_check().await;
    }

    async fn what_begins_like_a_formula_is_text(app: TestApp) {
        let olena = app.notary("olena").await;
        let names = ["=HYPERLINK(\"http://example.com\";\"тут\")", "+1 Коваль", "-2+3 Коваль", "@SUM(A1)", "0012 Коваль"];
        for (index, name) in names.into_iter().enumerate() {
            let form = olena.form(PaymentKind::RequisitesPayment).await;
            let code = format!("0012345{index}");
            let form = form.with("client.full_name", name).with("client.inn", code.as_str()).with("purpose", format!("={name} {code}"));
            let answer = olena.post("/cart/add", form.body).await;
            if answer.status != 200 {
                panic!("{name}: {}", answer.text());
            }
            olena.order_cart().await;
        }
        let answer = export(&olena, json!({ "from": "2026-01-01", "to": "2026-12-31" })).await;
        let table = Table::of(&answer, "Archive-2026-01-01-2026-12-31.xlsx");
        let mut shown = table.column(CLIENT);
        shown.reverse();
        assert_eq!(shown, names);
        assert!(table.rows.iter().all(|row| matches!(row[CLIENT], Data::String(_)) && matches!(row[PURPOSE], Data::String(_))));
        let mut codes = table.column(CODE);
        codes.sort();
        assert_eq!(codes, ["00123450", "00123451", "00123452", "00123453", "00123454"]);
        assert_eq!(table.formulas, 0);
    }

    async fn a_table_is_of_ones_own_orders(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        three_orders(&app, &olena).await;
        taras.log_in().await;
        taras.add(PaymentKind::RegistryPayment).await;
        let his = taras.order_cart().await;
        let name = format!("Archive-{}.xlsx", &app.clock().shows().to_string()[..10]);
        let table = Table::of(&export(&taras, json!({ "text": "Гнатюк" })).await, &name);
        assert_eq!(table.column(NUMBER), [his["number"].as_str().unwrap()]);
        app.finish_and_check().await;
    }

    async fn what_came_back_is_in_columns_and_totals_of_its_own(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let first = olena.order_cart().await;
        olena.pay(&first).await;
        let list = crate::transfers::list(&app).await;
        import(&app, &list, Some(TransferStatus::Sent)).await.unwrap();
        let ids = list.lines().skip(1).map(|row| row[1..37].to_owned());
        let answer = ids.zip([("credited", ""), ("returned", "Рахунок закрито")]).map(|(id, (status, reason))| format!("{id},{status},{reason}\n"));
        let answer = format!("transfer_id,status,reason\n{}", answer.collect::<String>());
        import(&app, &answer, None).await.unwrap();
        olena.add(PaymentKind::RegistryPayment).await;
        let second = olena.order_cart().await;
        let paid = olena.pay(&second).await;
        app.outside().refund(second["widget_url"].as_str().unwrap()).await;
        olena.until(&paid, "refunded").await;
        let name = format!("Archive-{}.xlsx", &app.clock().shows().to_string()[..10]);
        let table = Table::of(&export(&olena, json!({})).await, &name);
        assert_eq!(table.sums().0, 2);
        let [all, paid, _, refunded] = &table.last;
        assert_eq!([all, paid, refunded].map(|row| row[1].clone()), [2.0, 1.0, 1.0].map(Data::Float));
        assert_eq!((kopiykas(&paid[TOTAL]), kopiykas(&refunded[TOTAL])), (35_000, cabinet_test_kit::kopiykas(&second["sum"])));
        let returned = app.number("select sum(amount) from transfers where status = 'returned'".to_owned()).await;
        assert_eq!(kopiykas(&paid[RETURNED]), returned);
        assert!(returned == 13_200 || returned == 19_800);
        app.finish_and_check().await;
    }

    async fn what_codes_paid_stands_apart_from_what_cards_were_charged(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let by_card = olena.order_cart().await;
        olena.pay(&by_card).await;
        olena.add(PaymentKind::AdminPayment).await;
        let by_codes = olena.order_cart().await;
        let path = format!("/order/{}", by_codes["id"].as_str().unwrap());
        olena.post(&format!("{path}/codes"), json!({})).await.ok();
        olena.post(&format!("{path}/codes/paid"), json!({})).await.ok();
        let credited = "update order_items set credited_on = '2026-11-20', credited_reference = 'R' where payment_kind = 'admin_payment'";
        app.execute(credited.to_owned()).await;
        let name = format!("Archive-{}.xlsx", &app.clock().shows().to_string()[..10]);
        let table = Table::of(&export(&olena, json!({ "status": "paid" })).await, &name);
        assert_eq!(table.column(STATUS), [BY_CODES, "Сплачено"]);
        assert!(table.rows[0][CREDITED] != Data::Empty && table.rows[1][CREDITED] == Data::Empty);
        let row = &table.rows[0];
        assert_eq!([COMMISSION_TOTAL, TOTAL].map(|at| kopiykas(&row[at])), [0, 0], "no card was charged");
        let amount = cabinet_test_kit::kopiykas(&olena.order(&by_codes).await["codes_payment"]["amount"]);
        assert_eq!(kopiykas(&row[TO_RECIPIENT]) + kopiykas(&row[TO_NOTARY]), amount);
        assert_eq!(table.sums(), (2, cabinet_test_kit::kopiykas(&by_card["sum"])));
        app.finish_and_check().await;
    }

    async fn what_was_given_back_before_it_was_sent_stands_beside_its_payment(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let parts = crate::returns::transfers(&olena, &order).await;
        let fee = parts.iter().find(|part| part["amount"] == 132).unwrap();
        crate::returns::give_back(&app, &fee["document_number"]).await;
        let name = format!("Archive-{}.xlsx", &app.clock().shows().to_string()[..10]);
        let table = Table::of(&export(&olena, json!({})).await, &name);
        let given_back = |row: &Vec<Data>| (kopiykas(&row[GIVEN_BACK]), kopiykas(&row[RETURNED]));
        let mut rows: Vec<_> = table.rows.iter().map(given_back).collect();
        rows.sort();
        assert_eq!(rows, [(0, 0), (13_200, 0)]);
        let [_, paid, _, refunded] = &table.last;
        assert_eq!([paid, refunded].map(given_back), [(13_200, 0), (0, 0)]);
        // A refunded order says so itself.
        app.outside().refund(order["widget_url"].as_str().unwrap()).await;
        olena.until(&order, "refunded").await;
        let table = Table::of(&export(&olena, json!({})).await, &name);
        assert_eq!(table.rows.iter().map(given_back).collect::<Vec<_>>(), [(0, 0), (0, 0)]);
        app.finish_and_check().await;
    }

    async fn a_table_keeps_its_headings_in_sight_and_on_every_sheet_of_paper(app: TestApp) {
        let olena = app.notary("olena").await;
        three_orders(&app, &olena).await;
        let answer = export(&olena, json!({ "from": "2026-01-01", "to": "2026-12-31" })).await;
        let mut book = zip::ZipArchive::new(Cursor::new(&answer.body)).unwrap();
        let mut part = |name: &str| {
            let mut text = String::new();
            book.by_name(name).unwrap().read_to_string(&mut text).unwrap();
            text
        };
        let sheet = part("xl/worksheets/sheet1.xml");
        for layout in [
            r#"<pane xSplit="1" ySplit="1" topLeftCell="B2""#,
            r#"<autoFilter ref="A1:AB"#,
            r#"<pageSetup paperSize="9" fitToWidth="2" fitToHeight="0" orientation="landscape""#,
        ] {
            assert!(sheet.contains(layout), "{layout}");
        }
        let titles = "Платежі!$A:$A,Платежі!$1:$1</definedName>";
        assert!(part("xl/workbook.xml").contains(titles), "{titles}");
        // A long text wraps within its cell.
        assert!(part("xl/styles.xml").contains(r#"wrapText="1""#));
        app.finish_and_check().await;
    }

    async fn a_table_is_the_same_each_time(app: TestApp) {
        let olena = app.notary("olena").await;
        three_orders(&app, &olena).await;
        let body = json!({ "from": "2026-01-01", "to": "2026-12-31" });
        let first = export(&olena, body.clone()).await;
        app.clock().advance_seconds(5);
        assert!(export(&olena, body).await.body == first.body);
        app.finish_and_check().await;
    }

    async fn a_search_that_is_none_is_refused(app: TestApp) {
        let olena = app.notary("olena").await;
        for (body, field, key) in [
            (json!({ "status": "open" }), "status", "status_invalid"),
            (json!({ "status": 1 }), "status", "field_type_wrong"),
            (json!({ "from": "31.12.2025" }), "from", "date_invalid"),
            (json!({ "from": "2026-02-02", "to": "2026-02-01" }), "to", "period_invalid"),
            (json!({ "text": "я".repeat(200) }), "text", "text_too_long"),
            (json!({ "text": { "a": 1 } }), "text", "field_type_wrong"),
        ] {
            let answer = export(&olena, body.clone()).await;
            answer.refused(422, key);
            assert_eq!(answer.fields()[field], [key], "{body}");
            assert_eq!(olena.post("/order/search", body).await.text(), answer.text());
        }
        app.anonymous().post("/order/export", json!({})).await.refused(401, "unauthorized");
    }

    async fn more_than_a_table_takes_is_refused(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        insert_copies(&app, &order, 1..=19_999).await;
        let name = format!("Archive-{}.xlsx", &app.clock().shows().to_string()[..10]);
        let table = Table::of(&export(&olena, json!({})).await, &name);
        assert_eq!(table.sums(), (20_000, 20_000 * cabinet_test_kit::kopiykas(&order["sum"])));
        let mut numbers = table.column(NUMBER);
        numbers.dedup();
        assert_eq!(numbers.len(), 20_000);
        insert_copies(&app, &order, 20_000..=20_000).await;
        export(&olena, json!({})).await.refused(422, "export_too_large");
        Table::of(&export(&olena, json!({ "status": "paid" })).await, &name);
    }
}
