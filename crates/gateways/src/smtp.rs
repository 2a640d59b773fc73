//! SMTP: the adapter for e-mail.
//!
//! Passwords and e-mails are sent over an encrypted connection only. A server without encryption is refused, unless it runs on
//! this machine. Each e-mail has its own connection, because e-mails are few and servers close idle connections. The server's
//! reply codes are returned and logged, its texts are not, because they repeat addresses.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant, SystemTime};

use async_trait::async_trait;
use cabinet_metrics::{OUTBOUND_CALLS, OUTBOUND_SECONDS, OutboundCall, OutboundOutcome};
use futures_util::FutureExt as _;
use lettre::message::{Mailbox, MessageBuilder, SinglePart};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, Message};
use secrecy::{ExposeSecret as _, SecretString};

use crate::mail::{Letter, Mail, MailError};
use crate::outbound::is_this_machine;

/// The port with implicit TLS (RFC 8314, 3.3).
const TLS_PORT: u16 = 465;
/// Time limit of `QUIT`. The e-mail is accepted by then.
const GOODBYE_TIME_LIMIT: Duration = Duration::from_secs(2);

/// How the connection is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// STARTTLS: it begins unencrypted and must be encrypted before anything else.
    StartTls,
    /// Implicit TLS: it is encrypted from the first byte.
    FromTheStart,
    /// No encryption, only for a server on this machine.
    None,
}

/// Settings of the adapter.
#[derive(Clone, Debug)]
pub struct SmtpSettings {
    /// The server's host name, which its certificate must contain.
    pub host: String,
    /// The port, 587 or 465 usually.
    pub port: u16,
    /// How the connection is protected.
    pub encryption: Encryption,
    /// User and password, if the server requires them.
    pub account: Option<(String, SecretString)>,
    /// The sender: `Кабінет <cabinet@example.com>` or the address alone.
    pub from: String,
    /// Time limit of connecting, encrypting and authenticating.
    pub opening_time_limit: Duration,
    /// Time limit of sending an e-mail. Servers scan it before they accept it, which takes time.
    pub sending_time_limit: Duration,
}

impl SmtpSettings {
    /// Returns settings with limits of 10 and 60 s. Encryption is STARTTLS, except on port 465 (implicit TLS) and on this machine
    /// (none).
    pub fn new(host: String, port: u16, from: String) -> Self {
        let encryption = match port {
            _ if is_this_machine(&host) => Encryption::None,
            TLS_PORT => Encryption::FromTheStart,
            _ => Encryption::StartTls,
        };
        Self {
            host,
            port,
            encryption,
            account: None,
            from,
            opening_time_limit: Duration::from_secs(10),
            sending_time_limit: Duration::from_secs(60),
        }
    }
}

/// Why the adapter could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SmtpSetupError {
    /// The sender is not an address.
    #[error("the sender is not an email address, alone or as Name <address>")]
    Sender,
    /// Encryption can't be set up, because root certificates are missing for instance.
    #[error("encryption for the mail server cannot be set up")]
    Encryption(#[source] Error),
}

/// Returns whether a text is an e-mail address without a name.
pub fn is_address(text: &str) -> bool {
    text.parse::<Address>().is_ok()
}

/// The SMTP adapter.
pub struct Smtp {
    settings: SmtpSettings,
    from: Mailbox,
    hello: ClientId,
    tls: Option<TlsParameters>,
}

impl fmt::Debug for Smtp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "Smtp({}:{})",
            self.settings.host, self.settings.port
        )
    }
}

impl Smtp {
    /// Makes the adapter. Nothing is sent yet.
    pub fn new(settings: SmtpSettings) -> Result<Self, SmtpSetupError> {
        let from: Mailbox = settings.from.parse().map_err(|_| SmtpSetupError::Sender)?;
        let tls = match settings.encryption {
            Encryption::None => None,
            Encryption::StartTls | Encryption::FromTheStart => Some(
                TlsParameters::new(settings.host.clone()).map_err(SmtpSetupError::Encryption)?,
            ),
        };
        Ok(Self {
            hello: ClientId::Domain(from.email.domain().to_owned()),
            settings,
            from,
            tls,
        })
    }

    fn message(&self, letter: &Letter) -> Result<Message, MailError> {
        let to: Address = letter.to.parse().map_err(|_| refused("ADDRESS"))?;
        let head = MessageBuilder::new()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(letter.subject.as_str())
            .date(SystemTime::from(letter.written_at))
            .message_id(Some(format!(
                "<{}@{}>",
                letter.id,
                self.from.email.domain()
            )));
        // A single part has the MIME-Version header that the encoding requires; a bare body has not.
        let message = head.singlepart(SinglePart::plain(letter.text.clone()));
        message.map_err(|_| refused("LETTER"))
    }

