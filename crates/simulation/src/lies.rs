//! What the acquirer says of its own data that is not so.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// The longest delay of the statement that the cabinet counts on.
pub(crate) const LATE_MAX: SignedDuration = SignedDuration::from_hours(2);
/// How old the copy is from which a statement comes at times.
pub(crate) const STALE_BY: SignedDuration = SignedDuration::from_hours(26);
/// The shortest time between two such statements. Two of them in succession can't be told from the truth.
pub(crate) const BETWEEN_STALE: SignedDuration = SignedDuration::from_hours(72);

/// A kind of lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lie {
    /// A statement lacked a charge that had been made.
    StatementLate,
    /// One statement came from a copy of the acquirer's data that was a day old, and lacked a charge.
    StatementStale,
    /// The state of an invoice lacked a refund.
    RefundsLate,
    /// An invoice that is known was called unknown.
    Forgotten,
    /// One answer had a wrong `Date`.
    WrongTime,
    /// An answer had a `Date` that was days ahead, as all answers of that hour.
    WrongClock,
}

impl Lie {
    /// All kinds.
    pub const ALL: [Lie; 6] = [
        Lie::StatementLate,
        Lie::StatementStale,
        Lie::RefundsLate,
        Lie::Forgotten,
        Lie::WrongTime,
        Lie::WrongClock,
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
