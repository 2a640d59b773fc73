//! QR codes of an unpaid order: what they carry, and that no card is charged beside them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cabinet_test_kit::{Fault, FaultKind, FaultService, PaymentKind, on_both_databases};
use serde_json::{Value, json};

use crate::receipts::{assert_contains_all, document};

/// Returns the fields of a code.
fn fields_of(transfer: &Value) -> Vec<String> {
    let link = transfer["picture"]["link"].as_str().unwrap();
    let encoded = link.strip_prefix("https://bank.gov.ua/qr/").unwrap();
    let bytes = URL_SAFE_NO_PAD.decode(encoded).unwrap();
    let is_utf8 = bytes.starts_with(b"BCD\n002\n1\n");
    let text = if is_utf8 {
        String::from_utf8(bytes).unwrap()
    } else {
        encoding_rs::WINDOWS_1251.decode(&bytes).0.into_owned()
    };
    text.split('\n').map(str::to_owned).collect()
}

on_both_databases! {
    async fn an_unpaid_order_has_a_code_for_each_transfer(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        assert_eq!(olena.order(&order).await["codes_given_at"], json!(null));
        let codes = olena.post(&format!("{path}/codes"), json!({})).await.ok();
        let transfers = codes["transfers"].as_array().unwrap();
        assert_eq!(transfers.len(), 2, "the notary's part is a transfer of its own");
        for transfer in transfers {
            let fields = fields_of(transfer);
            assert_eq!(fields.len(), 13);
            assert_eq!(
                [&fields[5], &fields[6], &fields[8], &fields[11]].map(String::as_str),
                ["recipient_name", "iban", "recipient_code", "purpose"].map(|field| transfer[field].as_str().unwrap())
            );
            assert!(!fields[11].contains('…'));
        }
        let treasury = transfers.iter().find(|transfer| fields_of(transfer)[11].starts_with("101 "));
        assert!(treasury.is_some());
        let item = &olena.order(&order).await["items"][0];
        assert_eq!(codes["total"], item["sum_base"], "without the commission");
        let answer = olena.post(&format!("{path}/codes/document"), json!({})).await;
        let text = document(&answer, &format!("Codes-{}.pdf", order["id"].as_str().unwrap()));
        assert_contains_all(&text, &["QR-коди для сплати", "Переказ 2 з 2", "кодами не користуйтеся", "не оплачуйте карткою"]);
        app.finish_and_check().await;
    }

    async fn the_payment_page_is_closed_and_no_card_pays_unasked(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap();
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        olena.post(&format!("{path}/codes"), json!({})).await.ok();
        assert_eq!(app.outside().pay(page, "4242424242424242").await, "the invoice is expired");
        let shown = olena.order(&order).await;
        assert_eq!((&shown["status"], &shown["widget_url"]), (&json!("expired"), &json!(null)));
        assert!(shown["codes_given_at"].is_string());
        let link = format!("{path}/update/pay-link");
        olena.get(&link).await.refused(409, "payment_codes_given");
        assert_eq!(app.outside().invoices().await.len(), 1);
        // The notary knows that nobody paid by them.
        let fresh = olena.get(&format!("{link}?despite_codes=1")).await.ok();
        assert_eq!(app.outside().pay(fresh["widget_url"].as_str().unwrap(), "4242424242424242").await, "success");
        olena.until(&order, "paid").await;
        assert_eq!(app.services().transfers.held().await.unwrap().len(), 0, "the notary has said that nobody paid by the codes");
        olena.post(&format!("{path}/codes"), json!({})).await.refused(409, "order_not_payable");
        app.finish_and_check().await;
    }

    async fn codes_that_are_given_again_count_from_then_on(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        olena.post(&format!("{path}/codes"), json!({})).await.ok();
        app.clock().advance_seconds(60);
        olena.get(&format!("{path}/update/pay-link?despite_codes=1")).await.ok();
        app.clock().advance_seconds(60);
        olena.post(&format!("{path}/codes"), json!({})).await.ok();
        let later = "select count(*) from orders o where o.codes_given_at > (select max(a.created_at) from attempts a where a.order_id = o.id)";
        assert_eq!(app.number(later.to_owned()).await, 1, "a charge of the page between them is held");
        app.finish_and_check().await;
    }

    async fn a_charge_of_a_page_that_was_closed_for_the_codes_waits_for_the_operator(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        // The acquirer takes a charge though it had confirmed that the page is closed.
        app.execute("update orders set codes_given_at = (select max(created_at) from attempts)".to_owned()).await;
        olena.pay(&order).await;
        let held = app.services().transfers.held().await.unwrap();
        assert_eq!(held.len(), 1, "the recipient may have been paid by a code");
        app.services().transfers.release(&[held[0].id], "за кодом не платили", app.services().now()).await.unwrap();
        app.finish_and_check().await;
    }

    async fn no_code_while_a_card_may_be_charged(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let path = format!("/order/{}/codes", order["id"].as_str().unwrap());
        let mut kept_open = Fault::new(FaultService::Acquirer, FaultKind::Refuse);
        kept_open.path = Some("invoice/remove".to_owned());
        kept_open.code = Some("INVOICE_ALREADY_USED".to_owned());
        app.outside().faults(&[kept_open]).await;
        olena.post(&path, json!({})).await.refused(409, "payment_page_not_closed");
        assert_eq!(olena.order(&order).await["codes_given_at"], json!(null));
        let taras = app.notary("taras").await;
        taras.post(&path, json!({})).await.refused(404, "order_not_found");
        app.outside().faults(&[]).await;
        olena.pay(&order).await;
        olena.post(&path, json!({})).await.refused(409, "order_not_payable");
        assert_eq!(olena.order(&order).await["codes_given_at"], json!(null));
        app.finish_and_check().await;
    }

    async fn a_changed_fee_gives_no_code_and_leaves_the_page(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        app.clock().advance_seconds(20 * 365 * 24 * 3_600);
        app.work().await;
        olena.log_in().await;
        let path = format!("/order/{}/codes", order["id"].as_str().unwrap());
        assert_eq!(olena.post(&path, json!({})).await.status, 409);
        assert_eq!(olena.order(&order).await["codes_given_at"], json!(null));
    }
}
