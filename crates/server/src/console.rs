//! What the commands write for a person.

use std::io::{Error, ErrorKind, IsTerminal as _, Write};
use std::sync::OnceLock;

use anyhow::{anyhow, bail};

/// Why standard output was not written, the first time that it was not.
static NOT_WRITTEN: OnceLock<Error> = OnceLock::new();

/// Writes to standard output. A reader that has gone, as `head` does, is ignored; [`check_written`] tells of any other failure.
pub fn print(text: &str) {
    let mut output = std::io::stdout().lock();
    let written = output.write_all(text.as_bytes());
    if let Err(error) = written.and_then(|()| output.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = NOT_WRITTEN.set(error);
    }
}

/// Checks that all output was written.
///
/// # Errors
/// Says why it was not.
pub fn check_written() -> anyhow::Result<()> {
    match NOT_WRITTEN.get() {
        None => Ok(()),
        Some(error) => Err(anyhow!(
            "the output could not be written and is not whole: {error}"
        )),
    }
}

/// Shows on standard error what would be done, and makes sure that it is wanted: `yes` was given, or somebody at the terminal answers so.
///
/// # Errors
/// Nobody wants it, or nobody can be asked.
pub fn agree(what: &str, yes: bool) -> anyhow::Result<()> {
    advise(what);
    if yes {
        return Ok(());
    }
    match ask("Go on? (yes/no) ")?.as_deref().map(str::trim) {
        Some("yes") => Ok(()),
        Some(_) => bail!("nothing was changed"),
        None => bail!(
            "nothing was changed: without a terminal nobody can be asked. Look at what would be done, and repeat with --yes"
        ),
    }
}

/// Asks somebody at the terminal. `None`: there is no terminal.
///
/// # Errors
/// The terminal can't be read.
pub fn ask(question: &str) -> anyhow::Result<Option<String>> {
    if !std::io::stdin().is_terminal() {
        return Ok(None);
    }
    Ok(Some(line(question)?))
}

/// Reads a line of standard input. Somebody at a terminal is asked for it.
///
/// # Errors
/// Standard input can't be read.
pub fn line(question: &str) -> Result<String, Error> {
    let input = std::io::stdin();
    if input.is_terminal() {
        advise(question);
    }
    let mut line = String::new();
    input.read_line(&mut line)?;
    Ok(line)
}

/// Writes a line to standard error. A closed output is ignored.
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "cabinet: {text}");
}

/// Writes to standard error what a person may want to know beside the output. A closed output is ignored.
pub fn advise(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
