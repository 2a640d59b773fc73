//! Rate limits for login attempts and acquirer calls, and the limit of realtime connections.
//!
//! They limit bursts and are kept in memory. The limits of one-time codes are counted in the database and survive a restart.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use cabinet_app::network_of;
use cabinet_app::refusal::RefusalKind;
use cabinet_domain::{Key, NotaryId};
use governor::clock::{Clock, DefaultClock, QuantaInstant};
use governor::{DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::refusal::Refusal;

/// Realtime connections of one server: more than one for each notary in Ukraine.
const CONNECTIONS_MAX: usize = 10_000;
/// Realtime connections of people who are not signed in and wait for a phone call.
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
    /// Limits with these rates: login attempts of one network address, and acquirer calls of one notary.
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

    /// Counts an attempt to log in, to sign up, to get an anonymous realtime token or to check a receipt.
    ///
    /// # Errors
    /// Refused with `too_many_requests` and the time to wait when the limit is reached.
    pub fn count_login_attempt(&self, address: IpAddr) -> Result<(), Refusal> {
        let checked = self.login_attempts.check_key(&network_of(address));
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

    fn too_many(&self, until: &NotUntil<QuantaInstant>) -> Refusal {
        Refusal::new(
            RefusalKind::TooMany(until.wait_time_from(self.clock.now())),
            Key::TooManyRequests,
        )
    }

    /// Removes idle addresses and notaries. Must be called regularly, otherwise the tables only grow.
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
