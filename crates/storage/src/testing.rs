//! The harness for tests with a database: each test runs on SQLite and on PostgreSQL, on a fresh database.
//!
//! Each test has a copy of a template, which is made once for each build of a test program. A SQLite database is a file in a temporary
//! folder. The PostgreSQL server is named by `CABINET_TEST_POSTGRES`
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
use std::time::Duration;

use jiff::Timestamp;

use crate::engine::address::Address;
use crate::engine::migrations::schema_fingerprint;
use crate::engine::value::params;
use crate::{DatabaseUrl, Result, StorageError, Store, StoreOptions, Tx};

/// The environment variable with the address of the PostgreSQL server for tests.
pub const POSTGRES_VARIABLE: &str = "CABINET_TEST_POSTGRES";

const SQLITE_FILE: &str = "cabinet.db";

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

/// What the database of a test has beside its schema. It is written once, into the template that is copied for each test.
#[derive(Clone, Debug)]
pub struct Content {
    /// Names the template: another name makes another one. Lower-case letters, digits and `_`.
    pub name: String,
    /// Writes it into a migrated database, which it closes.
    pub write: fn(Store) -> Pin<Box<dyn Future<Output = ()> + Send>>,
}

/// The rows of an earlier program, for tests of what becomes of them.
#[derive(Clone, Copy, Debug)]
pub struct EarlierRows {
    /// The number of that program's newest migration.
    pub schema: u32,
    /// The statements that insert them into SQLite, parents before children.
    pub sqlite: &'static str,
    /// The same for PostgreSQL.
    pub postgres: &'static str,
}

impl EarlierRows {
    /// Makes the earlier schema with these rows and brings it to the present one.
    async fn write(self, store: &Store) {
        store
            .migrate_up_to(self.schema, Timestamp::UNIX_EPOCH)
            .await
            .expect("the earlier schema can be made");
        let rows = if store.is_sqlite() {
            self.sqlite
        } else {
            self.postgres
        };
        store
            .write(move |tx| tx.batch(rows))
            .await
            .expect("the earlier schema takes its rows");
        store
            .migrate(Timestamp::UNIX_EPOCH)
            .await
            .expect("the earlier schema can be brought to the present one");
    }
}

impl Content {
    /// The schema alone.
    fn none() -> Content {
        Content {
            name: "empty".to_owned(),
            write: |store| Box::pin(async move { store.close().await }),
        }
    }
}

impl TestDatabase {
    /// A SQLite file in a new temporary folder, with the schema alone.
    pub async fn sqlite() -> TestDatabase {
        TestDatabase::sqlite_with(&Content::none()).await
    }

    /// A SQLite file in a new temporary folder.
    pub async fn sqlite_with(content: &Content) -> TestDatabase {
        let database = TestDatabase::sqlite_file();
        let file = database.folder().expect("a folder").join(SQLITE_FILE);
        let template = template_file(content);
        if std::fs::copy(&template, &file).is_err() {
            // A copy that failed may have left a part.
            drop(std::fs::remove_file(&file));
            fill(&database.url, None, content).await;
            keep_as_template(&file, &template);
        }
        database
    }

    /// The place of a SQLite file in a new temporary folder.
    fn sqlite_file() -> TestDatabase {
        let folder = std::env::temp_dir().join(unique_name());
        // A process that was killed has left its folder, and its number is used again.
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir(&folder).expect("a temporary folder can be made");
        TestDatabase {
            url: DatabaseUrl::sqlite_file(&folder.join(SQLITE_FILE)),
            home: Home::Folder(folder),
        }
    }

    /// A database on the PostgreSQL server, with the schema alone.
    pub async fn postgres() -> TestDatabase {
        TestDatabase::postgres_with(&Content::none()).await
    }

