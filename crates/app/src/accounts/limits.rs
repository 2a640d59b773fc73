//! Limits of codes and login attempts, by phone and by network address. They are counted from stored rows, so they survive a
//! restart.

use std::time::Duration;

use cabinet_domain::{Key, Phone};
use cabinet_storage::{StorageError, Tx, login_operations};
use jiff::{SignedDuration, Timestamp};

use crate::keys::Digest;
use crate::refusal::{Refusal, RefusalKind};
use crate::settings::CodeSettings;

const HOUR: SignedDuration = SignedDuration::from_hours(1);
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// How many of something are allowed within a time.
pub(super) struct Limit<'a> {
    counted: Counted<'a>,
    most: i64,
    window: SignedDuration,
}

/// What is counted against a limit.
#[derive(Clone, Copy)]
enum Counted<'a> {
    CodesOfPhone(&'a Phone),
    AttemptsOfAddress(&'a Digest),
    /// Short codes can be guessed by trying a few at each of many phones.
    WrongCodesOfAddress(&'a Digest),
}

/// Returns the limits of an address.
pub(super) fn limits_of_address<'a>(address: &'a Digest, codes: &CodeSettings) -> [Limit<'a>; 2] {
    [
        Limit {
            counted: Counted::AttemptsOfAddress(address),
            most: codes.address_hourly_max,
            window: HOUR,
        },
        Limit {
            counted: Counted::WrongCodesOfAddress(address),
            most: codes.address_wrong_daily_max,
            window: DAY,
        },
    ]
}

/// Returns the limits of a phone.
pub(super) fn limits_of_phone<'a>(phone: &'a Phone, codes: &CodeSettings) -> [Limit<'a>; 2] {
    let counted = Counted::CodesOfPhone(phone);
    [
        Limit {
            counted,
            most: codes.hourly_max,
            window: HOUR,
        },
        Limit {
            counted,
            most: codes.daily_max,
            window: DAY,
        },
    ]
}

impl Limit<'_> {
    /// Returns the refusal where the limit is reached.
    pub(super) fn refusal(
        &self,
        tx: &mut Tx,
        now: Timestamp,
    ) -> Result<Option<Refusal>, StorageError> {
        let since = now - self.window;
        let (count, oldest) = match self.counted {
            Counted::CodesOfPhone(phone) => login_operations::count_of_phone(tx, phone, since)?,
            Counted::AttemptsOfAddress(address) => {
                login_operations::count_of_address(tx, address, since)?
            }
            Counted::WrongCodesOfAddress(address) => {
                login_operations::wrong_codes_of_address(tx, address, since)?
            }
        };
        if count < self.most {
            return Ok(None);
        }
        let until = oldest.map_or(now, |oldest| oldest + self.window);
        let wait = whole_seconds(until.duration_since(now));
        let key = match self.counted {
            Counted::CodesOfPhone(_) => Key::TooManyCodes,
            Counted::AttemptsOfAddress(_) | Counted::WrongCodesOfAddress(_) => {
                Key::TooManyCodesFromAddress
            }
        };
        Ok(Some(
            Refusal::new(RefusalKind::TooMany(wait), key).on("phone"),
        ))
    }
}

/// Returns a waiting time rounded up to seconds, at least one.
pub(super) fn whole_seconds(wait: SignedDuration) -> Duration {
    let wait = wait.unsigned_abs();
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    Duration::from_secs(seconds.max(1))
}
