//! Counters, gauges and histograms with known labels.

use std::marker::PhantomData;
use std::sync::OnceLock;

use metrics::{Key, KeyName, Label, Level, Metadata, SharedString, with_recorder};

use crate::labels::Labels;

static METADATA: Metadata<'static> =
    Metadata::new(module_path!(), Level::INFO, Some(module_path!()));

/// The type of a metric in the text that Prometheus reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It only grows, and begins at zero with the process.
    Counter,
    /// It goes up and down.
    Gauge,
    /// Its samples are counted in buckets, which can be added over processes.
    Histogram,
}

/// What is known of a metric without its labels' types.
pub trait Described: Sync {
    /// Returns its name.
    fn name(&self) -> &'static str;

    /// Returns its type.
    fn kind(&self) -> Kind;

    /// Returns the names of its labels.
    fn labels(&self) -> &'static [&'static str];

    /// Returns what it says, for the operator.
    fn help(&self) -> &'static str;

    /// Returns the upper bounds of its buckets; none for anything but a histogram.
    fn buckets(&self) -> &'static [f64];

    /// Returns every combination of words that its labels have; none where they are not known before.
    fn combinations(&self) -> Vec<Vec<&'static str>>;

    /// Tells the recorder what it is, and makes every series at zero.
    fn start(&self);
}

struct Series<L> {
    name: &'static str,
    labels: &'static [&'static str],
    help: &'static str,
    /// Made once: building a key costs as much as a small statement of the database.
    keys: OnceLock<Vec<Key>>,
    of: PhantomData<fn(L)>,
}

/// Returns the words of every combination.
fn combinations<L: Labels>() -> Vec<Vec<&'static str>> {
    L::all().into_iter().map(Labels::words).collect()
}

impl<L: Labels> Series<L> {
    const fn new(
        name: &'static str,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Series<L> {
        Series {
            name,
            labels,
            help,
            keys: OnceLock::new(),
            of: PhantomData,
        }
    }

    fn keys(&self) -> &[Key] {
        self.keys.get_or_init(|| {
            let key = |values: L| {
                let names = self.labels.iter().copied();
                let labels: Vec<Label> = names
                    .zip(values.words())
                    .map(|(name, word)| Label::from_static_parts(name, word))
                    .collect();
                Key::from_parts(self.name, labels)
            };
            L::all().into_iter().map(key).collect()
        })
    }

    /// Runs `then` with the key of these labels.
    fn with_key(&self, labels: L, then: impl FnOnce(&Key)) {
        if let Some(key) = self.keys().get(labels.index()) {
            then(key);
        }
    }
}

/// A metric that only grows.
pub struct Counter<L = ()>(Series<L>);

impl<L: Labels> Counter<L> {
    /// Describes a counter.
    #[must_use]
    pub const fn new(
        name: &'static str,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Counter<L> {
        Counter(Series::new(name, labels, help))
    }

    /// Counts one event.
    pub fn count(&self, labels: L) {
        self.add(labels, 1);
    }

    /// Adds to the counter.
    pub fn add(&self, labels: L, more: u64) {
        self.0.with_key(labels, |key| {
            with_recorder(|recorder| recorder.register_counter(key, &METADATA)).increment(more);
        });
    }
}

impl<L: Labels> Described for Counter<L> {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn kind(&self) -> Kind {
        Kind::Counter
    }

    fn labels(&self) -> &'static [&'static str] {
        self.0.labels
    }

    fn help(&self) -> &'static str {
        self.0.help
    }

    fn buckets(&self) -> &'static [f64] {
        &[]
    }

    fn combinations(&self) -> Vec<Vec<&'static str>> {
        combinations::<L>()
    }

    fn start(&self) {
        with_recorder(|recorder| {
            recorder.describe_counter(
                KeyName::from_const_str(self.0.name),
                None,
                SharedString::const_str(self.0.help),
            );
            for key in self.0.keys() {
                recorder.register_counter(key, &METADATA).increment(0);
            }
        });
    }
}

/// A metric that goes up and down.
pub struct Gauge<L = ()>(Series<L>);

impl<L: Labels> Gauge<L> {
    /// Describes a gauge.
    #[must_use]
    pub const fn new(
        name: &'static str,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Gauge<L> {
        Gauge(Series::new(name, labels, help))
    }

    /// Sets the gauge.
    pub fn set(&self, labels: L, value: f64) {
        self.with(labels, |gauge| gauge.set(value));
    }

