//! Receipts of many orders at once.

use std::collections::BTreeSet;
use std::io::Cursor;

use cabinet_test_kit::{PaymentKind, Person, on_both_databases};
use serde_json::{Value, json};

use crate::receipts::{assert_contains_all, document};

async fn paid(olena: &Person, kind: PaymentKind) -> (String, String) {
    olena.add(kind).await;
    let order = olena.order_cart().await;
    olena.pay(&order).await;
    let text = |member: &str| order[member].as_str().unwrap().to_owned();
    (text("id"), text("number"))
}

on_both_databases! {
    async fn receipts_of_chosen_orders_come_in_one_pdf_or_in_a_zip(app: TestApp) {
        app.clock().set("2026-11-20T10:00:00Z");
        let olena = app.notary("olena").await;
        let first = paid(&olena, PaymentKind::AdminPayment).await;
        let second = paid(&olena, PaymentKind::RequisitesPayment).await;
        // An order that is named twice is there once.
        let chosen = json!({ "order_ids": [first.0, second.0, first.0] });
        let day = "2026-11-20";
        let pdf = olena.post("/order/receipts", chosen.clone()).await;
        let text = document(&pdf, &format!("Receipts-{day}.pdf"));
        assert_contains_all(&text, &[&first.1, &second.1]);
        let commission = json!({ "order_ids": [second.0], "receipt_type": "commission" });
        let text = document(&olena.post("/order/receipts", commission).await, &format!("Receipts-{day}.pdf"));
        assert!(text.contains(&second.1) && !text.contains(&first.1));

        let zip = olena.post("/order/receipts/archive", chosen).await;
        assert_eq!((zip.status, zip.header("content-type")), (200, "application/zip"));
        let files = zip::ZipArchive::new(Cursor::new(&zip.body)).unwrap();
        let names: Vec<String> = files.file_names().map(|name| name.unwrap().into_owned()).collect();
        // One for each payment, one for each commission.
        assert_eq!(names.len(), 4, "{names:?}");
        let numbers: BTreeSet<&str> = names.iter().map(|name| name.split(' ').next().unwrap()).collect();
        assert_eq!(numbers, BTreeSet::from([first.1.as_str(), second.1.as_str()]));
        let recorded = "select count(*) from audit_events where action = 'receipts_downloaded'";
        assert_eq!(app.number(recorded.to_owned()).await, 2 + 1 + 2);
        app.finish_and_check().await;
    }

    async fn a_choice_without_receipts_is_refused(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let (own, _) = paid(&olena, PaymentKind::RegistryPayment).await;
        let (strange, _) = paid(&taras, PaymentKind::RegistryPayment).await;
        olena.add(PaymentKind::RegistryPayment).await;
        let unpaid = olena.order_cart().await["id"].as_str().unwrap().to_owned();
        let many: Vec<Value> = (0..201).map(|_| json!(own)).collect();
        for (chosen, status, key) in [
            (json!([]), 422, "field_required"),
            (json!(many), 422, "too_many_orders"),
            (json!([own, strange]), 404, "order_not_found"),
            (json!([own, unpaid]), 409, "order_not_paid"),
            (json!("all"), 422, "field_type_wrong"),
        ] {
            for call in ["/order/receipts", "/order/receipts/archive"] {
                let answer = olena.post(call, json!({ "order_ids": chosen })).await;
                answer.refused(status, key);
            }
        }
        let wrong = json!({ "order_ids": [own], "receipt_type": "all" });
        olena.post("/order/receipts", wrong).await.refused(422, "receipt_type_invalid");
        app.finish_and_check().await;
    }
}
