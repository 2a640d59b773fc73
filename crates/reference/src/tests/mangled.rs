//! Input that went through spreadsheets, mail and worse.

use std::collections::BTreeMap;

use jiff::civil::date;
use proptest::prelude::*;

use super::{small, starter_files};
use crate::{ReferenceData, parse};
use cabinet_domain::{Locale, PaymentKind};

/// Asks everything that can be asked, so that a wrongly accepted row shows itself.
fn ask_everything(data: &ReferenceData) {
    for day in [
        date(2025, 6, 1),
        date(2026, 6, 1),
        date(-9999, 1, 1),
        date(9999, 12, 31),
    ] {
        for kind in PaymentKind::ALL {
            let payment_type = data.payment_type_of(kind).unwrap();
            for option in data.options(payment_type.id(), day) {
                for locale in Locale::ALL {
                    assert!(!option.name(locale).is_empty());
                }
                for row in data.terms(option.id(), day) {
                    assert!(!row.tax.is_zero());
                    for region in data.regions() {
                        let code = row.term.budget_code();
                        let _ = data.requisites(region.id(), payment_type.id(), code, day);
                    }
                }
            }
        }
        for template in data.templates(day) {
            assert!(!template.purpose_for("Олена", "3068208400").is_empty());
        }
    }
}

/// Reads a set that may be anything; a refusal must name something.
fn read(files: &BTreeMap<String, String>) {
    match parse(files) {
        Ok(data) => ask_everything(&data),
        Err(bad) => assert!(!bad.is_empty()),
    }
}

/// One thing that happens to a file.
#[derive(Clone, Debug)]
enum Mishap {
    Cut {
        at: prop::sample::Index,
        chars: usize,
    },
    Insert {
        at: prop::sample::Index,
        text: String,
    },
    DropLine {
        at: prop::sample::Index,
    },
    RepeatLine {
        at: prop::sample::Index,
    },
    SwapCells {
        at: prop::sample::Index,
    },
    Lose,
}

fn mishap() -> impl Strategy<Value = Mishap> {
    let at = any::<prop::sample::Index>;
    let text = prop_oneof![
        Just(",".to_owned()),
        Just("\"".to_owned()),
        Just("\r\n".to_owned()),
        Just(";".to_owned()),
        Just("{".to_owned()),
        Just("9999-12-31".to_owned()),
        Just("-".to_owned()),
        Just("9".repeat(40)),
        any::<String>(),
    ];
    prop_oneof![
        3 => (at(), 1..40_usize).prop_map(|(at, chars)| Mishap::Cut { at, chars }),
        3 => (at(), text).prop_map(|(at, text)| Mishap::Insert { at, text }),
        1 => at().prop_map(|at| Mishap::DropLine { at }),
        1 => at().prop_map(|at| Mishap::RepeatLine { at }),
        1 => at().prop_map(|at| Mishap::SwapCells { at }),
        1 => Just(Mishap::Lose),
    ]
}

/// Lets a thing happen to a text; `None` if the file is lost.
fn mangle(text: &str, mishap: &Mishap) -> Option<String> {
    let mut chars: Vec<char> = text.chars().collect();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    match mishap {
        Mishap::Lose => return None,
        Mishap::Cut { at, chars: count } => {
            let at = at.index(chars.len() + 1);
            let end = chars.len().min(at + count);
            chars.drain(at..end);
            return Some(chars.into_iter().collect());
        }
        Mishap::Insert { at, text } => {
            let at = at.index(chars.len() + 1);
            chars.splice(at..at, text.chars());
            return Some(chars.into_iter().collect());
        }
        _ if lines.is_empty() => {}
        Mishap::DropLine { at } => {
            lines.remove(at.index(lines.len()));
        }
        Mishap::RepeatLine { at } => {
            let line = lines[at.index(lines.len())].clone();
            lines.push(line);
        }
        Mishap::SwapCells { at } => {
            let line = at.index(lines.len());
            let cells: Vec<&str> = lines[line].split(',').rev().collect();
            lines[line] = cells.join(",");
        }
    }
    Some(lines.join("\n"))
}

proptest! {
    #[test]
    fn mangled_tables_never_panic(
        mishaps in prop::collection::vec((any::<prop::sample::Index>(), mishap()), 1..4)
    ) {
        for mut files in [small::files(), starter_files()] {
            for (which, mishap) in &mishaps {
                let Some(name) = files.keys().nth(which.index(files.len())).cloned() else {
                    break;
                };
                match mangle(&files[&name], mishap) {
                    Some(text) => files.insert(name, text),
                    None => files.remove(&name),
                };
                if files.is_empty() {
                    break;
                }
            }
            read(&files);
        }
    }

    #[test]
    fn any_text_at_all_never_panics(texts in prop::collection::vec(any::<String>(), 17)) {
        let names = small::files().into_keys();
        read(&names.zip(texts).collect());
    }
}

#[test]
fn what_spreadsheets_do_to_a_file_is_tolerated() {
    let plain = parse(&starter_files()).unwrap();
    let mut files = starter_files();
    for (name, text) in &mut files {
        if name.ends_with(".csv") {
            *text = format!("\u{feff}{}\r\n\r\n", text.trim_end().replace('\n', "\r\n"));
        }
    }
    let spread = parse(&files).unwrap();
    assert_eq!(spread.payment_types(), plain.payment_types());
    assert_eq!(spread.regions(), plain.regions());
    let day = date(2026, 6, 1);
    assert_eq!(spread.templates(day), plain.templates(day));

    let mut files = small::files();
    let taxes = files.get_mut("term-taxes.csv").unwrap();
    *taxes = taxes.replace(',', ";").replace("330.00", "330,00");
    let option = cabinet_domain::OptionId::parse("right").unwrap();
    let with_semicolons = parse(&files).unwrap();
    let with_commas = parse(&small::files()).unwrap();
    assert_eq!(
        with_semicolons.terms(&option, day),
        with_commas.terms(&option, day)
    );
}
