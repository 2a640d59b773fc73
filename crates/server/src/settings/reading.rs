//! Reads settings. Each has two spellings: `acquirer.base_url` in the file, `CABINET_ACQUIRER_BASE_URL` in the
//! environment, which wins. A secret may come from a file of its own: `CABINET_ACQUIRER_TOKEN_FILE`.

use std::collections::BTreeMap;
use std::ffi::OsString;

use super::definition::{Absence, Definition, Place, Texts};
use super::error::{SettingsError, variable};
use super::kinds::Form;
use super::list::{DEFINITIONS, RENAMED, Settings};

const PREFIX: &str = "CABINET_";
/// Names the TOML file.
const CONFIG: &str = "CABINET_CONFIG";
/// Variables of the test suite. They are not settings.
const TEST_PREFIX: &str = "CABINET_TEST_";

/// What the program is started for. Required settings differ with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMode {
    /// A command that may run beside a server.
    Command,
    /// A server.
    Serve,
    /// A server with the sandbox.
    ServeSandbox,
}

impl Settings {
    /// Reads the settings of this process.
    ///
    /// # Errors
    /// Names the first setting that is unknown, wrong or out of place.
    pub fn from_environment(mode: RunMode) -> Result<Settings, SettingsError> {
        let environment = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .filter(|(name, _)| name.starts_with(PREFIX) && !name.starts_with(TEST_PREFIX))
            .map(|(name, value)| unicode(&name, value).map(|value| (name, value)))
            .collect::<Result<_, _>>()?;
        read(&environment, mode)
    }
}

fn unicode(name: &str, value: OsString) -> Result<String, SettingsError> {
    value
        .into_string()
        .map_err(|_| SettingsError::wrong(name, "a text in UTF-8 is expected"))
}

type Given = BTreeMap<&'static str, String>;

fn read(environment: &BTreeMap<String, String>, mode: RunMode) -> Result<Settings, SettingsError> {
    let mut given = Given::new();
    if let Some(path) = environment.get(CONFIG) {
        let table = read_file(CONFIG, path)?
            .parse()
            .map_err(|_| SettingsError::wrong(CONFIG, "the file is not TOML"))?;
        read_table(&table, "", &mut given)?;
    }
    for (name, value) in environment {
        if name != CONFIG {
            let (path, text) = read_variable(environment, name, value)?;
            given.insert(path, text);
        }
    }
    check_places(&given, mode)?;
    for definition in DEFINITIONS {
        let default = match definition.absence {
            Absence::Default(text) => Some(text),
            Absence::Required | Absence::Optional(_) => None,
        };
        let sandbox = definition.sandbox.filter(|_| mode == RunMode::ServeSandbox);
        if let Some(text) = sandbox.or(default) {
            given
                .entry(definition.path)
                .or_insert_with(|| text.to_owned());
        }
    }
    Settings::parse(&Texts(given))
}

fn read_variable(
    environment: &BTreeMap<String, String>,
    name: &str,
    value: &str,
) -> Result<(&'static str, String), SettingsError> {
    if let Some(definition) = DEFINITIONS.iter().find(|one| one.variable() == name) {
        return Ok((definition.path, value.to_owned()));
    }
    let secret = name.strip_suffix("_FILE").and_then(|variable| {
        let mut secrets = DEFINITIONS.iter().filter(|one| one.secret);
        secrets.find(|one| one.variable() == variable)
    });
    let Some(secret) = secret else {
        return Err(unknown(name));
    };
    if environment.contains_key(&secret.variable()) {
        return Err(SettingsError::Both(secret.variable()));
    }
    Ok((secret.path, read_file(name, value)?.trim().to_owned()))
}

/// Collects the settings of a TOML table, each as its text.
fn read_table(table: &toml::Table, section: &str, given: &mut Given) -> Result<(), SettingsError> {
    for (key, value) in table {
        let path = if section.is_empty() {
            key.clone()
        } else {
            format!("{section}.{key}")
        };
        let is_section = DEFINITIONS
            .iter()
            .any(|one| one.path.starts_with(&format!("{path}.")));
        if let toml::Value::Table(inner) = value
            && is_section
        {
            read_table(inner, &path, given)?;
            continue;
        }
        let definition = DEFINITIONS
            .iter()
            .find(|one| one.path == path)
            .ok_or_else(|| unknown(&path))?;
        given.insert(definition.path, text_of(definition, value)?);
    }
    Ok(())
}

/// Returns the text of a TOML value, which must have the form of the setting.
fn text_of(definition: &Definition, value: &toml::Value) -> Result<String, SettingsError> {
    match (definition.form, value) {
        (Form::Text, toml::Value::String(text)) => Ok(text.clone()),
        (Form::Number, toml::Value::Integer(number)) => Ok(number.to_string()),
        (Form::Flag, toml::Value::Boolean(flag)) => Ok(flag.to_string()),
        _ => Err(SettingsError::wrong(
            &definition.variable(),
            (definition.refusal)(),
        )),
    }
}

/// Returns the refusal of a name, in either spelling, that is not in the list.
fn unknown(name: &str) -> SettingsError {
    let renamed = RENAMED
        .iter()
        .find(|(old, _)| *old == name || variable(old) == name);
    match renamed {
        Some((_, new)) => SettingsError::Renamed {
            old: name.to_owned(),
            new: variable(new),
        },
        None => SettingsError::Unknown(name.to_owned()),
    }
}

/// Refuses settings that do not fit this start. A command accepts every setting, because it may share the server's environment.
fn check_places(given: &Given, mode: RunMode) -> Result<(), SettingsError> {
    if mode == RunMode::Command {
        return Ok(());
    }
    let sandbox = mode == RunMode::ServeSandbox;
    for definition in DEFINITIONS {
        if !given.contains_key(definition.path) {
            continue;
        }
        match definition.place {
            Place::OutsideSandbox if sandbox => {
                return Err(SettingsError::OutsideSandbox(definition.variable()));
            }
            Place::SandboxOnly if !sandbox => {
                return Err(SettingsError::SandboxOnly(definition.variable()));
            }
            _ => {}
        }
        // Half of the settings of a service is a mistake.
        if let Some(other) = definition.with
            && !sandbox
            && !given.contains_key(other)
        {
            return Err(SettingsError::Alone {
                name: definition.variable(),
                missing: variable(other),
            });
        }
    }
    Ok(())
}

fn read_file(name: &str, path: &str) -> Result<String, SettingsError> {
    std::fs::read_to_string(path).map_err(|_| SettingsError::File {
        name: name.to_owned(),
        path: path.to_owned(),
    })
}

/// Reads the settings from these variables.
#[cfg(test)]
pub fn from_pairs(mode: RunMode, pairs: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let environment = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    read(&environment, mode)
}

#[cfg(test)]
mod tests;
