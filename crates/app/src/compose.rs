//! The only place where use cases get what they need. The server, its commands, the tests and the simulation call [`compose`].

use std::sync::Arc;

use cabinet_clock::PassingTime;
use cabinet_domain::{Clock, Origin, Randomness};
use cabinet_gateways::acquirer::{Acquirers, CardKeeper};
use cabinet_gateways::mail::Mail;
use cabinet_gateways::phone_calls::PhoneCalls;
use cabinet_gateways::realtime::Hub;
use cabinet_gateways::sms::SmsServices;
use cabinet_storage::Store;
use jiff::Timestamp;
use tokio::sync::Semaphore;

use crate::account::{Accounts, CodeWatch, OneTimeCodes};
use crate::address_book::AddressBook;
use crate::audit::{Audit, Recorder};
use crate::books::Reports;
use crate::cart::{Cart, OwnAccounts};
use crate::catalogue::reference::Reference;
use crate::client_link::{ClientLinks, ReceiptLetters};
use crate::documents::{ReceiptFactsRecorder, Receipts};
use crate::kernel::health::{DatabaseAnswer, Health, Leaving, WorkerHeartbeat};
use crate::kernel::ids::Ids;
use crate::kernel::keys::Keys;
use crate::kernel::notifier::Notifier;
use crate::operator::OperatorServices;
use crate::operator::alarms::Alarms;
use crate::operator::erasure::{Anonymiser, Wallets};
use crate::operator::support_desk::OrderActions;
use crate::order::Orders;
use crate::payment::approval::Approvals;
use crate::payment::saved_cards::SavedCards;
use crate::payment::{CancellationPause, PageHosts, Payments, Settler};
use crate::realtime::Realtime;
use crate::sandbox_data::SandboxData;
use crate::settings::AppSettings;
use crate::transfer::Transfers;
use crate::transfer::returns::Returns;
use crate::worker::leases::Leases;
use crate::worker::maintenance::Maintenance;
use crate::worker::measurements::Measurements;
use crate::worker::outbox::Outbox;
use crate::worker::reconciliation::Reconciliation;

/// What the use cases need from the outside: time, random numbers and other parties' services.
#[derive(Clone)]
pub struct Environment {
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Measures pauses, limits and ages, beside the clock.
    pub time: PassingTime,
    /// Gives random bytes.
    pub randomness: Arc<dyn Randomness>,
    /// Take the money.
    pub acquirers: Acquirers,
    /// Send the codes.
    pub sms: SmsServices,
    /// Calls numbers. `None`: no voice service is set up, and nobody can log in by a call.
    pub phone_calls: Option<Arc<dyn PhoneCalls>>,
    /// Sends letters. `None`: no mail server is set up, and no letters are written.
    pub mail: Option<Arc<dyn Mail>>,
    /// Tells open pages what has changed.
    pub hub: Arc<Hub>,
}

/// The cabinet without its web server. Cloning is cheap and shares the same cabinet.
#[derive(Clone)]
pub struct Services {
    /// Sign-up, login, sessions and profiles.
    pub accounts: Accounts,
    /// The carts.
    pub cart: Cart,
    /// The address books.
    pub address_book: AddressBook,
    /// Orders.
    pub orders: Orders,
    /// Cards that the acquirer keeps.
    pub saved_cards: SavedCards,
    /// Having orders paid.
    pub payments: Payments,
    /// Comparing payments with the acquirer's statement.
    pub reconciliation: Reconciliation,
    /// Links by which clients pay.
    pub client_links: ClientLinks,
    /// Receipts of paid orders.
    pub receipts: Receipts,
    /// Reports and books.
    pub reports: Reports,
    /// The reference data in force.
    pub reference: Reference,
    /// Messages to open pages.
    pub realtime: Realtime,
    /// Shares work out among processes.
    pub leases: Leases,
    /// Letters.
    pub outbox: Outbox,
    /// Tidying up.
    pub maintenance: Maintenance,
    /// Measuring what waits.
    pub measurements: Measurements,
    /// Whether the cabinet can do its work.
    pub health: Health,
    /// When the worker was last seen.
    pub heartbeat: WorkerHeartbeat,
    /// The audit trail.
    pub audit: Audit,
    /// The use cases of the operator, as the cabinet itself runs them.
    pub operator: OperatorServices,
    /// Where saved cards are.
    pub wallets: Wallets,
    /// Transfers of what was paid.
    pub transfers: Transfers,
    /// Decides about parts that banks returned.
    pub returns: Returns,
    /// Measures pauses and limits.
    pub time: PassingTime,
    /// Data of the sandbox.
    pub sandbox_data: SandboxData,
    /// The message services.
    pub sms: SmsServices,
    /// The database.
    pub store: Store,
    /// The keys of this installation.
    pub keys: Arc<Keys>,
    /// The settings of this installation.
    pub settings: Arc<AppSettings>,
    ids: Ids,
}

