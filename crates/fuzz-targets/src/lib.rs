//! What must hold for each parser of bytes from outside, whatever the bytes are.
//!
//! Each target is a function of bytes that panics where a rule is broken. `fuzz/` lets libFuzzer look for such bytes
//! (`make fuzz`). The files of `fuzz/corpus/<target>/` are replayed by an ordinary test.
#![expect(
    clippy::unwrap_used,
    reason = "a panic is how a target says that a rule is broken"
)]

mod answers;
mod bank;
mod bank_files;
mod cards;
mod codes;
mod frames;
mod headers;
mod invoices;
mod liqpay;
mod mail;
mod passkeys;
mod sheets;
mod sums;
mod tables;
mod texts;
mod voice;

/// A target: its name, which is also its folder in `fuzz/corpus`, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 29] = [
    ("amount", sums::amount),
    ("bank_answers", bank::answers),
    ("bank_file_lists", bank_files::lists),
    ("bank_file_messages", bank_files::messages),
    ("bank_file_statement", bank_files::statement),
    ("bank_reports", bank::reports),
    ("bank_statement", bank::statement),
    ("cards", cards::cards),
    ("cards_in_disguise", cards::in_disguise),
    ("codes", codes::codes),
    ("headers", headers::headers),
    ("iban", codes::iban),
    ("liqpay_answers", liqpay::answers),
    ("liqpay_archive", liqpay::archive),
    ("liqpay_callbacks", liqpay::callbacks),
    ("liqpay_strange_callbacks", liqpay::strange_callbacks),
    ("names", texts::names),
    ("passkeys", passkeys::passkeys),
    ("payment_sheet", sheets::payment_sheet),
    ("phone", codes::phone),
    ("purpose", texts::purpose),
    ("realtime_frames", frames::frames),
    ("reference_tables", tables::reference),
    ("sms_answers", answers::sms),
    ("sms_club_answers", answers::sms_club),
    ("smtp_answers", mail::answers),
    ("transfer_table", tables::transfers),
    ("voice_answers", voice::answers),
    ("voice_callbacks", voice::callbacks),
];

/// Returns the target of a name.
#[must_use]
pub fn target(name: &str) -> Option<fn(&[u8])> {
    TARGETS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, run)| *run)
}

/// Returns the bytes as text. Everything that reads bytes reads UTF-8 and refuses the rest before it parses.
fn text_of(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
