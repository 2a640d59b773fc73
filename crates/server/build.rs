//! Has the binary built anew when what it carries inside has changed: the built pages and the reference data.

fn main() {
    for folder in ["../../web/dist", "../../reference-data"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
