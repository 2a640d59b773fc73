//! Settings: from the environment and, optionally, a TOML file that `CABINET_CONFIG` names.
//!
//! Every setting has one name in two spellings: `acquirer.base_url` in the file, `CABINET_ACQUIRER_BASE_URL` in the
//! environment, which wins. A secret may come from a file of its own: `CABINET_ACQUIRER_TOKEN_FILE`. An unknown or wrong
//! setting stops the start and is named; its value is not, for it may be a secret.

mod known;

use std::collections::BTreeMap;
use std::net::SocketAddr;

use secrecy::SecretString;
use serde::Deserialize;

use self::known::{KNOWN, Kind, Known};

/// The settings of one run.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Address and port the cabinet listens on.
    pub listen: Option<SocketAddr>,
    /// Address the notaries' browsers use.
    pub public_url: Option<String>,
    /// Where the data is.
    pub database_url: Option<SecretString>,
    /// Signs access tokens and hashes codes.
    pub secret_key: Option<SecretString>,
    /// Header in which a trusted proxy names the client's address.
    pub client_address_header: Option<String>,
    /// What is logged.
    pub log: Option<String>,
    /// Address and port of the sandbox.
    pub sandbox_listen: Option<SocketAddr>,
    /// Address and port of the sandbox's mail server.
    pub sandbox_smtp_listen: Option<SocketAddr>,
    /// The acquirer.
    pub acquirer: Acquirer,
    /// The SMS service.
    pub sms: Sms,
    /// The voice service.
    pub calls: CallService,
    /// The mail server.
    pub mail: MailServer,
    /// One-time codes.
    pub codes: Codes,
    /// Sessions.
    pub sessions: Sessions,
    /// Who runs the service.
    pub operator: Operator,
    /// Whom notaries ask.
    pub support: Support,
    /// The public offer.
    pub offer: Offer,
}

/// The acquirer.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Acquirer {
    /// Address of its interface.
    pub base_url: Option<String>,
    /// The merchant's token.
    pub token: Option<SecretString>,
    /// Hosts a payment page may be on.
    pub page_hosts: Option<String>,
}

/// The SMS service.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sms {
    /// Its address.
    pub base_url: Option<String>,
    /// Its token.
    pub token: Option<SecretString>,
    /// The registered sender's name.
    pub sender: Option<String>,
}

/// The voice service.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CallService {
    /// Its address.
    pub base_url: Option<String>,
    /// The account.
    pub account: Option<String>,
    /// Its token.
    pub token: Option<SecretString>,
    /// The number calls come from.
    pub caller: Option<String>,
}

/// The mail server.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MailServer {
    /// Its name.
    pub host: Option<String>,
    /// Its port.
    pub port: Option<u16>,
    /// The user.
    pub user: Option<String>,
    /// The user's password.
    pub password: Option<SecretString>,
    /// Whom letters come from.
    pub from: Option<String>,
}

/// One-time codes.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Codes {
    /// Digits, 4 to 8.
    pub length: Option<i64>,
    /// A login answers alike for known and unknown phones.
    pub alike_answers: Option<bool>,
}

/// Sessions.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sessions {
    /// A session unused for so long ends.
    pub idle_minutes: Option<i64>,
    /// A session ends after so long whatever is done.
    pub absolute_minutes: Option<i64>,
}

/// Who runs the service and gets the commission.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Operator {
    /// Name.
    pub name: Option<String>,
    /// EDRPOU code.
    pub code: Option<String>,
    /// Account.
    pub iban: Option<String>,
    /// Address.
    pub address: Option<String>,
}

/// Whom notaries ask.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Support {
    /// E-mail.
    pub email: Option<String>,
    /// Telephone.
    pub phone: Option<String>,
}

/// The public offer's text.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Offer {
    /// In Ukrainian.
    pub file_uk: Option<String>,
    /// In English.
    pub file_en: Option<String>,
}

/// A setting that can't be used. The text names it and never its value.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SettingsError {
    /// The name is not in the list.
    #[error("unknown setting {0}: `cabinet settings` lists those there are")]
    Unknown(String),
    /// Both the setting and its file are given.
    #[error("{0} and {0}_FILE are both set: give one of them")]
    Both(String),
    /// A file could not be read.
    #[error("{name}: {path} can't be read")]
    File {
        /// The setting that names the file.
        name: String,
        /// The file.
        path: String,
    },
    /// The value is not of the setting's kind.
    #[error("{name}: {reason}")]
    Wrong {
        /// The setting.
        name: String,
        /// What is expected.
        reason: String,
    },
    /// A setting that this start needs is not there.
    #[error("{0} is not set, and this start needs it")]
    Missing(&'static str),
}

