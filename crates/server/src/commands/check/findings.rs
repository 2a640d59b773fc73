//! What a check has found.

use serde_json::{Value, json};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    /// As it should be.
    Fine,
    /// The server starts, and something does not work or will not last.
    Warning,
    /// The server does not start.
    Blocks,
}

impl Weight {
    const fn name(self) -> &'static str {
        match self {
            Weight::Fine => "fine",
            Weight::Warning => "warning",
            Weight::Blocks => "blocks",
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Weight::Fine => "fine    ",
            Weight::Warning => "WARNING ",
            Weight::Blocks => "BLOCKS  ",
        }
    }
}

struct Finding {
    weight: Weight,
    subject: &'static str,
    text: String,
    to_do: Option<String>,
}

impl Finding {
    fn line(&self) -> String {
        let Finding {
            weight,
            subject,
            text,
            to_do,
        } = self;
        let to_do = to_do.as_ref();
        let to_do = to_do.map_or(String::new(), |to_do| format!(". {to_do}"));
        format!("{}{subject}: {text}{to_do}\n", weight.word())
    }

    fn json(&self) -> Value {
        json!({
            "weight": self.weight.name(),
            "subject": self.subject,
            "text": self.text,
            "to_do": self.to_do,
        })
    }
}

/// Findings about one subject, or about all.
pub struct Findings {
    subject: &'static str,
    all: Vec<Finding>,
}

impl Findings {
    /// Begins with nothing.
    pub fn of(subject: &'static str) -> Findings {
        Findings {
            subject,
            all: Vec::new(),
        }
    }

    /// Something is as it should be.
    pub fn fine(&mut self, text: impl Into<String>) {
        self.add(Weight::Fine, text.into(), None);
    }

    /// Something does not work, or will not last.
    pub fn warn(&mut self, text: &str, to_do: &str) {
        self.add(Weight::Warning, text.to_owned(), Some(to_do));
    }

    /// The same for what says by itself what to do.
    pub fn warn_by(&mut self, text: &str) {
        self.add(Weight::Warning, text.to_owned(), None);
    }

    /// Something stops the start.
    pub fn blocks(&mut self, text: &str, to_do: &str) {
        self.add(Weight::Blocks, text.to_owned(), Some(to_do));
    }

    /// The same for what says by itself what to do.
    pub fn blocks_by(&mut self, text: &str) {
        self.add(Weight::Blocks, text.to_owned(), None);
    }

    /// Findings from now on are about another subject.
    pub fn about(&mut self, subject: &'static str) {
        self.subject = subject;
    }

    /// Adds others at the end.
    pub fn append(&mut self, mut others: Findings) {
        self.all.append(&mut others.all);
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns how many stop the start.
    pub fn blocking(&self) -> usize {
        let blocks = |finding: &&Finding| finding.weight == Weight::Blocks;
        self.all.iter().filter(blocks).count()
    }

    /// Returns them for a program, or for a person: one line each.
    pub fn text(&self, as_json: bool) -> String {
        if as_json {
            let all: Vec<Value> = self.all.iter().map(Finding::json).collect();
            format!(
                "{:#}\n",
                json!({ "blocking": self.blocking(), "findings": all })
            )
        } else {
            self.all.iter().map(Finding::line).collect()
        }
    }

    fn add(&mut self, weight: Weight, text: String, to_do: Option<&str>) {
        let text = text.trim_end_matches('.').replace('\n', " ");
        self.all.push(Finding {
            weight,
            subject: self.subject,
            text,
            to_do: to_do.map(str::to_owned),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line_with_what_to_do() {
        let mut findings = Findings::of("clock");
        findings.fine("right");
        findings.about("database");
        findings.blocks("no\nanswer.", "Start it.");
        assert_eq!(
            findings.text(false),
            "fine    clock: right\nBLOCKS  database: no answer. Start it.\n"
        );
        let told: Value = serde_json::from_str(&findings.text(true)).unwrap();
        assert_eq!(told["blocking"], 1);
        assert_eq!(told["findings"][1]["to_do"], "Start it.");
        assert_eq!(told["findings"][0]["to_do"], Value::Null);
    }
}
