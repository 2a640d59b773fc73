//! The profile: `POST /auth/me` and `POST /me`.

use cabinet_domain::{
    AuditAction, CertificateNumber, Email, Iban, Inn, Key, Line, LoginStep, Notary, NotaryId,
    NotaryStatus, Okpo, Origin, PersonName, Phone, Profile, RegistryIdentifier, SignUpConfirmation,
    TruncatedPan, fold_for_search, kyiv_time,
};
use cabinet_storage::Tx;
use cabinet_storage::account::{notaries, register};
use jiff::civil::Date;

use super::Accounts;
use super::account_confirmation::confirm_by_rule;
use super::act_to_prove::{ActToProve, ProfileChange};
use super::limits::refuse_many_changes;
use crate::audit::AuditEntry;
use crate::kernel::asker::Decider;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};
use crate::kernel::texts::{ChangedField, changed_profile};
use crate::payment::approval::Signer;

/// Changes of the profile within a day of which the notary is told.
const CHANGES_DAILY_MAX: i64 = 20;
/// The fields of which the notary is told without a proof, as the audit trail names them. They are counted apart: whoever has a session alone must
/// not use up the changes that the owner proves.
const NAME_FIELDS: [&str; 3] = ["full_name", "requested_name", "inn"];
/// The fields that are proved.
const PROVED_FIELDS: [&str; 5] = [
    "iban",
    "okpo",
    "email",
    "phone_additional",
    "registry_identifier",
];

/// The request of `POST /me`. A field that it does not name is not changed. An empty text clears the field.
#[derive(Default)]
pub struct ProfileRequest {
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
    /// A card. Only its first six and last four digits are kept.
    pub card_pan: Option<String>,
    /// The notary's own account.
    pub iban: Option<String>,
    /// The code that belongs to it.
    pub okpo: Option<String>,
    /// `YYYY-MM-DD`.
    pub exemption_date_finish: Option<String>,
}

impl Accounts {
    /// Returns the signed-in notary.
    ///
    /// # Errors
    /// `user_not_found` if the account is gone.
    pub async fn profile(&self, notary: NotaryId) -> Result<Notary> {
        let found = self
            .store
            .read(move |tx| notaries::by_id(tx, notary))
            .await?;
        found.ok_or_else(|| Refusal::not_found(Key::UserNotFound).into())
    }

    /// Saves the profile. Another name of a confirmed account waits for the operator. A change that could cost money needs a proof of this very change, and the notary is told of it, and of another name
    /// or tax id, by the contacts that she had before.
    ///
    /// # Errors
    /// `unauthorized`, the keys of the fields, `registry_identifier_fixed`, `confirmation_required` with what is to be proved, `too_many_today`.
    pub async fn save_profile(
        &self,
        signer: Signer,
        request: ProfileRequest,
        errors: FieldErrors,
        origin: Origin,
    ) -> Result<Notary> {
        let changes = read_changes(&request, errors)?;
        let notary = signer.notary;
        let (unit, approvals) = (self.ids.unit(), self.approvals);
        let notifier = self.notifier.clone();
        let rule = self.sign_up_confirmation;
        let write = move |tx: &mut Tx| -> Result<Option<Notary>> {
            register::lock(tx)?;
            let (now, mut unit) = (unit.now, unit.clone());
            let (locked, known) = Decider::from(signer).lock(tx, now)?;
            let mut profile = changes
                .clone()
                .over(known.profile.clone(), known.practice.status)?;
            let requested_name = if changes.full_name.is_some() {
                hold_name(&known, &mut profile, rule)
            } else {
                known.requested_name.clone()
            };
            let change = ProfileChange::between(&known.profile, &profile);
            if change.registry_identifier.is_some() && known.login_step == LoginStep::Custom {
                let field = "registry_identifier";
                return Err(Refusal::field(field, Key::RegistryIdentifierFixed).into());
            }
            let requested = (known.requested_name.as_ref(), requested_name.as_ref());
            let mut entry = profile_entry(&known.profile, &profile)
                .changed("requested_name", requested.0, requested.1)
                .of_notary(notary);
            let mut told = ChangedField::between(&known.profile, &profile, &change);
            if requested.0 != requested.1 && requested.1.is_some() {
                told.push(ChangedField::RequestedName);
            }
            if !told.is_empty() {
                let is_proved = change != ProfileChange::default();
                let fields: &[&str] = if is_proved {
                    &PROVED_FIELDS
                } else {
                    &NAME_FIELDS
                };
                let told_of = (AuditAction::ProfileChanged, fields);
                refuse_many_changes(tx, notary, told_of, CHANGES_DAILY_MAX, now)?;
            }
            if change != ProfileChange::default() {
                let act = ActToProve::Profile(Box::new(change));
                let proved = approvals.approve_act(tx, signer, act, now)??;
                entry = entry.proved(proved);
            }
            if !told.is_empty() {
                // The phone of the login can't be changed, so whoever has changed the address just now doesn't keep the owner from
                // hearing of the next change.
                let notice = changed_profile(&told, &kyiv_time(now), notifier.support_phone());
                notifier.tell_known_everywhere(tx, &mut unit, &known, &notice)?;
            }
            if entry.has_changes() {
                entry.record(tx, &mut unit, &origin)?;
            }
            notaries::save_profile(tx, &locked, &profile, now)?;
            notaries::request_name(tx, &locked, requested_name.as_ref(), now)?;
            // An account that waits may have got the number by which the register knows its owner.
            confirm_by_rule(tx, notary, rule, &mut unit, &Origin::worker())?;
            Ok(notaries::by_id(tx, notary)?)
        };
        let saved = self
            .store
            .write(write)
            .await?
            .ok_or_else(|| Refusal::not_found(Key::UserNotFound))?;
        tracing::info!(notary.id = %notary, "A notary changed the profile");
        Ok(saved)
    }
}