/// The environment's name of a setting.
fn variable(path: &str) -> String {
    format!("CABINET_{}", path.replace('.', "_").to_uppercase())
}

/// Names, kinds and meanings of all settings, one a line.
pub fn list() -> String {
    KNOWN.iter().fold(String::new(), |mut text, known| {
        let file = if known.kind == Kind::Secret {
            " (or …_FILE)"
        } else {
            ""
        };
        text.push_str(&format!(
            "{}{file}\n    {}\n",
            variable(known.path),
            known.about
        ));
        text
    })
}

impl Settings {
    /// Reads the settings of this process.
    ///
    /// # Errors
    /// The first setting that is unknown or wrong, by name.
    pub fn from_environment() -> Result<Settings, SettingsError> {
        let environment: BTreeMap<String, String> = std::env::vars()
            .filter(|(name, _)| name.starts_with("CABINET_"))
            .collect();
        Settings::read(&environment)
    }

    /// Reads the settings from these variables.
    fn read(environment: &BTreeMap<String, String>) -> Result<Settings, SettingsError> {
        let mut table = match environment.get("CABINET_CONFIG") {
            None => toml::Table::new(),
            Some(path) => read_file("CABINET_CONFIG", path)?
                .parse()
                .map_err(|_| wrong("CABINET_CONFIG", "the file is not TOML"))?,
        };
        for (name, value) in environment {
            // A test database is the tests' own affair, not a setting.
            if name == "CABINET_CONFIG" || name.starts_with("CABINET_TEST_") {
                continue;
            }
            let direct = KNOWN.iter().find(|known| variable(known.path) == *name);
            let by_file = name.strip_suffix("_FILE").and_then(|stem| {
                KNOWN
                    .iter()
                    .find(|known| known.kind == Kind::Secret && variable(known.path) == stem)
            });
            match (direct, by_file) {
                (Some(known), _) => put(&mut table, known, name, value.clone())?,
                (None, Some(known)) => {
                    if environment.contains_key(&variable(known.path)) {
                        return Err(SettingsError::Both(variable(known.path)));
                    }
                    put(
                        &mut table,
                        known,
                        name,
                        read_file(name, value)?.trim().to_owned(),
                    )?;
                }
                (None, None) => return Err(SettingsError::Unknown(name.clone())),
            }
        }
        check_table(&table, "")?;
        // The library's text may quote a value; what can be wrong was named above.
        Settings::deserialize(table)
            .map_err(|_| wrong("CABINET_CONFIG", "the settings can't be read"))
    }
}

fn wrong(name: &str, reason: &str) -> SettingsError {
    SettingsError::Wrong {
        name: name.to_owned(),
        reason: reason.to_owned(),
    }
}

fn read_file(name: &str, path: &str) -> Result<String, SettingsError> {
    std::fs::read_to_string(path).map_err(|_| SettingsError::File {
        name: name.to_owned(),
        path: path.to_owned(),
    })
}

fn put(
    table: &mut toml::Table,
    known: &Known,
    name: &str,
    value: String,
) -> Result<(), SettingsError> {
    let value = match known.kind {
        Kind::Text | Kind::Secret => toml::Value::String(value),
        Kind::Number => toml::Value::Integer(
            value
                .trim()
                .parse()
                .map_err(|_| wrong(name, "a whole number is expected"))?,
        ),
        Kind::Flag => toml::Value::Boolean(
            value
                .trim()
                .parse()
                .map_err(|_| wrong(name, "true or false is expected"))?,
        ),
    };
    match known.path.split_once('.') {
        None => {
            table.insert(known.path.to_owned(), value);
        }
        Some((section, key)) => {
            let section = table
                .entry(section)
                .or_insert_with(|| toml::Value::Table(toml::Table::new()));
            let Some(section) = section.as_table_mut() else {
                return Err(wrong(
                    name,
                    "the file has something else than a section there",
                ));
            };
            section.insert(key.to_owned(), value);
        }
    }
    Ok(())
}

/// Refuses what is no setting, or not of its kind, wherever it came from.
fn check_table(table: &toml::Table, section: &str) -> Result<(), SettingsError> {
    for (key, value) in table {
        let path = if section.is_empty() {
            key.clone()
        } else {
            format!("{section}.{key}")
        };
        let is_section = KNOWN
            .iter()
            .any(|known| known.path.starts_with(&format!("{path}.")));
        match value {
            toml::Value::Table(inner) if is_section => check_table(inner, &path)?,
            _ => match KNOWN.iter().find(|known| known.path == path) {
                Some(known) => check_kind(known, value)?,
                None => return Err(SettingsError::Unknown(path)),
            },
        }
    }
    Ok(())
}

