//! `cabinet doctor` and `cabinet backup`.

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use cabinet_app::audit::{Audit, Recorder};
use cabinet_app::catalogue::reference::stored_tables;
use cabinet_app::payment::proved_orders;
use cabinet_app::transfer::unsealed;
use cabinet_app::{AccountsToConfirm, FeesOfEarlierYears, Keys, TreasuryDayMissing};
use cabinet_domain::{AuditSeal, kyiv_date};
use cabinet_storage::operator::invariants::{self, Extent};
use cabinet_storage::{StorageError, Store};
use jiff::Timestamp;

use crate::settings::Settings;
use crate::{console, environment, wiring};

/// `cabinet doctor`: prints one line for each invariant. Checks the orders that may have changed since the last check, or all of
/// them, and always the whole audit trail.
///
/// # Errors
/// Returns an error when an invariant does not hold, or when the database fails.
pub async fn doctor(
    settings: Settings,
    full: bool,
    audit_seal: Option<&str>,
    recorder: Recorder,
) -> anyhow::Result<()> {
    let noted = match audit_seal {
        None => None,
        Some(text) => Some(AuditSeal::parse(text).ok_or_else(|| {
            anyhow!("--audit-seal: number and hash, as this command prints them")
        })?),
    };
    let store = wiring::open_store(&settings).await?;
    let now = environment::now();
    let extent = if full { Extent::Full } else { Extent::Changed };
    let check = invariants::examine(&store, now, extent).await?;
    let findings = check.findings();
    let mut broken = 0;
    for finding in findings {
        if finding.count == 0 {
            console::print(&format!("holds   {}: {}\n", finding.name, finding.promise));
        } else {
            broken += 1;
            console::print(&format!(
                "BROKEN  {}: {} – {} times: {}\n",
                finding.name,
                finding.promise,
                finding.count,
                finding.samples.join(", ")
            ));
        }
    }
    console::print(&match extent {
        Extent::Full => format!("All {} orders were checked.\n", check.orders()),
        Extent::Changed => format!(
            "{} orders were checked; older ones were right when they were last checked and have not changed since.\n",
            check.orders()
        ),
    });
    let (of_keys, broken_of_keys) = examine_with_keys(&store, &settings).await?;
    broken += broken_of_keys;
    print_old_rows(&store, &settings, now).await;
    let audit = wiring::operator(&settings, &store, recorder).audit();
    let (kept, of_trail) = examine_audit_trail(&audit, &settings, noted, now).await?;
    store.close().await;
    broken += of_trail - kept;
    if broken > 0 {
        bail!(
            "{broken} of {} invariants do not hold",
            findings.len() + of_trail + of_keys
        );
    }
    Ok(())
}

/// Checks what can't be checked without the secret of the cabinet. Returns how many invariants were checked, and how many do not hold.
async fn examine_with_keys(store: &Store, settings: &Settings) -> anyhow::Result<(usize, usize)> {
    let Ok(keys) = wiring::keys(settings) else {
        console::print(
            "note    transfers_seal, orders_proved: can't be checked without CABINET_SECRET_KEY: run this command with the settings of the server\n",
        );
        return Ok((0, 0));
    };
    let is_sealed = examine_seals(store, &keys).await?;
    let is_proved = examine_proofs(store, &keys).await?;
    let checked = [Some(is_sealed), is_proved].into_iter().flatten();
    let broken = checked.clone().filter(|holds| !holds).count();
    Ok((checked.count(), broken))
}

/// Prints whether the transfers that leave next are what was sealed when they were planned. Returns whether they are.
async fn examine_seals(store: &Store, keys: &Keys) -> anyhow::Result<bool> {
    let promise = "a transfer that leaves next says what was sealed when it was planned";
    let unsealed = match unsealed(store, keys.seals()).await {
        Err(error @ StorageError::Inconsistent { .. }) => {
            console::print(&format!("BROKEN  transfers_seal: {promise} – {error}\n"));
            return Ok(false);
        }
        examined => examined?,
    };
    if unsealed.is_empty() {
        console::print(&format!("holds   transfers_seal: {promise}\n"));
        return Ok(true);
    }
    let shown = unsealed.iter().take(10);
    let documents: Vec<String> = shown.map(|of| of.document_number.to_string()).collect();
    console::print(&format!(
        "BROKEN  transfers_seal: {promise} – {} times: documents {}\n",
        unsealed.len(),
        documents.join(", ")
    ));
    Ok(false)
}

