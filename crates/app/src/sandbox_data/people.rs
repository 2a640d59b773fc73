//! The notaries of the sandbox.

use cabinet_domain::{
    CertificateNumber, Iban, Inn, Key, KnownStatus, Line, LoginStep, NotaryId, NotaryStatus,
    NotaryStatusBy, Okpo, PersonName, Profile, RegistryIdentifier, TextError,
};

use crate::kernel::refusal::Result;

/// A notary of the sandbox.
pub struct SandboxNotary {
    /// The phone to log in with.
    pub phone: &'static str,
    /// What to try with it, in both languages.
    pub about: &'static str,
    number: u128,
    full_name: &'static str,
    registry_identifier: &'static str,
    pub(super) inn: &'static str,
    pub(super) login_step: LoginStep,
    pub(super) chooses_payment_method: bool,
    pub(super) agreed: bool,
    pub(super) status: KnownStatus,
}

impl SandboxNotary {
    /// Returns the id. It is the same in every sandbox, so saved cards keep their owners.
    pub const fn id(&self) -> NotaryId {
        NotaryId::new(uuid::Uuid::from_u128(
            0xDE30_0000_0000_4000_8000_0000_0000_0000 + self.number,
        ))
    }

    pub(super) fn profile(&self) -> Result<Profile, Key> {
        let text = |error: TextError| error.key(Key::FieldRequired);
        let full_name = PersonName::parse(self.full_name).map_err(text)?;
        let address = Line::parse(OWN_ADDRESS, Profile::ADDRESS_CHARS_MAX).map_err(text)?;
        Ok(Profile {
            inn: Some(Inn::parse(self.inn)?),
            iban: Some(Iban::parse(OWN_IBAN)?),
            okpo: Some(Okpo::parse(self.inn)?),
            certificate_number: Some(CertificateNumber::parse("1209")?),
            notary_address: Some(address),
            ..Profile::new(
                full_name,
                RegistryIdentifier::parse(self.registry_identifier)?,
            )
        })
    }
}

const TOLD_PRIVATE: KnownStatus = KnownStatus {
    counts_as: NotaryStatus::Private,
    by: NotaryStatusBy::Register,
};
const TOLD_STATE: KnownStatus = KnownStatus {
    counts_as: NotaryStatus::State,
    by: NotaryStatusBy::Register,
};

/// The notaries of the sandbox. The register does not tell how the first practises, so she has all kinds of payment.
pub const SANDBOX_NOTARIES: [SandboxNotary; 6] = [
    SandboxNotary {
        phone: "+380501112233",
        about: "код з SMS / code by SMS",
        number: 1,
        full_name: "Коваль Олена Іванівна",
        registry_identifier: "NOTAR10001",
        inn: "3068208400",
        login_step: LoginStep::Otp,
        chooses_payment_method: true,
        agreed: true,
        status: KnownStatus::UNTOLD,
    },
    SandboxNotary {
        phone: "+380502223344",
        about: "дзвінок, натиснути 1 / a call, press 1",
        number: 2,
        full_name: "Бондаренко Тарас Михайлович",
        registry_identifier: "NOTAR10002",
        inn: "1759013776",
        login_step: LoginStep::PhoneCall,
        chooses_payment_method: true,
        agreed: true,
        status: TOLD_PRIVATE,
    },
    SandboxNotary {
        phone: "+380503334455",
        about: "ідентифікатор у реєстрі NOTAR12345 / registry identifier NOTAR12345",
        number: 3,
        full_name: "Шевчук Ірина Петрівна",
        registry_identifier: "NOTAR12345",
        inn: "3652504575",
        login_step: LoginStep::Custom,
        chooses_payment_method: true,
        agreed: true,
        status: TOLD_PRIVATE,
    },
    SandboxNotary {
        phone: "+380504445566",
        about: "код з SMS, оплата одразу на сторінці банку / code by SMS, straight to the bank's page",
        number: 4,
        full_name: "Ткаченко Андрій Васильович",
        registry_identifier: "NOTAR10004",
        inn: "1234567899",
        login_step: LoginStep::Otp,
        chooses_payment_method: false,
        agreed: true,
        status: TOLD_PRIVATE,
    },
    SandboxNotary {
        phone: "+380505556677",
        about: "код з SMS, ще не погодився з новими умовами / code by SMS, has not agreed to the new terms",
        number: 5,
        full_name: "Мельник Софія Богданівна",
        registry_identifier: "NOTAR10005",
        inn: "3068208400",
        login_step: LoginStep::Otp,
        chooses_payment_method: true,
        agreed: false,
        status: TOLD_PRIVATE,
    },
    SandboxNotary {
        phone: "+380506667788",
        about: "код з SMS, державний нотаріус / code by SMS, a state notary",
        number: 6,
        full_name: "Лисенко Богдан Степанович",
        registry_identifier: "NOTAR10006",
        inn: "1759013776",
        login_step: LoginStep::Otp,
        chooses_payment_method: true,
        agreed: true,
        status: TOLD_STATE,
    },
];

/// The account of every notary of the sandbox. It is invented, with right check digits.
pub(super) const OWN_IBAN: &str = "UA223052990000026001234567890";
/// The address of every office.
const OWN_ADDRESS: &str = "м. Київ, вул. Демонстраційна, 1";
