//! The notary's own data: `POST /auth/me` and `POST /me`.

use cabinet_domain::{
    CertificateNumber, Email, Iban, Inn, Key, Line, MaskedCard, NotaryId, Okpo, PersonName, Phone,
    RegistryIdentifier,
};
use cabinet_storage::notaries::{self, Notary, Profile};
use jiff::civil::Date;

use crate::App;
use crate::refusal::{AppError, FieldErrors, Outcome, Refusal};

/// What `POST /me` says. A field that it does not name stays as it is; an empty text empties it.
#[derive(Default)]
pub struct ProfileWish {
    /// Required.
    pub full_name: Option<String>,
    /// Tax id.
    pub inn: Option<String>,
    /// Number of the certificate.
    pub certificate_number: Option<String>,
    /// Required.
    pub registry_identifier: Option<String>,
    /// A second phone.
    pub phone_additional: Option<String>,
    /// E-mail.
    pub email: Option<String>,
    /// Address of the office.
    pub notary_address: Option<String>,
    /// First six and last four digits of a card; a full number is cut at once.
    pub card_pan: Option<String>,
    /// The notary's own account.
    pub iban: Option<String>,
    /// The code that belongs to it.
    pub okpo: Option<String>,
    /// `YYYY-MM-DD`.
    pub exemption_date_finish: Option<String>,
}

impl App {
    /// The signed-in notary.
    ///
    /// # Errors
    /// `user_not_found` if the account is gone.
    pub async fn me(&self, notary: NotaryId) -> Outcome<Notary> {
        let found = self
            .inner
            .store
            .read(move |tx| notaries::by_id(tx, notary))
            .await?;
        found.ok_or_else(|| Refusal::not_found(Key::UserNotFound).into())
    }

    /// Saves the profile.
    ///
    /// # Errors
    /// The keys of the fields.
    pub async fn save_profile(
        &self,
        notary: NotaryId,
        wish: ProfileWish,
        errors: FieldErrors,
    ) -> Outcome<Notary> {
        let changes = read_changes(&wish, errors)?;
        let now = self.now();
        let saved = self
            .inner
            .store
            .write(move |tx| {
                let Some(known) = notaries::by_id(tx, notary)? else {
                    return Ok(None);
                };
                let profile = changes.clone().over(known.profile)?;
                notaries::save_profile(tx, notary, &profile, now)?;
                Ok::<_, AppError>(notaries::by_id(tx, notary)?)
            })
            .await?
            .ok_or_else(|| Refusal::not_found(Key::UserNotFound))?;
        tracing::info!(notary.id = %notary, "A notary changed the profile");
        Ok(saved)
    }
}

/// The fields of a profile that change: `None` stays as it is, `Some(None)` is emptied.
#[derive(Clone)]
struct Changes {
    full_name: Option<PersonName>,
    registry_identifier: Option<RegistryIdentifier>,
    inn: Option<Option<Inn>>,
    certificate_number: Option<Option<CertificateNumber>>,
    phone_additional: Option<Option<Phone>>,
    email: Option<Option<Email>>,
    notary_address: Option<Option<Line>>,
    card_pan: Option<Option<MaskedCard>>,
    iban: Option<Option<Iban>>,
    okpo: Option<Option<Okpo>>,
    exemption_date_finish: Option<Option<Date>>,
}

impl Changes {
    /// Returns the whole profile after the changes. Account and code are judged together, also where only one of them changes.
    fn over(self, known: Profile) -> Result<Profile, Refusal> {
        if self.iban.is_some() || self.okpo.is_some() {
            let iban = self.iban.as_ref().unwrap_or(&known.iban);
            let okpo = self.okpo.as_ref().unwrap_or(&known.okpo);
            if let (Some(iban), Some(okpo)) = (iban, okpo) {
                iban.balance_code_rule(okpo)
                    .map_err(|key| Refusal::field("iban", key))?;
            }
        }
        Ok(Profile {
            full_name: self.full_name.unwrap_or(known.full_name),
            registry_identifier: self
                .registry_identifier
                .unwrap_or(known.registry_identifier),
            inn: self.inn.unwrap_or(known.inn),
            certificate_number: self.certificate_number.unwrap_or(known.certificate_number),
            phone_additional: self.phone_additional.unwrap_or(known.phone_additional),
            email: self.email.unwrap_or(known.email),
            notary_address: self.notary_address.unwrap_or(known.notary_address),
            card_pan: self.card_pan.unwrap_or(known.card_pan),
            iban: self.iban.unwrap_or(known.iban),
            okpo: self.okpo.unwrap_or(known.okpo),
            exemption_date_finish: self
                .exemption_date_finish
                .unwrap_or(known.exemption_date_finish),
        })
    }
}

/// The registry identifier from a request, or its key noted.
pub(super) fn read_registry_identifier(
    text: Option<&str>,
    errors: &mut FieldErrors,
) -> Option<RegistryIdentifier> {
    errors.refuse_card("registry_identifier", text);
    if errors.has("registry_identifier") {
        return None;
    }
    let read = RegistryIdentifier::parse(text.unwrap_or_default());
    errors.take("registry_identifier", read)
}

