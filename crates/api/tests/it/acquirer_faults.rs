//! What the tests of a failing acquirer share.

use std::time::Duration;

use cabinet_test_kit::{Fault, FaultKind, FaultService, PaymentKind, Person, TestApp};
use serde_json::Value;

/// A fault of one call of the acquirer.
pub fn acquirer_fault(kind: FaultKind, path: &str) -> Fault {
    let mut fault = Fault::new(FaultService::Acquirer, kind);
    fault.path = Some(path.to_owned());
    fault
}

/// No report is ever sent.
pub fn no_reports() -> Fault {
    let mut fault = Fault::new(FaultService::Reports, FaultKind::Drop);
    fault.calls = 1_000;
    fault
}

/// Gives outside calls 300 ms, so that a silent acquirer is met quickly.
pub async fn shorten_time_limit(app: &TestApp) {
    app.restart_with(|settings| settings.outside_time_limit = Duration::from_millis(300))
        .await;
}

/// Puts a payment into the cart. Returns the body of its order with a saved card.
pub async fn card_order(person: &Person) -> Value {
    let token = person.save_card("4242424242424242");
    person.add(PaymentKind::AdminPayment).await;
    let mut body = person.order_body().await;
    body["token_id"] = token.into();
    body
}

/// How many events of this kind the histories of all orders have.
pub async fn event_count(app: &TestApp, kind: &str) -> i64 {
    app.number(format!(
        "select count(*) from order_events where kind = '{kind}'"
    ))
    .await
}