/// Composes the services over a migrated database. The reference data is read by [`Reference::refresh`].
pub fn compose(
    store: Store,
    environment: Environment,
    keys: Keys,
    settings: AppSettings,
) -> Services {
    let shared = Shared::new(store, &environment, keys, settings);
    let Environment {
        acquirers,
        sms,
        phone_calls,
        mail,
        time,
        ..
    } = environment;
    let leases = shared.leases();
    let operator = shared.operator();
    let can_call = phone_calls.is_some();
    let settler = shared.settler();
    let receipts = shared.receipts();
    let outbox = shared.outbox(mail, sms.clone());
    let payments = shared.payments(acquirers.clone(), settler.clone());
    let saved_cards = shared.saved_cards(acquirers.cards());
    let orders = shared.orders(payments.clone(), saved_cards.clone());
    let wallets = Wallets {
        acquirer: acquirers.cards(),
        keys: Arc::clone(&shared.keys),
    };
    Services {
        wallets,
        time,
        sms: sms.clone(),
        accounts: shared.accounts(sms, phone_calls),
        cart: shared.cart(),
        address_book: shared.address_book(),
        reports: shared.reports(&orders),
        orders,
        saved_cards,
        client_links: shared.client_links(payments.clone(), receipts.clone()),
        payments,
        reconciliation: shared.reconciliation(acquirers.clone(), settler.clone(), leases.clone()),
        receipts,
        maintenance: shared.maintenance(acquirers, settler.clone(), can_call),
        measurements: Measurements {
            store: shared.store.clone(),
            clock: Arc::clone(&shared.clock),
        },
        outbox,
        health: shared.health(),
        returns: shared.returns(),
        transfers: operator.transfers(shared.keys.seals().clone()),
        audit: operator.audit(),
        operator,
        sandbox_data: shared.sandbox_data(settler),
        leases,
        reference: shared.reference,
        realtime: shared.realtime,
        heartbeat: shared.heartbeat,
        store: shared.store,
        keys: shared.keys,
        settings: shared.settings,
        ids: shared.ids,
    }
}

impl Services {
    /// From now on a database that has lost its last commits under this process is noticed, and gives no number a second time.
    pub fn follow_database(&self) {
        let (clock, process) = (Arc::clone(&self.ids.clock), self.ids.random_id());
        self.store.follow_database(clock, process);
    }

    /// The present moment.
    pub fn now(&self) -> Timestamp {
        self.ids.clock.now()
    }

    /// Returns what the support does with orders, by whoever runs a command.
    pub fn order_actions(&self, recorder: Recorder) -> OrderActions {
        OrderActions {
            store: self.store.clone(),
            recorder,
            payments: self.payments.clone(),
        }
    }

    /// Returns an id for a request, which logs name and the support is told.
    pub fn request_id(&self) -> String {
        self.ids.random_id().simple().to_string()
    }
}

/// What several services have in common.
struct Shared {
    store: Store,
    clock: Arc<dyn Clock>,
    ids: Ids,
    keys: Arc<Keys>,
    settings: Arc<AppSettings>,
    public_url: Arc<str>,
    reference: Reference,
    realtime: Realtime,
    heartbeat: WorkerHeartbeat,
    alarms: Alarms,
    receipt_facts: ReceiptFactsRecorder,
    page_hosts: PageHosts,
    notifier: Notifier,
}

