//! Reports of a notary and her books.

use std::io::Cursor;

use cabinet_app::Vat;
use cabinet_app::books::{Accountant, Daily, RefundKind};
use cabinet_app::operator::OperatorServices;
use cabinet_domain::{Balance, Month, TransferId, TransferStatus};
use cabinet_test_kit::{Answer, LedgerKind, PaymentKind, Person, TestApp, on_both_databases};
use calamine::{Data, DataType, Reader, Xlsx};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::deal_cart::{add, second_sale, whole_deal_of};
use crate::transfers::import;
use crate::two_charges::order_with_two_invoices;

const MARCH: &str = "from=2026-03-01&to=2026-03-31";

/// Marks all planned transfers as sent, and then as the bank's answer says: a status, a day and a reason for each, by amount.
async fn answer(app: &TestApp, answers: &[(&str, &str, &str)]) {
    let list = crate::transfers::list(app).await;
    import(app, &list, Some(TransferStatus::Sent))
        .await
        .unwrap();
    let mut text = "transfer_id,status,credited_on,returned_on,reason\n".to_owned();
    for (amount, status, day) in answers {
        let row = list
            .lines()
            .find(|row| row.contains(&format!("\"{amount}\"")))
            .unwrap_or_else(|| panic!("{amount} is not in {list}"));
        let id = &row[1..37];
        text.push_str(&match *status {
            "credited" => format!("{id},credited,{day},,\n"),
            _ => format!("{id},returned,,{day},Рахунок закрито\n"),
        });
    }
    import(app, &text, None).await.unwrap();
}

async fn report(person: &Person, query: &str) -> Value {
    person.get(&format!("/reports?{query}")).await.ok()
}

/// Reads a workbook with another library than the one that wrote it.
pub fn rows(answer: &Answer, name: &str) -> Vec<Vec<Data>> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(
        answer.header("content-disposition"),
        format!("attachment; filename=\"{name}\"")
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    let mut book = Xlsx::new(Cursor::new(&answer.body)).unwrap();
    let sheet = book.sheet_names()[0].clone();
    assert_eq!(
        book.worksheet_formula(&sheet).unwrap().used_cells().count(),
        0
    );
    let range = book.worksheet_range(&sheet).unwrap();
    range.rows().map(<[Data]>::to_vec).collect()
}

/// Returns the row whose first cell begins so.
#[track_caller]
fn row_of<'a>(rows: &'a [Vec<Data>], label: &str) -> &'a [Data] {
    let mut found = rows
        .iter()
        .filter(|row| row[0].as_string().is_some_and(|text| text == label));
    let row = found
        .next()
        .unwrap_or_else(|| panic!("no {label} in {rows:?}"));
    assert!(found.next().is_none(), "{label} twice");
    row
}

async fn pay(person: &Person, kinds: &[PaymentKind]) -> Value {
    for kind in kinds {
        person.add(*kind).await;
    }
    let order = person.order_cart().await;
    person.pay(&order).await
}

/// Returns the operator's reports on the database of the cabinet.
fn accountant(app: &TestApp) -> Accountant {
    OperatorServices {
        recorder: app.recorder(),
        ..app.services().operator
    }
    .accountant(Vat::Without)
}

/// Has the bank return a transfer of an amount, and the money given back to the card.
async fn give_part_back(app: &TestApp, person: &Person, page: &str, amount: &str, kopiykas: i64) {
    let find = list_row(app, amount).await;
    answer(app, &[(amount, "returned", "2026-03-06")]).await;
    let path = format!("/order/transfer/{find}/refund");
    person.post(&path, json!({})).await.ok();
    crate::paid_out::give_part_back(app, page, kopiykas).await;
    let id = TransferId::parse(&find).unwrap();
    let refunds = app.services().operator.card_refunds();
    let now = app.services().now();
    refunds.mark(id, "операція 77", now).await.unwrap();
}

