//! The harness for tests with a database: each test runs on SQLite and on PostgreSQL, on a fresh database.
//!
//! A SQLite database is a file in a temporary folder. The PostgreSQL server is named by `CABINET_TEST_POSTGRES`
//! (`scripts/with-postgres` starts one while a command runs); each test gets a copy of a template that was migrated
//! once.

#![expect(
    clippy::expect_used,
    reason = "what fails here fails a test, and says so"
)]

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};

use jiff::Timestamp;

use crate::address::Address;
use crate::migrations::schema_fingerprint;
use crate::value::params;
use crate::{DatabaseUrl, Result, StorageError, Store, StoreOptions, Tx};

/// The environment variable with the address of the PostgreSQL server for tests.
pub const POSTGRES_VARIABLE: &str = "CABINET_TEST_POSTGRES";

/// Makes two tests of each function: `name::sqlite` and `name::postgres`.
///
/// ```ignore
/// on_both_databases! {
///     async fn a_client_is_found_again(store: Store) { … }
/// }
/// ```
#[macro_export]
macro_rules! on_both_databases {
    ($($(#[$meta:meta])* async fn $name:ident($store:ident: Store) $body:block)+) => {$(
        $(#[$meta])*
        async fn $name($store: $crate::Store) $body

        mod $name {
            #[test]
            fn sqlite() {
                $crate::testing::run_on_sqlite(super::$name);
            }

            #[test]
            fn postgres() {
                $crate::testing::run_on_postgres(super::$name);
            }
        }
    )+};
}

/// Runs a test on a fresh, migrated SQLite file.
pub fn run_on_sqlite<F: Future<Output = ()>>(test: impl FnOnce(Store) -> F) {
    run(Box::pin(async {
        let database = TestDatabase::sqlite().await;
        test(database.store().await).await;
    }));
}

/// Runs a test on a fresh, migrated PostgreSQL database.
pub fn run_on_postgres<F: Future<Output = ()>>(test: impl FnOnce(Store) -> F) {
    run(Box::pin(async {
        let database = TestDatabase::postgres().await;
        test(database.store().await).await;
    }));
}

/// Takes a future without its type, so that what drives it is compiled once and not for each test.
fn run(test: Pin<Box<dyn Future<Output = ()> + '_>>) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime can be built");
    runtime.block_on(test);
}

/// A migrated database for one test. It is removed on drop.
#[derive(Debug)]
pub struct TestDatabase {
    url: DatabaseUrl,
    home: Home,
}

#[derive(Debug)]
enum Home {
    Folder(PathBuf),
    Server { name: String },
}

impl TestDatabase {
    /// A SQLite file in a new temporary folder.
    pub async fn sqlite() -> TestDatabase {
        let folder = std::env::temp_dir().join(unique_name());
        // A process that was killed has left its folder, and its number is used again.
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir(&folder).expect("a temporary folder can be made");
        let url = DatabaseUrl::sqlite_file(&folder.join("cabinet.db"));
        let database = TestDatabase {
            url,
            home: Home::Folder(folder),
        };
        let store = database.store().await;
        store
            .migrate(Timestamp::UNIX_EPOCH)
            .await
            .expect("the schema can be made");
        store.close().await;
        database
    }

    /// A PostgreSQL database, copied from a template that is migrated once for each schema.
    pub async fn postgres() -> TestDatabase {
        let server = server();
        let template = format!("cabinet_template_{}", schema_fingerprint());
        on_server(&server, {
            let (server, template) = (server.clone(), template.clone());
            move |client| make_template(client, &server, &template)
        })
        .await;
        let name = unique_name();
        on_server(&server, {
            let name = name.clone();
            move |client| {
                client
                    .batch_execute(&format!("drop database if exists {name} with (force)"))
                    .expect("an old database can be dropped");
                client
                    .batch_execute(&format!("create database {name} template {template}"))
                    .expect("a database can be copied");
            }
        })
        .await;
        TestDatabase {
            url: with_database(&server, &name),
            home: Home::Server { name },
        }
    }

    /// The address of the database.
    #[must_use]
    pub fn url(&self) -> &DatabaseUrl {
        &self.url
    }

    /// Opens the database.
    pub async fn store(&self) -> Store {
        let options = StoreOptions {
            connections: 4,
            ..StoreOptions::default()
        };
        Store::open(&self.url, options)
            .await
            .expect("the database of the test can be opened")
    }

    /// The address as a setting has it.
    #[must_use]
    pub fn address(&self) -> String {
        match &self.home {
            Home::Folder(folder) => format!("sqlite:{}", folder.join("cabinet.db").display()),
            Home::Server { name } => {
                let server = std::env::var(POSTGRES_VARIABLE).unwrap_or_default();
                let (base, options) = server.split_once('?').unwrap_or((&server, ""));
                let base = base.rsplit_once('/').map_or(base, |(base, _)| base);
                format!("{base}/{name}?{options}")
            }
        }
    }

    /// The folder of a SQLite database.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        match &self.home {
            Home::Folder(folder) => Some(folder),
            Home::Server { .. } => None,
        }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        match &self.home {
            Home::Folder(folder) => {
                let _ = std::fs::remove_dir_all(folder);
            }
            Home::Server { name } => {
                let (server, name) = (server(), name.clone());
                // The driver must not run on a thread of the runtime. Nobody waits for this thread: at worst an empty
                // database is left.
                std::thread::spawn(move || {
                    if let Ok(mut client) = client_of(&server) {
                        let _ = client
                            .batch_execute(&format!("drop database if exists {name} with (force)"));
                    }
                });
            }
        }
    }
}

