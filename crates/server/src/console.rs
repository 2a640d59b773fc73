//! What the commands write for a person.

use std::io::Write;

/// Writes to standard output. A closed output is ignored.
pub fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
    let _ = std::io::stdout().flush();
}

/// Writes a line to standard error. A closed output is ignored.
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "cabinet: {text}");
}

/// Writes to standard error what a person may want to know beside the output. A closed output is ignored.
pub fn advise(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
