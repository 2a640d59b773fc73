//! The list of metrics. [`ALL`] has every one of them; a test holds this file to it.

use cabinet_domain::OrderStatus;
use cabinet_domain::payment::{AlarmKind, PaymentEnding};

use crate::metric::{Counter, Described, Gauge, Histogram, Routes};
use crate::outbound::{OutboundCall, OutboundOutcome, OutboundService};
use crate::words::{
    Answered, CallGroup, CodeVerdict, CutBy, Directive, FeeYear, Listener, LoadMoment, Queue,
    RefusedBy, ReportVerdict, RoundOutcome, SendOutcome, SmsService, StorageAccess, TimedScreen,
    UnitOutcome, WorkerLoop,
};
use crate::written;

/// Seconds of an answer. The limits of the service levels (0.5 and 2.5) are among them.
const OF_ANSWERS: &[f64] = &[
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 60.0,
];
/// Seconds until a page stands in a browser. The aims for the largest paint (1.5 and 2) are among them.
const OF_PAGE_LOADS: &[f64] = &[
    0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0, 60.0,
];
/// Seconds of a call over the network to another party.
const OF_OUTBOUND_CALLS: &[f64] = &[0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0];
/// Seconds of a unit of work: from a read in memory to the longest wait for a lock.
const OF_UNITS: &[f64] = &[
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0,
    15.0,
];
/// Units of work of one commit. At most 256 are taken together.
const OF_GROUPS: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];
/// Seconds of a round of the worker.
const OF_ROUNDS: &[f64] = &[
    0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0,
];
/// Seconds from a charge until its order is paid here: a report comes at once, questions to the acquirer come at growing intervals, and the
/// statement a day later. The limit of the service level (60) is among them.
const OF_NEWS: &[f64] = &[
    1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 180.0, 600.0, 3_600.0, 10_800.0, 86_400.0,
];

/// Answers by group.
pub static HTTP_REQUESTS: Counter<(CallGroup, Answered)> = Counter::new(
    "cabinet_http_requests_total",
    &["group", "outcome"],
    "Answered requests, by what they are for and by outcome",
);

/// Durations of answers by group.
pub static HTTP_SECONDS: Histogram<(CallGroup, Answered)> = Histogram::new(
    "cabinet_http_request_duration_seconds",
    &["group", "outcome"],
    OF_ANSWERS,
    "Time until a request was answered, by what it is for and by outcome",
);

/// Durations of answers by route.
pub static HTTP_ROUTE_SECONDS: Routes = Routes::new(
    "cabinet_http_route_duration_seconds",
    OF_ANSWERS,
    "Time until a request was answered, by the pattern of its route",
);

/// Calls that found no place.
pub static CALLS_REFUSED: Counter = Counter::new(
    "cabinet_calls_refused_total",
    &[],
    "Calls that were refused because too many others were being answered",
);

/// Open connections.
pub static CONNECTIONS_OPEN: Gauge = Gauge::new(
    "cabinet_connections_open",
    &[],
    "Open connections, realtime connections and those of the operator's address included",
);

/// Connections that were not accepted.
pub static CONNECTIONS_REFUSED: Counter<RefusedBy> = Counter::new(
    "cabinet_connections_refused_total",
    &["limit"],
    "Connections that were closed at once, by the limit that was reached",
);

/// Connections that were cut.
pub static CONNECTIONS_CUT: Counter<CutBy> = Counter::new(
    "cabinet_connections_cut_total",
    &["limit"],
    "Connections that were closed because the client took too long, by the limit",
);

/// Realtime connections.
pub static REALTIME_CONNECTIONS: Gauge<Listener> = Gauge::new(
    "cabinet_realtime_connections",
    &["listener"],
    "Open realtime connections, by who listens",
);

/// Reports of browsers.
pub static CSP_REPORTS: Counter<Directive> = Counter::new(
    "cabinet_csp_reports_total",
    &["directive"],
    "Reports of browsers about what the policy of a page has blocked, by directive",
);

/// Times of page loads, by the browsers' clocks.
pub static PAGE_LOAD_SECONDS: Histogram<(TimedScreen, LoadMoment)> = Histogram::new(
    "cabinet_page_load_duration_seconds",
    &["screen", "until"],
    OF_PAGE_LOADS,
    "Time from the beginning of a page's load until it was shown and could be used, as browsers tell it",
);

/// Entered codes.
pub static LOGIN_CODES: Counter<CodeVerdict> = Counter::new(
    "cabinet_login_codes_total",
    &["verdict"],
    "Entered codes, by verdict",
);

/// Steps of orders.
pub static ORDERS_STEPPED: Counter<OrderStatus> = Counter::new(
    "cabinet_orders_stepped_total",
    &["to"],
    "Orders, by the status that they reached",
);

