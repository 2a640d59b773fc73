//! What the bank writes for its customer: status reports, statements and notifications.

mod entries;
mod pain002;
mod privat24;

pub(super) use entries::{notification, statement};
pub(super) use pain002::status_report;
pub(super) use privat24::table;

use cabinet_domain::kyiv_time;
use jiff::Timestamp;

use super::instruction::Reason;
use super::xml::Element;

/// Formats a moment in Kyiv time with its offset, as ISO 20022 does.
fn date_time(at: Timestamp) -> String {
    kyiv_time(at).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

fn document(message: &str, content: Element) -> Element {
    let namespace = format!("urn:iso:std:iso:20022:tech:xsd:{message}");
    Element::node("Document", [content]).with("xmlns", &namespace)
}

/// Returns a reason: its code, and the bank's words in pieces of at most 105 characters.
fn reason(name: &str, reason: &Reason) -> Element {
    let mut parts = vec![Element::path("Rsn/Cd", &reason.code)];
    let words: Vec<char> = reason.text.chars().collect();
    let pieces = words
        .chunks(105)
        .map(|piece| piece.iter().collect::<String>());
    parts.extend(pieces.map(|piece| Element::leaf("AddtlInf", piece)));
    Element::node(name, parts)
}
