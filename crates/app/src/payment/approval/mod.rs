//! The approval of a charge of a saved card, and of a returned part that goes to another account.
//!
//! A session, however it began, is no proof that the notary herself wants to pay somebody. So a card is charged only with an [`Approved`],
//! which nothing but [`Approvals::approve`] makes: every recipient is known, or the notary has proved this very order.

mod charge;
mod compare_proofs;

use cabinet_domain::{
    AuditAction, CardFigures, Iban, Key, Money, NotaryId, OperationId, OrderId, Passkey, ProofKind,
    SessionId,
};
use cabinet_reference::ReferenceData;
use cabinet_storage::account::{notaries, passkeys, sessions};
use cabinet_storage::order::orders;
use cabinet_storage::payment::{card_figures, payment_proofs};
use cabinet_storage::{LockedNotary, StorageError, Tx, audit, cart};
use jiff::{SignedDuration, Timestamp};

pub(crate) use charge::Charge;
pub use compare_proofs::{ProvedOrders, proved_orders};

use crate::account::ActToProve;
use crate::kernel::asker::Decider;
use crate::kernel::keys::{Digest, ProofKey};
use crate::kernel::refusal::{Detail, Refusal, RefusalKind};
use crate::payment::asked_proof::{AskedProof, LargestRecipient, ProofSubject};

/// A proof is good for so long after it was asked for, once.
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

impl From<Signer> for Decider {
    fn from(signer: Signer) -> Decider {
        Decider::in_session(signer.notary, signer.session)
    }
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
    /// The figures of notaries who have set none.
    pub(crate) figures: CardFigures,
    /// The key of what is stored of a proof.
    pub(crate) key: ProofKey,
}

/// Sums are added up over so long.
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// What is to be proved of a charge, if anything is.
struct Weighed {
    asked: AskedProof,
    /// What it pays to recipients outside of the tables.
    outside: Money,
    /// Whether it goes on without a proof.
    is_free: bool,
}

impl Approvals {
    /// Returns what is stored of the proof of a charge.
    pub(crate) fn digest(self, charge: &Charge) -> Digest {
        self.key.digest(&charge.digest)
    }

    /// Refuses a charge that [`Self::approve`] would refuse. Changes nothing.
    pub(crate) fn check(
        self,
        tx: &mut Tx,
        signer: Signer,
        (subject, charge): (ProofSubject, &Charge),
        reference: &ReferenceData,
        now: Timestamp,
    ) -> Result<Result<(), Refusal>, StorageError> {
        let weighed = self.weigh(tx, signer.notary, (subject, charge), reference, now)?;
        if weighed.is_free {
            return Ok(Ok(()));
        }
        let given = self.given(tx, signer, (weighed.asked, charge), now)?;
        Ok(given.map(drop))
    }

    /// Approves the charge of an order, and uses up its proof. From then on its recipients are known.
    ///
    /// The refusals are `confirmation_required` with what is to be proved, `contacts_too_new`, and `device_too_new` or
    /// `device_too_new_for_part`.
    pub(crate) fn approve(
        self,
        tx: &mut Tx,
        (notary, signer): (&LockedNotary, Signer),
        order: OrderId,
        (subject, charge): (ProofSubject, &Charge),
        reference: &ReferenceData,
        now: Timestamp,
    ) -> Result<Result<Approved, Refusal>, StorageError> {
        let weighed = self.weigh(tx, notary.id(), (subject, charge), reference, now)?;
        let outside = weighed.outside;
        let mut proved = None;
        if !weighed.is_free {
            match self.prove(tx, signer, (weighed.asked, charge), Some(order), now)? {
                Ok(digest) => proved = Some(digest),
                Err(refusal) => return Ok(Err(refusal)),
            }
            for part in charge.parts.iter().flatten() {
                let pair = (&part.payee.iban, &part.payee.okpo);
                payment_proofs::add_recipient(tx, notary, pair, now)?;
            }
        }
        if !outside.is_zero() {
            card_figures::add_charge(tx, notary, order, outside, now)?;
        }
        Ok(Ok(Approved { order, proved }))
    }

    /// Approves larger figures for saved cards, and uses up their proof. Returns what was proved.
    ///
    /// The refusals are `confirmation_required` with what is to be proved, and `device_too_new_for_act`.
    pub(crate) fn approve_figures(
        self,
        tx: &mut Tx,
        signer: Signer,
        figures: CardFigures,
        now: Timestamp,
    ) -> Result<Result<Digest, Refusal>, StorageError> {
        let charge = Charge::of_card_figures(figures);
        self.approve_once(
            tx,
            signer,
            (ProofSubject::CardFigures(figures), &charge),
            now,
        )
    }

