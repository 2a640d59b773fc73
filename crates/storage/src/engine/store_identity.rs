//! Whether the database of a store is the one that was in use.

use std::sync::Arc;

use cabinet_domain::Clock;
use jiff::Timestamp;
use uuid::Uuid;

use crate::engine::counters;
use crate::engine::error::{Result, StorageError};
use crate::engine::restored::{Identity, identity_of_file, identity_of_postgres, prepare};
use crate::engine::store::Store;

impl Store {
    /// Prepares a restored copy for use. It skips the numbers of orders, transfers' documents and complaints that the copy would assign a second
    /// time. It stops the export of transfers until the operator has compared them with the bank, holds the parts that came back until each was
    /// compared, and marks what is prepared in the copy as perhaps sent. From then on [`is_recovering`] until somebody has looked for what the
    /// copy lacks. Returns the last skipped order number, or `None` if the database is not a restored copy or that cannot be determined.
    pub async fn leave_out_used_numbers(&self, now: Timestamp) -> Result<Option<i64>> {
        let Some(identity) = self.identity().await? else {
            tracing::warn!("Whether the database is a restored copy can't be told here");
            return Ok(None);
        };
        let skipped = self.write(move |tx| prepare(tx, identity, now)).await?;
        if skipped.is_some() {
            self.numbers().forget();
        }
        Ok(skipped)
    }

    /// From now on each new connection to PostgreSQL is compared, before anything is done on it, with the identity of the database and with the
    /// last commits that this store was told of: it may lead to a server that has become the leader without them. Where they are missing,
    /// the database is prepared like a restored copy; where only the server is another one, numbers are skipped and what other processes
    /// may have lost is looked for, but transfers go on. `process` tells this store from every other. SQLite keeps its file open.
    pub fn follow_database(&self, clock: Arc<dyn Clock>, process: Uuid) {
        self.last_commits().follow(clock, process);
    }

    /// Returns whether a new connection has led to a database that may lack commits since this was asked last.
    #[must_use]
    pub fn take_found_loss(&self) -> bool {
        self.last_commits().take_found()
    }

    /// Returns whether this is a restored copy on which no server has started yet.
    pub async fn is_unprepared_copy(&self) -> Result<bool> {
        let identity = self.identity().await?;
        let known = self.read(counters::database_identity).await?;
        Ok(matches!((identity, known), (Some(identity), Some(known)) if !identity.is(known)))
    }

    /// Returns what tells this database from its copies, if it can be told.
    async fn identity(&self) -> Result<Option<Identity>> {
        match self.sqlite_path() {
            Some(path) => Ok(identity_of_file(path)),
            None => match self.read(identity_of_postgres).await {
                Ok(identity) => Ok(Some(identity)),
                // The server does not grant access to the needed functions.
                Err(StorageError::Statement(_)) => Ok(None),
                Err(error) => Err(error),
            },
        }
    }
}
