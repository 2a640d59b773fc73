//! Descriptions of the metrics. Every counter starts at zero, because Prometheus can't see the first event of a counter that appears
//! with it.

use ::metrics::{Label, Unit, describe_counter, describe_gauge, describe_histogram};
use cabinet_domain::OrderStatus;
use cabinet_domain::payment::AlarmKind;

/// The kinds of `alarms_total`.
const ALARMS: &[&str] = &{
    let mut names = [""; AlarmKind::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = AlarmKind::ALL[index].as_str();
        index += 1;
    }
    names
};

const STATUSES: &[&str] = &{
    let mut names = [""; OrderStatus::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = OrderStatus::ALL[index].as_str();
        index += 1;
    }
    names
};

const ANSWERS: &[&str] = &[
    "ok",
    "redirect_not_followed",
    "too_many",
    "refused",
    "failed",
    "not_sent",
    "timed_out",
    "cut",
    "too_large",
    "circuit_open",
];

/// A counter with the values of its labels. Each combination is a series.
struct Counter {
    name: &'static str,
    labels: &'static [(&'static str, &'static [&'static str])],
}

const COUNTERS: &[Counter] = &[
    Counter {
        name: "csp_reports_total",
        labels: &[("directive", &cabinet_api::COUNTED_DIRECTIVES)],
    },
    Counter {
        name: "calls_refused_total",
        labels: &[],
    },
    Counter {
        name: "connections_refused_total",
        labels: &[("limit", &["address", "all"])],
    },
    Counter {
        name: "connections_cut_total",
        labels: &[("limit", &["answer", "body", "head", "idle"])],
    },
    Counter {
        name: "alarms_total",
        labels: &[("kind", ALARMS)],
    },
    Counter {
        name: "login_codes_total",
        labels: &[("verdict", &["right", "refused"])],
    },
    Counter {
        name: "acquirer_reports_total",
        labels: &[(
            "verdict",
            &[
                "applied",
                "bad_signature",
                "contradiction",
                "late",
                "repeated",
                "unknown",
                "unreadable",
            ],
        )],
    },
    Counter {
        name: "orders_stepped_total",
        labels: &[("to", STATUSES)],
    },
    Counter {
        name: "outbox_tries_total",
        labels: &[(
            "outcome",
            &[
                "delivered",
                "not_written",
                "refused",
                "unavailable",
                "unknown",
            ],
        )],
    },
    Counter {
        name: "cabinet_storage_units_total",
        labels: &[
            ("access", &["read", "write"]),
            ("outcome", &["ok", "refused"]),
        ],
    },
    Counter {
        name: "cabinet_storage_repeats_total",
        labels: &[],
    },
    Counter {
        name: "cabinet_outbound_calls_total",
        labels: &[
            ("service", &["monobank"]),
            (
                "call",
                &[
                    "invoice/create",
                    "invoice/remove",
                    "invoice/status",
                    "pubkey",
                    "statement",
                    "wallet",
                    "wallet/card",
                    "wallet/payment",
                ],
            ),
            ("outcome", ANSWERS),
        ],
    },
    Counter {
        name: "cabinet_outbound_calls_total",
        labels: &[
            ("service", &["turbosms"]),
            ("call", &["message/send"]),
            ("outcome", ANSWERS),
        ],
    },
    Counter {
        name: "cabinet_outbound_calls_total",
        labels: &[
            ("service", &["voice"]),
            ("call", &["calls/create", "calls/status"]),
            ("outcome", ANSWERS),
        ],
    },
    Counter {
        name: "cabinet_outbound_calls_total",
        labels: &[
            ("service", &["smtp"]),
            ("call", &["send"]),
            ("outcome", &["ok", "refused", "not_sent", "lost"]),
        ],
    },
];

/// Describes the metrics and sets every counter to zero. Called once, after the recorder is installed.
pub fn register() {
    describe();
    for counter in COUNTERS {
        for labels in combinations(counter.labels) {
            ::metrics::counter!(counter.name, labels).increment(0);
        }
    }
}

