//! Checking a receipt: whoever holds the paper may learn whether it is genuine and still holds, and nothing about people.

use cabinet_domain::{Money, OrderStatus, PaymentKind};
use cabinet_storage::orders::{self, Order};
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use crate::refusal::Outcome;
use crate::{App, Keys};

/// Characters of a code's proof: 60 bits, too many to guess.
const PROOF_CHARS: usize = 12;
/// The characters stand in groups that a person can type.
const GROUP_CHARS: usize = 4;
/// No letter that is taken for a digit, and none that is taken for another.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// What a receipt is checked against.
#[derive(Clone, Debug)]
pub struct CheckedReceipt {
    /// The order's short number.
    pub number: i64,
    /// When the card was charged.
    pub paid_at: Timestamp,
    /// What was charged.
    pub sum: Money,
    /// Whether the money was given back since.
    pub refunded: bool,
    /// The payments of the order, in their sequence: kind and sum of each.
    pub payments: Vec<(PaymentKind, Money)>,
}

impl App {
    /// Where a receipt of the order is checked.
    pub(super) fn check_address(&self, code: &str) -> String {
        format!("{}/check?code={code}", self.settings().public_url)
    }

    /// The receipt that a code names. `None` for every other code, also one of an order that was never paid.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn check_receipt(&self, code: &str) -> Outcome<Option<CheckedReceipt>> {
        let Some((number, proof)) = read_code(code) else {
            return Ok(None);
        };
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let Some(order) = orders::by_number(tx, number)? else {
                return Ok(None);
            };
            let items = orders::items_of(tx, order.id)?;
            Ok(Some((order, items)))
        };
        let Some((order, items)) = self.inner.store.read(read).await? else {
            return Ok(None);
        };
        let Some(paid_at) = order.paid_at.filter(|_| order.status.has_money()) else {
            return Ok(None);
        };
        // Compared as digests, so that the time tells nothing about where two proofs differ.
        if blake3::hash(proof_of(self.keys(), &order).as_bytes()) != blake3::hash(proof.as_bytes())
        {
            return Ok(None);
        }
        let payments = items
            .into_iter()
            .filter_map(|item| Some((item.content.kind, item.content.total().ok()?)));
        Ok(Some(CheckedReceipt {
            number: order.number,
            paid_at,
            sum: order.sum,
            refunded: order.status == OrderStatus::Refunded,
            payments: payments.collect(),
        }))
    }
}

/// The code on the receipts of an order: its number and a proof that only this installation can make.
pub(super) fn code_of(keys: &Keys, order: &Order) -> String {
    let proof = proof_of(keys, order);
    let groups: Vec<&str> = (0..PROOF_CHARS / GROUP_CHARS)
        .filter_map(|group| proof.get(group * GROUP_CHARS..(group + 1) * GROUP_CHARS))
        .collect();
    format!("{}-{}", order.number, groups.join("-"))
}

fn proof_of(keys: &Keys, order: &Order) -> String {
    keys.receipt_digest(order.id)
        .iter()
        .take(PROOF_CHARS)
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect()
}

/// Reads a code as people type one: in small letters, with blanks, without dashes, with O for 0 and I or L for 1.
fn read_code(code: &str) -> Option<(i64, String)> {
    let plain: String = code
        .chars()
        .filter(|char| !char.is_whitespace() && !matches!(char, '-' | '–' | '—' | '№'))
        .map(|char| match char.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        })
        .collect();
    let (number, proof) = plain.split_at_checked(plain.len().checked_sub(PROOF_CHARS)?)?;
    let is_proof = proof.bytes().all(|byte| ALPHABET.contains(&byte));
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if !is_proof || !is_number {
        return None;
    }
    Some((number.parse().ok()?, proof.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::read_code;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let right = Some((100_046, "7KQ2M4XD01AB".to_owned()));
        for code in [
            "100046-7KQ2-M4XD-01AB",
            " 100046 7kq2 m4xd 01ab ",
            "№100046–7KQ2–M4XD–OlAB",
            "1000467KQ2M4XDOIAB",
        ] {
            assert_eq!(read_code(code), right, "{code}");
        }
    }

    #[test]
    fn what_is_no_code_is_none() {
        for code in [
            "",
            "7KQ2-M4XD-01AB",
            "100046-7KQ2-M4XD-01AU",
            "99999999999999999999-7KQ2-M4XD-01AB",
            "x-7KQ2-M4XD-01AB",
            "100046-ЖЖЖЖ-ЖЖЖЖ-ЖЖЖЖ",
        ] {
            assert_eq!(read_code(code), None, "{code}");
        }
    }
}
