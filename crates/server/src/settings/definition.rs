//! What a setting is made of, and the macro that turns the list of settings into a struct and a table.

use std::collections::BTreeMap;

use super::error::{SettingsError, variable};
use super::kinds::{Form, Kind};

/// One setting.
pub struct Definition {
    /// Its name in the file; the environment's name follows from it.
    pub path: &'static str,
    /// Its documentation, line by line.
    pub about: &'static [&'static str],
    /// How it is written in TOML.
    pub form: Form,
    /// Whether it may stand in a file of its own (`…_FILE`).
    pub secret: bool,
    /// What a value must be.
    pub description: fn() -> String,
    /// The refusal of a wrong value.
    pub refusal: fn() -> String,
    /// Checks a value. Returns what is wrong with it.
    pub fault: fn(&str) -> Option<String>,
    /// What holds if it is not set.
    pub absence: Absence,
    /// The default with `--sandbox`, if it differs.
    pub sandbox: Option<&'static str>,
    /// The path of the setting it needs.
    pub with: Option<&'static str>,
    /// With or without `--sandbox`.
    pub place: Place,
}

impl Definition {
    /// Its name in the environment.
    pub fn variable(&self) -> String {
        variable(self.path)
    }
}

/// What holds if a setting is not set.
#[derive(Clone, Copy)]
pub enum Absence {
    /// This value.
    Default(&'static str),
    /// The server does not start.
    Required,
    /// The program does without it. The text says how.
    Optional(&'static str),
}

/// Which starts of a server accept a setting.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Every start.
    Anywhere,
    /// Starts without `--sandbox`. The sandbox sets the value itself.
    OutsideSandbox,
    /// Starts with `--sandbox`.
    SandboxOnly,
}

/// The value of a setting that the server requires and that other commands can do without.
#[derive(Clone, Debug)]
pub struct Required<T> {
    path: &'static str,
    value: Option<T>,
}

impl<T> Required<T> {
    /// Returns the value.
    ///
    /// # Errors
    /// [`SettingsError::Missing`].
    pub fn value(&self) -> Result<&T, SettingsError> {
        self.value
            .as_ref()
            .ok_or_else(|| SettingsError::missing(self.path))
    }

    /// Returns the value if it is set.
    pub fn get(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// Returns the name of the setting in the environment.
    pub fn name(&self) -> String {
        variable(self.path)
    }

    /// Sets the value.
    pub fn set(&mut self, value: T) {
        self.value = Some(value);
    }
}

/// The values of one run as text, by path: those that were given, and the defaults of the others.
pub struct Texts(pub BTreeMap<&'static str, String>);

impl Texts {
    pub(super) fn optional<K: Kind>(
        &self,
        path: &'static str,
    ) -> Result<Option<K::Value>, SettingsError> {
        let parse = |text: &String| {
            K::parse(text).map_err(|reason| SettingsError::wrong(&variable(path), reason))
        };
        self.0.get(path).map(parse).transpose()
    }

    pub(super) fn required<K: Kind>(
        &self,
        path: &'static str,
    ) -> Result<Required<K::Value>, SettingsError> {
        let value = self.optional::<K>(path)?;
        Ok(Required { path, value })
    }

    pub(super) fn default<K: Kind>(&self, path: &'static str) -> Result<K::Value, SettingsError> {
        self.optional::<K>(path)?
            .ok_or_else(|| SettingsError::missing(path))
    }
}

/// The type of a setting's value in the struct.
macro_rules! value_of {
    (default $kind:ty) => { <$kind as Kind>::Value };
    (required $kind:ty) => { Required<<$kind as Kind>::Value> };
    (optional $kind:ty) => { Option<<$kind as Kind>::Value> };
}

macro_rules! absence {
    (default $text:literal) => {
        Absence::Default($text)
    };
    (required) => {
        Absence::Required
    };
    (optional $text:literal) => {
        Absence::Optional($text)
    };
}

macro_rules! place {
    () => {
        Place::Anywhere
    };
    (outside_sandbox) => {
        Place::OutsideSandbox
    };
    (sandbox_only) => {
        Place::SandboxOnly
    };
}

macro_rules! option {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

macro_rules! definition {
    (
        $path:expr, [$($about:literal)+], $kind:ty, $absence:ident $($text:literal)?,
        [$($with:literal)?], [$($sandbox:expr)?], [$($place:ident)?]
    ) => {
        Definition {
            path: $path,
            about: &[$($about),+],
            form: <$kind as Kind>::FORM,
            secret: <$kind as Kind>::SECRET,
            description: <$kind as Kind>::description,
            refusal: <$kind as Kind>::refusal,
            fault: |text| <$kind as Kind>::parse(text).err(),
            absence: absence!($absence $($text)?),
            sandbox: option!($($sandbox)?),
            with: option!($($with)?),
            place: place!($($place)?),
        }
    };
}

/// Declares every setting. An entry is
///
/// ```text
/// /// Documentation.
/// name: Kind, ABSENCE [, with "other.setting"] [, sandbox "default with --sandbox"] [, in outside_sandbox | , in sandbox_only];
/// ```
///
/// where `ABSENCE` is `default "value"`, `required`, or `optional "how the program does without it"`. Generates the struct `Settings`
/// with a struct for each section, and the table `DEFINITIONS`.
macro_rules! settings {
    (
        {
            $(
                $(#[doc = $about:literal])+
                $name:ident: $kind:ty, $absence:ident $($text:literal)?
                    $(, with $with:literal)? $(, sandbox $sandbox:expr)? $(, in $place:ident)?;
            )+
        }
        $(
            $(#[doc = $section_about:literal])+
            $section:ident: $Section:ident {
                $(
                    $(#[doc = $inner_about:literal])+
                    $inner_name:ident: $inner_kind:ty, $inner_absence:ident $($inner_text:literal)?
                        $(, with $inner_with:literal)? $(, sandbox $inner_sandbox:expr)? $(, in $inner_place:ident)?;
                )+
            }
        )+
    ) => {
        /// The settings of one run.
        #[derive(Clone, Debug)]
        pub struct Settings {
            $(
                $(#[doc = $about])+
                pub $name: value_of!($absence $kind),
            )+
            $(
                $(#[doc = $section_about])+
                pub $section: $Section,
            )+
        }

        $(
            $(#[doc = $section_about])+
            #[derive(Clone, Debug)]
            pub struct $Section {
                $(
                    $(#[doc = $inner_about])+
                    pub $inner_name: value_of!($inner_absence $inner_kind),
                )+
            }
        )+

        impl Settings {
            /// Reads every value.
            pub(super) fn parse(texts: &Texts) -> Result<Settings, SettingsError> {
                Ok(Settings {
                    $($name: texts.$absence::<$kind>(stringify!($name))?,)+
                    $($section: $Section {
                        $($inner_name: texts.$inner_absence::<$inner_kind>(
                            concat!(stringify!($section), ".", stringify!($inner_name))
                        )?,)+
                    },)+
                })
            }
        }

        /// Every setting, in the order of the list.
        pub(super) const DEFINITIONS: &[Definition] = &[
            $(definition!(
                stringify!($name), [$($about)+], $kind, $absence $($text)?,
                [$($with)?], [$($sandbox)?], [$($place)?]
            ),)+
            $($(definition!(
                concat!(stringify!($section), ".", stringify!($inner_name)),
                [$($inner_about)+], $inner_kind, $inner_absence $($inner_text)?,
                [$($inner_with)?], [$($inner_sandbox)?], [$($inner_place)?]
            ),)+)+
        ];
    };
}

pub(super) use {absence, definition, option, place, settings, value_of};
