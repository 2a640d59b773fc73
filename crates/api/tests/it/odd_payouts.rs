//! Payments that are easily taken for each other, and statements as operators have them: two orders alike, of several units, a statement in
//! Windows-1251 that is imported again and in another form, and a share that comes back after it was credited.

use cabinet_app::Vat;
use cabinet_app::books::RefundKind;
use cabinet_app::operator::OperatorServices;
use cabinet_app::transfer::{Format, Imported, ListStatus};
use cabinet_bank_files::Encoding;
use cabinet_domain::{Balance, TransferId, TransferStatus, kyiv_date};
use cabinet_test_kit::{LedgerKind, PaymentKind, Person, TestApp, kopiykas, on_both_databases};
use encoding_rs::WINDOWS_1251;
use serde_json::{Value, json};

use crate::paid_out::{give_part_back, payer, set_count};
use crate::transfers::receipt;

/// Units of each fee.
const UNITS: i64 = 3;
/// The notary's 60 % of one fee, the other 40 %, and the commission.
const SHARE: i64 = 19_800;
const REST: i64 = 13_200;
const COMMISSION: i64 = 2_000;

/// Imports a file of the bank twice. The second time nothing is new.
async fn take(app: &TestApp, file: &[u8], status: Option<TransferStatus>) -> Imported {
    let transfers = app.services().transfers;
    let now = app.services().now();
    let status = status.map(|status| ListStatus {
        status,
        payer: payer(app),
    });
    let taken = transfers
        .import_file(file, status.clone(), None, now)
        .await
        .unwrap();
    let again = transfers
        .import_file(file, status, None, now)
        .await
        .unwrap();
    assert_eq!(again.imported.changed, 0, "after {taken:?}");
    taken.imported
}

/// The statement of today as a table in Windows-1251.
async fn table_of_today(app: &TestApp) -> Vec<u8> {
    let today = kyiv_date(app.clock().shows());
    let path = format!("statements/{today}/privat24.csv");
    let table = app.outside().bank_download(&path).await;
    let text = String::from_utf8(table).unwrap();
    let (bytes, _, has_others) = WINDOWS_1251.encode(&text);
    assert!(
        !has_others && std::str::from_utf8(&bytes).is_err(),
        "{text}"
    );
    bytes.into_owned()
}

async fn fees_of_three(olena: &Person) -> Value {
    let item = olena.add(PaymentKind::AdminPayment).await;
    set_count(olena, &item, UNITS).await;
    let order = olena.order_cart().await;
    olena.pay(&order).await;
    order
}

async fn part_of(olena: &Person, order: &Value, role: &str) -> Value {
    let path = format!("/order/{}/transfers", order["id"].as_str().unwrap());
    let answer = olena.get(&path).await.ok();
    let parts = answer["transfers"].as_array().unwrap();
    parts
        .iter()
        .find(|part| part["role"] == role)
        .unwrap()
        .clone()
}

/// What a report says of all, of the notary's share that was credited, and that came back.
async fn told(olena: &Person, by: &str) -> [i64; 4] {
    let path = format!("/reports?from=2026-01-01&to=2026-12-31&by={by}");
    let total = olena.get(&path).await.ok()["total"].clone();
    ["total", "own_credited", "own_returned", "refunded"].map(|field| kopiykas(&total[field]))
}

