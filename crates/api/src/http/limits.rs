//! Rate limits for login attempts and acquirer calls, and the limit of realtime connections.
//!
//! They limit bursts and are kept in memory. The limits of one-time codes are counted in the database and survive a restart.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cabinet_app::kernel::refusal::RefusalKind;
use cabinet_app::network_of;
use cabinet_clock::{Moment, PassingTime};
use cabinet_domain::{Key, Network, NotaryId, SessionId};
use cabinet_metrics::{CALLS_REFUSED, Listener, REALTIME_CONNECTIONS};
use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{NotUntil, Quota, RateLimiter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::refusal::Refusal;
use crate::settings::ApiSettings;

/// Realtime connections of one server: more than one for each notary in Ukraine.
const CONNECTIONS_MAX: usize = 10_000;
/// Realtime connections of people who are not signed in and wait for a phone call.
const CONNECTIONS_OF_STRANGERS_MAX: usize = 1_000;
/// Reports about the policy of pages that are read from one address within a minute.
const POLICY_REPORTS_PER_MINUTE: u32 = 30;
/// Reports that are read from all addresses within a minute.
const ALL_POLICY_REPORTS_PER_MINUTE: u32 = 300;
/// Times of page loads that are read from one address within a minute. Telephones of one operator, and an office, share addresses.
const PAGE_TIMINGS_PER_MINUTE: u32 = 120;
/// Times of page loads that are read from all addresses within a minute.
const ALL_PAGE_TIMINGS_PER_MINUTE: u32 = 1_200;
/// Requests of pages of clients' links from one address within a minute. A page that waits for a payment makes twelve, and telephones of
/// one operator share addresses.
const CLIENT_REQUESTS_PER_MINUTE: u32 = 600;
/// What is done by one link of a client within a minute and costs the acquirer a call or the server a document.
const ACTIONS_OF_LINK_PER_MINUTE: u32 = 12;
/// How often an open page of one link has the acquirer asked within a minute, where more may come of its payment.
const QUESTIONS_OF_LINK_PER_MINUTE: u32 = 4;
/// Sheets of payments that are read at a time. Reading one may take a processor for some seconds, and payments need one, too.
const SHEETS_AT_A_TIME: usize = 2;
/// ZIPs with receipts of many orders that one notary takes at a time: each holds a thread until it is taken.
const ARCHIVES_OF_NOTARY: usize = 2;
/// What a caller with too many requests at a time is told to wait.
const PAUSE: Duration = Duration::from_secs(1);

/// A network (/24, or /48 of IPv6) may have so many times what one of its addresses may have.
const PLACES_OF_NETWORK: usize = 5;

/// What one network address, and what its network, may have at a time, or one notary. An IPv6 network (/64) counts as one address.
pub struct Places {
    most: usize,
    taken: Arc<Mutex<HashMap<Taker, usize>>>,
}

/// Who takes a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Taker {
    Address(IpAddr),
    Network(Network),
    Notary(NotaryId),
}

impl Places {
    /// So many places for each address.
    pub fn new(most: usize) -> Places {
        Places {
            most,
            taken: Arc::default(),
        }
    }

    /// Takes a place until the returned value is dropped. `None` if the address or its network has no free one.
    pub fn take(&self, address: IpAddr) -> Option<Place> {
        self.take_for(Some(address), None)
    }

    /// Takes a place of an address and its network, and of a notary, as far as they are known. `None` if one of them has no free one.
    pub fn take_for(&self, address: Option<IpAddr>, notary: Option<NotaryId>) -> Option<Place> {
        let of_address = address.map(|address| {
            let of_network = self.most.saturating_mul(PLACES_OF_NETWORK);
            [
                (Taker::Address(network_of(address)), self.most),
                (Taker::Network(Network::of(address)), of_network),
            ]
        });
        let of_notary = notary.map(|notary| (Taker::Notary(notary), self.most));
        let takers = of_address.into_iter().flatten().chain(of_notary);
        self.take_all(takers.collect())
    }

