//! Kind, service, term, region and recipient of a payment on the wire. Names are in the language of `Accept-Language`.

use std::borrow::Cow;

use cabinet_domain::{
    Chosen as DomainChoice, ChosenRequisite as DomainRequisite, ItemContent, Locale, PaymentKind,
    Percent,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::json;

/// A kind of payment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PaymentType {
    /// Opaque.
    pub id: String,
    /// Its kind; the browser translates it.
    pub slug: PaymentTypeSlug,
}

/// The slug of a kind: [`PaymentKind::slug`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaymentTypeSlug(PaymentKind);

impl From<PaymentKind> for PaymentTypeSlug {
    fn from(kind: PaymentKind) -> PaymentTypeSlug {
        PaymentTypeSlug(kind)
    }
}

impl Serialize for PaymentTypeSlug {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.slug())
    }
}

impl JsonSchema for PaymentTypeSlug {
    fn schema_name() -> Cow<'static, str> {
        "PaymentTypeSlug".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let kinds = PaymentKind::ALL.map(|kind| {
            json!({ "type": "string", "const": kind.slug(), "description": description(kind) })
        });
        json_schema!({ "description": "The four kinds.", "oneOf": kinds })
    }
}

/// Returns what the document of the interface says of a kind.
fn description(kind: PaymentKind) -> String {
    match kind {
        PaymentKind::AdminPayment => {
            let notary = Percent::NOTARY_SHARE;
            format!(
                "Administrative fee: {} % to the notary's own account, {} % to the budget.",
                notary.get(),
                notary.rest().get()
            )
        }
        PaymentKind::AdminGovernmentPayment => {
            "Administrative fee of a state notary: the whole fee to the budget.".to_owned()
        }
        PaymentKind::RegistryPayment => "Fee for the use of a register.".to_owned(),
        PaymentKind::RequisitesPayment => "Any requisites.".to_owned(),
    }
}

/// An oblast, Kyiv, Sevastopol or Crimea.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Region {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub name: String,
}

/// The id and name of what was chosen, as it was called when it was chosen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Chosen {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub name: String,
}

/// The term that was chosen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChosenTerm {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub period: String,
}

/// The recipient that was chosen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChosenRequisite {
    /// Opaque.
    pub id: String,
    /// As the payment names it.
    pub name: String,
    /// The account.
    pub iban: String,
    /// The code that belongs to the account.
    pub okpo: String,
}

impl From<&DomainRequisite> for ChosenRequisite {
    fn from(requisite: &DomainRequisite) -> ChosenRequisite {
        ChosenRequisite {
            id: requisite.id.to_string(),
            name: requisite.name.clone(),
            iban: requisite.iban.as_str().to_owned(),
            okpo: requisite.okpo.as_str().to_owned(),
        }
    }
}

/// Kind, service, term, region and recipient of an item, with names in one language.
pub struct Choices {
    /// Kind.
    pub payment_type: PaymentType,
    /// Service.
    pub option: Option<Chosen>,
    /// Term.
    pub term: Option<ChosenTerm>,
    /// Region.
    pub region: Option<Region>,
    /// Recipient.
    pub requisite: Option<ChosenRequisite>,
}

impl Choices {
    /// Returns those of an item.
    pub fn of(content: &ItemContent, locale: Locale) -> Choices {
        Choices {
            payment_type: PaymentType {
                id: content.payment_type_id.to_string(),
                slug: content.kind.into(),
            },
            option: content.option.as_ref().map(|choice| Chosen {
                id: choice.id.to_string(),
                name: name(choice, locale),
            }),
            term: content.term.as_ref().map(|choice| ChosenTerm {
                id: choice.id.to_string(),
                period: name(choice, locale),
            }),
            region: content.region.as_ref().map(|choice| Region {
                id: choice.id.to_string(),
                name: name(choice, locale),
            }),
            requisite: content.requisite.as_ref().map(ChosenRequisite::from),
        }
    }
}

fn name<Id>(choice: &DomainChoice<Id>, locale: Locale) -> String {
    choice.names.in_locale(locale).to_owned()
}
