//! The database and what is in it.

use std::collections::BTreeSet;

use cabinet_app::{AccountsToConfirm, FeesOfEarlierYears, TableChoices, TreasuryDayMissing};
use cabinet_domain::kyiv_date;
use cabinet_domain::payment::AlarmKind;
use cabinet_storage::operator::alarms;
use cabinet_storage::{Durability, SchemaError, StorageError, Store};
use jiff::{SignedDuration, Timestamp};

use super::findings::Findings;
use super::machine;
use crate::settings::Settings;
use crate::{environment, real_installation, wiring};

const LOAD: &str = "Load your tables: cabinet reference load DIR";
const MIGRATE: &str = "`cabinet migrate` makes the tables, and so does `cabinet serve`.";

/// How far two clocks may be apart.
pub const APART_MAX: SignedDuration = SignedDuration::from_secs(5);

/// Looks at the database. A missing SQLite file is not made, and nothing is migrated.
pub async fn examine(settings: &Settings) -> Findings {
    let mut findings = Findings::of("database");
    // The settings say that already.
    if wiring::check_encryption(settings).is_err() {
        return findings;
    }
    if let Some(path) = settings.database_url.sqlite_path() {
        machine::folder_of_database(&mut findings, path);
        if wiring::is_missing(path) {
            findings.warn(
                &format!("there is no database {} yet", path.display()),
                MIGRATE,
            );
            findings.about("reference data");
            findings.blocks("none is loaded", LOAD);
            return findings;
        }
        machine::hidden_from_others(&mut findings, path);
    }
    match wiring::open_to_look(settings).await {
        Err(error) => {
            let text = format!("it can't be opened: {error:#}");
            findings.blocks(&text, why_not_opened(&text));
        }
        Ok(store) => {
            if sessions(&mut findings, &store).await && schema(&mut findings, &store).await {
                contents(&mut findings, &store, settings).await;
            }
            if let Ok(Some(durability)) = store.durability().await {
                compare_durability(&mut findings, &durability);
            }
            clock(&mut findings, &store).await;
            store.close().await;
        }
    }
    findings
}

/// Says what to do about a database that can't be opened. Some errors of PostgreSQL have a code.
fn why_not_opened(text: &str) -> &'static str {
    const BY_TEXT: [(&str, &str); 7] = [
        (
            "28P01",
            "The password of CABINET_DATABASE_URL is wrong, or there is no such user.",
        ),
        (
            "28000",
            "The server lets this user in from elsewhere only, or only encrypted: see its pg_hba.conf.",
        ),
        (
            "3D000",
            "There is no such database. Make it: createdb --owner=USER DATABASE",
        ),
        (
            "53300",
            "The server has no connection left: raise its max_connections.",
        ),
        (
            "certificate",
            "Name the server in CABINET_DATABASE_URL as its certificate does. An authority of your own goes into CABINET_DATABASE_ROOT_CERTIFICATES.",
        ),
        (
            "unable to open database file",
            "The user of the cabinet must be able to read and write the file and its folder: chown cabinet:cabinet FILE",
        ),
        (
            "can only be read",
            "The cabinet must be able to write: name the leader of a cluster, or its proxy.",
        ),
    ];
    let known = BY_TEXT.iter().find(|(told, _)| text.contains(told));
    known.map_or(
        "Check that the server runs and can be reached from this machine, and CABINET_DATABASE_URL.",
        |(_, to_do)| to_do,
    )
}

/// Looks whether each connection keeps its session.
async fn sessions(findings: &mut Findings, store: &Store) -> bool {
    let kept = store.require_sessions().await;
    if let Err(error) = &kept {
        findings.blocks_by(&error.to_string());
    }
    kept.is_ok()
}

