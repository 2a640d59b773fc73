//! The price of a payment: amount, commission and their sum, for one unit.
//!
//! Specification, point 9, and readings, "Money and tariff": `admin_payment` has two parts, 60 % and 40 % of the amount,
//! each with a commission of its own; every other kind has one. A commission is a part of the amount rounded half away
//! from zero to the kopiyka, but at least the tariff's minimum.

use crate::{Count, Money, MoneyError, PaymentKind, Percent, Tariff};

/// The price of one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// What the recipients get (`amount`, `sum_base`).
    pub amount: Money,
    /// What the service charges.
    pub commission: Money,
    /// Both together (`sum`, `sum_full`).
    pub sum: Money,
    /// The amount by who gets it; adds up to the amount, and the commissions to the commission.
    pub parts: Vec<PricePart>,
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

/// Who gets a part of the amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartRole {
    /// The notary, on the account of the profile: 60 % of an administrative fee.
    Notary,
    /// The recipient of the payment.
    Recipient,
}

impl PartRole {
    /// The name in storage.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Notary => "notary",
            Self::Recipient => "recipient",
        }
    }

    /// Reads a name; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Notary, Self::Recipient]
            .into_iter()
            .find(|role| role.as_str() == text)
    }
}

impl Price {
    /// What so many units cost together (`sum_total`).
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`].
    pub fn total(&self, count: Count) -> Result<Money, MoneyError> {
        self.sum.times(count)
    }
}

/// Computes the price of one unit.
///
/// # Errors
/// [`MoneyError::Zero`] for an amount of nothing, [`MoneyError::TooLarge`] where the sum passes [`Money::MAX`].
pub fn price(kind: PaymentKind, amount: Money, tariff: &Tariff) -> Result<Price, MoneyError> {
    if amount.is_zero() {
        return Err(MoneyError::Zero);
    }
    let shares = match kind {
        PaymentKind::AdminPayment => {
            let (notary, recipient) = amount.share(Percent::NOTARY_SHARE);
            vec![(PartRole::Notary, notary), (PartRole::Recipient, recipient)]
        }
        PaymentKind::AdminGovernmentPayment
        | PaymentKind::RegistryPayment
        | PaymentKind::RequisitesPayment => vec![(PartRole::Recipient, amount)],
    };
    let parts = shares
        .into_iter()
        .map(|(role, amount)| {
            Ok(PricePart {
                role,
                amount,
                commission: commission(amount, tariff)?,
            })
        })
        .collect::<Result<Vec<_>, MoneyError>>()?;
    let commission = Money::sum(parts.iter().map(|part| part.commission))?;
    Ok(Price {
        amount,
        commission,
        sum: amount.plus(commission)?,
        parts,
    })
}

/// The commission of one part.
fn commission(amount: Money, tariff: &Tariff) -> Result<Money, MoneyError> {
    Ok(amount
        .basis_points(tariff.basis_points)?
        .max(tariff.minimum))
}
