//! `cabinet erase --client`.

use std::collections::BTreeSet;

use cabinet_domain::{
    AuditAction, AuditValue, Client, Inn, Notary, NotaryId, OwnRecipient, OwnRecipientId, Phone,
    fold_for_search,
};
use cabinet_storage::account::notaries;
use cabinet_storage::address_book::{clients, own_recipients};
use cabinet_storage::cart::complaints;
use cabinet_storage::operator::erasure::{self, ANONYMOUS_CODE, ANONYMOUS_NAME, NamedOrder};
use cabinet_storage::worker::outbox;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;
use uuid::Uuid;

use super::letters::{mentions, open_letters, open_letters_about};
use super::{Erasable, EraseError, Erased, Erasure, Reason};
use crate::audit::AuditEntry;

/// A client as it is found before anything is erased. One person may be stored under several spellings.
pub(super) struct Found {
    notary: NotaryId,
    pub(super) clients: Vec<Client>,
    cart_items: u64,
    pub(super) complaints: Vec<Uuid>,
    pub(super) letters: Vec<Uuid>,
    pub(super) orders: Vec<NamedOrder>,
    pub(super) recipients: Vec<OwnRecipientId>,
}

impl Erasure {
    /// Returns what of a client would be erased, and what stays.
    ///
    /// # Errors
    /// [`EraseError::NoAccount`], [`EraseError::NoClient`], [`EraseError::SeveralClients`].
    pub async fn list_client(
        &self,
        notary: Phone,
        client: &str,
        now: Timestamp,
    ) -> Result<Erasable, EraseError> {
        let client = client.to_owned();
        let found = self
            .store
            .read_long(move |tx| {
                let notary = notaries::by_phone(tx, &notary)?.ok_or(EraseError::NoAccount)?;
                find(tx, &notary, &client)
            })
            .await?;
        Ok(self.describe(&found, now))
    }

    /// Erases a client of a notary, given by name or code: what no order needs at once, the names in orders once bookkeeping needs
    /// them no longer.
    ///
    /// # Errors
    /// As [`Erasure::list_client`].
    pub async fn erase_client(
        &self,
        notary: Phone,
        client: &str,
        reason: Reason,
        now: Timestamp,
    ) -> Result<Erased, EraseError> {
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let client = client.to_owned();
        let write = move |tx: &mut Tx| -> Result<Found, EraseError> {
            let locked = notaries::lock_by_phone(tx, &notary)?;
            let (locked, notary) = locked.ok_or(EraseError::NoAccount)?;
            let found = find(tx, &notary, &client)?;
            let mut unit = unit.clone();
            for client in &found.clients {
                erasure::erase_client(tx, &locked, client.id, now)?;
                AuditEntry::new(AuditAction::ClientErased)
                    .of_notary(found.notary)
                    .with("client", &client.inn)
                    .with("reason", AuditValue::word(reason.as_str()))
                    .record(tx, &mut unit, &origin)?;
            }
            for id in &found.complaints {
                complaints::delete(tx, *id)?;
            }
            for id in &found.letters {
                outbox::delete(tx, *id)?;
            }
            for id in &found.recipients {
                own_recipients::delete(tx, &locked, *id)?;
            }
            Ok(found)
        };
        let found = self.store.write(write).await?;
        Ok(Erased {
            erasable: self.describe(&found, now),
            journal_emptied: self.finish(now).await?,
            cards_gone: true,
        })
    }

    fn describe(&self, found: &Found, now: Timestamp) -> Erasable {
        let mut erasable = Erasable {
            clients: found.clients.len(),
            cart_items: found.cart_items,
            complaints: found.complaints.len() as u64,
            letters: found.letters.len() as u64,
            recipients: found.recipients.len() as u64,
            ..Erasable::default()
        };
        erasable.sort(
            &found.orders,
            self.age(now).before,
            self.retention.bookkeeping,
        );
        erasable
    }
}