    /// Takes a place of a notary until the returned value is dropped. `None` if she has no free one.
    pub fn take_of_notary(&self, notary: NotaryId) -> Option<Place> {
        self.take_all(vec![(Taker::Notary(notary), self.most)])
    }

    fn take_all(&self, takers: Vec<(Taker, usize)>) -> Option<Place> {
        let mut all = lock(&self.taken);
        let is_free = |(taker, most): &(Taker, usize)| {
            all.get(taker).is_none_or(|taken| taken < most) && *most > 0
        };
        if !takers.iter().all(is_free) {
            return None;
        }
        let takers: Vec<Taker> = takers.into_iter().map(|(taker, _)| taker).collect();
        for taker in &takers {
            *all.entry(taker.clone()).or_insert(0) += 1;
        }
        Some(Place {
            takers,
            taken: Arc::clone(&self.taken),
        })
    }
}

/// A taken place.
pub struct Place {
    takers: Vec<Taker>,
    taken: Arc<Mutex<HashMap<Taker, usize>>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = lock(&self.taken);
        for taker in &self.takers {
            if let Some(taken) = all.get_mut(taker) {
                *taken = taken.saturating_sub(1);
                if *taken == 0 {
                    all.remove(taker);
                }
            }
        }
    }
}

fn lock(taken: &Mutex<HashMap<Taker, usize>>) -> MutexGuard<'_, HashMap<Taker, usize>> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells the limits how much time has passed since the server began.
#[derive(Clone, Debug)]
struct LimitsClock {
    time: PassingTime,
    began: Moment,
}

impl Clock for LimitsClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.time.since(self.began)
    }
}

/// Wrong comparisons with one receipt within a day. Whoever holds the paper needs none, and a tax code is not found out by them.
const WRONG_COMPARISONS_MAX: u32 = 10;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The wrong comparisons with each receipt, by the number of its order: when the first of a day was made, and how many there are.
type WrongComparisons = Mutex<HashMap<i64, (Duration, u32)>>;

type Limiter<K> = RateLimiter<K, DefaultKeyedStateStore<K>, LimitsClock, NoOpMiddleware<Duration>>;
type LimiterOfAll = RateLimiter<NotKeyed, InMemoryState, LimitsClock, NoOpMiddleware<Duration>>;

/// What browsers send without being asked, and anybody else as well: so much of one address, and so much of all.
struct Unasked {
    of_address: Limiter<IpAddr>,
    of_all: LimiterOfAll,
}

impl Unasked {
    fn per_minute(of_address: u32, of_all: u32, clock: &LimitsClock) -> Unasked {
        Unasked {
            of_address: keyed(per_minute(of_address), clock),
            of_all: RateLimiter::direct_with_clock(per_minute(of_all), clock.clone()),
        }
    }

    fn is_read(&self, address: IpAddr) -> bool {
        self.of_address.check_key(&network_of(address)).is_ok() && self.of_all.check().is_ok()
    }

    fn forget_idle(&self) {
        self.of_address.retain_recent();
        self.of_address.shrink_to_fit();
    }
}

/// The limits of one server.
pub struct Limits {
    login_attempts: Limiter<IpAddr>,
    /// Apart from the others: what is tried with telephone numbers takes nothing from passkeys.
    passkey_logins: Limiter<IpAddr>,
    confirmations: Limiter<SessionId>,
    public_requests: Limiter<IpAddr>,
    acquirer_calls: Limiter<NotaryId>,
    client_requests: Limiter<IpAddr>,
    actions_of_link: Limiter<u64>,
    questions_of_link: Limiter<u64>,
    connections: Arc<Semaphore>,
    connections_of_strangers: Arc<Semaphore>,
    strangers_of_address: Places,
    requests_of_address: Places,
    archives_of_notary: Places,
    calls: Arc<Semaphore>,
    readings: Arc<Semaphore>,
    sheets: Arc<Semaphore>,
    pages_of_links: Arc<Semaphore>,
    policy_reports: Unasked,
    policy_report_lines: LimiterOfAll,
    page_timings: Unasked,
    wrong_comparisons: WrongComparisons,
    clock: LimitsClock,
}

