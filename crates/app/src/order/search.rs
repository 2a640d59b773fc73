//! Which orders a request asks for.

use cabinet_domain::{Key, Line, OrderId, OrderStatus, TextError, kyiv_day_start};
use cabinet_storage::order::order_list::OrderFilter;
use jiff::civil::Date;

use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};

/// Orders of a page by default.
const PAGE_DEFAULT: u32 = 50;
/// Orders of a page at most.
const PAGE_MAX: u32 = 100;
/// Longest text that is searched for, in characters.
const SEARCH_CHARS_MAX: usize = 140;

/// A search for orders as it was requested. Nothing of it is trusted.
#[derive(Default)]
pub struct OrderSearch {
    /// How many orders.
    pub limit: Option<i64>,
    /// `next` of the page before.
    pub before: Option<String>,
    /// Only this status.
    pub status: Option<String>,
    /// Part of a client's name or code, or a number.
    pub text: Option<String>,
    /// First day (Kyiv).
    pub from: Option<String>,
    /// Last day (Kyiv).
    pub to: Option<String>,
}

/// A search whose fields are right.
pub(super) struct ValidSearch {
    pub(super) filter: OrderFilter,
    pub(super) limit: u32,
    /// First and last day (Kyiv).
    pub(super) days: (Option<Date>, Option<Date>),
}

pub(super) fn read_search(
    search: &OrderSearch,
    mut errors: FieldErrors,
) -> Result<ValidSearch, Refusal> {
    let limit = search.limit.map_or(Ok(PAGE_DEFAULT), |limit| {
        u32::try_from(limit)
            .ok()
            .filter(|limit| (1..=PAGE_MAX).contains(limit))
            .ok_or(Key::NumberInvalid)
    });
    let limit = errors.take("limit", limit);
    let before = given(search.before.as_ref())
        .map(|text| OrderId::parse(text).ok_or(Key::IdInvalid))
        .transpose();
    let before = errors.take("before", before);
    let status = given(search.status.as_ref())
        .map(|text| OrderStatus::parse(text).ok_or(Key::StatusInvalid))
        .transpose();
    let status = errors.take("status", status);
    // The beginning of an account may look like the number of a card, and what is searched for is not stored.
    let text = match given(search.text.as_ref()).map(|text| Line::parse(text, SEARCH_CHARS_MAX)) {
        // A text without visible characters searches for nothing.
        None | Some(Err(TextError::Empty)) => None,
        Some(read) => errors
            .take("text", read.map_err(|error| error.key(Key::FieldRequired)))
            .map(Line::into_string),
    };
    let day = |text: Option<&str>| {
        text.map(|text| text.parse::<Date>().map_err(|_| Key::DateInvalid))
            .transpose()
    };
    let from = errors.take("from", day(given(search.from.as_ref())));
    let to = errors.take("to", day(given(search.to.as_ref())));
    if let (Some(Some(from)), Some(Some(to))) = (from, to)
        && to < from
    {
        errors.add("to", Key::PeriodInvalid);
    }
    errors.check()?;
    let (Some(limit), Some(before), Some(status), Some(from), Some(to)) =
        (limit, before, status, from, to)
    else {
        return Err(Refusal::new(RefusalKind::Invalid, Key::ValidationFailed));
    };
    let filter = OrderFilter {
        statuses: status.into_iter().collect(),
        search: text,
        from: from.and_then(kyiv_day_start),
        // The last day is included.
        to: to
            .and_then(|day| day.tomorrow().ok())
            .and_then(kyiv_day_start),
        before,
    };
    Ok(ValidSearch {
        filter,
        limit,
        days: (from, to),
    })
}

/// Returns a text without blanks around it, if anything is left.
fn given(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}
