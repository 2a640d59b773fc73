//! Helpers of the tests with a failing acquirer.

use cabinet_test_kit::{Fault, FaultKind, FaultService, PaymentKind, Person, TestApp};
use serde_json::Value;

/// Returns a fault of one of the acquirer's calls.
pub fn acquirer_fault(kind: FaultKind, path: &str) -> Fault {
    let mut fault = Fault::new(FaultService::Acquirer, kind);
    fault.path = Some(path.to_owned());
    fault
}

/// Returns a fault that drops all reports.
pub fn no_reports() -> Fault {
    let mut fault = Fault::new(FaultService::Reports, FaultKind::Drop);
    fault.calls = 1_000;
    fault
}

/// Puts a payment into the cart. Returns the body of its order with a saved card.
pub async fn card_order(person: &Person) -> Value {
    card_order_of(person, "4242424242424242").await
}

/// The same with this card.
pub async fn card_order_of(person: &Person, card: &str) -> Value {
    let token = person.save_card(card);
    person.keep_own_account().await;
    person.add(PaymentKind::AdminPayment).await;
    let mut body = person.order_body().await;
    body["token_id"] = token.into();
    body
}

/// Returns the number of events of this kind, over all orders.
pub async fn event_count(app: &TestApp, kind: &str) -> i64 {
    app.number(format!(
        "select count(*) from order_events where kind = '{kind}'"
    ))
    .await
}
