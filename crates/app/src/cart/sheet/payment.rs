//! A row that follows every rule.

use cabinet_domain::{Inn, ItemContent, NotaryId, PersonName};

use crate::kernel::idempotency::Fingerprint;
use crate::kernel::keys::{Keys, RowDigest};

/// The payment of a row.
#[derive(Clone, Debug)]
pub struct SheetPayment {
    /// The client's code.
    pub inn: Inn,
    /// The client's name.
    pub full_name: PersonName,
    /// What would be stored of it.
    pub content: ItemContent,
}

impl SheetPayment {
    /// Returns a digest of what the row means: who pays for what, to whom and how much. A fee costs what its table says, so its sum
    /// does not count, and neither do the purpose that follows from it and the spelling of a name.
    pub(super) fn digest(&self, notary: NotaryId, keys: &Keys) -> RowDigest {
        let content = &self.content;
        let mut meaning = Fingerprint::default();
        meaning.text(Some("row of a sheet"));
        meaning.text(Some(&notary.to_string()));
        meaning.text(Some(self.inn.as_str()));
        meaning.text(Some(content.kind.slug()));
        meaning.text(Some(&content.count.to_string()));
        if content.kind.is_free_form() {
            meaning.text(content.iban.as_ref().map(|iban| iban.as_str()));
            meaning.text(content.okpo.as_ref().map(|okpo| okpo.as_str()));
            meaning.text(content.cbc_code.as_ref().map(|code| code.as_str()));
            meaning.text(Some(content.purpose.as_str()));
            meaning.sum(Some(content.price.amount));
        } else {
            meaning.text(content.option.as_ref().map(|chosen| chosen.id.as_str()));
            meaning.text(content.term.as_ref().map(|chosen| chosen.id.as_str()));
            meaning.text(content.requisite.as_ref().map(|chosen| chosen.id.as_str()));
        }
        keys.sheet_row(&meaning.digest())
    }
}
