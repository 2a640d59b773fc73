//! Replays the corpora of the fuzz targets.

use std::fs;
use std::path::{Path, PathBuf};

use cabinet_fuzz_targets::TARGETS;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

#[test]
fn every_input_of_the_corpora_keeps_the_rules() {
    let mut broken = Vec::new();
    for (name, run) in TARGETS {
        let folder = corpus().join(name);
        let mut inputs: Vec<PathBuf> = fs::read_dir(&folder)
            .unwrap_or_else(|_| panic!("{name} has no corpus"))
            .map(|entry| entry.unwrap().path())
            .collect();
        inputs.sort();
        assert!(!inputs.is_empty(), "the corpus of {name} is empty");
        for input in inputs {
            let bytes = fs::read(&input).unwrap();
            if std::panic::catch_unwind(|| run(&bytes)).is_err() {
                broken.push(input);
            }
        }
    }
    assert_eq!(broken, Vec::<PathBuf>::new(), "what broke stands above");
}

#[test]
fn every_corpus_has_its_target() {
    for entry in fs::read_dir(corpus()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(cabinet_fuzz_targets::target(&name).is_some(), "{name}");
    }
}
