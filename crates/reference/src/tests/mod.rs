//! Tests of the whole: the starter set in the repository, every way a row can be bad, lookups and mangled input.

mod bad_rows;
mod choices;
mod confirm;
mod deals;
mod difference;
mod lookups;
mod mangled;
mod purposes;
mod register;
mod small;
mod starter;
mod year;

use std::collections::BTreeMap;

/// The starter set as it lies in the repository.
fn starter_files() -> BTreeMap<String, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference-data");
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        files.insert(name, std::fs::read_to_string(path).unwrap());
    }
    files
}
