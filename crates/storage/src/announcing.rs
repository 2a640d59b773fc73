//! Units of work announce their changes.

use crate::changes::{Change, payloads};
use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;

impl Tx {
    /// Tells the servers of this database of a change once the unit of work is committed.
    pub fn announce(&mut self, change: Change) {
        let announced = self.announced_mut();
        if !announced.contains(&change) {
            announced.push(change);
        }
    }
}

/// Sends the announced changes within the transaction, on PostgreSQL.
pub(crate) fn notify(tx: &mut Tx) -> Result<()> {
    let changes = std::mem::take(tx.announced_mut());
    for payload in payloads(&changes) {
        tx.execute("select pg_notify('cabinet_changes', ?1)", params![payload])?;
    }
    Ok(())
}