/// Keeps the name of a profile that somebody has confirmed, and returns the one that the operator is asked to confirm. Another spelling of the
/// same name needs nobody.
fn hold_name(
    known: &Notary,
    profile: &mut Profile,
    rule: SignUpConfirmation,
) -> Option<PersonName> {
    let confirmed = &known.profile.full_name;
    let folded = |name: &PersonName| fold_for_search(name.as_str());
    if !known.has_confirmed_name(rule) || folded(&profile.full_name) == folded(confirmed) {
        return None;
    }
    Some(std::mem::replace(&mut profile.full_name, confirmed.clone()))
}

/// Returns the entry of the audit trail for a changed profile.
fn profile_entry(from: &Profile, to: &Profile) -> AuditEntry {
    macro_rules! fields {
        ($($name:ident),+) => {
            AuditEntry::new(AuditAction::ProfileChanged)
                .changed("full_name", Some(&from.full_name), Some(&to.full_name))
                .changed("registry_identifier", Some(&from.registry_identifier), Some(&to.registry_identifier))
                $(.changed(stringify!($name), from.$name.as_ref(), to.$name.as_ref()))+
        };
    }
    fields!(
        inn,
        certificate_number,
        phone_additional,
        email,
        notary_address,
        card_pan,
        iban,
        okpo,
        exemption_date_finish
    )
}

/// The changes of a profile. `None` leaves a field as it is, `Some(None)` clears it.
#[derive(Clone)]
struct Changes {
    full_name: Option<PersonName>,
    registry_identifier: Option<RegistryIdentifier>,
    inn: Option<Option<Inn>>,
    certificate_number: Option<Option<CertificateNumber>>,
    phone_additional: Option<Option<Phone>>,
    email: Option<Option<Email>>,
    notary_address: Option<Option<Line>>,
    card_pan: Option<Option<TruncatedPan>>,
    iban: Option<Option<Iban>>,
    okpo: Option<Option<Okpo>>,
    exemption_date_finish: Option<Option<Date>>,
}

