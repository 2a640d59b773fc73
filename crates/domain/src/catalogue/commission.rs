//! The price of a payment: amount, commission and their sum, for one unit.
//!
//! `admin_payment` has two parts, the notary's share ([`Percent::NOTARY_SHARE`]) and the rest, each with a commission of its own;
//! every other kind has one part (specification, point 9). A commission is a percentage of its part, rounded half away from
//! zero to the kopiyka, but at least the tariff's minimum (specification, "Readings: money and tariff").

use crate::kernel::words::words;
use crate::{Count, Money, MoneyError, PaymentKind, Percent, Tariff};

/// The price of one unit, with the tariff it was computed by. Only [`price`] and [`Price::stored`] make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Price {
    /// What the recipients get (`amount`, `sum_base`).
    pub amount: Money,
    /// What the service charges.
    pub commission: Money,
    /// Both together (`sum`, `sum_full`).
    pub sum: Money,
    /// The tariff, in hundredths of a percent of the amount.
    pub tariff_basis_points: i64,
    /// The minimal commission of a part by the tariff.
    pub tariff_minimum: Money,
}

/// One part of a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PricePart {
    /// Who gets it.
    pub role: PartRole,
    /// What that one gets.
    pub amount: Money,
    /// What the service charges for it.
    pub commission: Money,
}

words! {
    /// Who gets a part of the amount.
    PartRole {
        /// The notary, who gets [`Percent::NOTARY_SHARE`] of an administrative fee on the account that the item names. The form
        /// suggests the account of the profile; another one can be typed for one payment.
        Notary = "notary",
        /// The recipient of the payment.
        Recipient = "recipient",
    }
}

impl Price {
    /// Restores a stored price. Only the sum is computed; the rest stays as it was on the day of the payment.
    ///
    /// # Errors
    /// Returns [`MoneyError::TooLarge`] if amount and commission together exceed [`Money::MAX`].
    pub fn stored(
        amount: Money,
        commission: Money,
        tariff_basis_points: i64,
        tariff_minimum: Money,
    ) -> Result<Self, MoneyError> {
        Ok(Self {
            amount,
            commission,
            sum: amount.plus(commission)?,
            tariff_basis_points,
            tariff_minimum,
        })
    }

    /// Returns the price of so many units (`sum_total`).
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`].
    pub fn total(&self, count: Count) -> Result<Money, MoneyError> {
        self.sum.times(count)
    }

    /// Returns the parts of the amount by recipient, each with its commission by the stored tariff. The parts add up to
    /// the amount.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`].
    pub fn parts(&self, kind: PaymentKind) -> Result<Vec<PricePart>, MoneyError> {
        parts(
            kind,
            self.amount,
            self.tariff_basis_points,
            self.tariff_minimum,
        )
    }
}

/// Computes the price of one unit.
///
/// # Errors
/// Returns [`MoneyError::Zero`] for an amount of zero, [`MoneyError::TooLarge`] if the sum exceeds [`Money::MAX`].
pub fn price(kind: PaymentKind, amount: Money, tariff: &Tariff) -> Result<Price, MoneyError> {
    if amount.is_zero() {
        return Err(MoneyError::Zero);
    }
    let parts = parts(kind, amount, tariff.basis_points, tariff.minimum)?;
    let commission = Money::sum(parts.iter().map(|part| part.commission))?;
    Price::stored(amount, commission, tariff.basis_points, tariff.minimum)
}

fn parts(
    kind: PaymentKind,
    amount: Money,
    basis_points: i64,
    minimum: Money,
) -> Result<Vec<PricePart>, MoneyError> {
    let shares = if kind.has_notary_share() {
        let (notary, recipient) = amount.share(Percent::NOTARY_SHARE);
        vec![(PartRole::Notary, notary), (PartRole::Recipient, recipient)]
    } else {
        vec![(PartRole::Recipient, amount)]
    };
    shares
        .into_iter()
        .map(|(role, amount)| {
            Ok(PricePart {
                role,
                amount,
                commission: amount.basis_points(basis_points)?.max(minimum),
            })
        })
        .collect()
}
