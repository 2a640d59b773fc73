//! Errors of the sandbox.

use std::path::PathBuf;

/// Why the sandbox cannot be started or cannot sign.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// A signing key cannot be made.
    #[error("a signing key cannot be made")]
    Key,
    /// The HTTP client that delivers reports cannot be built.
    #[error("the HTTP client for reports cannot be built")]
    Client(#[source] reqwest::Error),
    /// The table of recipients lacks a column, or is no table.
    #[error("the table of recipients' accounts cannot be read")]
    Recipients,
    /// The journal cannot be read or written.
    #[error("the journal {} cannot be read or written", path.display())]
    Journal {
        /// The journal's file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A line of the journal is damaged. An incomplete last line is no error: the process may have been killed.
    #[error("line {line} of the journal {} is damaged", path.display())]
    Damaged {
        /// The journal's file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
    },
}