on_both_databases! {
    async fn of_two_orders_alike_one_share_comes_back_after_it_was_credited(app: TestApp) {
        let olena = app.notary("olena").await;
        let (first, second) = (fees_of_three(&olena).await, fees_of_three(&olena).await);
        let charged = 2 * UNITS * (SHARE + REST + COMMISSION);
        let transfers = app.services().transfers;
        let format = Format::Privat24(Encoding::Cp1251);
        let list = transfers.export(format, &payer(&app), app.clock().shows()).await.unwrap();
        assert_eq!(list.transfers, 4);
        assert_eq!(take(&app, &list.file, Some(TransferStatus::Sent)).await.changed, 4);
        let answer = app.outside().give_to_bank(list.file).await;
        assert!(answer["instructions"].as_array().unwrap().iter().all(|told| told["result"] == "taken"), "{answer}");
        let share = part_of(&olena, &second, "notary").await;
        assert_eq!(kopiykas(&share["amount"]), UNITS * SHARE);
        let ruling = json!({ "return": { "code": "AC04", "text": "Рахунок закрито", "days_after_credit": 1 } });
        app.outside().rule_bank(&share["document_number"].to_string(), &ruling).await;

        app.outside().let_bank_day_pass().await;
        let day = kyiv_date(app.clock().shows());
        let report = app.outside().bank_download(&format!("files/{}/pain.002.xml", answer["id"])).await;
        assert_eq!(take(&app, &report, None).await.changed, 4);
        assert_eq!(take(&app, &table_of_today(&app).await, None).await.changed, 4, "the bank's references");
        // The same day in another form tells the references of the bookings, and in a third one nothing new.
        for (path, changed) in [(format!("statements/{day}/camt.053.xml"), 4), (format!("statements/{day}/camt.054.xml"), 0)] {
            let file = app.outside().bank_download(&path).await;
            assert_eq!(take(&app, &file, None).await.changed, changed, "{path}");
        }
        let own = 2 * UNITS * SHARE;
        assert_eq!(told(&olena, "payment").await, [charged, own, 0, 0]);
        assert_eq!(told(&olena, "crediting").await, [charged, own, 0, 0]);

        app.clock().advance_seconds(24 * 3600);
        olena.log_in().await;
        app.outside().let_bank_day_pass().await;
        assert_eq!(take(&app, &table_of_today(&app).await, None).await.changed, 1, "only that of the second order");
        for (order, status) in [(&first, "credited"), (&second, "returned")] {
            assert_eq!(part_of(&olena, order, "notary").await["status"], status);
            assert_eq!(part_of(&olena, order, "recipient").await["status"], "credited");
            let paper = receipt(&olena, order).await;
            assert_eq!(paper.contains("анк отримувача повернув сервісу 594,00"), status == "returned", "{paper}");
        }
        let back = UNITS * SHARE;
        assert_eq!(told(&olena, "payment").await, [charged, own - back, back, 0]);
        assert_eq!(told(&olena, "crediting").await, [charged, own, back, 0]);

        // The share goes back to the card: one of the two parts, of all units, and no commission.
        let id = share["id"].as_str().unwrap();
        olena.post(&format!("/order/transfer/{id}/refund"), json!({})).await.ok();
        give_part_back(&app, second["widget_url"].as_str().unwrap(), back).await;
        let now = app.services().now();
        let refunds = app.services().operator.card_refunds();
        refunds.mark(TransferId::parse(id).unwrap(), "операція 77", now).await.unwrap();
        assert_eq!(told(&olena, "payment").await, [charged - back, own - back, 0, back]);
        assert_eq!(told(&olena, "crediting").await, [charged, own, back, 0], "what a bank moved stays moved");

        let accountant = OperatorServices { recorder: app.recorder(), ..app.services().operator }.accountant(Vat::Without);
        let uah = Balance::from_kopiykas;
        let of_charge = accountant.daily(day, now).await.unwrap();
        assert!(of_charge.adds_up());
        assert_eq!((of_charge.charged, of_charge.commissions, of_charge.refunded()), (uah(charged), uah(2 * UNITS * COMMISSION), uah(0)));
        let of_refund = accountant.daily(day.tomorrow().unwrap(), now).await.unwrap();
        let [given] = &of_refund.given_back[..] else { panic!("one part was given back") };
        assert!(matches!(&given.kind, RefundKind::Part { documents, unmarked, .. } if documents.len() == 1 && *unmarked == uah(0)));
        let held: i64 = app.outside().ledger().iter().map(|line| match line.kind {
            LedgerKind::Charge => line.amount,
            LedgerKind::Refund => -line.amount,
        }).sum();
        assert_eq!(of_charge.left() + of_refund.left(), uah(held));
        assert_eq!(held, charged - back);
        let arrived: i64 = app.outside().bank_ledger().await.iter().filter(|line| line.account != payer(&app).iban.as_str()).map(|line| line.amount).sum();
        assert_eq!(arrived, charged - back - 2 * UNITS * COMMISSION, "what recipients have, and the commissions, are what the card paid");
        let paper = receipt(&olena, &second).await;
        assert!(paper.contains("Повернено на картку"), "{paper}");
        app.finish_and_check().await;
    }
}
