//! An account with what the support needs of it.

use cabinet_domain::{
    Browser, CartGroup, CertificateNumber, Email, Iban, Inn, KeptComplaint, LoginStep, Network,
    Notary, NotaryId, Okpo, Phone, Practice, RegistryIdentifier, Standing, fold_for_search,
};
use cabinet_storage::account::{notaries, sessions};
use cabinet_storage::cart::{self, complaints};
use cabinet_storage::operator::erasure;
use cabinet_storage::order::order_search;
use cabinet_storage::{StorageError, Store, Tx};
use jiff::Timestamp;

use super::find::{FoundOrder, found_order, read_name};
use super::lines::ItemLine;
use super::mask::Mask;
use super::order_file::payment_line;
use super::{DeskError, Shown, SupportDesk, only};

/// Orders that are shown of an account.
const ORDERS_SHOWN: u32 = 10;
/// Open complaints that are looked through.
const COMPLAINTS_MAX: u32 = 1_000;

/// An account. Texts about its owner are masked unless they were asked for.
#[derive(Clone, Debug)]
pub struct NotaryFile {
    /// The id.
    pub id: NotaryId,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When the phone was verified.
    pub phone_verified_at: Option<Timestamp>,
    /// When the terms were agreed to.
    pub agreed_terms_at: Option<Timestamp>,
    /// The step of the login.
    pub login_step: LoginStep,
    /// Whether the owner chooses a payment method.
    pub chooses_payment_method: bool,
    /// Whether the owner may order.
    pub standing: Standing,
    /// Private, state or suspended.
    pub practice: Practice,
    /// Name.
    pub name: String,
    /// Phone of the login.
    pub phone: String,
    /// The second phone.
    pub phone_additional: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// Identifier in the register.
    pub identifier: String,
    /// Number of the certificate.
    pub certificate: Option<String>,
    /// The notary's own code.
    pub code: Option<String>,
    /// The own account.
    pub account: Option<String>,
    /// The code of that account.
    pub account_code: Option<String>,
    /// Sessions that are open.
    pub sessions: Vec<SessionLine>,
    /// What is in the cart, the oldest first.
    pub cart: Vec<CartLine>,
    /// The newest orders.
    pub orders: Vec<FoundOrder>,
    /// Complaints that nobody has closed.
    pub complaints: Vec<KeptComplaint>,
}

/// A payment in the cart.
#[derive(Clone, Debug)]
pub struct CartLine {
    /// When it was added.
    pub added_at: Timestamp,
    /// Name of the client.
    pub client_name: String,
    /// The payment.
    pub payment: ItemLine,
}

/// An open session.
#[derive(Clone, Debug)]
pub struct SessionLine {
    /// Name and system of the browser.
    pub browser: Option<Browser>,
    /// The network of the login.
    pub network: Option<Network>,
    /// When it began.
    pub created_at: Timestamp,
    /// When a person last used it.
    pub last_used_at: Timestamp,
}

impl SupportDesk {
    /// Returns the account with a phone, an identifier in the register or an id. That it is shown in full is recorded first.
    ///
    /// # Errors
    /// [`DeskError::NoNotary`], [`DeskError::SeveralNotaries`].
    pub async fn notary(
        &self,
        text: &str,
        shown: &Shown,
        now: Timestamp,
    ) -> Result<NotaryFile, DeskError> {
        let notary = find_notary(&self.store, text).await?;
        self.record_shown(shown, notary.id, None, now).await?;
        let id = notary.id;
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let open = complaints::list(tx, false, COMPLAINTS_MAX)?;
            let of_notary = |complaint: &KeptComplaint| complaint.notary_id == id;
            Ok((
                sessions::alive_of(tx, id, now)?,
                cart::groups_of(tx, id)?,
                order_search::of_notary(tx, id, ORDERS_SHOWN)?,
                open.into_iter().filter(of_notary).collect(),
            ))
        };
        let (alive, cart, orders, complaints): (_, _, _, Vec<KeptComplaint>) =
            self.store.read_long(read).await?;
        let mask = Mask {
            is_full: shown.is_full(),
        };
        let profile = &notary.profile;
        Ok(NotaryFile {
            name: mask.name(&profile.full_name),
            phone: mask.show(&notary.phone, Phone::as_str),
            phone_additional: profile
                .phone_additional
                .as_ref()
                .map(|phone| mask.show(phone, Phone::as_str)),
            email: profile
                .email
                .as_ref()
                .map(|email| mask.show(email, Email::as_str)),
            identifier: mask.show(&profile.registry_identifier, RegistryIdentifier::as_str),
            certificate: profile
                .certificate_number
                .as_ref()
                .map(|number| mask.show(number, CertificateNumber::as_str)),
            code: profile.inn.as_ref().map(|inn| mask.show(inn, Inn::as_str)),
            account: profile
                .iban
                .as_ref()
                .map(|iban| mask.show(iban, Iban::as_str)),
            account_code: profile
                .okpo
                .as_ref()
                .map(|okpo| mask.show(okpo, Okpo::as_str)),
            sessions: alive
                .into_iter()
                .map(|session| SessionLine {
                    browser: session.browser,
                    network: session.network,
                    created_at: session.created_at,
                    last_used_at: session.last_used_at,
                })
                .collect(),
            cart: cart
                .iter()
                .flat_map(|group| cart_lines(group, mask))
                .collect(),
            orders: orders.iter().map(found_order).collect(),
            complaints: complaints
                .into_iter()
                .filter_map(|complaint| mask.complaint(complaint))
                .collect(),
            id,
            created_at: notary.created_at,
            phone_verified_at: notary.phone_verified_at,
            agreed_terms_at: notary.agreed_terms_at,
            login_step: notary.login_step,
            chooses_payment_method: notary.chooses_payment_method,
            standing: notary.standing,
            practice: notary.practice,
        })
    }
}

