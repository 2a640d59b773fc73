//! What the sandbox keeps over a restart.
#![expect(
    clippy::unwrap_used,
    reason = "in a test a failure shall stop the test"
)]

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use crate::support::{self, HandClock, World, randomness, wallet, world_with};
use cabinet_gateways::acquirer::{Acquirer as _, CardKeeper as _, InvoiceStatus};
use cabinet_sandbox::{Sandbox, SandboxError, SandboxSettings};

/// A journal file of one test. It is removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("sandbox-journal-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn journal(&self) -> PathBuf {
        self.0.join("sandbox.jsonl")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn start(folder: &Folder) -> World {
    world_with(|settings| settings.journal = Some(folder.journal())).await
}

#[tokio::test]
async fn invoices_cards_the_ledger_and_the_key_outlive_a_restart() {
    let folder = Folder::new("restart");
    let first = start(&folder).await;
    let unpaid = first.invoice("r-1", 100).await;
    let paid = first.invoice("r-2", 200).await;
    let declined = first.invoice("r-3", 300).await;
    first.pay(&paid.id, "4242424242424242").await;
    first.pay(&declined.id, "4000000000000002").await;
    let kept = first.sandbox.save_card("w-1", "4242424242424242").unwrap();
    let forgotten = first.sandbox.save_card("w-1", "5555555555554444").unwrap();
    first
        .acquirer
        .delete_card(&cabinet_gateways::acquirer::CardToken::parse(&forgotten).unwrap())
        .await
        .unwrap();
    first.sandbox.rotate_key().unwrap();
    let ledger = first.ledger().await;
    let reports = first.merchant.wait_for(4).await;

    // Started twice, because the first start rewrites the journal.
    for _ in 0..2 {
        let second = start(&folder).await;
        for (id, status) in [
            (&unpaid.id, InvoiceStatus::Created),
            (&paid.id, InvoiceStatus::Success),
            (&declined.id, InvoiceStatus::Failure),
        ] {
            assert_eq!(
                second.acquirer.invoice_status(id).await.unwrap().status,
                status
            );
        }
        assert_eq!(second.ledger().await, ledger);
        let cards = second.acquirer.saved_cards(&wallet("w-1")).await.unwrap();
        assert_eq!(cards.len(), 1);
        assert!(cards[0].token.matches(&kept));
    }
    let third = start(&folder).await;
    third.pay(&unpaid.id, "4242424242424242").await;
    assert_eq!(third.ledger().await.len(), 2);
    let last = first
        .merchant
        .wait_for(reports.len() + 2)
        .await
        .pop()
        .unwrap();
    third
        .acquirer
        .verify_report(last.signature(), &last.body)
        .await
        .unwrap();
    let text = std::fs::read_to_string(folder.journal()).unwrap();
    assert!(
        !text.contains("4242424242424242") && !text.contains("5555555555554444"),
        "no number is kept"
    );
}

#[tokio::test]
async fn a_slow_payment_succeeds_after_a_restart_once() {
    let folder = Folder::new("slow");
    let id = {
        let first = world_with(|settings| {
            settings.journal = Some(folder.journal());
            settings.processing_time = Duration::from_secs(3600);
        })
        .await;
        let invoice = first.invoice("r-1", 100).await;
        first.pay(&invoice.id, "4000000000000259").await;
        invoice.id
    };
    let second = start(&folder).await;
    support::until(|| (!second.sandbox.ledger().is_empty()).then_some(()))
        .await
        .unwrap();
    second.clock.advance(Duration::from_secs(7200));
    assert_eq!(
        second.acquirer.invoice_status(&id).await.unwrap().status,
        InvoiceStatus::Success
    );
    assert_eq!(second.ledger().await.len(), 1);
}

#[tokio::test]
async fn the_clock_does_not_go_back_at_a_restart() {
    let folder = Folder::new("clock");
    let first = start(&folder).await;
    for _ in 0..2 {
        let body = serde_json::json!({ "advance_seconds": 60 });
        let call = first.client().put(format!("{}/sandbox/clock", first.url));
        call.json(&body).send().await.unwrap();
    }
    drop(first);
    for _ in 0..2 {
        let again = start(&folder).await;
        let (_, clock) = again.get("/sandbox/clock").await;
        assert_eq!(clock["advanced_seconds"], 120);
    }
}

fn open(folder: &Folder) -> Result<Sandbox, SandboxError> {
    let mut settings = SandboxSettings::new("http://127.0.0.1:9");
    settings.journal = Some(folder.journal());
    Sandbox::new(
        settings,
        std::sync::Arc::new(HandClock::at_start()),
        randomness(1),
    )
}

#[tokio::test]
async fn a_cut_last_line_is_left_out_and_a_damaged_one_stops_the_start() {
    let folder = Folder::new("cut");
    let token = open(&folder)
        .unwrap()
        .save_card("w-1", "4242424242424242")
        .unwrap();
    let append = |text: &str| {
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .open(folder.journal())
            .unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    append(r#"{"forgotten":{"tok"#);
    assert_eq!(
        open(&folder)
            .unwrap()
            .save_card("w-1", "4242424242424242")
            .unwrap(),
        token,
        "still there"
    );
    append("{\"nonsense\":1}\n");
    let lines = std::fs::read_to_string(folder.journal()).unwrap();
    let last = lines.lines().count();
    assert!(matches!(
        open(&folder).unwrap_err(),
        SandboxError::Damaged { line, .. } if line == last
    ));
}
