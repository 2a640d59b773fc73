//! The application of a test.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use cabinet_api::{ApiSettings, ApiState, Observability, OfferTexts};
use cabinet_app::administration::Administration;
use cabinet_app::{
    AppSettings, CodeSettings, Environment, Keys, Operator, Services, SessionSettings, Support,
};
use cabinet_domain::{Clock as _, Iban, Randomness as _};
use cabinet_gateways::monobank::{Monobank, MonobankSettings};
use cabinet_gateways::outbound::BaseUrl;
use cabinet_gateways::realtime::Hub;
use cabinet_gateways::smtp::{Smtp, SmtpSettings};
use cabinet_gateways::turbosms::{TurboSms, TurboSmsSettings};
use cabinet_gateways::twilio::{Twilio, TwilioSettings};
use cabinet_storage::Store;
use cabinet_storage::testing::TestDatabase;
use metrics_exporter_prometheus::PrometheusBuilder;
use secrecy::SecretString;
use tokio::sync::watch;

use crate::gate::Gate;
use crate::person::Known;
use crate::randomness::Seeded;
use crate::{HandClock, Outside, Person, Report, log};

/// The time when tests begin. All of the starter reference data is valid on this day.
const START: &str = "2026-03-02T09:00:00Z";
/// The installation's secret.
const SECRET: &str = "a secret of thirty-two characters or more";

/// Settings that a test can change.
#[derive(Clone)]
pub struct TestSettings {
    /// One-time codes.
    pub codes: CodeSettings,
    /// Sessions.
    pub sessions: SessionSettings,
    /// Limit of login calls per minute and network address. It uses the machine's clock, so the default is high.
    pub login_attempts_per_minute: u32,
    /// Limit of calls to the acquirer per minute and notary.
    pub acquirer_calls_per_minute: u32,
    /// Whether the public address is https.
    pub secure: bool,
    /// Whether a mail server is set up.
    pub mail: bool,
    /// Time limit of calls to the acquirer, the message service and the mail server.
    pub outside_time_limit: Duration,
    /// Allowed hosts of payment pages. `None` allows the sandbox's.
    pub page_hosts: Option<Vec<String>>,
    /// The operator, as receipts name it.
    pub operator: Operator,
    /// The acquirer, as receipts name it.
    pub acquirer_name: String,
}

/// The whole application with its own database.
pub struct TestApp {
    pub(crate) inner: Arc<Inner>,
    settled: AtomicBool,
}

pub(crate) struct Inner {
    pub(crate) gate: Arc<Gate>,
    pub(crate) outside: Outside,
    pub(crate) clock: Arc<HandClock>,
    pub(crate) randomness: Arc<Seeded>,
    pub(crate) public_url: String,
    pub(crate) accounts: Mutex<HashMap<&'static str, Known>>,
    settings: Mutex<TestSettings>,
    running: RwLock<Option<Process>>,
    keys_given: AtomicU64,
    addresses_given: AtomicU8,
    /// The last field, so that it is removed when nothing uses it any more.
    pub(crate) database: TestDatabase,
}

/// The parts that end with the process.
struct Process {
    services: Services,
    stop: watch::Sender<bool>,
}

