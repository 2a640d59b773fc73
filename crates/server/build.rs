//! Rebuilds the binary when an embedded folder has changed: the built pages or the reference data.

fn main() {
    for folder in ["../../web/dist", "../../reference-data"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
