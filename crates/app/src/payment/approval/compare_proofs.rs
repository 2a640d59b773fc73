//! Whether the orders that were paid after a proof still say what was proved.

use cabinet_domain::{AuditAction, Order, PartRole, Transfer};
use cabinet_storage::account::notaries;
use cabinet_storage::engine::key_ids;
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::payment::payment_proofs::{self, UsedProof};
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Store, Tx, audit};
use jiff::{SignedDuration, Timestamp};

use super::charge::Charge;
use crate::kernel::keys::{Digest, Keys, SealKeys};
use crate::payment::asked_proof::CorrectedPart;
use crate::transfer::seal::PURPOSE;

/// Proofs that are compared in one unit of work.
const PAGE: u32 = 200;
/// Orders that are named at most.
const NAMED_MAX: usize = 10;
/// A process that was not restarted yet goes on with the secret before.
const RESTARTED_WITHIN: SignedDuration = SignedDuration::from_hours(24);

/// What was found of the orders that were paid after a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProvedOrders {
    /// Proofs that are of what their orders say now.
    pub same: u64,
    /// Proofs that are of something else.
    pub changed: u64,
    /// The numbers of some of the orders of these.
    pub named: Vec<i64>,
    /// Proofs of which nobody can tell: their orders name nobody any more, the notary's name was changed between proof and payment, or they
    /// were given under a secret that this process does not have.
    pub unknown: u64,
}

enum Compared {
    /// No transfer was planned yet.
    NotPaid,
    Same,
    Changed(Option<i64>),
    Unknown,
}

/// Compares what was proved of each order with what the order says now. `None`: the cabinet has started with other secrets alone.
///
/// # Errors
/// The database failed.
pub async fn proved_orders(
    store: &Store,
    keys: &Keys,
) -> Result<Option<ProvedOrders>, StorageError> {
    let mut found = ProvedOrders::default();
    let mut after: Option<UsedProof> = None;
    loop {
        let (proofs, seals) = (keys.proofs(), keys.seals().clone());
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let secrets = Secrets::read(tx)?;
            if secrets.are_others(&seals) {
                return Ok(None);
            }
            let page = payment_proofs::used_by_orders(tx, after.as_ref(), PAGE)?;
            let mut compared = Vec::with_capacity(page.len());
            for proof in &page {
                compared.push(if secrets.may_be_unknown(&seals, proof.asked_at) {
                    Compared::Unknown
                } else {
                    let known =
                        |digest: &Digest| proofs.digests(digest).any(|one| one == proof.digest);
                    compare(tx, proof, known)?
                });
            }
            Ok(Some((page.last().copied(), compared)))
        };
        let Some((last, compared)) = store.read_long(read).await? else {
            return Ok(None);
        };
        for one in compared {
            found.add(one);
        }
        if last.is_none() {
            return Ok(Some(found));
        }
        after = last;
    }
}

impl ProvedOrders {
    fn add(&mut self, compared: Compared) {
        match compared {
            Compared::NotPaid => {}
            Compared::Same => self.same += 1,
            Compared::Unknown => self.unknown += 1,
            Compared::Changed(number) => {
                self.changed += 1;
                if let Some(number) = number
                    && self.named.len() < NAMED_MAX
                    && !self.named.contains(&number)
                {
                    self.named.push(number);
                }
            }
        }
    }
}

/// The secrets under which proofs were given, by their names: each with when it came into force, and until when it may have been used.
/// The start of each cabinet remembers its own, for the seals of transfers.
struct Secrets(Vec<(String, Timestamp, Option<Timestamp>)>);

impl Secrets {
    fn read(tx: &mut Tx) -> Result<Secrets, StorageError> {
        let known = key_ids::of_purpose(tx, PURPOSE)?;
        let ends = known.iter().skip(1).map(|next| Some(next.first_used_at));
        let ends: Vec<_> = ends.chain([None]).collect();
        let all = known.into_iter().zip(ends);
        Ok(Secrets(
            all.map(|(key, end)| {
                (
                    key.id,
                    key.first_used_at,
                    end.map(|end| end + RESTARTED_WITHIN),
                )
            })
            .collect(),
        ))
    }

