//! Days of a bank: five files that tell of the transfers of an order, imported in every order.

use std::collections::BTreeMap;

use cabinet_app::transfer::Format;
use cabinet_domain::Money;
use cabinet_test_kit::{Database, TestApp, run};

use crate::bank_files::{
    Listed, RETURN, close_alarms, entry, instruction, own_statement, permutations, reference,
    report_by, sent_of, state_of, statement, taken, why,
};

/// The files of a day.
#[derive(Clone, Copy, PartialEq, Eq)]
enum File {
    /// What the bank does not carry out.
    Refusals,
    /// The statement: what it debited.
    Debits,
    /// What it says is credited.
    Creditings,
    /// The recipients' own notifications.
    Arrivals,
    /// The statement: what came back.
    Returns,
}

const FILES: [File; 5] = [
    File::Refusals,
    File::Debits,
    File::Creditings,
    File::Arrivals,
    File::Returns,
];

/// Returns which files tell of each of three transfers. Each file tells of one at least.
fn day_of(seed: usize) -> [Vec<File>; 3] {
    let bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24;
    [0, 1, 2].map(|transfer| {
        let tells = |(place, file): (usize, &File)| {
            let is_chosen = bits >> (place * 3 + transfer) & 1 == 1;
            let is_named = (seed + place * place) % 3 == transfer;
            (is_chosen || is_named).then_some(*file)
        };
        FILES.iter().enumerate().filter_map(tells).collect()
    })
}

/// Where the money of a transfer is, by what the bank knows.
fn truth(told: &[File]) -> &'static str {
    let is = |file| told.contains(&file);
    let has_arrived = is(File::Creditings) || is(File::Arrivals);
    let has_left = has_arrived || is(File::Debits);
    match (is(File::Returns), is(File::Refusals)) {
        (true, _) => "returned",
        (false, true) if has_left => "disputed",
        (false, true) => "returned",
        (false, false) if has_arrived => "credited",
        (false, false) => "sent",
    }
}

/// Writes a file of the day. A bank puts all of a kind together, but a notification is of one account: it writes several.
fn written(file: File, of: &[&Listed]) -> Vec<String> {
    let statement_of = |direction: &str, booked: &dyn Fn(&Listed) -> String, more: &str| {
        let lines = of
            .iter()
            .map(|of| entry(direction, of, &booked(of), more))
            .collect::<Vec<_>>();
        vec![own_statement(&lines)]
    };
    let each =
        |write: &dyn Fn(&Listed) -> String| of.iter().map(|of| write(of)).collect::<Vec<_>>();
    match file {
        File::Refusals => each(&|of| report_by(&instruction(of), of, "RJCT", &why("AM04"))),
        File::Debits => statement_of("DBIT", &|of| reference(&format!("D-{}", of.number)), ""),
        File::Creditings => each(&|of| report_by(&instruction(of), of, "ACCC", "")),
        File::Arrivals => each(&|of| {
            let arrived = statement(&of.iban, &[entry("CRDT", of, "", "")]);
            arrived
                .replace("BkToCstmrStmt", "BkToCstmrDbtCdtNtfctn")
                .replace("Stmt>", "Ntfctn>")
        }),
        File::Returns => statement_of("CRDT", &|_| String::new(), RETURN),
    }
}

/// Imports the files of so many days, in each order or in each fifth of them. Every order must give the same states, and the ledger of the cabinet
/// what the bank has, to the kopiyka; the ledger of the acquirer is compared at the end.
async fn days(app: TestApp, seeds: usize, step: usize) {
    let olena = app.notary("olena").await;
    let mut bank: BTreeMap<&str, i64> = BTreeMap::new();
    for seed in 0..seeds {
        let day = day_of(seed);
        for order in permutations(FILES.len()).into_iter().step_by(step) {
            let (_, transfers) = sent_of(&app, &olena, Format::Pain001).await;
            for place in &order {
                let file = FILES[*place];
                let told = transfers.iter().zip(&day);
                let of: Vec<&Listed> = told
                    .filter(|(_, told)| told.contains(&file))
                    .map(|(of, _)| of)
                    .collect();
                for text in written(file, &of) {
                    taken(&app, &text).await;
                }
            }
            for (of, told) in transfers.iter().zip(&day) {
                assert_eq!(
                    state_of(&app, of).await,
                    truth(told),
                    "day {seed}, {order:?}"
                );
                *bank.entry(truth(told)).or_default() +=
                    Money::parse_decimal(&of.amount).unwrap().kopiykas();
            }
        }
    }
    for (status, amount) in bank {
        let which = match status {
            "disputed" => "disputed_at is not null".to_owned(),
            status => format!("status = '{status}' and disputed_at is null"),
        };
        let sum =
            format!("select cast(coalesce(sum(amount), 0) as bigint) from transfers where {which}");
        assert_eq!(app.number(sum).await, amount, "{status}");
    }
    close_alarms(&app).await;
    app.finish_and_check().await;
}

#[test]
fn each_fifth_order_of_a_days_files_gives_the_same_ledgers_on_sqlite() {
    run(Database::Sqlite, |app| days(app, 3, 5));
}

#[test]
fn each_fifth_order_of_a_days_files_gives_the_same_ledgers_on_postgres() {
    run(Database::Postgres, |app| days(app, 1, 5));
}

#[test]
#[ignore = "long: scripts/test long"]
fn every_order_of_the_files_of_200_days_gives_the_same_ledgers() {
    run(Database::Sqlite, |app| days(app, 200, 1));
}
