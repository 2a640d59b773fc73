//! `POST /book/clients/search`, `POST /book/clients/delete`.

use cabinet_domain::{Client, ClientId, Key, Line, NotaryId, TextError};
use cabinet_storage::address_book::clients::{self, ClientFilter};
use cabinet_storage::{Tx, lock_notary};
use jiff::Timestamp;

use super::AddressBook;
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};

/// Clients of a page by default.
const PAGE_DEFAULT: u32 = 20;
/// Clients of a page at most.
const PAGE_MAX: u32 = 100;
/// Longest text that is searched for, in characters.
const SEARCH_CHARS_MAX: usize = 140;

/// A search for clients as it was requested. Nothing of it is trusted.
#[derive(Default)]
pub struct ClientSearch {
    /// Part of a name or a code.
    pub text: Option<String>,
    /// How many clients.
    pub limit: Option<i64>,
    /// `next` of the page before.
    pub before: Option<String>,
}

/// A client of the address book.
#[derive(Clone, Debug)]
pub struct BookClient {
    /// The client.
    pub client: Client,
    /// When a payment for the client was last added to the cart.
    pub used_at: Timestamp,
}

/// A page of clients, the last used first.
#[derive(Clone, Debug)]
pub struct ClientPage {
    /// The clients.
    pub clients: Vec<BookClient>,
    /// The last client of the page, if there are more.
    pub next: Option<ClientId>,
}

impl AddressBook {
    /// Returns the notary's clients whose name and code have each word of a text, the last used first.
    ///
    /// # Errors
    /// The keys of the fields.
    pub async fn clients(
        &self,
        notary: NotaryId,
        search: ClientSearch,
        errors: FieldErrors,
    ) -> Result<ClientPage> {
        let (filter, limit) = read_search(&search, errors)?;
        let read = move |tx: &mut Tx| clients::page_of(tx, notary, &filter, limit + 1);
        let mut found = self.store.search(read).await?;
        let has_more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().filter(|_| has_more).map(|last| last.client.id);
        let clients = found
            .into_iter()
            .map(|listed| BookClient {
                client: listed.client,
                used_at: listed.used_at,
            })
            .collect();
        Ok(ClientPage { clients, next })
    }

    /// Takes a client out of the notary's address book. Orders and the cart keep the client, and the next payment for the client
    /// brings the client back.
    ///
    /// # Errors
    /// `client_not_found`.
    pub async fn delete_client(
        &self,
        notary: NotaryId,
        client: Option<String>,
        mut errors: FieldErrors,
    ) -> Result<()> {
        let not_found = || Refusal::not_found(Key::ClientNotFound).on("client_id");
        if client.is_none() && !errors.has("client_id") {
            errors.add("client_id", Key::FieldRequired);
        }
        errors.check()?;
        let id = client.as_deref().and_then(ClientId::parse);
        let id = id.ok_or_else(not_found)?;
        let now = self.clock.now();
        let write = move |tx: &mut Tx| {
            let notary = lock_notary(tx, notary)?;
            clients::remove(tx, &notary, id, now)
        };
        if self.store.write(write).await? {
            Ok(())
        } else {
            Err(not_found().into())
        }
    }
}

fn read_search(
    search: &ClientSearch,
    mut errors: FieldErrors,
) -> Result<(ClientFilter, u32), Refusal> {
    let limit = search.limit.map_or(Ok(PAGE_DEFAULT), |limit| {
        u32::try_from(limit)
            .ok()
            .filter(|limit| (1..=PAGE_MAX).contains(limit))
            .ok_or(Key::NumberInvalid)
    });
    let limit = errors.take("limit", limit);
    let before = search.before.as_deref();
    let before = before.map(|text| ClientId::parse(text).ok_or(Key::IdInvalid));
    let before = errors.take("before", before.transpose());
    // The beginning of an account may look like the number of a card, and what is searched for is not stored.
    let text = search
        .text
        .as_deref()
        .map(|text| Line::parse(text, SEARCH_CHARS_MAX));
    let text = match text {
        // A text without visible characters searches for nothing.
        None | Some(Err(TextError::Empty)) => None,
        Some(read) => errors
            .take("text", read.map_err(|error| error.key(Key::FieldRequired)))
            .map(Line::into_string),
    };
    errors.check()?;
    let (Some(limit), Some(before)) = (limit, before) else {
        return Err(Refusal::new(RefusalKind::Invalid, Key::ValidationFailed));
    };
    let filter = ClientFilter {
        search: text,
        before,
    };
    Ok((filter, limit))
}
