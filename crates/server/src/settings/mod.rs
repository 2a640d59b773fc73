//! Settings, read from the environment and, optionally, from a TOML file that `CABINET_CONFIG` names.
//!
//! [`list`] has every setting with its kind, its default and its documentation. Reading, the defaults, `cabinet settings`
//! and the table in `docs/operate/settings.md` follow from it.

mod definition;
mod error;
mod kinds;
mod list;
mod manual;
mod reading;

pub use self::definition::Required;
pub use self::error::SettingsError;
pub use self::list::{SANDBOX_SECRET_KEY, Settings};
pub use self::manual::{environment_file, markdown, plain, what_to_set};
pub use self::reading::{Reading, RunMode};

#[cfg(test)]
pub use self::reading::{from_pairs, reading_of};
