//! Reads settings. Each has two spellings: `acquirer.base_url` in the file, `CABINET_ACQUIRER_BASE_URL` in the
//! environment, which wins. A secret may come from a file of its own: `CABINET_ACQUIRER_TOKEN_FILE`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use cabinet_gateways::sms::SmsService;

use super::definition::{Absence, Definition, Place, Texts};
use super::error::{SettingsError, SettingsErrors, variable};
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

/// Settings that were read, and everything that is wrong with them.
pub struct Reading {
    /// The settings. A wrong value counts as not given.
    pub settings: Settings,
    /// What is unknown, wrong or out of place.
    pub errors: Vec<SettingsError>,
    /// The files that settings were read from, each with the name of its setting.
    pub files: Vec<(String, PathBuf)>,
    /// The paths of settings that were given, rightly or wrongly.
    given: BTreeSet<&'static str>,
}

impl Reading {
    /// Reads the settings of this process.
    ///
    /// # Errors
    /// [`SettingsError`] only if a default is wrong, which a test rules out.
    pub fn of_environment(mode: RunMode) -> Result<Reading, SettingsError> {
        let mut environment = BTreeMap::new();
        let mut errors = Vec::new();
        for (name, value) in std::env::vars_os() {
            let Ok(name) = name.into_string() else {
                continue;
            };
            if !name.starts_with(PREFIX) || name.starts_with(TEST_PREFIX) {
                continue;
            }
            match value.into_string() {
                Ok(value) => {
                    environment.insert(name, value);
                }
                Err(_) => errors.push(SettingsError::wrong(&name, "a text in UTF-8 is expected")),
            }
        }
        let mut reading = read(&environment, mode)?;
        errors.append(&mut reading.errors);
        Ok(Reading { errors, ..reading })
    }

    /// Returns the settings.
    ///
    /// # Errors
    /// Names every setting that is unknown, wrong or out of place.
    pub fn accepted(self) -> Result<Settings, SettingsErrors> {
        if self.errors.is_empty() {
            Ok(self.settings)
        } else {
            Err(SettingsErrors(self.errors))
        }
    }

    /// Returns the settings that a start without the sandbox needs and that are not given.
    pub fn missing(&self) -> Vec<SettingsError> {
        let is_given = |path: &str| self.given.contains(path);
        let needs_turbosms = self.settings.sms.providers.contains(&SmsService::TurboSms);
        let is_needless =
            |path: &str| matches!(path, "sms.token" | "sms.sender") && !needs_turbosms;
        DEFINITIONS
            .iter()
            .filter(|one| matches!(one.absence, Absence::Required))
            .filter(|one| one.with.is_none_or(is_given) && !is_given(one.path))
            .filter(|one| !is_needless(one.path))
            .map(|one| SettingsError::missing(one.path))
            .collect()
    }

    /// Returns how many settings were given.
    pub fn given(&self) -> usize {
        self.given.len()
    }
}

type Given = BTreeMap<&'static str, String>;

/// Collects what is given, and what is wrong with it.
#[derive(Default)]
struct Collector {
    given: Given,
    errors: Vec<SettingsError>,
    files: Vec<(String, PathBuf)>,
    /// Paths of settings that were given by something that can't be read.
    unreadable: BTreeSet<&'static str>,
}

fn read(environment: &BTreeMap<String, String>, mode: RunMode) -> Result<Reading, SettingsError> {
    let mut collector = Collector::default();
    if let Some(path) = environment.get(CONFIG) {
        collector.read_config(path);
    }
    for (name, value) in environment {
        if name != CONFIG {
            collector.read_variable(environment, name, value);
        }
    }
    collector.check_places(mode);
    let Collector {
        given,
        mut errors,
        files,
        mut unreadable,
    } = collector;
    unreadable.extend(given.keys().copied());
    let mut texts = given;
    for definition in DEFINITIONS {
        if let Some(fault) = texts
            .get(definition.path)
            .and_then(|text| (definition.fault)(text))
        {
            errors.push(SettingsError::wrong(&definition.variable(), fault));
            texts.remove(definition.path);
        }
        let default = match definition.absence {
            Absence::Default(text) => Some(text),
            Absence::Required | Absence::Optional(_) => None,
        };
        let sandbox = definition.sandbox.filter(|_| mode == RunMode::ServeSandbox);
        if let Some(text) = sandbox.or(default) {
            texts
                .entry(definition.path)
                .or_insert_with(|| text.to_owned());
        }
    }
    Ok(Reading {
        settings: Settings::parse(&Texts(texts))?,
        errors,
        files,
        given: unreadable,
    })
}

