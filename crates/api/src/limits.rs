//! How often one network address may try to enter, one notary may have the acquirer asked, and how many may listen.
//!
//! The limits of codes are counted in the database and survive a restart; these are about bursts and live in memory.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use cabinet_app::network_of;
use cabinet_app::refusal::Sort;
use cabinet_domain::{Key, NotaryId};
use governor::clock::{Clock, DefaultClock, QuantaInstant};
use governor::{DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::refusal::Refusal;

/// Realtime connections of one server: more than one for each notary of the country.
const CONNECTIONS_MAX: usize = 10_000;
/// Those of people who are not signed in, who wait for a call.
const CONNECTIONS_OF_STRANGERS_MAX: usize = 1_000;

/// The limits of one server.
pub struct Limits {
    login_attempts: DefaultKeyedRateLimiter<IpAddr>,
    acquirer_calls: DefaultKeyedRateLimiter<NotaryId>,
    connections: Arc<Semaphore>,
    connections_of_strangers: Arc<Semaphore>,
    clock: DefaultClock,
}

impl Limits {
    /// So many tries a minute for one network address, and so many questions to the acquirer for one notary.
    pub fn new(login_attempts_per_minute: u32, acquirer_calls_per_minute: u32) -> Limits {
        let per_minute = |most| Quota::per_minute(NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN));
        Limits {
            login_attempts: RateLimiter::keyed(per_minute(login_attempts_per_minute)),
            acquirer_calls: RateLimiter::keyed(per_minute(acquirer_calls_per_minute)),
            connections: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
            connections_of_strangers: Arc::new(Semaphore::new(CONNECTIONS_OF_STRANGERS_MAX)),
            clock: DefaultClock::default(),
        }
    }

    /// A place among the realtime connections, for as long as it is held; `None` while all are taken.
    pub fn connection(&self) -> Option<OwnedSemaphorePermit> {
        self.connections.clone().try_acquire_owned().ok()
    }

    /// The same among those who are not signed in, so that they can't take the notaries' places.
    pub fn connection_of_stranger(&self) -> Option<OwnedSemaphorePermit> {
        self.connections_of_strangers
            .clone()
            .try_acquire_owned()
            .ok()
    }

    /// Counts a try to enter.
    ///
    /// # Errors
    /// `too_many_requests` with the time to wait.
    pub fn count_login_attempt(&self, address: IpAddr) -> Result<(), Refusal> {
        let checked = self.login_attempts.check_key(&network_of(address));
        checked.map_err(|until| self.too_many(&until))
    }

    /// Counts what costs all notaries something, before any of it is done for one: a call to the acquirer, which answers the cabinet as
    /// a whole only so often, or a table of payments.
    ///
    /// # Errors
    /// `too_many_requests` with the time to wait.
    pub fn count_acquirer_call(&self, notary: NotaryId) -> Result<(), Refusal> {
        let checked = self.acquirer_calls.check_key(&notary);
        checked.map_err(|until| self.too_many(&until))
    }

    fn too_many(&self, until: &NotUntil<QuantaInstant>) -> Refusal {
        Refusal::new(
            Sort::TooMany(until.wait_time_from(self.clock.now())),
            Key::TooManyRequests,
        )
    }

    /// Forgets addresses that have not been seen for a while; called now and then, or the table only grows.
    pub fn forget_idle(&self) {
        self.login_attempts.retain_recent();
        self.login_attempts.shrink_to_fit();
        self.acquirer_calls.retain_recent();
        self.acquirer_calls.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_take_no_place_of_a_notary_and_give_theirs_back() {
        let limits = Limits::new(60, 60);
        let mut places: Vec<_> = (0..CONNECTIONS_OF_STRANGERS_MAX)
            .map(|_| limits.connection_of_stranger().unwrap())
            .collect();
        assert!(limits.connection_of_stranger().is_none());
        assert!(limits.connection().is_some());
        places.pop();
        assert!(limits.connection_of_stranger().is_some());
    }
}
