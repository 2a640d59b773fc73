//! The facts that receipts of an order name. They are recorded at the moment of the payment, because names of people, banks and the
//! operator change later, and a receipt must not.

use std::collections::BTreeMap;
use std::sync::Arc;

use cabinet_domain::payment::{Attempt, Case};
use cabinet_domain::{Iban, Locale, Order, OrderId, Transfer};
use cabinet_receipts::{Fiscal, Provider, SlipTitles, Vat};
use cabinet_reference::ReferenceData;
use cabinet_storage::account::notaries::{self, OwnCodes};
use cabinet_storage::documents::order_receipts;
use cabinet_storage::operator::erasure::{self, ANONYMOUS_NAME};
use cabinet_storage::order::orders;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::catalogue::reference::Reference;
use crate::settings::{AcquirerNames, Operator};

/// A bank's name in both languages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct BankName {
    uk: String,
    en: String,
}

/// The recorded facts. A field that is added later must have a default.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ReceiptFacts {
    pub(super) notary_name: String,
    /// Earlier versions recorded no code of the notary's, no provider, no titles, no VAT and no fiscal registration.
    #[serde(default)]
    pub(super) notary_code: Option<String>,
    #[serde(default)]
    provider_name: Option<String>,
    #[serde(default)]
    provider_code: Option<String>,
    #[serde(default)]
    provider_authorisation: Option<String>,
    #[serde(default)]
    slip_title_accepted: Option<String>,
    #[serde(default)]
    slip_title_confirmed: Option<String>,
    /// As [`Vat::text`] writes it.
    #[serde(default)]
    vat: Option<String>,
    #[serde(default)]
    fiscal_number: Option<String>,
    #[serde(default)]
    prro_number: Option<String>,
    #[serde(default)]
    fiscal_qr_url: Option<String>,
    pub(super) operator_name: String,
    pub(super) operator_code: String,
    pub(super) operator_iban: String,
    pub(super) operator_address: String,
    #[serde(flatten)]
    pub(super) charge: ChargeFacts,
    /// The banks by account.
    banks: BTreeMap<String, BankName>,
}

/// What is recorded of the named charge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ChargeFacts {
    pub(super) acquirer_name: String,
    pub(super) card: Option<String>,
    pub(super) payment_system: Option<String>,
    pub(super) authorisation_code: Option<String>,
    pub(super) rrn: Option<String>,
    /// When it was made, in RFC 3339. Versions that recorded no time printed that of the order.
    #[serde(default)]
    paid_at: Option<String>,
    /// Our reference at the acquirer.
    #[serde(rename = "reference")]
    pub(super) payment_reference: String,
}

impl ChargeFacts {
    /// Returns those of the charge whose time, `paid_at`, and card the order shows. Without a charge nobody is named.
    fn of(case: &Case, paid_at: Option<Timestamp>, names: &AcquirerNames) -> ChargeFacts {
        let charge = case.shown_charge(case.order.status);
        let of_charge = |read: fn(&Attempt) -> Option<String>| charge.and_then(read);
        ChargeFacts {
            acquirer_name: charge
                .map(|charge| names.of(charge.acquirer).to_owned())
                .unwrap_or_default(),
            card: charge
                .and_then(|charge| charge.masked_pan.as_ref())
                .or(case.order.pan.as_ref())
                .map(|pan| pan.as_str().to_owned()),
            payment_system: of_charge(|charge| charge.payment_system.clone()),
            authorisation_code: of_charge(|charge| charge.approval_code.clone()),
            rrn: of_charge(|charge| charge.rrn.clone()),
            paid_at: paid_at.map(|at| at.to_string()),
            payment_reference: charge
                .map(|charge| charge.payment_reference.to_string())
                .unwrap_or_default(),
        }
    }
}

impl ReceiptFacts {
    /// Returns the recorded name of an account's bank.
    pub(super) fn bank_name(&self, iban: &Iban, locale: Locale) -> Option<String> {
        let name = self.banks.get(iban.as_str())?;
        Some(match locale {
            Locale::Uk => name.uk.clone(),
            Locale::En => name.en.clone(),
        })
    }

