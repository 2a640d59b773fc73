//! PostgreSQL: a bounded pool of threads, each with a connection of its own.
//!
//! Units of work that write run at **read committed**. Whatever such a unit reads in order to write must be locked when
//! it is read (`locks`). By convention the lock is on the root of the change: the notary for the cart and for
//! new orders, the order for everything that belongs to it. Parallel units of work then wait for each other, as on
//! SQLite. The serializable level would detect forgotten locks, but with the small tables of a new installation it
//! would also reject most parallel units that do not conflict. Units that read run on one snapshot (**repeatable read,
//! read only**), as on SQLite.

mod announcer;
mod last_commits;
mod listener;
mod pool;
mod session;
mod settings;

pub(crate) use last_commits::LastCommits;
pub(crate) use listener::{Listener, keeps_sessions};
pub(crate) use pool::Pool;
pub(crate) use session::Session;
pub(crate) use settings::PoolSettings;

use std::error::Error as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use postgres::config::SslMode;
use postgres::error::SqlState;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::engine::error::{ConstraintKind, Result, StorageError};

/// The longest wait for a connection to one host.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(5);

/// Returns how to connect: the address with what it leaves open, and TLS where it asks for it.
fn prepared(
    address: &tokio_postgres::Config,
    settings: &PoolSettings,
) -> Result<(tokio_postgres::Config, Option<MakeRustlsConnect>)> {
    let mut config = address.clone();
    let tls = match config.get_ssl_mode() {
        SslMode::Disable | SslMode::Prefer => {
            config.ssl_mode(SslMode::Disable);
            None
        }
        _ => Some(tls(settings.root_certificates.as_deref())?),
    };
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT_TIME_MAX);
    }
    if config.get_application_name().is_none() {
        config.application_name("cabinet");
    }
    Ok((config, tls))
}

/// TLS with verified certificates: from the public authorities, or only from those in the file.
fn tls(root_certificates: Option<&Path>) -> Result<MakeRustlsConnect> {
    let mut roots = rustls::RootCertStore::empty();
    match root_certificates {
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(path) => {
            let unreadable = || {
                StorageError::Address(format!("{} holds no readable certificates", path.display()))
            };
            for certificate in CertificateDer::pem_file_iter(path).map_err(|_| unreadable())? {
                roots
                    .add(certificate.map_err(|_| unreadable())?)
                    .map_err(|_| unreadable())?;
            }
            if roots.is_empty() {
                return Err(unreadable());
            }
        }
    }
    let config = rustls::ClientConfig::builder_with_provider(Arc::new(
        rustls::crypto::aws_lc_rs::default_provider(),
    ))
    .with_safe_default_protocol_versions()
    .map_err(|error| StorageError::Unavailable(format!("TLS cannot be set up: {error}")))?
    .with_root_certificates(roots)
    .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn is_about_certificate(error: &(dyn std::error::Error + 'static)) -> bool {
    let failed = error.downcast_ref::<std::io::Error>();
    let inner = failed.and_then(std::io::Error::get_ref);
    let refused = inner.and_then(|inner| inner.downcast_ref::<rustls::Error>());
    matches!(refused, Some(rustls::Error::InvalidCertificate(_)))
}

/// Translates an error of PostgreSQL. Values of rows, which the server repeats in its texts, are left out.
fn translate(error: &postgres::Error) -> StorageError {
    let Some(refusal) = error.as_db_error() else {
        return match error.source() {
            _ if error.is_closed() => {
                StorageError::Unavailable("the connection is lost".to_owned())
            }
            Some(source) if is_about_certificate(source) => StorageError::Unavailable(
                "the certificate of the database server is not accepted: it must be for the host name in the address and vouched for by an authority that is trusted"
                    .to_owned(),
            ),
            // What the driver says of a server that can be read only: see `target_session_attrs`.
            Some(source) if source.to_string() == "database does not allow writes" => {
                StorageError::ReadOnly
            }
            Some(source) if source.is::<std::io::Error>() => {
                StorageError::Unavailable("the connection failed".to_owned())
            }
            // The rest are parameters that do not fit their statement: a bug.
            _ => StorageError::Statement(error.to_string()),
        };
    };
    let code = refusal.code();
    let kind = match *code {
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => {
            return StorageError::Contention { attempts: 1 };
        }
        SqlState::DISK_FULL => return StorageError::Full,
        SqlState::READ_ONLY_SQL_TRANSACTION => return StorageError::ReadOnly,
        SqlState::LOCK_NOT_AVAILABLE
        | SqlState::QUERY_CANCELED
        | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => return StorageError::TimedOut,
        SqlState::UNIQUE_VIOLATION => ConstraintKind::Unique,
        SqlState::FOREIGN_KEY_VIOLATION => ConstraintKind::ForeignKey,
        SqlState::CHECK_VIOLATION | SqlState::NOT_NULL_VIOLATION => ConstraintKind::Check,
        _ => return other(code, refusal),
    };
    let name = refusal
        .constraint()
        .or(refusal.column())
        .or(refusal.table())
        .unwrap_or_default();
    StorageError::Constraint {
        kind,
        name: name.to_owned(),
    }
}

fn other(code: &SqlState, refusal: &postgres::error::DbError) -> StorageError {
    match code.code().get(..2) {
        // Connection, authorization, resource, operator and system errors.
        Some("08" | "28" | "3D" | "53" | "57" | "58") => {
            StorageError::Unavailable(format!("PostgreSQL answers {}", code.code()))
        }
        // Syntax errors and unknown names: the text holds only words of the statement.
        Some("42") => StorageError::Statement(format!("{} {}", code.code(), refusal.message())),
        _ => StorageError::Statement(code.code().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_host_is_left_for_the_next_unless_the_address_says_otherwise() {
        let settings = PoolSettings {
            connections: 1,
            lock_timeout: Duration::from_secs(1),
            statement_timeout: Duration::from_secs(1),
            root_certificates: None,
        };
        let limit = |address: &str| {
            let address: tokio_postgres::Config = address.parse().unwrap();
            let (config, _) = prepared(&address, &settings).unwrap();
            config.get_connect_timeout().copied()
        };
        let hosts = "host=one.example,two.example sslmode=disable";
        assert_eq!(limit(hosts), Some(CONNECT_TIME_MAX));
        let own = limit(&format!("{hosts} connect_timeout=2"));
        assert_eq!(own, Some(Duration::from_secs(2)));
    }
}