    /// Approves an act on the account, and uses up its proof. Whoever asks finds out first whether the act would still change anything: where
    /// an answer was lost, the same act needs no second proof. Returns what was proved.
    ///
    /// The refusal is `confirmation_required` with what is to be proved.
    pub(crate) fn approve_act(
        self,
        tx: &mut Tx,
        signer: Signer,
        act: ActToProve,
        now: Timestamp,
    ) -> Result<Result<Digest, Refusal>, StorageError> {
        let charge = Charge::of_act(&act);
        self.approve_once(tx, signer, (ProofSubject::Act(act), &charge), now)
    }

    fn approve_once(
        self,
        tx: &mut Tx,
        signer: Signer,
        (subject, charge): (ProofSubject, &Charge),
        now: Timestamp,
    ) -> Result<Result<Digest, Refusal>, StorageError> {
        let asked = asked_of(subject, charge);
        self.prove(tx, signer, (asked, charge), None, now)
    }

    /// Uses the proof of a charge up, and with it every other of the same. Returns what was proved.
    fn prove(
        self,
        tx: &mut Tx,
        signer: Signer,
        (asked, charge): (AskedProof, &Charge),
        order: Option<OrderId>,
        now: Timestamp,
    ) -> Result<Result<Digest, Refusal>, StorageError> {
        // The session may have been ended since the request began.
        if !sessions::alive(tx, signer.session, signer.notary, now)? {
            return Ok(Err(Refusal::unauthorized()));
        }
        let (proof, proved) = match self.given(tx, signer, (asked.clone(), charge), now)? {
            Ok(given) => given,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if payment_proofs::use_once(tx, proof, order, now)? {
            for digest in self.key.digests(&charge.digest) {
                payment_proofs::forget_unused(tx, signer.session, &digest)?;
            }
            return Ok(Ok(proved));
        }
        let kinds = self.kinds(tx, signer, &asked.subject, now)?;
        Ok(Err(required(AskedProof { kinds, ..asked })))
    }

    /// Returns the proof of a charge and what it proves, or says what is to be proved.
    fn given(
        self,
        tx: &mut Tx,
        signer: Signer,
        (mut asked, charge): (AskedProof, &Charge),
        now: Timestamp,
    ) -> Result<Result<(OperationId, Digest), Refusal>, StorageError> {
        asked.kinds = self.kinds(tx, signer, &asked.subject, now)?;
        if asked.kinds.is_empty() {
            return Ok(Err(device_too_new(&asked.subject)));
        }
        if self.has_new_contacts(tx, signer.notary, &asked, now)? {
            return Ok(Err(Refusal::new(
                RefusalKind::Forbidden,
                Key::ContactsTooNew,
            )));
        }
        let after = now - PROVED_FOR;
        for digest in self.key.digests(&charge.digest) {
            let given = payment_proofs::unused(tx, signer.session, &digest, after)?;
            let mut given = given.into_iter();
            if let Some((proof, _)) = given.find(|(_, kind)| asked.kinds.contains(kind)) {
                return Ok(Ok((proof, digest)));
            }
        }
        Ok(Err(required(asked)))
    }

    /// Weighs a charge: its recipients, and what the saved cards have paid lately.
    fn weigh(
        self,
        tx: &mut Tx,
        notary: NotaryId,
        (subject, charge): (ProofSubject, &Charge),
        reference: &ReferenceData,
        now: Timestamp,
    ) -> Result<Weighed, StorageError> {
        let mut asked = asked_of(subject, charge);
        let mut outside = Money::ZERO;
        let mut new: Vec<(&Iban, Money)> = Vec::new();
        for part in charge.parts.iter().flatten() {
            let (iban, okpo) = (&part.payee.iban, &part.payee.okpo);
            let of_tables = reference.account(iban);
            if of_tables.is_some_and(|known| known.okpo == *okpo) {
                continue;
            }
            // A sum beyond all money was refused before.
            outside = outside.plus(part.amount).unwrap_or(outside);
            if payment_proofs::knows_recipient(tx, notary, iban, okpo)? {
                continue;
            }
            match new.iter_mut().find(|(account, _)| *account == iban) {
                Some((_, sum)) => *sum = sum.plus(part.amount).unwrap_or(*sum),
                None => new.push((iban, part.amount)),
            }
        }
        let largest = new.iter().max_by_key(|(_, sum)| sum.kopiykas());
        asked.largest = largest.map(|(iban, sum)| LargestRecipient {
            sum: *sum,
            account_end: account_end(iban),
        });
        asked.new_recipients = new.len();
        let order = match asked.subject {
            ProofSubject::Group(_) => None,
            ProofSubject::Order(order) => Some(order),
            // No card pays them.
            ProofSubject::Part(_) | ProofSubject::CardFigures(_) | ProofSubject::Act(_) => {
                outside = Money::ZERO;
                None
            }
        };
        if !outside.is_zero() {
            let (set, before) = card_figures::charged_since(tx, notary, now - DAY, order)?;
            let most = set.unwrap_or(self.figures).daily_unproved_max;
            let fits = before.plus(outside).is_ok_and(|sum| sum <= most);
            asked.beyond_daily = (!fits).then_some(most);
        }
        let is_free =
            asked.new_recipients == 0 && asked.beyond_daily.is_none() && charge.parts.is_some();
        Ok(Weighed {
            asked,
            outside,
            is_free,
        })
    }

    /// Returns the figures of a notary for her saved cards.
    pub(crate) fn figures_of(
        self,
        tx: &mut Tx,
        notary: NotaryId,
    ) -> Result<CardFigures, StorageError> {
        Ok(card_figures::of_notary(tx, notary)?.unwrap_or(self.figures))
    }

    /// Returns what proves it in a session, the simplest first. A code on a new device proves acts on the account: they are needed from the first
    /// hour, and no card pays anybody by them.
    fn kinds(
        self,
        tx: &mut Tx,
        signer: Signer,
        subject: &ProofSubject,
        now: Timestamp,
    ) -> Result<Vec<ProofKind>, StorageError> {
        let mut kinds = Vec::new();
        let own = passkeys::of_notary(tx, signer.notary)?;
        if own.iter().any(|passkey| self.proves(passkey, now)) {
            kinds.push(ProofKind::Passkey);
        }
        if matches!(subject, ProofSubject::Act(_)) || self.knows_device(tx, signer.session, now)? {
            kinds.push(ProofKind::Code);
        }
        Ok(kinds)
    }

    /// Whether new recipients wait, because the notary's e-mail address was replaced lately: her old one was told, and she has a day to answer.
    /// Another phone ends all devices and passkeys, so it waits by itself.
    fn has_new_contacts(
        self,
        tx: &mut Tx,
        notary: NotaryId,
        asked: &AskedProof,
        now: Timestamp,
    ) -> Result<bool, StorageError> {
        if asked.new_recipients == 0 || self.device_known_after.is_zero() {
            return Ok(false);
        }
        let replaced = (AuditAction::ProfileChanged, "email");
        audit::has_replaced(tx, notary, replaced, now - self.device_known_after)
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
        let kinds = self.kinds(tx, signer, &subject, now)?;
        if !kinds.contains(&kind) {
            return Ok(Err(match kind {
                ProofKind::Code => device_too_new(&subject),
                ProofKind::Passkey => passkey_too_new(),
            }));
        }
        let weighed = self.weigh(tx, signer.notary, (subject, charge), reference, now)?;
        if self.has_new_contacts(tx, signer.notary, &weighed.asked, now)? {
            return Ok(Err(Refusal::new(
                RefusalKind::Forbidden,
                Key::ContactsTooNew,
            )));
        }
        Ok(Ok(AskedProof {
            kinds,
            ..weighed.asked
        }))
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
        ProofSubject::CardFigures(figures) => Some(Charge::of_card_figures(*figures)),
        ProofSubject::Act(act) => Some(Charge::of_act(act)),
    })
}

/// Returns what is to be proved, before it is known of whom.
fn asked_of(subject: ProofSubject, charge: &Charge) -> AskedProof {
    AskedProof {
        subject,
        sum: charge.sum,
        new_recipients: 0,
        largest: None,
        beyond_daily: None,
        kinds: Vec::new(),
    }
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
        ProofSubject::CardFigures(_) | ProofSubject::Act(_) => Key::DeviceTooNewForAct,
    };
    Refusal::new(RefusalKind::Forbidden, key)
}