    /// Returns when the named charge was made: the order's time of payment at the moment of recording.
    pub(super) fn paid_at(&self) -> Option<Timestamp> {
        self.charge.paid_at.as_deref()?.parse().ok()
    }

    /// Whether the named charge has not been given back. Two charges can have the same reference.
    fn names_standing_charge(&self, case: &Case) -> bool {
        case.attempts.iter().any(|attempt| {
            attempt.has_standing_charge()
                && attempt.payment_reference.to_string() == self.charge.payment_reference
                && attempt.rrn == self.charge.rrn
        })
    }

    /// Returns the operator as it was recorded.
    pub(super) fn operator(&self) -> Option<Operator> {
        Some(Operator {
            name: self.operator_name.clone(),
            code: self.operator_code.clone(),
            iban: Iban::parse(&self.operator_iban).ok()?,
            address: self.operator_address.clone(),
            vat: self.vat.as_deref().and_then(Vat::parse).unwrap_or_default(),
            fiscal: Fiscal {
                fiscal_number: self.fiscal_number.clone(),
                prro_number: self.prro_number.clone(),
                fiscal_qr_url: self.fiscal_qr_url.clone(),
            },
            provider: self.provider_name.clone().map(|name| Provider {
                name,
                code: self.provider_code.clone(),
                authorisation: self.provider_authorisation.clone(),
            }),
            slip_titles: SlipTitles {
                accepted: self.slip_title_accepted.clone(),
                confirmed: self.slip_title_confirmed.clone(),
            },
        })
    }
}

/// Whom the receipts of an order name.
#[derive(Debug)]
pub(crate) struct ReceiptParties {
    /// Its notary.
    pub(crate) notary: Option<OwnCodes>,
    /// The accounts that all its transfers go to.
    pub(crate) accounts: Vec<Iban>,
}

impl ReceiptParties {
    /// The notary is not locked: she is locked before her orders, and the order is locked already.
    fn read(tx: &mut Tx, order: &Order) -> Result<ReceiptParties, StorageError> {
        let transfers = transfers::of_order(tx, order.id)?;
        Ok(ReceiptParties {
            notary: notaries::own_codes_of(tx, order.notary_id)?,
            accounts: transfers
                .into_iter()
                .map(|transfer| transfer.planned.payee.iban)
                .collect(),
        })
    }
}

/// Records what receipts name, at the moment of the payment.
#[derive(Clone)]
pub(crate) struct ReceiptFactsRecorder {
    pub(crate) operator: Arc<Operator>,
    pub(crate) acquirer_names: Arc<AcquirerNames>,
    pub(crate) reference: Reference,
}

impl ReceiptFactsRecorder {
    /// Records the facts of an order, whose parties are read unless they are given. It does nothing while the order has no transfers,
    /// because their banks are not known yet. Recorded facts stay, except that the charge is replaced if it was given back and another
    /// charge pays the order now.
    pub(crate) fn record(
        &self,
        tx: &mut Tx,
        order: &Order,
        case: &Case,
        parties: Option<ReceiptParties>,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let parties = match parties {
            Some(parties) => parties,
            None => ReceiptParties::read(tx, order)?,
        };
        if parties.accounts.is_empty() {
            return Ok(());
        }
        let today = self.facts_now(order, case, &parties);
        let text = |facts: &ReceiptFacts| {
            serde_json::to_string(facts).map_err(|error| inconsistent(order, &error))
        };
        if order_receipts::keep(tx, order.id, &text(&today)?, now)? {
            return Ok(());
        }
        match recorded(tx, order)? {
            Some(kept) if case.counting_charge().is_some() && !kept.names_standing_charge(case) => {
                let facts = ReceiptFacts {
                    charge: today.charge,
                    ..kept
                };
                order_receipts::renew(tx, order.id, &text(&facts)?, now)
            }
            _ => Ok(()),
        }
    }