    /// Raises the gauge by one until the result is dropped.
    #[must_use]
    pub fn hold(&'static self, labels: L) -> Held<L> {
        self.with(labels, |gauge| gauge.increment(1.0));
        Held {
            gauge: self,
            labels,
        }
    }

    fn with(&self, labels: L, then: impl FnOnce(metrics::Gauge)) {
        self.0.with_key(labels, |key| {
            then(with_recorder(|recorder| {
                recorder.register_gauge(key, &METADATA)
            }));
        });
    }
}

/// A gauge that is raised by one.
pub struct Held<L: Labels = ()> {
    gauge: &'static Gauge<L>,
    labels: L,
}

impl<L: Labels> Drop for Held<L> {
    fn drop(&mut self) {
        self.gauge.with(self.labels, |gauge| gauge.decrement(1.0));
    }
}

impl<L: Labels> Described for Gauge<L> {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn kind(&self) -> Kind {
        Kind::Gauge
    }

    fn labels(&self) -> &'static [&'static str] {
        self.0.labels
    }

    fn help(&self) -> &'static str {
        self.0.help
    }

    fn buckets(&self) -> &'static [f64] {
        &[]
    }

    fn combinations(&self) -> Vec<Vec<&'static str>> {
        combinations::<L>()
    }

    fn start(&self) {
        with_recorder(|recorder| {
            recorder.describe_gauge(
                KeyName::from_const_str(self.0.name),
                None,
                SharedString::const_str(self.0.help),
            );
            for key in self.0.keys() {
                recorder.register_gauge(key, &METADATA).increment(0.0);
            }
        });
    }
}

/// A metric whose samples are counted in buckets.
pub struct Histogram<L = ()> {
    series: Series<L>,
    buckets: &'static [f64],
}

impl<L: Labels> Histogram<L> {
    /// Describes a histogram.
    #[must_use]
    pub const fn new(
        name: &'static str,
        labels: &'static [&'static str],
        buckets: &'static [f64],
        help: &'static str,
    ) -> Histogram<L> {
        Histogram {
            series: Series::new(name, labels, help),
            buckets,
        }
    }

    /// Records a sample.
    pub fn record(&self, labels: L, value: f64) {
        self.series.with_key(labels, |key| {
            with_recorder(|recorder| recorder.register_histogram(key, &METADATA)).record(value);
        });
    }
}

impl<L: Labels> Described for Histogram<L> {
    fn name(&self) -> &'static str {
        self.series.name
    }

    fn kind(&self) -> Kind {
        Kind::Histogram
    }

    fn labels(&self) -> &'static [&'static str] {
        self.series.labels
    }

    fn help(&self) -> &'static str {
        self.series.help
    }

    fn buckets(&self) -> &'static [f64] {
        self.buckets
    }

    fn combinations(&self) -> Vec<Vec<&'static str>> {
        combinations::<L>()
    }

    fn start(&self) {
        describe_histogram(self.series.name, self.series.help);
        with_recorder(|recorder| {
            for key in self.series.keys() {
                // The handle alone makes the series.
                let _ = recorder.register_histogram(key, &METADATA);
            }
        });
    }
}

/// A histogram by route. A label is the pattern of a route, never a path, because paths contain ids. A route is there from its first
/// request on.
pub struct Routes {
    name: &'static str,
    help: &'static str,
    buckets: &'static [f64],
}

impl Routes {
    const LABEL: &'static str = "route";

    /// Describes a histogram by route.
    #[must_use]
    pub const fn new(name: &'static str, buckets: &'static [f64], help: &'static str) -> Routes {
        Routes {
            name,
            help,
            buckets,
        }
    }

    /// Records a sample of a route.
    pub fn record(&self, pattern: &str, value: f64) {
        let label = Label::new(Routes::LABEL, pattern.to_owned());
        let key = Key::from_parts(self.name, vec![label]);
        with_recorder(|recorder| recorder.register_histogram(&key, &METADATA)).record(value);
    }
}

impl Described for Routes {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::Histogram
    }

    fn labels(&self) -> &'static [&'static str] {
        &[Routes::LABEL]
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn buckets(&self) -> &'static [f64] {
        self.buckets
    }

    fn combinations(&self) -> Vec<Vec<&'static str>> {
        Vec::new()
    }

    fn start(&self) {
        describe_histogram(self.name, self.help);
    }
}

fn describe_histogram(name: &'static str, help: &'static str) {
    with_recorder(|recorder| {
        recorder.describe_histogram(
            KeyName::from_const_str(name),
            None,
            SharedString::const_str(help),
        );
    });
}