/// Looks whether the database can be written, and at its schema. Returns whether its tables can be read.
async fn schema(findings: &mut Findings, store: &Store) -> bool {
    if let Err(error) = store.health().await {
        findings.blocks(
            &error.to_string(),
            "The cabinet must be able to write: name the leader of a cluster, and give the user the right.",
        );
        return false;
    }
    match store.require_schema().await {
        Ok(None) => {
            findings.fine("it answers and has this program's schema");
            true
        }
        Ok(Some(newer)) => {
            findings.warn(
                &newer.to_string(),
                "Start the newer program again as soon as what made you go back is mended.",
            );
            true
        }
        Err(StorageError::Schema(SchemaError::Older { database: 0, .. })) => {
            findings.warn("it answers and is empty", MIGRATE);
            findings.about("reference data");
            findings.blocks("none is loaded", LOAD);
            false
        }
        Err(StorageError::Schema(SchemaError::Older {
            database, program, ..
        })) => {
            findings.warn(
                &format!("it has schema {database}, and this program needs {program}"),
                "Look at `cabinet migrate --plan` and make a copy; then `cabinet migrate` brings it up, and so does `cabinet serve`. Check once more after that.",
            );
            false
        }
        Err(error) => {
            findings.blocks(
                &error.to_string(),
                "Start the program that made it, or restore a copy from before.",
            );
            false
        }
    }
}

/// Says what of the answers is lost with the server of PostgreSQL.
fn compare_durability(findings: &mut Findings, found: &Durability) {
    findings.about("durability");
    let Durability {
        level,
        standbys,
        followers,
    } = found;
    let waits = !standbys.is_empty() && level != "local";
    if level == "off" {
        findings.warn(
            "an answer does not wait for the disk of the server: if it ends, the last second of answers is lost",
            "Set synchronous_commit = on.",
        );
    } else if waits && *followers == 0 {
        findings.warn(
            &format!("every commit waits for a standby ({standbys}), and none follows: nothing can be written"),
            "Bring the standby back, or end the waiting by synchronous_standby_names. Cancel no wait: such a commit is answered as unknown.",
        );
    } else if waits {
        findings.fine(format!(
            "what is answered is on a standby, too ({standbys})"
        ));
    } else {
        let who = if *followers == 0 {
            "no standby follows"
        } else {
            "no commit waits for a standby"
        };
        findings.warn(
            &format!("{who}: what was answered is on this server alone, and the newest of it is lost with its disk"),
            "In a cluster bring the synchronous standby back: see \"The database does not answer\" in docs/operate/database.md. One server alone has its copies: see \"Backup and restore\" there.",
        );
    }
}

async fn contents(findings: &mut Findings, store: &Store, settings: &Settings) {
    let choices = wiring::table_choices(settings);
    reference(findings, store, &choices).await;
    findings.about("keys");
    if let Ok(keys) = wiring::keys(settings) {
        match keys.check(store).await {
            Ok(()) => {
                findings.fine("they name the saved cards and prove the receipts that are known")
            }
            Err(error) => {
                findings.blocks_by(&format!("{:#}", real_installation::explain_keys(error)))
            }
        }
    }
    payment_pages(findings, store, settings).await;
    findings.about("database");
    if store
        .is_unprepared_copy()
        .await
        .is_ok_and(|is_copy| is_copy)
    {
        findings.warn(
            "it is a restored copy",
            "The first start skips numbers and stops the export of transfers: see \"Backup and restore\" in docs/operate/database.md.",
        );
    }
}

/// Tells which pages of the acquirer are shown, and names those that were refused and that nobody has dealt with yet.
async fn payment_pages(findings: &mut Findings, store: &Store, settings: &Settings) {
    findings.about("payment pages");
    let open = store
        .read(|tx| {
            let mut open = alarms::open_of_kind(tx, AlarmKind::PageHostUnlisted)?;
            open.extend(alarms::open_of_kind(tx, AlarmKind::PageNotHttps)?);
            Ok::<_, StorageError>(open)
        })
        .await;
    let refused: BTreeSet<String> = open
        .unwrap_or_default()
        .into_iter()
        .map(|alarm| {
            alarm
                .detail
                .unwrap_or_else(|| alarm.kind.as_str().to_owned())
        })
        .collect();
    if refused.is_empty() {
        findings.fine(format!(
            "they are shown with https on {}",
            wiring::page_hosts(settings).join(", ")
        ));
    }
    for why in refused {
        findings.warn(
            &format!("the acquirer's was shown to nobody: {why}"),
            "Payments fail: see \"A payment page is refused\" in docs/operate/watching.md, then close the alarm.",
        );
    }
}

