//! What a notary enters of a notarial act, for a group of the cart or for an order.

use cabinet_domain::{Key, Line, NotarialAct};

use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind};

/// The fields as they were requested. Nothing of them is trusted. A missing or empty one is not known.
#[derive(Default)]
pub struct NotarialActRequest {
    /// Number in the register of notarial acts.
    pub register_number: Option<String>,
    /// The day, `YYYY-MM-DD`.
    pub date: Option<String>,
    /// What the act is about.
    pub object: Option<String>,
}

impl NotarialActRequest {
    /// Reads the fields.
    ///
    /// # Errors
    /// The keys of the fields, those of `errors` included.
    pub(crate) fn read(&self, mut errors: FieldErrors) -> Result<NotarialAct, Refusal> {
        errors.refuse_card("register_number", self.register_number.as_deref());
        errors.refuse_card("object", self.object.as_deref());
        let line = |text: &str, chars_max| {
            Line::parse(text, chars_max).map_err(|error| error.key(Key::FieldRequired))
        };
        let register_number = errors.optional("register_number", &self.register_number, |text| {
            line(text, NotarialAct::NUMBER_CHARS_MAX)
        });
        let date = errors.optional("date", &self.date, NotarialAct::parse_date);
        let object = errors.optional("object", &self.object, |text| {
            line(text, NotarialAct::OBJECT_CHARS_MAX)
        });
        if errors.iter().next().is_some() {
            errors.check()?;
            return Err(Refusal::new(RefusalKind::Invalid, Key::ValidationFailed));
        }
        Ok(NotarialAct {
            register_number: register_number.flatten(),
            date: date.flatten(),
            object: object.flatten(),
        })
    }
}