/// An account that was found. Its owner is masked.
#[derive(Clone, Debug)]
pub struct FoundNotary {
    /// The id.
    pub id: NotaryId,
    /// Name.
    pub name: String,
    /// Phone of the login.
    pub phone: String,
    /// Identifier in the register.
    pub identifier: String,
    /// Whether the owner may order.
    pub standing: &'static str,
    /// When the account was made.
    pub created_at: Timestamp,
}

impl SupportDesk {
    /// Returns the accounts whose owner's name has all these words as parts of it, the earliest first. All accounts are looked at: there are no more
    /// than notaries.
    ///
    /// # Errors
    /// [`DeskError::Unreadable`] for a text that is no part of a name.
    pub async fn notaries_named(&self, text: &str) -> Result<Vec<FoundNotary>, DeskError> {
        let words = read_name(text)?;
        let all = self.store.read_long(notaries::all).await?;
        let mask = Mask { is_full: false };
        let fits = |notary: &&Notary| {
            let name = fold_for_search(notary.profile.full_name.as_str());
            words.iter().all(|word| name.contains(word.as_str()))
        };
        let shown = |notary: &Notary| FoundNotary {
            id: notary.id,
            name: mask.name(&notary.profile.full_name),
            phone: mask.show(&notary.phone, Phone::as_str),
            identifier: mask.show(
                &notary.profile.registry_identifier,
                RegistryIdentifier::as_str,
            ),
            standing: notary.standing.account.as_str(),
            created_at: notary.created_at,
        };
        Ok(all.iter().filter(fits).map(shown).collect())
    }
}

fn cart_lines(group: &CartGroup, mask: Mask) -> impl Iterator<Item = CartLine> {
    let client = &group.client;
    group
        .items
        .iter()
        .zip(1..)
        .map(move |(item, place)| CartLine {
            added_at: item.created_at,
            client_name: mask.name(&client.full_name),
            payment: payment_line((item.id, place), &item.content, client, mask),
        })
}

/// Returns the account with a phone, an identifier in the register or an id.
pub(super) async fn find_notary(store: &Store, text: &str) -> Result<Notary, DeskError> {
    let text = text.trim();
    let (id, phone) = (NotaryId::parse(text), Phone::parse(text).ok());
    let identifier = RegistryIdentifier::parse_saved(text);
    let read = move |tx: &mut Tx| -> Result<Vec<Notary>, StorageError> {
        if let Some(id) = id {
            let found = notaries::by_id(tx, id)?;
            let is_erased = erasure::is_notary_erased(tx, id)?;
            return Ok(found.filter(|_| !is_erased).into_iter().collect());
        }
        if let Some(phone) = &phone
            && let Some(notary) = notaries::by_phone(tx, phone)?
        {
            return Ok(vec![notary]);
        }
        match &identifier {
            Some(identifier) => notaries::by_registry_identifier(tx, identifier),
            None => Ok(Vec::new()),
        }
    };
    only(store.read_long(read).await?)
}