    /// Opens a connection, encrypts it and authenticates. After an error here no e-mail was sent.
    async fn open(&self) -> Result<AsyncSmtpConnection, MailError> {
        let settings = &self.settings;
        let at_once = match settings.encryption {
            Encryption::FromTheStart => self.tls.clone(),
            Encryption::StartTls | Encryption::None => None,
        };
        let mut connection = AsyncSmtpConnection::connect_tokio1(
            (settings.host.as_str(), settings.port),
            Some(settings.opening_time_limit),
            &self.hello,
            at_once,
            None,
        )
        .await
        .map_err(|error| not_taken(&error))?;
        if let (Encryption::StartTls, Some(tls)) = (settings.encryption, &self.tls) {
            if !connection.can_starttls() {
                connection.abort().await;
                return Err(refused("NO_STARTTLS"));
            }
            connection
                .starttls(tls.clone(), &self.hello)
                .await
                .map_err(|error| not_taken(&error))?;
        }
        if let Some((user, password)) = &settings.account {
            let known = connection
                .server_info()
                .get_auth_mechanism(DEFAULT_MECHANISMS);
            if known.is_none() {
                connection.abort().await;
                return Err(refused("NO_AUTH"));
            }
            let credentials = Credentials::new(user.clone(), password.expose_secret().to_owned());
            connection
                .auth(DEFAULT_MECHANISMS, &credentials)
                .await
                .map_err(|error| not_taken(&error))?;
        }
        Ok(connection)
    }

    /// [`Smtp::open`] within its time limit, whatever the server answers.
    async fn opened(&self) -> Result<AsyncSmtpConnection, MailError> {
        let opening = tokio::time::timeout(self.settings.opening_time_limit, survived(self.open()));
        let opened = opening.await.ok().flatten();
        opened.unwrap_or(Err(MailError::Unavailable))
    }

    /// Connects, encrypts and logs in, and sends nothing.
    pub async fn check(&self) -> Result<(), MailError> {
        let mut connection = self.opened().await?;
        let _ = tokio::time::timeout(GOODBYE_TIME_LIMIT, connection.quit()).await;
        Ok(())
    }

    async fn hand_over(&self, letter: &Letter) -> Result<(), MailError> {
        let message = self.message(letter)?;
        let mut connection = self.opened().await?;
        let (envelope, bytes) = (message.envelope().clone(), message.formatted());
        let sending = survived(connection.send(&envelope, &bytes));
        match tokio::time::timeout(self.settings.sending_time_limit, sending).await {
            Err(_) | Ok(None) => Err(MailError::Unknown),
            Ok(Some(Err(error))) => Err(match error.status() {
                Some(_) => not_taken(&error),
                // The connection broke or the reply was unreadable, perhaps after the last line.
                None => MailError::Unknown,
            }),
            Ok(Some(Ok(_))) => {
                let _ = tokio::time::timeout(GOODBYE_TIME_LIMIT, survived(connection.quit())).await;
                Ok(())
            }
        }
    }
}

/// Does a step of the conversation with the server. `None` where the library panics at an answer, as it does at an extension whose name
/// is a space: a mail server must not be able to end the cabinet.
async fn survived<T>(step: impl Future<Output = T>) -> Option<T> {
    let outcome = AssertUnwindSafe(step).catch_unwind().await;
    if outcome.is_err() {
        tracing::error!("The mail server answered what the library can't read");
    }
    outcome.ok()
}

fn refused(code: &str) -> MailError {
    MailError::Refused {
        code: code.to_owned(),
    }
}

/// Converts an error before the e-mail was accepted.
fn not_taken(error: &Error) -> MailError {
    match error.status() {
        Some(code) if error.is_permanent() => refused(&code.to_string()),
        Some(_) => MailError::Unavailable,
        // The server's text is not logged. Errors of the system or of TLS contain no personal data.
        None if error.is_response() => MailError::Unavailable,
        None => {
            tracing::warn!(%error, "The mail server cannot be reached: {error}");
            MailError::Unavailable
        }
    }
}

