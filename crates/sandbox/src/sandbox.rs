//! The sandbox itself: one handle that all its pages and interfaces share.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cabinet_domain::{Clock, Phone, Randomness};
use jiff::Timestamp;

pub use crate::errors::SandboxError;
use crate::faults::{Fault, Faults};
use crate::journal::Journal;
use crate::keys::SigningKey;
use crate::mail::{Letter, Letterbox};
use crate::reports::Reporter;
use crate::settings::SandboxSettings;
use crate::sms::Inbox;
use crate::voice::Exchange;
use crate::world::{
    Card, CardError, Invoice, InvoiceKind, LedgerEntry, Marks, Message, PaidInvoice, Payment,
    SignedReport, Status, World,
};

/// The outside world in a box. Clones share one world.
#[derive(Clone)]
pub struct Sandbox {
    inner: Arc<Inner>,
}

struct Inner {
    settings: SandboxSettings,
    clock: Arc<dyn Clock>,
    randomness: Arc<dyn Randomness>,
    kept: Mutex<Kept>,
    key: SigningKey,
    reporter: Reporter,
    faults: Faults,
    inbox: Inbox,
    letterbox: Letterbox,
    exchange: Exchange,
    client: reqwest::Client,
}

/// What the journal keeps, and the journal: changed and written down under one lock, so that their orders agree.
struct Kept {
    world: World,
    journal: Option<Journal>,
}

impl Sandbox {
    /// Makes a sandbox, with what its journal remembers where there is one.
    pub fn new(
        settings: SandboxSettings,
        clock: Arc<dyn Clock>,
        randomness: Arc<dyn Randomness>,
    ) -> Result<Self, SandboxError> {
        let (world, journal, key) = match &settings.journal {
            Some(path) => {
                let (journal, world, key) = Journal::open(path)?;
                (world, Some(journal), key)
            }
            None => (World::default(), None, SigningKey::generate()?),
        };
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(Duration::from_secs(10))
            .build()
            .map_err(SandboxError::Client)?;
        Ok(Self {
            inner: Arc::new(Inner {
                kept: Mutex::new(Kept { world, journal }),
                key,
                reporter: Reporter::new()?,
                faults: Faults::default(),
                inbox: Inbox::default(),
                letterbox: Letterbox::default(),
                exchange: Exchange::default(),
                client,
                settings,
                clock,
                randomness,
            }),
        })
    }

    /// Saves a card in a wallet without a payment, for demo data, and gives its token. Only the mask is kept.
    pub fn save_card(&self, wallet_id: &str, card_number: &str) -> Result<String, CardError> {
        let card = Card::read(card_number)?;
        let token = self.alphanumerics(20);
        Ok(self.act(|world, now| world.save_card(wallet_id, &card, now, || token)))
    }

    /// Adds a payment of the past with its line in the ledger, for demo data, and gives the invoice's id. Under a
    /// reference that is there already nothing is added.
    pub fn seed_paid(&self, paid: &PaidInvoice) -> Result<String, CardError> {
        let card = Card::read(&paid.card_number)?;
        let marks = self.marks();
        let id = self.invoice_id(paid.at);
        Ok(self.act(|world, now| {
            let known = world
                .invoices(now)
                .iter()
                .find(|known| known.reference.as_ref() == Some(&paid.reference));
            if let Some(known) = known {
                return known.id.clone();
            }
            let payment = Payment {
                card,
                method: "pan".to_owned(),
                approval_code: marks.approval_code,
                rrn: marks.rrn,
                transaction_id: marks.transaction_id,
                save_as: None,
                at: paid.at,
            };
            let invoice = Invoice {
                status: Status::Success,
                reference: Some(paid.reference.clone()),
                destination: Some(paid.destination.clone()),
                payment: Some(payment),
                ..Invoice::new(id.clone(), InvoiceKind::Debit, paid.amount, paid.at)
            };
            world.add_paid(invoice, paid.at);
            id
        }))
    }

    /// Every charge and refund, oldest first.
    pub fn ledger(&self) -> Vec<LedgerEntry> {
        self.kept().world.ledger().to_vec()
    }

    /// The messages that were sent, newest first; to one phone where one is named.
    pub fn messages(&self, phone: Option<&Phone>) -> Vec<Message> {
        self.inbox().messages(phone.map(Phone::as_str))
    }

