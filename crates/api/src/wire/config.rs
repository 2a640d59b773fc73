//! What the browser needs to know before it can draw anything.

use schemars::JsonSchema;
use serde::Serialize;

use super::Hryvnias;

/// `GET /config`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Config {
    /// The tariff in force now.
    pub tariff: Tariff,
    /// Changes of the tariff, the latest that happened and those to come, oldest first; the form's warning names them.
    pub tariff_changes: Vec<Tariff>,
    /// Of a sum in the product: `UAH`.
    pub currency: &'static str,
    /// Digits of a one-time code.
    pub otp_length: u8,
    /// Address of the realtime connection, relative to the page's origin or absolute.
    pub realtime_url: String,
    /// The public offer.
    pub offer_url: String,
    /// Whom to ask.
    pub support: Support,
    /// True with the sandbox: no money moves.
    pub demonstration: bool,
}

/// Commission: so many percent, at least so much.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tariff {
    /// First day (Kyiv), `YYYY-MM-DD`; null: since ever.
    pub valid_from: Option<String>,
    /// Hundredths of a percent: 150 is 1.5 %.
    pub basis_points: i64,
    /// At least this much for each part.
    pub minimum: Hryvnias,
}

/// Whom to ask.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Support {
    /// E-mail.
    pub email: String,
    /// Telephone as a person reads it.
    pub phone: String,
}
