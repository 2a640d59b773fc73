//! What commands take from the machine: the time, random bytes, and who runs them.

use std::sync::Arc;

use cabinet_app::audit::Recorder;
use cabinet_clock::SystemClock;
use cabinet_domain::{Clock as _, Origin, Randomness};
use jiff::Timestamp;
use rand::{TryRngCore, rngs::OsRng};

/// The machine's time, for a command.
pub fn now() -> Timestamp {
    SystemClock::default().now()
}

/// Returns the recorder of the operator's commands, with the name of the user of the operating system.
pub fn operator_recorder(variable: impl Fn(&str) -> Option<String>) -> Recorder {
    let origin = Origin::operator(user(variable, uid()));
    Recorder::new(
        Arc::new(SystemClock::default()),
        Arc::new(SystemRandomness),
        origin,
    )
}

/// The longest name of a user that is kept, in characters.
const USER_CHARS_MAX: usize = 64;

/// Stands for a user of whom nothing is known.
const UNKNOWN_USER: &str = "unknown";

/// Returns who runs a command: the name that the environment has, and the number that the system tells.
fn user(variable: impl Fn(&str) -> Option<String>, uid: Option<u32>) -> String {
    let named = ["USER", "LOGNAME"].into_iter().find_map(|name| {
        let name: String = variable(name)?
            .chars()
            .filter(|character| !character.is_control())
            .take(USER_CHARS_MAX)
            .collect();
        (!name.trim().is_empty()).then_some(name)
    });
    match (named, uid) {
        // What looks like the system's word is not taken from the environment.
        (Some(name), Some(uid)) if !name.starts_with("uid ") => format!("{name}, uid {uid}"),
        (_, Some(uid)) => format!("uid {uid}"),
        (Some(name), None) if name != UNKNOWN_USER => name,
        (_, None) => UNKNOWN_USER.to_owned(),
    }
}

/// Returns who ran a command, as the audit trail is shown. The number is the system's word. A name comes from the environment, which whoever
/// runs the command can set, so it proves nothing.
pub fn shown_user(user: &str) -> String {
    let number = user.strip_prefix("uid ");
    let is_number = number.is_some_and(|number| number.parse::<u32>().is_ok());
    if is_number || user == UNKNOWN_USER {
        user.to_owned()
    } else {
        format!("{user} (name not proved)")
    }
}

/// Returns the number of the user who runs this process.
fn uid() -> Option<u32> {
    let process = std::fs::metadata("/proc/self").ok()?;
    Some(std::os::unix::fs::MetadataExt::uid(&process))
}

/// The random number generator of the operating system. The process aborts when it fails.
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, buffer: &mut [u8]) {
        // Codes and tokens that can be guessed would let strangers in.
        if OsRng.try_fill_bytes(buffer).is_err() {
            tracing::error!("The operating system gives no random bytes: stopping");
            std::process::abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operator_has_the_name_of_the_system_or_a_number() {
        let named = |pairs: &'static [(&str, &str)], uid| {
            let variable = |name: &str| {
                let found = pairs.iter().find(|(other, _)| *other == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            user(variable, uid)
        };
        assert_eq!(
            named(&[("USER", "oksana"), ("LOGNAME", "root")], Some(7)),
            "oksana, uid 7"
        );
        assert_eq!(
            named(&[("USER", " "), ("LOGNAME", "ok\nsana")], Some(7)),
            "oksana, uid 7"
        );
        assert_eq!(named(&[("USER", "uid 1")], Some(7)), "uid 7");
        assert_eq!(named(&[("USER", "unknown")], None), "unknown");
        assert_eq!(named(&[], Some(7)), "uid 7");
        assert_eq!(named(&[], None), "unknown");
        assert!(uid().is_some());
    }

    #[test]
    fn a_name_of_the_environment_is_shown_as_not_proved() {
        for (kept, shown) in [
            ("oksana", "oksana (name not proved)"),
            ("oksana, uid 7", "oksana, uid 7 (name not proved)"),
            ("uid 7", "uid 7"),
            ("uid seven", "uid seven (name not proved)"),
            ("unknown", "unknown"),
        ] {
            assert_eq!(shown_user(kept), shown);
        }
    }
}