    /// The letters that were sent, newest first.
    pub fn letters(&self) -> Vec<Letter> {
        self.letterbox().letters()
    }

    /// Orders faults in place of the ones ordered before.
    pub fn set_faults(&self, faults: Vec<Fault>) {
        self.faults().set(faults);
    }

    /// Reports where an invoice stands once more, as the acquirer may do at any time.
    pub fn report(&self, invoice_id: &str) {
        self.act(|world, now| world.report(invoice_id, now));
    }

    /// The reports that wait to be delivered by hand, oldest first, also of what was due by now. They wait no longer.
    pub fn take_reports(&self) -> Result<Vec<SignedReport>, SandboxError> {
        self.act(|world, now| {
            world.invoices(now);
        });
        let kept = self.inner.reporter.take_kept();
        kept.into_iter()
            .map(|report| {
                let body = report.body.to_string().into_bytes();
                Ok(SignedReport {
                    signature: self.inner.key.sign(&body)?,
                    invoice_id: report.invoice_id,
                    body,
                })
            })
            .collect()
    }

    /// Replaces the key that signs reports, as the acquirer may do at any time.
    pub fn rotate_key(&self) -> Result<(), SandboxError> {
        self.inner.key.rotate()?;
        match &mut self.kept().journal {
            Some(journal) => journal.write_key(&self.inner.key),
            None => Ok(()),
        }
    }

    /// Looks at the world or changes it; what the change leaves behind is written down and reported.
    pub(crate) fn act<T>(&self, work: impl FnOnce(&mut World, Timestamp) -> T) -> T {
        let now = self.now();
        let mut kept = self.kept();
        let result = work(&mut kept.world, now);
        let traces = kept.world.take_traces();
        let Kept { world, journal } = &mut *kept;
        if let Some(journal) = journal
            && let Err(error) = journal.write(world, &traces)
        {
            tracing::error!(%error, "The sandbox's journal cannot be written: a restart will forget the last change");
        }
        drop(kept);
        for report in traces.reports {
            if self.settings().by_hand {
                self.inner.reporter.keep(report);
            } else {
                self.inner.reporter.send(self, report);
            }
        }
        result
    }

    pub(crate) fn settings(&self) -> &SandboxSettings {
        &self.inner.settings
    }

    pub(crate) fn faults(&self) -> &Faults {
        &self.inner.faults
    }

    pub(crate) fn inbox(&self) -> &Inbox {
        &self.inner.inbox
    }

    pub(crate) fn letterbox(&self) -> &Letterbox {
        &self.inner.letterbox
    }

    pub(crate) fn exchange(&self) -> &Exchange {
        &self.inner.exchange
    }

    pub(crate) fn reporter(&self) -> &Reporter {
        &self.inner.reporter
    }

    pub(crate) fn key(&self) -> &SigningKey {
        &self.inner.key
    }

    pub(crate) fn client(&self) -> &reqwest::Client {
        &self.inner.client
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// An id as the acquirer gives them: the date and 14 letters and digits.
    pub(crate) fn invoice_id(&self, at: Timestamp) -> String {
        format!("{}{}", at.strftime("%y%m%d"), self.alphanumerics(14))
    }

    /// Codes and numbers for one payment.
    pub(crate) fn marks(&self) -> Marks {
        Marks {
            approval_code: self.digits(6),
            rrn: self.digits(12),
            transaction_id: self.digits(12),
            card_token: self.alphanumerics(20),
        }
    }

    /// Random letters and digits.
    pub(crate) fn alphanumerics(&self, count: usize) -> String {
        self.characters(
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            count,
        )
    }

    /// Random digits.
    pub(crate) fn digits(&self, count: usize) -> String {
        self.characters(b"0123456789", count)
    }

    /// Random characters of an alphabet; not quite evenly, which does not matter for names of things.
    pub(crate) fn characters(&self, alphabet: &[u8], count: usize) -> String {
        let mut bytes = vec![0; count];
        self.inner.randomness.fill(&mut bytes);
        let pick = |byte: u8| {
            alphabet
                .get(usize::from(byte) % alphabet.len())
                .copied()
                .map(char::from)
        };
        bytes.into_iter().filter_map(pick).collect()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.inner
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Sandbox {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Sandbox")
            .field("settings", self.settings())
            .finish_non_exhaustive()
    }
}
