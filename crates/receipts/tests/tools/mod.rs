//! Reads a PDF by independent programs: poppler's pdftotext, pdfinfo and pdffonts, and qpdf. The tests need them installed
//! (Debian: `poppler-utils`, `qpdf`).

#![expect(
    clippy::expect_used,
    reason = "a test stops where a program it needs is missing"
)]

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A PDF in a temporary file, deleted at the end.
struct File(PathBuf);

impl File {
    fn new(pdf: &[u8]) -> File {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("receipt-{}-{number}.pdf", std::process::id()));
        std::fs::write(&path, pdf).expect("the temporary folder can be written");
        File(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

/// What a program says about a PDF; it must end well.
fn ask(program: &str, before: &[&str], pdf: &[u8], after: &[&str]) -> String {
    let file = File::new(pdf);
    let output = Command::new(program)
        .args(before)
        .arg(&file.0)
        .args(after)
        .output()
        .unwrap_or_else(|error| panic!("{program} must be installed for this test: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{program} {:?}: {text}{errors}",
        output.status
    );
    text
}

/// The text in reading order, with every run of white space as one space.
pub fn text(pdf: &[u8]) -> String {
    let text = ask("pdftotext", &["-enc", "UTF-8"], pdf, &["-"]);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of each page, laid out as on paper.
pub fn pages(pdf: &[u8]) -> Vec<String> {
    let text = ask("pdftotext", &["-enc", "UTF-8", "-layout"], pdf, &["-"]);
    text.split_terminator('\u{c}').map(str::to_owned).collect()
}

/// What pdfinfo says.
pub fn info(pdf: &[u8]) -> String {
    ask("pdfinfo", &[], pdf, &[])
}

/// The structure of the document with its text, as a screen reader would get it.
pub fn structure(pdf: &[u8]) -> String {
    ask("pdfinfo", &["-struct-text"], pdf, &[])
}

/// The fonts, one a line.
pub fn fonts(pdf: &[u8]) -> Vec<String> {
    ask("pdffonts", &[], pdf, &[])
        .lines()
        .skip(2)
        .map(str::to_owned)
        .collect()
}

/// What qpdf says of the file's syntax.
pub fn check(pdf: &[u8]) -> String {
    ask("qpdf", &["--check"], pdf, &[])
}
