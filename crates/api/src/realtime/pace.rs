//! How fast a realtime connection may send commands.

use std::time::Duration;

/// Commands that are carried out within a second. A page that connects anew sends three.
const COMMANDS_PER_SECOND: u32 = 20;
/// Refusals after which a connection is closed. A page meets one where its call has ended meanwhile.
const REFUSALS_MAX: u32 = 3;
const SECOND: Duration = Duration::from_secs(1);

/// Counts the commands of a connection.
#[derive(Debug, Default)]
pub struct Pace {
    /// When the second began in which commands are counted, since the connection was opened.
    began: Duration,
    commands: u32,
    refusals: u32,
}

impl Pace {
    /// Counts a command at a moment since the connection was opened. Returns whether it may be carried out.
    pub fn takes(&mut self, at: Duration) -> bool {
        if at.saturating_sub(self.began) >= SECOND {
            self.began = at;
            self.commands = 0;
        }
        self.commands = self.commands.saturating_add(1);
        self.commands <= COMMANDS_PER_SECOND
    }

    /// Counts a refusal. Returns whether the connection is to be closed.
    pub fn refuses(&mut self) -> bool {
        self.refusals += 1;
        self.refusals >= REFUSALS_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_commands_a_second_are_carried_out() {
        let mut pace = Pace::default();
        for second in 0..3 {
            let at = Duration::from_secs(second);
            let taken = (0..30).filter(|_| pace.takes(at)).count();
            assert_eq!(taken, 20, "{second}");
        }
        assert!(!pace.takes(Duration::from_millis(2_999)));
        assert!(pace.takes(Duration::from_millis(3_000)));
    }

    #[test]
    fn the_third_refusal_ends_a_connection() {
        let mut pace = Pace::default();
        assert_eq!(
            [pace.refuses(), pace.refuses(), pace.refuses()],
            [false, false, true]
        );
    }
}
