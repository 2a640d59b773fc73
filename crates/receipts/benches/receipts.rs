//! How long a receipt takes on one thread, once the fonts are read: `cargo bench -p cabinet-receipts`, and for some of the
//! receipts only `cargo bench -p cabinet-receipts --bench receipts -- commission`.

#![expect(clippy::print_stdout, reason = "a benchmark reports on the terminal")]

#[path = "../tests/samples/mod.rs"]
#[expect(
    clippy::expect_used,
    reason = "the values of a sample are known to be right"
)]
mod samples;

use std::hint::black_box;
use std::time::{Duration, Instant};

use cabinet_domain::Locale;
use cabinet_receipts::{
    ReceiptError, ReceiptOrder, Selection, commission_receipt, payment_receipt,
};

const ROUNDS: usize = 500;

type Maker = fn(&ReceiptOrder, Selection, Locale) -> Result<Vec<u8>, ReceiptError>;

fn main() -> Result<(), ReceiptError> {
    let started = Instant::now();
    let first = payment_receipt(&samples::single(), Selection::Order, Locale::Uk)?;
    println!(
        "first receipt of the process: {:?}, {} bytes",
        started.elapsed(),
        first.len()
    );

    let cases: [(&str, ReceiptOrder, Maker); 7] = [
        ("one item", samples::single(), payment_receipt),
        ("one item, two transfers", samples::split(), payment_receipt),
        (
            "sandbox",
            ReceiptOrder {
                sandbox: true,
                ..samples::split()
            },
            payment_receipt,
        ),
        ("a part returned", samples::returned(), payment_receipt),
        ("commission", samples::split(), commission_receipt),
        ("long texts", samples::lengthy(), payment_receipt),
        ("40 items", samples::many(40), payment_receipt),
    ];
    println!(
        "{:<26}{:>12}{:>12}{:>12}{:>12}",
        "receipt", "fastest", "median", "p99", "bytes"
    );
    let wanted = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'))
        .unwrap_or_default();
    for (name, order, make) in cases
        .into_iter()
        .filter(|(name, _, _)| name.contains(&wanted))
    {
        let mut times: Vec<Duration> = Vec::with_capacity(ROUNDS);
        let mut bytes = 0;
        for _ in 0..ROUNDS {
            let started = Instant::now();
            let pdf = black_box(make(black_box(&order), Selection::Order, Locale::Uk)?);
            times.push(started.elapsed());
            bytes = pdf.len();
        }
        times.sort_unstable();
        let at = |percent: usize| {
            times
                .get(ROUNDS * percent / 100)
                .copied()
                .unwrap_or_default()
        };
        println!(
            "{name:<26}{:>12.2?}{:>12.2?}{:>12.2?}{bytes:>12}",
            at(0),
            at(50),
            at(99)
        );
    }
    Ok(())
}
