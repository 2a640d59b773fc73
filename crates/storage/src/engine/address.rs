//! The address of a database: `sqlite:PATH` or `postgres://…`, and nothing else.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

use crate::engine::error::{Result, StorageError};

/// The address of a database. `Debug` and `Display` leave out user name and password.
#[derive(Clone)]
pub struct DatabaseUrl(pub(crate) Address);

#[derive(Clone)]
pub(crate) enum Address {
    Sqlite(PathBuf),
    Postgres(Box<tokio_postgres::Config>),
}

impl DatabaseUrl {
    /// Parses an address. A mistyped one is refused, not taken for the name of a new file.
    ///
    /// - `sqlite:PATH`, for instance `sqlite:var/cabinet.db`. The folder must exist when the store is opened.
    /// - `postgres://user:password@host/database?sslmode=require`, also `postgresql://`. Unix sockets by `?host=/folder`.
    ///   `sslmode=require` means TLS with a verified certificate. [`DatabaseUrl::is_readable_on_the_way`] tells
    ///   whether the address does without it where it should not.
    ///
    /// # Errors
    /// [`StorageError::Address`] with a text that repeats nothing of the address but its scheme.
    pub fn parse(text: &str) -> Result<DatabaseUrl> {
        let text = text.trim();
        if let Some(path) = text.strip_prefix("sqlite:") {
            return sqlite(path);
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return postgres(text);
        }
        let scheme: String = text
            .split_once(':')
            .map(|(scheme, _)| scheme)
            .filter(|scheme| {
                scheme.len() <= 20
                    && scheme
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            })
            .unwrap_or_default()
            .to_owned();
        Err(refusal(&if scheme.is_empty() {
            "the database address begins with neither sqlite: nor postgres://".to_owned()
        } else {
            format!(
                "the database address begins with {scheme}:, which is neither sqlite: nor postgres://"
            )
        }))
    }

    /// An address of a SQLite file.
    #[must_use]
    pub fn sqlite_file(path: &Path) -> DatabaseUrl {
        DatabaseUrl(Address::Sqlite(path.to_owned()))
    }

    /// Returns whether passwords and data may cross a network in clear: a PostgreSQL server on another machine, without
    /// `sslmode=require`. With `prefer`, the driver's default, a fault of the network is enough for that.
    #[must_use]
    pub fn is_readable_on_the_way(&self) -> bool {
        match &self.0 {
            Address::Sqlite(_) => false,
            Address::Postgres(config) => {
                config.get_ssl_mode() != SslMode::Require
                    && (config.get_hosts().iter().any(is_remote)
                        || config
                            .get_hostaddrs()
                            .iter()
                            .any(|address| !address.is_loopback()))
            }
        }
    }

    /// Returns the file of a SQLite database.
    #[must_use]
    pub fn sqlite_path(&self) -> Option<&Path> {
        match &self.0 {
            Address::Sqlite(path) => Some(path),
            Address::Postgres(_) => None,
        }
    }

    /// Whether this is the address of a SQLite file.
    #[must_use]
    pub fn is_sqlite(&self) -> bool {
        matches!(self.0, Address::Sqlite(_))
    }
}

fn refusal(text: &str) -> StorageError {
    StorageError::Address(text.to_owned())
}

fn sqlite(path: &str) -> Result<DatabaseUrl> {
    if path.is_empty()
        || path.starts_with("//")
        || path.ends_with('/')
        || path.contains(['?', '\0'])
    {
        return Err(refusal(
            "sqlite: is followed by the path of a file, as in sqlite:/var/lib/cabinet/cabinet.db",
        ));
    }
    if path.starts_with(':') || path.starts_with("file:") {
        return Err(refusal(
            "the SQLite database is a file: a database in memory would be lost at every stop",
        ));
    }
    Ok(DatabaseUrl(Address::Sqlite(PathBuf::from(path))))
}

fn postgres(text: &str) -> Result<DatabaseUrl> {
    let mut config: tokio_postgres::Config =
        text.parse().map_err(|_| refusal("the postgres:// address cannot be read (the address is not shown, it may hold a password)"))?;
    if config.get_hosts().is_empty() {
        return Err(refusal(
            "the postgres:// address names no host; for a unix socket add ?host=/folder",
        ));
    }
    if config.get_dbname().is_none_or(str::is_empty) {
        return Err(refusal("the postgres:// address names no database"));
    }
    if config.get_user().is_none_or(str::is_empty) {
        return Err(refusal("the postgres:// address names no user"));
    }
    notice_lost_servers(&mut config);
    // A proxy that has just started may lead to a standby, and an address may name every server of a cluster.
    if config.get_target_session_attrs() == TargetSessionAttrs::Any {
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
    }
    Ok(DatabaseUrl(Address::Postgres(Box::new(config))))
}

