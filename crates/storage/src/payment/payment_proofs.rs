//! What notaries prove before a saved card is charged, and to whom they have proved that they pay.

use cabinet_domain::{
    Iban, NotaryId, Okpo, OperationId, OrderId, OrderStatus, ProofKind, SessionId, TransferStatus,
};
use jiff::Timestamp;
use uuid::Uuid;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedNotary;

/// A proof that a notary was asked for.
#[derive(Clone, Debug)]
pub struct AskedProof {
    /// The operation of its code; a passkey's has an id of its own.
    pub id: OperationId,
    /// The notary.
    pub notary: NotaryId,
    /// The session that may use it.
    pub session: SessionId,
    /// How it is proved.
    pub kind: ProofKind,
    /// What is proved.
    pub digest: [u8; 32],
    /// When it was asked for.
    pub asked_at: Timestamp,
}

/// Stores that a proof is asked for.
pub fn ask(tx: &mut Tx, proof: &AskedProof) -> Result<()> {
    tx.execute(
        "insert into payment_proofs (id, notary_id, session_id, kind, digest, asked_at) values (?1, ?2, ?3, ?4, ?5, ?6)",
        params![proof.id, proof.notary, proof.session, proof.kind, proof.digest, proof.asked_at],
    )
    .map(|_| ())
}

/// Stores that the code of an operation was right, or the passkey's signature. Returns what it proves; `None`: nothing, or it has done so.
pub fn prove(tx: &mut Tx, operation: OperationId, now: Timestamp) -> Result<Option<[u8; 32]>> {
    tx.row_optional(
        "update payment_proofs set proved_at = ?2 where id = ?1 and proved_at is null returning digest",
        params![operation, now],
        |row| row.next(),
    )
}

/// Returns the proofs of a session for this digest that were asked for after a moment, given and not used, the latest first.
pub fn unused(
    tx: &mut Tx,
    session: SessionId,
    digest: &[u8; 32],
    after: Timestamp,
) -> Result<Vec<(OperationId, ProofKind)>> {
    tx.rows(
        "select id, kind from payment_proofs
         where session_id = ?1 and digest = ?2 and asked_at > ?3 and proved_at is not null and used_at is null
         order by proved_at desc, id",
        params![session, digest, after],
        |row| Ok((row.next()?, row.next()?)),
    )
}

/// Uses a proof, of a payment for an order. Returns false if it was used before.
pub fn use_once(
    tx: &mut Tx,
    proof: OperationId,
    order: Option<OrderId>,
    now: Timestamp,
) -> Result<bool> {
    let sql = "update payment_proofs set order_id = ?2, used_at = ?3
               where id = ?1 and proved_at is not null and used_at is null";
    Ok(tx.execute(sql, params![proof, order, now])? == 1)
}

/// Forgets the proofs of a session for this digest that were not used, also those whose code was not entered yet.
pub fn forget_unused(tx: &mut Tx, session: SessionId, digest: &[u8; 32]) -> Result<()> {
    let sql =
        "delete from payment_proofs where session_id = ?1 and digest = ?2 and used_at is null";
    tx.execute(sql, params![session, digest]).map(|_| ())
}

/// A proof that an order has used.
#[derive(Clone, Copy, Debug)]
pub struct UsedProof {
    /// Its operation.
    pub id: OperationId,
    /// The order.
    pub order: OrderId,
    /// What was proved.
    pub digest: [u8; 32],
    /// When it was asked for.
    pub asked_at: Timestamp,
}

/// Returns a page of at most `limit` proofs that orders have used, in the order in which they were asked for, after the last one of the page
/// before.
pub fn used_by_orders(
    tx: &mut Tx,
    after: Option<&UsedProof>,
    limit: u32,
) -> Result<Vec<UsedProof>> {
    let (asked_at, id) = after.map_or((Timestamp::MIN, OperationId::new(Uuid::nil())), |last| {
        (last.asked_at, last.id)
    });
    tx.rows(
        "select id, order_id, digest, asked_at from payment_proofs
         where (asked_at, id) > (?1, ?2) and order_id is not null order by asked_at, id limit ?3",
        params![asked_at, id, limit],
        |row| {
            Ok(UsedProof {
                id: row.next()?,
                order: row.next()?,
                digest: row.next()?,
                asked_at: row.next()?,
            })
        },
    )
}

/// Forgets proofs that were asked for before a moment and that no order has used.
pub fn purge(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.execute(
        "delete from payment_proofs where asked_at < ?1 and order_id is null",
        params![before],
    )
}

/// Forgets what a notary has proved by passkeys and not used yet.
pub fn forget_unused_by_passkey(tx: &mut Tx, notary: NotaryId) -> Result<()> {
    let sql = "delete from payment_proofs where notary_id = ?1 and kind = ?2 and used_at is null";
    tx.execute(sql, params![notary, ProofKind::Passkey])
        .map(|_| ())
}

/// Returns whether a notary has proved that she pays to this account with this code.
pub fn knows_recipient(tx: &mut Tx, notary: NotaryId, iban: &Iban, okpo: &Okpo) -> Result<bool> {
    let found = tx.row_optional(
        "select 1 as known from proved_recipients where notary_id = ?1 and iban = ?2 and okpo = ?3",
        params![notary, iban, okpo],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Stores that a notary has proved that she pays to this account with this code.
pub fn add_recipient(
    tx: &mut Tx,
    notary: &LockedNotary,
    (iban, okpo): (&Iban, &Okpo),
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into proved_recipients (notary_id, iban, okpo, proved_at) values (?1, ?2, ?3, ?4)
         on conflict (notary_id, iban, okpo) do nothing",
        params![notary, iban, okpo, now],
    )
    .map(|_| ())
}

/// Stores whom a notary had paid before a moment as known to her, for demonstrations.
pub fn add_paid_before(tx: &mut Tx, notary: &LockedNotary, before: Timestamp) -> Result<()> {
    tx.execute(
        "insert into proved_recipients (notary_id, iban, okpo, proved_at)
         select o.notary_id, t.recipient_iban, t.recipient_code, min(t.created_at)
         from transfers t join orders o on o.id = t.order_id
         where o.notary_id = ?1 and o.status = ?3 and t.status <> ?4 and t.created_at < ?2
         group by o.notary_id, t.recipient_iban, t.recipient_code
         on conflict (notary_id, iban, okpo) do nothing",
        params![notary, before, OrderStatus::Paid, TransferStatus::Returned],
    )
    .map(|_| ())
}

/// Returns since when the browser of a session has signed its notary in. `None`: it is not recognised.
pub fn device_known_since(tx: &mut Tx, session: SessionId) -> Result<Option<Timestamp>> {
    tx.row_optional(
        "select d.first_entered_at from sessions s join devices d on d.id = s.device_id where s.id = ?1",
        params![session],
        |row| row.next(),
    )
}