    /// Adds the name of an account's bank to what was recorded, for a transfer that is planned later.
    pub(crate) fn add_bank(
        &self,
        tx: &mut Tx,
        order: &Order,
        iban: &Iban,
    ) -> Result<(), StorageError> {
        let Some(mut facts) = recorded(tx, order)? else {
            return Ok(());
        };
        let Ok(reference) = self.reference.current() else {
            return Ok(());
        };
        let Some(name) = bank_name(&reference, iban) else {
            return Ok(());
        };
        facts.banks.insert(iban.as_str().to_owned(), name);
        let text = serde_json::to_string(&facts).map_err(|error| inconsistent(order, &error))?;
        order_receipts::replace(tx, order.id, &text)
    }

    fn facts_now(&self, order: &Order, case: &Case, parties: &ReceiptParties) -> ReceiptFacts {
        let operator = &self.operator;
        let provider = operator.provider.as_ref();
        // Without reference data banks have no names. The payment is recorded all the same.
        let banks = match self.reference.current() {
            Ok(reference) => banks(&parties.accounts, &reference),
            Err(_) => BTreeMap::new(),
        };
        let notary = parties.notary.as_ref();
        ReceiptFacts {
            notary_name: notary
                .map(|notary| notary.full_name.as_str().to_owned())
                .unwrap_or_default(),
            notary_code: notary
                .and_then(|notary| notary.inn.as_ref())
                .map(|inn| inn.as_str().to_owned()),
            provider_name: provider.map(|provider| provider.name.clone()),
            provider_code: provider.and_then(|provider| provider.code.clone()),
            provider_authorisation: provider.and_then(|provider| provider.authorisation.clone()),
            slip_title_accepted: operator.slip_titles.accepted.clone(),
            slip_title_confirmed: operator.slip_titles.confirmed.clone(),
            vat: Some(operator.vat.text()),
            fiscal_number: operator.fiscal.fiscal_number.clone(),
            prro_number: operator.fiscal.prro_number.clone(),
            fiscal_qr_url: operator.fiscal.fiscal_qr_url.clone(),
            operator_name: operator.name.clone(),
            operator_code: operator.code.clone(),
            operator_iban: operator.iban.as_str().to_owned(),
            operator_address: operator.address.clone(),
            charge: ChargeFacts::of(case, order.paid_at, &self.acquirer_names),
            banks,
        }
    }
}

/// Returns the recorded facts.
pub(super) fn recorded(tx: &mut Tx, order: &Order) -> Result<Option<ReceiptFacts>, StorageError> {
    match order_receipts::of_order(tx, order.id)? {
        Some(text) => serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| inconsistent(order, &error)),
        None => Ok(None),
    }
}

/// Takes the card out of what receipts of an order name, and, where the account was erased, the notary with her bank. The order and
/// its transfers have lost their names already.
pub(crate) fn anonymise_facts(tx: &mut Tx, order: OrderId) -> Result<(), StorageError> {
    let Some(order) = orders::by_id(tx, order)? else {
        return Ok(());
    };
    let Some(mut facts) = recorded(tx, &order)? else {
        return Ok(());
    };
    facts.charge.card = None;
    if erasure::is_notary_erased(tx, order.notary_id)? {
        ANONYMOUS_NAME.clone_into(&mut facts.notary_name);
        facts.notary_code = None;
    }
    let transfers = transfers::of_order(tx, order.id)?;
    facts.banks.retain(|iban, _| {
        let is_payee = |transfer: &Transfer| transfer.planned.payee.iban.as_str() == iban;
        transfers.iter().any(is_payee)
    });
    let text = serde_json::to_string(&facts).map_err(|error| inconsistent(&order, &error))?;
    order_receipts::replace(tx, order.id, &text)
}

fn inconsistent(order: &Order, error: &serde_json::Error) -> StorageError {
    StorageError::Inconsistent {
        table: "order_receipts".to_owned(),
        id: Some(order.id.to_string()),
        column: "facts".to_owned(),
        reason: format!("it is {:?}", error.classify()),
    }
}

