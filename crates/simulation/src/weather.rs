//! What may happen in a history. Each has its own mixture, so that what is rare in one is frequent in another.

use jiff::Timestamp;

use crate::chance::Chance;

/// When histories begin: on an ordinary day, or in the last minutes of a year, at whose turn fees change.
pub(crate) const STARTS: [&str; 2] = ["2026-03-02T09:00:00Z", "2025-12-31T21:45:00Z"];

/// What may happen in a history.
#[derive(Debug)]
pub(crate) struct Weather {
    /// When it begins.
    pub(crate) start: Timestamp,
    /// Of a hundred requests or answers, so many don't get through.
    pub(crate) faults: u32,
    /// The acquirer may refuse to remove an invoice that nobody has paid.
    pub(crate) removals_refused: bool,
    /// Of a hundred reports, so many are never sent.
    pub(crate) reports_lost: u32,
    /// Of a hundred reports, so many are sent twice.
    pub(crate) reports_doubled: u32,
    /// The cabinet ends in the middle of what it does.
    pub(crate) crashes: bool,
    /// How many processes work, each with its worker.
    pub(crate) processes: usize,
    /// An older copy of the database is put back.
    pub(crate) restore: bool,
    /// The cabinet's clock is wrong by up to so many seconds.
    pub(crate) clock_wrong: i64,
    /// The acquirer tells its time with each answer.
    pub(crate) tells_time: bool,
    /// The cabinet's clock jumps.
    pub(crate) clock_jumps: bool,
    /// Money is given back at the acquirer.
    pub(crate) refunds: bool,
    /// Hours pass at once.
    pub(crate) long_waits: bool,
    /// The commission changes.
    pub(crate) tariff_changes: bool,
    /// Notaries have saved cards.
    pub(crate) saved_cards: bool,
    /// At the end the clock is right.
    pub(crate) clock_is_mended: bool,
}

impl Weather {
    pub(crate) fn draw(chance: &mut Chance) -> Weather {
        let start = STARTS[chance.weighted(&[3, 1])];
        Weather {
            start: start.parse().expect("a moment in RFC 3339"),
            faults: [0, 8, 25][chance.weighted(&[2, 4, 1])],
            removals_refused: chance.percent(25),
            reports_lost: [0, 20, 100][chance.weighted(&[3, 2, 1])],
            reports_doubled: [0, 20][chance.weighted(&[1, 1])],
            crashes: chance.percent(50),
            processes: [1, 2][chance.weighted(&[2, 1])],
            restore: chance.percent(25),
            clock_wrong: [0, 30, 1200][chance.weighted(&[4, 2, 3])],
            tells_time: chance.percent(75),
            clock_jumps: chance.percent(15),
            refunds: chance.percent(40),
            long_waits: chance.percent(50),
            tariff_changes: chance.percent(25),
            saved_cards: chance.percent(60),
            clock_is_mended: chance.percent(50),
        }
    }
}
