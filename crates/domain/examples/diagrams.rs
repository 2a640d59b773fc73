//! Prints `docs/settlement.md`.

#![expect(clippy::print_stdout, reason = "printing is what it is for")]

fn main() {
    print!("{}", cabinet_domain::payment::diagrams());
}
