//! The approval of a charge of a saved card, and of a returned part that goes to another account.
//!
//! A session, however it began, is no proof that the notary herself wants to pay somebody. So a card is charged only with an [`Approved`],
//! which nothing but [`Approvals::approve`] makes: every recipient is known, or the notary has proved this very order.

mod charge;

use cabinet_domain::{
    Iban, Key, Money, NotaryId, OperationId, OrderId, Passkey, ProofKind, SessionId,
};
use cabinet_reference::ReferenceData;
use cabinet_storage::account::{notaries, passkeys};
use cabinet_storage::order::orders;
use cabinet_storage::payment::payment_proofs;
use cabinet_storage::{StorageError, Tx, cart};
use jiff::{SignedDuration, Timestamp};

pub(crate) use charge::Charge;

use crate::kernel::keys::Digest;
use crate::kernel::refusal::{Detail, Refusal, RefusalKind};
use crate::payment::asked_proof::{AskedProof, LargestRecipient, ProofSubject};

/// A proof is good for so long, and for one order.
pub(crate) const PROVED_FOR: SignedDuration = SignedDuration::from_mins(10);

/// Characters of an account that a message and a page show of it.
const ACCOUNT_END: usize = 4;

/// Who wants money to go somewhere.
#[derive(Clone, Copy, Debug)]
pub struct Signer {
    /// The notary.
    pub notary: NotaryId,
    /// Her session.
    pub session: SessionId,
}

/// That the money of an order may go where it shall. The only one who makes it is [`Approvals::approve`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approved {
    order: OrderId,
    /// What the notary proved for it.
    proved: Option<Digest>,
}

impl Approved {
    /// Returns the order whose money may go.
    pub(crate) const fn order(self) -> OrderId {
        self.order
    }

    /// Returns the digest of what the notary proved, if she had to.
    pub(crate) const fn proved(self) -> Option<Digest> {
        self.proved
    }
}

/// The rules of approvals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approvals {
    /// For so long a device must have signed a notary in before a code proves a new recipient on it, and a passkey must have been there
    /// before it proves one anywhere.
    pub(crate) device_known_after: SignedDuration,
}

/// Whether a charge may go on.
enum Standing {
    /// Nothing is to be proved.
    Free,
    /// It was proved.
    Proved(OperationId),
}

impl Approvals {
    /// Refuses a charge that [`Self::approve`] would refuse. Changes nothing.
    pub(crate) fn check(
        self,
        tx: &mut Tx,
        signer: Signer,
        (subject, charge): (ProofSubject, &Charge),
        reference: &ReferenceData,
        now: Timestamp,
    ) -> Result<Result<(), Refusal>, StorageError> {
        let standing = self.standing(tx, signer, (subject, charge), reference, now)?;
        Ok(standing.map(drop))
    }

    /// Approves the charge of an order, and uses up its proof. From then on its recipients are known.
    ///
    /// The refusals are `confirmation_required` with what is to be proved, and `device_too_new` or `device_too_new_for_part`.
    pub(crate) fn approve(
        self,
        tx: &mut Tx,
        signer: Signer,
        order: OrderId,
        (subject, charge): (ProofSubject, &Charge),
        reference: &ReferenceData,
        now: Timestamp,
    ) -> Result<Result<Approved, Refusal>, StorageError> {
        let proof = match self.standing(tx, signer, (subject.clone(), charge), reference, now)? {
            Err(refusal) => return Ok(Err(refusal)),
            Ok(Standing::Free) => {
                return Ok(Ok(Approved {
                    order,
                    proved: None,
                }));
            }
            Ok(Standing::Proved(proof)) => proof,
        };
        if !payment_proofs::use_once(tx, proof, order, now)? {
            let kinds = self.kinds(tx, signer, now)?;
            let asked = asked(tx, signer.notary, (subject, charge), kinds, reference)?;
            return Ok(Err(required(asked)));
        }
        for part in charge.parts.iter().flatten() {
            let pair = (&part.payee.iban, &part.payee.okpo);
            payment_proofs::add_recipient(tx, signer.notary, pair, now)?;
        }
        Ok(Ok(Approved {
            order,
            proved: Some(charge.digest),
        }))
    }

    fn standing(
        self,
        tx: &mut Tx,
        signer: Signer,
        (subject, charge): (ProofSubject, &Charge),
        reference: &ReferenceData,
        now: Timestamp,
    ) -> Result<Result<Standing, Refusal>, StorageError> {
        let wanted = (subject, charge);
        let mut asked = asked(tx, signer.notary, wanted, Vec::new(), reference)?;
        if asked.new_recipients == 0 && charge.parts.is_some() {
            return Ok(Ok(Standing::Free));
        }
        asked.kinds = self.kinds(tx, signer, now)?;
        if asked.kinds.is_empty() {
            return Ok(Err(device_too_new(&asked.subject)));
        }
        let after = now - PROVED_FOR;
        let given = payment_proofs::unused(tx, signer.session, &charge.digest, after)?;
        let proof = given
            .into_iter()
            .find(|(_, kind)| asked.kinds.contains(kind));
        Ok(proof
            .map(|(proof, _)| Standing::Proved(proof))
            .ok_or_else(|| required(asked)))
    }

