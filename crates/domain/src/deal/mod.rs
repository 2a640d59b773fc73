//! Words of deals: who pays, what a percentage is taken of, and what is done with a payment.

pub(crate) mod record;
pub(crate) mod shares;

use crate::Money;
use crate::kernel::words::words;

words! {
    /// The party to a deal who owes a payment. Each payer has a group of the cart.
    DealParty {
        /// Sells property.
        Seller = "seller",
        /// Buys property.
        Buyer = "buyer",
        /// Gives property as a gift.
        Donor = "donor",
        /// Receives a gift.
        Donee = "donee",
        /// Inherits.
        Heir = "heir",
        /// Mortgages property.
        Mortgagor = "mortgagor",
        /// Acquires a right of use, as a tenant does.
        Tenant = "tenant",
        /// Gives a power of attorney, makes a will, or asks for another act.
        Principal = "principal",
        /// The legal entity or sole proprietor whose data in the register change.
        Registrant = "registrant",
    }
}

words! {
    /// A sum that a kind of deal asks for.
    DealSum {
        /// The price by the contract.
        Price = "price",
        /// The registered valuation.
        Valuation = "valuation",
        /// The part of the price that is for the building, where its land is sold with it.
        BuildingPrice = "building_price",
        /// The documented costs of what is sold.
        Costs = "costs",
    }
}

words! {
    /// How a sum that a deal may leave out changes the base of a percentage.
    DealAdjustment {
        /// The price of the building stands instead of the whole price.
        BuildingPrice = "building_price",
        /// The documented costs are taken off.
        Costs = "costs",
    }
}

impl DealAdjustment {
    /// Returns the sum.
    #[must_use]
    pub const fn sum(self) -> DealSum {
        match self {
            DealAdjustment::BuildingPrice => DealSum::BuildingPrice,
            DealAdjustment::Costs => DealSum::Costs,
        }
    }

    /// Returns the base after the change: never below zero.
    #[must_use]
    pub fn of(self, base: Money, named: Money) -> Money {
        match self {
            DealAdjustment::BuildingPrice => named,
            DealAdjustment::Costs => base.minus(named).unwrap_or(Money::ZERO),
        }
    }
}

words! {
    /// For what of a deal a fee is owed once.
    DealUnit {
        /// For each object.
        Object = "object",
        /// For each share in each object that somebody acquires.
        Share = "share",
    }
}

words! {
    /// What a percentage is taken of.
    DealBase {
        /// The price by the contract.
        Price = "price",
        /// The registered valuation.
        Valuation = "valuation",
        /// The larger of the two.
        Larger = "larger",
    }
}

words! {
    /// What a calculation says of a payment of a deal.
    DealState {
        /// A sum is owed.
        Due = "due",
        /// Nothing is owed; the ground says why.
        Nothing = "nothing",
        /// It is owed, but the tables don't tell the sum.
        Unknown = "unknown",
    }
}

words! {
    /// What is to be done with a payment of a deal.
    DealAction {
        /// It goes into the cart with the sum of the calculation.
        Add = "add",
        /// It goes into the cart with a sum that the notary entered.
        OtherSum = "other_sum",
        /// It is left out.
        LeaveOut = "leave_out",
    }
}

impl DealBase {
    /// Returns the sums that must be known.
    #[must_use]
    pub const fn sums(self) -> &'static [DealSum] {
        match self {
            DealBase::Price => &[DealSum::Price],
            DealBase::Valuation => &[DealSum::Valuation],
            DealBase::Larger => &[DealSum::Price, DealSum::Valuation],
        }
    }
}
