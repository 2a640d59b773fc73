//! Who is owed what out of a paid item (readings, "The 60 %").

/// How far a transfer to a recipient has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransferStatus {
    /// Owed, not sent yet.
    Planned,
    /// Handed to the bank.
    Sent,
    /// On the recipient's account.
    Credited,
    /// Sent back by the bank or the Treasury, with a reason.
    Returned,
}

impl TransferStatus {
    /// All statuses.
    pub const ALL: [Self; 4] = [Self::Planned, Self::Sent, Self::Credited, Self::Returned];

    /// The name on the wire and in storage.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Sent => "sent",
            Self::Credited => "credited",
            Self::Returned => "returned",
        }
    }

    /// Reads a status; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Whether a transfer in this status may take the other one.
    ///
    /// Money that was credited may still be returned; what was returned may be planned anew, with repaired requisites.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Planned, Self::Sent)
                | (Self::Sent, Self::Credited | Self::Returned)
                | (Self::Credited, Self::Returned)
                | (Self::Returned, Self::Planned)
        )
    }
}
