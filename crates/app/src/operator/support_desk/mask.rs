//! What of a person is shown to the support.

use cabinet_domain::{
    AuditValue, Client, Iban, Inn, KeptComplaint, Line, Okpo, PaymentKind, PersonName,
    without_codes,
};

/// Stands for what is not shown.
const HIDDEN: &str = "•••";

/// Shows personal data in full, or as the audit trail keeps them.
#[derive(Clone, Copy)]
pub(crate) struct Mask {
    pub(crate) is_full: bool,
}

impl Mask {
    /// Shows a value.
    pub(super) fn show<'value, V>(self, value: &'value V, full: fn(&V) -> &str) -> String
    where
        AuditValue: From<&'value V>,
    {
        if self.is_full {
            full(value).to_owned()
        } else {
            AuditValue::from(value).as_str().to_owned()
        }
    }

    pub(super) fn name(self, name: &PersonName) -> String {
        self.show(name, PersonName::as_str)
    }

    pub(super) fn code(self, code: &Inn) -> String {
        self.show(code, Inn::as_str)
    }

    /// Shows a recipient: an entity as it is, a person masked.
    pub(crate) fn recipient(self, name: &str, is_person: bool) -> String {
        match PersonName::parse_saved(name) {
            Ok(person) if is_person => self.name(&person),
            Err(_) if is_person && !self.is_full => HIDDEN.to_owned(),
            _ => name.to_owned(),
        }
    }

    /// Shows the code of a recipient: of an entity as it is.
    pub(super) fn recipient_code(self, code: &Okpo, is_person: bool) -> String {
        if is_person {
            self.show(code, Okpo::as_str)
        } else {
            code.as_str().to_owned()
        }
    }

    /// Shows the account of a recipient: of an entity as it is.
    pub(super) fn account(self, iban: &Iban, is_person: bool) -> String {
        if is_person {
            self.show(iban, Iban::as_str)
        } else {
            iban.as_str().to_owned()
        }
    }

    /// Shows a complaint: without its text, which may name a client.
    pub(super) fn complaint(self, complaint: KeptComplaint) -> Option<KeptComplaint> {
        if self.is_full {
            return Some(complaint);
        }
        let text = Line::parse(HIDDEN, HIDDEN.len()).ok()?;
        Some(KeptComplaint { text, ..complaint })
    }

    /// Shows a purpose: without the client's name and without long numbers. One that a person typed may name anybody, so it is hidden.
    pub(super) fn purpose(self, purpose: &str, kind: PaymentKind, client: &Client) -> String {
        if self.is_full {
            return purpose.to_owned();
        }
        if kind.is_free_form() {
            return HIDDEN.to_owned();
        }
        let name = client.full_name.as_str();
        let mut shown = purpose.replace(name, &self.name(&client.full_name));
        shown = shown.replace(client.inn.as_str(), &self.code(&client.inn));
        // Templates may write a part of the name, or the name in other letters.
        let is_named = name
            .split_whitespace()
            .filter(|word| word.chars().count() > 2)
            .any(|word| shown.to_lowercase().contains(&word.to_lowercase()));
        if is_named {
            return HIDDEN.to_owned();
        }
        without_codes(&shown)
    }

    /// Shows a bank's own words, which may have somebody's code.
    pub(crate) fn words(self, text: &str) -> String {
        if self.is_full {
            text.to_owned()
        } else {
            without_codes(text)
        }
    }
}
