//! The connection that hears the notifications of a PostgreSQL database.

use std::future::poll_fn;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_postgres::config::SslMode;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls};

use super::{PoolSettings, tls, translate};
use crate::error::{Result, StorageError};

/// The channel of the cabinet's notifications.
pub(crate) const CHANNEL: &str = "cabinet_changes";
/// A silent connection is asked for a sign of life after this time.
const SILENCE_MAX: Duration = Duration::from_secs(10);
/// The longest wait for the sign of life, and for a connection.
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

    async fn connect_at_last(&self) -> Listening {
        loop {
            sleep(PAUSE).await;
            match self.connect().await {
                Ok(listening) => return listening,
                Err(error) => {
                    tracing::warn!(%error, "What other processes have changed can't be heard")
                }
            }
        }
    }

    async fn connect(&self) -> Result<Listening> {
        let connecting = async {
            if matches!(
                self.config.get_ssl_mode(),
                SslMode::Disable | SslMode::Prefer
            ) {
                let mut plain = self.config.clone();
                plain.ssl_mode(SslMode::Disable);
                let (client, connection) = plain
                    .connect(NoTls)
                    .await
                    .map_err(|error| translate(&error))?;
                listen(client, connection).await
            } else {
                let connector = tls(self.settings.root_certificates.as_deref())?;
                let (client, connection) = self
                    .config
                    .connect(connector)
                    .await
                    .map_err(|error| translate(&error))?;
                listen(client, connection).await
            }
        };
        let late = || StorageError::Unavailable("PostgreSQL does not answer".to_owned());
        timeout(ANSWER_TIME_MAX, connecting)
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