    /// A database on the PostgreSQL server.
    pub async fn postgres_with(content: &Content) -> TestDatabase {
        let server = server();
        let template = format!("cabinet_template_{}_{}", schema_fingerprint(), content.name);
        on_server(&server, {
            let (server, template, content) = (server.clone(), template.clone(), content.clone());
            move |client| make_template(client, &server, &template, &content)
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

    /// A SQLite file in a new temporary folder that an earlier program had written, migrated.
    pub async fn sqlite_of_before(rows: EarlierRows, content: &Content) -> TestDatabase {
        let database = TestDatabase::sqlite_file();
        fill(&database.url, Some(rows), content).await;
        database
    }

    /// A database on the PostgreSQL server that an earlier program had written, migrated.
    pub async fn postgres_of_before(rows: EarlierRows, content: &Content) -> TestDatabase {
        let server = server();
        let name = unique_name();
        on_server(&server, {
            let name = name.clone();
            move |client| {
                client
                    .batch_execute(&format!("drop database if exists {name} with (force)"))
                    .expect("an old database can be dropped");
                client
                    .batch_execute(&format!("create database {name}"))
                    .expect("a database can be made");
            }
        })
        .await;
        let database = TestDatabase {
            url: with_database(&server, &name),
            home: Home::Server { name },
        };
        fill(&database.url, Some(rows), content).await;
        database
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
            // A busy machine is no reason to give up a lock.
            lock_timeout: Duration::from_mins(1),
            ..StoreOptions::default()
        };
        Store::open(&self.url, options)
            .await
            .expect("the database of the test can be opened")
    }

    /// Copies a PostgreSQL database, as a standby that gets nothing more from now on. Connections to the database end.
    ///
    /// # Panics
    /// It is a SQLite file, or the server refuses.
    pub async fn standby(&self) -> Standby {
        let (name, copy) = (self.name_on_server(), unique_name());
        let standby = Standby { copy: copy.clone() };
        on_server(&server(), move |client| {
            // A store that lost its connections makes new ones, and PostgreSQL copies no database that is in use.
            let run = |client: &mut postgres::Client, sql: String| {
                let done = client.batch_execute(&sql);
                done.expect("a database can be copied");
            };
            run(
                client,
                format!("alter database {name} allow_connections false"),
            );
            end_connections(client, &name);
            run(client, format!("create database {copy} template {name}"));
            run(
                client,
                format!("alter database {name} allow_connections true"),
            );
        })
        .await;
        standby
    }

    /// Puts a standby in the place of a PostgreSQL database. What was committed since it was made is lost, and connections end.
    ///
    /// # Panics
    /// It is a SQLite file, or the server refuses.
    pub async fn promote(&self, standby: Standby) {
        let name = self.name_on_server();
        on_server(&server(), move |client| {
            let dropped = client.batch_execute(&format!("drop database {name} with (force)"));
            dropped.expect("a database can be dropped");
            let renamed = format!("alter database {} rename to {name}", standby.copy);
            let renamed = client.batch_execute(&renamed);
            renamed.expect("a database can be renamed");
        })
        .await;
    }

    /// Ends all connections to a PostgreSQL database.
    ///
    /// # Panics
    /// It is a SQLite file, or the server does not answer.
    pub async fn cut_connections(&self) {
        let name = self.name_on_server();
        on_server(&server(), move |client| end_connections(client, &name)).await;
    }

    fn name_on_server(&self) -> String {
        match &self.home {
            Home::Folder(_) => panic!("not a database on a server"),
            Home::Server { name } => name.clone(),
        }
    }

    /// The address as a setting has it.
    #[must_use]
    pub fn address(&self) -> String {
        match &self.home {
            Home::Folder(folder) => format!("sqlite:{}", folder.join(SQLITE_FILE).display()),
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

/// A copy of a database that gets nothing more: see [`TestDatabase::standby`].
#[derive(Debug)]
pub struct Standby {
    copy: String,
}

fn end_connections(client: &mut postgres::Client, database: &str) {
    let end =
        "select count(pg_terminate_backend(pid, 10000)) from pg_stat_activity where datname = $1";
    let ended = client.query_one(end, &[&database]);
    ended.expect("connections can be ended");
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

/// Makes the schema in a new database and writes its content, after the rows of an earlier program.
async fn fill(url: &DatabaseUrl, earlier: Option<EarlierRows>, content: &Content) {
    let options = StoreOptions {
        connections: 1,
        ..StoreOptions::default()
    };
    let store = Store::open(url, options)
        .await
        .expect("a new database opens");
    if let Some(rows) = earlier {
        rows.write(&store).await;
    } else {
        store
            .migrate(Timestamp::UNIX_EPOCH)
            .await
            .expect("the schema can be made");
    }
    (content.write)(store).await;
}

/// The template of a content for this build of the test program. It stands beside the program, so that it goes with it.
fn template_file(content: &Content) -> PathBuf {
    let program = std::env::current_exe().expect("the test program has a path");
    let built = program
        .metadata()
        .and_then(|file| file.modified())
        .expect("the test program has a time");
    let built = built.duration_since(std::time::UNIX_EPOCH);
    let built = built.map_or(0, |since| since.as_nanos());
    program.with_extension(format!("{}.{built}.template.db", content.name))
}

/// Keeps a database as the template, and removes the templates of earlier builds. The template appears whole or not at all, because tests
/// run beside each other.
fn keep_as_template(file: &Path, template: &Path) {
    let (Some(folder), Some(program), Some(now)) = (
        template.parent(),
        template.file_prefix(),
        built_of(template),
    ) else {
        panic!("a template has a folder, a program and a time");
    };
    let beside = std::fs::read_dir(folder).expect("the folder of the test program");
    for path in beside.flatten().map(|entry| entry.path()) {
        if path.file_prefix() == Some(program) && built_of(&path).is_some_and(|built| built != now)
        {
            drop(std::fs::remove_file(path));
        }
    }
    let copy = folder.join(unique_name());
    std::fs::copy(file, &copy).expect("the template can be copied");
    std::fs::rename(&copy, template).expect("the template can be named");
}

/// The time in the name of a template. `None`: the file is none.
fn built_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.strip_suffix(".template.db")?;
    Some(name.rsplit_once('.')?.1.to_owned())
}

/// Makes a template database, unless it exists.
fn make_template(
    client: &mut postgres::Client,
    server: &DatabaseUrl,
    template: &str,
    content: &Content,
) {
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
            runtime.block_on(fill(&url, None, content));
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
