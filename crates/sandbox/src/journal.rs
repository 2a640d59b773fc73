//! The journal: invoices, saved cards, the ledger and the paying bank as lines of JSON in an append-only file, so that they survive
//! a restart.
//!
//! The lines of one change are written by one call, so that a killed process leaves all of them or none. An incomplete last
//! line is ignored when the journal is read. At the start the journal is rewritten with the current state only.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use cabinet_clock::PassingTime;
use serde::{Deserialize, Serialize};

use crate::bank::{Bank, Changes, Invoice, LedgerEntry, SavedCard};
use crate::errors::SandboxError;
use crate::keys::SigningKey;
use crate::paying_bank::{self, PayingBank};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Key {
        pkcs8: String,
    },
    Invoice(Box<Invoice>),
    Ledger(LedgerEntry),
    Card(SavedCard),
    Forgotten {
        token: String,
    },
    PayingBank(paying_bank::Line),
    /// By how much the clock was advanced in all.
    Clock {
        advanced_seconds: u64,
    },
}

/// An open journal.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Reads a journal and opens it for appending. `paying_bank` is a new one and gets its changes, and `time` is advanced as it was.
    pub(crate) fn open(
        path: &Path,
        paying_bank: &mut PayingBank,
        time: &PassingTime,
    ) -> Result<(Self, Bank, SigningKey), SandboxError> {
        let failed = |source| SandboxError::Journal {
            path: path.to_owned(),
            source,
        };
        let text = match std::fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        let (bank, key) = replay(path, &text, paying_bank, time)?;
        let key = match key {
            Some(key) => key,
            None => SigningKey::generate()?,
        };
        let compact = snapshot(&bank, paying_bank, &key, time)?;
        let fresh = path.with_extension("new");
        std::fs::write(&fresh, compact).map_err(failed)?;
        std::fs::rename(&fresh, path).map_err(failed)?;
        let file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        Ok((
            Self {
                path: path.to_owned(),
                file,
            },
            bank,
            key,
        ))
    }

    /// Appends the lines of a change.
    pub(crate) fn write(&mut self, bank: &Bank, changes: &Changes) -> Result<(), SandboxError> {
        let invoices = changes
            .invoices
            .iter()
            .filter_map(|id| bank.stored_invoice(id));
        let mut lines: Vec<Line> = invoices
            .map(|invoice| Line::Invoice(Box::new(invoice.clone())))
            .collect();
        lines.extend(
            changes
                .ledger
                .iter()
                .map(|entry| Line::Ledger(entry.clone())),
        );
        lines.extend(changes.saved.iter().map(|card| Line::Card(card.clone())));
        lines.extend(changes.forgotten.iter().map(|token| Line::Forgotten {
            token: token.clone(),
        }));
        self.append(&lines)
    }

    /// Appends the lines of a change of the paying bank.
    pub(crate) fn write_paying_bank(
        &mut self,
        changes: Vec<paying_bank::Line>,
    ) -> Result<(), SandboxError> {
        let lines: Vec<Line> = changes.into_iter().map(Line::PayingBank).collect();
        self.append(&lines)
    }

    /// Appends a new signing key.
    pub(crate) fn write_key(&mut self, key: &SigningKey) -> Result<(), SandboxError> {
        self.append(&[Line::Key {
            pkcs8: key.to_text()?,
        }])
    }

    /// Appends by how much the clock was advanced in all.
    pub(crate) fn write_clock(&mut self, time: &PassingTime) -> Result<(), SandboxError> {
        self.append(&[clock_line(time)])
    }

    fn append(&mut self, lines: &[Line]) -> Result<(), SandboxError> {
        let failed = |source| SandboxError::Journal {
            path: self.path.clone(),
            source,
        };
        let text = encode(lines).map_err(failed)?;
        self.file.write_all(text.as_bytes()).map_err(failed)
    }
}

fn clock_line(time: &PassingTime) -> Line {
    Line::Clock {
        advanced_seconds: time.advanced().as_secs(),
    }
}

fn encode(lines: &[Line]) -> Result<String, std::io::Error> {
    let mut text = String::new();
    for line in lines {
        text.push_str(&serde_json::to_string(line)?);
        text.push('\n');
    }
    Ok(text)
}

fn snapshot(
    bank: &Bank,
    paying_bank: &PayingBank,
    key: &SigningKey,
    time: &PassingTime,
) -> Result<String, SandboxError> {
    let mut lines = vec![Line::Key {
        pkcs8: key.to_text()?,
    }];
    lines.extend(
        bank.stored_invoices()
            .iter()
            .map(|invoice| Line::Invoice(Box::new(invoice.clone()))),
    );
    lines.extend(
        bank.ledger()
            .iter()
            .map(|entry| Line::Ledger(entry.clone())),
    );
    lines.extend(bank.cards().iter().map(|card| Line::Card(card.clone())));
    lines.extend(paying_bank.lines().into_iter().map(Line::PayingBank));
    lines.push(clock_line(time));
    encode(&lines).map_err(|source| SandboxError::Journal {
        path: PathBuf::new(),
        source,
    })
}

fn replay(
    path: &Path,
    text: &str,
    paying_bank: &mut PayingBank,
    time: &PassingTime,
) -> Result<(Bank, Option<SigningKey>), SandboxError> {
    let mut bank = Bank::default();
    let mut key = None;
    let mut advanced = Duration::ZERO;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let Some(whole) = line.strip_suffix('\n') else {
            tracing::warn!("The last line of the sandbox's journal is cut and left out");
            break;
        };
        let line = serde_json::from_str(whole).map_err(|_| SandboxError::Damaged {
            path: path.to_owned(),
            line: index + 1,
        })?;
        match line {
            Line::Key { pkcs8 } => key = SigningKey::from_text(&pkcs8),
            Line::Invoice(invoice) => bank.add_invoice(*invoice),
            Line::Ledger(entry) => bank.restore_ledger(entry),
            Line::Card(card) => bank.restore_card(card),
            Line::Forgotten { token } => bank.restore_forgotten(&token),
            Line::PayingBank(change) => paying_bank.apply(change),
            Line::Clock { advanced_seconds } => advanced = Duration::from_secs(advanced_seconds),
        }
    }
    if time
        .advance(advanced.saturating_sub(time.advanced()))
        .is_err()
    {
        tracing::warn!("The sandbox's journal advances the clock too far: it is left as it is");
    }
    Ok((bank, key))
}
