//! The connection that tells every process what committed units of work have announced.
//!
//! Of the transactions that notify, PostgreSQL lets one at a time commit, its flush and its wait for a standby included. So no unit of work notifies:
//! what it has announced is told after its commit, by a transaction that waits for neither. What can't be told is kept.

#![expect(
    clippy::disallowed_methods,
    reason = "connections to the database are of this machine"
)]

use tokio::sync::{mpsc, watch};
use tokio::time::sleep;
use tokio_postgres::{Config, Statement};

use super::listener::{ANSWER_TIME_MAX, CHANNEL, Link, PAUSE, answered, connect, in_time};
use super::session::in_the_words_of_postgres;
use super::{PoolSettings, translate};
use crate::engine::changes::{Change, Untold};
use crate::engine::error::{Result, StorageError};

/// One statement, and so one transaction, for any number of notifications.
const TELL: &str = "select pg_notify(?1, payload) from unnest(?2::text[]) payload";

/// Takes what a unit of work has announced, and never waits.
pub(super) type Announcements = mpsc::UnboundedSender<Vec<Change>>;

/// Tells what was announced, in the order in which it came. It connects once there is something to tell.
pub(super) struct Announcer {
    config: Config,
    settings: PoolSettings,
    announced: mpsc::UnboundedReceiver<Vec<Change>>,
    untold: Untold,
    connection: Option<(Link, Statement)>,
}

impl Announcer {
    /// Starts the thread. It ends when nobody can announce anything more, and drops its `alive`. It has a runtime of its own, because a store may be
    /// open for longer than that of whoever has opened it.
    pub(super) fn start(
        config: &Config,
        settings: &PoolSettings,
        alive: watch::Receiver<()>,
    ) -> Result<Announcements> {
        let (announcements, announced) = mpsc::unbounded_channel();
        let announcer = Announcer {
            config: config.clone(),
            settings: settings.clone(),
            announced,
            untold: Untold::default(),
            connection: None,
        };
        let refused = |error: std::io::Error| {
            StorageError::Unavailable(format!("a thread cannot be started: {error}"))
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(refused)?;
        std::thread::Builder::new()
            .name("storage-tells".to_owned())
            .spawn(move || {
                let _alive = alive;
                runtime.block_on(announcer.run());
            })
            .map_err(refused)?;
        Ok(announcements)
    }

    async fn run(mut self) {
        while let Some(first) = self.announced.recv().await {
            self.untold.add(first);
            self.take_what_came();
            self.tell_at_last().await;
        }
    }

    fn take_what_came(&mut self) {
        while let Ok(more) = self.announced.try_recv() {
            self.untold.add(more);
        }
    }

    /// Tries until it succeeds. Says once why it does not. At the end of the process it does not wait for a server that is away.
    async fn tell_at_last(&mut self) {
        let mut is_said = false;
        loop {
            let was_connected = self.connection.is_some();
            let Err(error) = self.tell().await else {
                self.untold = Untold::default();
                if is_said {
                    tracing::info!("What has changed is told to open pages again");
                }
                return;
            };
            if was_connected {
                tracing::debug!(%error, "The connection that tells of changes is made anew");
                continue;
            }
            if !is_said {
                tracing::warn!(%error, "What has changed can't be told to open pages");
                is_said = true;
            }
            if self.announced.is_closed() {
                return;
            }
            sleep(PAUSE).await;
            self.take_what_came();
        }
    }

    /// Tries once. A connection on which it fails is given up. What may have been told is told again.
    async fn tell(&mut self) -> Result<()> {
        let (link, statement) = match self.connection.take() {
            Some(connection) => connection,
            None => in_time(&self.config, self.connect()).await?,
        };
        let payloads = self.untold.payloads();
        let telling = async {
            let told = link
                .client
                .execute(&statement, &[&CHANNEL, &payloads])
                .await;
            told.map_err(|error| translate(&error))
        };
        answered(ANSWER_TIME_MAX, telling).await?;
        self.connection = Some((link, statement));
        Ok(())
    }

    async fn connect(&self) -> Result<(Link, Statement)> {
        let link = connect(&self.config, &self.settings).await?;
        // A wait that was given up here ends there, too.
        let set_up = format!(
            "set synchronous_commit = off; set lock_timeout = {}",
            self.settings.lock_timeout.as_millis()
        );
        let prepared = async {
            link.client.batch_execute(&set_up).await?;
            link.client.prepare(&in_the_words_of_postgres(TELL)).await
        };
        let statement = prepared.await.map_err(|error| translate(&error))?;
        Ok((link, statement))
    }
}
