//! What is recorded is described, in the manual and in the files for the collector, too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cabinet_domain::payment::AlarmKind;

use super::*;

/// Returns the metrics of a cabinet that has just started.
fn at_the_start() -> String {
    let recorder = builder().unwrap().build_recorder();
    ::metrics::with_local_recorder(&recorder, register);
    recorder.handle().render()
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn file(path: &str) -> String {
    std::fs::read_to_string(project().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The labels of a series, each with its words; no words: any.
type KnownLabels = BTreeMap<&'static str, BTreeSet<&'static str>>;

/// Returns the labels of every series by its name: a histogram has three, one of them with the bucket's bound.
fn known_series() -> BTreeMap<String, KnownLabels> {
    let mut known = BTreeMap::new();
    for metric in cabinet_metrics::ALL {
        // What the collector adds.
        let mut labels = KnownLabels::from([
            ("instance", BTreeSet::new()),
            ("job", BTreeSet::from(["cabinet"])),
        ]);
        for (place, label) in metric.labels().iter().enumerate() {
            let words = metric.combinations();
            labels.insert(label, words.iter().map(|words| words[place]).collect());
        }
        if metric.kind() == Kind::Histogram {
            let mut of_bucket = labels.clone();
            of_bucket.insert("le", BTreeSet::new());
            known.insert(format!("{}_bucket", metric.name()), of_bucket);
            for part in ["count", "sum"] {
                known.insert(format!("{}_{part}", metric.name()), labels.clone());
            }
        } else {
            known.insert(metric.name().to_owned(), labels);
        }
    }
    known
}

fn is_of_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_' || char == ':'
}

/// Returns the names of our metrics in a text, each with the labels and words by which it is selected there.
fn named_in(text: &str) -> Vec<(&str, Vec<Matched<'_>>)> {
    let mut named = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_of_word) {
        rest = &rest[start..];
        let end = rest.find(|char| !is_of_word(char)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        if !word.starts_with("cabinet_") && !word.starts_with("process_") {
            continue;
        }
        let selector = after
            .strip_prefix('{')
            .and_then(|text| text.split_once('}'));
        let labels = selector.map_or(Vec::new(), |(selector, _)| {
            selector.split(',').map(matched).collect()
        });
        named.push((word, labels));
    }
    named
}

/// A label, and the words of which it may have one.
type Matched<'text> = (&'text str, Vec<&'text str>);

/// Reads a matcher such as `outcome!~"ok|refused"`.
fn matched(matcher: &str) -> Matched<'_> {
    let (label, words) = matcher.split_once('"').unwrap_or((matcher, ""));
    let label = label.trim_end_matches(['=', '!', '~']).trim();
    (label, words.trim_end_matches('"').split('|').collect())
}

#[test]
fn every_series_is_there_before_its_first_event() {
    let metrics = at_the_start();
    for metric in cabinet_metrics::ALL {
        let is_written = metric.name().starts_with("process_") || metric.name().ends_with("_info");
        // A route is there from its first request on.
        if is_written || metric.labels() == ["route"] {
            continue;
        }
        let of_it = |line: &&str| {
            line.strip_prefix(metric.name())
                .is_some_and(|rest| rest.starts_with(['{', ' ', '_']))
        };
        let lines: Vec<&str> = metrics.lines().filter(of_it).collect();
        assert!(!lines.is_empty(), "{}", metric.name());
        for line in lines {
            assert!(line.ends_with(" 0"), "{line}");
        }
        let help = format!("# HELP {} {}", metric.name(), metric.help());
        assert!(metrics.contains(&help), "{help}");
    }
    for line in [
        "cabinet_outbound_calls_total{service=\"monobank\",call=\"invoice/create\",outcome=\"timed_out\"} 0",
        "cabinet_http_requests_total{group=\"paying\",outcome=\"failed\"} 0",
        "cabinet_http_request_duration_seconds_bucket{group=\"paying\",outcome=\"ok\",le=\"2.5\"} 0",
        "cabinet_order_paid_after_seconds_bucket{le=\"60\"} 0",
        "cabinet_queue_oldest_seconds{queue=\"payment_checks\"} 0",
    ] {
        assert!(metrics.lines().any(|known| known == line), "{line}");
    }
}

#[test]
fn every_alarm_is_at_zero_from_the_start() {
    let metrics = at_the_start();
    for kind in AlarmKind::ALL {
        let zero = format!("cabinet_alarms_total{{kind=\"{}\"}} 0", kind.as_str());
        assert!(metrics.contains(&zero), "{}", kind.as_str());
    }
}

#[test]
fn the_manual_has_every_metric_with_its_labels() {
    let manual = file("docs/operate/watching.md");
    let (_, table) = manual.split_once("| metric | meaning |").expect("a table");
    let (table, _) = table.split_once("\n\n").expect("an end");
    let mut listed: Vec<String> = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cell = row.split('|').nth(1).unwrap_or_default();
        listed.extend(cell.split('`').skip(1).step_by(2).map(str::to_owned));
    }
    let described: Vec<String> = cabinet_metrics::ALL
        .iter()
        .map(|metric| match metric.labels() {
            [] => metric.name().to_owned(),
            labels => format!("{}{{{}}}", metric.name(), labels.join(",")),
        })
        .collect();
    let of = |list: &[String]| list.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(of(&listed), of(&described));
    assert_eq!(listed.len(), described.len(), "one is there twice");
}

#[test]
fn rules_and_dashboard_name_metrics_that_are_there() {
    let known = known_series();
    for path in [
        "deploy/monitoring/cabinet.rules.yml",
        "deploy/monitoring/cabinet.rules.test.yml",
        "deploy/monitoring/dashboard.json",
    ] {
        let text = file(path).replace("\\\"", "\"");
        let named = named_in(&text);
        assert!(named.len() > 20, "{path}: {}", named.len());
        for (name, labels) in named {
            let Some(may) = known.get(name) else {
                panic!("{path}: {name} is not described");
            };
            for (label, words) in labels {
                let Some(known) = may.get(label) else {
                    panic!("{path}: {name} has no {label}");
                };
                for word in words {
                    assert!(
                        known.is_empty() || known.contains(word),
                        "{path}: {name} has no {label} of {word}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_alert_is_shown_to_fire_and_not_to_fire() {
    let rules = file("deploy/monitoring/cabinet.rules.yml");
    let tests = file("deploy/monitoring/cabinet.rules.test.yml");
    let alerts: Vec<&str> = values_of(&rules, "- alert: ").collect();
    assert!(alerts.len() > 50, "{}", alerts.len());
    for alert in alerts {
        let tried = values_of(&tests, "alertname: ").filter(|name| *name == alert);
        assert!(tried.count() >= 2, "{alert}");
    }
}

fn values_of<'text>(text: &'text str, name: &'text str) -> impl Iterator<Item = &'text str> {
    text.lines()
        .filter_map(move |line| {
            line.trim()
                .trim_start_matches("- ")
                .strip_prefix(name.trim_start_matches("- "))
        })
        .map(|value| value.trim_matches('"'))
}