#[async_trait]
impl Mail for Smtp {
    async fn send(&self, letter: &Letter) -> Result<(), MailError> {
        let started = Instant::now();
        let result = self.hand_over(letter).await;
        let outcome = match &result {
            Ok(()) => OutboundOutcome::Ok,
            Err(MailError::Refused { .. }) => OutboundOutcome::Refused,
            Err(MailError::Unavailable) => OutboundOutcome::NotSent,
            Err(MailError::Unknown) => OutboundOutcome::Cut,
        };
        OUTBOUND_CALLS.count((OutboundCall::SmtpSend, outcome));
        OUTBOUND_SECONDS.record(OutboundCall::SmtpSend, started.elapsed().as_secs_f64());
        if let Err(error) = &result {
            tracing::warn!(%error, letter = letter.id, "The mail server did not take a letter: {error}");
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(host: &str, port: u16) -> SmtpSettings {
        SmtpSettings::new(
            host.to_owned(),
            port,
            "Кабінет <cabinet@example.com>".to_owned(),
        )
    }

    fn letter() -> Letter {
        Letter {
            id: "0190a".to_owned(),
            to: "support@example.com".to_owned(),
            subject: "Повідомлення про помилку".to_owned(),
            text: "Сума: 340,00 грн\n.\nКінець".to_owned(),
            written_at: "2026-11-20T10:00:00Z".parse().unwrap(),
        }
    }

    #[test]
    fn what_a_field_takes_is_an_address_for_the_mailer() {
        for text in [
            "a@b.ua",
            "o.k+1@mail.example.com",
            "o'neil@x-1.ua",
            "a!#$%&*/=?^_`{|}~-b@c.ua",
            "олена@нотаріус.укр",
            "olena@нотаріус.укр",
            "1@2.ua",
            &format!("{}@b.ua", "a".repeat(64)),
            &format!("a@{}.ua", "b".repeat(63)),
        ] {
            assert!(cabinet_domain::Email::parse(text).is_ok(), "{text}");
            assert!(is_address(text), "{text}");
        }
        for text in ["a,b@c.ua", "a<b>@c.ua", "a..b@c.ua", "a@b_c.ua"] {
            assert!(cabinet_domain::Email::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_a_server_on_this_machine_is_spoken_to_in_clear() {
        for (host, port, encryption) in [
            ("smtp.example.com", 587, Encryption::StartTls),
            ("smtp.example.com", 25, Encryption::StartTls),
            ("smtp.example.com", 465, Encryption::FromTheStart),
            ("10.0.0.1", 25, Encryption::StartTls),
            ("localhost.example", 25, Encryption::StartTls),
            ("127.0.0.1", 2525, Encryption::None),
            ("localhost", 465, Encryption::None),
            ("::1", 25, Encryption::None),
        ] {
            assert_eq!(settings(host, port).encryption, encryption, "{host}:{port}");
        }
    }

    #[test]
    fn a_letter_has_the_same_bytes_at_each_try_and_no_line_of_its_text_ends_it() {
        let smtp = Smtp::new(settings("127.0.0.1", 25)).unwrap();
        let bytes = smtp.message(&letter()).unwrap().formatted();
        assert_eq!(bytes, smtp.message(&letter()).unwrap().formatted());
        assert!(bytes.is_ascii(), "any server can carry it");
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            text.contains("Message-ID: <0190a@example.com>\r\n"),
            "{text}"
        );
        assert!(text.contains("Date: Fri, 20 Nov 2026 10:00:00 "), "{text}");
        assert!(text.contains("MIME-Version: 1.0\r\n"), "{text}");
        assert!(
            text.contains("Content-Type: text/plain; charset=utf-8\r\n"),
            "{text}"
        );
    }

    #[test]
    fn a_line_end_in_the_subject_makes_no_header() {
        let smtp = Smtp::new(settings("127.0.0.1", 25)).unwrap();
        let mut letter = letter();
        letter.subject = "x\r\nBcc: other@example.com".to_owned();
        let message = smtp.message(&letter).unwrap();
        let text = String::from_utf8(message.formatted()).unwrap();
        assert!(!text.contains("\nBcc:"), "{text}");
        assert_eq!(message.envelope().to().len(), 1);
    }

    #[test]
    fn wrong_addresses_are_refused_and_not_shown() {
        let mut wrong = settings("127.0.0.1", 25);
        wrong.from = "nobody".to_owned();
        assert!(matches!(Smtp::new(wrong), Err(SmtpSetupError::Sender)));
        let smtp = Smtp::new(settings("127.0.0.1", 25)).unwrap();
        let mut letter = letter();
        letter.to = "nobody at all".to_owned();
        let error = smtp.message(&letter).unwrap_err();
        assert_eq!(error, refused("ADDRESS"));
        assert!(!error.to_string().contains("nobody"));
        assert!(!format!("{letter:?}").contains("nobody"));
        assert!(is_address("support@cabinet.example") && !is_address("Support <a@b.example>"));
    }
}
