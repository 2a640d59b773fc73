//! The handle that all pages and interfaces of the sandbox share.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cabinet_clock::AdvanceError;
use cabinet_domain::{Clock, Phone, Randomness};
use jiff::Timestamp;

use crate::bank::{
    Bank, Card, CardError, Invoice, InvoiceKind, LedgerEntry, OperationCodes, PaidInvoice, Payment,
    Status,
};
pub use crate::errors::SandboxError;
use crate::faults::{Fault, Faults};
use crate::journal::Journal;
use crate::keys::SigningKey;
use crate::mail::{Letter, Mailbox};
use crate::paying_bank::PayingBank;
use crate::reports::{Reporter, SignedReport};
use crate::settings::SandboxSettings;
use crate::sms::{Inbox, Message};
use crate::voice::Exchange;

/// The simulated outside services. Clones share one state.
#[derive(Clone)]
pub struct Sandbox {
    inner: Arc<Inner>,
}

struct Inner {
    settings: Arc<SandboxSettings>,
    clock: Arc<dyn Clock>,
    randomness: Arc<dyn Randomness>,
    state: Mutex<State>,
    key: Arc<SigningKey>,
    reporter: Arc<Reporter>,
    faults: Arc<Faults>,
    inbox: Inbox,
    mailbox: Mailbox,
    exchange: Exchange,
    client: reqwest::Client,
}

/// The state and its journal, under one lock, so that changes are journalled in the order in which they were made.
struct State {
    bank: Bank,
    paying_bank: PayingBank,
    journal: Option<Journal>,
}

impl Sandbox {
    /// Makes a sandbox with the state of its journal, if it has one.
    pub fn new(
        settings: SandboxSettings,
        clock: Arc<dyn Clock>,
        randomness: Arc<dyn Randomness>,
    ) -> Result<Self, SandboxError> {
        let mut paying_bank = PayingBank::new(&settings.paying_bank)?;
        let (bank, journal, key) = match &settings.journal {
            Some(path) => {
                let (journal, bank, key) = Journal::open(path, &mut paying_bank, &settings.time)?;
                (bank, Some(journal), key)
            }
            None => (Bank::default(), None, SigningKey::generate()?),
        };
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(Duration::from_secs(10))
            .build()
            .map_err(SandboxError::Client)?;
        let (settings, faults, key) = (Arc::new(settings), Arc::default(), Arc::new(key));
        let reporter = Reporter::new(
            Arc::clone(&settings),
            Arc::clone(&faults),
            client.clone(),
            Arc::clone(&key),
        )?;
        Ok(Self {
            inner: Arc::new(Inner {
                state: Mutex::new(State {
                    bank,
                    paying_bank,
                    journal,
                }),
                key,
                reporter: Arc::new(reporter),
                faults,
                inbox: Inbox::default(),
                mailbox: Mailbox::default(),
                exchange: Exchange::default(),
                client,
                settings,
                clock,
                randomness,
            }),
        })
    }

    /// Saves a card in a wallet without a payment, for sample data. Returns its token.
    pub fn save_card(&self, wallet_id: &str, card_number: &str) -> Result<String, CardError> {
        let card = Card::parse(card_number)?;
        let token = self.alphanumerics(20);
        Ok(self.with_bank(|bank, now| bank.save_card(wallet_id, &card, now, || token)))
    }

