//! The schema, as a list of numbered migrations.
//!
//! To change the schema, add a file with the next number to both folders of `migrations` and a line to [`MIGRATIONS`].
//! A released migration is never edited: its checksum is compared at every start. Expand first and contract in a later
//! release, so that the release before and the release after can both run on the schema between them: see "Expand and
//! contract" in `docs/operate/new-machine.md`.
//!
//! Each migration says which programs can work on the schema after it. A line alone refuses every earlier program, which
//! is always safe. An expanding one lets them work, and a long one does not hold up a server:
//!
//! ```ignore
//! migration!(40, "0040_order_notes").keeps_programs_from(34),
//! migration!(41, "0041_order_notes_index").keeps_programs_from(34).index("orders_by_note"),
//! migration!(42, "0042_order_notes_filled").keeps_programs_from(34).in_batches(),
//! ```

mod fit;
mod plan;
mod run;

use crate::engine::tx::Tx;

pub use self::fit::NewerSchema;
pub use self::plan::{MigrationPlan, PlannedStep, StepKind, TouchedTable};

/// One step of the schema.
#[derive(Clone, Copy)]
pub(crate) struct Migration {
    number: u32,
    name: &'static str,
    kind: Kind,
    /// The oldest program that works on the schema after this step, by the number of its newest migration.
    oldest_program: u32,
    sqlite: &'static str,
    postgres: &'static str,
}

/// How a migration is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// In one transaction with its neighbours of this kind.
    Transaction,
    /// Builds the index of this name. PostgreSQL: `create index concurrently`, outside of a transaction. What a killed program has left
    /// of it is dropped and built again.
    Index(&'static str),
    /// One statement that changes a limited number of rows, repeated in transactions of its own until it changes none.
    Batches,
}

#[cfg_attr(
    not(test),
    expect(dead_code, reason = "the first migration of such a kind uses it")
)]
impl Migration {
    /// An expanding migration: programs whose newest migration is `number` or later still work on the schema after it.
    const fn keeps_programs_from(mut self, number: u32) -> Migration {
        self.oldest_program = number;
        self
    }

    /// Its file is the one statement that builds the index `name`: with `concurrently` on PostgreSQL, with `if not exists` on SQLite.
    const fn index(mut self, name: &'static str) -> Migration {
        self.kind = Kind::Index(name);
        self
    }

    /// Its file is one statement that is repeated until it changes no row.
    const fn in_batches(mut self) -> Migration {
        self.kind = Kind::Batches;
        self
    }
}

