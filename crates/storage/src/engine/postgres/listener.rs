//! The connection that hears the notifications of a PostgreSQL database, and what it has in common with the one that sends them.

#![expect(
    clippy::disallowed_methods,
    reason = "connections to the database are of this machine"
)]

use std::future::poll_fn;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls, SimpleQueryMessage};

use super::{CONNECT_TIME_MAX, PoolSettings, prepared, translate};
use crate::engine::changes::GAP;
use crate::engine::error::{Result, StorageError};

/// The channel of the cabinet's notifications.
pub(crate) const CHANNEL: &str = "cabinet_changes";
/// A silent connection is asked for a sign of life after this time.
const SILENCE_MAX: Duration = Duration::from_secs(10);
/// The longest wait for the sign of life.
pub(super) const ANSWER_TIME_MAX: Duration = Duration::from_secs(5);
/// The pause between two attempts to connect.
pub(super) const PAUSE: Duration = Duration::from_secs(1);

/// Hears notifications. A lost connection is made anew.
pub(crate) struct Listener {
    config: Config,
    settings: PoolSettings,
    connection: Option<Link>,
}

/// A connection that a task serves. Dropping it ends the task.
pub(super) struct Link {
    pub(super) client: Client,
    payloads: mpsc::UnboundedReceiver<String>,
}

impl Listener {
    /// Connects, tells whoever listens already of a gap, and listens.
    pub(crate) async fn start(config: &Config, settings: &PoolSettings) -> Result<Listener> {
        let mut listener = Listener {
            config: config.clone(),
            settings: settings.clone(),
            connection: None,
        };
        // A process that has died may not have told what it had committed. The first that starts after it says so.
        let tell = format!("set synchronous_commit = off; select pg_notify('{CHANNEL}', '{GAP}')");
        listener.connection = Some(listener.connect(&tell).await?);
        Ok(listener)
    }

    /// Waits for a notification and returns its payload. `None` after the connection was lost and made anew: notifications were missed.
    pub(crate) async fn next(&mut self) -> Option<String> {
        if let Some(listening) = &mut self.connection {
            if let Some(payload) = listening.next().await {
                return Some(payload);
            }
            self.connection = None;
            tracing::warn!("The connection that hears what other processes have changed was lost");
        }
        self.connection = Some(self.connect_at_last().await);
        None
    }

    /// Tries until it succeeds. Says once why it does not.
    async fn connect_at_last(&self) -> Link {
        let mut is_said = false;
        loop {
            sleep(PAUSE).await;
            match self.connect("").await {
                Ok(listening) => {
                    tracing::info!("What other processes change is heard again");
                    return listening;
                }
                Err(error) if !is_said => {
                    tracing::warn!(%error, "What other processes change can't be heard");
                    is_said = true;
                }
                Err(error) => tracing::debug!(%error, "PostgreSQL can't be listened to yet"),
            }
        }
    }

    /// Connects, runs what comes first, and listens. What it notifies is not heard here.
    async fn connect(&self, first: &str) -> Result<Link> {
        let connecting = async {
            let listening = connect(&self.config, &self.settings).await?;
            for statements in [first, &format!("listen {CHANNEL}")] {
                let begun = listening.client.batch_execute(statements).await;
                begun.map_err(|error| translate(&error))?;
            }
            Ok(listening)
        };
        in_time(&self.config, connecting).await
    }
}

/// Whether each connection has a session of the server to itself while it is open. A pooler that gives each transaction another session, such
/// as PgBouncer with `pool_mode = transaction`, does not: there nothing can be listened to, and prepared statements and settings of a
/// session are those of whoever had it before.
pub(crate) async fn keeps_sessions(config: &Config, settings: &PoolSettings) -> Result<bool> {
    in_time(config, async {
        let one = connect(config, settings).await?;
        let other = connect(config, settings).await?;
        let asked = [&one, &other, &one, &one];
        let mut sessions = Vec::with_capacity(asked.len());
        for connection in asked {
            sessions.push(connection.session().await?);
        }
        Ok(are_kept(&sessions))
    })
    .await
}

/// Whether the sessions that a first, a second, the first and the first connection have met are one for each. A pooler gives either the
/// session that was used last, then the first two are the same, or the one that was used longest ago, then the last two differ.
fn are_kept(sessions: &[String]) -> bool {
    matches!(sessions, [one, other, again, once_more] if one != other && one == again && one == once_more)
}

/// Waits for an answer. Each host of the address has a time limit of its own, within which a silent one is left for the next.
pub(super) async fn in_time<T>(
    config: &Config,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    let hosts = u32::try_from(config.get_hosts().len()).unwrap_or(1).max(1);
    answered(CONNECT_TIME_MAX * hosts + ANSWER_TIME_MAX, work).await
}

/// Waits for an answer as long as that.
pub(super) async fn answered<T>(
    longest: Duration,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    let late = || StorageError::Unavailable("PostgreSQL does not answer".to_owned());
    timeout(longest, work).await.unwrap_or_else(|_| Err(late()))
}

pub(super) async fn connect(config: &Config, settings: &PoolSettings) -> Result<Link> {
    let refused = |error: tokio_postgres::Error| translate(&error);
    let (config, tls) = prepared(config, settings)?;
    match tls {
        None => {
            let (client, connection) = config.connect(NoTls).await.map_err(refused)?;
            Ok(attend(client, connection))
        }
        Some(tls) => {
            let (client, connection) = config.connect(tls).await.map_err(refused)?;
            Ok(attend(client, connection))
        }
    }
}

impl Link {
    /// What tells the server's session that answers now from every other.
    async fn session(&self) -> Result<String> {
        const WHICH: &str = "select concat(pid, '/', backend_start) as session from pg_stat_activity where pid = pg_backend_pid()";
        let answers = self.client.simple_query(WHICH).await;
        let answers = answers.map_err(|error| translate(&error))?;
        let told = answers.iter().find_map(|answer| match answer {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        });
        told.ok_or_else(|| StorageError::Statement("no session is told".to_owned()))
    }

    /// Waits for the next payload; `None` once the connection is lost.
    async fn next(&mut self) -> Option<String> {
        loop {
            match timeout(SILENCE_MAX, self.payloads.recv()).await {
                Ok(payload) => return payload,
                Err(_) => {
                    let alive = timeout(ANSWER_TIME_MAX, self.client.simple_query("")).await;
                    if !matches!(alive, Ok(Ok(_))) {
                        return None;
                    }
                }
            }
        }
    }
}

/// Serves the connection in a task of its own.
fn attend<S, T>(client: Client, mut connection: Connection<S, T>) -> Link
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
{
    let (sender, payloads) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(notification) = message
                && sender.send(notification.payload().to_owned()).is_err()
            {
                return;
            }
        }
    });
    Link { client, payloads }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_for_each_connection_is_told_from_sessions_that_are_shared() {
        let are_kept = |met: [&str; 4]| are_kept(&met.map(str::to_owned));
        assert!(are_kept(["1", "2", "1", "1"]));
        // One session for all, or that which was used last.
        assert!(!are_kept(["1", "1", "1", "1"]));
        // That which was used longest ago, of two, of three, of many.
        assert!(!are_kept(["1", "2", "1", "2"]));
        assert!(!are_kept(["1", "2", "3", "1"]));
        assert!(!are_kept(["1", "2", "3", "4"]));
        // Whichever was free.
        assert!(!are_kept(["1", "2", "2", "1"]));
    }
}
