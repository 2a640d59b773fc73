//! What the codes of confirmations prove about passkeys. The operation of the code names the session, and takes the proof with it when it is
//! deleted.

use cabinet_domain::{OperationId, PasskeyAct, PasskeyId, SessionId};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Stores what the code of an operation shall prove. `passkey`: the one that is to be removed.
pub fn ask(
    tx: &mut Tx,
    operation: OperationId,
    act: PasskeyAct,
    passkey: Option<PasskeyId>,
) -> Result<()> {
    let sql = "insert into passkey_proofs (id, act, passkey_id) values (?1, ?2, ?3)";
    tx.execute(sql, params![operation, act, passkey])
        .map(|_| ())
}

/// Stores that the code of an operation was right. Returns false if the operation proves nothing about passkeys, or has done so.
pub fn prove(tx: &mut Tx, operation: OperationId, now: Timestamp) -> Result<bool> {
    let sql = "update passkey_proofs set proved_at = ?2 where id = ?1 and proved_at is null";
    Ok(tx.execute(sql, params![operation, now])? == 1)
}

/// Returns the latest proof of a session that was asked for after a moment, given and not used yet.
pub fn unused(
    tx: &mut Tx,
    session: SessionId,
    (act, passkey): (PasskeyAct, Option<PasskeyId>),
    after: Timestamp,
) -> Result<Option<OperationId>> {
    tx.row_optional(
        "select p.id from passkey_proofs p join login_operations o on o.id = p.id
         where o.session_id = ?1 and p.act = ?2 and (p.passkey_id = ?3 or (p.passkey_id is null and p.act = 'add'))
             and o.created_at > ?4 and p.proved_at is not null and p.used_at is null
         order by p.proved_at desc, p.id limit 1",
        params![session, act, passkey, after],
        |row| row.next(),
    )
}

/// Uses a proof up. Returns false if it was used before.
pub fn use_once(tx: &mut Tx, proof: OperationId, now: Timestamp) -> Result<bool> {
    let sql = "update passkey_proofs set used_at = ?2
               where id = ?1 and proved_at is not null and used_at is null";
    Ok(tx.execute(sql, params![proof, now])? == 1)
}
