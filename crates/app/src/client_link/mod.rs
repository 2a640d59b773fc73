//! Links by which clients pay orders without signing in (decision 41).
//!
//! A link is a token that can't be guessed. Only its keyed hash is stored, bound to one order, with an end. What a link may do is decided
//! here alone: everything goes through [`ClientLinks::of_token`], which knows an open link from any other text.

mod client;
mod consent;
pub(crate) mod letter_token;
mod letters;
mod notary;
mod page;
mod receipt_by_letter;
mod receipt_mail;
pub(crate) mod receipt_news;
mod texts;

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cabinet_domain::{Clock, NotaryId, OrderId};
use cabinet_storage::client_link::client_links;
use cabinet_storage::operator::erasure;
use cabinet_storage::{StorageError, Store, Tx};
use secrecy::{ExposeSecret, SecretString};

use crate::documents::Receipts;
use crate::kernel::ids::Ids;
use crate::kernel::keys::Keys;
use crate::kernel::notifier::Notifier;
use crate::kernel::refusal::Result;
use crate::payment::Payments;
use crate::settings::ClientLinkSettings;

pub use client::PayPage;
pub(crate) use letters::ReceiptLetters;
pub use notary::{ClientLinkView, LinkRequest, LinkSending, MadeLink};
pub use page::{ClientPage, ClientPart, ClientPayment, ClientRequisites};
pub use receipt_by_letter::{EnteredDigits, LetterOrder, LetterReceipt};
pub use receipt_mail::{ReceiptLetter, ReceiptMail};

/// Random bytes of a token: 144 bits.
const TOKEN_BYTES: usize = 18;
/// Characters of a token.
const TOKEN_CHARS: usize = 24;

/// Makes links for clients, and does what clients ask by them.
#[derive(Clone)]
pub struct ClientLinks {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) keys: Arc<Keys>,
    pub(crate) payments: Payments,
    pub(crate) receipts: Receipts,
    pub(crate) settings: ClientLinkSettings,
    pub(crate) public_url: Arc<str>,
    /// The two digits after `+380` of phones that can receive a message.
    pub(crate) mobile_prefixes: Arc<[String]>,
    /// Messages of the whole installation within an hour.
    pub(crate) messages_hourly_max: i64,
    pub(crate) notifier: Notifier,
}

/// What a token opens.
#[derive(Clone, Copy)]
struct Opened {
    order: OrderId,
    notary: NotaryId,
    link: cabinet_domain::ClientLink,
    /// What is stored of the token.
    digest: [u8; 32],
}

impl ClientLinks {
    /// Returns a new token.
    fn new_token(&self) -> SecretString {
        let mut bytes = [0_u8; TOKEN_BYTES];
        self.ids.randomness.fill(&mut bytes);
        SecretString::from(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Returns the address of the page of a token.
    fn address_of(&self, token: &SecretString) -> String {
        format!("{}/pay/{}", self.public_url, token.expose_secret())
    }

    /// Returns what a token opens. `None` for anything that opens nothing: a wrong, replaced, withdrawn or ended one, and that of an
    /// order whose names were taken out.
    async fn of_token(&self, token: &SecretString) -> Result<Option<Opened>> {
        let token = token.expose_secret();
        if token.len() != TOKEN_CHARS {
            return Ok(None);
        }
        let digests = self.keys.client_link_digests(token);
        let now = self.clock.now();
        let read = move |tx: &mut Tx| -> Result<Option<Opened>, StorageError> {
            for digest in &digests {
                let Some((link, notary)) = client_links::by_token(tx, digest)? else {
                    continue;
                };
                let order = link.order_id;
                if !link.is_open(now) || erasure::is_anonymised(tx, order)? {
                    return Ok(None);
                }
                return Ok(Some(Opened {
                    order,
                    notary,
                    link,
                    digest: *digest,
                }));
            }
            Ok(None)
        };
        Ok(self.store.read(read).await?)
    }
}