/// Ended payments.
pub static PAYMENTS_ENDED: Counter<PaymentEnding> = Counter::new(
    "cabinet_payments_ended_total",
    &["ending", "blamed"],
    "Ended payments of orders, by how they ended and who is to blame for it",
);

/// Sums of orders by status.
pub static ORDERS_STEPPED_KOPIYKAS: Counter<OrderStatus> = Counter::new(
    "cabinet_orders_stepped_kopiykas_total",
    &["to"],
    "Sums of orders in kopiykas, by the status that they reached",
);

/// How late an order is known to be paid.
pub static PAID_AFTER_SECONDS: Histogram = Histogram::new(
    "cabinet_order_paid_after_seconds",
    &[],
    OF_NEWS,
    "Time from a charge, by the acquirer's clock, until its order is paid here",
);

/// Reports of the acquirer.
pub static ACQUIRER_REPORTS: Counter<ReportVerdict> = Counter::new(
    "cabinet_acquirer_reports_total",
    &["verdict"],
    "Reports of the acquirer, by verdict",
);

/// Opened alarms.
pub static ALARMS: Counter<AlarmKind> = Counter::new(
    "cabinet_alarms_total",
    &["kind"],
    "Alarms that were opened, by kind: a person must look",
);

/// Open alarms.
pub static ALARMS_OPEN: Gauge<AlarmKind> = Gauge::new(
    "cabinet_alarms_open",
    &["kind"],
    "Alarms that nobody has closed yet, by kind; the same in every process",
);

/// Lengths of queues.
pub static QUEUE_WAITING: Gauge<Queue> = Gauge::new(
    "cabinet_queue_waiting",
    &["queue"],
    "What waits in the database, by queue; the same in every process",
);

/// Ages of queues.
pub static QUEUE_OLDEST_SECONDS: Gauge<Queue> = Gauge::new(
    "cabinet_queue_oldest_seconds",
    &["queue"],
    "How long the oldest of a queue has waited or is overdue; 0 where nothing waits",
);

/// When the queues were last measured.
pub static QUEUES_MEASURED: Gauge = Gauge::new(
    "cabinet_queues_measured_timestamp_seconds",
    &[],
    "When this process last measured the queues, in seconds since 1970",
);

/// When the statement was last compared.
pub static STATEMENT_COMPARED: Gauge = Gauge::new(
    "cabinet_statement_compared_timestamp_seconds",
    &[],
    "When a day was last compared with the acquirer's statement, in seconds since 1970; 0 before the first",
);

/// Whether transfers wait because of a restore.
pub static TRANSFERS_STOPPED: Gauge = Gauge::new(
    "cabinet_transfers_stopped",
    &[],
    "1: the database is a restored copy, and no transfers are exported until `cabinet transfers resume`",
);

/// Fees that the tables lack.
pub static FEES_OUTDATED: Gauge<FeeYear> = Gauge::new(
    "cabinet_fees_outdated",
    &["year"],
    "Fees in force that are of an earlier year (this), and from 1 December those that will be on 1 January (next)",
);

/// Accounts that may be of an earlier year.
pub static ACCOUNTS_UNCONFIRMED: Gauge = Gauge::new(
    "cabinet_accounts_unconfirmed",
    &[],
    "Recipients in force whose accounts nobody has confirmed since 1 January",
);

/// Tries of the outbox.
pub static OUTBOX_TRIES: Counter<SendOutcome> = Counter::new(
    "cabinet_outbox_tries_total",
    &["outcome"],
    "Tries to send a letter or a text message, by how they ended",
);

/// What the accounts at the message services have.
pub static SMS_BALANCE: Gauge<SmsService> = Gauge::new(
    "cabinet_sms_balance_hryvnias",
    &["service"],
    "What the account at a message service had when it was last asked; 0 before",
);

/// When the message services were last asked for it.
pub static SMS_BALANCE_READ: Gauge<SmsService> = Gauge::new(
    "cabinet_sms_balance_read_timestamp_seconds",
    &["service"],
    "When a message service last told what its account has, in seconds since 1970; 0 where it is not used, or before the first time",
);

/// Calls to outside services.
pub static OUTBOUND_CALLS: Counter<(OutboundCall, OutboundOutcome)> = Counter::new(
    "cabinet_outbound_calls_total",
    &["service", "call", "outcome"],
    "Calls to outside services, by how they ended",
);

/// Durations of calls to outside services.
pub static OUTBOUND_SECONDS: Histogram<OutboundCall> = Histogram::new(
    "cabinet_outbound_call_duration_seconds",
    &["service", "call"],
    OF_OUTBOUND_CALLS,
    "Time of calls to outside services",
);

/// Services that are not called.
pub static OUTBOUND_CIRCUIT_OPEN: Gauge<OutboundService> = Gauge::new(
    "cabinet_outbound_circuit_open",
    &["service"],
    "1: the service keeps failing and is not called for a while",
);

