//! Reading the fields of logins and sign-ups.

use cabinet_domain::{Key, LoginStep, OperationId, Phone, RegistryIdentifier};

use crate::kernel::refusal::FieldErrors;

/// Reads a phone.
pub(super) fn read_phone(text: Option<&str>, errors: &mut FieldErrors) -> Option<Phone> {
    if errors.has("phone") {
        return None;
    }
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    errors.take(
        "phone",
        text.ok_or(Key::PhoneRequired).and_then(Phone::parse),
    )
}

/// Reads the id of an operation.
pub(super) fn read_operation(text: Option<&str>, errors: &mut FieldErrors) -> Option<OperationId> {
    if errors.has("operation_id") {
        return None;
    }
    errors.take(
        "operation_id",
        text.and_then(OperationId::parse)
            .ok_or(Key::OperationUnknown),
    )
}

/// Reads a code of one of these numbers of digits, or the registry identifier in the custom step. Blanks are left out.
pub(super) fn read_code(
    step: LoginStep,
    text: Option<&str>,
    digits: [u8; 2],
    errors: &mut FieldErrors,
) -> Option<String> {
    if errors.has("otp_code") {
        return None;
    }
    let text: String = text
        .unwrap_or_default()
        .chars()
        .filter(|char| !char.is_whitespace())
        .collect();
    let read = if text.is_empty() {
        Err(Key::OtpCodeRequired)
    } else if step == LoginStep::Custom {
        let is_long_enough = text.chars().count() >= *RegistryIdentifier::CHARS.start();
        if is_long_enough && RegistryIdentifier::parse_saved(&text).is_some() {
            Ok(identifier_as_code(&text))
        } else {
            Err(Key::OtpIncorrect)
        }
    } else if digits.map(usize::from).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit())
    {
        Ok(text)
    } else {
        Err(Key::OtpIncorrect)
    };
    errors.take("otp_code", read)
}

/// Reads the registry identifier of a new account.
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

/// Returns the registry identifier as the code of the custom step, in one case: people type it in either.
pub(super) fn identifier_as_code(identifier: &str) -> String {
    identifier.trim().to_uppercase()
}
