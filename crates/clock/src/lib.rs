//! The machine's time: the moment that its clock shows, and the time that passes.
//!
//! Both can be advanced together, by whoever has the [`PassingTime`] of a clock; only the sandbox's interface for tests does so. What
//! counts for a person or for another party (codes, pauses, limits, what the worker does and when) asks them. What belongs to this machine
//! alone stays with the machine: the time limits of connections, and how long something took.

mod passing_time;
mod system_clock;

pub use passing_time::{ADVANCE_SECONDS_MAX, AdvanceError, Moment, PassingTime};
pub use system_clock::SystemClock;