/// A server whose machine or line is gone says nothing. Without these limits of TCP a connection would wait hours for it.
fn notice_lost_servers(config: &mut tokio_postgres::Config) {
    // What the driver does if the address says nothing.
    const IDLE_OF_DRIVER: Duration = Duration::from_hours(2);
    if config.get_keepalives_idle() == IDLE_OF_DRIVER {
        config.keepalives_idle(Duration::from_secs(5));
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_interval(Duration::from_secs(2));
    }
    if config.get_keepalives_retries().is_none() {
        config.keepalives_retries(3);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(Duration::from_secs(10));
    }
}

fn is_remote(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name != "localhost"
                && !name
                    .parse::<std::net::IpAddr>()
                    .is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => false,
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Address::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Address::Postgres(config) => {
                let host = match config.get_hosts().first() {
                    Some(Host::Tcp(name)) => name.clone(),
                    #[cfg(unix)]
                    Some(Host::Unix(path)) => path.display().to_string(),
                    None => String::new(),
                };
                write!(
                    f,
                    "postgres://{host}/{}",
                    config.get_dbname().unwrap_or_default()
                )
            }
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_forms_are_read_and_shown_without_secrets() {
        for (text, shown) in [
            ("sqlite:var/cabinet.db", "sqlite:var/cabinet.db"),
            ("sqlite:/var/lib/cabinet.db", "sqlite:/var/lib/cabinet.db"),
            (
                "postgres://olena:secret@db.example/cabinet?sslmode=require",
                "postgres://db.example/cabinet",
            ),
            (
                "postgresql://olena:secret@127.0.0.1:5433/cabinet",
                "postgres://127.0.0.1/cabinet",
            ),
            (
                "postgres:///cabinet?host=/run/postgresql&user=app",
                "postgres:///run/postgresql/cabinet",
            ),
        ] {
            let url = DatabaseUrl::parse(text).unwrap();
            assert_eq!(url.to_string(), shown);
            assert!(!format!("{url:?}").contains("secret"));
        }
    }

    #[test]
    fn a_server_that_is_gone_is_noticed_within_seconds_unless_the_address_says_otherwise() {
        let config = |text: &str| match DatabaseUrl::parse(text).unwrap().0 {
            Address::Postgres(config) => *config,
            Address::Sqlite(_) => panic!("{text}"),
        };
        let usual = config("postgres://olena@db.example/cabinet?sslmode=require");
        let silent =
            usual.get_keepalives_interval().unwrap() * usual.get_keepalives_retries().unwrap();
        assert!(usual.get_keepalives_idle() + silent <= Duration::from_secs(15));
        assert!(*usual.get_tcp_user_timeout().unwrap() <= Duration::from_secs(15));
        let own = config(
            "postgres://olena@db.example/cabinet?keepalives_idle=60&keepalives_interval=9&keepalives_retries=7&tcp_user_timeout=40",
        );
        assert_eq!(own.get_keepalives_idle(), Duration::from_secs(60));
        assert_eq!(own.get_keepalives_interval(), Some(Duration::from_secs(9)));
        assert_eq!(own.get_keepalives_retries(), Some(7));
        assert_eq!(own.get_tcp_user_timeout(), Some(&Duration::from_secs(40)));
    }

    #[test]
    fn a_mistyped_address_is_refused_without_repeating_it() {
        for text in [
            "",
            "cabinet.db",
            "sqlite",
            "sqlite:",
            "sqlite::memory:",
            "sqlite://cabinet.db",
            "sqlite:var/",
            "sqlite:file:cabinet.db?mode=memory",
            "sqlit:cabinet-secret.db",
            "postgre://olena:secret@db/cabinet",
            "postgres:/olena:secret@db/cabinet",
            "mysql://olena:secret@db/cabinet",
            "olena:secret@db/cabinet",
            "postgres://olena:secret@/cabinet",
            "postgres://olena:secret@127.0.0.1/",
            "postgres://127.0.0.1/cabinet",
            "postgres://olena:secret@127.0.0.1/cabinet?sslmod=require",
            "postgres://olena:secret@db.example/cabinet?sslmode=allow",
        ] {
            let error = DatabaseUrl::parse(text).expect_err(text).to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn only_an_encrypted_or_local_connection_can_not_be_read_on_the_way() {
        for (text, readable) in [
            ("sqlite:var/cabinet.db", false),
            ("postgres://app@db.example/cabinet?sslmode=require", false),
            ("postgres://app@db.example/cabinet?sslmode=disable", true),
            ("postgres://app@db.example/cabinet?sslmode=prefer", true),
            ("postgres://app@db.example/cabinet", true),
            ("postgres://app@10.0.0.5/cabinet?sslmode=disable", true),
            ("postgres://app@localhost,db.example/cabinet", true),
            ("postgres://app@localhost/cabinet?hostaddr=10.0.0.5", true),
            ("postgres://app@localhost/cabinet?sslmode=disable", false),
            ("postgres://app@127.0.0.1:5433/cabinet", false),
            ("postgres://app@[::1]/cabinet", false),
            ("postgres:///cabinet?host=/run/postgresql&user=app", false),
        ] {
            let url = DatabaseUrl::parse(text).unwrap();
            assert_eq!(url.is_readable_on_the_way(), readable, "{text}");
        }
    }
}
