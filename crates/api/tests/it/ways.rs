//! A whole payment of each kind: form, cart, order, the acquirer's page, report, transfers.

use cabinet_test_kit::{
    LedgerKind, PaymentKind, Person, TestApp, hryvnias, kopiykas, on_both_databases,
};
use serde_json::json;

/// Makes a payment from the form to the paid order. Returns the sum that the form showed, and the order.
async fn pay_one(app: &TestApp, olena: &Person, kind: PaymentKind) -> (i64, serde_json::Value) {
    let payment = olena.form(kind).await;
    let added = olena.post("/cart/add", payment.body.clone()).await.ok();
    assert_eq!(added["items_count"], 1);

    let group = olena.group().await;
    let item = &group["items"][0];
    assert_eq!(item["id"], added["item_id"]);
    assert_eq!(item["payment_type"]["slug"], kind.slug());
    assert_eq!(kopiykas(&item["sum_base"]), payment.amount);
    assert_eq!(kopiykas(&item["commission"]), payment.commission);
    assert_eq!(kopiykas(&item["sum_full"]), payment.sum());
    assert_eq!(kopiykas(&item["sum_total"]), payment.sum());
    assert_eq!(kopiykas(&group["amount"]), payment.sum());

    let order = olena.order_cart().await;
    assert_eq!(order["status"], "pending");
    assert_eq!(kopiykas(&order["sum"]), payment.sum());
    assert_eq!(olena.get("/cart").await.ok()["items_count"], 0);
    assert!(app.outside().ledger().is_empty());

    let paid = olena.pay(&order).await;
    assert_eq!(paid["items"][0]["id"], added["item_id"]);
    assert_eq!(paid["items"][0]["status"], "paid");
    assert_eq!(paid["pan"], "424242******4242");
    assert_eq!(paid["widget_url"], json!(null));
    assert!(paid["paid_at"].is_string());

    let ledger = app.outside().ledger();
    assert_eq!(ledger.len(), 1);
    assert_eq!(ledger[0].kind, LedgerKind::Charge);
    assert_eq!(ledger[0].amount, payment.sum());
    (payment.sum(), paid)
}

on_both_databases! {
    async fn an_administrative_fee_is_paid_in_two_parts(app: TestApp) {
        let olena = app.notary("olena").await;
        let (sum, paid) = pay_one(&app, &olena, PaymentKind::AdminPayment).await;
        // 330 UAH: 198 to the notary and 132 to the budget, each with the least commission of 10 UAH.
        assert_eq!(sum, 35_000);
        assert_eq!(app.number("select sum(amount) from transfers where role = 'notary'".to_owned()).await, 19_800);
        assert_eq!(app.number("select sum(amount) from transfers where role = 'recipient'".to_owned()).await, 13_200);
        assert_eq!(kopiykas(&paid["items"][0]["commission"]), 2_000);
        app.finish_and_check().await;
    }

    async fn a_fee_of_a_state_notary_goes_to_the_budget_whole(app: TestApp) {
        let olena = app.notary("olena").await;
        let (sum, _) = pay_one(&app, &olena, PaymentKind::AdminGovernmentPayment).await;
        assert_eq!(sum, 34_000);
        assert_eq!(app.rows("transfers").await, 1);
        assert_eq!(app.number("select sum(amount) from transfers where role = 'recipient'".to_owned()).await, 33_000);
        app.finish_and_check().await;
    }

    async fn a_fee_for_a_register_is_paid(app: TestApp) {
        let olena = app.notary("olena").await;
        let (sum, paid) = pay_one(&app, &olena, PaymentKind::RegistryPayment).await;
        assert_eq!(sum, 9_000);
        assert_eq!(paid["items"][0]["payment_type_option_term"], json!(null));
        app.finish_and_check().await;
    }

    async fn any_requisites_are_paid(app: TestApp) {
        let olena = app.notary("olena").await;
        let (sum, paid) = pay_one(&app, &olena, PaymentKind::RequisitesPayment).await;
        // 1.5 % of 1250.50 UAH is 18.7575 UAH, rounded half up to the kopiyka.
        assert_eq!(sum, 125_050 + 1_876);
        assert_eq!(paid["sum"], hryvnias(126_926));
        assert_eq!(paid["items"][0]["recipient_name"], "ТОВ «Ранкова зоря»");
        app.finish_and_check().await;
    }
}
