//! The reference data inside the binary: true fees, accounts for demonstration.

use std::collections::BTreeMap;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../reference-data"]
struct BuiltIn;

/// The built-in files by name.
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
