//! `cabinet reference` and what `cabinet doctor` says about fees.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::process::Output;

use cabinet_test_kit::{PaymentKind, TestApp, command_on, complained, on_sqlite, said};

use crate::tables::{edit, starter_tables};

/// Runs `cabinet …` on the cabinet's database. Fees of an earlier year are never refused, so that the result does not depend on
/// the day of the test.
fn cabinet(app: &TestApp, arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    command_on(app, env!("CARGO_BIN_EXE_cabinet"))
        .args(arguments)
        .env("CABINET_FEES_LAST_YEAR_REFUSED_FROM", "off")
        .envs(settings.iter().copied())
        .output()
        .unwrap()
}

/// The changes of the tables and of the carts, without the notes.
fn changes(told: &str) -> Vec<&str> {
    let is_note = |line: &&str| line.starts_with("note: ") || line.starts_with("question: ");
    told.lines().take_while(|line| !is_note(line)).collect()
}

on_sqlite! {
    async fn the_operator_sees_what_new_tables_would_change(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        olena.add(PaymentKind::RegistryPayment).await;
        let deleted = olena.add(PaymentKind::RegistryPayment).await;
        olena.post("/cart/item/delete", serde_json::json!({ "cart_item_id": deleted })).await.ok();
        let folder = starter_tables(app.database_folder().unwrap());
        let dir = folder.to_str().unwrap();
        let diff = |settings: &[(&str, &str)]| cabinet(&app, &["reference", "diff", dir], settings);
        let same = said(&diff(&[]));
        assert_eq!(changes(&same), ["The tables are the ones that are loaded.", "2 items are in carts. Touched at once: 0."]);
        assert!(same.ends_with("Nothing was changed.\n"), "{same}");

        // A fee of a year to come, a tariff of today, and a template that is gone.
        edit(&folder, "term-taxes.csv", |text| {
            let ended = text.replace("ownership-5wd,330.00,2026-01-01,,", "ownership-5wd,330.00,2026-01-01,2098-12-31,");
            format!("{ended}ownership-5wd,350,2099-01-01,,,,\n")
        });
        edit(&folder, "option-tariffs.csv", |text| text.replace("information-paper,80.00,2026-01-01", "information-paper,85.50,2026-01-01"));
        edit(&folder, "templates.csv", |text| text.lines().filter(|row| !row.starts_with("court-fee,")).map(|row| format!("{row}\n")).collect());
        let told = said(&diff(&[]));
        assert_eq!(changes(&told), [
            "templates.csv: 1 changes",
            "  removed court-fee (Судовий збір)",
            "term-taxes.csv: 1 changes",
            "  ownership-5wd (Державна реєстрація права власності (у тому числі довірчої власності), 5 робочих днів): fee from 330.00 UAH to 350.00 UAH, from 2099-01-01",
            "option-tariffs.csv: 1 changes",
            "  registry-real-rights-information-paper (Державний реєстр речових прав: інформація, паперова форма): fee from 80.00 UAH to 85.50 UAH, from 2026-01-01",
            "2 items are in carts. Touched at once: 1. Touched on 2099-01-01: 2.",
        ]);
        assert_eq!(app.rows("reference_versions").await, 1);

        // The other reading of the short terms: no more is touched than by default.
        let whole = said(&diff(&[("CABINET_FEES_READING", "whole")]));
        assert_eq!(changes(&whole), changes(&told));

        // Bad rows are named as `load` names them.
        edit(&folder, "term-taxes.csv", |text| text.replace(",350,", ",free,"));
        let complaint = complained(&diff(&[]));
        let [row, whole] = complaint.as_slice() else {
            panic!("{complaint:?}");
        };
        assert!(row.starts_with("cabinet: term-taxes.csv:") && row.ends_with(": tax is not a sum such as 86.47 or 86,47"), "{row}");
        assert_eq!(whole, "cabinet: 1 bad rows: nothing can be compared");
        assert_eq!(complained(&cabinet(&app, &["reference", "load", dir], &[]))[0], *row);
    }

    async fn loading_names_what_the_operator_has_to_decide(app: TestApp) {
        let folder = starter_tables(app.database_folder().unwrap());
        let dir = folder.to_str().unwrap();
        let load = |settings: &[(&str, &str)]| said(&cabinet(&app, &["reference", "load", dir], settings));
        let told = load(&[]);
        for line in [
            "note: the template purchase-levy is unconfirmed and not offered, unless CABINET_FEES_UNCONFIRMED_TEMPLATES names it",
            "question: 4 fees depend on how resolution 1133 is read. CABINET_FEES_READING is surcharge. Ask your registrar, and set it:",
            "  entity-change-6h: surcharge 3000.00, whole 2000.00",
            "  entity-change-2h: surcharge 5990.00, whole 4990.00",
            "  proprietor-change-6h: surcharge 1000.00, whole 670.00",
            "  proprietor-change-2h: surcharge 1990.00, whole 1660.00",
        ] {
            assert!(told.lines().any(|one| one == line), "{line}: {told}");
        }
        assert!(told.lines().any(|line| line.starts_with("note: terms.csv:") && line.contains("unconfirmed: the budget code: 22012700")), "{told}");
        assert!(told.ends_with("The reference data was replaced.\n"), "{told}");

        let told = load(&[("CABINET_FEES_READING", "whole"), ("CABINET_FEES_UNCONFIRMED_TEMPLATES", "purchase-levy")]);
        assert!(told.contains("CABINET_FEES_READING is whole"), "{told}");
        assert!(told.contains("purchase-levy is unconfirmed and offered"), "{told}");
        let wrong = complained(&cabinet(&app, &["reference", "load", dir], &[("CABINET_FEES_READING", "double")]));
        assert!(wrong[0].contains("CABINET_FEES_READING: surcharge or whole is expected"), "{wrong:?}");
    }

    async fn the_doctor_notes_fees_of_an_earlier_year_without_calling_them_damage(app: TestApp) {
        let folder = starter_tables(app.database_folder().unwrap());
        let dir = folder.to_str().unwrap();
        // All fees but one say that they do not follow the year.
        for (file, header) in [("term-taxes.csv", "term_id"), ("option-tariffs.csv", "option_id")] {
            edit(&folder, file, |text| {
                let fixed = |row: &str| match row {
                    row if row.starts_with(header) => "fixed",
                    row if row.starts_with("ownership-5wd,") => "no",
                    _ => "yes",
                };
                // The other table has the column already, empty and last.
                let row_with = |row: &str| match (file, fixed(row)) {
                    ("option-tariffs.csv", "fixed") => format!("{row}\n"),
                    ("option-tariffs.csv", is_fixed) => format!("{row}{is_fixed}\n"),
                    (_, is_fixed) => format!("{row},{is_fixed}\n"),
                };
                text.lines().map(row_with).collect()
            });
        }
        let year = |of: &str| {
            said(&cabinet(&app, &["reference", "load", dir], &[]));
            // What this database lived through lies in the past, so its events were not sealed in time. Only the note matters here.
            let doctor = cabinet(&app, &["doctor"], &[("CABINET_FEES_LAST_YEAR_REFUSED_FROM", of)]);
            let told = String::from_utf8(doctor.stdout).unwrap();
            let line = told.lines().find(|line| line.contains("fees_of_this_year")).unwrap();
            (line.to_owned(), told.contains("BROKEN  fees"))
        };
        // The row of 2025 goes on: on any day since 2026 it is of an earlier year.
        edit(&folder, "term-taxes.csv", |text| {
            let rows = text.lines().filter(|row| !row.starts_with("ownership-5wd,330.00,"));
            rows.map(|row| format!("{row}\n")).collect::<String>().replace("ownership-5wd,300.00,2025-01-01,2025-12-31,", "ownership-5wd,300.00,2025-01-01,,")
        });
        let start = "note    fees_of_this_year: 1 fees in force are of an earlier year (term-taxes.csv ownership-5wd since 2025-01-01): load those of ";
        let (line, broken) = year("off");
        assert!(line.starts_with(start) && line.ends_with("They are paid at the old sums") && !broken, "{line}");
        let (line, broken) = year("01-31");
        assert!(line.starts_with(start) && line.ends_with("Payments of 1 of them are refused") && !broken, "{line}");
        edit(&folder, "term-taxes.csv", |text| text.replace(",no\n", ",yes\n"));
        assert_eq!(year("01-31"), ("holds   fees_of_this_year: every fee in force began this year or is fixed".to_owned(), false));
    }
}
