//! Use cases: what a notary, the acquirer, the worker and the operator can have done. One file an action.
//!
//! A use case opens a unit of work, decides inside it, and talks to the outside only between units of work, so that no
//! network call ever stands in a transaction. Time and randomness come from the [`Environment`].

mod announce;
pub mod auth;
pub mod cart;
mod codes;
pub mod demonstration;
mod idempotency;
mod keys;
pub mod maintenance;
pub mod orders;
pub mod outbox;
pub mod payments;
pub mod reference;
pub mod refusal;
mod settings;
mod texts;
pub mod transfers;

use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use cabinet_domain::{Clock, Randomness};
use cabinet_gateways::acquirer::Acquirer;
use cabinet_gateways::calls::Calls;
use cabinet_gateways::mail::Mail;
use cabinet_gateways::realtime::Hub;
use cabinet_gateways::sms::Sms;
use cabinet_storage::Store;
use jiff::Timestamp;

pub use announce::notary_channel;
pub use keys::{Keys, SECRET_CHARS_MIN, network_of};
pub use settings::{AppSettings, CodeSettings, Operator, SessionSettings, Support};

/// The outside of the use cases: time, chance and other people's services.
#[derive(Clone)]
pub struct Environment {
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Gives random bytes.
    pub randomness: Arc<dyn Randomness>,
    /// Takes the money.
    pub acquirer: Arc<dyn Acquirer>,
    /// Sends the codes.
    pub sms: Arc<dyn Sms>,
    /// Calls numbers; none where no voice service is set up, and then nobody can log in by a call.
    pub calls: Option<Arc<dyn Calls>>,
    /// Sends letters; none where no mail server is set up, and then none are written.
    pub mail: Option<Arc<dyn Mail>>,
    /// Tells open pages what has changed.
    pub hub: Arc<Hub>,
}

/// The cabinet without its web server: every use case is a method. Cloning shares the same cabinet.
#[derive(Clone)]
pub struct App {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    environment: Environment,
    keys: Keys,
    settings: AppSettings,
    reference: reference::Holder,
    /// Whoever makes a table: a large one takes tens of megabytes, so they are made one after the other.
    table_maker: Arc<tokio::sync::Semaphore>,
    /// Names this process in leases.
    process_name: String,
    /// When the worker was last seen, in seconds since 1970.
    worker_seen: AtomicI64,
}

impl App {
    /// A cabinet over a migrated database. The reference data is read by
    /// [`App::follow_reference`].
    pub fn new(store: Store, environment: Environment, keys: Keys, settings: AppSettings) -> App {
        let worker_seen = AtomicI64::new(environment.clock.now().as_second());
        let reference = reference::Holder::default();
        let process_name = environment.randomness.uuid_v4().to_string();
        App {
            inner: Arc::new(Inner {
                store,
                environment,
                keys,
                settings,
                reference,
                table_maker: Arc::new(tokio::sync::Semaphore::new(1)),
                process_name,
                worker_seen,
            }),
        }
    }

    /// The present moment.
    pub fn now(&self) -> Timestamp {
        self.inner.environment.clock.now()
    }

    /// The settings of this installation.
    pub fn settings(&self) -> &AppSettings {
        &self.inner.settings
    }

    /// The keys of this installation.
    pub fn keys(&self) -> &Keys {
        &self.inner.keys
    }

    /// The store, for health checks and tests.
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// An id for a request, to be named in logs and to the support.
    pub fn request_id(&self) -> String {
        self.randomness().uuid_v4().simple().to_string()
    }

    fn process_name(&self) -> String {
        self.inner.process_name.clone()
    }

    fn randomness(&self) -> &dyn Randomness {
        self.inner.environment.randomness.as_ref()
    }

    fn acquirer(&self) -> &dyn Acquirer {
        self.inner.environment.acquirer.as_ref()
    }

    fn calls(&self) -> Option<&dyn Calls> {
        self.inner.environment.calls.as_deref()
    }

    fn mail(&self) -> Option<&dyn Mail> {
        self.inner.environment.mail.as_deref()
    }

    /// What open pages listen to.
    pub fn hub(&self) -> &Hub {
        &self.inner.environment.hub
    }

    fn sms(&self) -> &dyn Sms {
        self.inner.environment.sms.as_ref()
    }

    fn new_id(&self) -> uuid::Uuid {
        self.randomness().uuid_v7(self.now())
    }
}
