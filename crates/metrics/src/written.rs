//! Metrics that are written when they are read: they belong to the process or never change.

use std::fmt::Write as _;

use crate::metric::{Described, Kind};

/// A metric that is written as text when the metrics are read.
pub struct Written {
    name: &'static str,
    kind: Kind,
    labels: &'static [&'static str],
    help: &'static str,
}

impl Written {
    const fn new(
        name: &'static str,
        kind: Kind,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Written {
        Written {
            name,
            kind,
            labels,
            help,
        }
    }

    /// Writes the metric with its description.
    pub fn write(&self, text: &mut String, labels: &[&str], value: f64) {
        let kind = match self.kind {
            Kind::Counter => "counter",
            Kind::Gauge | Kind::Histogram => "gauge",
        };
        let named = self.labels.iter().zip(labels);
        let labels: Vec<String> = named
            .map(|(name, value)| format!("{name}=\"{value}\""))
            .collect();
        let labels = match labels.as_slice() {
            [] => String::new(),
            some => format!("{{{}}}", some.join(",")),
        };
        let (name, help) = (self.name, self.help);
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "# HELP {name} {help}\n# TYPE {name} {kind}\n{name}{labels} {value}\n\n"
        );
    }
}

impl Described for Written {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn labels(&self) -> &'static [&'static str] {
        self.labels
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn buckets(&self) -> &'static [f64] {
        &[]
    }

    fn combinations(&self) -> Vec<Vec<&'static str>> {
        Vec::new()
    }

    fn start(&self) {}
}

/// The program.
pub static BUILD_INFO: Written = Written::new(
    "cabinet_build_info",
    Kind::Gauge,
    &["version", "database"],
    "1: the version of the program, and the kind of its database",
);

/// Processor time.
pub static PROCESS_CPU: Written = Written::new(
    "process_cpu_seconds_total",
    Kind::Counter,
    &[],
    "Processor time of the process in seconds",
);

/// Open files.
pub static PROCESS_FILES: Written = Written::new(
    "process_open_fds",
    Kind::Gauge,
    &[],
    "Open files of the process, connections included",
);

/// The limit of open files.
pub static PROCESS_FILES_MAX: Written = Written::new(
    "process_max_fds",
    Kind::Gauge,
    &[],
    "Files that the process may have open",
);

/// Memory in use.
pub static PROCESS_RESIDENT: Written = Written::new(
    "process_resident_memory_bytes",
    Kind::Gauge,
    &[],
    "Memory of the process in bytes",
);

/// Reserved memory.
pub static PROCESS_VIRTUAL: Written = Written::new(
    "process_virtual_memory_bytes",
    Kind::Gauge,
    &[],
    "Addresses that the process has reserved in bytes",
);

/// Threads.
pub static PROCESS_THREADS: Written = Written::new(
    "process_threads",
    Kind::Gauge,
    &[],
    "Threads of the process",
);

/// When the process was started.
pub static PROCESS_START: Written = Written::new(
    "process_start_time_seconds",
    Kind::Gauge,
    &[],
    "When the process was started, in seconds since 1970",
);
