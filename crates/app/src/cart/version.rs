//! What an item of the cart was when a page has read it.

use cabinet_domain::{Chosen, ChosenRequisite, Client, ItemContent};

use crate::kernel::idempotency::Fingerprint;

/// Returns a digest of client and content. It differs after every change of them, and not after a change of the count, which a form of
/// the payment doesn't have.
pub(super) fn version_of(client: &Client, content: &ItemContent) -> String {
    let ItemContent {
        count: _,
        kind,
        payment_type_id,
        option,
        term,
        region,
        requisite,
        template_id,
        price,
        iban,
        okpo,
        recipient_name,
        purpose,
        cbc_code,
        filing_year,
    } = content;
    let mut digest = Fingerprint::default();
    for text in [
        client.id.to_string().as_str(),
        client.inn.as_str(),
        client.full_name.as_str(),
        kind.slug(),
        payment_type_id.as_str(),
        purpose.as_str(),
    ] {
        digest.text(Some(text));
    }
    chosen(&mut digest, option.as_ref(), |id| id.as_str());
    chosen(&mut digest, term.as_ref(), |id| id.as_str());
    chosen(&mut digest, region.as_ref(), |id| id.as_str());
    let requisite = requisite.as_ref();
    for text in [
        requisite.map(|ChosenRequisite { id, .. }| id.as_str()),
        requisite.map(|ChosenRequisite { name, .. }| name.as_str()),
        requisite.map(|ChosenRequisite { iban, .. }| iban.as_str()),
        requisite.map(|ChosenRequisite { okpo, .. }| okpo.as_str()),
        template_id.as_ref().map(|id| id.as_str()),
        iban.as_ref().map(|iban| iban.as_str()),
        okpo.as_ref().map(|okpo| okpo.as_str()),
        recipient_name.as_ref().map(|name| name.as_str()),
        cbc_code.as_ref().map(|code| code.as_str()),
    ] {
        digest.text(text);
    }
    // Only where it is set, so that a page of the version before still names the same.
    if let Some(filing_year) = filing_year {
        digest.text(Some(&filing_year.year().to_string()));
    }
    digest.sum(Some(price.amount));
    digest.sum(Some(price.commission));
    blake3::Hash::from_bytes(digest.digest())
        .to_hex()
        .to_string()
}

fn chosen<Id>(digest: &mut Fingerprint, chosen: Option<&Chosen<Id>>, id_of: impl Fn(&Id) -> &str) {
    digest.text(chosen.map(|chosen| id_of(&chosen.id)));
    digest.text(chosen.map(|chosen| chosen.names.uk.as_str()));
    digest.text(chosen.map(|chosen| chosen.names.en.as_str()));
}
