//! `cabinet reference` and what `cabinet doctor` says about fees.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::process::Output;

use cabinet_clock::SystemClock;
use cabinet_domain::{Clock as _, kyiv_date};
use cabinet_test_kit::{
    PaymentKind, TestApp, command_on, complained, on_both_databases, on_sqlite, said,
};

use crate::folder::Folder;
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

on_both_databases! {
    async fn the_fees_of_a_year_are_one_command_and_begin_at_its_midnight_in_kyiv(app: TestApp) {
        let year = kyiv_date(SystemClock::default().now()).year() + 1;
        let before = year - 1;
        let folder = Folder::new();
        let dir = folder.0.join("tables");
        let dir = dir.to_str().unwrap();
        let year_text = year.to_string();
        let made = said(&cabinet(&app, &["reference", "year", &year_text, "--minimum", "3500", "--wage", "9000,50", "--to", dir], &[]));
        let first = format!("{dir} has the tables with 38 fees of {year}, computed from the subsistence minimum 3500.00 and the minimum wage 9000.50.");
        assert_eq!(made.lines().next(), Some(&*first));
        assert_eq!(made.lines().count(), 2, "{made}");
        assert_eq!(app.rows("reference_versions").await, 1);

        let told = said(&cabinet(&app, &["reference", "diff", dir], &[]));
        let changes = changes(&told);
        assert!(changes.contains(&"term-taxes.csv: 34 changes") && changes.contains(&"option-tariffs.csv: 4 changes"), "{told}");
        let ownership = format!("  ownership-5wd (Державна реєстрація права власності (у тому числі довірчої власності), 5 робочих днів): fee from 330.00 UAH to 350.00 UAH, from {year}-01-01");
        assert!(changes.contains(&&*ownership), "{told}");
        said(&cabinet(&app, &["reference", "load", dir, "--reason", "a test", "--yes"], &[]));

        // The last minute of December, and the first of January.
        app.restart_with(|settings| settings.app.table_choices.stale_fees_refused_from = None).await;
        app.clock().set(&format!("{before}-12-31T21:59:00Z"));
        app.work().await;
        let olena = app.notary("olena").await;
        let form = olena.form(PaymentKind::AdminPayment).await;
        olena.add_payment(&form).await;
        let order = olena.order_cart().await;
        assert_eq!(order["sum"], 350, "{order}");
        olena.pay(&order).await;
        let waiting = olena.add_payment(&form).await;
        app.clock().set(&format!("{before}-12-31T22:00:00Z"));
        let group = olena.group().await;
        assert_eq!(group["items"][0]["change"]["message"], "price_changed", "{group}");
        olena.post("/cart/item/refresh", serde_json::json!({ "cart_item_id": waiting })).await.ok();
        let order = olena.order_cart().await;
        assert_eq!(order["sum"], 370, "{order}");
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn the_turn_of_the_year_takes_five_commands_and_every_sum_and_account_is_right(app: TestApp) {
        let today = kyiv_date(SystemClock::default().now());
        let (before, year) = (today.year(), today.year() + 1);
        let folder = Folder::new();
        let tables = folder.0.join("tables");
        let dir = tables.to_str().unwrap();
        let (old_account, new_account) = ("UA848999980999022012600300051", "UA648999980333119340000013001");
        let without_mark = |text: &str| text.replace("Демонстраційний Голосіїв", "Голосіїв");
        app.load_reference(|files| *files.get_mut("requisites.csv").unwrap() = without_mark(&files["requisites.csv"])).await;

        // In December: the fees, an account that ends with the year, and the Treasury's last day.
        said(&cabinet(&app, &["reference", "year", &year.to_string(), "--minimum", "3500", "--wage", "9000", "--to", dir], &[]));
        edit(&tables, "requisites.csv", |text| {
            let row = text.lines().find(|row| row.contains(old_account)).unwrap();
            let ended = row.replace(",,yes", &format!(",{before}-12-31,yes"));
            let opened = row.replace("-2026,", &format!("-{year},")).replace(old_account, new_account).replace(",2026-01-01,,yes", &format!(",{year}-01-01,,no"));
            text.replace(row, &format!("{ended}\n{opened}"))
        });
        edit(&tables, "treasury-last-days.csv", |text| format!("{text}{before}-12-28,a letter\n"));
        let told = said(&cabinet(&app, &["reference", "diff", dir], &[]));
        assert!(told.contains(&format!("added ua-30-holosiivskyi-22012600-{year} ")) && told.contains(&format!("added {before}-12-28 (a letter)")), "{told}");
        said(&cabinet(&app, &["reference", "load", dir, "--reason", "the turn of the year", "--yes"], &[]));
        let list = folder.0.join("list.csv");
        std::fs::write(&list, format!("iban,edrpou,confirmed_on,confirmed_source\n{new_account},37993783,{today},a letter\n")).unwrap();
        said(&cabinet(&app, &["reference", "confirm", "--from", list.to_str().unwrap(), "--reason", "the turn of the year", "--yes"], &[]));
        let doctor = String::from_utf8(cabinet(&app, &["doctor"], &[]).stdout).unwrap();
        assert!(doctor.contains("holds   fees_of_this_year") && !doctor.contains("fees_of_next_year") && !doctor.contains("treasury_last_day"), "{doctor}");

        // The last minutes of December: a payment for each year of filing is paid, and another pair waits.
        app.clock().set(&format!("{before}-12-31T21:57:00Z"));
        app.work().await;
        let olena = app.notary("olena").await;
        assert_eq!(olena.get("/config").await.ok()["treasury_last_day"], format!("{before}-12-28"));
        let this = olena.form(PaymentKind::AdminPayment).await;
        let next = this.clone().with("filing_year", year).with("amount", 350).with("sum", 370);
        let registry = olena.form(PaymentKind::RegistryPayment).await;
        for form in [&this, &next, &registry] {
            olena.add_payment(form).await;
        }
        let order = olena.order_cart().await;
        assert_eq!(order["sum"], 350 + 370 + 90, "{order}");
        olena.pay(&order).await;
        let waiting = [olena.add_payment(&this).await, olena.add_payment(&next).await];

        // January: both go to the new account, and cost what the form said or what the new tables say.
        app.clock().set(&format!("{before}-12-31T22:00:00Z"));
        let group = olena.group().await;
        for item in group["items"].as_array().unwrap() {
            assert_eq!((&item["change"]["message"], &item["change"]["price"]["sum"]), (&"requisite_expired".into(), &370.into()), "{item}");
        }
        for item in &waiting {
            olena.post("/cart/item/refresh", serde_json::json!({ "cart_item_id": item })).await.ok();
        }
        let group = olena.group().await;
        for item in group["items"].as_array().unwrap() {
            assert_eq!((&item["payment_type_requisite"]["iban"], &item["change"]), (&new_account.into(), &serde_json::Value::Null), "{item}");
        }
        let order = olena.order_cart().await;
        assert_eq!(order["sum"], 740, "{order}");
        olena.pay(&order).await;
        let path = "/payment-types/region/requisites?payment_type_region_id=ua-30&payment_type_id=admin&payment_type_option_term_id=ownership-5wd";
        let recipients = olena.get(path).await.ok();
        let recipient = recipients["requisites"].as_array().unwrap().iter().find(|one| one["iban"] == new_account).unwrap();
        // It was compared before the year began.
        assert_eq!(recipient["unconfirmed"]["confirmed_on"], today.to_string());
        app.finish_and_check().await;
    }

    async fn a_list_confirms_accounts_with_the_reason_and_the_changes_shown(app: TestApp) {
        let today = kyiv_date(SystemClock::default().now());
        let real = "UA648999980333119340000013001";
        app.load_reference(|files| {
            let table = files.get_mut("requisites.csv").unwrap();
            let rows = table.lines().map(|row| match row.strip_prefix("ua-46-22012600-2026,") {
                Some(_) => row.replace("Демонстраційний", "Львів").replace("UA768999980999022012600460051", real).replace(",,yes", ",,no"),
                None => row.to_owned(),
            });
            *table = rows.collect::<Vec<_>>().join("\n");
        }).await;
        // What this database lived through lies in the past, so its events were not sealed in time. Only the note matters here.
        let told_of_accounts = || {
            let told = String::from_utf8(cabinet(&app, &["doctor"], &[]).stdout).unwrap();
            told.lines().find(|line| line.contains("accounts_of_this_year")).unwrap().to_owned()
        };
        assert!(told_of_accounts().starts_with("note    accounts_of_this_year: the tables do not tell when the accounts of 1 recipients were last confirmed."));
        let check = || String::from_utf8(cabinet(&app, &["check"], &[]).stdout).unwrap();
        assert!(check().contains("reference data: the tables do not tell when the accounts of 1 recipients"), "{}", check());

        let folder = Folder::new();
        let list = folder.0.join("list.csv");
        let confirm = |rows: &str| {
            std::fs::write(&list, format!("iban;edrpou;confirmed_on;confirmed_source\n{rows}")).unwrap();
            cabinet(&app, &["reference", "confirm", "--from", list.to_str().unwrap(), "--reason", "letter 7", "--yes"], &[])
        };
        let told = complained(&confirm(&format!("{real};37993783;{today};a letter\n"))).join("\n");
        assert!(told.contains("the list:2: the account has another edrpou in requisites.csv:57") && told.contains("nothing was confirmed"), "{told}");
        assert_eq!(app.rows("reference_versions").await, 2);

        let row = format!("{real};38008294;{today};a letter of the Treasury\n");
        let told = said(&confirm(&format!("{row}UA903052992990004149123456789;38008294;{today};a letter\n")));
        assert!(told.starts_with("The list has the accounts of 1 recipients.\nnote: the list:3: no recipient has this account: is it new?\n"), "{told}");
        assert!(told.contains(&format!("  changed ua-46-22012600-2026: confirmed_on from nothing to «{today}», confirmed_source from nothing to «a letter of the Treasury»\n")), "{told}");
        assert!(told.ends_with("The reference data was replaced: version 3 is in force.\n"), "{told}");
        assert!(told_of_accounts().starts_with("holds   accounts_of_this_year: "));
        assert!(!check().contains("confirmed"));
        let trail = said(&cabinet(&app, &["audit", "show", "--since", "2026-01-01"], &[]));
        assert!(trail.contains("letter 7") && trail.contains("a letter of the Treasury"), "{trail}");

        // The same list again makes no version.
        assert!(said(&confirm(&row)).ends_with("The list tells nothing new. Nothing was changed.\n"));
        assert_eq!(app.rows("reference_versions").await, 3);
    }
}

on_sqlite! {
    async fn a_year_is_refused_where_nothing_right_can_come_of_it(app: TestApp) {
        let this_year = kyiv_date(SystemClock::default().now()).year();
        let folder = Folder::new();
        let refused = |year: i16, minimum: &str, to: &str| {
            let arguments = ["reference", "year", &year.to_string(), "--minimum", minimum, "--wage", "9000", "--to", to];
            complained(&cabinet(&app, &arguments, &[])).join("\n")
        };
        let dir = folder.0.join("tables");
        let dir = dir.to_str().unwrap();
        for year in [this_year - 1, this_year + 2] {
            let told = refused(year, "3500", dir);
            assert!(told.ends_with(&format!("the year is this one or the next: {this_year} has come")), "{told}");
        }
        for minimum in ["0", "3 500", "3500.555"] {
            let told = refused(this_year + 1, minimum, dir);
            assert!(told.contains("--minimum"), "{told}");
        }
        std::fs::write(folder.0.join("kept.csv"), "kept").unwrap();
        let told = refused(this_year + 1, "3500", folder.0.to_str().unwrap());
        assert!(told.ends_with("is not empty: nothing was written"), "{told}");
        assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);

        // Tables from before the columns of multiples load, and say what they lack.
        app.load_reference(|files| {
            for (file, columns) in [("term-taxes.csv", 5..8), ("option-tariffs.csv", 4..7)] {
                let text = files.get_mut(file).unwrap();
                let rows = text.lines().map(|row| {
                    let cells = row.split(',').enumerate().filter(|(place, _)| !columns.contains(place));
                    cells.map(|(_, cell)| cell).collect::<Vec<_>>().join(",")
                });
                *text = rows.collect::<Vec<_>>().join("\n");
            }
        }).await;
        let told = refused(this_year + 1, "3500", dir);
        assert!(told.contains("fill the columns base, multiples and rounded_to"), "{told}");
        assert!(!std::path::Path::new(dir).exists());
    }

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
        assert_eq!(changes(&same), ["The tables do not differ.", "2 items are in carts. Touched at once: 0."]);
        assert!(same.ends_with("Nothing was changed.\n"), "{same}");

        // A fee of a year to come, a tariff of today, and a template that is gone.
        edit(&folder, "term-taxes.csv", |text| {
            let ended = text.replace("ownership-5wd,330.00,2026-01-01,,", "ownership-5wd,330.00,2026-01-01,2098-12-31,");
            format!("{ended}ownership-5wd,350,2099-01-01,,,,,,\n")
        });
        edit(&folder, "option-tariffs.csv", |text| text.replace("information-paper,80.00,2026-01-01", "information-paper,85.50,2026-01-01"));
        edit(&folder, "templates.csv", |text| text.lines().filter(|row| !row.starts_with("court-fee,")).map(|row| format!("{row}\n")).collect());
        let told = said(&diff(&[]));
        assert_eq!(changes(&told), [
            "templates.csv: 1 changes",
            "  removed court-fee (Судовий збір): account UA638999980999022030101300001, code 37993783",
            "term-taxes.csv: 1 changes",
            "  ownership-5wd (Державна реєстрація права власності (у тому числі довірчої власності), 5 робочих днів): fee from 330.00 UAH to 350.00 UAH, from 2099-01-01",
            "option-tariffs.csv: 1 changes",
            "  registry-real-rights-information-paper (Державний реєстр речових прав: інформація, паперова форма): fee from 80.00 UAH to 85.50 UAH, from 2026-01-01",
            "2 items are in carts. Touched at once: 1. Touched on 2099-01-01: 2.",
        ]);
        assert_eq!(app.rows("reference_versions").await, 1);

        // The other reading of the short terms: no more is touched than by default.
        let surcharge = said(&diff(&[("CABINET_FEES_READING", "surcharge")]));
        assert_eq!(changes(&surcharge), changes(&told));

        // Bad rows are named as `load` names them.
        edit(&folder, "term-taxes.csv", |text| text.replace(",350,", ",free,"));
        let complaint = complained(&diff(&[]));
        let [row, whole] = complaint.as_slice() else {
            panic!("{complaint:?}");
        };
        assert!(row.starts_with("cabinet: term-taxes.csv:") && row.ends_with(": tax is not a sum such as 86.47 or 86,47"), "{row}");
        assert_eq!(whole, "cabinet: 1 bad rows: nothing can be compared");
        assert_eq!(complained(&cabinet(&app, &["reference", "load", dir, "--reason", "a test", "--yes"], &[]))[0], *row);
    }

    async fn loading_names_what_the_operator_has_to_decide(app: TestApp) {
        let folder = starter_tables(app.database_folder().unwrap());
        let dir = folder.to_str().unwrap();
        let load = |settings: &[(&str, &str)]| said(&cabinet(&app, &["reference", "load", dir, "--reason", "a test", "--yes"], settings));
        let told = load(&[]);
        for line in [
            "note: the template purchase-levy is unconfirmed and not offered, unless CABINET_FEES_UNCONFIRMED_TEMPLATES names it",
            "question: 4 fees depend on how resolution 1133 is read. CABINET_FEES_READING is whole. Ask your registrar, and set it:",
            "  entity-change-6h: surcharge 3000.00, whole 2000.00",
            "  entity-change-2h: surcharge 5990.00, whole 4990.00",
            "  proprietor-change-6h: surcharge 1000.00, whole 670.00",
            "  proprietor-change-2h: surcharge 1990.00, whole 1660.00",
        ] {
            assert!(told.lines().any(|one| one == line), "{line}: {told}");
        }
        assert!(told.lines().any(|line| line.starts_with("note: terms.csv:") && line.contains("unconfirmed: the budget code: 22010300")), "{told}");
        assert!(told.ends_with("The reference data was replaced: version 2 is in force.
"), "{told}");

        let told = load(&[("CABINET_FEES_READING", "surcharge"), ("CABINET_FEES_UNCONFIRMED_TEMPLATES", "purchase-levy")]);
        assert!(told.contains("CABINET_FEES_READING is surcharge"), "{told}");
        assert!(told.contains("purchase-levy is unconfirmed and offered"), "{told}");
        let wrong = complained(&cabinet(&app, &["reference", "load", dir, "--reason", "a test", "--yes"], &[("CABINET_FEES_READING", "double")]));
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
            said(&cabinet(&app, &["reference", "load", dir, "--reason", "a test", "--yes"], &[]));
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

    async fn an_account_of_the_budget_is_changed_in_sight_with_a_reason(app: TestApp) {
        let folder = starter_tables(app.database_folder().unwrap());
        let dir = folder.to_str().unwrap();
        let load = |more: &[&str]| cabinet(&app, &[&["reference", "load", dir][..], more].concat(), &[]);
        let versions = || app.rows("reference_versions");
        let (old, new) = ("UA848999980999022012600300051", "UA768999980999022012600300001");

        // A commercial account takes no money of the budget.
        let starter = std::fs::read_to_string(folder.join("requisites.csv")).unwrap();
        edit(&folder, "requisites.csv", |text| text.replace(old, "UA223052990000026001234567890"));
        let told = complained(&load(&["--reason", "a letter", "--yes"]));
        assert!(told[0].contains("requisites.csv:") && told[0].ends_with("a budget code takes only an account at the Treasury, and the bank 305299 is not marked as one in banks.csv"), "{told:?}");
        assert_eq!(versions().await, 1);

        // Another account of the Treasury, and a fee with a slip of the point.
        std::fs::write(folder.join("requisites.csv"), &starter).unwrap();
        edit(&folder, "requisites.csv", |text| {
            let is_old = |row: &&str| !row.starts_with("ua-30-holosiivskyi-22012600-2025,");
            let rows = text.lines().filter(is_old).map(|row| format!("{row}\n"));
            rows.collect::<String>().replace(old, new)
        });
        edit(&folder, "option-tariffs.csv", |text| text.replace("information-paper,80.00,2026-01-01", "information-paper,800.00,2026-01-01"));
        // A reason is asked for, and without a terminal nobody answers.
        assert!(complained(&load(&["--yes"])).concat().contains("--reason"));
        let asked = load(&["--reason", "letter 12 of the Treasury"]);
        let refused = String::from_utf8_lossy(&asked.stderr);
        assert!(!asked.status.success() && refused.contains("without a terminal nobody can be asked"), "{refused}");
        assert_eq!(versions().await, 1);
        let seen = String::from_utf8(asked.stdout).unwrap();
        let changed = format!("  changed ua-30-holosiivskyi-22012600-2026: iban from «{old}» to «{new}» (LOOK: money goes elsewhere)");
        let lines: Vec<&str> = seen.lines().collect();
        assert_eq!(lines[..2], ["requisites.csv: 2 changes", &changed], "{seen}");
        assert!(seen.contains("fee from 80.00 UAH to 800.00 UAH (LOOK: by more than a third)"), "{seen}");

        let told = said(&load(&["--reason", "letter 12 of the Treasury", "--yes"]));
        assert!(told.contains(&changed) && told.ends_with("The reference data was replaced: version 2 is in force.\n"), "{told}");
        // The event has what changed, and why.
        let trail = said(&cabinet(&app, &["audit", "show", "--since", "2026-01-01"], &[]));
        let event = trail.lines().find(|line| line.contains("reference_version 2")).unwrap();
        for part in [&changed[2..], "changes: 3", "operator_reason: letter 12 of the Treasury"] {
            assert!(event.contains(part), "{part}: {event}");
        }
        // What was in force can be seen, compared and brought back.
        let listed = said(&cabinet(&app, &["reference", "versions"], &[]));
        assert!(listed.starts_with("2  ") && listed.lines().next().unwrap().ends_with("letter 12 of the Treasury"), "{listed}");
        assert_eq!(listed.lines().count(), 2);
        assert!(said(&cabinet(&app, &["reference", "show"], &[])).contains(new));
        let shown = said(&cabinet(&app, &["reference", "show", "1"], &[]));
        assert!(shown.starts_with("version 1\n") && shown.contains(old), "{shown}");
        let back = said(&cabinet(&app, &["reference", "diff", "2", "1"], &[]));
        assert!(back.contains(&format!("iban from «{new}» to «{old}»")), "{back}");
        assert_eq!(said(&cabinet(&app, &["reference", "diff", dir, "2"], &[])), "The tables do not differ.\n");
        let restored = said(&cabinet(&app, &["reference", "restore", "1", "--reason", "the letter was forged", "--yes"], &[]));
        assert!(restored.ends_with("version 3 is in force.\n"), "{restored}");
        assert_eq!(said(&cabinet(&app, &["reference", "diff", "1", "3"], &[])), "The tables do not differ.\n");
        assert!(complained(&cabinet(&app, &["reference", "show", "9"], &[])).concat().contains("there is no version 9"));
    }
}
