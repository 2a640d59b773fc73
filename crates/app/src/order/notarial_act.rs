//! What a notary enters of a notarial act, for a group of the cart or for an order.

use cabinet_domain::{Key, Line, NotarialAct, RegisterNumberRule};

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
    /// Reads the fields. The number that is `stored` may stay, whatever the rule says today.
    ///
    /// # Errors
    /// The keys of the fields, those of `errors` included.
    pub(crate) fn read(
        &self,
        rule: &RegisterNumberRule,
        stored: Option<Line>,
        mut errors: FieldErrors,
    ) -> Result<NotarialAct, Refusal> {
        errors.refuse_card("register_number", self.register_number.as_deref());
        errors.refuse_card("object", self.object.as_deref());
        let register_number =
            errors.optional(
                "register_number",
                &self.register_number,
                |text| match stored {
                    Some(stored) if stored.as_str() == text => Ok(stored),
                    _ => rule.parse(text),
                },
            );
        let date = errors.optional("date", &self.date, NotarialAct::parse_date);
        let object = errors.optional("object", &self.object, |text| {
            Line::parse(text, NotarialAct::OBJECT_CHARS_MAX)
                .map_err(|error| error.key(Key::FieldRequired))
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