impl TestApp {
    /// Starts the application with a migrated database and the starter reference data.
    pub async fn start(database: TestDatabase) -> TestApp {
        log::keep();
        let clock = Arc::new(HandClock::at(START));
        let (gate, public_url) = Gate::serve().await;
        let outside = Outside::serve(Arc::clone(&clock), Arc::new(Seeded::new(2))).await;
        let settings = TestSettings {
            codes: CodeSettings::default(),
            sessions: SessionSettings::default(),
            login_attempts_per_minute: 100_000,
            acquirer_calls_per_minute: 100_000,
            secure: false,
            mail: true,
            outside_time_limit: Duration::from_millis(1_500),
            page_hosts: None,
            operator: Operator {
                name: "ТОВ «Кабінет»".to_owned(),
                code: "32855961".to_owned(),
                iban: Iban::parse("UA223052990000026001234567890").expect("an account"),
                address: "м. Київ, вул. Перша, 1".to_owned(),
            },
            acquirer_name: "plata by mono".to_owned(),
        };
        let inner = Arc::new(Inner {
            gate,
            outside,
            clock,
            randomness: Arc::new(Seeded::new(1)),
            public_url,
            accounts: Mutex::default(),
            settings: Mutex::new(settings),
            running: RwLock::default(),
            keys_given: AtomicU64::new(0),
            addresses_given: AtomicU8::new(0),
            database,
        });
        let store = inner.database.store().await;
        let loaded = Administration::new(store.clone())
            .load_reference(reference_files(), inner.clock.now())
            .await;
        assert!(
            loaded.is_ok(),
            "the starter reference data must be without fault"
        );
        inner.run(store).await;
        TestApp {
            inner,
            settled: AtomicBool::new(false),
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
        self.inner.gate.lead_to(None);
        let process = self
            .inner
            .running
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(process) = process {
            process.stop.send_replace(true);
            process.services.store.close().await;
        }
    }

    /// Simulates the start of the process.
    pub async fn start_again(&self, change: impl FnOnce(&mut TestSettings)) {
        change(
            &mut self
                .inner
                .settings
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        );
        self.inner.run(self.inner.database.store().await).await;
    }

    /// Returns the use cases.
    pub fn services(&self) -> Services {
        self.inner.services()
    }

    /// Returns the clock of the cabinet and of the sandbox.
    pub fn clock(&self) -> &HandClock {
        &self.inner.clock
    }

    /// Returns the cabinet's random generator.
    pub fn randomness(&self) -> &Seeded {
        &self.inner.randomness
    }

    /// Returns the outside services.
    pub fn outside(&self) -> &Outside {
        &self.inner.outside
    }

    /// Returns the cabinet's address.
    pub fn public_url(&self) -> &str {
        &self.inner.public_url
    }

    /// Returns the folder of the database file, on SQLite.
    pub fn database_folder(&self) -> Option<&std::path::Path> {
        self.inner.database.folder()
    }

    /// Runs a round of the worker, as `cabinet serve` does every second. Returns how many orders were due.
    pub async fn work(&self) -> usize {
        let services = self.services();
        services
            .reference
            .refresh()
            .await
            .expect("reference data can be followed");
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
        services.heartbeat.record();
        due
    }

    /// Loads the starter reference data with a change, as an operator does. It is used after the worker's next round.
    pub async fn load_reference(&self, change: impl FnOnce(&mut BTreeMap<String, String>)) {
        let mut files = reference_files();
        change(&mut files);
        let services = self.services();
        let loaded = services
            .administration
            .load_reference(files, services.now())
            .await;
        assert!(loaded.is_ok(), "the changed reference data have bad rows");
    }

    /// Holds the acquirer's reports back from now on.
    pub fn keep_reports(&self) {
        self.inner.gate.keep_reports();
    }

    /// Waits for that many held-back reports. Returns them unchanged.
    pub async fn kept_reports(&self, count: usize) -> Vec<Report> {
        let mut reports = Vec::new();
        for _ in 0..500 {
            reports = self.inner.gate.kept_reports();
            if reports.len() >= count {
                return reports;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!(
            "{count} reports were expected, {} came: {reports:?}",
            reports.len()
        );
    }

    /// Lets the acquirer's reports pass again. Those that were held back are dropped.
    pub fn let_reports_through(&self) {
        self.inner.gate.let_reports_through();
    }

    /// Returns a person who is not signed in.
    pub fn anonymous(&self) -> Person {
        Person::stranger(Arc::clone(&self.inner))
    }

    /// Lets a test end without `settle`, because it has charges without an order or two charges of one.
    pub fn note_settled(&self) {
        self.settled.store(true, Ordering::Relaxed);
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        let unfinished =
            !self.settled.load(Ordering::Relaxed) && !self.inner.outside.ledger().is_empty();
        assert!(
            std::thread::panicking() || !unfinished,
            "money moved in this test: it must end with settle()"
        );
    }
}

impl Inner {
    /// Makes every part as `cabinet serve` does, and connects the gate to it.
    async fn run(self: &Arc<Inner>, store: Store) {
        let settings = self
            .settings
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let keys = Keys::derive(&SecretString::from(SECRET)).expect("the secret is long enough");
        let page_hosts = settings
            .page_hosts
            .clone()
            .unwrap_or_else(|| vec![self.outside.host()]);
        let app_settings = AppSettings {
            public_url: self.public_url.clone(),
            codes: settings.codes.clone(),
            sessions: settings.sessions.clone(),
            operator: settings.operator.clone(),
            support: Support {
                email: "support@cabinet.example".to_owned(),
                phone: "0 800 000 000".to_owned(),
            },
            acquirer_name: settings.acquirer_name.clone(),
            page_hosts: page_hosts.clone(),
            sandbox: true,
        };
        let services = Services::new(store, self.environment(&settings), keys, app_settings);
        services
            .reference
            .refresh()
            .await
            .expect("the stored reference data is without fault");
        let api = ApiSettings {
            public_url: self.public_url.clone(),
            secure: settings.secure,
            client_address_header: None,
            realtime_url: "/connection/websocket".to_owned(),
            offer_url: "/offer".to_owned(),
            offer: OfferTexts::default(),
            frame_origins: vec![self.outside.url.clone()],
            login_attempts_per_minute: settings.login_attempts_per_minute,
            acquirer_calls_per_minute: settings.acquirer_calls_per_minute,
        };
        let observability = Observability {
            services: services.clone(),
            metrics: PrometheusBuilder::new().build_recorder().handle(),
        };
        let (stop, stopped) = watch::channel(false);
        let state = ApiState::new(services.clone(), api, stopped);
        let router = cabinet_api::router(state, observability, |_| async {
            StatusCode::NOT_FOUND.into_response()
        });
        *self.running.write().unwrap_or_else(PoisonError::into_inner) =
            Some(Process { services, stop });
        self.gate.lead_to(Some(router));
    }

    fn environment(&self, settings: &TestSettings) -> Environment {
        let base_url = BaseUrl::parse(&self.outside.url).expect("the sandbox's address is one");
        let mut acquirer = MonobankSettings::new(
            base_url.clone(),
            SecretString::from(self.outside.settings.acquirer_token.clone()),
        );
        acquirer.time_limit = settings.outside_time_limit;
        acquirer.charge_time_limit = settings.outside_time_limit;
        acquirer.statement_time_limit = settings.outside_time_limit;
        acquirer.key_reread_interval = Duration::ZERO;
        let mut calls = TwilioSettings::new(
            base_url.clone(),
            self.outside.settings.call_sid.clone(),
            SecretString::from(self.outside.settings.call_token.clone()),
            "+380440000000".to_owned(),
        );
        calls.time_limit = settings.outside_time_limit;
        let mut sms = TurboSmsSettings::new(
            base_url,
            SecretString::from(self.outside.settings.sms_token.clone()),
            "Cabinet".to_owned(),
        );
        sms.time_limit = settings.outside_time_limit;
        Environment {
            clock: Arc::clone(&self.clock) as _,
            randomness: Arc::clone(&self.randomness) as _,
            acquirer: Arc::new(Monobank::new(acquirer).expect("the adapter can be made")),
            sms: Arc::new(TurboSms::new(sms).expect("the adapter can be made")),
            calls: Some(Arc::new(
                Twilio::new(calls).expect("the adapter can be made"),
            )),
            mail: settings
                .mail
                .then(|| Arc::new(self.smtp(settings.outside_time_limit)) as _),
            hub: Arc::new(Hub::new(self.randomness.uuid_v4().to_string())),
        }
    }

    fn smtp(&self, time_limit: Duration) -> Smtp {
        let address = self.outside.smtp_address;
        let mut smtp = SmtpSettings::new(
            address.ip().to_string(),
            address.port(),
            "Кабінет <cabinet@cabinet.example>".to_owned(),
        );
        let password = SecretString::from(self.outside.settings.mail_password.clone());
        smtp.account = Some((self.outside.settings.mail_user.clone(), password));
        smtp.opening_time_limit = time_limit;
        smtp.sending_time_limit = time_limit;
        Smtp::new(smtp).expect("the adapter can be made")
    }

    pub(crate) fn services(&self) -> Services {
        self.running
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .map(|process| process.services.clone())
            .expect("the cabinet is running")
    }

    /// Returns a new `Idempotency-Key`.
    pub(crate) fn key(&self) -> String {
        format!(
            "key-{:08}",
            self.keys_given.fetch_add(1, Ordering::Relaxed) + 1
        )
    }

    /// Returns a network address that no other person has.
    pub(crate) fn address(&self) -> IpAddr {
        let number = self.addresses_given.fetch_add(1, Ordering::Relaxed) + 1;
        IpAddr::V4(Ipv4Addr::new(10, 1, 0, number))
    }

    pub(crate) fn new_id(&self) -> cabinet_domain::NotaryId {
        cabinet_domain::NotaryId::new(self.randomness.uuid_v7(self.clock.now()))
    }
}

/// Reads the committed reference data, by file name.
pub(crate) fn reference_files() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference-data");
    let files = std::fs::read_dir(folder).expect("the folder of the reference data");
    files
        .map(|file| file.expect("a file of the reference data").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = std::fs::read_to_string(&path).expect("a text file");
            (name.into_owned(), text)
        })
        .collect()
}