macro_rules! migration {
    ($number:literal, $name:literal) => {
        Migration {
            number: $number,
            name: $name,
            kind: Kind::Transaction,
            oldest_program: $number,
            sqlite: include_str!(concat!("../../migrations/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!("../../migrations/postgres/", $name, ".sql")),
        }
    };
}

pub(crate) const MIGRATIONS: &[Migration] = &[
    migration!(1, "0001_start"),
    migration!(2, "0002_cart_sums"),
    migration!(3, "0003_carts"),
    migration!(4, "0004_refused_entries"),
    migration!(5, "0005_settlement"),
    migration!(6, "0006_cart_additions"),
    migration!(7, "0007_checks_and_search"),
    migration!(8, "0008_links_and_retries"),
    migration!(9, "0009_unused_clients"),
    migration!(10, "0010_entrance"),
    migration!(11, "0011_audit"),
    migration!(12, "0012_key_ids"),
    migration!(13, "0013_accounts"),
    migration!(14, "0014_erasure"),
    migration!(15, "0015_transfer_answers"),
    migration!(16, "0016_returned_parts"),
    migration!(17, "0017_bank_files"),
    migration!(18, "0018_reports"),
    migration!(19, "0019_notarial_acts"),
    migration!(20, "0020_notary_status"),
    migration!(21, "0021_acquirer_fee"),
    migration!(22, "0022_deals"),
    migration!(23, "0023_address_book"),
    migration!(24, "0024_cancelled_orders"),
    migration!(25, "0025_item_search"),
    migration!(26, "0026_client_links"),
    migration!(27, "0027_complaint_numbers"),
    migration!(28, "0028_removed_cards"),
    migration!(29, "0029_support"),
    migration!(30, "0030_receipt_mail"),
    migration!(31, "0031_refunds"),
    migration!(32, "0032_used_tickets"),
    migration!(33, "0033_search_and_reports"),
    migration!(34, "0034_upgrades_and_restores"),
    migration!(35, "0035_acquirers"),
    migration!(36, "0036_given_back_before").keeps_programs_from(35),
    migration!(37, "0037_cancelled_by_support").keeps_programs_from(35),
    migration!(38, "0038_complaints_call_back").keeps_programs_from(35),
    migration!(39, "0039_transfer_lists").keeps_programs_from(35),
    migration!(40, "0040_booking_references").keeps_programs_from(35),
    migration!(41, "0041_booking_references_index")
        .keeps_programs_from(35)
        .index("transfers_by_booking_reference"),
    migration!(42, "0042_bank_facts").keeps_programs_from(35),
    migration!(43, "0043_proofs").keeps_programs_from(35),
    migration!(44, "0044_absences").keeps_programs_from(35),
    migration!(45, "0045_unsent_codes").keeps_programs_from(35),
    migration!(46, "0046_codes_payment").keeps_programs_from(35),
    migration!(47, "0047_deal_details").keeps_programs_from(35),
    migration!(48, "0048_filing_year").keeps_programs_from(35),
    migration!(49, "0049_passkeys").keeps_programs_from(35),
    migration!(50, "0050_codes_credit").keeps_programs_from(35),
    migration!(51, "0051_codes_credit_index")
        .keeps_programs_from(35)
        .index("order_items_by_credit"),
    migration!(52, "0052_bank_fee").keeps_programs_from(35),
    migration!(53, "0053_deal_payers").keeps_programs_from(35),
    migration!(54, "0054_proofs_by_passkey").keeps_programs_from(35),
    migration!(55, "0055_deal_counts").keeps_programs_from(35),
    migration!(56, "0056_transfer_seals").keeps_programs_from(35),
    migration!(57, "0057_register_contacts").keeps_programs_from(35),
    migration!(58, "0058_receipt_links").keeps_programs_from(35),
    migration!(59, "0059_scans").keeps_programs_from(35),
    migration!(60, "0060_kept_beside_payment").keeps_programs_from(35),
    migration!(61, "0061_receipt_letters").keeps_programs_from(35),
];

/// The migration from which on each row of the table says which programs can work on the schema. Programs that don't know this migration
/// can't read it and refuse every newer schema.
const SAYS_OLDEST_PROGRAM: u32 = 34;

/// The table of applied migrations. It is the only table that no migration creates.
const APPLIED_TABLE: &str = "create table if not exists schema_migrations (
    number bigint primary key not null,
    name text not null,
    checksum text not null,
    applied_at bigint not null
)";

/// Returns the number of the newest migration.
pub(crate) fn newest_schema() -> u32 {
    newest(MIGRATIONS)
}

fn newest(list: &[Migration]) -> u32 {
    list.last().map_or(0, |migration| migration.number)
}

fn text(tx: &Tx, migration: &Migration) -> &'static str {
    if tx.sqlite().is_some() {
        migration.sqlite
    } else {
        migration.postgres
    }
}

fn checksum(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// Runs the statements of one migration on a migrated database, for tests of what it does to data.
#[cfg(test)]
pub(crate) fn run_again(tx: &mut Tx, number: u32) -> crate::Result<()> {
    let found = MIGRATIONS.iter().find(|step| step.number == number);
    found.map_or(Ok(()), |step| tx.batch(text(tx, step)))
}

/// Returns a fingerprint of all migrations. It names the template database that tests copy.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn schema_fingerprint() -> String {
    let all: String = MIGRATIONS
        .iter()
        .map(|migration| migration.postgres)
        .collect();
    checksum(&all).chars().take(16).collect()
}

#[cfg(test)]
mod tests;
