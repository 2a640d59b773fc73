//! Running of tests on a database.

use std::future::Future;
use std::time::Duration;

use cabinet_storage::testing::TestDatabase;

use crate::TestApp;

/// Time limit of a test.
const TEST_TIME_MAX: Duration = Duration::from_secs(180);

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

/// Runs a test with a new database.
pub fn run<F: Future<Output = ()>>(database: Database, test: impl FnOnce(TestApp) -> F) {
    run_within(TEST_TIME_MAX, database, test);
}

/// Runs a test that may take longer than others.
pub fn run_within<F: Future<Output = ()>>(
    time_max: Duration,
    database: Database,
    test: impl FnOnce(TestApp) -> F,
) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime can be built");
    let all = async {
        let database = match database {
            Database::Sqlite => TestDatabase::sqlite().await,
            Database::Postgres => TestDatabase::postgres().await,
        };
        test(TestApp::start(database).await).await;
    };
    runtime
        .block_on(async { tokio::time::timeout(time_max, all).await })
        .expect("the test got stuck");
}
