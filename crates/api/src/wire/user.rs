//! The notary.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Given, Moment};

/// The signed-in notary. Empty texts stand for what was never filled in.
#[derive(Debug, Serialize, JsonSchema)]
pub struct User {
    /// Opaque.
    pub id: String,
    /// `+380XXXXXXXXX`; never changed by the profile form.
    pub phone: String,
    /// Surname, name, patronymic.
    pub full_name: String,
    /// The notary's own tax id.
    pub inn: String,
    /// Number of the certificate of the right to notarial practice.
    pub certificate_number: String,
    /// Identifier in the register.
    pub registry_identifier: String,
    /// A second phone.
    pub phone_additional: String,
    /// For letters and receipts.
    pub email: String,
    /// Address of the office.
    pub notary_address: String,
    /// First six and last four digits, the rest masked; serves recognition only.
    pub card_pan: String,
    /// The notary's own account, where 60 % of an administrative fee goes.
    pub iban: String,
    /// The code that belongs to the account: 8 or 10 digits.
    pub okpo: String,
    /// `YYYY-MM-DD` or null.
    pub exemption_date_finish: Option<String>,
    /// When the account was made.
    pub created_at: Moment,
    /// When the profile was last changed.
    pub updated_at: Moment,
    /// True: the popup with saved cards. False: straight to the acquirer's page.
    pub new_flow_enabled: bool,
}

/// `POST /me`: a field that is left out stays as it is; null or an empty text empties it. Phone, id and flags are ignored.
#[derive(Deserialize, JsonSchema)]
pub struct ProfileRequest {
    /// Surname, name, patronymic; required.
    #[serde(default)]
    pub full_name: Given<String>,
    /// A code in any form that a client's may have, or empty.
    #[serde(default)]
    pub inn: Given<String>,
    /// Digits, or empty.
    #[serde(default)]
    pub certificate_number: Given<String>,
    /// 4 to 15 letters and digits; required.
    #[serde(default)]
    pub registry_identifier: Given<String>,
    /// A phone in any usual form, or empty.
    #[serde(default)]
    pub phone_additional: Given<String>,
    /// An address, or empty.
    #[serde(default)]
    pub email: Given<String>,
    /// Free text, or empty.
    #[serde(default)]
    pub notary_address: Given<String>,
    /// First six and last four digits with the rest masked, or empty. A full number is cut at once.
    #[serde(default)]
    pub card_pan: Given<String>,
    /// A Ukrainian IBAN, or empty.
    #[serde(default)]
    pub iban: Given<String>,
    /// 8 or 10 digits, or empty.
    #[serde(default)]
    pub okpo: Given<String>,
    /// `YYYY-MM-DD` or null.
    #[serde(default)]
    pub exemption_date_finish: Given<String>,
}