fn keyed<K: Hash + Eq + Clone>(quota: Quota, clock: &LimitsClock) -> Limiter<K> {
    RateLimiter::dashmap_with_clock(quota, clock.clone())
}

fn per_minute(most: u32) -> Quota {
    Quota::per_minute(NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN))
}

/// Tokens are keys, so none is kept.
fn hash_of(token: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    token.hash(&mut hasher);
    hasher.finish()
}

impl Limits {
    /// Limits of a server with these settings. Places become free again as `time` passes.
    pub fn new(settings: &ApiSettings, time: PassingTime) -> Limits {
        let clock = LimitsClock {
            began: time.now(),
            time,
        };
        Limits {
            login_attempts: keyed(per_minute(settings.login_attempts_per_minute), &clock),
            passkey_logins: keyed(per_minute(settings.login_attempts_per_minute), &clock),
            confirmations: keyed(per_minute(settings.login_attempts_per_minute), &clock),
            public_requests: keyed(per_minute(settings.login_attempts_per_minute), &clock),
            acquirer_calls: keyed(per_minute(settings.acquirer_calls_per_minute), &clock),
            client_requests: keyed(per_minute(CLIENT_REQUESTS_PER_MINUTE), &clock),
            actions_of_link: keyed(per_minute(ACTIONS_OF_LINK_PER_MINUTE), &clock),
            questions_of_link: keyed(per_minute(QUESTIONS_OF_LINK_PER_MINUTE), &clock),
            connections: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
            connections_of_strangers: Arc::new(Semaphore::new(CONNECTIONS_OF_STRANGERS_MAX)),
            strangers_of_address: Places::new(settings.realtime_strangers_of_address_max),
            requests_of_address: Places::new(settings.requests_of_address_max),
            archives_of_notary: Places::new(ARCHIVES_OF_NOTARY),
            calls: Arc::new(Semaphore::new(settings.calls_max)),
            readings: Arc::new(Semaphore::new(settings.readings_max)),
            sheets: Arc::new(Semaphore::new(SHEETS_AT_A_TIME)),
            pages_of_links: Arc::new(Semaphore::new(settings.calls_max)),
            policy_reports: Unasked::per_minute(
                POLICY_REPORTS_PER_MINUTE,
                ALL_POLICY_REPORTS_PER_MINUTE,
                &clock,
            ),
            page_timings: Unasked::per_minute(
                PAGE_TIMINGS_PER_MINUTE,
                ALL_PAGE_TIMINGS_PER_MINUTE,
                &clock,
            ),
            wrong_comparisons: Mutex::default(),
            policy_report_lines: RateLimiter::direct_with_clock(per_minute(1), clock.clone()),
            clock,
        }
    }

    /// Reserves the place of a request that is being answered.
    ///
    /// # Errors
    /// Refused with `too_many_requests` while too many of the address or of the notary are being answered.
    pub fn request(
        &self,
        address: Option<IpAddr>,
        notary: Option<NotaryId>,
    ) -> Result<Place, Refusal> {
        self.requests_of_address
            .take_for(address, notary)
            .ok_or_else(|| Refusal::new(RefusalKind::TooMany(PAUSE), Key::TooManyRequests))
    }

    /// Reserves the place of a ZIP with receipts of many orders until it is taken.
    ///
    /// # Errors
    /// Refused with `too_many_requests` while the notary takes too many.
    pub fn archive(&self, notary: NotaryId) -> Result<Place, Refusal> {
        self.archives_of_notary
            .take_of_notary(notary)
            .ok_or_else(|| Refusal::new(RefusalKind::TooMany(PAUSE), Key::TooManyRequests))
    }

    /// Reserves the place of a call that can wait, until the permit is dropped.
    ///
    /// # Errors
    /// Refused with `service_unavailable` while too many such calls are being answered.
    pub fn call(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        self.calls.clone().try_acquire_owned().map_err(|_| {
            CALLS_REFUSED.count(());
            Refusal::new(RefusalKind::Unavailable, Key::ServiceUnavailable)
        })
    }