fn read_changes(wish: &ProfileWish, mut errors: FieldErrors) -> Result<Changes, Refusal> {
    errors.refuse_card("full_name", wish.full_name.as_deref());
    errors.refuse_card("notary_address", wish.notary_address.as_deref());
    let full_name = wish.full_name.as_deref().and_then(|text| {
        let name = PersonName::parse(text);
        errors.take(
            "full_name",
            name.map_err(|error| error.key(Key::FullNameRequired)),
        )
    });
    let registry_identifier = wish
        .registry_identifier
        .as_deref()
        .and_then(|text| read_registry_identifier(Some(text), &mut errors));
    let inn = optional(&mut errors, "inn", wish.inn.as_ref(), Inn::parse);
    let certificate_number = optional(
        &mut errors,
        "certificate_number",
        wish.certificate_number.as_ref(),
        CertificateNumber::parse,
    );
    let phone_additional = optional(
        &mut errors,
        "phone_additional",
        wish.phone_additional.as_ref(),
        Phone::parse,
    );
    errors.refuse_card("email", wish.email.as_deref());
    let email = optional(&mut errors, "email", wish.email.as_ref(), Email::parse);
    let notary_address = optional(
        &mut errors,
        "notary_address",
        wish.notary_address.as_ref(),
        |text| {
            Line::parse(text, Profile::ADDRESS_CHARS_MAX)
                .map_err(|error| error.key(Key::FieldRequired))
        },
    );
    let card_pan = optional(
        &mut errors,
        "card_pan",
        wish.card_pan.as_ref(),
        MaskedCard::parse_profile,
    );
    let iban = optional(&mut errors, "iban", wish.iban.as_ref(), Iban::parse);
    let okpo = optional(&mut errors, "okpo", wish.okpo.as_ref(), Okpo::parse);
    if let (Some(Some(iban)), Some(Some(okpo))) = (&iban, &okpo) {
        errors.take("iban", iban.balance_code_rule(okpo));
    }
    let exemption_date_finish = optional(
        &mut errors,
        "exemption_date_finish",
        wish.exemption_date_finish.as_ref(),
        |text| text.parse::<Date>().map_err(|_| Key::DateInvalid),
    );
    errors.check()?;
    Ok(Changes {
        full_name,
        registry_identifier,
        inn,
        certificate_number,
        phone_additional,
        email,
        notary_address,
        card_pan,
        iban,
        okpo,
        exemption_date_finish,
    })
}

/// A field that may be empty: `Some(None)` then, and `None` where it was not named or was refused.
fn optional<T>(
    errors: &mut FieldErrors,
    field: &'static str,
    text: Option<&String>,
    read: impl FnOnce(&str) -> Result<T, Key>,
) -> Option<Option<T>> {
    if errors.has(field) {
        return None;
    }
    match text?.trim() {
        "" => Some(None),
        text => errors.take(field, read(text)).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish() -> ProfileWish {
        ProfileWish {
            full_name: Some("Коваль Олена Іванівна".to_owned()),
            registry_identifier: Some("NOTAR12345".to_owned()),
            ..ProfileWish::default()
        }
    }

    fn keys(wish: &ProfileWish) -> Vec<(&'static str, Key)> {
        match read_changes(wish, FieldErrors::new()) {
            Ok(_) => Vec::new(),
            Err(refusal) => refusal.errors.iter().collect(),
        }
    }

    #[test]
    fn a_full_card_number_is_cut_before_anything_else_sees_it() {
        let wish = ProfileWish {
            card_pan: Some("4242 4242 4242 4242".to_owned()),
            ..wish()
        };
        let changes = read_changes(&wish, FieldErrors::new()).unwrap();
        let card = MaskedCard::parse_profile("424242******4242").unwrap();
        assert_eq!(changes.card_pan, Some(Some(card)));
    }

    #[test]
    fn all_bad_fields_are_named_at_once() {
        let wish = ProfileWish {
            full_name: Some(String::new()),
            registry_identifier: Some("дуже довгий ідентифікатор".to_owned()),
            inn: Some("123".to_owned()),
            certificate_number: Some("12a".to_owned()),
            phone_additional: Some("12".to_owned()),
            email: Some("olena@host".to_owned()),
            card_pan: Some("1234".to_owned()),
            iban: Some("UA00".to_owned()),
            okpo: Some("1".to_owned()),
            exemption_date_finish: Some("31.12.2026".to_owned()),
            notary_address: Some("x".repeat(301)),
        };
        let fields: Vec<&str> = keys(&wish).into_iter().map(|(field, _)| field).collect();
        assert_eq!(fields.len(), 11, "{fields:?}");
    }

    #[test]
    fn an_account_for_own_needs_does_not_go_with_a_person() {
        let wish = ProfileWish {
            iban: Some("UA263220010000026201234567890".to_owned()),
            okpo: Some("3068208400".to_owned()),
            ..wish()
        };
        assert_eq!(keys(&wish), [("iban", Key::IbanBalanceCodeByOkpoRule)]);
    }
}
