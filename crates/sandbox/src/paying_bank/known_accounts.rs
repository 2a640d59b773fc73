//! The accounts of which the Treasury knows the owner.

use std::collections::{BTreeMap, BTreeSet};

use crate::errors::SandboxError;

/// The owner of an account and the revenue that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownAccount {
    pub(super) code: String,
    /// Codes of budget revenue; empty where the account takes any.
    pub(super) revenue_codes: BTreeSet<String>,
}

/// Reads the table of recipients. The codes of an account that stands in several rows are joined.
pub(super) fn read(table: &str) -> Result<BTreeMap<String, KnownAccount>, SandboxError> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let headers = reader
        .headers()
        .map_err(|_| SandboxError::Recipients)?
        .clone();
    let place = |name: &str| {
        headers
            .iter()
            .position(|header| header == name)
            .ok_or(SandboxError::Recipients)
    };
    let places = [place("iban")?, place("edrpou")?, place("budget_codes")?];
    let mut accounts: BTreeMap<String, KnownAccount> = BTreeMap::new();
    for row in reader.records() {
        let row = row.map_err(|_| SandboxError::Recipients)?;
        let [iban, code, revenue] = places.map(|place| row.get(place).unwrap_or_default().trim());
        let account = accounts
            .entry(iban.to_owned())
            .or_insert_with(|| KnownAccount {
                code: code.to_owned(),
                revenue_codes: BTreeSet::new(),
            });
        account
            .revenue_codes
            .extend(revenue.split_whitespace().map(str::to_owned));
    }
    Ok(accounts)
}
