//! The connection that hears the notifications of a PostgreSQL database.

use std::future::poll_fn;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls};

use super::{CONNECT_TIME_MAX, PoolSettings, prepared, translate};
use crate::error::{Result, StorageError};

/// The channel of the cabinet's notifications.
pub(crate) const CHANNEL: &str = "cabinet_changes";
/// A silent connection is asked for a sign of life after this time.
const SILENCE_MAX: Duration = Duration::from_secs(10);
/// The longest wait for the sign of life.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(5);
/// The pause between two attempts to connect.
const PAUSE: Duration = Duration::from_secs(1);

/// Hears notifications. A lost connection is made anew.
pub(crate) struct Listener {
    config: Config,
    settings: PoolSettings,
    connection: Option<Listening>,
}

/// A connection that listens. Dropping it ends its task.
struct Listening {
    client: Client,
    payloads: mpsc::UnboundedReceiver<String>,
}

impl Listener {
    /// Connects and listens.
    pub(crate) async fn start(config: &Config, settings: &PoolSettings) -> Result<Listener> {
        let mut listener = Listener {
            config: config.clone(),
            settings: settings.clone(),
            connection: None,
        };
        listener.connection = Some(listener.connect().await?);
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
    async fn connect_at_last(&self) -> Listening {
        let mut is_said = false;
        loop {
            sleep(PAUSE).await;
            match self.connect().await {
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

    async fn connect(&self) -> Result<Listening> {
        let (config, connector) = prepared(&self.config, &self.settings)?;
        let connecting = async {
            match connector {
                None => {
                    let connected = config.connect(NoTls).await;
                    let (client, connection) = connected.map_err(|error| translate(&error))?;
                    listen(client, connection).await
                }
                Some(connector) => {
                    let connected = config.connect(connector).await;
                    let (client, connection) = connected.map_err(|error| translate(&error))?;
                    listen(client, connection).await
                }
            }
        };
        // Each host has a time limit of its own, within which a silent one is left for the next.
        let hosts = u32::try_from(config.get_hosts().len()).unwrap_or(1).max(1);
        let late = || StorageError::Unavailable("PostgreSQL does not answer".to_owned());
        timeout(CONNECT_TIME_MAX * hosts + ANSWER_TIME_MAX, connecting)
            .await
            .unwrap_or_else(|_| Err(late()))
    }
}

impl Listening {
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

/// Serves the connection in a task of its own and begins to listen.
async fn listen<S, T>(client: Client, mut connection: Connection<S, T>) -> Result<Listening>
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
    client
        .batch_execute(&format!("listen {CHANNEL}"))
        .await
        .map_err(|error| translate(&error))?;
    Ok(Listening { client, payloads })
}