impl Shared {
    fn new(store: Store, environment: &Environment, keys: Keys, settings: AppSettings) -> Shared {
        let clock = Arc::clone(&environment.clock);
        let ids = Ids {
            clock: Arc::clone(&clock),
            randomness: Arc::clone(&environment.randomness),
        };
        let reference = Reference::new(
            store.clone(),
            settings.table_choices.clone(),
            settings.refuses_demonstration,
        );
        Shared {
            keys: Arc::new(keys),
            public_url: settings.public_url.as_str().into(),
            realtime: Realtime::new(
                store.clone(),
                Arc::clone(&clock),
                Arc::clone(&environment.hub),
            ),
            heartbeat: WorkerHeartbeat::new(Arc::clone(&clock)),
            alarms: Alarms {
                store: store.clone(),
                ids: ids.clone(),
            },
            receipt_facts: ReceiptFactsRecorder {
                operator: Arc::new(settings.operator.clone()),
                acquirer_names: Arc::new(settings.acquirer_names.clone()),
                reference: reference.clone(),
            },
            page_hosts: PageHosts {
                hosts: settings.page_hosts.as_slice().into(),
                allows_http: settings.sandbox,
            },
            notifier: Notifier::new(settings.support.clone(), environment.mail.is_some()),
            settings: Arc::new(settings),
            store,
            clock,
            ids,
            reference,
        }
    }

    fn accounts(&self, sms: SmsServices, phone_calls: Option<Arc<dyn PhoneCalls>>) -> Accounts {
        Accounts {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            ids: self.ids.clone(),
            codes: OneTimeCodes {
                store: self.store.clone(),
                ids: self.ids.clone(),
                keys: Arc::clone(&self.keys),
                sms,
                can_call: phone_calls.is_some(),
                settings: self.settings.codes.clone(),
            },
            phone_calls,
            reference: self.reference.clone(),
            approvals: self.approvals(),
            sessions: self.settings.sessions.clone(),
            sign_up_confirmation: self.settings.sign_up_confirmation,
            public_url: Arc::clone(&self.public_url),
            notifier: self.notifier.clone(),
        }
    }

    fn approvals(&self) -> Approvals {
        Approvals {
            device_known_after: self.settings.codes.device_known_after,
            figures: self.settings.card_figures,
            key: self.keys.proofs(),
        }
    }

    fn operator(&self) -> OperatorServices {
        OperatorServices {
            store: self.store.clone(),
            recorder: Recorder::of(self.ids.clone(), Origin::worker()),
            notifier: self.notifier.clone(),
            sign_up_confirmation: self.settings.sign_up_confirmation,
            retention: self.settings.retention.clone(),
        }
    }

    fn returns(&self) -> Returns {
        Returns {
            approvals: self.approvals(),
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            ids: self.ids.clone(),
            reference: self.reference.clone(),
            seals: self.keys.seals().clone(),
            account_limits: self.settings.account_limits,
            facts: self.receipt_facts.clone(),
            notifier: self.notifier.clone(),
        }
    }

    fn cart(&self) -> Cart {
        Cart {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            ids: self.ids.clone(),
            own_accounts: OwnAccounts {
                approvals: self.approvals(),
                notifier: self.notifier.clone(),
            },
            keys: Arc::clone(&self.keys),
            reference: self.reference.clone(),
            register_number: self.settings.register_number.clone(),
        }
    }

    fn address_book(&self) -> AddressBook {
        AddressBook {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            ids: self.ids.clone(),
            approvals: self.approvals(),
            notifier: self.notifier.clone(),
        }
    }

    fn settler(&self) -> Settler {
        Settler {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            ids: self.ids.clone(),
            receipt_facts: self.receipt_facts.clone(),
            seals: self.keys.seals().clone(),
            account_limits: self.settings.account_limits,
            delays: self.settings.delays,
            notifier: self.notifier.clone(),
            card_figures: self.settings.card_figures,
        }
    }

    fn payments(&self, acquirers: Acquirers, settler: Settler) -> Payments {
        Payments {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            ids: self.ids.clone(),
            acquirers,
            settler,
            reference: self.reference.clone(),
            heartbeat: self.heartbeat.clone(),
            cancellation_pause: CancellationPause::default(),
            page_hosts: self.page_hosts.clone(),
            public_url: Arc::clone(&self.public_url),
            account_limits: self.settings.account_limits,
            approvals: self.approvals(),
            operator_name: self.receipt_facts.operator.name.as_str().into(),
            is_sandbox: self.settings.sandbox,
            notifier: self.notifier.clone(),
            forged_reports: Arc::default(),
        }
    }