fn find(tx: &mut Tx, notary: &Notary, wanted: &str) -> Result<Found, EraseError> {
    let clients = chosen(clients::all_of(tx, notary.id)?, wanted)?;
    Ok(find_of(tx, notary, clients, Vec::new())?)
}

/// Finds what a notary has about a person with a code, who need not be a client.
pub(super) fn find_by_code(
    tx: &mut Tx,
    notary: &Notary,
    code: &Inn,
) -> Result<Found, StorageError> {
    let all = clients::all_of(tx, notary.id)?;
    let clients = chosen(all, code.as_str()).unwrap_or_default();
    find_of(tx, notary, clients, vec![code.as_str().to_owned()])
}

/// Finds what a notary has about a person: what is of the clients, and what has one of the names and codes.
fn find_of(
    tx: &mut Tx,
    notary: &Notary,
    clients: Vec<Client>,
    mut names: Vec<String>,
) -> Result<Found, StorageError> {
    let mut found = Found {
        notary: notary.id,
        clients,
        cart_items: 0,
        complaints: Vec::new(),
        letters: Vec::new(),
        orders: Vec::new(),
        recipients: Vec::new(),
    };
    let mut about = BTreeSet::new();
    for client in &found.clients {
        names.push(client.full_name.as_str().to_owned());
        names.push(client.inn.as_str().to_owned());
        found.cart_items += erasure::count_cart_items(tx, notary.id, client.id)?;
        found
            .orders
            .extend(erasure::orders_of_client(tx, client.id)?);
        about.extend(complaints::of_client(tx, notary.id, client.id)?);
    }
    found.orders.sort_by_key(|order| order.number);
    let mut letters_with = names.clone();
    for (id, text) in complaints::texts_of(tx, notary.id)? {
        if about.contains(&id) || mentions(&text, &names) {
            found.complaints.push(id);
            letters_with.push(id.to_string());
        }
    }
    let saved = own_recipients::all_of(tx, notary.id)?.into_iter();
    let saved = saved.filter(|recipient| names_somebody(recipient, &names));
    found.recipients = saved.map(|recipient| recipient.id).collect();
    found.letters = open_letters(tx, notary, Some(&letters_with))?;
    for letter in open_letters_about(tx, &found.orders)? {
        if !found.letters.contains(&letter) {
            found.letters.push(letter);
        }
    }
    Ok(found)
}

/// Returns whether a saved recipient is somebody with one of these names and codes, or speaks of them.
fn names_somebody(recipient: &OwnRecipient, names: &[String]) -> bool {
    let purpose = recipient.purpose.as_ref().map(|purpose| purpose.as_str());
    let texts = [
        recipient.title.as_str(),
        recipient.recipient_name.as_str(),
        recipient.okpo.as_str(),
        purpose.unwrap_or_default(),
    ];
    mentions(&texts.join("\n"), names)
}

/// Returns the clients with a code, or with a name if all of them have one code.
fn chosen(all: Vec<Client>, wanted: &str) -> Result<Vec<Client>, EraseError> {
    let code = Inn::parse(wanted).ok();
    let name = fold_for_search(wanted);
    let is_wanted = |client: &Client| match &code {
        Some(code) => client.inn == *code,
        None => fold_for_search(client.full_name.as_str()) == name,
    };
    let is_nobody = |client: &Client| {
        client.inn.as_str() == ANONYMOUS_CODE && client.full_name.as_str() == ANONYMOUS_NAME
    };
    let found: Vec<Client> = all
        .into_iter()
        .filter(|client| is_wanted(client) && !is_nobody(client))
        .collect();
    let codes: BTreeSet<&Inn> = found.iter().map(|client| &client.inn).collect();
    match codes.len() {
        0 => Err(EraseError::NoClient),
        1 => Ok(found),
        several => Err(EraseError::SeveralClients(several)),
    }
}