impl Collector {
    fn read_config(&mut self, path: &str) {
        let table = self.read_file(CONFIG, path).and_then(|text| {
            text.parse()
                .map_err(|_| SettingsError::wrong(CONFIG, "the file is not TOML"))
        });
        match table {
            Ok(table) => self.read_table(&table, ""),
            Err(error) => self.errors.push(error),
        }
    }

    fn read_variable(&mut self, environment: &BTreeMap<String, String>, name: &str, value: &str) {
        if let Some(definition) = DEFINITIONS.iter().find(|one| one.variable() == name) {
            self.given.insert(definition.path, value.to_owned());
            return;
        }
        let secret = name.strip_suffix("_FILE").and_then(|variable| {
            let mut secrets = DEFINITIONS.iter().filter(|one| one.secret);
            secrets.find(|one| one.variable() == variable)
        });
        let Some(secret) = secret else {
            self.errors.push(unknown(name));
            return;
        };
        if environment.contains_key(&secret.variable()) {
            self.errors.push(SettingsError::Both(secret.variable()));
            return;
        }
        match self.read_file(name, value) {
            Ok(text) => {
                self.given.insert(secret.path, text.trim().to_owned());
            }
            Err(error) => {
                // It counts as given, so that it is not called missing, too.
                self.unreadable.insert(secret.path);
                self.errors.push(error);
            }
        }
    }

    /// Collects the settings of a TOML table, each as its text.
    fn read_table(&mut self, table: &toml::Table, section: &str) {
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
                self.read_table(inner, &path);
                continue;
            }
            let Some(definition) = DEFINITIONS.iter().find(|one| one.path == path) else {
                self.errors.push(unknown(&path));
                continue;
            };
            match text_of(definition, value) {
                Ok(text) => {
                    self.given.insert(definition.path, text);
                }
                Err(error) => {
                    self.unreadable.insert(definition.path);
                    self.errors.push(error);
                }
            }
        }
    }

    /// Names settings that do not fit this start. A command accepts every setting, because it may share the server's environment.
    fn check_places(&mut self, mode: RunMode) {
        if mode == RunMode::Command {
            return;
        }
        let sandbox = mode == RunMode::ServeSandbox;
        for definition in DEFINITIONS {
            if !self.is_given(definition.path) {
                continue;
            }
            match definition.place {
                Place::OutsideSandbox if sandbox => {
                    let name = definition.variable();
                    self.errors.push(SettingsError::OutsideSandbox(name));
                }
                Place::SandboxOnly if !sandbox => {
                    let name = definition.variable();
                    self.errors.push(SettingsError::SandboxOnly(name));
                }
                _ => {}
            }
            // Half of the settings of a service is a mistake.
            if let Some(other) = definition.with
                && !sandbox
                && !self.is_given(other)
            {
                self.errors.push(SettingsError::Alone {
                    name: definition.variable(),
                    missing: variable(other),
                });
            }
        }
    }

    fn is_given(&self, path: &'static str) -> bool {
        self.given.contains_key(path) || self.unreadable.contains(path)
    }

    fn read_file(&mut self, name: &str, path: &str) -> Result<String, SettingsError> {
        self.files.push((name.to_owned(), PathBuf::from(path)));
        std::fs::read_to_string(path).map_err(|_| SettingsError::File {
            name: name.to_owned(),
            path: path.to_owned(),
        })
    }
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

/// Reads the settings from these variables.
#[cfg(test)]
pub fn reading_of(mode: RunMode, pairs: &[(&str, &str)]) -> Reading {
    let environment = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    read(&environment, mode).unwrap()
}

/// Reads the settings from these variables, and returns the first error.
#[cfg(test)]
pub fn from_pairs(mode: RunMode, pairs: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let mut reading = reading_of(mode, pairs);
    if reading.errors.is_empty() {
        Ok(reading.settings)
    } else {
        Err(reading.errors.swap_remove(0))
    }
}

#[cfg(test)]
mod tests;
