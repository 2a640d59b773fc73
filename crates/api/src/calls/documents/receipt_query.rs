//! The query for a receipt, shared by orders and items.

use cabinet_app::documents::ReceiptRequest;
use cabinet_app::kernel::refusal::{Refusal as AppRefusal, RefusalKind};
use cabinet_domain::{Key, Locale};
use cabinet_receipts::ReceiptKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Query of the receipts.
#[derive(Deserialize, JsonSchema)]
pub struct ReceiptQuery {
    /// Which receipt; the payment receipt without it.
    #[serde(default)]
    #[schemars(with = "Option<ReceiptType>")]
    pub receipt_type: Option<String>,
}

/// Which receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptType {
    /// Of the payment itself: recipient is the Treasury, the register or the notary.
    Payment,
    /// Of the service's own commission.
    Commission,
}

impl ReceiptQuery {
    /// Returns the requested kind and language.
    ///
    /// # Errors
    /// Refused with `receipt_type_invalid` for an unknown kind.
    pub fn request(&self, locale: Locale) -> Result<ReceiptRequest, AppRefusal> {
        let kind = match self.receipt_type.as_deref() {
            None | Some("" | "payment") => ReceiptKind::Payment,
            Some("commission") => ReceiptKind::Commission,
            Some(_) => {
                return Err(
                    AppRefusal::new(RefusalKind::Invalid, Key::ReceiptTypeInvalid)
                        .on("receipt_type"),
                );
            }
        };
        Ok(ReceiptRequest { kind, locale })
    }
}
