//! What a line of the log says of the request and the order that it is about, wherever it is written.

use std::time::{Duration, Instant};

use cabinet_storage::{StorageError, Tx};
use cabinet_test_kit::{FaultKind, PaymentKind, TestSettings, log_written, on_both_databases};
use serde_json::Value;
use tracing::Instrument as _;

use crate::acquirer_faults::acquirer_fault;

/// Returns the lines of the log with these words, from a place of the log on.
fn lines_with(words: &str, from: usize) -> Vec<Value> {
    log_written()[from..]
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|line| {
            line["message"]
                .as_str()
                .is_some_and(|text| text.contains(words))
        })
        .collect()
}

/// Returns a field of a line: of the innermost span that has it.
fn field<'line>(line: &'line Value, name: &str) -> Option<&'line Value> {
    let spans = line["spans"].as_array()?;
    spans.iter().rev().find_map(|span| span.get(name))
}

on_both_databases! {
    async fn lines_about_an_order_carry_its_id_and_number_and_those_of_a_request_its_id(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        // The one call under a limit that ends is the one that gets no answer, so a slow machine does not matter.
        app.restart_with(|settings| settings.outside_time_limit = Duration::from_millis(300)).await;
        let mut silent = acquirer_fault(FaultKind::TimeoutBefore, "invoice/create");
        silent.delay_ms = Some(600_000);
        app.outside().faults(&[silent]).await;
        let before = log_written().len();
        let order = olena.order_cart().await;
        assert_eq!(order["status"], "in_progress");
        let id = &order["id"];
        let silent = lines_with("gave no answer to invoice/create", before);
        assert_eq!(silent.len(), 1, "{silent:?}");
        assert_eq!(silent[0]["outcome"], "timed_out", "{silent:?}");
        assert_eq!(field(&silent[0], "order.id"), Some(id), "{silent:?}");
        assert_eq!(field(&silent[0], "order.number").map(ToString::to_string).as_deref(), Some(order["number"].to_string().trim_matches('"')));
        let request = field(&silent[0], "request.id").and_then(Value::as_str).unwrap();
        let end = lines_with("POST /api/order/create 200", before);
        assert_eq!(field(&end[0], "request.id").and_then(Value::as_str), Some(request), "{end:?}");

        // Its page asks: the path names the order.
        let before = log_written().len();
        olena.order(&order).await;
        let end = lines_with("GET /api/order/{id} 200", before);
        assert_eq!(field(&end[0], "order.id"), Some(id), "{end:?}");

        // The worker asks.
        app.restart_with(|settings| settings.outside_time_limit = TestSettings::default().outside_time_limit).await;
        app.outside().faults(&[acquirer_fault(FaultKind::TimeoutBefore, "statement")]).await;
        let before = log_written().len();
        app.clock().advance_seconds(61);
        app.work().await;
        let asked = lines_with("gave no answer to statement", before);
        assert_eq!(field(&asked[0], "order.id"), Some(id), "{asked:?}");
        app.outside().faults(&[]).await;
        app.clock().advance_seconds(600);
        app.work().await;
        app.finish_and_check().await;
    }

    async fn lines_of_a_unit_of_work_carry_what_its_caller_was_doing(app: TestApp) {
        let before = log_written().len();
        let inside = |_: &mut Tx| -> Result<(), StorageError> {
            tracing::warn!("inside of a unit of work");
            Ok(())
        };
        let store = app.services().store.clone();
        let span = tracing::error_span!("caller", request.id = "0199-caller");
        let working = async {
            store.write(inside).await.unwrap();
            store.read(inside).await.unwrap();
            store.read_long(inside).await.unwrap();
        };
        working.instrument(span).await;
        let lines = lines_with("inside of a unit of work", before);
        assert_eq!(lines.len(), 3);
        for line in lines {
            assert_eq!(field(&line, "request.id").and_then(Value::as_str), Some("0199-caller"), "{line}");
        }
    }

    async fn a_database_that_is_away_is_told_once_a_second_however_many_ask(app: TestApp) {
        let olena = app.notary("olena").await;
        app.services().store.close().await;
        let before = log_written().len();
        let began = Instant::now();
        for _ in 0..40 {
            olena.get("/cart").await.refused(503, "service_unavailable");
        }
        let words = "The database does not serve now";
        while lines_with(words, before).is_empty() {
            olena.get("/cart").await.refused(503, "service_unavailable");
        }
        let told = lines_with(words, before);
        let seconds = usize::try_from(began.elapsed().as_secs()).unwrap();
        assert!((1..=seconds + 1).contains(&told.len()), "{} lines in {seconds} s", told.len());
    }
}