/// Units of work.
pub static STORAGE_UNITS: Counter<(StorageAccess, UnitOutcome)> = Counter::new(
    "cabinet_storage_units_total",
    &["access", "outcome"],
    "Units of work, by access and outcome",
);

/// Durations of units of work.
pub static STORAGE_UNIT_SECONDS: Histogram<StorageAccess> = Histogram::new(
    "cabinet_storage_unit_duration_seconds",
    &["access"],
    OF_UNITS,
    "Time of a unit of work from the request to the answer, by access",
);

/// Units of work of a commit.
pub static STORAGE_GROUP_UNITS: Histogram = Histogram::new(
    "cabinet_storage_group_units",
    &[],
    OF_GROUPS,
    "Units of work in one commit (SQLite)",
);

/// Repeated units of work.
pub static STORAGE_REPEATS: Counter = Counter::new(
    "cabinet_storage_repeats_total",
    &[],
    "Units of work run again because of parallel ones (PostgreSQL)",
);

/// Waiting units of work.
pub static STORAGE_WAITING: Gauge = Gauge::new(
    "cabinet_storage_units_waiting",
    &[],
    "Units of work that wait for a connection",
);

/// The limit of waiting units of work.
pub static STORAGE_WAITING_MAX: Gauge = Gauge::new(
    "cabinet_storage_units_waiting_max",
    &[],
    "Units of work that may wait; a further one is refused",
);

/// Connections at work.
pub static STORAGE_CONNECTIONS_IN_USE: Gauge = Gauge::new(
    "cabinet_storage_connections_in_use",
    &[],
    "Connections to the database that run a unit of work; of SQLite the one that writes",
);

/// The number of connections.
pub static STORAGE_CONNECTIONS_MAX: Gauge = Gauge::new(
    "cabinet_storage_connections_max",
    &[],
    "Connections to the database that may be used at once; of SQLite the one that writes",
);

/// Rounds of the worker.
pub static WORKER_ROUNDS: Counter<(WorkerLoop, RoundOutcome)> = Counter::new(
    "cabinet_worker_rounds_total",
    &["loop", "outcome"],
    "Rounds of the worker's loops, by outcome",
);

/// Durations of rounds.
pub static WORKER_ROUND_SECONDS: Histogram<WorkerLoop> = Histogram::new(
    "cabinet_worker_round_duration_seconds",
    &["loop"],
    OF_ROUNDS,
    "Time of a round of a loop of the worker",
);

/// When a loop last finished a round.
pub static WORKER_LAST_ROUND: Gauge<WorkerLoop> = Gauge::new(
    "cabinet_worker_last_round_timestamp_seconds",
    &["loop"],
    "When a loop of the worker last finished a round, in seconds since 1970; at first when it began",
);

/// Every metric.
pub static ALL: &[&dyn Described] = &[
    &HTTP_REQUESTS,
    &HTTP_SECONDS,
    &HTTP_ROUTE_SECONDS,
    &CALLS_REFUSED,
    &CONNECTIONS_OPEN,
    &CONNECTIONS_REFUSED,
    &CONNECTIONS_CUT,
    &REALTIME_CONNECTIONS,
    &CSP_REPORTS,
    &PAGE_LOAD_SECONDS,
    &LOGIN_CODES,
    &ORDERS_STEPPED,
    &PAYMENTS_ENDED,
    &ORDERS_STEPPED_KOPIYKAS,
    &PAID_AFTER_SECONDS,
    &ACQUIRER_REPORTS,
    &ALARMS,
    &ALARMS_OPEN,
    &QUEUE_WAITING,
    &QUEUE_OLDEST_SECONDS,
    &QUEUES_MEASURED,
    &STATEMENT_COMPARED,
    &TRANSFERS_STOPPED,
    &FEES_OUTDATED,
    &ACCOUNTS_UNCONFIRMED,
    &OUTBOX_TRIES,
    &SMS_BALANCE,
    &SMS_BALANCE_READ,
    &OUTBOUND_CALLS,
    &OUTBOUND_SECONDS,
    &OUTBOUND_CIRCUIT_OPEN,
    &STORAGE_UNITS,
    &STORAGE_UNIT_SECONDS,
    &STORAGE_GROUP_UNITS,
    &STORAGE_REPEATS,
    &STORAGE_WAITING,
    &STORAGE_WAITING_MAX,
    &STORAGE_CONNECTIONS_IN_USE,
    &STORAGE_CONNECTIONS_MAX,
    &WORKER_ROUNDS,
    &WORKER_ROUND_SECONDS,
    &WORKER_LAST_ROUND,
    &written::BUILD_INFO,
    &written::PROCESS_CPU,
    &written::PROCESS_FILES,
    &written::PROCESS_FILES_MAX,
    &written::PROCESS_RESIDENT,
    &written::PROCESS_VIRTUAL,
    &written::PROCESS_THREADS,
    &written::PROCESS_START,
];