/// Returns every combination of the labels' values.
fn combinations(labels: &[(&'static str, &'static [&'static str])]) -> Vec<Vec<Label>> {
    let mut all = vec![Vec::new()];
    for (name, values) in labels {
        all = all
            .into_iter()
            .flat_map(|series: Vec<Label>| {
                values.iter().map(move |value| {
                    let mut longer = series.clone();
                    longer.push(Label::from_static_parts(name, value));
                    longer
                })
            })
            .collect();
    }
    all
}

fn describe() {
    describe_counter!(
        "alarms_total",
        "Alarms that were opened, by kind: a person must look"
    );
    describe_counter!("login_codes_total", "Entered codes, by verdict");
    describe_counter!(
        "acquirer_reports_total",
        "Reports of the acquirer, by verdict"
    );
    describe_counter!(
        "orders_stepped_total",
        "Orders, by the status that they reached"
    );
    describe_counter!(
        "outbox_tries_total",
        "Tries to send a letter, by how they ended"
    );
    describe_counter!(
        "calls_refused_total",
        "Calls that were refused because too many others were being answered"
    );
    describe_counter!(
        "connections_refused_total",
        "Connections that were closed at once, by the limit that was reached"
    );
    describe_counter!(
        "connections_cut_total",
        "Connections that were closed because the client took too long, by the limit"
    );
    describe_counter!(
        "csp_reports_total",
        "Reports of browsers about what the policy of a page has blocked, by directive"
    );
    describe_gauge!("outbox_waiting", "Letters that wait");
    describe_gauge!("outbox_parked", "Letters that were given up");
    describe_counter!(
        "cabinet_outbound_calls_total",
        "Calls to outside services, by how they ended"
    );
    describe_histogram!(
        "cabinet_outbound_call_seconds",
        Unit::Seconds,
        "Calls to outside services"
    );
    describe_gauge!(
        "cabinet_outbound_circuit_open",
        "1: the service keeps failing and is not called for a while"
    );
    describe_histogram!(
        "cabinet_storage_unit_seconds",
        Unit::Seconds,
        "A unit of work from the request to the answer, by access"
    );
    describe_counter!(
        "cabinet_storage_units_total",
        "Units of work, by access and outcome"
    );
    describe_histogram!(
        "cabinet_storage_group_units",
        "Units of work in one commit (SQLite)"
    );
    describe_gauge!("cabinet_storage_queue_depth", "Units of work that wait");
    describe_counter!(
        "cabinet_storage_repeats_total",
        "Units of work run again because of parallel ones (PostgreSQL)"
    );
    describe_histogram!(
        "http_request_duration_seconds",
        Unit::Seconds,
        "Answers, by route and status"
    );
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    /// Returns the metrics of a cabinet that has just started.
    fn at_the_start() -> String {
        let recorder = PrometheusBuilder::new().build_recorder();
        ::metrics::with_local_recorder(&recorder, register);
        recorder.handle().render()
    }

    /// Collects the counters that source files under the folder increment.
    fn counters_in(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                counters_in(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                for part in text.split("metrics::counter!(").skip(1) {
                    let name = part.trim_start().strip_prefix('"');
                    let name = name.and_then(|part| part.split_once('"'));
                    found.extend(name.map(|(name, _)| name.to_owned()));
                }
            }
        }
    }

    #[test]
    fn every_counter_is_there_before_its_first_event() {
        let metrics = at_the_start();
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut counters = BTreeSet::new();
        for name in ["api", "app", "domain", "gateways", "receipts", "storage"] {
            counters_in(&crates.join(name).join("src"), &mut counters);
        }
        counters_in(&crates.join("server/src/connections"), &mut counters);
        assert!(counters.len() >= 7, "{counters:?}");
        for counter in counters {
            let zero = |line: &str| line.starts_with(&counter) && line.ends_with(" 0");
            assert!(metrics.lines().any(zero), "{counter} is not registered");
        }
        assert!(metrics.contains("# HELP alarms_total Alarms that were opened"));
    }

    #[test]
    fn every_alarm_of_the_manual_is_at_zero_from_the_start() {
        let metrics = at_the_start();
        let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations.md");
        let manual = std::fs::read_to_string(manual).unwrap();
        let mut kinds = BTreeSet::new();
        let mut in_table = false;
        for line in manual.lines() {
            if line.starts_with("| `alarms_total{kind}` | meaning | what to do") {
                in_table = true;
                continue;
            }
            in_table &= line.starts_with('|');
            let kind = line.strip_prefix("| `").and_then(|row| row.split_once('`'));
            kinds.extend(kind.filter(|_| in_table).map(|(kind, _)| kind));
        }
        let all: BTreeSet<&str> = AlarmKind::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(kinds, all, "the manual says of each alarm what to do");
        for kind in kinds {
            let zero = format!("alarms_total{{kind=\"{kind}\"}} 0");
            assert!(metrics.contains(&zero), "{kind}");
        }
    }
}
