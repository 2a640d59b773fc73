//! For whom a commit is waited: whether what was answered outlives the server that answered.

use crate::engine::error::Result;
use crate::engine::store::Store;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// For whom a commit waits on PostgreSQL before it is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Durability {
    /// `synchronous_commit`.
    pub level: String,
    /// `synchronous_standby_names`; empty where commits wait for no standby.
    pub standbys: String,
    /// How many servers follow this one.
    pub followers: i64,
}

impl Store {
    /// Waits until what was read before will last, for an answer that is given again: see [`Tx::answer_again`].
    ///
    /// # Errors
    /// The database failed; [`StorageError::OutcomeUnknown`](crate::StorageError::OutcomeUnknown) where it does not vouch for that.
    pub async fn answer_again(&self) -> Result<()> {
        if self.is_sqlite() {
            return Ok(());
        }
        self.write(Tx::answer_again).await
    }

    /// Returns for whom commits wait on PostgreSQL. `None` on SQLite, which flushes each one.
    ///
    /// # Errors
    /// The database failed.
    pub async fn durability(&self) -> Result<Option<Durability>> {
        if self.is_sqlite() {
            return Ok(None);
        }
        let found = self.read(|tx| {
            tx.row(
                "select current_setting('synchronous_commit') as level,
                     current_setting('synchronous_standby_names') as standbys,
                     (select count(*) from pg_stat_replication) as followers",
                params![],
                |row| {
                    Ok(Durability {
                        level: row.next()?,
                        standbys: row.next()?,
                        followers: row.next()?,
                    })
                },
            )
        });
        found.await.map(Some)
    }
}
