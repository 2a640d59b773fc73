//! The installation: its start and end, its worker, reports, clock and reference data.

use std::sync::Arc;

use async_trait::async_trait;
use cabinet_app::{
    AppSettings, CodeSettings, Environment, Keys, Operator, Services, SessionSettings, Support,
};
use cabinet_domain::{Iban, Phone, Randomness as _};
use cabinet_gateways::monobank::{Monobank, MonobankSettings};
use cabinet_gateways::outbound::BaseUrl;
use cabinet_gateways::realtime::Hub;
use cabinet_gateways::sms::{Sms, SmsError};
use cabinet_storage::Store;
use jiff::SignedDuration;
use secrecy::SecretString;

use crate::chance::Bytes;
use crate::database::reference_files;
use crate::doing::{Doing, Letter, Told};
use crate::history::{History, Restore};
use crate::time::{CabinetClock, Time};
use crate::wire::Wire;
use crate::world::ADDRESS;

/// How often the cabinet compares due days with the acquirer's statement.
pub(crate) const COMPARED_EVERY: SignedDuration = SignedDuration::from_mins(10);
/// How often a report is sent until it is accepted.
const REPORT_TRIES: u32 = 3;

impl History<'_> {
    pub(crate) fn collect_reports(&mut self) {
        for report in self.world.take_reports() {
            if self.chance.percent(self.weather.reports_lost) {
                continue;
            }
            let letter = Letter { report, tries: 0 };
            if self.chance.percent(self.weather.reports_doubled) {
                self.letters.push(letter.clone());
            }
            self.letters.push(letter);
        }
    }

    pub(crate) fn deliver_a_report(&mut self) {
        let position = if self.chance.percent(70) {
            0
        } else {
            self.chance.below(self.letters.len())
        };
        let letter = self.letters.remove(position);
        self.deliver(letter);
    }

    pub(crate) fn deliver(&mut self, letter: Letter) {
        let (services, report) = (self.services.clone(), letter.report.clone());
        self.start(Doing::Report(letter), async move {
            let taken = services
                .payments
                .receive_report(Some(report.signature), report.body)
                .await;
            taken.map(Told::Report)
        });
    }

    pub(crate) fn send_again(&mut self, mut letter: Letter) {
        letter.tries += 1;
        if letter.tries < REPORT_TRIES {
            self.letters.push(letter);
        }
    }

    pub(crate) fn work(&mut self) {
        let services = self.services.clone();
        self.start(Doing::Work, async move {
            services.reference.refresh().await?;
            let due = services.payments.poll_due().await?;
            services.maintenance.tidy_up().await?;
            Ok(Told::Due(due))
        });
    }

    pub(crate) fn compare(&mut self) {
        let services = self.services.clone();
        self.start(Doing::Compare, async move {
            services.reconciliation.compare_due_days().await?;
            Ok(Told::Done)
        });
    }

    pub(crate) fn crash(&mut self) {
        self.trace.note("the cabinet ends and starts again");
        for running in std::mem::take(&mut self.running) {
            match running.doing {
                Doing::Order {
                    notary,
                    key,
                    client,
                    token,
                } => {
                    self.people.remember_try(notary, key, client, token);
                }
                Doing::Report(letter) => self.send_again(letter),
                _ => {}
            }
        }
        self.start_again();
    }

    fn start_again(&mut self) {
        let starting = start_services(&self.store, &self.time, &self.bytes, &self.wire);
        self.services = self.executor.run(starting);
        self.compare_at = self.time.truth() + COMPARED_EVERY;
    }

    pub(crate) fn copy(&mut self) {
        self.trace.note("the database is copied");
        self.executor.run(self.database.copy(&self.store));
        self.copied = Some(self.step);
    }

    pub(crate) fn restore(&mut self) {
        let Some(copied) = self.copied else { return };
        self.crash();
        self.trace.note("the copy of the database is put back");
        self.store = self
            .executor
            .run(self.database.put_back(self.store.clone()));
        self.restores.push(Restore {
            copied,
            restored: self.step,
        });
        self.start_again();
    }

    pub(crate) fn set_clock(&mut self) {
        let wrong = self.weather.clock_wrong;
        let ahead = self.chance.between(-wrong, wrong);
        self.trace
            .note(format!("the cabinet's clock is {ahead} seconds ahead"));
        self.time.set_ahead(SignedDuration::from_secs(ahead));
    }

    pub(crate) fn jump_clock(&mut self) {
        let ahead = if self.chance.percent(30) {
            self.chance.between(-3_600, 3_600)
        } else {
            0
        };
        self.trace
            .note(format!("the cabinet's clock is set {ahead} seconds ahead"));
        self.time.set_ahead(SignedDuration::from_secs(ahead));
    }

    /// Loads another commission, valid from today or tomorrow.
    pub(crate) fn change_tariff(&mut self) {
        self.tariffs += 1;
        let now = self.time.of_cabinet();
        let days = self.chance.between(0, 1);
        let day = cabinet_domain::kyiv_date(now + SignedDuration::from_hours(24 * days));
        let mut files = reference_files();
        if let Some(tariffs) = files.get_mut("tariffs.csv") {
            tariffs.push_str(&format!("{day},2.5,14.00\n"));
        }
        self.trace
            .note(format!("another commission is loaded, from {day}"));
        let loading = self.services.administration.load_reference(files, now);
        let loaded = self.executor.run(loading);
        assert!(
            loaded.is_ok(),
            "the changed reference data is without fault"
        );
    }
}

/// Makes the application as the server does.
pub(crate) async fn start_services(
    store: &Store,
    time: &Arc<Time>,
    bytes: &Arc<Bytes>,
    wire: &Wire,
) -> Services {
    let secret = SecretString::from("a secret of thirty-two characters or more");
    let settings = AppSettings {
        public_url: "http://127.0.0.1:8080".to_owned(),
        codes: CodeSettings::default(),
        sessions: SessionSettings::default(),
        operator: Operator {
            name: "ТОВ «Кабінет»".to_owned(),
            code: "32855961".to_owned(),
            iban: Iban::parse("UA223052990000026001234567890").expect("an account"),
            address: "м. Київ, вул. Перша, 1".to_owned(),
        },
        support: Support {
            email: "support@cabinet.example".to_owned(),
            phone: "0 800 000 000".to_owned(),
        },
        acquirer_name: "plata by mono".to_owned(),
        page_hosts: vec![ADDRESS.trim_start_matches("http://").to_owned()],
        sandbox: true,
    };
    let address = BaseUrl::parse(ADDRESS).expect("the sandbox's address is one");
    let acquirer = MonobankSettings::new(address, SecretString::from("given by the wire"));
    let acquirer = Monobank::new(acquirer).expect("the adapter can be made");
    let environment = Environment {
        clock: Arc::new(CabinetClock(Arc::clone(time))),
        randomness: Arc::clone(bytes) as _,
        acquirer: Arc::new(acquirer.with_transport(Arc::new(wire.clone()))),
        sms: Arc::new(NoSms),
        calls: None,
        mail: None,
        hub: Arc::new(Hub::new(bytes.uuid_v4().to_string())),
    };
    let keys = Keys::derive(&secret).expect("the secret is long enough");
    let services = Services::new(store.clone(), environment, keys, settings);
    let followed = services.reference.refresh().await;
    followed.expect("the stored reference data is without fault");
    services
}

/// Nobody signs in, so no message is sent.
struct NoSms;

#[async_trait]
impl Sms for NoSms {
    async fn send(&self, _: &Phone, _: &str, _: &str) -> Result<(), SmsError> {
        Err(SmsError::Unavailable)
    }
}
