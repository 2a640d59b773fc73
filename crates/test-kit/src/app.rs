//! The application of a test.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use cabinet_app::Services;
use cabinet_app::audit::Recorder;
use cabinet_domain::{Clock as _, OperatorReason, Origin};
use cabinet_storage::Store;
use cabinet_storage::testing::{Content, TestDatabase};
use jiff::SignedDuration;
use serde_json::Value;

use crate::installation::{Installation, START};
use crate::outside::SLOW_CARD_SECONDS;
use crate::people::Account;
use crate::randomness::Seeded;
use crate::settings::TestSettings;
use crate::{HandClock, HeldClock, Outside, Person, Report, eventually, log};

/// The whole application with its own database.
pub struct TestApp {
    pub(crate) installation: Arc<Installation>,
    pub(crate) accounts: Mutex<HashMap<&'static str, Account>>,
    final_check_done: AtomicBool,
}

impl TestApp {
    /// Starts the application with a database that has the starter reference data, [`reference_content`].
    pub async fn start(database: TestDatabase) -> TestApp {
        log::keep();
        let installation = Arc::new(Installation::new(database).await);
        let store = installation.database.store().await;
        installation.run(store).await;
        // A cabinet that is in use has sealed events, so that a test which counts rows sees no first one.
        let sealed = installation.services().audit.seal().await;
        sealed.expect("the audit trail can be sealed");
        TestApp {
            installation,
            accounts: Mutex::default(),
            final_check_done: AtomicBool::new(false),
        }
    }

    /// Simulates a restart of the process with the same database. The sandbox and the clock continue.
    pub async fn restart(&self) {
        self.restart_with(|_| ()).await;
    }

    /// Restarts with other settings.
    pub async fn restart_with(&self, change: impl FnOnce(&mut TestSettings)) {
        self.stop().await;
        self.start_again(change).await;
    }

    /// Simulates the end of the process: nothing answers any more.
    pub async fn stop(&self) {
        self.installation.stop().await;
    }

    /// Simulates the start of the process.
    pub async fn start_again(&self, change: impl FnOnce(&mut TestSettings)) {
        self.installation.change_settings(change);
        self.installation
            .run(self.installation.database.store().await)
            .await;
    }

    /// Returns the use cases.
    pub fn services(&self) -> Services {
        self.installation.services()
    }

    /// Returns the use cases as a second process on the same database has them: they read the clock of the cabinet, and the reading
    /// with this number, counted from 1, waits until the test releases it.
    pub async fn second_process(&self, held_reading: usize) -> (Services, Arc<HeldClock>) {
        let clock = HeldClock::new(Arc::clone(&self.installation.clock));
        let store = self.services().store;
        let services = self.installation.compose(store, Arc::clone(&clock) as _);
        services
            .reference
            .refresh()
            .await
            .expect("the stored reference data is without fault");
        clock.hold(held_reading);
        (services, clock)
    }

    /// Returns the recorder of an operator's command.
    pub fn recorder(&self) -> Recorder {
        recorder(&self.installation)
    }

    /// Returns the clock of the cabinet and of the sandbox.
    pub fn clock(&self) -> &HandClock {
        &self.installation.clock
    }

    /// Returns the cabinet's random generator.
    pub fn randomness(&self) -> &Seeded {
        &self.installation.randomness
    }

    /// Returns the outside services.
    pub fn outside(&self) -> &Outside {
        &self.installation.outside
    }

    /// Returns the cabinet's address.
    pub fn public_url(&self) -> &str {
        &self.installation.public_url
    }

    /// Returns the address of the database as a setting has it.
    #[must_use]
    pub fn database_address(&self) -> String {
        self.installation.database.address()
    }

    /// Returns the folder of the database file, on SQLite.
    pub fn database_folder(&self) -> Option<&std::path::Path> {
        self.installation.database.folder()
    }

    /// Runs a round of the worker, as `cabinet serve` does every second. Returns how many orders were due.
    pub async fn work(&self) -> usize {
        for services in self.installation.services_of_all() {
            services
                .reference
                .refresh()
                .await
                .expect("reference data can be followed");
            services
                .realtime
                .publish_commands()
                .await
                .expect("what commands have changed can be looked for");
            services.heartbeat.record();
        }
        let services = self.services();
        let due = services
            .payments
            .poll_due()
            .await
            .expect("due orders can be checked");
        services
            .outbox
            .deliver()
            .await
            .expect("letters can be delivered");
        services
            .maintenance
            .tidy_up()
            .await
            .expect("old rows can be tidied up");
        services
            .saved_cards
            .forget_removed()
            .await
            .expect("removed cards can be looked for");
        services
            .audit
            .seal()
            .await
            .expect("the audit trail can be sealed");
        due
    }

    /// Waits until open pages were told of everything that was committed so far, by every process.
    pub async fn until_told(&self) {
        self.installation.until_told().await;
    }

