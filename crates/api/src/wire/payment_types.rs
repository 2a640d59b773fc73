//! What can be paid, to whom and for how much. Names are in the language of `Accept-Language`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Hryvnias;

/// `GET /payment-types`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PaymentTypes {
    /// In the order of the select; the first is preselected.
    pub payment_types: Vec<PaymentType>,
}

/// A kind of payment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PaymentType {
    /// Opaque.
    pub id: String,
    /// `admin_payment`, `admin_government_payment`, `registry_payment` or `requisites_payment`; the browser translates it.
    pub slug: PaymentTypeSlug,
}

/// The four kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PaymentTypeSlug {
    /// Administrative fee: 60 % to the notary's own account, 40 % to the budget.
    #[serde(rename = "admin_payment")]
    Admin,
    /// Administrative fee of a state notary: the whole fee to the budget.
    #[serde(rename = "admin_government_payment")]
    AdminGovernment,
    /// Fee for the use of a register.
    #[serde(rename = "registry_payment")]
    Registry,
    /// Any requisites.
    #[serde(rename = "requisites_payment")]
    Requisites,
}

/// Query of `GET /payment-types/fields`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FieldsQuery {
    /// From `GET /payment-types`; required.
    pub payment_type_id: Option<String>,
}

/// `GET /payment-types/fields`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PaymentTypeFields {
    /// Empty for payments to any requisites.
    pub options: Vec<PaymentTypeOption>,
    /// Empty for payments to any requisites.
    pub regions: Vec<Region>,
}

/// A service whose fee is paid.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PaymentTypeOption {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub name: String,
    /// Holds the tariff of a register's service.
    pub additional_data: AdditionalData,
}

/// What only some options have.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AdditionalData {
    /// Today's tariff; only for `registry_payment`.
    pub tariff: Option<Hryvnias>,
}

/// An oblast, Kyiv, Sevastopol or Crimea.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Region {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub name: String,
}

/// Query of `GET /payment-types/region/requisites`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RequisitesQuery {
    /// From the fields of the payment type; required.
    pub payment_type_region_id: Option<String>,
    /// From `GET /payment-types`; required.
    pub payment_type_id: Option<String>,
    /// With it, only recipients of the term's budget code are answered.
    pub payment_type_option_term_id: Option<String>,
}

/// `GET /payment-types/region/requisites`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Requisites {
    /// Recipients valid today. Empty where a region has none.
    pub requisites: Vec<Requisite>,
}

/// A recipient.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Requisite {
    /// Opaque.
    pub id: String,
    /// As the payment names it.
    pub name: String,
    /// The account.
    pub iban: String,
    /// The code that belongs to the account.
    pub okpo: String,
    /// Budget code the account serves; null where it serves none.
    pub budget_code: Option<String>,
    /// An example that must not be paid to outside the sandbox.
    pub demonstration: bool,
}

/// Query of `GET /payment-types/option/terms`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TermsQuery {
    /// From the fields of the payment type; required.
    pub payment_type_option_id: Option<String>,
}

/// `GET /payment-types/option/terms`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Terms {
    /// Terms with a tax in force today.
    pub terms: Vec<OptionTerm>,
}

/// How fast the service is done, and its price.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OptionTerm {
    /// Opaque.
    pub id: String,
    /// What a person reads: «5 робочих днів».
    pub period: String,
    /// Today's tax.
    pub tax: Hryvnias,
    /// Only recipients of this budget code are accepted for the term; null where any is.
    pub budget_code: Option<String>,
}

/// `GET /payment-types/requisites/templates`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RequisitesTemplates {
    /// Templates valid today.
    pub requisites_templates: Vec<RequisitesTemplate>,
}

/// Ready requisites.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RequisitesTemplate {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub title: String,
    /// Null where the notary enters it.
    pub amount: Option<Hryvnias>,
    /// Recipient.
    pub recipient_name: String,
    /// Recipient's account.
    pub recipient_iban: String,
    /// Recipient's code.
    pub recipient_code: String,
    /// Purpose; may hold `{clientName}` and `{clientIPN}`.
    pub comment: String,
    /// Budget code; null where there is none.
    pub cbc_code: Option<String>,
}
