//! Running of tests on a database.

use std::future::Future;
use std::pin::Pin;

use cabinet_storage::testing::{EarlierRows, TestDatabase};

use crate::TestApp;
use crate::app::{reference_content, reference_content_after};

/// The database of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    /// SQLite: a file in a temporary folder.
    Sqlite,
    /// PostgreSQL: a database on the server that `scripts/with-postgres` starts.
    Postgres,
}

/// Makes two tests of each function: `name::sqlite` and `name::postgres`.
#[macro_export]
macro_rules! on_both_databases {
    ($($(#[$meta:meta])* async fn $name:ident($app:ident: TestApp) $body:block)+) => {$(
        $(#[$meta])*
        async fn $name($app: $crate::TestApp) $body

        mod $name {
            #[test]
            fn sqlite() {
                $crate::run($crate::Database::Sqlite, super::$name);
            }

            #[test]
            fn postgres() {
                $crate::run($crate::Database::Postgres, super::$name);
            }
        }
    )+};
}

/// Makes a test of each function, on SQLite only, for what does not depend on the database.
#[macro_export]
macro_rules! on_sqlite {
    ($($(#[$meta:meta])* async fn $name:ident($app:ident: TestApp) $body:block)+) => {$(
        $(#[$meta])*
        #[test]
        fn $name() {
            async fn test($app: $crate::TestApp) $body
            $crate::run($crate::Database::Sqlite, test);
        }
    )+};
}

/// Runs a test with a new database. What hangs is ended by the limit of time in `.config/nextest.toml`.
pub fn run<'test, F: Future<Output = ()> + 'test>(
    database: Database,
    test: impl FnOnce(TestApp) -> F + 'test,
) {
    run_boxed(database, None, Box::new(|app| Box::pin(test(app))));
}

/// Runs a test with a database that an earlier program has written. Its notaries are signed in by [`TestApp::notary_of_before`].
pub fn run_after<'test, F: Future<Output = ()> + 'test>(
    database: Database,
    earlier: EarlierRows,
    test: impl FnOnce(TestApp) -> F + 'test,
) {
    run_boxed(database, Some(earlier), Box::new(|app| Box::pin(test(app))));
}

/// A future without its type, so that what drives it is compiled once and not for each test.
type Boxed<'test> = Pin<Box<dyn Future<Output = ()> + 'test>>;

fn run_boxed<'test>(
    database: Database,
    earlier: Option<EarlierRows>,
    test: Box<dyn FnOnce(TestApp) -> Boxed<'test> + 'test>,
) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime can be built");
    runtime.block_on(async {
        let (new, after) = (reference_content(), reference_content_after());
        let database = match (database, earlier) {
            (Database::Sqlite, None) => TestDatabase::sqlite_with(&new).await,
            (Database::Postgres, None) => TestDatabase::postgres_with(&new).await,
            (Database::Sqlite, Some(rows)) => TestDatabase::sqlite_of_before(rows, &after).await,
            (Database::Postgres, Some(rows)) => {
                TestDatabase::postgres_of_before(rows, &after).await
            }
        };
        test(TestApp::start(database).await).await;
    });
}