impl Changes {
    /// Returns the profile after the changes. The account, its code and the notary's own code are checked together, even if only
    /// one of them changes. What breaks a rule and is not named in the request stays.
    ///
    /// The account of a private notary goes with a person's code. A state notary needs no account, and may have her office's code.
    fn over(self, known: Profile, status: NotaryStatus) -> Result<Profile, Refusal> {
        let iban = self.iban.as_ref().unwrap_or(&known.iban);
        let okpo = self.okpo.as_ref().unwrap_or(&known.okpo);
        let inn = self.inn.as_ref().unwrap_or(&known.inn);
        let mut errors = FieldErrors::new();
        if *iban != known.iban || *okpo != known.okpo {
            check_account(iban.as_ref(), okpo.as_ref(), &mut errors);
        }
        if status == NotaryStatus::Private
            && *okpo != known.okpo
            && let Some(okpo) = okpo
        {
            errors.take("okpo", okpo.private_notary_rule());
        }
        // An identifier of an earlier form stays as long as it is not changed.
        if let Some(identifier) = &self.registry_identifier
            && *identifier != known.registry_identifier
        {
            errors.take(
                "registry_identifier",
                RegistryIdentifier::parse(identifier.as_str()),
            );
        }
        if *okpo != known.okpo || *inn != known.inn {
            check_code(okpo.as_ref(), inn.as_ref(), &mut errors);
        }
        errors.check()?;
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

/// Checks the notary's own account.
fn check_account(iban: Option<&Iban>, okpo: Option<&Okpo>, errors: &mut FieldErrors) {
    if let Some(iban) = iban {
        errors.take("iban", iban.own_account_rule(okpo));
    }
}

/// Checks that the account is the notary's, by her own code.
fn check_code(okpo: Option<&Okpo>, inn: Option<&Inn>, errors: &mut FieldErrors) {
    if let Some(okpo) = okpo {
        errors.take(
            "okpo",
            okpo.own_code_rule(Okpo::of_notary(inn, None).as_ref()),
        );
    }
}

/// Reads an identifier that the account may have had before; [`Changes::over`] refuses a new one of an earlier form.
fn read_known_identifier(text: &str, errors: &mut FieldErrors) -> Option<RegistryIdentifier> {
    errors.refuse_card("registry_identifier", Some(text));
    if errors.has("registry_identifier") {
        return None;
    }
    let saved = RegistryIdentifier::parse_saved(text.trim());
    errors.take(
        "registry_identifier",
        saved.map_or_else(|| RegistryIdentifier::parse(text), Ok),
    )
}

fn read_changes(request: &ProfileRequest, mut errors: FieldErrors) -> Result<Changes, Refusal> {
    errors.refuse_card("full_name", request.full_name.as_deref());
    errors.refuse_card("notary_address", request.notary_address.as_deref());
    let full_name = request.full_name.as_deref().and_then(|text| {
        if errors.has("full_name") {
            return None;
        }
        let name = PersonName::parse(text);
        errors.take(
            "full_name",
            name.map_err(|error| error.key(Key::FullNameRequired)),
        )
    });
    let registry_identifier = request
        .registry_identifier
        .as_deref()
        .and_then(|text| read_known_identifier(text, &mut errors));
    let inn = errors.optional("inn", &request.inn, Inn::parse);
    let number = &request.certificate_number;
    let certificate_number =
        errors.optional("certificate_number", number, CertificateNumber::parse);
    let phone = &request.phone_additional;
    let phone_additional = errors.optional("phone_additional", phone, Phone::parse);
    errors.refuse_card("email", request.email.as_deref());
    let email = errors.optional("email", &request.email, Email::parse);
    let notary_address = errors.optional("notary_address", &request.notary_address, |text| {
        Line::parse(text, Profile::ADDRESS_CHARS_MAX).map_err(|error| error.key(Key::FieldRequired))
    });
    let card_pan = errors.optional("card_pan", &request.card_pan, TruncatedPan::parse_profile);
    let iban = errors.optional("iban", &request.iban, Iban::parse);
    let okpo = errors.optional("okpo", &request.okpo, Okpo::parse);
    if let Some(Some(iban)) = &iban {
        check_account(
            Some(iban),
            okpo.as_ref().and_then(Option::as_ref),
            &mut errors,
        );
    }
    if let (Some(Some(inn)), Some(Some(okpo))) = (&inn, &okpo) {
        check_code(Some(okpo), Some(inn), &mut errors);
    }
    let date = &request.exemption_date_finish;
    let exemption_date_finish = errors.optional("exemption_date_finish", date, |text| {
        text.parse::<Date>().map_err(|_| Key::DateInvalid)
    });
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

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> ProfileRequest {
        ProfileRequest {
            full_name: Some("Коваль Олена Іванівна".to_owned()),
            registry_identifier: Some("NOTAR12345".to_owned()),
            ..ProfileRequest::default()
        }
    }

    fn keys(request: &ProfileRequest) -> FieldErrors {
        match read_changes(request, FieldErrors::new()) {
            Ok(_) => FieldErrors::new(),
            Err(refusal) => refusal.errors,
        }
    }

    #[test]
    fn a_full_card_number_is_cut_before_anything_else_sees_it() {
        let request = ProfileRequest {
            card_pan: Some("4242 4242 4242 4242".to_owned()),
            ..request()
        };
        let changes = read_changes(&request, FieldErrors::new()).unwrap();
        let card = TruncatedPan::parse_profile("424242******4242").unwrap();
        assert_eq!(changes.card_pan, Some(Some(card)));
    }

    #[test]
    fn all_bad_fields_are_named_at_once() {
        let request = ProfileRequest {
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
        let errors = keys(&request);
        assert_eq!(errors.iter().count(), 11, "{errors:?}");
    }

    #[test]
    fn an_account_for_own_needs_does_not_go_with_a_person() {
        let request = ProfileRequest {
            iban: Some("UA263220010000026201234567890".to_owned()),
            okpo: Some("3068208400".to_owned()),
            ..request()
        };
        let errors = keys(&request);
        let expected = ("iban", Key::IbanBalanceCodeByOkpoRule);
        assert_eq!(errors.iter().collect::<Vec<_>>(), [expected]);
    }
}
