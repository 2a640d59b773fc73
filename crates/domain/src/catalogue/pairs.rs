//! What belongs together: an account and its owner's code, an account and a budget code.
//!
//! Since 10.11.2025 the Treasury credits a payment only where account and code of the recipient match, and sends any other back.

use std::collections::BTreeSet;

use crate::{BudgetCode, Iban, Inn, InnKind, Key, Line, Okpo};

/// What the reference data tell of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownAccount {
    /// The recipient's code.
    pub okpo: Okpo,
    /// The budget codes that the account takes; empty where the recipient is not the budget.
    pub budget_codes: BTreeSet<BudgetCode>,
}

impl Okpo {
    /// Parses the code of a recipient and checks it against the account. `iban` is `None` while the account is not known.
    ///
    /// An account of the reference data takes only the code it stands with. Any other account of the Treasury takes an EDRPOU with a
    /// right check digit: persons have no accounts there.
    ///
    /// # Errors
    /// As [`Okpo::parse`]; [`Key::OkpoNotForTreasury`], also for a document's number beside a Treasury account;
    /// [`Key::OkpoNotForAccount`].
    pub fn of_recipient(
        text: &str,
        iban: Option<&Iban>,
        known: Option<&KnownAccount>,
    ) -> Result<Self, Key> {
        let is_treasury = iban.is_some_and(Iban::is_treasury);
        let okpo = match Self::parse(text) {
            Err(Key::OkpoInvalid) if is_treasury => return Err(Key::OkpoNotForTreasury),
            read => read?,
        };
        if known.is_some_and(|account| account.okpo == okpo) {
            Ok(okpo)
        } else if is_treasury && (okpo.is_person() || okpo.check().is_some()) {
            Err(Key::OkpoNotForTreasury)
        } else if known.is_some() {
            Err(Key::OkpoNotForAccount)
        } else {
            Ok(okpo)
        }
    }

    /// Returns the code that the own account of a notary must have: that of the person she is. `None` where the profile does not tell
    /// it: a state notary may have an office's code there, and some people have no tax id.
    #[must_use]
    pub fn of_notary(inn: Option<&Inn>, okpo: Option<&Self>) -> Option<Self> {
        match inn {
            Some(inn) if inn.kind() == InnKind::TaxId => Self::parse(inn.as_str()).ok(),
            _ => okpo.filter(|okpo| okpo.is_person()).cloned(),
        }
    }

    /// Refuses a foreign code for the notary's own account: the transfer would pair her name with it.
    ///
    /// # Errors
    /// [`Key::YourOkpoNotYours`].
    pub fn own_code_rule(&self, notary: Option<&Self>) -> Result<(), Key> {
        match notary {
            Some(own) if own != self => Err(Key::YourOkpoNotYours),
            _ => Ok(()),
        }
    }
}

impl Okpo {
    /// Refuses an office's code for the own account of a private notary: the account of her activity is opened for her as a person.
    /// Only a private notary has a share, so the rule stands wherever one is paid.
    ///
    /// # Errors
    /// [`Key::YourOkpoNotYours`].
    pub fn private_notary_rule(&self) -> Result<(), Key> {
        if self.is_person() {
            Ok(())
        } else {
            Err(Key::YourOkpoNotYours)
        }
    }
}

impl Iban {
    /// Refuses what can't be the notary's own account: one at the Treasury, and one for own needs ([`Iban::balance_code_rule`]).
    ///
    /// # Errors
    /// [`Key::YourIbanIsTreasury`], [`Key::IbanBalanceCodeByOkpoRule`].
    pub fn own_account_rule(&self, okpo: Option<&Okpo>) -> Result<(), Key> {
        if self.is_treasury() {
            return Err(Key::YourIbanIsTreasury);
        }
        okpo.map_or(Ok(()), |okpo| self.balance_code_rule(okpo))
    }
}

impl BudgetCode {
    /// Checks a budget code against the account.
    ///
    /// An account of the reference data takes the codes it stands with. Of any other budget account the recipient's name may tell the
    /// code: the Treasury's names end in it. No code of the budget classification begins with 0.
    ///
    /// # Errors
    /// [`Key::CbcNotForAccount`].
    pub fn account_rule(
        &self,
        iban: &Iban,
        okpo: Option<&Okpo>,
        recipient_name: Option<&Line>,
        known: Option<&KnownAccount>,
    ) -> Result<(), Key> {
        let codes = known
            .map(|account| &account.budget_codes)
            .filter(|codes| !codes.is_empty());
        let fits = match codes {
            Some(codes) => codes.contains(self),
            None if !iban.is_budget_account() => true,
            None => {
                let named = recipient_name.and_then(|name| Self::in_name(name.as_str()));
                // Some names end in the recipient's own code.
                let named =
                    named.filter(|code| okpo.is_none_or(|okpo| okpo.as_str() != code.as_str()));
                !self.as_str().starts_with('0') && named.is_none_or(|code| code == *self)
            }
        };
        if fits {
            Ok(())
        } else {
            Err(Key::CbcNotForAccount)
        }
    }

    /// Returns the budget code in which a recipient's name of the Treasury's form ends: `office/district/22012600`.
    #[must_use]
    pub fn in_name(name: &str) -> Option<Self> {
        let (_, last) = name.rsplit_once('/')?;
        Self::parse(last).ok()
    }
}