fn check_kind(known: &Known, value: &toml::Value) -> Result<(), SettingsError> {
    let is_address = |text: &str| text.parse::<SocketAddr>().is_ok();
    let (fits, expected) = match known.kind {
        _ if known.path.ends_with("listen") => (
            value.as_str().is_some_and(is_address),
            "an address and a port are expected, such as 127.0.0.1:8080",
        ),
        _ if known.path.ends_with("port") => (
            value
                .as_integer()
                .is_some_and(|port| u16::try_from(port).is_ok()),
            "a port is expected, 0 to 65535",
        ),
        Kind::Text | Kind::Secret => (value.is_str(), "a text is expected"),
        Kind::Number => (value.is_integer(), "a whole number is expected"),
        Kind::Flag => (value.is_bool(), "true or false is expected"),
    };
    if fits {
        Ok(())
    } else {
        Err(wrong(&variable(known.path), expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, SettingsError> {
        Settings::read(
            &pairs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        )
    }

    #[test]
    fn the_environment_is_read_by_kind() {
        let settings = read(&[
            ("CABINET_LISTEN", "127.0.0.1:9000"),
            ("CABINET_CODES_LENGTH", "6"),
            ("CABINET_CODES_ALIKE_ANSWERS", "true"),
            ("CABINET_ACQUIRER_TOKEN", "t"),
        ])
        .unwrap();
        assert_eq!(settings.listen, Some("127.0.0.1:9000".parse().unwrap()));
        assert_eq!(settings.codes.length, Some(6));
        assert_eq!(settings.codes.alike_answers, Some(true));
        assert_eq!(settings.acquirer.token.unwrap().expose_secret(), "t");
    }

    #[test]
    fn an_unknown_or_wrong_setting_is_named_without_its_value() {
        assert_eq!(
            read(&[("CABINET_LISTENN", "x")]).unwrap_err(),
            SettingsError::Unknown("CABINET_LISTENN".to_owned())
        );
        for (name, value) in [
            ("CABINET_LISTEN", "hidden-value"),
            ("CABINET_CODES_LENGTH", "hidden-value"),
            ("CABINET_CODES_ALIKE_ANSWERS", "hidden-value"),
            ("CABINET_MAIL_PORT", "70000"),
        ] {
            let text = read(&[(name, value)]).unwrap_err().to_string();
            assert!(
                text.contains(name) && !text.contains("hidden-value"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_secret_comes_from_its_file_but_not_from_both() {
        let path = std::env::temp_dir().join(format!("cabinet-settings-{}", std::process::id()));
        std::fs::write(&path, "from-file\n").unwrap();
        let path_text = path.to_str().unwrap();
        let settings = read(&[("CABINET_SMS_TOKEN_FILE", path_text)]).unwrap();
        assert_eq!(settings.sms.token.unwrap().expose_secret(), "from-file");
        let both = read(&[
            ("CABINET_SMS_TOKEN_FILE", path_text),
            ("CABINET_SMS_TOKEN", "x"),
        ])
        .unwrap_err();
        assert_eq!(both, SettingsError::Both("CABINET_SMS_TOKEN".to_owned()));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn the_file_is_checked_and_the_environment_wins() {
        let path = std::env::temp_dir().join(format!("cabinet-config-{}.toml", std::process::id()));
        std::fs::write(&path, "listen = \"127.0.0.1:1\"\n[codes]\nlength = 5\n").unwrap();
        let path_text = path.to_str().unwrap();
        let settings =
            read(&[("CABINET_CONFIG", path_text), ("CABINET_CODES_LENGTH", "8")]).unwrap();
        assert_eq!(
            (settings.listen, settings.codes.length),
            (Some("127.0.0.1:1".parse().unwrap()), Some(8))
        );
        std::fs::write(&path, "[codes]\nlenght = 5\n").unwrap();
        assert_eq!(
            read(&[("CABINET_CONFIG", path_text)]).unwrap_err(),
            SettingsError::Unknown("codes.lenght".to_owned())
        );
        for (text, name) in [
            (
                "[codes]\nlength = \"hidden-value\"\n",
                "CABINET_CODES_LENGTH",
            ),
            (
                "[codes]\nalike_answers = 1\n",
                "CABINET_CODES_ALIKE_ANSWERS",
            ),
            ("[sms]\nsender = 5\n", "CABINET_SMS_SENDER"),
            ("listen = \"hidden-value\"\n", "CABINET_LISTEN"),
            ("[mail]\nport = 70000\n", "CABINET_MAIL_PORT"),
        ] {
            std::fs::write(&path, text).unwrap();
            let text = read(&[("CABINET_CONFIG", path_text)])
                .unwrap_err()
                .to_string();
            assert!(
                text.contains(name) && !text.contains("hidden-value"),
                "{text}"
            );
        }
        std::fs::remove_file(path).unwrap();
    }
}