    /// Waits for the turn of a call that only reads, and holds it until the permit is dropped. Returns `None` if the server ends.
    pub async fn reading(&self) -> Option<OwnedSemaphorePermit> {
        self.readings.clone().acquire_owned().await.ok()
    }

    /// Reserves the place of a page of a client's link until the permit is dropped. Such pages have as many places as the calls that can
    /// wait, and of their own: clients who pay take none from notaries, and the other way round. Returns `None` when all are taken.
    pub fn page_of_link(&self) -> Option<OwnedSemaphorePermit> {
        self.pages_of_links.clone().try_acquire_owned().ok()
    }

    /// Waits until a sheet may be read. The permit belongs to the thread that reads it: nothing stops that when the caller is gone.
    /// Returns `None` if the server ends.
    pub async fn sheet(&self) -> Option<OwnedSemaphorePermit> {
        self.sheets.clone().acquire_owned().await.ok()
    }

    /// Returns whether another report about the policy of a page is read from this address.
    pub fn reads_policy_report(&self, address: IpAddr) -> bool {
        self.policy_reports.is_read(address)
    }

    /// Returns whether other times of a page load are read from this address.
    pub fn reads_page_timing(&self, address: IpAddr) -> bool {
        self.page_timings.is_read(address)
    }

    /// Returns whether another report about the policy of a page is written into the log: one a minute, for anybody can send them.
    pub fn logs_policy_report(&self) -> bool {
        self.policy_report_lines.check().is_ok()
    }

    /// Reserves a realtime connection whose owner is not known yet, or never will be. One address can't take the places of others.
    pub fn unknown_of_address(&self, address: IpAddr) -> Option<Place> {
        self.strangers_of_address.take(address)
    }

    /// Reserves a realtime connection until the permit is dropped. Returns `None` when the limit is reached.
    pub fn connection(&self) -> Option<OwnedSemaphorePermit> {
        self.connections.clone().try_acquire_owned().ok()
    }

    /// Reserves a realtime connection of a person who is not signed in. The lower limit keeps connections free for notaries.
    pub fn connection_of_stranger(&self) -> Option<OwnedSemaphorePermit> {
        self.connections_of_strangers
            .clone()
            .try_acquire_owned()
            .ok()
    }

    /// Sets the metrics of realtime connections.
    pub fn measure(&self) {
        let open = CONNECTIONS_MAX.saturating_sub(self.connections.available_permits());
        let strangers = CONNECTIONS_OF_STRANGERS_MAX
            .saturating_sub(self.connections_of_strangers.available_permits());
        REALTIME_CONNECTIONS.set(Listener::Stranger, strangers as f64);
        let signed_in = open.saturating_sub(strangers);
        REALTIME_CONNECTIONS.set(Listener::SignedIn, signed_in as f64);
    }

    /// Counts a step of a confirmation. A session's own steps don't count with those of others: whoever has another session of the notary
    /// does not keep her from proving anything.
    ///
    /// # Errors
    /// Refused with `too_many_requests` and the time to wait when the limit is reached.
    pub fn count_confirmation(&self, session: SessionId) -> Result<(), Refusal> {
        let checked = self.confirmations.check_key(&session);
        checked.map_err(|until| self.too_many(&until))
    }

    /// Counts what anybody may ask for: the check of a receipt, and a realtime token without a login. It takes nothing from the logins
    /// of the same address.
    ///
    /// # Errors
    /// Refused with `too_many_requests` and the time to wait when the limit is reached.
    pub fn count_public_request(&self, address: IpAddr) -> Result<(), Refusal> {
        let checked = self.public_requests.check_key(&network_of(address));
        checked.map_err(|until| self.too_many(&until))
    }

    /// Whether something may still be compared with a receipt today.
    pub fn may_compare(&self, receipt: i64) -> bool {
        let now = self.clock.now();
        let all = self.wrong_comparisons();
        all.get(&receipt).is_none_or(|(began, count)| {
            now.saturating_sub(*began) >= DAY || *count < WRONG_COMPARISONS_MAX
        })
    }