async fn reference(findings: &mut Findings, store: &Store, choices: &TableChoices) {
    findings.about("reference data");
    let found = match real_installation::examine_data(store, choices).await {
        Ok(found) => found,
        Err(error) => {
            findings.blocks(
                &format!("the database can't be read: {error:#}"),
                "Run `cabinet doctor`.",
            );
            return;
        }
    };
    for problem in &found.problems {
        findings.blocks_by(problem);
    }
    let Some(data) = found.reference else {
        return;
    };
    if found.problems.is_empty() {
        findings.fine("tables are loaded, with no demonstration account");
    }
    let today = kyiv_date(environment::now());
    for stale in FeesOfEarlierYears::all_on(today, &data) {
        findings.warn(&stale.to_string(), LOAD);
    }
    if let Some(missing) = TreasuryDayMissing::on(today, &data) {
        findings.warn_by(&missing.to_string());
    }
    if let Some(accounts) = AccountsToConfirm::on(today, &data) {
        findings.warn_by(&accounts.to_string());
    }
}

/// Compares this machine's clock with the database server's.
async fn clock(findings: &mut Findings, store: &Store) {
    findings.about("clock");
    let before = environment::now();
    if let Ok(Some(theirs)) = store.server_time().await {
        compare_clocks(
            findings,
            "the database server's",
            theirs,
            before,
            environment::now(),
        );
    }
}

/// Compares a time that somebody told between two readings of this machine's clock.
pub fn compare_clocks(
    findings: &mut Findings,
    whose: &str,
    theirs: Timestamp,
    before: Timestamp,
    after: Timestamp,
) {
    let ahead = before.duration_since(theirs);
    let behind = theirs.duration_since(after);
    if ahead <= APART_MAX && behind <= APART_MAX {
        findings.fine(format!("it agrees with {whose}"));
        return;
    }
    let (by, how) = if ahead > behind {
        (ahead, "ahead of")
    } else {
        (behind, "behind")
    };
    findings.warn(
        &format!("it is {} s {how} {whose}", by.as_secs()),
        "Keep both machines on network time: `timedatectl set-ntp true`, or chrony.",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_lost_with_the_server_is_told() {
        let told = |level: &str, standbys: &str, followers| {
            let mut findings = Findings::of("database");
            let durability = Durability {
                level: level.to_owned(),
                standbys: standbys.to_owned(),
                followers,
            };
            compare_durability(&mut findings, &durability);
            findings.text(false)
        };
        assert_eq!(
            told("on", "db2", 2),
            "fine    durability: what is answered is on a standby, too (db2)\n"
        );
        for (level, standbys, followers, expected) in [
            (
                "on",
                "",
                0,
                "no standby follows: what was answered is on this server alone",
            ),
            (
                "on",
                "",
                1,
                "no commit waits for a standby: what was answered",
            ),
            (
                "local",
                "db2",
                1,
                "no commit waits for a standby: what was answered",
            ),
            ("on", "db2", 0, "none follows: nothing can be written"),
            ("off", "db2", 1, "does not wait for the disk of the server"),
        ] {
            let text = told(level, standbys, followers);
            assert!(text.starts_with("WARNING durability: "), "{text}");
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn clocks_may_be_a_few_seconds_apart() {
        let told = |theirs: &str| {
            let mut findings = Findings::of("clock");
            let at = |text: &str| text.parse().unwrap();
            let (before, after) = (at("2026-11-25T10:00:00Z"), at("2026-11-25T10:00:01Z"));
            compare_clocks(&mut findings, "the bank's", at(theirs), before, after);
            findings.text(false)
        };
        for theirs in ["2026-11-25T09:59:55Z", "2026-11-25T10:00:06Z"] {
            assert_eq!(told(theirs), "fine    clock: it agrees with the bank's\n");
        }
        assert!(told("2026-11-25T09:59:54Z").contains("it is 6 s ahead of the bank's."));
        assert!(told("2026-11-25T10:01:01Z").contains("it is 60 s behind the bank's."));
    }
}
