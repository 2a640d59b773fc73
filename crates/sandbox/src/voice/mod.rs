//! The voice service: a Twilio-compatible interface and the simulated telephones behind it.

mod api;
mod line;
mod twiml;

pub(crate) use api::routes;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The status of a call, as the interface names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PhoneCallStatus {
    Queued,
    Ringing,
    InProgress,
    Completed,
    Busy,
    Failed,
    NoAnswer,
    Canceled,
}

impl PhoneCallStatus {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Ringing => "ringing",
            Self::InProgress => "in-progress",
            Self::Completed => "completed",
            Self::Busy => "busy",
            Self::Failed => "failed",
            Self::NoAnswer => "no-answer",
            Self::Canceled => "canceled",
        }
    }

    /// Whether the telephone can be answered.
    pub(crate) fn rings(self) -> bool {
        matches!(self, Self::Queued | Self::Ringing)
    }
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct PhoneCall {
    pub(crate) sid: String,
    /// Who is called, as `+380XXXXXXXXX`.
    pub(crate) phone: String,
    pub(crate) from: String,
    pub(crate) status: PhoneCallStatus,
    /// The texts that were said so far.
    pub(crate) heard: Vec<String>,
    pub(crate) started_at: Timestamp,
    instructions: Instructions,
    status_callback: Option<String>,
    events: Vec<String>,
    ring_time: Duration,
    /// The number of the next progress callback.
    sequence: u32,
}

impl PhoneCall {
    /// How many keys the call asks for, as far as its first instructions tell.
    pub(crate) fn keys(&self) -> usize {
        let gather = match &self.instructions {
            Instructions::Inline(text) => twiml::gather(text),
            Instructions::At(_) => None,
        };
        gather.and_then(|gather| gather.keys).unwrap_or(1)
    }
}

#[derive(Clone, Debug)]
enum Instructions {
    Inline(String),
    At(String),
}

/// All calls, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    phone_calls: Mutex<Vec<PhoneCall>>,
}

impl Exchange {
    /// Returns the calls, newest first, either all or those to one number.
    pub(crate) fn phone_calls(&self, phone: Option<&str>) -> Vec<PhoneCall> {
        let fits = |call: &&PhoneCall| phone.is_none_or(|phone| call.phone == phone);
        self.lock().iter().rev().filter(fits).cloned().collect()
    }

    fn add(&self, call: PhoneCall) {
        self.lock().push(call);
    }

    fn call(&self, sid: &str) -> Option<PhoneCall> {
        self.lock().iter().find(|call| call.sid == sid).cloned()
    }

    /// Changes a call. Returns the changed call, or `None` if there is no such call.
    fn change(&self, sid: &str, change: impl FnOnce(&mut PhoneCall)) -> Option<PhoneCall> {
        let mut calls = self.lock();
        let call = calls.iter_mut().find(|call| call.sid == sid)?;
        change(call);
        Some(call.clone())
    }

    /// Sets a call's status if its present status fulfils `may`. Returns the changed call.
    fn step(
        &self,
        sid: &str,
        may: fn(PhoneCallStatus) -> bool,
        to: PhoneCallStatus,
    ) -> Option<PhoneCall> {
        let mut calls = self.lock();
        let call = calls
            .iter_mut()
            .find(|call| call.sid == sid && may(call.status))?;
        call.status = to;
        Some(call.clone())
    }

    /// Returns the number of the next progress callback of a call.
    fn next_sequence(&self, sid: &str) -> u32 {
        let mut number = 0;
        self.change(sid, |call| {
            number = call.sequence;
            call.sequence += 1;
        });
        number
    }

    fn lock(&self) -> MutexGuard<'_, Vec<PhoneCall>> {
        self.phone_calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
