//! Direct access to the database.

use std::collections::BTreeMap;

use cabinet_storage::testing::{execute, number};
use cabinet_storage::{Result, Tx};

use crate::{TestApp, eventually};

/// All tables with data of people and payments.
const TABLES: &[&str] = &[
    "acquirer_report_digests",
    "acquirer_reports",
    "alarms",
    "attempts",
    "audit_events",
    "audit_starts",
    "bank_facts",
    "card_refunds",
    "cart_acts",
    "cart_additions",
    "cart_items",
    "carts",
    "client_links",
    "clients",
    "complaints",
    "charges_outside_tables",
    "counters",
    "deal_answers",
    "deal_items",
    "deal_payments",
    "deals",
    "devices",
    "key_ids",
    "leases",
    "login_operations",
    "notaries",
    "notary_passkeys",
    "order_events",
    "order_items",
    "order_receipts",
    "orders",
    "outbox",
    "receipt_consents",
    "receipt_mail",
    "own_recipients",
    "passkey_proofs",
    "register_proofs",
    "payment_proofs",
    "proved_recipients",
    "reference_files",
    "reference_versions",
    "refresh_tokens",
    "refunds",
    "refused_entries",
    "register_loads",
    "register_rows",
    "removed_cards",
    "sessions",
    "statement_days",
    "transfer_lists",
    "transfers",
    "unsent_codes",
    "used_tickets",
];

/// The tables that only PostgreSQL has: what searches find rows by.
const TABLES_OF_POSTGRES: &[&str] = &["client_search", "order_search", "search_phrases"];

impl TestApp {
    /// Returns the rows of a table.
    pub async fn rows(&self, table: &str) -> i64 {
        self.number(format!("select count(*) from {table}")).await
    }

    /// Returns the rows of all tables, to prove that an operation changes nothing.
    pub async fn all_rows(&self) -> BTreeMap<&'static str, i64> {
        let mut rows = BTreeMap::new();
        for &table in TABLES {
            rows.insert(table, self.rows(table).await);
        }
        rows
    }

    /// Returns the number of a query.
    pub async fn number(&self, sql: String) -> i64 {
        let services = self.services();
        // PostgreSQL returns sums of whole numbers in another type.
        let sql = format!("select cast(({sql}) as bigint) as number");
        services
            .store
            .read(move |tx: &mut Tx| -> Result<i64> { number(tx, &sql) })
            .await
            .expect("the query can be answered")
    }

    /// Waits until a query returns a number, for what the cabinet does by itself.
    pub async fn wait_for_number(&self, sql: &str, wanted: i64) {
        let look = || async {
            let seen = self.number(sql.to_owned()).await;
            if seen == wanted { Ok(()) } else { Err(seen) }
        };
        eventually(look)
            .await
            .unwrap_or_else(|seen| panic!("{sql}: {wanted} was expected, it stayed {seen}"));
    }

    /// Changes the database.
    pub async fn execute(&self, sql: String) {
        let services = self.services();
        services
            .store
            .write(move |tx: &mut Tx| -> Result<u64> { execute(tx, &sql) })
            .await
            .expect("the statement can be carried out");
    }

    /// Returns whether a text is anywhere in the database: in any column of any table, and on SQLite also in deleted rows that are
    /// still in the file.
    pub async fn stores(&self, needle: &str) -> bool {
        assert!(
            !needle.is_empty() && !needle.contains(['\'', '\\', '"']),
            "a needle that needs no quoting"
        );
        match self.installation.database.folder() {
            Some(folder) => std::fs::read_dir(folder)
                .expect("the folder of the database")
                .map(|file| file.expect("a file of the database").path())
                .any(|path| {
                    let bytes = std::fs::read(path).unwrap_or_default();
                    let needle = needle.as_bytes();
                    bytes.windows(needle.len()).any(|window| window == needle)
                }),
            None => self.postgres_stores(needle).await,
        }
    }

    async fn postgres_stores(&self, needle: &str) -> bool {
        let tables = || TABLES.iter().chain(TABLES_OF_POSTGRES);
        let names = tables()
            .map(|table| format!("'{table}'"))
            .collect::<Vec<_>>()
            .join(", ");
        let unknown = format!(
            "select count(*) from pg_class where relnamespace = cast('public' as regnamespace) and relkind in ('r', 'p')
             and not relispartition and relname not in ({names}, 'schema_migrations')"
        );
        assert_eq!(
            self.number(unknown).await,
            0,
            "a new table is not looked into"
        );
        let hexadecimal: String = needle.bytes().map(|byte| format!("{byte:02x}")).collect();
        for table in tables() {
            let sql = format!(
                "select count(*) from {table} r
                 where position('{needle}' in cast(r as text)) > 0 or position('{hexadecimal}' in cast(r as text)) > 0"
            );
            if self.number(sql).await > 0 {
                return true;
            }
        }
        false
    }
}
