//! The parts of the application under test, made as `cabinet serve` makes them.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use cabinet_api::{ApiSettings, ApiState, OfferTexts};
use cabinet_app::{AppSettings, Environment, Keys, Services};
use cabinet_domain::{Clock, NotaryId, Randomness as _, TransactionId};
use cabinet_gateways::acquirer::Acquirers;
use cabinet_gateways::liqpay::{LiqPay, LiqPaySettings};
use cabinet_gateways::monobank::{Monobank, MonobankSettings};
use cabinet_gateways::outbound::BaseUrl;
use cabinet_gateways::realtime::Hub;
use cabinet_gateways::sms::SmsServices;
use cabinet_gateways::smsclub::{SmsClub, SmsClubSettings};
use cabinet_gateways::smtp::{Smtp, SmtpSettings};
use cabinet_gateways::turbosms::{TurboSms, TurboSmsSettings};
use cabinet_gateways::twilio::{Twilio, TwilioSettings};
use cabinet_storage::testing::TestDatabase;
use cabinet_storage::{Change, StorageError, Store, Tx};
use secrecy::SecretString;
use tokio::sync::watch;

use crate::gate::Gate;
use crate::randomness::Seeded;
use crate::settings::TestSettings;
use crate::{HandClock, Outside};

/// The time when tests begin. All of the starter reference data is valid on this day.
pub(crate) const START: &str = "2026-03-02T09:00:00Z";

/// The parts of the application that a test and its people share.
pub(crate) struct Installation {
    pub(crate) gate: Arc<Gate>,
    pub(crate) outside: Outside,
    pub(crate) clock: Arc<HandClock>,
    pub(crate) randomness: Arc<Seeded>,
    pub(crate) public_url: String,
    settings: Mutex<TestSettings>,
    running: RwLock<Vec<Process>>,
    keys_given: AtomicU64,
    addresses_given: AtomicU8,
    /// The last field, so that it is removed when nothing uses it any more.
    pub(crate) database: TestDatabase,
}

/// The parts that end with the process.
struct Process {
    services: Services,
    router: Router,
    stop: watch::Sender<bool>,
}

impl Installation {
    /// Makes the parts that outlive a process. Nothing runs yet.
    pub(crate) async fn new(database: TestDatabase) -> Installation {
        let clock = Arc::new(HandClock::at(START));
        let (gate, public_url) = Gate::serve().await;
        let outside = Outside::serve(Arc::clone(&clock), Arc::new(Seeded::new(2))).await;
        Installation {
            gate,
            outside,
            clock,
            randomness: Arc::new(Seeded::new(1)),
            public_url,
            settings: Mutex::default(),
            running: RwLock::default(),
            keys_given: AtomicU64::new(0),
            addresses_given: AtomicU8::new(0),
            database,
        }
    }

