//! The four kinds of payments (specification, points 1 and 3).

/// The kind of a payment. It decides where the amount comes from, how the commission is computed and who receives the
/// money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PaymentKind {
    /// Administrative fee of a private notary: 60 % goes to the notary's own account, 40 % to the budget.
    AdminPayment,
    /// Administrative fee of a state notary: the whole fee goes to the budget.
    AdminGovernmentPayment,
    /// Fee for the use of a state register.
    RegistryPayment,
    /// Payment to any requisites, with the amount named by the notary.
    RequisitesPayment,
}

impl PaymentKind {
    /// All kinds, in the order of the list on the payment form.
    pub const ALL: [Self; 4] = [
        Self::AdminPayment,
        Self::AdminGovernmentPayment,
        Self::RegistryPayment,
        Self::RequisitesPayment,
    ];

    /// Returns the name on the wire and in storage.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::AdminPayment => "admin_payment",
            Self::AdminGovernmentPayment => "admin_government_payment",
            Self::RegistryPayment => "registry_payment",
            Self::RequisitesPayment => "requisites_payment",
        }
    }

    /// Parses a slug; `None` for anything else.
    #[must_use]
    pub fn from_slug(slug: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.slug() == slug)
    }

    /// Returns whether a term of the option must be chosen; the amount is then the tax of the term (specification,
    /// points 5 and 9).
    #[must_use]
    pub const fn needs_term(self) -> bool {
        matches!(self, Self::AdminPayment | Self::AdminGovernmentPayment)
    }

    /// Returns whether a part of the amount is the notary's ([`crate::Percent::NOTARY_SHARE`]). Such a payment names the
    /// notary's own account and code.
    #[must_use]
    pub const fn has_notary_share(self) -> bool {
        matches!(self, Self::AdminPayment)
    }

    /// Returns whether amount and recipient come from the request and not from the reference data.
    #[must_use]
    pub const fn is_free_form(self) -> bool {
        matches!(self, Self::RequisitesPayment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_its_own_slugs_and_nothing_else() {
        for kind in PaymentKind::ALL {
            assert_eq!(PaymentKind::from_slug(kind.slug()), Some(kind));
        }
        assert_eq!(PaymentKind::from_slug("Admin_Payment"), None);
        assert_eq!(PaymentKind::from_slug(""), None);
    }

    #[test]
    fn only_admin_kinds_have_terms_and_only_the_private_one_an_own_account() {
        let with_term: Vec<_> = PaymentKind::ALL
            .into_iter()
            .filter(|kind| kind.needs_term())
            .collect();
        assert_eq!(
            with_term,
            [
                PaymentKind::AdminPayment,
                PaymentKind::AdminGovernmentPayment
            ]
        );
        let with_account: Vec<_> = PaymentKind::ALL
            .into_iter()
            .filter(|kind| kind.has_notary_share())
            .collect();
        assert_eq!(with_account, [PaymentKind::AdminPayment]);
    }
}