    /// Counts a comparison with a receipt that names something else.
    pub fn count_wrong_comparison(&self, receipt: i64) {
        let now = self.clock.now();
        let mut all = self.wrong_comparisons();
        let (began, count) = all.entry(receipt).or_insert((now, 0));
        if now.saturating_sub(*began) >= DAY {
            (*began, *count) = (now, 0);
        }
        *count = count.saturating_add(1);
    }

    fn wrong_comparisons(&self) -> MutexGuard<'_, HashMap<i64, (Duration, u32)>> {
        let all = self.wrong_comparisons.lock();
        all.unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request for the page of a client's link.
    ///
    /// # Errors
    /// Refused with `too_many_requests` and the time to wait when the limit is reached.
    pub fn count_client_request(&self, address: IpAddr) -> Result<(), Refusal> {
        let checked = self.client_requests.check_key(&network_of(address));
        checked.map_err(|until| self.too_many(&until))
    }

    /// Counts what is done by a client's link. The notary's own calls don't count with it.
    ///
    /// # Errors
    /// Refused with `too_many_requests` and the time to wait when the limit is reached.
    pub fn count_action_of_link(&self, token: &str) -> Result<(), Refusal> {
        let checked = self.actions_of_link.check_key(&hash_of(token));
        checked.map_err(|until| self.too_many(&until))
    }

    /// Counts that an open page of a client's link has the acquirer asked. Returns whether it may.
    pub fn count_question_of_link(&self, token: &str) -> bool {
        self.questions_of_link.check_key(&hash_of(token)).is_ok()
    }

    /// Counts an attempt to log in or to sign up.
    ///
    /// # Errors
    /// Refused with `too_many_requests` and the time to wait when the limit is reached.
    pub fn count_login_attempt(&self, address: IpAddr) -> Result<(), Refusal> {
        let checked = self.login_attempts.check_key(&network_of(address));
        checked.map_err(|until| self.too_many(&until))
    }

    /// Counts a step of a login by a passkey.
    ///
    /// # Errors
    /// Refused with `too_many_requests` and the time to wait when the limit is reached.
    pub fn count_passkey_login(&self, address: IpAddr) -> Result<(), Refusal> {
        let checked = self.passkey_logins.check_key(&network_of(address));
        checked.map_err(|until| self.too_many(&until))
    }

    /// Counts an operation whose cost all notaries share: a call to the acquirer, which has one rate limit for the whole cabinet, or an
    /// export. Must be called before the operation.
    ///
    /// # Errors
    /// Refused with `too_many_requests` and the time to wait when the limit is reached.
    pub fn count_acquirer_call(&self, notary: NotaryId) -> Result<(), Refusal> {
        let checked = self.acquirer_calls.check_key(&notary);
        checked.map_err(|until| self.too_many(&until))
    }

    fn too_many(&self, until: &NotUntil<Duration>) -> Refusal {
        Refusal::new(
            RefusalKind::TooMany(until.wait_time_from(self.clock.now())),
            Key::TooManyRequests,
        )
    }