    /// Changes the settings of the next process.
    pub(crate) fn change_settings(&self, change: impl FnOnce(&mut TestSettings)) {
        change(&mut self.settings.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Ends the processes.
    pub(crate) async fn stop(&self) {
        self.gate.lead_to(Vec::new());
        let processes: Vec<Process> = {
            let mut running = self.running.write().unwrap_or_else(PoisonError::into_inner);
            running.drain(..).collect()
        };
        for process in processes {
            process.stop.send_replace(true);
            process.services.store.close().await;
        }
    }

    /// Starts as many processes as the settings say, and connects the gate to them. `store` is that of the first.
    pub(crate) async fn run(&self, store: Store) {
        let mut processes = vec![self.start(store).await];
        let wanted = self.settings().processes;
        while processes.len() < wanted && !self.database.url().is_sqlite() {
            processes.push(self.start(self.database.store().await).await);
        }
        let routers: Vec<Router> = processes
            .iter()
            .map(|process| process.router.clone())
            .collect();
        *self.running.write().unwrap_or_else(PoisonError::into_inner) = processes;
        if routers.len() > 1 {
            // Each process has told those before it of a gap, which ends the connections of their pages.
            self.until_told().await;
        }
        self.gate.lead_to(routers);
    }

    /// Waits until every process has told its pages of everything that was committed so far.
    pub(crate) async fn until_told(&self) {
        let processes = self.services_of_all();
        for process in &processes {
            // A process tells of its changes in their order, so its last one ends the wait.
            let last = TransactionId::new(self.randomness.uuid_v4());
            let mut listening: Vec<_> = processes
                .iter()
                .map(|services| services.realtime.hub().listen(&last.to_string(), None))
                .collect();
            let announce = move |tx: &mut Tx| -> Result<(), StorageError> {
                tx.announce(Change::CallEnded(last));
                Ok(())
            };
            let announced = process.store.write(announce).await;
            announced.expect("a change can be announced");
            for one in &mut listening {
                let told = one.publications.recv().await;
                told.expect("the process follows the changes");
            }
        }
    }

    fn settings(&self) -> TestSettings {
        self.settings
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Makes every part of a process as `cabinet serve` does.
    async fn start(&self, store: Store) -> Process {
        let settings = self.settings();
        let services = self.compose(store, Arc::clone(&self.clock) as _);
        services
            .reference
            .refresh()
            .await
            .expect("the stored reference data is without fault");
        services
            .transfers
            .seal_at_start(services.now())
            .await
            .expect("the transfers can be sealed");
        let api = ApiSettings {
            public_url: self.public_url.clone(),
            secure: settings.secure,
            client_address_header: settings.client_address_header.clone(),
            realtime_url: "/connection/websocket".to_owned(),
            offer_url: "/offer".to_owned(),
            offer: OfferTexts::default(),
            frame_origins: vec![self.outside.url.clone()],
            page_origins: vec![self.outside.url.clone()],
            login_attempts_per_minute: settings.login_attempts_per_minute,
            acquirer_calls_per_minute: settings.acquirer_calls_per_minute,
            requests_of_address_max: settings.requests_of_address_max,
            calls_max: settings.calls_max,
            readings_max: settings.readings_max,
            realtime_strangers_of_address_max: settings.realtime_strangers_of_address_max,
        };
        let (stop, stopped) = watch::channel(false);
        let following = services
            .realtime
            .begin()
            .await
            .expect("the database can be followed");
        let mut until = stopped.clone();
        tokio::spawn(async move {
            tokio::select! {
                _ = until.wait_for(|stopped| *stopped) => {}
                () = following.run() => {}
            }
        });
        let state = ApiState::new(services.clone(), api, stopped);
        let router =
            cabinet_api::router(state, |_| async { StatusCode::NOT_FOUND.into_response() });
        Process {
            services,
            router,
            stop,
        }
    }

    /// Composes the services over a database, with a clock of their own.
    pub(crate) fn compose(&self, store: Store, clock: Arc<dyn Clock>) -> Services {
        let settings = self.settings();
        let keys = Keys::derive(&settings.secrets()).expect("the secrets are long enough");
        let page_hosts = settings.page_hosts.clone();
        let app_settings = AppSettings {
            public_url: self.public_url.clone(),
            page_hosts: page_hosts.unwrap_or_else(|| vec![self.outside.host()]),
            ..settings.app.clone()
        };
        let environment = Environment {
            clock,
            ..self.environment(&settings)
        };
        cabinet_app::compose(store, environment, keys, app_settings)
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
        acquirer.time = self.clock.time().clone();
        let mut calls = TwilioSettings::new(
            base_url.clone(),
            self.outside.settings.voice_account.clone(),
            SecretString::from(self.outside.settings.voice_token.clone()),
            "+380440000000".to_owned(),
        );
        calls.time_limit = settings.outside_time_limit;
        calls.time = self.clock.time().clone();
        let liqpay = Arc::new(self.liqpay(&base_url, settings));
        Environment {
            clock: Arc::clone(&self.clock) as _,
            time: self.clock.time().clone(),
            randomness: Arc::clone(&self.randomness) as _,
            acquirers: Acquirers::only(Arc::new(
                Monobank::new(acquirer).expect("the adapter can be made"),
            ))
            .and(Arc::clone(&liqpay) as _)
            .with_statement(liqpay)
            .in_order(&settings.acquirers)
            .expect("both acquirers are set up"),
            sms: self.sms(&base_url, settings),
            phone_calls: Some(Arc::new(
                Twilio::new(calls).expect("the adapter can be made"),
            )),
            mail: settings
                .mail
                .then(|| Arc::new(self.smtp(settings.outside_time_limit)) as _),
            hub: Arc::new(Hub::new(self.randomness.uuid_v4().to_string())),
        }
    }

    fn liqpay(&self, base_url: &BaseUrl, settings: &TestSettings) -> LiqPay {
        let mut shop = LiqPaySettings::new(
            base_url.clone(),
            self.outside.settings.liqpay_public_key.clone(),
            SecretString::from(self.outside.settings.liqpay_private_key.clone()),
        );
        shop.time_limit = settings.outside_time_limit;
        shop.time = self.clock.time().clone();
        shop.refund_time_limit = settings.outside_time_limit;
        shop.archive_time_limit = settings.outside_time_limit;
        LiqPay::new(shop).expect("the adapter can be made")
    }

    fn sms(&self, base_url: &BaseUrl, settings: &TestSettings) -> SmsServices {
        let mut turbosms = TurboSmsSettings::new(
            base_url.clone(),
            SecretString::from(self.outside.settings.sms_token.clone()),
            "Cabinet".to_owned(),
        );
        turbosms.time_limit = settings.outside_time_limit;
        turbosms.time = self.clock.time().clone();
        let turbosms = TurboSms::new(turbosms).expect("the adapter can be made");
        let services = SmsServices::only(Arc::new(turbosms));
        if !settings.second_sms {
            return services;
        }
        let mut smsclub = SmsClubSettings::new(
            base_url.clone(),
            SecretString::from(self.outside.settings.sms_club_token.clone()),
            "Cabinet".to_owned(),
        );
        smsclub.time_limit = settings.outside_time_limit;
        smsclub.time = self.clock.time().clone();
        let smsclub = SmsClub::new(smsclub).expect("the adapter can be made");
        services.then(Arc::new(smsclub))
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

    /// Returns the use cases of the first process.
    pub(crate) fn services(&self) -> Services {
        let all = self.services_of_all();
        all.into_iter().next().expect("the cabinet is running")
    }

    /// Returns the use cases of every process.
    pub(crate) fn services_of_all(&self) -> Vec<Services> {
        let running = self.running.read().unwrap_or_else(PoisonError::into_inner);
        running
            .iter()
            .map(|process| process.services.clone())
            .collect()
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

    pub(crate) fn new_id(&self) -> NotaryId {
        NotaryId::new(self.randomness.uuid_v7(self.clock.now()))
    }
}