    /// Asks the acquirer for its statement, as the worker does every day. The answer confirms the clock.
    pub async fn ask_acquirer(&self) {
        let services = self.services();
        let since = services.now() - SignedDuration::from_hours(1);
        let compared = services.reconciliation.compare_since(since).await;
        assert!(compared.is_ok(), "the statement can be compared");
    }

    /// Pays an order by the card that is charged, and gives back, only after some time. Waits until the cabinet knows it.
    pub async fn pay_slowly(&self, person: &Person, order: &Value) {
        let page = order["widget_url"].as_str().unwrap_or_default();
        let status = self.outside().pay(page, "4000000000000259").await;
        assert_eq!(status, "processing");
        for seconds in [SLOW_CARD_SECONDS, 60, 60] {
            self.clock().advance_seconds(seconds);
            self.work().await;
        }
        person.until(order, "paid").await;
    }

    /// Loads the starter reference data with a change, as an operator does. It is used after the worker's next round.
    pub async fn load_reference(&self, change: impl FnOnce(&mut BTreeMap<String, String>)) {
        let mut files = reference_files();
        change(&mut files);
        let services = self.services();
        let loaded = services
            .operator
            .administration()
            .load_reference(files, &test_reason(), services.now())
            .await;
        assert!(loaded.is_ok(), "the changed reference data have bad rows");
    }

    /// Holds the acquirer's reports back from now on.
    pub fn keep_reports(&self) {
        self.installation.gate.keep_reports();
    }

    /// Waits for that many held-back reports. Returns them unchanged.
    pub async fn kept_reports(&self, count: usize) -> Vec<Report> {
        let look = || async {
            let reports = self.installation.gate.kept_reports();
            if reports.len() >= count {
                Ok(reports)
            } else {
                Err(reports)
            }
        };
        eventually(look).await.unwrap_or_else(|reports| {
            panic!(
                "{count} reports were expected, {} came: {reports:?}",
                reports.len()
            )
        })
    }

    /// Lets the acquirer's reports pass again. Those that were held back are dropped.
    pub fn let_reports_through(&self) {
        self.installation.gate.let_reports_through();
    }

    /// Lets a test end without `finish_and_check`, because it has charges without an order or two charges of one.
    pub fn skip_final_check(&self) {
        self.final_check_done.store(true, Ordering::Relaxed);
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        let unfinished = !self.final_check_done.load(Ordering::Relaxed)
            && !self.installation.outside.ledger().is_empty();
        assert!(
            std::thread::panicking() || !unfinished,
            "money moved in this test: it must end with finish_and_check()"
        );
    }
}

fn test_reason() -> OperatorReason {
    OperatorReason::parse("a test").expect("a reason")
}

/// The starter reference data, as the content of a database.
pub(crate) fn reference_content() -> Content {
    let mut digest = DefaultHasher::new();
    for (name, file) in reference_data() {
        let size_and_time = file
            .metadata()
            .and_then(|file| Ok((file.len(), file.modified()?)));
        (name, size_and_time.expect("a file has a size and a time")).hash(&mut digest);
    }
    Content {
        name: format!("reference_{:016x}", digest.finish()),
        write: |store| Box::pin(load_reference_data(store, 3)),
    }
}

/// The reference data for a database that an earlier program has written: what is recorded of its loading has other random numbers than
/// what that program recorded of its own.
pub(crate) fn reference_content_after() -> Content {
    Content {
        write: |store| Box::pin(load_reference_data(store, 4)),
        ..reference_content()
    }
}

async fn load_reference_data(store: Store, seed: u64) {
    let clock = HandClock::at(START);
    let now = clock.now();
    // Its random numbers are not those of the cabinet, which begin anew in each copy.
    let recorder = Recorder::new(
        Arc::new(clock),
        Arc::new(Seeded::new(seed)),
        Origin::operator("test".to_owned()),
    );
    let loaded = cabinet_app::testing::operator(store.clone(), recorder)
        .administration()
        .load_reference(reference_files(), &test_reason(), now)
        .await;
    assert!(
        loaded.is_ok(),
        "the starter reference data must be without fault"
    );
    store.close().await;
}

/// Reads the committed reference data, by file name.
pub(crate) fn reference_files() -> BTreeMap<String, String> {
    let files = reference_data().into_iter();
    files
        .map(|(name, path)| {
            let text = std::fs::read_to_string(&path).expect("a text file");
            (name, text)
        })
        .collect()
}

/// The paths of the committed reference data, by file name.
fn reference_data() -> BTreeMap<String, PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference-data");
    let files = std::fs::read_dir(folder).expect("the folder of the reference data");
    files
        .map(|file| file.expect("a file of the reference data").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            (name.into_owned(), path)
        })
        .collect()
}

fn recorder(installation: &Installation) -> Recorder {
    Recorder::new(
        Arc::clone(&installation.clock) as _,
        Arc::clone(&installation.randomness) as _,
        Origin::operator("test".to_owned()),
    )
}
