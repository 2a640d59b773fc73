//! The starter tables of the reference data, as files that a test changes.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::path::{Path, PathBuf};

/// Writes the starter tables into a new folder in this one.
pub fn starter_tables(parent: &Path) -> PathBuf {
    let starter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference-data");
    let folder = parent.join("tables");
    std::fs::create_dir(&folder).unwrap();
    for entry in std::fs::read_dir(starter).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    folder
}

/// Changes a table.
pub fn edit(folder: &Path, file: &str, change: impl FnOnce(&str) -> String) {
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let changed = change(&text);
    assert_ne!(changed, text);
    std::fs::write(&path, changed).unwrap();
}
