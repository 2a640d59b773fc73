//! Lets libFuzzer look for bytes with which a target breaks a rule. `CABINET_FUZZ_TARGET` names the target; `scripts/fuzz` runs all.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("CABINET_FUZZ_TARGET").unwrap_or_default();
    cabinet_fuzz_targets::target(&name)
        .unwrap_or_else(|| panic!("there is no target of the name {name:?}"))
});

fuzz_target!(|bytes: &[u8]| TARGET(bytes));
