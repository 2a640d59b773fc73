//! Codes that went to a contact of the register of notaries. The right one confirms the account that asked for it; the operation of the code
//! names the session, and takes the row with it when it is deleted.

use cabinet_domain::OperationId;
use jiff::Timestamp;

use super::login_operations::Counted;
use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Stores whose contact the code of an operation goes to: the row of the register.
pub fn ask(tx: &mut Tx, operation: OperationId, register_key: &str) -> Result<()> {
    let sql = "insert into register_proofs (id, register_key) values (?1, ?2)";
    tx.execute(sql, params![operation, register_key])
        .map(|_| ())
}

/// Returns the row to whose contact the code of an operation went. `None`: it went to no contact of the register.
pub fn row_of(tx: &mut Tx, operation: OperationId) -> Result<Option<String>> {
    let sql = "select register_key, id from register_proofs where id = ?1";
    tx.row_optional(sql, params![operation], |row| row.next())
}

/// Returns how many codes went to the contact of a row since a moment, whoever asked for them, and when the earliest did.
pub fn count_of_row(tx: &mut Tx, register_key: &str, since: Timestamp) -> Result<Counted> {
    tx.row(
        "select count(*), min(o.created_at) from register_proofs p join login_operations o on o.id = p.id
         where p.register_key = ?1 and o.created_at >= ?2",
        params![register_key, since],
        |row| Ok((row.next()?, row.next()?)),
    )
}

/// Ends the codes that nobody has entered yet. They go on counting for the limits.
pub fn end_open(tx: &mut Tx) -> Result<()> {
    let sql = "update login_operations set expires_at = created_at
               where used_at is null and id in (select id from register_proofs)";
    tx.execute(sql, params![]).map(|_| ())
}
