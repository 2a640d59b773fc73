//! The notary's own part of payments by QR codes, found in the statement of her bank (decision 34).
//!
//! Account, sum, day and purpose decide together, and never one payment out of several: what could be read in two ways is told, not marked.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;

use crate::{Client, Iban, ItemId, Line, Money, OrderId, Uetr};

/// That the notary's part of a payment by QR code is on her account, by the statement of her own bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodesCredit {
    /// The day of crediting.
    pub on: Date,
    /// The bank's reference of the entry. `None` once the names were taken out of the order.
    pub reference: Option<Line>,
}

/// A notary's part of a payment whose QR code was given out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodedPart {
    /// The payment.
    pub item: ItemId,
    /// Its order.
    pub order: OrderId,
    /// The order's number.
    pub number: i64,
    /// For whom was paid.
    pub client: Client,
    /// The notary's account, as the code has it.
    pub account: Iban,
    /// The notary's part, as the code has it.
    pub amount: Money,
    /// The purposes that the code may have: whole, and without the payer's name.
    pub purposes: Vec<String>,
    /// The day (Kyiv) on which the code was first given out. Nobody can have paid by it before.
    pub given_on: Date,
    /// Whether the notary has marked the order as paid by QR codes.
    pub is_marked: bool,
    /// The UETR of the payer's own receipt, if that is what the notary entered.
    pub payer_uetr: Option<Uetr>,
    /// What a statement has told before.
    pub credit: Option<CodesCredit>,
}

/// A booked credit of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementCredit {
    /// The account of the statement.
    pub account: Iban,
    /// The day of crediting.
    pub on: Date,
    /// The sum.
    pub amount: Money,
    /// What is written of it.
    pub text: String,
    /// The end-to-end reference of the banks.
    pub uetr: Option<Uetr>,
    /// The bank's own reference, or else that of all banks. Without one the entry can't be told from another.
    pub reference: Option<Line>,
}

/// What follows from a statement. Places are those of the given parts and credits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundCredits {
    /// Credits that are a part and nothing else.
    pub clear: Vec<FoundCredit>,
    /// The same, of orders that are not marked as paid by QR codes.
    pub unmarked: Vec<FoundCredit>,
    /// Credits that may be one of these parts, or that may be this part beside others.
    pub unclear: Vec<UnclearCredit>,
    /// How many credits have marked a payment before.
    pub known: usize,
    /// How many credits are no part that was asked for.
    pub other: usize,
}

/// A credit that is this part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundCredit {
    /// The place of the credit.
    pub credit: usize,
    /// The place of the part.
    pub part: usize,
}

/// A credit that can't be told for certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnclearCredit {
    /// The place of the credit.
    pub credit: usize,
    /// The places of the parts that it may be.
    pub parts: Vec<usize>,
}

/// Finds the parts that a statement tells as credited. `used`: references under which entries of these accounts have marked a payment before.
#[must_use]
pub fn find_credits(
    parts: &[CodedPart],
    credits: &[StatementCredit],
    used: &HashSet<(Iban, Line)>,
) -> FoundCredits {
    let mut by_sum: HashMap<(&Iban, Money), Vec<usize>> = HashMap::new();
    for (place, part) in parts.iter().enumerate() {
        let of_sum = by_sum.entry((&part.account, part.amount)).or_default();
        of_sum.push(place);
    }
    let mut found = FoundCredits::default();
    let mut seen: HashMap<(&Iban, &Line), &StatementCredit> = HashMap::new();
    let mut repeated: HashSet<(&Iban, &Line)> = HashSet::new();
    let mut fitting: Vec<UnclearCredit> = Vec::new();
    for (place, credit) in credits.iter().enumerate() {
        if let Some(key) = key_of(credit) {
            if used.contains(&(key.0.clone(), key.1.clone())) {
                found.known += 1;
                continue;
            }
            match seen.insert(key, credit) {
                // Statements of overlapping days have an entry twice.
                Some(same) if same == credit => continue,
                Some(_) => {
                    repeated.insert(key);
                }
                None => {}
            }
        }
        let of_sum = by_sum.get(&(&credit.account, credit.amount));
        let fits = fitting_parts(parts, of_sum.map_or(&[], Vec::as_slice), credit);
        if fits.is_empty() {
            found.other += 1;
        } else {
            fitting.push(UnclearCredit {
                credit: place,
                parts: fits,
            });
        }
    }
    let mut claims: HashMap<usize, usize> = HashMap::new();
    for place in fitting.iter().flat_map(|one| &one.parts) {
        *claims.entry(*place).or_default() += 1;
    }
    for one in fitting {
        let key = credits.get(one.credit).and_then(key_of);
        let names_one_entry = key.is_some_and(|key| !repeated.contains(&key));
        let only = match one.parts.as_slice() {
            [part] if names_one_entry && claims.get(part) == Some(&1) => parts
                .get(*part)
                .filter(|known| known.credit.is_none())
                .map(|known| (*part, known.is_marked)),
            _ => None,
        };
        match only {
            Some((part, is_marked)) => {
                let list = if is_marked {
                    &mut found.clear
                } else {
                    &mut found.unmarked
                };
                list.push(FoundCredit {
                    credit: one.credit,
                    part,
                });
            }
            None => found.unclear.push(one),
        }
    }
    found
}

/// Returns under what an entry is known. `None`: it has no reference.
fn key_of(credit: &StatementCredit) -> Option<(&Iban, &Line)> {
    let reference = credit.reference.as_ref()?;
    Some((&credit.account, reference))
}

/// Returns the parts of this account and sum that a credit may be. The end-to-end reference of the payer's receipt names one for certain.
fn fitting_parts(parts: &[CodedPart], of_sum: &[usize], credit: &StatementCredit) -> Vec<usize> {
    let text = letters(&credit.text);
    let known = |place: &usize| parts.get(*place).map(|part| (*place, part));
    let in_time = of_sum.iter().filter_map(known).filter(|(_, part)| {
        // A payment that was credited on another day got other money.
        let other_money = part.credit.as_ref().is_some_and(|of| of.on != credit.on);
        credit.on >= part.given_on && !other_money
    });
    let (mut by_uetr, mut by_purpose) = (Vec::new(), Vec::new());
    for (place, part) in in_time {
        if part.payer_uetr.is_some() && part.payer_uetr == credit.uetr {
            by_uetr.push(place);
        } else if (part.purposes.iter()).any(|purpose| text.contains(&letters(purpose))) {
            by_purpose.push(place);
        }
    }
    if by_uetr.is_empty() {
        by_purpose
    } else {
        by_uetr
    }
}

/// Returns letters and digits alone, in small letters: banks change spaces, quotation marks and capital letters.
fn letters(text: &str) -> String {
    let signs = text.chars().filter(|sign| sign.is_alphanumeric());
    signs.flat_map(char::to_lowercase).collect()
}
