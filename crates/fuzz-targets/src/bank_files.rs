//! Files of banks, and lists for them.

use cabinet_bank_files::{BankFile, Entry, Fact, read};
use cabinet_domain::{BankAnswer, names_payment_card};

/// Longest reason that is stored, in characters.
const REASON_CHARS_MAX: usize = 300;

/// pain.002, camt.053 and camt.054: refused with the lines of all findings, or entries of which everything can be stored.
pub fn messages(bytes: &[u8]) {
    check(bytes);
}

/// The statement of Privat24, as [`messages`].
pub fn statement(bytes: &[u8]) {
    check(bytes);
}

/// The lists that the cabinet writes in other formats, as [`messages`].
pub fn lists(bytes: &[u8]) {
    check(bytes);
}

fn check(bytes: &[u8]) {
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
    match read(bytes) {
        Ok(BankFile::Answers(entries)) => {
            entries.iter().for_each(|entry| check_entry(entry, lines));
        }
        Ok(BankFile::List(list)) => {
            assert!(!list.is_empty());
            for listed in list {
                assert!((1..=lines).contains(&listed.line));
                assert!((0..=9_999_999_999).contains(&listed.document_number));
            }
        }
        // `transfer_table` goes on with it.
        Ok(BankFile::Table(text)) => assert!(text.contains("transfer_id")),
        Err(findings) => {
            assert!(!findings.is_empty());
            for finding in findings {
                assert!((1..=lines).contains(&finding.line), "{finding}");
            }
        }
    }
}

fn check_entry(entry: &Entry, lines: usize) {
    assert!((1..=lines).contains(&entry.line));
    let references = &entry.references;
    assert!(
        references
            .document_number
            .is_none_or(|number| (0..=9_999_999_999).contains(&number))
    );
    if let Some(reference) = &references.bank_reference {
        let chars = reference.as_str().chars().count();
        assert!((1..=BankAnswer::REFERENCE_CHARS_MAX).contains(&chars));
    }
    match &entry.fact {
        Fact::Returned { reason, .. }
        | Fact::Reversed { reason }
        | Fact::CameIn { reason, .. }
        | Fact::Refused { reason, .. } => {
            assert!((1..=REASON_CHARS_MAX).contains(&reason.chars().count()));
            assert!(!names_payment_card(reason));
            assert!(!reason.contains(['\n', '\r', '\0']));
        }
        Fact::UnderWay { .. } | Fact::Credited { .. } | Fact::Other(_) | Fact::Unread(_) => {}
    }
}
