//! The code on a receipt: the number of the order, and a proof that only this installation can make.

use crate::kernel::keys::{Digest, Keys};
use cabinet_domain::Order;

/// Characters of a proof. Their 60 bits can't be guessed.
const PROOF_CHARS: usize = 12;
/// Characters of a group, so that people can type a proof.
const GROUP_CHARS: usize = 4;
/// The characters of a proof, without letters that look like others or like digits.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Returns the code on the receipts of an order.
pub(crate) fn code_of(keys: &Keys, order: &Order) -> String {
    let proof = proof_of(keys, order);
    let groups: Vec<&str> = (0..PROOF_CHARS / GROUP_CHARS)
        .filter_map(|group| proof.get(group * GROUP_CHARS..(group + 1) * GROUP_CHARS))
        .collect();
    format!("{}-{}", order.number, groups.join("-"))
}

fn proof_of(keys: &Keys, order: &Order) -> String {
    proof(&keys.receipt_digest(order.id))
}

/// Returns whether this is the proof of the order's receipts, also of one that was printed under an earlier secret.
pub(crate) fn proves(keys: &Keys, order: &Order, given: &str) -> bool {
    let given = blake3::hash(given.as_bytes());
    // Digests are compared, so that the time does not tell where two proofs differ.
    keys.receipt_digests(order.id).fold(false, |found, digest| {
        found | (blake3::hash(proof(&digest).as_bytes()) == given)
    })
}

fn proof(digest: &Digest) -> String {
    digest
        .iter()
        .take(PROOF_CHARS)
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect()
}

/// Reads a code as people type it: in small letters, with blanks, without dashes, with O for 0 and I or L for 1.
pub(crate) fn read_code(code: &str) -> Option<(i64, String)> {
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