fn banks(accounts: &[Iban], reference: &ReferenceData) -> BTreeMap<String, BankName> {
    accounts
        .iter()
        .filter_map(|iban| Some((iban.as_str().to_owned(), bank_name(reference, iban)?)))
        .collect()
}

fn bank_name(reference: &ReferenceData, iban: &Iban) -> Option<BankName> {
    let name = |locale| reference.bank_name(iban, locale).map(str::to_owned);
    Some(BankName {
        uk: name(Locale::Uk)?,
        en: name(Locale::En)?,
    })
}

#[cfg(test)]
mod tests {
    use AcquirerName::{LiqPay, Monobank};
    use cabinet_domain::payment::{
        AcquirerName, AttemptKind, NewAttempt, OrderFacts, PaymentState,
    };
    use cabinet_domain::{AttemptId, CodesState, Money, NotaryId, OrderStatus};
    use jiff::SignedDuration;
    use uuid::Uuid;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds)
    }

    /// An attempt that was charged and given back at these seconds.
    fn attempt(acquirer: AcquirerName, charged: Option<i64>, reversed: Option<i64>) -> Attempt {
        let attempt = NewAttempt {
            id: AttemptId::new(Uuid::from_u128(if acquirer == LiqPay { 2 } else { 1 })),
            order_id: OrderId::new(Uuid::nil()),
            acquirer,
            kind: AttemptKind::Invoice,
            amount: Money::ZERO,
            created_at: at(0),
        };
        Attempt {
            charged_at: charged.map(at),
            reversed_at: reversed.map(at),
            ..attempt.prepared()
        }
    }

    /// Returns the name and our reference on a receipt of an order in this status.
    fn named(status: OrderStatus, attempts: Vec<Attempt>) -> (String, String) {
        let case = Case {
            order: OrderFacts {
                id: OrderId::new(Uuid::nil()),
                notary_id: NotaryId::new(Uuid::nil()),
                status,
                payment_state: PaymentState::Unknown,
                sum: Money::ZERO,
                created_at: at(0),
                paid_at: None,
                failure: None,
                pan: None,
                payment_page_url: None,
                is_returned_to_cart: false,
                is_cancelled: false,
                codes: CodesState::NotGiven,
            },
            attempts,
            refunds: Vec::new(),
            has_money_alarm: false,
        };
        let names = AcquirerNames {
            monobank: "monobank".to_owned(),
            liqpay: "LiqPay".to_owned(),
        };
        let facts = ChargeFacts::of(&case, None, &names);
        (facts.acquirer_name, facts.payment_reference)
    }

    #[test]
    fn a_receipt_names_the_acquirer_whose_charge_its_order_shows() {
        use OrderStatus::{Paid, Refunded};
        let of = |acquirer: AcquirerName| {
            let name = match acquirer {
                Monobank => "monobank",
                LiqPay => "LiqPay",
            };
            let shown = attempt(acquirer, None, None);
            (name.to_owned(), shown.payment_reference.to_string())
        };
        for (one, other) in [(Monobank, LiqPay), (LiqPay, Monobank)] {
            // The list is by when an attempt was begun, which is not when it was charged.
            let earlier = || attempt(one, Some(20), None);
            assert_eq!(
                named(Paid, vec![attempt(other, Some(10), None), earlier()]),
                of(other)
            );
            // The one that was given back last paid the order until then.
            let back = vec![
                attempt(one, Some(10), Some(40)),
                attempt(other, Some(20), Some(30)),
            ];
            assert_eq!(named(Refunded, back), of(one));
            // Money that comes after all was given back does not pay the order.
            let late = vec![
                attempt(one, Some(10), Some(20)),
                attempt(other, Some(30), None),
            ];
            assert_eq!(named(Refunded, late), of(one));
            let unheard = vec![attempt(one, None, Some(30)), attempt(other, None, None)];
            assert_eq!(named(Refunded, unheard), of(one));
        }
        let unpaid = vec![attempt(Monobank, None, None)];
        assert_eq!(named(Refunded, unpaid), (String::new(), String::new()));
    }
}
