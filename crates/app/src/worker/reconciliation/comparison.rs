//! The result of a comparison with the acquirer's statement.

/// The result of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Charges on the statement that are known here with the same content.
    pub agreeing: usize,
    /// Charges or refunds that were not known here and are now.
    pub made_good: usize,
    /// Charges on the statement that belong to no order here.
    pub unknown: usize,
    /// Charges whose sum or currency is not ours.
    pub different: usize,
    /// Payments here that are not on the statement.
    pub lacking: usize,
    /// Charges whose invoice could not be asked about. Their day is compared again, or the search after a restore.
    pub unasked: usize,
    /// Charges whose order can't be read or settled. Each has an alarm.
    pub unsettled: usize,
}

impl Comparison {
    /// Adds the counts of another comparison.
    pub(super) fn add(&mut self, other: Comparison) {
        self.agreeing += other.agreeing;
        self.made_good += other.made_good;
        self.unknown += other.unknown;
        self.different += other.different;
        self.lacking += other.lacking;
        self.unasked += other.unasked;
        self.unsettled += other.unsettled;
    }

    /// Logs what was found.
    pub(super) fn log(&self) {
        tracing::info!(
            agreeing = self.agreeing,
            made_good = self.made_good,
            unknown = self.unknown,
            different = self.different,
            lacking = self.lacking,
            unsettled = self.unsettled,
            "Our payments were compared with the acquirer's statement"
        );
    }
}
