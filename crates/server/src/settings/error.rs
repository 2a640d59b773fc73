//! Refusals of settings.

/// A setting that can't be used. The text names it and never its value.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SettingsError {
    /// The name is not in the list.
    #[error("unknown setting {0}: `cabinet settings` lists those there are")]
    Unknown(String),
    /// The setting has another name now.
    #[error("unknown setting {old}: its name is {new} now")]
    Renamed {
        /// The name that was given.
        old: String,
        /// The name in the environment.
        new: String,
    },
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
    /// A required setting is missing.
    #[error("{0} is not set, and this start needs it")]
    Missing(String),
    /// A setting that needs another one, which is missing.
    #[error("{name} is set, but {missing} is not")]
    Alone {
        /// The setting.
        name: String,
        /// The setting it needs.
        missing: String,
    },
    /// A setting of the sandbox, without `--sandbox`.
    #[error("{0} is set, but there is no --sandbox")]
    SandboxOnly(String),
    /// A setting of a real service, with `--sandbox`.
    #[error("{0} names a real service: it does not go with --sandbox")]
    OutsideSandbox(String),
}

/// Returns a setting's name in the environment: `CABINET_ACQUIRER_TOKEN` for the path `acquirer.token`.
pub fn variable(path: &str) -> String {
    format!("CABINET_{}", path.replace('.', "_").to_uppercase())
}

/// Everything that is wrong with the settings.
#[derive(Debug, PartialEq, Eq)]
pub struct SettingsErrors(pub Vec<SettingsError>);

impl std::fmt::Display for SettingsErrors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let texts: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join("\n"))
    }
}

impl std::error::Error for SettingsErrors {}

impl SettingsError {
    /// A missing setting, by its path in the file.
    pub fn missing(path: &str) -> SettingsError {
        SettingsError::Missing(variable(path))
    }

    pub(super) fn wrong(name: &str, reason: impl Into<String>) -> SettingsError {
        SettingsError::Wrong {
            name: name.to_owned(),
            reason: reason.into(),
        }
    }
}