/// Returns the id of the planned transfer of an amount.
async fn list_row(app: &TestApp, amount: &str) -> String {
    let list = crate::transfers::list(app).await;
    let quoted = format!("\"{amount}\"");
    let row = list.lines().find(|row| row.contains(&quoted));
    row.unwrap_or_else(|| panic!("{amount} is not in {list}"))[1..37].to_owned()
}

/// Goes to a moment and compares with the acquirer's statement of the days before.
async fn hear_at(app: &TestApp, moment: &str) {
    app.clock().set(moment);
    let services = app.services();
    let since = services.now() - SignedDuration::from_hours(24);
    services.reconciliation.compare_since(since).await.unwrap();
}

fn uah(kopiykas: i64) -> Balance {
    Balance::from_kopiykas(kopiykas)
}

on_both_databases! {
    async fn a_part_given_back_stays_in_the_day_of_its_charge_and_is_given_back_on_its_own_day(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        let paid = olena.pay(&order).await;
        app.clock().set("2026-04-02T12:00:00Z");
        olena.log_in().await;
        give_part_back(&app, &olena, &page, "132.00", 13_200).await;
        let (charged_on, given_on) = ("2026-03-02".parse().unwrap(), "2026-04-02".parse().unwrap());
        let (march, april) = (Month::parse("2026-03").unwrap(), Month::parse("2026-04").unwrap());
        let now = app.services().now();
        let reports = accountant(&app);
        let check_charge = async || {
            let day = reports.daily(charged_on, now).await.unwrap();
            assert!(day.adds_up() && day.given_back.is_empty());
            assert_eq!((day.charged, day.transfers, day.commissions), (uah(35_000), uah(33_000), uah(2_000)));
            let act = &reports.acts(march, now).await.unwrap()[0];
            assert_eq!((act.payments, act.charged, act.given_back), (1, uah(2_000), uah(0)));
        };
        check_charge().await;
        let day = reports.daily(given_on, now).await.unwrap();
        assert_eq!((day.rows.len(), day.refunded(), day.given_back[0].commission), (0, uah(13_200), uah(0)));
        assert!(matches!(&day.given_back[0].kind, RefundKind::Part { documents, unmarked, .. } if documents.len() == 1 && *unmarked == uah(0)));
        assert!(reports.acts(april, now).await.unwrap().is_empty(), "the commission of a part stays charged");

        // Then the rest of the order is given back, with the commission.
        app.clock().set("2026-04-03T12:00:00Z");
        olena.log_in().await;
        app.outside().refund(&page).await;
        olena.until(&paid, "refunded").await;
        check_charge().await;
        let day = reports.daily("2026-04-03".parse().unwrap(), now).await.unwrap();
        let rest = &day.given_back[0];
        assert_eq!((&rest.kind, rest.amount, rest.commission), (&RefundKind::Order, uah(21_800), uah(2_000)));
        assert_eq!((day.given_back.len(), day.refunded()), (1, uah(21_800)));
        assert_eq!(reports.daily(given_on, now).await.unwrap().refunded(), uah(13_200));
        let act = &reports.acts(april, now).await.unwrap()[0];
        assert_eq!((act.payments, act.charged, act.given_back, act.commission()), (0, uah(0), uah(2_000), uah(-2_000)));
        app.finish_and_check().await;
    }

    async fn charges_and_refunds_of_one_order_stand_on_their_own_days(app: TestApp) {
        let olena = app.notary("olena").await;
        app.clock().set("2026-03-31T12:00:00Z");
        olena.log_in().await;
        let (order, old, fresh) = order_with_two_invoices(&app, &olena).await;
        let sum = app.number("select sum from orders".to_owned()).await;
        let commission = app.number("select sum(count * commission) from order_items".to_owned()).await;
        let reports = accountant(&app);
        let day = async |day: &str| -> Daily { reports.daily(day.parse().unwrap(), app.services().now()).await.unwrap() };
        let act = async |month: &str| {
            let acts = reports.acts(Month::parse(month).unwrap(), app.services().now()).await.unwrap();
            acts.iter().map(|act| (act.payments, act.charged, act.given_back)).collect::<Vec<_>>()
        };
        let of_march = async || {
            let last = day("2026-03-31").await;
            assert!(last.adds_up() && last.rows[0].adds_up == Some(true) && last.given_back.is_empty());
            assert_eq!((last.charged, last.transfers, last.commissions), (uah(sum), uah(sum - commission), uah(commission)));
            assert_eq!(act("2026-03").await, [(1, uah(commission), uah(0))]);
        };
        assert_eq!(app.outside().pay(&old, "4242424242424242").await, "success");
        hear_at(&app, "2026-03-31T12:05:00Z").await;
        of_march().await;

        // The other page is paid in April.
        app.clock().set("2026-04-01T08:00:00Z");
        assert_eq!(app.outside().pay(&fresh, "4242424242424242").await, "success");
        hear_at(&app, "2026-04-01T08:05:00Z").await;
        of_march().await;
        let first = day("2026-04-01").await;
        assert_eq!((first.charged, first.transfers, first.commissions, first.duplicates), (uah(sum), uah(0), uah(0), uah(sum)));
        assert_eq!(act("2026-04").await, []);

        // The charge of March is given back: the order now names the one of April, and no statement changes.
        app.clock().set("2026-04-02T08:00:00Z");
        app.outside().refund(&old).await;
        hear_at(&app, "2026-04-02T08:05:00Z").await;
        app.services().reconciliation.compare_since("2026-03-31T00:00:00Z".parse().unwrap()).await.unwrap();
        olena.log_in().await;
        assert!(olena.order(&order).await["paid_at"].as_str().unwrap().starts_with("2026-04-01T"));
        of_march().await;
        assert_eq!(day("2026-04-01").await.duplicates, uah(sum));
        let second = day("2026-04-02").await;
        let given = &second.given_back[0];
        assert_eq!((&given.kind, given.amount, given.commission), (&RefundKind::Duplicate, uah(sum), uah(0)));
        assert_eq!((second.given_back.len(), second.left()), (1, uah(-sum)));
        assert_eq!(act("2026-04").await, []);

        // A part goes back that belongs to no transfer, and on another day the rest.
        app.clock().set("2026-04-03T08:00:00Z");
        app.outside().refund_part(&fresh, 100).await;
        hear_at(&app, "2026-04-03T08:05:00Z").await;
        app.services().reconciliation.compare_since("2026-03-31T00:00:00Z".parse().unwrap()).await.unwrap();
        app.clock().set("2026-04-04T08:00:00Z");
        app.outside().refund(&fresh).await;
        hear_at(&app, "2026-04-04T08:05:00Z").await;
        app.services().reconciliation.compare_since("2026-03-31T00:00:00Z".parse().unwrap()).await.unwrap();
        let third = day("2026-04-03").await;
        let unmarked = RefundKind::Part { documents: Vec::new(), called_off: Vec::new(), unmarked: uah(100) };
        assert_eq!((&third.given_back[0].kind, third.refunded()), (&unmarked, uah(100)));
        let fourth = day("2026-04-04").await;
        let given = &fourth.given_back[0];
        assert_eq!((&given.kind, given.amount, given.commission), (&RefundKind::Order, uah(sum - 100), uah(commission)));
        of_march().await;
        assert_eq!(act("2026-04").await, [(0, uah(0), uah(commission))]);

        // The days add up to what the acquirer has, and their commissions to the acts.
        let (mut left, mut commissions) = (uah(0), uah(0));
        for one in ["2026-03-30", "2026-03-31", "2026-04-01", "2026-04-02", "2026-04-03", "2026-04-04", "2026-04-05"] {
            let told = day(one).await;
            assert_eq!(told.charged, told.transfers + told.commissions + told.duplicates);
            left += told.left();
            commissions += told.commissions - told.given_back.iter().map(|given| given.commission).sum();
        }
        let ledger = app.outside().ledger();
        let held: i64 = ledger.iter().map(|line| match line.kind {
            LedgerKind::Charge => line.amount,
            LedgerKind::Refund => -line.amount,
        }).sum();
        assert_eq!((ledger.len(), left), (5, uah(held)));
        assert_eq!(commissions, uah(0));
        app.skip_final_check();
    }

    async fn a_part_given_back_is_neither_a_tax_nor_income(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(PaymentKind::RequisitesPayment).await;
        let tax = form.with("cbc_code", "11010500");
        olena.add_payment(&tax).await;
        let form = olena.form(PaymentKind::RequisitesPayment).await;
        let levy = form.without("sum").with("amount", 1_000).with("cbc_code", "11011700");
        olena.add_payment(&levy).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        olena.pay(&order).await;
        app.clock().set("2026-03-06T12:00:00Z");
        olena.log_in().await;
        give_part_back(&app, &olena, &page, "1250.50", 125_050).await;
        let table = rows(&olena.get("/reports/tax-quarter?quarter=2026-Q1").await, "Taxes-2026-Q1.xlsx");
        let found: Vec<_> = table.iter().filter(|row| matches!(row[7], Data::Float(_))).collect();
        assert_eq!(found.len(), 1, "{table:?}");
        assert_eq!((&found[0][3], &found[0][4]), (&Data::Empty, &Data::Float(1000.0)));
        assert_eq!(found[0][9].to_string(), "до звіту");
        assert_eq!(row_of(&table, "Разом податків")[3], Data::Float(0.0));

        // The notary's own share never arrived: it is no income.
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        olena.pay(&order).await;
        give_part_back(&app, &olena, &page, "198.00", 19_800).await;
        let year = "/reports/income-book?from=2026-01-01&to=2026-12-31";
        let table = rows(&olena.get(year).await, "Income-2026-01-01-2026-12-31.xlsx");
        assert_eq!(row_of(&table, "Разом за період")[1], Data::Float(0.0));
        app.finish_and_check().await;
    }

    async fn a_commission_counts_once_however_often_its_part_moves(app: TestApp) {
        let olena = app.notary("olena").await;
        pay(&olena, &[PaymentKind::AdminPayment]).await;
        app.clock().set("2026-03-06T12:00:00Z");
        olena.log_in().await;
        let id = list_row(&app, "198.00").await;
        answer(&app, &[("198.00", "credited", "2026-03-03"), ("132.00", "credited", "2026-03-03")]).await;
        let of_march = async || report(&olena, &format!("{MARCH}&by=crediting")).await["total"].clone();
        let both = of_march().await;
        assert_eq!((&both["count"], &both["amount"], &both["commission"]), (&json!(2), &json!(330), &json!(20)));

        // The notary's part comes back, is sent again and is credited a second time.
        let back = format!("transfer_id,status,returned_on,reason\n{id},returned,2026-03-04,Рахунок закрито\n");
        import(&app, &back, None).await.unwrap();
        let order = olena.get("/order").await.ok()["orders"][0].clone();
        let all = crate::returns::transfers(&olena, &order).await;
        let part = all.iter().find(|one| one["id"] == json!(id)).unwrap();
        let again = json!({
            "iban": part["iban"], "okpo": part["okpo"], "recipient_name": part["recipient_name"], "purpose": part["purpose"],
        });
        olena.post(&format!("/order/transfer/{id}/resend"), again).await.ok();
        answer(&app, &[("198.00", "credited", "2026-03-06")]).await;
        let moved = of_march().await;
        assert_eq!((&moved["count"], &moved["amount"], &moved["commission"]), (&json!(3), &json!(528), &json!(20)), "{moved}");
        let paid = report(&olena, MARCH).await["total"].clone();
        assert_eq!((&paid["amount"], &paid["commission"], &paid["own_credited"]), (&json!(330), &json!(20), &json!(198)));
        let book = olena.get("/reports/income-book?from=2026-03-01&to=2026-03-31").await;
        let table = rows(&book, "Income-2026-03-01-2026-03-31.xlsx");
        assert_eq!(row_of(&table, "Разом за період")[5], Data::Float(10.0));
        app.finish_and_check().await;
    }

    async fn a_report_adds_up_what_was_paid_and_where_the_share_stands(app: TestApp) {
        let olena = app.notary("olena").await;
        pay(&olena, &[PaymentKind::AdminPayment, PaymentKind::RegistryPayment]).await;
        let found = report(&olena, MARCH).await;
        let total = &found["total"];
        assert_eq!((&total["count"], &total["own_planned"], &total["own_credited"]), (&json!(2), &json!(198), &json!(0)), "{found}");
        let charged = app.number("select sum(sum) from orders where status = 'paid'".to_owned()).await;
        assert_eq!(cabinet_test_kit::kopiykas(&total["total"]), charged);
        assert_eq!(found["kinds"][0]["payment_type"], "admin_payment");
        assert_eq!((&found["kinds"][0]["figures"]["amount"], &found["kinds"][0]["figures"]["commission"]), (&json!(330), &json!(20)));
        assert_eq!(found["months"], json!([{ "month": "2026-03", "figures": total }]));

        // By the day of crediting there is nothing yet; then it stands on the bank's days.
        assert_eq!(report(&olena, &format!("{MARCH}&by=crediting")).await["total"]["count"], 0);
        app.clock().set("2026-04-01T12:00:00Z");
        olena.log_in().await;
        answer(&app, &[("198.00", "credited", "2026-03-03"), ("132.00", "returned", "2026-04-01")]).await;
        let by_payment = report(&olena, MARCH).await;
        assert_eq!(by_payment["total"]["own_credited"], 198);
        assert_eq!((&by_payment["total"]["own_planned"], &by_payment["total"]["returned"]), (&json!(0), &json!(132)));
        let march = report(&olena, &format!("{MARCH}&by=crediting")).await;
        assert_eq!((&march["total"]["count"], &march["total"]["amount"], &march["total"]["commission"]), (&json!(1), &json!(198), &json!(10)));
        assert_eq!(march["total"]["returned"], 0);
        let both = report(&olena, "from=2026-03-01&to=2026-04-30&by=crediting").await;
        assert_eq!((&both["total"]["returned"], &both["total"]["own_returned"]), (&json!(132), &json!(0)));
        assert_eq!(both["months"][1]["figures"]["returned"], 132);

        // Another notary sees nothing of it, and a stranger no report.
        let taras = app.notary("taras").await;
        assert_eq!(report(&taras, MARCH).await["total"]["count"], 0);
        app.anonymous().get(&format!("/reports?{MARCH}")).await.refused(401, "unauthorized");
        app.finish_and_check().await;
    }

    async fn what_was_given_back_to_the_card_is_a_sum_of_its_own(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let paid = olena.pay(&order).await;
        app.outside().refund(order["widget_url"].as_str().unwrap()).await;
        olena.until(&paid, "refunded").await;
        let found = report(&olena, MARCH).await;
        assert_eq!((&found["total"]["count"], &found["total"]["total"], &found["total"]["own_planned"]), (&json!(0), &json!(0), &json!(0)));
        assert_eq!((&found["total"]["refunded_count"], &found["total"]["refunded"]), (&json!(1), &json!(350)));
        app.finish_and_check().await;
    }

    async fn a_payment_just_after_midnight_in_kyiv_is_of_the_new_day(app: TestApp) {
        let olena = app.notary("olena").await;
        // The clocks go forward on 29 March 2026: before it a day begins at 22:00 UTC, after it at 21:00.
        for (moment, day, day_before) in [
            ("2026-03-28T22:05:00Z", "2026-03-29", "2026-03-28"),
            ("2026-03-29T21:05:00Z", "2026-03-30", "2026-03-29"),
        ] {
            let before = report(&olena, &format!("from={day_before}&to={day_before}")).await;
            app.clock().set(moment);
            olena.log_in().await;
            pay(&olena, &[PaymentKind::RegistryPayment]).await;
            assert_eq!(report(&olena, &format!("from={day}&to={day}")).await["total"]["count"], 1, "{day}");
            assert_eq!(report(&olena, &format!("from={day_before}&to={day_before}")).await["total"], before["total"]);
        }
        app.finish_and_check().await;
    }

    async fn a_period_that_is_none_is_refused(app: TestApp) {
        let olena = app.notary("olena").await;
        for (query, field, key) in [
            ("to=2026-03-31", "from", "field_required"),
            ("from=2026-03-01&to=31.03.2026", "to", "date_invalid"),
            ("from=2026-03-02&to=2026-03-01", "to", "period_invalid"),
            ("from=2020-03-02&to=2026-03-01", "to", "period_too_long"),
            ("from=2026-03-01&to=2026-03-31&by=order", "by", "field_type_wrong"),
        ] {
            for call in ["/reports", "/reports/income-book"] {
                let refused = olena.get(&format!("{call}?{query}")).await;
                refused.refused(422, key);
                assert_eq!(refused.fields()[field], [key], "{query}");
            }
        }
        for quarter in ["", "2026-Q5", "2026-1"] {
            let refused = olena.get(&format!("/reports/tax-quarter?quarter={quarter}")).await;
            refused.refused(422, "date_invalid");
        }
    }

    async fn the_income_book_has_the_share_on_the_days_of_the_bank(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = pay(&olena, &[PaymentKind::AdminPayment]).await;
        app.clock().set("2026-04-02T12:00:00Z");
        olena.log_in().await;
        answer(&app, &[("198.00", "credited", "2026-03-31"), ("132.00", "credited", "2026-03-31")]).await;
        let id = "select count(*) from transfers where role = 'notary' and status = 'credited'";
        assert_eq!(app.number(id.to_owned()).await, 1);
        let year = "/reports/income-book?from=2026-01-01&to=2026-12-31";
        let name = "Income-2026-01-01-2026-12-31.xlsx";
        let book = olena.get(year).await;
        let table = rows(&book, name);
        assert_eq!(table[0][1], Data::String("2. Сума доходу, грн".to_owned()));
        let entry = &table[1];
        assert_eq!((&entry[1], &entry[2], &entry[3], &entry[5]), (&Data::Float(198.0), &Data::Empty, &Data::Float(198.0), &Data::Float(10.0)));
        assert_eq!(entry[4].to_string(), format!("Квитанція про комісію, замовлення №\u{a0}{}", order["number"].as_str().unwrap()));
        assert_eq!(entry[9].to_string(), order["number"].as_str().unwrap());
        for label in ["Разом за 03.2026", "Разом за I квартал 2026 року", "Разом за 2026 рік", "Разом за період"] {
            assert_eq!(row_of(&table, label)[3], Data::Float(198.0), "{label}");
        }
        // Then the bank sends it back, in the next quarter.
        let returned = "update transfers set status = 'returned', reason = 'Рахунок закрито', returned_on = '2026-04-02' where role = 'notary'";
        app.execute(returned.to_owned()).await;
        let table = rows(&olena.get(year).await, name);
        let second = row_of(&table, "Разом за 04.2026");
        assert_eq!((&second[1], &second[2], &second[3]), (&Data::Float(0.0), &Data::Float(198.0), &Data::Float(-198.0)));
        assert_eq!(row_of(&table, "Разом за I квартал 2026 року")[3], Data::Float(198.0));
        assert_eq!(row_of(&table, "Разом за період")[3], Data::Float(0.0));
        // The same rows give the same bytes, and in English the same sums.
        assert!(olena.get(year).await.body == olena.get(year).await.body);
        let english = olena.call(axum::http::Method::GET, year).header("accept-language", "en").send().await;
        let english = rows(&english, name);
        for label in ["Total for 04.2026", "Total for Q2 2026", "Total for 2026", "Total for the period"] {
            row_of(&english, label);
        }
        assert_eq!(row_of(&english, "Total for the period")[3], Data::Float(0.0));
        let exported = "select count(*) from audit_events where action = 'orders_exported' and changes like '%income_book%'";
        assert_eq!(app.number(exported.to_owned()).await, 5);
        app.finish_and_check().await;
    }

    async fn the_deals_of_a_month_are_its_rows(app: TestApp) {
        app.clock().set("2026-06-01T09:00:00Z");
        let olena = app.notary("olena").await;
        let mut sold = Vec::new();
        for number in 0..13_i32 {
            if number == 12 {
                app.clock().set("2026-07-01T09:00:00Z");
                olena.log_in().await;
            }
            let (inn, name) = (format!("30000000{number:02}"), format!("Продавець {}", ["Перший", "Другий", "Третій"][usize::try_from(number % 3).unwrap()]));
            let mut deal = second_sale();
            let price = 10_000 + 100 * number;
            // Every second one has a larger valuation.
            let valuation = price + 50 * (number % 2);
            deal["price"] = json!(price);
            deal["valuation"] = json!(valuation);
            // No tax is owed of three, and of one more the seller pays nothing here.
            if (7..11).contains(&number) {
                deal["answers"]["real-estate-sale"] = json!("real-estate-sale-first");
            }
            let mut deal = whole_deal_of(&olena, deal, json!({ "inn": inn, "full_name": name })).await;
            let left_out: &[&str] = match number {
                10 => &["register-information"],
                11 => &["income-tax", "military-levy"],
                _ => &[],
            };
            for line in left_out {
                deal["lines"][*line] = json!({ "action": "leave_out", "reason": "Сплачено раніше" });
            }
            add(&olena, &olena.fresh_key(), &deal).await.ok();
            let payer = if number == 10 { deal["parties"]["buyer"]["inn"].as_str().unwrap() } else { &inn };
            let order = crate::deals_kept::order_of(&olena, payer).await;
            let order = olena.pay(&order).await;
            sold.push((inn, valuation, order));
        }
        let table = rows(&olena.get("/reports/tax-quarter?month=2026-06").await, "Taxes-2026-06.xlsx");
        let found: Vec<_> = table.iter().filter(|row| matches!(row[7], Data::Float(_))).collect();
        assert_eq!(found.len(), 12, "{table:?}");
        let kopiykas = |cell: &Data| cabinet_test_kit::kopiykas(&json!(cell.as_f64().unwrap()));
        let mut paid = 0;
        for (number, (row, (inn, price, order))) in found.iter().zip(&sold).enumerate() {
            assert_eq!(row[7].as_string().unwrap(), order["number"].as_str().unwrap());
            assert_eq!(row[2], Data::Float(f64::from(*price)), "{number}");
            assert!(row[11].to_string().starts_with("Купівля-продаж житлового будинку"), "{row:?}");
            assert_eq!(row[12].to_string(), "104");
            let (code, mark) = match number {
                10 => (String::new(), "до звіту, податку немає: впишіть, чий це дохід"),
                7..=9 => (inn.clone(), "до звіту, податку немає"),
                11 => (inn.clone(), "податок у кабінеті не сплачено: перевірте"),
                _ => (inn.clone(), "до звіту"),
            };
            assert_eq!((row[0].to_string(), row[9].to_string()), (code, mark.to_owned()), "{number}");
            if number < 7 {
                // 5 % of a price in hryvnias.
                let tax = i64::from(*price) * 5;
                assert_eq!((kopiykas(&row[3]), kopiykas(&row[4])), (tax, tax));
                paid += tax;
            } else {
                assert_eq!((&row[3], &row[4], &row[6]), (&Data::Empty, &Data::Empty, &found[0][6]));
            }
        }
        // The totals are what was paid to the two templates.
        let total = row_of(&table, "Разом податків");
        assert_eq!((kopiykas(&total[3]), kopiykas(&total[4])), (paid, paid));
        let sums = "select cast(sum(i.amount) as bigint) from order_items i join orders o on o.id = i.order_id
            where i.payment_kind = 'requisites_payment' and o.number <= (select min(number) + 11 from orders)";
        assert_eq!(app.number(sums.to_owned()).await, paid * 2);
        // The quarter is its three months, and July is another one.
        let quarter = rows(&olena.get("/reports/tax-quarter?quarter=2026-Q2").await, "Taxes-2026-Q2.xlsx");
        assert_eq!(quarter[..table.len()], table[..]);
        let july = rows(&olena.get("/reports/tax-quarter?month=2026-07").await, "Taxes-2026-07.xlsx");
        assert_eq!(july.iter().filter(|row| matches!(row[7], Data::Float(_))).count(), 1);
        // Another notary has none of them.
        let taras = app.notary("taras").await;
        let none = rows(&taras.get("/reports/tax-quarter?month=2026-06").await, "Taxes-2026-06.xlsx");
        assert!(!none.iter().any(|row| matches!(row[7], Data::Float(_))));
        for wrong in ["month=", "month=2026-13", "month=2026-6", ""] {
            olena.get(&format!("/reports/tax-quarter?{wrong}")).await.refused(422, "date_invalid");
        }
        app.finish_and_check().await;
    }

    async fn a_tax_that_was_given_back_is_a_deal_without_a_tax(app: TestApp) {
        app.clock().set("2026-06-01T09:00:00Z");
        let olena = app.notary("olena").await;
        let mut deal = second_sale();
        deal["price"] = json!(20_000);
        deal["valuation"] = json!(20_000);
        let deal = whole_deal_of(&olena, deal, json!({ "inn": "3000000001", "full_name": "Продавець Перший" })).await;
        add(&olena, &olena.fresh_key(), &deal).await.ok();
        let order = crate::deals_kept::order_of(&olena, "3000000001").await;
        olena.pay(&order).await;
        let rows_of_june = async || {
            let table = rows(&olena.get("/reports/tax-quarter?month=2026-06").await, "Taxes-2026-06.xlsx");
            let found = table.into_iter().filter(|row| matches!(row[7], Data::Float(_)));
            found.map(|row| (row[2].clone(), row[3].clone(), row[9].to_string())).collect::<Vec<_>>()
        };
        assert_eq!(rows_of_june().await, [(Data::Float(20_000.0), Data::Float(1_000.0), "до звіту".to_owned())]);
        app.execute("update transfers set given_back_at = updated_at where amount = 100000".to_owned()).await;
        assert_eq!(rows_of_june().await, [(Data::Float(20_000.0), Data::Empty, "податок у кабінеті не сплачено: перевірте".to_owned())]);
        app.skip_final_check();
    }

    async fn the_taxes_of_a_quarter_are_told_by_the_budget_code(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(PaymentKind::RequisitesPayment).await;
        olena.add_payment(&form.with("cbc_code", "11010500")).await;
        let form = olena.form(PaymentKind::RequisitesPayment).await;
        olena.add_payment(&form.with("cbc_code", "11011700")).await;
        let taxed = olena.order_cart().await;
        let taxed = olena.pay(&taxed).await;
        let form = olena.form(PaymentKind::RequisitesPayment).await;
        olena.add_payment(&form.without("cbc_code")).await;
        let other = olena.order_cart().await;
        olena.pay(&other).await;
        pay(&olena, &[PaymentKind::RegistryPayment]).await;
        let table = rows(&olena.get("/reports/tax-quarter?quarter=2026-Q1").await, "Taxes-2026-Q1.xlsx");
        let by_number = |order: &Value| {
            let number = order["number"].as_str().unwrap();
            table.iter().find(|row| row[7].as_string().is_some_and(|text| text == number)).unwrap()
        };
        let row = by_number(&taxed);
        let tax = Data::Float(taxed["items"][0]["sum_base"].as_f64().unwrap());
        assert_eq!((&row[3], &row[4], &row[5]), (&tax, &tax, &Data::Empty));
        assert_eq!(row[9].to_string(), "до звіту");
        let row = by_number(&other);
        assert_eq!((&row[3], &row[4]), (&Data::Empty, &Data::Empty));
        assert!(matches!(row[5], Data::Float(_)) && row[9].to_string().contains("перевірте"));
        assert_eq!(table.iter().filter(|row| matches!(row[7], Data::Float(_))).count(), 2, "no register fee");
        assert_eq!(row_of(&table, "Разом податків")[3], tax);
        app.finish_and_check().await;
    }
}
