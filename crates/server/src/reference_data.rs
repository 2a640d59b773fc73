//! The reference data inside the binary, for the sandbox: real fees, but accounts that must not be paid to.

use std::collections::BTreeMap;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../reference-data"]
struct BuiltIn;

/// Returns the built-in CSV files by name.
pub fn built_in() -> BTreeMap<String, String> {
    BuiltIn::iter()
        .filter(|name| name.ends_with(".csv"))
        .filter_map(|name| {
            let file = BuiltIn::get(&name)?;
            Some((
                name.into_owned(),
                String::from_utf8(file.data.into_owned()).ok()?,
            ))
        })
        .collect()
}
