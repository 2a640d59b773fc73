//! Lets libFuzzer look for bytes with which a target breaks a rule. `CABINET_FUZZ_TARGET` names the target; `scripts/fuzz` runs all.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    survive_the_mail_library();
    let name = std::env::var("CABINET_FUZZ_TARGET").unwrap_or_default();
    cabinet_fuzz_targets::target(&name)
        .unwrap_or_else(|| panic!("there is no target of the name {name:?}"))
});

/// libFuzzer ends at every panic. Those of the mail library are caught by the adapter, which turns them into a failure.
fn survive_the_mail_library() {
    let end = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_caught = panic.location().is_some_and(|place| place.file().contains("/lettre-"));
        if !is_caught {
            end(panic);
        }
    }));
}

fuzz_target!(|bytes: &[u8]| TARGET(bytes));
