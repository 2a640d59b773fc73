//! What a file in XML may hold, counted before it is read: its tree, and what is read of it, grow with these.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::problem::{Finding, Problem};

/// Deepest nesting of elements. The messages of ISO 20022 have less than twenty.
const DEPTH_MAX: usize = 64;
/// Most attributes of an element. All of them are compared with each other. The messages have four at the most, in the outermost element.
const ATTRIBUTES_MAX: usize = 16;
/// Most declarations of namespaces: an element with one of its own keeps all of its parents' once more.
const NAMESPACES_MAX: usize = 64;
/// Most elements. A statement of 100,000 entries has about two and a half millions.
const ELEMENTS_MAX: usize = 4_000_000;
/// Most entries and payments.
pub(crate) const ENTRIES_MAX: usize = 400_000;
/// The elements of which each may become an entry.
const ENTRIES: [&str; 5] = [
    "Ntry",
    "TxDtls",
    "TxInfAndSts",
    "OrgnlPmtInfAndSts",
    "CdtTrfTxInf",
];

#[derive(Default)]
struct Counted {
    depth: usize,
    namespaces: usize,
    elements: usize,
    entries: usize,
}

/// Refuses a file that holds more than is read. It takes one pass and no memory.
///
/// # Errors
/// The finding with its line.
pub(crate) fn check(text: &str) -> Result<(), Finding> {
    let mut reader = Reader::from_str(text);
    let mut counted = Counted::default();
    loop {
        let problem = match reader.read_event() {
            Ok(Event::Start(start)) => {
                counted.depth += 1;
                counted.add(&start)
            }
            Ok(Event::Empty(start)) => counted.add(&start),
            Ok(Event::End(_)) => {
                counted.depth = counted.depth.saturating_sub(1);
                Ok(())
            }
            Ok(Event::DocType(_)) => Err(Problem::EntitiesDefined),
            Ok(Event::Eof) => return Ok(()),
            Ok(_) => Ok(()),
            Err(_) => Err(Problem::NotXml),
        };
        if let Err(problem) = problem {
            let place = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
            let before = text.as_bytes().iter().take(place);
            let line = before.filter(|byte| **byte == b'\n').count() + 1;
            return Err(Finding { line, problem });
        }
    }
}

impl Counted {
    fn add(&mut self, start: &BytesStart<'_>) -> Result<(), Problem> {
        self.elements += 1;
        self.entries += usize::from(ENTRIES.contains(&start.local_name().into_inner()));
        let mut attributes = 0;
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|_| Problem::NotXml)?;
            attributes += 1;
            self.namespaces += usize::from(attribute.key.as_namespace_binding().is_some());
            if attributes > ATTRIBUTES_MAX {
                return Err(Problem::TooLarge);
            }
        }
        let is_too_large = self.depth > DEPTH_MAX
            || self.namespaces > NAMESPACES_MAX
            || self.elements > ELEMENTS_MAX
            || self.entries > ENTRIES_MAX;
        if is_too_large {
            return Err(Problem::TooLarge);
        }
        Ok(())
    }
}