/// Prints whether the orders that were paid after a proof say what was proved. Returns whether they do; `None`: that can't be checked.
async fn examine_proofs(store: &Store, keys: &Keys) -> anyhow::Result<Option<bool>> {
    let promise = "an order that was paid after a proof says what was proved";
    let Some(found) = proved_orders(store, keys).await? else {
        console::print(
            "note    orders_proved: can't be checked: no cabinet has started with this secret key\n",
        );
        return Ok(None);
    };
    if found.unknown > 0 {
        console::print(&format!(
            "note    orders_proved: {} proofs can't be compared any more: their orders name nobody, the notary was renamed before the payment, or their secret key is not given\n",
            found.unknown
        ));
    }
    if found.changed == 0 {
        console::print(&format!("holds   orders_proved: {promise}\n"));
        return Ok(Some(true));
    }
    let orders: Vec<String> = found.named.iter().map(ToString::to_string).collect();
    console::print(&format!(
        "BROKEN  orders_proved: {promise} – {} times: orders {}\n",
        found.changed,
        orders.join(", ")
    ));
    Ok(Some(false))
}

/// Prints whether fees of an earlier year are in force, or in December will be on 1 January, and whether nobody has confirmed an account this
/// year. They are no damage: only the operator can load this year's.
async fn print_old_rows(store: &Store, settings: &Settings, now: Timestamp) {
    let choices = wiring::table_choices(settings);
    let today = kyiv_date(now);
    let line = match stored_tables(store, &choices).await {
        Err(error) => format!("note    fees_of_this_year: {error}\n"),
        Ok(None) => "note    fees_of_this_year: no reference data is loaded\n".to_owned(),
        Ok(Some(tables)) => {
            let this = match FeesOfEarlierYears::on(today, &tables.data) {
                Some(stale) => format!("note    fees_of_this_year: {stale}\n"),
                None => {
                    "holds   fees_of_this_year: every fee in force began this year or is fixed\n"
                        .to_owned()
                }
            };
            let next = FeesOfEarlierYears::of_next_year(today, &tables.data)
                .map(|missing| format!("note    fees_of_next_year: {missing}\n"));
            let treasury = TreasuryDayMissing::on(today, &tables.data)
                .map(|missing| format!("note    treasury_last_day: {missing}\n"));
            let accounts = match AccountsToConfirm::on(today, &tables.data) {
                Some(accounts) => format!("note    accounts_of_this_year: {accounts}\n"),
                None => "holds   accounts_of_this_year: every recipient's account was confirmed this year or is invented\n".to_owned(),
            };
            this + &next.unwrap_or_default() + &treasury.unwrap_or_default() + &accounts
        }
    };
    console::print(&line);
}

/// Prints whether the audit trail is what was sealed. Returns the number of its invariants that hold, and of all of them.
async fn examine_audit_trail(
    audit: &Audit,
    settings: &Settings,
    noted: Option<AuditSeal>,
    now: Timestamp,
) -> anyhow::Result<(usize, usize)> {
    let check = audit
        .check(noted, wiring::audit_kept(settings), now)
        .await?;
    let overdue = audit.overdue(now).await?;
    let mut kept = 0;
    if check.broken == 0 {
        kept += 1;
        console::print("holds   audit_chain: the audit trail is what was sealed\n");
    } else {
        let breaks: Vec<String> = check.breaks.iter().map(ToString::to_string).collect();
        console::print(&format!(
            "BROKEN  audit_chain: the audit trail is what was sealed – {} times: {}\n",
            check.broken,
            breaks.join("; ")
        ));
    }
    if overdue == 0 {
        kept += 1;
        console::print("holds   audit_sealed: every event is sealed within an hour\n");
    } else {
        console::print(&format!(
            "BROKEN  audit_sealed: every event is sealed within an hour – {overdue} times: is a cabinet running?\n"
        ));
    }
    if check.start != AuditSeal::START {
        console::print(&format!(
            "The audit trail begins after event {}.\n",
            check.start.sequence
        ));
    }
    if check.end != AuditSeal::START {
        console::print(&format!(
            "The audit trail has {} sealed events. Note its seal outside of this machine: {}\n",
            check.events, check.end
        ));
    }
    Ok((kept, 2))
}

/// `cabinet backup FILE`. It copies a database of any schema: before an upgrade the new program copies the old one.
///
/// # Errors
/// Returns an error when the file exists or can't be written, and when the database is not SQLite.
pub async fn backup(settings: Settings, file: PathBuf) -> anyhow::Result<()> {
    let store = wiring::open_any_store(&settings).await?;
    store.backup(&file).await?;
    console::print(&format!("The database was copied to {}.\n", file.display()));
    store.close().await;
    Ok(())
}