    /// Returns what proves a new recipient in a session, the simplest first.
    fn kinds(
        self,
        tx: &mut Tx,
        signer: Signer,
        now: Timestamp,
    ) -> Result<Vec<ProofKind>, StorageError> {
        let mut kinds = Vec::new();
        let own = passkeys::of_notary(tx, signer.notary)?;
        if own.iter().any(|passkey| self.proves(passkey, now)) {
            kinds.push(ProofKind::Passkey);
        }
        if self.knows_device(tx, signer.session, now)? {
            kinds.push(ProofKind::Code);
        }
        Ok(kinds)
    }

    /// Whether a passkey has been there long enough to prove anything. Whoever has taken the telephone over can add one.
    pub(crate) fn proves(self, passkey: &Passkey, now: Timestamp) -> bool {
        now.duration_since(passkey.created_at) >= self.device_known_after
    }

    /// Whether a code proves a new recipient in a session.
    fn knows_device(
        self,
        tx: &mut Tx,
        session: SessionId,
        now: Timestamp,
    ) -> Result<bool, StorageError> {
        if self.device_known_after.is_zero() {
            return Ok(true);
        }
        let since = payment_proofs::device_known_since(tx, session)?;
        Ok(since.is_some_and(|since| now.duration_since(since) >= self.device_known_after))
    }

    /// Returns what is to be proved of a charge by a proof of this kind.
    ///
    /// The refusal says why such a proof would prove nothing: `device_too_new` or `device_too_new_for_part`, `passkey_too_new`.
    pub(crate) fn ask(
        self,
        tx: &mut Tx,
        signer: Signer,
        (subject, charge, kind): (ProofSubject, &Charge, ProofKind),
        reference: &ReferenceData,
        now: Timestamp,
    ) -> Result<Result<AskedProof, Refusal>, StorageError> {
        let kinds = self.kinds(tx, signer, now)?;
        if !kinds.contains(&kind) {
            return Ok(Err(match kind {
                ProofKind::Code => device_too_new(&subject),
                ProofKind::Passkey => passkey_too_new(),
            }));
        }
        asked(tx, signer.notary, (subject, charge), kinds, reference).map(Ok)
    }
}

/// Returns the charge of what a notary wants to pay; `None`: there is nothing to be paid.
pub(crate) fn charge_of(
    tx: &mut Tx,
    notary: NotaryId,
    subject: &ProofSubject,
) -> Result<Option<Charge>, StorageError> {
    Ok(match subject {
        ProofSubject::Group(client) => {
            let name = notaries::full_name_of(tx, notary)?;
            let group = cart::group_of(tx, notary, *client)?;
            group.and_then(|group| {
                let contents = group.items.iter().map(|item| &item.content);
                let sum = group.total().ok()?;
                Some(Charge::of(&group.client, sum, contents, name.as_ref()))
            })
        }
        ProofSubject::Order(order) => match orders::order_of(tx, notary, *order)? {
            Some(order) => Some(Charge::of_order(tx, &order)?),
            None => None,
        },
        ProofSubject::Part(part) => Some(Charge::of_part(part)),
    })
}

fn asked(
    tx: &mut Tx,
    notary: NotaryId,
    (subject, charge): (ProofSubject, &Charge),
    kinds: Vec<ProofKind>,
    reference: &ReferenceData,
) -> Result<AskedProof, StorageError> {
    let mut new: Vec<(&Iban, Money)> = Vec::new();
    for part in charge.parts.iter().flatten() {
        let (iban, okpo) = (&part.payee.iban, &part.payee.okpo);
        let known = reference.account(iban);
        if known.is_some_and(|known| known.okpo == *okpo)
            || payment_proofs::knows_recipient(tx, notary, iban, okpo)?
        {
            continue;
        }
        match new.iter_mut().find(|(account, _)| *account == iban) {
            // A sum beyond all money was refused before.
            Some((_, sum)) => *sum = sum.plus(part.amount).unwrap_or(*sum),
            None => new.push((iban, part.amount)),
        }
    }
    let largest = new.iter().max_by_key(|(_, sum)| sum.kopiykas());
    Ok(AskedProof {
        subject,
        sum: charge.sum,
        new_recipients: new.len(),
        largest: largest.map(|(iban, sum)| LargestRecipient {
            sum: *sum,
            account_end: account_end(iban),
        }),
        kinds,
    })
}

fn account_end(iban: &Iban) -> String {
    let text = iban.as_str();
    let place = text.len().saturating_sub(ACCOUNT_END);
    text.get(place..).unwrap_or_default().to_owned()
}

fn required(asked: AskedProof) -> Refusal {
    Refusal::new(RefusalKind::Forbidden, Key::ConfirmationRequired)
        .with(Detail::Proof(Box::new(asked)))
}

pub(crate) fn passkey_too_new() -> Refusal {
    Refusal::conflict(Key::PasskeyTooNew)
}

fn device_too_new(subject: &ProofSubject) -> Refusal {
    let key = match subject {
        ProofSubject::Group(_) | ProofSubject::Order(_) => Key::DeviceTooNew,
        ProofSubject::Part(_) => Key::DeviceTooNewForPart,
    };
    Refusal::new(RefusalKind::Forbidden, key)
}
