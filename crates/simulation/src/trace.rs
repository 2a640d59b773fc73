//! The trace of a history: a short line for each event, with short names in place of ids.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use crate::time::Time;

/// A trace. Clones share it.
#[derive(Clone)]
pub(crate) struct Trace {
    time: Arc<Time>,
    began: Timestamp,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    lines: Vec<String>,
    names: HashMap<String, String>,
    given: HashMap<&'static str, usize>,
}

impl Trace {
    pub(crate) fn new(time: Arc<Time>) -> Trace {
        Trace {
            began: time.truth(),
            time,
            inner: Arc::default(),
        }
    }

    pub(crate) fn note(&self, text: impl AsRef<str>) {
        let passed = self.time.truth().duration_since(self.began);
        let (seconds, millis) = (passed.as_secs(), passed.subsec_millis());
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        let line = format!(
            "{hours:02}:{minutes:02}:{:02}.{millis:03} {}",
            seconds % 60,
            text.as_ref()
        );
        self.inner().lines.push(line);
    }

    /// Returns the short name of an id, for instance `invoice-1`.
    pub(crate) fn name(&self, kind: &'static str, id: &str) -> String {
        let mut inner = self.inner();
        if let Some(name) = inner.names.get(id) {
            return name.clone();
        }
        let number = inner.given.entry(kind).or_insert(0);
        *number += 1;
        let name = format!("{kind}-{number}");
        inner.names.insert(id.to_owned(), name.clone());
        name
    }

    /// Returns the subject of an alarm, with a short name.
    pub(crate) fn name_subject(&self, subject: &str) -> String {
        match subject.split_once(':') {
            Some(("invoice", id)) => self.name("invoice", id),
            Some(("attempt", id)) => self.name("attempt", id),
            _ => subject.to_owned(),
        }
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.inner().lines.clone()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