    /// Adds a past payment with its line in the ledger, for sample data. Returns the id of its invoice, also if the payment was
    /// added before.
    pub fn seed_paid(&self, paid: &PaidInvoice) -> Result<String, CardError> {
        let card = Card::parse(&paid.card_number)?;
        let codes = self.operation_codes();
        let id = self.invoice_id(paid.at);
        Ok(self.with_bank(|bank, now| {
            let known = bank
                .invoices(now)
                .iter()
                .find(|known| known.reference.as_ref() == Some(&paid.reference));
            if let Some(known) = known {
                return known.id.clone();
            }
            let payment = Payment {
                card,
                method: "pan".to_owned(),
                approval_code: codes.approval_code,
                rrn: codes.rrn,
                transaction_id: codes.transaction_id,
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
            bank.add_paid(invoice, paid.at);
            id
        }))
    }

    /// Returns every charge and refund, oldest first.
    pub fn ledger(&self) -> Vec<LedgerEntry> {
        self.state().bank.ledger().to_vec()
    }

    /// Gives money of a payment at LiqPay back, a part in kopiykas or all that is left, as somebody does in its cabinet. Returns whether it did.
    pub fn give_back_at_liqpay(&self, invoice_id: &str, amount: Option<i64>) -> bool {
        let codes = self.operation_codes();
        self.with_bank(|bank, now| {
            bank.liqpay_invoice(invoice_id, now).is_some()
                && bank
                    .refund(invoice_id, amount, None, Duration::ZERO, codes, now)
                    .is_ok()
        })
    }

    /// Opens a page of monobank again that was closed or whose time is over: a browser still shows it, and the bank takes a payment that was begun
    /// there. Returns whether it was closed.
    pub fn reopen_page(&self, invoice_id: &str) -> bool {
        self.with_bank(|bank, now| bank.reopen(invoice_id, now))
    }

    /// Returns the messages that were sent, newest first, either all or those to one phone.
    pub fn messages(&self, phone: Option<&Phone>) -> Vec<Message> {
        self.inbox().messages(phone.map(Phone::as_str))
    }

    /// Returns the letters that were sent, newest first.
    pub fn letters(&self) -> Vec<Letter> {
        self.mailbox().letters()
    }

    /// Sets faults in place of those set before.
    pub fn set_faults(&self, faults: Vec<Fault>) {
        self.faults().set(faults);
    }

    /// Reports the present state of an invoice again, as the acquirer may do at any time.
    pub fn report(&self, invoice_id: &str) {
        self.with_bank(|bank, now| bank.report(invoice_id, now));
    }

    /// Takes out the reports that wait because `by_hand` is set, oldest first. Applies the time that has passed first.
    pub fn take_reports(&self) -> Result<Vec<SignedReport>, SandboxError> {
        self.with_bank(|bank, now| {
            bank.invoices(now);
        });
        self.inner.reporter.take_waiting()
    }

    /// Replaces the key that signs reports, as the acquirer may do at any time.
    pub fn rotate_key(&self) -> Result<(), SandboxError> {
        self.inner.key.rotate()?;
        match &mut self.state().journal {
            Some(journal) => journal.write_key(&self.inner.key),
            None => Ok(()),
        }
    }

    /// Advances the clock. Its new time is then journalled.
    pub(crate) fn advance(&self, by: Duration) -> Result<(), AdvanceError> {
        let time = &self.inner.settings.time;
        let mut state = self.state();
        time.advance(by)?;
        if let Some(journal) = &mut state.journal {
            warn_if_lost(journal.write_clock(time));
        }
        Ok(())
    }

    /// Runs `work` on the acquirer's state. Its changes are then journalled and reported.
    pub(crate) fn with_bank<T>(&self, work: impl FnOnce(&mut Bank, Timestamp) -> T) -> T {
        let now = self.now();
        let mut state = self.state();
        let result = work(&mut state.bank, now);
        let changes = state.bank.take_changes();
        let State { bank, journal, .. } = &mut *state;
        if let Some(journal) = journal {
            warn_if_lost(journal.write(bank, &changes));
        }
        drop(state);
        for report in changes.reports {
            self.inner.reporter.report(report);
        }
        result
    }

    /// Runs `work` on the paying bank's state. Its changes are then journalled.
    pub(crate) fn with_paying_bank<T>(
        &self,
        work: impl FnOnce(&mut PayingBank, Timestamp) -> T,
    ) -> T {
        let now = self.now();
        let mut state = self.state();
        let result = work(&mut state.paying_bank, now);
        let changes = state.paying_bank.take_changes();
        if let Some(journal) = &mut state.journal
            && !changes.is_empty()
        {
            warn_if_lost(journal.write_paying_bank(changes));
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

    pub(crate) fn mailbox(&self) -> &Mailbox {
        &self.inner.mailbox
    }

    pub(crate) fn exchange(&self) -> &Exchange {
        &self.inner.exchange
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

    /// Returns a new invoice id of the acquirer's form: the date and 14 letters and digits.
    pub(crate) fn invoice_id(&self, at: Timestamp) -> String {
        format!("{}{}", at.strftime("%y%m%d"), self.alphanumerics(14))
    }

    /// Generates the codes of one payment or refund.
    pub(crate) fn operation_codes(&self) -> OperationCodes {
        OperationCodes {
            approval_code: self.digits(6),
            rrn: self.digits(12),
            transaction_id: self.digits(12),
            card_token: self.alphanumerics(20),
        }
    }

    /// Generates a UUID of version 4.
    pub(crate) fn uuid(&self) -> String {
        let mut bytes = [0; 16];
        self.inner.randomness.fill(&mut bytes);
        uuid::Builder::from_random_bytes(bytes)
            .into_uuid()
            .to_string()
    }

    /// Generates random letters and digits.
    pub(crate) fn alphanumerics(&self, count: usize) -> String {
        self.characters(
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            count,
        )
    }

    /// Generates random digits.
    pub(crate) fn digits(&self, count: usize) -> String {
        self.characters(b"0123456789", count)
    }

    /// Generates random characters of an alphabet. The distribution is slightly uneven, which is good enough for ids.
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

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn warn_if_lost(written: Result<(), SandboxError>) {
    if let Err(error) = written {
        tracing::error!(%error, "The sandbox's journal cannot be written: a restart will forget the last change");
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
