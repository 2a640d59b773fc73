//! A payment as a request asks for it.

use cabinet_domain::{Money, PersonName};

use crate::kernel::idempotency::Fingerprint;
use crate::kernel::keys::Digest;
use crate::kernel::refusal::FieldErrors;

/// A payment as it was requested. Nothing of it is trusted.
#[derive(Default, PartialEq)]
pub struct PaymentRequest {
    /// The client's code.
    pub client_inn: Option<String>,
    /// The client's name.
    pub client_full_name: Option<String>,
    /// Whether the name is stored as it was typed. Otherwise [`PersonName::mended`](cabinet_domain::PersonName::mended) applies.
    pub name_as_typed: bool,
    /// The kind of payment.
    pub payment_type_id: Option<String>,
    /// The region of the recipient.
    pub region_id: Option<String>,
    /// The service.
    pub option_id: Option<String>,
    /// The recipient.
    pub requisite_id: Option<String>,
    /// The term of the service.
    pub term_id: Option<String>,
    /// What the recipients get for one unit, without commission, as the screen showed it.
    pub amount: Option<Money>,
    /// Amount and commission of one unit, as the screen showed it.
    pub sum: Option<Money>,
    /// The notary's own account, or the recipient's.
    pub iban: Option<String>,
    /// The code of the account's owner.
    pub okpo: Option<String>,
    /// The recipient of a payment to any requisites.
    pub recipient_name: Option<String>,
    /// The purpose of a payment to any requisites.
    pub purpose: Option<String>,
    /// The template it was filled from.
    pub template_id: Option<String>,
    /// The budget code of a payment to any requisites.
    pub cbc_code: Option<String>,
    /// The year of filing whose fee it takes. `None`: this year.
    pub filing_year: Option<i64>,
    /// Whether it is refused where the same payment is there already.
    pub refuse_duplicate: bool,
}

impl PaymentRequest {
    /// Returns the client's name as it is stored, where that is another one than was sent, apart from spaces.
    #[must_use]
    pub fn mended_name(&self) -> Option<PersonName> {
        let sent = PersonName::parse(self.client_full_name.as_deref()?).ok()?;
        let stored = self.name_to_store(sent.clone());
        (stored != sent).then_some(stored)
    }

    /// Returns the client's name as it is stored, from the one that was sent.
    pub(super) fn name_to_store(&self, sent: PersonName) -> PersonName {
        if self.name_as_typed {
            sent
        } else {
            sent.mended()
        }
    }

    /// Returns a digest of the whole request, including the names of fields whose type was wrong.
    pub(super) fn fingerprint(&self, errors: &FieldErrors) -> Digest {
        let PaymentRequest {
            client_inn,
            client_full_name,
            name_as_typed,
            payment_type_id,
            region_id,
            option_id,
            requisite_id,
            term_id,
            amount,
            sum,
            iban,
            okpo,
            recipient_name,
            purpose,
            template_id,
            cbc_code,
            filing_year,
            // An answer to a question about the payment, not a part of it: the same key serves both.
            refuse_duplicate: _,
        } = self;
        let mut fingerprint = Fingerprint::default();
        for text in [
            client_inn,
            client_full_name,
            payment_type_id,
            region_id,
            option_id,
            requisite_id,
            term_id,
            iban,
            okpo,
            recipient_name,
            purpose,
            template_id,
            cbc_code,
        ] {
            fingerprint.text(text.as_deref());
        }
        // Only where it is set, so that a request sent to the version before keeps its fingerprint.
        if *name_as_typed {
            fingerprint.text(Some("name_as_typed"));
        }
        if let Some(year) = filing_year {
            fingerprint.text(Some(&format!("filing_year {year}")));
        }
        fingerprint.sum(*amount);
        fingerprint.sum(*sum);
        fingerprint.errors(errors);
        fingerprint.digest()
    }
}
