//! The notary on the wire.

use cabinet_domain::{
    CertificateNumber, Email, Iban, Inn, Line, Notary, Okpo, Phone, TruncatedPan,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::moment::Moment;
use super::standing::{AccountStanding, NotaryStatus};

/// The signed-in notary. Empty texts stand for what was never filled in.
#[derive(Debug, Serialize, JsonSchema)]
pub struct User {
    /// Opaque.
    pub id: String,
    /// `+380XXXXXXXXX`; never changed by the profile form.
    pub phone: String,
    /// Surname, name, patronymic.
    pub full_name: String,
    /// The name that waits for the operator. Until then papers and letters carry `full_name`. Null: none waits.
    pub requested_name: Option<String>,
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
    /// Whether the notary may order. Only the owner of a confirmed account may.
    pub standing: AccountStanding,
    /// Of an account that waits: where `POST /auth/confirmation` sends the code that confirms it, masked: the contact of the register of
    /// notaries. Null: the operator confirms it.
    pub register_contact: Option<String>,
    /// From the register of notaries, or from the operator; never changed by the profile form.
    pub notary_status: NotaryStatus,
}

impl User {
    /// Returns a notary, with the contact of the register to which the code goes.
    pub fn new(notary: Notary, register_contact: Option<String>) -> User {
        let profile = notary.profile;
        User {
            id: notary.id.to_string(),
            phone: notary.phone.as_str().to_owned(),
            full_name: profile.full_name.as_str().to_owned(),
            requested_name: notary.requested_name.map(|name| name.as_str().to_owned()),
            inn: text(profile.inn.as_ref().map(Inn::as_str)),
            certificate_number: text(
                profile
                    .certificate_number
                    .as_ref()
                    .map(CertificateNumber::as_str),
            ),
            registry_identifier: profile.registry_identifier.as_str().to_owned(),
            phone_additional: text(profile.phone_additional.as_ref().map(Phone::as_str)),
            email: text(profile.email.as_ref().map(Email::as_str)),
            notary_address: text(profile.notary_address.as_ref().map(Line::as_str)),
            card_pan: text(profile.card_pan.as_ref().map(TruncatedPan::as_str)),
            iban: text(profile.iban.as_ref().map(Iban::as_str)),
            okpo: text(profile.okpo.as_ref().map(Okpo::as_str)),
            exemption_date_finish: profile.exemption_date_finish.map(|date| date.to_string()),
            created_at: notary.created_at.into(),
            updated_at: notary.updated_at.into(),
            new_flow_enabled: notary.chooses_payment_method,
            standing: notary.standing.account.into(),
            register_contact,
            notary_status: notary.practice.status.into(),
        }
    }
}

/// Returns an empty text for a field that was never filled in.
fn text(field: Option<&str>) -> String {
    field.unwrap_or_default().to_owned()
}
