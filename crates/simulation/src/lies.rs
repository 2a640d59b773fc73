//! What the acquirer says of its own data that is not so.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// A kind of lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lie {
    /// A statement lacked a charge that had been made.
    StatementLate,
    /// The state of an invoice lacked a refund.
    RefundsLate,
    /// An invoice that is known was called unknown.
    Forgotten,
    /// One answer had a wrong `Date`.
    WrongTime,
}

impl Lie {
    /// All kinds.
    pub const ALL: [Lie; 4] = [
        Lie::StatementLate,
        Lie::RefundsLate,
        Lie::Forgotten,
        Lie::WrongTime,
    ];
}

/// Takes out of a statement what is younger than `late`. Returns whether there was something.
pub(crate) fn hide_charges(body: &mut Value, now: Timestamp, late: SignedDuration) -> bool {
    let Some(list) = body["list"].as_array_mut() else {
        return false;
    };
    let before = list.len();
    list.retain(|entry| !is_younger(&entry["date"], now, late));
    list.len() < before
}

/// Takes out of the state of a paid invoice the refunds that are younger than `late`. Returns whether there was one.
pub(crate) fn hide_refunds(body: &mut Value, now: Timestamp, late: SignedDuration) -> bool {
    if body["status"] != "success" {
        return false;
    }
    let Some(list) = body["cancelList"].as_array_mut() else {
        return false;
    };
    let is_hidden = |entry: &Value| is_younger(&entry["createdDate"], now, late);
    let given_back = |entry: &&Value| is_hidden(entry) && entry["status"] == "success";
    let hidden: i64 = list
        .iter()
        .filter(given_back)
        .filter_map(|entry| entry["amount"].as_i64())
        .sum();
    let before = list.len();
    list.retain(|entry| !is_hidden(entry));
    let has_hidden = list.len() < before;
    if let Some(left) = body["finalAmount"].as_i64() {
        body["finalAmount"] = (left + hidden).into();
    }
    has_hidden
}

fn is_younger(written: &Value, now: Timestamp, late: SignedDuration) -> bool {
    let written = written
        .as_str()
        .and_then(|text| text.parse::<Timestamp>().ok());
    written.is_some_and(|at| at > now - late)
}
