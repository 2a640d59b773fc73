//! Tables: the reference data, and the bank's answer to a list of transfers.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_app::transfer::read_rows;
use cabinet_domain::{
    Count, Locale, Money, NotaryStatus, PaymentKind, TransferStatus, names_payment_card,
};
use cabinet_reference::{
    DealFault, DealRequest, Difference, ReferenceData, TableSet, difference, parse,
};
use jiff::civil::date;

/// What marks the name of a file in the input.
const FILE_MARK: &str = "== ";

/// A set of tables is refused with every bad row, or answers every question. The input is several files, each after a line
/// `== name`.
pub fn reference(bytes: &[u8]) {
    let Some(text) = crate::text_of(bytes) else {
        return;
    };
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut name = None;
    for line in text.split_inclusive('\n') {
        if let Some(named) = line.strip_prefix(FILE_MARK) {
            name = Some(named.trim().to_owned());
        } else if let Some(name) = &name {
            files.entry(name.clone()).or_default().push_str(line);
        }
    }
    match parse(&files) {
        Ok(data) => {
            ask_everything(&data);
            let set = TableSet {
                files: &files,
                data: &data,
            };
            assert_eq!(difference(set, set), Difference::default());
        }
        Err(bad) => {
            assert!(!bad.is_empty());
            for row in bad {
                let lines = files.get(&row.file).map_or(0, |text| text.lines().count());
                assert!(row.line <= lines.max(1), "{row}");
            }
        }
    }
}

/// Asks whatever may be asked, so that a wrongly accepted row shows itself.
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
                        for requisite in data.requisites(region.id(), payment_type.id(), code, day)
                        {
                            assert_eq!(
                                data.requisite(requisite.id()).unwrap().id(),
                                requisite.id()
                            );
                        }
                    }
                }
            }
        }
        for kind in data.deal_kinds() {
            let answers = data.deal_facts(kind.id()).filter_map(|fact| {
                let answer = data.deal_answers(fact.id()).next()?;
                Some((fact.id().clone(), answer.id().clone()))
            });
            let deal = DealRequest {
                kind: kind.id().clone(),
                price: Some(Money::MAX),
                valuation: Some(Money::ZERO),
                building_price: None,
                costs: Some(Money::MAX),
                objects: Count::MAX,
                owners: Count::ONE,
                payers: None,
                answers: answers.collect(),
            };
            for status in NotaryStatus::ALL {
                // Its only fault can be that the kind has no rules on the day.
                match data.calculate(&deal, status, day) {
                    Ok(calculation) => assert!(!calculation.lines.is_empty()),
                    Err(faults) => assert_eq!(faults, [DealFault::KindUnknown]),
                }
            }
        }
        for row in data.stale_rows(day) {
            assert!(row.stale.valid_from.year() < day.year());
        }
        for term in data.disputed_terms(day) {
            assert!(data.term_tax(&term.id, day).is_some());
        }
        for template in data.templates(day) {
            assert!(!template.purpose_for("Олена", "3068208400").is_empty());
        }
    }
}

/// A bank's answer is refused with every bad row, or each of its rows names another transfer, a status that may be given,
/// and a reason exactly where one belongs.
pub fn transfers(bytes: &[u8]) {
    let Some(text) = crate::text_of(bytes) else {
        return;
    };
    for status_of_all in [None, Some(TransferStatus::Sent)] {
        let rows = match read_rows(text, status_of_all) {
            Ok(rows) => rows,
            Err(bad) => {
                assert!(!bad.is_empty());
                assert!(
                    bad.iter()
                        .all(|row| row.line >= 1 && row.line <= text.lines().count().max(1))
                );
                continue;
            }
        };
        assert!(!rows.is_empty());
        let known: BTreeSet<_> = rows.iter().map(|row| row.transfer).collect();
        assert_eq!(known.len(), rows.len());
        for row in rows {
            assert!(!matches!(
                row.status,
                TransferStatus::Planned | TransferStatus::CalledOff
            ));
            assert!(row.bank.credited_on.is_none() || row.status != TransferStatus::Sent);
            assert!(row.bank.returned_on.is_none() || row.status == TransferStatus::Returned);
            assert_eq!(row.reason.is_some(), row.status == TransferStatus::Returned);
            assert!(status_of_all.is_none_or(|status| row.status == status));
            assert!(!row.reason.as_deref().is_some_and(names_payment_card));
        }
    }
}
