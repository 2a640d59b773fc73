//! How often one network address may try to enter.
//!
//! The limits of codes are counted in the database and survive a restart; this one is about bursts and lives in memory.

use std::net::IpAddr;
use std::num::NonZeroU32;

use cabinet_app::refusal::Sort;
use cabinet_domain::Key;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::refusal::Refusal;

/// The limits of one server.
pub struct Limits {
    entering: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
}

impl Limits {
    /// So many calls a minute for one network address.
    pub fn new(entering_per_minute: u32) -> Limits {
        let most = NonZeroU32::new(entering_per_minute).unwrap_or(NonZeroU32::MIN);
        Limits {
            entering: RateLimiter::keyed(Quota::per_minute(most)),
            clock: DefaultClock::default(),
        }
    }

    /// Counts a try to enter.
    ///
    /// # Errors
    /// `too_many_requests` with the time to wait.
    pub fn entering(&self, address: IpAddr) -> Result<(), Refusal> {
        self.entering.check_key(&address).map_err(|until| {
            Refusal::new(
                Sort::TooMany(until.wait_time_from(self.clock.now())),
                Key::TooManyRequests,
            )
        })
    }

    /// Forgets addresses that have not been seen for a while; called now and then, or the table only grows.
    pub fn forget_idle(&self) {
        self.entering.retain_recent();
        self.entering.shrink_to_fit();
    }
}