    fn saved_cards(&self, acquirer: Arc<dyn CardKeeper>) -> SavedCards {
        SavedCards {
            store: self.store.clone(),
            acquirer,
            ids: self.ids.clone(),
            keys: Arc::clone(&self.keys),
            page_hosts: self.page_hosts.clone(),
            alarms: self.alarms.clone(),
            public_url: Arc::clone(&self.public_url),
        }
    }

    fn orders(&self, payments: Payments, saved_cards: SavedCards) -> Orders {
        Orders {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            ids: self.ids.clone(),
            reference: self.reference.clone(),
            payments,
            saved_cards,
            account_limits: self.settings.account_limits,
            approvals: self.approvals(),
            register_number: self.settings.register_number.clone(),
            workbook_permit: Arc::new(Semaphore::new(1)),
        }
    }

    fn reports(&self, orders: &Orders) -> Reports {
        Reports {
            store: self.store.clone(),
            ids: self.ids.clone(),
            reference: self.reference.clone(),
            workbook_permit: Arc::clone(&orders.workbook_permit),
        }
    }

    fn leases(&self) -> Leases {
        Leases {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            process_name: self.ids.random_id().to_string().into(),
        }
    }

    fn reconciliation(
        &self,
        acquirers: Acquirers,
        settler: Settler,
        leases: Leases,
    ) -> Reconciliation {
        Reconciliation {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            acquirers: acquirers.statements(),
            callable: acquirers,
            settler,
            alarms: self.alarms.clone(),
            leases,
            compared: Arc::default(),
            told: Arc::default(),
        }
    }

    fn receipts(&self) -> Receipts {
        Receipts {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            ids: self.ids.clone(),
            keys: Arc::clone(&self.keys),
            facts: self.receipt_facts.clone(),
            public_url: Arc::clone(&self.public_url),
            sandbox: self.settings.sandbox,
        }
    }

    fn client_links(&self, payments: Payments, receipts: Receipts) -> ClientLinks {
        ClientLinks {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            ids: self.ids.clone(),
            keys: Arc::clone(&self.keys),
            payments,
            receipts,
            settings: self.settings.client_links.clone(),
            public_url: Arc::clone(&self.public_url),
            mobile_prefixes: self.settings.codes.mobile_prefixes.as_slice().into(),
            messages_hourly_max: self.settings.codes.messages_hourly_max,
            notifier: self.notifier.clone(),
        }
    }

    fn outbox(&self, mail: Option<Arc<dyn Mail>>, sms: SmsServices) -> Outbox {
        Outbox {
            late_letters: Arc::new(ReceiptLetters {
                store: self.store.clone(),
                keys: Arc::clone(&self.keys),
                clock: Arc::clone(&self.clock),
                public_url: Arc::clone(&self.public_url),
            }),
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            alarms: self.alarms.clone(),
            mail,
            sms,
        }
    }

    fn maintenance(&self, acquirers: Acquirers, settler: Settler, can_call: bool) -> Maintenance {
        Maintenance {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            acquirers,
            settler,
            anonymiser: Anonymiser {
                store: self.store.clone(),
                ids: self.ids.clone(),
            },
            retention: self.settings.retention.clone(),
            last_round: Arc::default(),
            codes: CodeWatch {
                store: self.store.clone(),
                alarms: self.alarms.clone(),
                settings: self.settings.codes.clone(),
                can_call,
            },
        }
    }

    fn health(&self) -> Health {
        Health {
            leaving: Leaving::default(),
            store: self.store.clone(),
            database_answer: DatabaseAnswer::new(Arc::clone(&self.clock)),
            reference: self.reference.clone(),
            heartbeat: self.heartbeat.clone(),
        }
    }

    fn sandbox_data(&self, settler: Settler) -> SandboxData {
        SandboxData {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            ids: self.ids.clone(),
            reference: self.reference.clone(),
            settler,
        }
    }
}
