use std::collections::BTreeSet;

use cabinet_domain::payment::AlarmKind;

use super::*;

#[test]
fn the_list_has_every_metric_of_the_source() {
    let sources = [include_str!("list.rs"), include_str!("written.rs")];
    let defined = sources
        .iter()
        .flat_map(|source| source.lines())
        .filter(|line| line.starts_with("pub static ") && !line.starts_with("pub static ALL"));
    assert_eq!(defined.count(), ALL.len());
    let names: BTreeSet<&str> = ALL.iter().map(|metric| metric.name()).collect();
    assert_eq!(names.len(), ALL.len(), "a name is there twice");
}

#[test]
fn names_follow_the_conventions_of_prometheus() {
    for metric in ALL {
        let name = metric.name();
        assert!(
            name.starts_with("cabinet_") || name.starts_with("process_"),
            "{name}"
        );
        assert_eq!(
            metric.kind() == Kind::Counter,
            name.ends_with("_total"),
            "{name}"
        );
        let is_histogram = metric.kind() == Kind::Histogram;
        assert_eq!(is_histogram, !metric.buckets().is_empty(), "{name}");
        assert!(
            metric.buckets().is_sorted_by(|one, next| one < next),
            "{name}"
        );
        // An id or personal data would make a label endless.
        for label in metric.labels() {
            assert!(!label.ends_with("id"), "{name}: {label}");
            assert!(!["phone", "order", "notary", "address"].contains(label));
        }
    }
}

#[test]
fn a_combination_of_labels_has_its_own_place() {
    fn checked<L: Labels>(labels: usize) {
        let all = L::all();
        let places: Vec<usize> = all.iter().map(|one| one.index()).collect();
        assert_eq!(places, (0..all.len()).collect::<Vec<_>>());
        let words: BTreeSet<Vec<&str>> = all.iter().map(|one| one.words()).collect();
        assert_eq!(words.len(), all.len());
        assert!(words.iter().all(|words| words.len() == labels));
    }
    checked::<()>(0);
    checked::<AlarmKind>(1);
    checked::<Queue>(1);
    checked::<OutboundCall>(2);
    checked::<(CallGroup, Answered)>(2);
    checked::<(OutboundCall, OutboundOutcome)>(3);
    assert_eq!(
        OutboundCall::all().len() * OutboundOutcome::ALL.len(),
        <(OutboundCall, OutboundOutcome)>::all().len()
    );
}

#[test]
fn directives_that_strangers_make_up_count_together() {
    assert_eq!(Directive::of("script-src"), Directive::ScriptSrc);
    assert_eq!(Directive::of("made-up\n"), Directive::Other);
    assert_eq!(Answered::of(204), Answered::Ok);
    assert_eq!(Answered::of(429), Answered::Refused);
    assert_eq!(Answered::of(503), Answered::Failed);
}
