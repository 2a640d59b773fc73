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
    assert_eq!(problem(&deep), Problem::TooLarge);
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
    for empty in [
        "",
        "<Stmt><TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry></Stmt>",
    ] {
        let statement = format!("<Document><BkToCstmrStmt>{empty}</BkToCstmrStmt></Document>");
        assert_eq!(problem(&statement), Problem::NoEntries);
    }
}

#[test]
fn what_would_cost_minutes_or_gigabytes_is_refused_with_its_line() {
    let statement = |inside: &str| {
        format!(
            "<Document>\n<BkToCstmrStmt>\n<Stmt>\n<Ntry><Sts>BOOK</Sts><NtryDtls>{inside}</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>"
        )
    };
    let attributes: String = (0..450_000).map(|at| format!(" a{at}=\"\"")).collect();
    let namespaces: String = (0..100)
        .map(|at| format!("<a xmlns:n{at}=\"urn:{at}\"/>"))
        .collect();
    for hostile in [
        format!("<TxDtls{attributes}/>"),
        "<TxDtls/>".repeat(2_000_000),
        "<a/>".repeat(5_000_000),
        namespaces,
    ] {
        let findings = read(statement(&hostile).as_bytes()).unwrap_err();
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].problem, Problem::TooLarge);
        assert_eq!(findings[0].line, 4);
    }
    let table = format!("transfer_id;status\n{}", "x\n".repeat(2_000_000));
    assert_eq!(problem(&table), Problem::TooLarge);
}

#[test]
fn a_large_statement_is_read() {
    let entry = "<Ntry><Amt Ccy=\"UAH\">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><NtryDtls><TxDtls><Refs><EndToEndId>1</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>";
    let text = format!(
        "<Document><BkToCstmrStmt><Stmt>{}</Stmt></BkToCstmrStmt></Document>",
        entry.repeat(100_000)
    );
    let cabinet_bank_files::BankFile::Answers(entries) = read(text.as_bytes()).unwrap() else {
        panic!("a statement holds answers");
    };
    assert_eq!(entries.len(), 100_000);
}
