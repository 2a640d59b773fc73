//! A notarial act on the wire.

use cabinet_domain::{Line, NotarialAct as DomainAct};
use schemars::JsonSchema;
use serde::Serialize;

/// The notarial act that payments are for, as the notary entered it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NotarialAct {
    /// Number in the register of notarial acts; null where it is not known.
    pub register_number: Option<String>,
    /// The day of the act (Kyiv), `YYYY-MM-DD`; null where it is not known.
    pub date: Option<String>,
    /// What the act is about; null where it is not known.
    pub object: Option<String>,
}

impl From<DomainAct> for NotarialAct {
    fn from(act: DomainAct) -> NotarialAct {
        NotarialAct {
            register_number: act.register_number.map(Line::into_string),
            date: act.date.map(|date| date.to_string()),
            object: act.object.map(Line::into_string),
        }
    }
}
