//! Files that are made to do harm.

use cabinet_bank_files::{Problem, read};

fn problem(text: &str) -> Problem {
    read(text.as_bytes()).unwrap_err().remove(0).problem
}

#[test]
fn a_file_defines_no_entities() {
    let bomb = "<?xml version=\"1.0\"?><!DOCTYPE Document [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><Document><BkToCstmrStmt>&b;</BkToCstmrStmt></Document>";
    assert_eq!(problem(bomb), Problem::EntitiesDefined);
    let foreign = "<!DOCTYPE Document SYSTEM \"file:///etc/passwd\"><Document/>";
    assert_eq!(problem(foreign), Problem::EntitiesDefined);
    assert_eq!(problem("<Document>&a;</Document>"), Problem::NotXml);
}

#[test]
fn deep_and_broken_files_are_refused() {
    let deep = format!("{}{}", "<a>".repeat(200_000), "</a>".repeat(200_000));
    assert_eq!(problem(&deep), Problem::Unknown);
    for broken in ["<", "<Document>", "<Document><BkToCstmrStmt></Document>"] {
        assert_eq!(problem(broken), Problem::NotXml, "{broken}");
    }
    for unknown in [
        "",
        "hello",
        "a;b\n1;2\n",
        "<html><body/></html>",
        "<Document/>",
    ] {
        assert_eq!(problem(unknown), Problem::Unknown, "{unknown}");
    }
    assert_eq!(
        problem("<Document><BkToCstmrStmt><Stmt/></BkToCstmrStmt></Document>"),
        Problem::NoEntries
    );
}