    /// Whether none of these is given.
    fn are_others(&self, keys: &SealKeys) -> bool {
        !self.0.is_empty() && !self.0.iter().any(|(id, ..)| keys.has(id))
    }

    /// Whether what was given at a moment may be by a secret that is not among these.
    fn may_be_unknown(&self, keys: &SealKeys, at: Timestamp) -> bool {
        let first = self.0.first().map(|(id, ..)| id);
        self.0.iter().any(|(id, from, until)| {
            let had_begun = *from <= at || Some(id) == first;
            had_begun && until.is_none_or(|until| at < until) && !keys.has(id)
        })
    }
}

/// Compares an order with one of its proofs. `is_proved`: whether the proof is of a digest.
fn compare(
    tx: &mut Tx,
    proof: &UsedProof,
    is_proved: impl Fn(&Digest) -> bool,
) -> Result<Compared, StorageError> {
    if erasure::is_anonymised(tx, proof.order)? {
        return Ok(Compared::Unknown);
    }
    let number = orders::number_of(tx, proof.order)?;
    // What can't be read was changed by nobody but a writer of the database.
    let read = said(tx, proof);
    let Some((order, made, charge)) = tx.readable(read)? else {
        return Ok(Compared::Changed(number));
    };
    if made.is_empty() {
        return Ok(Compared::NotPaid);
    }
    // Where the transfers don't agree with the items, it is about an account, a code or a sum, which no other name explains.
    let agrees = charge.is_some();
    let is_same = charge.is_some_and(|charge| is_proved(&charge.digest))
        || corrected(&made).any(|charge| is_proved(&charge.digest));
    Ok(if is_same {
        Compared::Same
    } else if agrees && names_another(tx, proof, &order, &made)? {
        Compared::Unknown
    } else {
        Compared::Changed(number)
    })
}

/// An order with its transfers, and what it charges by what they say, where they say that.
type Said = (Order, Vec<Transfer>, Option<Charge>);

fn said(tx: &mut Tx, proof: &UsedProof) -> Result<Option<Said>, StorageError> {
    let Some(order) = orders::by_id(tx, proof.order)? else {
        return Ok(None);
    };
    let (items, made) = (
        orders::items_of(tx, order.id)?,
        transfers::of_order(tx, order.id)?,
    );
    let name = notaries::full_name_of(tx, order.notary_id)?;
    let charge = name.and_then(|name| Charge::of_paid(&order, &items, &made, &name));
    Ok(Some((order, made, charge)))
}

/// What the parts that came back and were sent to another account have charged.
fn corrected(made: &[Transfer]) -> impl Iterator<Item = Charge> {
    made.iter().filter_map(|new| {
        let old = made.iter().find(|old| new.replaces == Some(old.id))?;
        Some(Charge::of_part(&CorrectedPart {
            transfer: old.clone(),
            payee: new.planned.payee.clone(),
        }))
    })
}

/// Whether the notary's own part, which alone names her, may have another name than was proved: she got another one before the transfers were
/// planned, which may be days after the charge.
fn names_another(
    tx: &mut Tx,
    proof: &UsedProof,
    order: &Order,
    made: &[Transfer],
) -> Result<bool, StorageError> {
    let is_own = |transfer: &&Transfer| transfer.planned.role == PartRole::Notary;
    let first_made = made.iter().filter(|transfer| transfer.replaces.is_none());
    let mut own = first_made.clone().filter(is_own);
    if own.next().is_none() {
        return Ok(false);
    }
    let (notary, renamed) = (order.notary_id, AuditAction::ProfileChanged);
    let (_, first) = audit::count_changes(tx, notary, renamed, &["full_name"], proof.asked_at)?;
    let planned = first_made.map(|transfer| transfer.created_at).max();
    Ok(first.is_some_and(|first| planned.is_none_or(|planned| first <= planned)))
}
