//! The faults of a history. Each history has its own mixture, so that what is rare in one is frequent in another.

use jiff::Timestamp;

use crate::chance::Chance;

/// When histories begin: on an ordinary day, or minutes before the new year, when fees change.
pub(crate) const STARTS: [&str; 2] = ["2026-03-02T09:00:00Z", "2025-12-31T21:45:00Z"];

/// The faults of a history.
#[derive(Debug)]
pub(crate) struct Weather {
    /// When it begins.
    pub(crate) start: Timestamp,
    /// Percentage of requests and answers that don't pass.
    pub(crate) faults: u32,
    /// Whether the acquirer may refuse to remove an unpaid invoice.
    pub(crate) removals_refused: bool,
    /// Percentage of reports that are never sent.
    pub(crate) reports_lost: u32,
    /// Percentage of reports that are sent twice.
    pub(crate) reports_doubled: u32,
    /// Whether the cabinet crashes.
    pub(crate) crashes: bool,
    /// How many processes run, each with a worker.
    pub(crate) processes: usize,
    /// Whether an older copy of the database is restored.
    pub(crate) restore: bool,
    /// By how many seconds the cabinet's clock may be wrong.
    pub(crate) clock_wrong: i64,
    /// Whether the acquirer's answers contain its time.
    pub(crate) tells_time: bool,
    /// By how many minutes monobank's statement is late.
    pub(crate) statement_late: i64,
    /// Whether one statement in days comes from an old copy of its data.
    pub(crate) statement_stale: bool,
    /// From which minute on, and for how many, its `Date` is days ahead.
    pub(crate) clock_ahead: Option<(i64, i64)>,
    /// By how many minutes its list of refunds is late.
    pub(crate) refunds_late: i64,
    /// Percentage of its answers that don't know an invoice which it knows.
    pub(crate) forgets: u32,
    /// Percentage of answers whose `Date` alone is wrong.
    pub(crate) wrong_times: u32,
    /// Whether the cabinet's clock jumps.
    pub(crate) clock_jumps: bool,
    /// Whether the acquirer refunds payments.
    pub(crate) refunds: bool,
    /// Whether the support gives money back.
    pub(crate) given_back: bool,
    /// Whether hours may pass at once.
    pub(crate) long_waits: bool,
    /// Whether the commission changes.
    pub(crate) tariff_changes: bool,
    /// Whether notaries have saved cards.
    pub(crate) saved_cards: bool,
    /// Percentage of orders that are paid with a saved card where the notary has one.
    pub(crate) paid_by_card: u32,
    /// Whether new pages are LiqPay's; saved cards stay monobank's.
    pub(crate) liqpay: bool,
    /// Whether the money leaves to the recipients, by way of the operator's bank.
    pub(crate) bank: bool,
    /// Whether clients get links and QR codes.
    pub(crate) clients: bool,
    /// Whether notaries change their carts in several windows.
    pub(crate) carts: bool,
    /// Whether the clock is right at the end.
    pub(crate) clock_is_mended: bool,
}

impl Weather {
    pub(crate) fn generate(chance: &mut Chance) -> Weather {
        let start = STARTS[chance.weighted(&[3, 1])];
        let statement_late = [0, chance.between(1, 90)][chance.weighted(&[1, 1])];
        let refunds_late = [0, chance.between(5, 90)][chance.weighted(&[1, 1])];
        let mut weather = Weather {
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
            given_back: chance.percent(50) || refunds_late > 0,
            liqpay: chance.percent(30),
            bank: false,
            clients: false,
            carts: false,
            statement_late,
            statement_stale: chance.percent(50),
            paid_by_card: 45,
            clock_ahead: None,
            refunds_late,
            forgets: [0, 15][chance.weighted(&[1, 1])],
            wrong_times: [0, 5][chance.weighted(&[1, 1])],
        };
        if chance.percent(30) {
            weather.clock_ahead = Some((chance.between(2, 60), chance.between(5, 90)));
        }
        if weather.statement_stale {
            // Only the charge of a saved card is looked for on the statement.
            weather.saved_cards = true;
            weather.paid_by_card = 90;
        }
        // A restored copy does not know which lists the bank has: the operator compares them by hand.
        weather.bank = chance.percent(80) && !weather.restore;
        weather.clients = chance.percent(75);
        weather.carts = chance.percent(50);
        weather.tariff_changes |= weather.carts && chance.percent(80);
        weather
    }
}