    /// Removes idle addresses and notaries. Must be called regularly, otherwise the tables only grow.
    pub fn forget_idle(&self) {
        self.login_attempts.retain_recent();
        self.login_attempts.shrink_to_fit();
        self.passkey_logins.retain_recent();
        self.passkey_logins.shrink_to_fit();
        self.confirmations.retain_recent();
        self.confirmations.shrink_to_fit();
        self.public_requests.retain_recent();
        self.public_requests.shrink_to_fit();
        self.acquirer_calls.retain_recent();
        self.acquirer_calls.shrink_to_fit();
        self.client_requests.retain_recent();
        self.client_requests.shrink_to_fit();
        self.actions_of_link.retain_recent();
        self.actions_of_link.shrink_to_fit();
        self.questions_of_link.retain_recent();
        self.questions_of_link.shrink_to_fit();
        self.policy_reports.forget_idle();
        self.page_timings.forget_idle();
        let now = self.clock.now();
        let mut comparisons = self.wrong_comparisons();
        comparisons.retain(|_, (began, _)| now.saturating_sub(*began) < DAY);
        comparisons.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn strangers_take_no_place_of_a_notary_and_give_theirs_back() {
        let limits = Limits::new(&ApiSettings::testing(), PassingTime::default());
        let mut places: Vec<_> = (0..CONNECTIONS_OF_STRANGERS_MAX)
            .map(|_| limits.connection_of_stranger().unwrap())
            .collect();
        assert!(limits.connection_of_stranger().is_none());
        assert!(limits.connection().is_some());
        places.pop();
        assert!(limits.connection_of_stranger().is_some());
    }

    #[test]
    fn a_network_has_five_times_what_an_address_has() {
        let places = Places::new(2);
        for of_network in ["198.51.100.", "2001:db8:7:"] {
            let end = if of_network.contains(':') { "::1" } else { "" };
            let take =
                |number: usize| places.take(format!("{of_network}{number}{end}").parse().unwrap());
            let taken: Vec<_> = (0..10).map(|number| take(number / 2)).collect();
            assert!(taken.iter().all(Option::is_some), "{of_network}");
            assert!(take(5).is_none(), "a fresh address of {of_network}");
            drop(taken);
            assert!(take(5).is_some());
        }
        assert!(places.take("198.51.101.1".parse().unwrap()).is_some());
    }

    #[tokio::test]
    async fn two_sheets_are_read_at_a_time() {
        let limits = Limits::new(&ApiSettings::testing(), PassingTime::default());
        let first = limits.sheet().await;
        let second = limits.sheet().await;
        assert!(first.is_some() && second.is_some());
        let waits = tokio::time::timeout(Duration::from_millis(1), limits.sheet());
        assert!(waits.await.is_err());
        drop(first);
        assert!(limits.sheet().await.is_some());
    }

    #[test]
    fn a_notary_takes_two_archives_at_a_time() {
        let limits = Limits::new(&ApiSettings::testing(), PassingTime::default());
        let notary = |number| NotaryId::new(uuid::Uuid::from_u128(number));
        let first = limits.archive(notary(1));
        let second = limits.archive(notary(1));
        assert!(first.is_ok() && second.is_ok());
        assert!(limits.archive(notary(1)).is_err());
        assert!(limits.archive(notary(2)).is_ok());
        drop(first);
        assert!(limits.archive(notary(1)).is_ok());
    }

    #[test]
    fn reports_of_many_addresses_together_have_a_limit() {
        let limits = Limits::new(&ApiSettings::testing(), PassingTime::default());
        let first = u32::from_be_bytes([198, 18, 0, 0]);
        let is_read =
            |number| limits.reads_policy_report(Ipv4Addr::from_bits(first + number).into());
        let read = (0..20 * ALL_POLICY_REPORTS_PER_MINUTE)
            .filter(|number| is_read(*number))
            .count();
        // Places become free again while the test runs.
        let most = ALL_POLICY_REPORTS_PER_MINUTE as usize;
        assert!((most..10 * most).contains(&read), "{read}");
    }

    #[test]
    fn places_become_free_when_the_clock_is_advanced() {
        let time = PassingTime::default();
        let settings = ApiSettings::testing();
        let limits = Limits::new(&settings, time.clone());
        let attempt = || limits.count_login_attempt(Ipv4Addr::LOCALHOST.into());
        while attempt().is_ok() {}
        time.advance(Duration::from_secs(60)).unwrap();
        for _ in 0..settings.login_attempts_per_minute {
            assert!(attempt().is_ok());
        }
    }

    #[test]
    fn an_address_takes_no_place_of_another_and_gives_its_own_back() {
        let places = Places::new(2);
        let take = |address: &str| places.take(address.parse().unwrap());
        let first = take("2001:db8:1:2::1");
        let second = take("2001:db8:1:2::2");
        assert!(first.is_some() && second.is_some());
        assert!(take("2001:db8:1:2::3").is_none(), "the network is one");
        assert!(take("2001:db8:1:3::1").is_some());
        assert!(take("198.51.100.7").is_some());
        drop(first);
        assert!(take("2001:db8:1:2::3").is_some());
        drop(second);
        assert!(
            lock(&places.taken).is_empty(),
            "nothing is kept of those who left"
        );
    }
}