fn server() -> DatabaseUrl {
    let Ok(address) = std::env::var(POSTGRES_VARIABLE) else {
        panic!(
            "{POSTGRES_VARIABLE} is not set: run the tests as `scripts/with-postgres cargo test`, which starts a PostgreSQL for them"
        );
    };
    let url =
        DatabaseUrl::parse(&address).unwrap_or_else(|error| panic!("{POSTGRES_VARIABLE}: {error}"));
    assert!(
        !url.is_sqlite(),
        "{POSTGRES_VARIABLE} is not the address of a PostgreSQL server"
    );
    url
}

fn with_database(server: &DatabaseUrl, name: &str) -> DatabaseUrl {
    let mut url = server.clone();
    if let Address::Postgres(config) = &mut url.0 {
        config.dbname(name);
    }
    url
}

fn client_of(server: &DatabaseUrl) -> std::result::Result<postgres::Client, postgres::Error> {
    let Address::Postgres(config) = &server.0 else {
        panic!("not a PostgreSQL server")
    };
    postgres::Config::from((**config).clone()).connect(postgres::NoTls)
}

/// Runs a function on the server's own database, off the runtime.
async fn on_server<T: Send + 'static>(
    server: &DatabaseUrl,
    work: impl FnOnce(&mut postgres::Client) -> T + Send + 'static,
) -> T {
    let server = server.clone();
    tokio::task::spawn_blocking(move || {
        let mut client = client_of(&server).expect("the PostgreSQL server for tests answers");
        work(&mut client)
    })
    .await
    .expect("the work on the server does not panic")
}

/// Makes the migrated template database, unless it exists.
fn make_template(client: &mut postgres::Client, server: &DatabaseUrl, template: &str) {
    // Test programs may start together; the lock ends with the connection.
    client
        .batch_execute("select pg_advisory_lock(5642117320964)")
        .expect("the lock is given");
    let ready = client
        .query_one(
            "select exists (select from pg_database where datname = $1 and datistemplate)",
            &[&template],
        )
        .expect("databases are listed");
    if ready.get::<_, bool>(0) {
        return;
    }
    client
        .batch_execute(&format!("drop database if exists {template} with (force)"))
        .expect("a half-made template is dropped");
    client
        .batch_execute(&format!("create database {template}"))
        .expect("a database can be made");
    let url = with_database(server, template);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime can be built");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            runtime.block_on(async {
                let store = Store::open(
                    &url,
                    StoreOptions {
                        connections: 1,
                        ..StoreOptions::default()
                    },
                )
                .await
                .expect("the template opens");
                store
                    .migrate(Timestamp::UNIX_EPOCH)
                    .await
                    .expect("the schema can be made");
                store.close().await;
            });
        });
    });
    client
        .batch_execute(&format!("alter database {template} is_template true"))
        .expect("the template is marked");
}

pub(crate) fn unique_name() -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    format!(
        "cabinet_test_{}_{}",
        std::process::id(),
        MADE.fetch_add(1, Ordering::Relaxed)
    )
}

/// Runs a statement without parameters, for tests that spoil data on purpose. Returns the number of changed rows.
///
/// # Errors
/// Returns the database's error.
pub fn execute(tx: &mut Tx, sql: &str) -> Result<u64, StorageError> {
    tx.execute(sql, params![])
}

/// Reads one number, for tests that count rows.
///
/// # Errors
/// Returns the database's error.
pub fn number(tx: &mut Tx, sql: &str) -> Result<i64, StorageError> {
    tx.row(sql, params![], |row| row.next())
}
