//! pain.001 against the schema of the standard.

use std::io::Write as _;
use std::process::{Command, Stdio};

use cabinet_bank_files::{BankFile, Instruction, MessageId, read, write_pain001};
use jiff::Timestamp;
use uuid::Uuid;

use crate::{duty, fee, line, payer};

const SCHEMA: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../testdata/iso20022/pain.001.001.09.xsd"
);

fn written(instructions: &[Instruction]) -> Vec<u8> {
    let now: Timestamp = "2026-03-02T12:05:00Z".parse().unwrap();
    let message = MessageId(Uuid::from_bytes([7; 16]));
    write_pain001(instructions, &payer(), message, now).unwrap()
}

/// Returns what an independent program says of a file against the schema. `scripts/test` installs it.
fn complaints(file: &[u8]) -> String {
    let mut checker = Command::new("xmllint")
        .args(["--noout", "--nonet", "--schema", SCHEMA, "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("xmllint (apt-get install libxml2-utils): {error}"));
    checker.stdin.take().unwrap().write_all(file).unwrap();
    let done = checker.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if done.status.success() {
        String::new()
    } else {
        said
    }
}

fn all_kinds() -> Vec<Instruction> {
    let mut tomorrow = fee(6, &"ї".repeat(420));
    tomorrow.value_date = tomorrow.value_date.tomorrow().unwrap();
    let mut long = duty(7, "3068208400", "Гнатюк Петро");
    long.payee.purpose = line(&format!("101 {}", "Мито ".repeat(60).trim_end()));
    let mut unknown_code = duty(8, "3068208400", "Гнатюк Петро");
    unknown_code.budget_code = None;
    vec![
        duty(1, "3068208400", "Гнатюк Петро Олександрович"),
        duty(2, "32855961", "ТОВ «Ромашка & <Ко>»"),
        duty(3, "АВ123456", "Ґерета Їжак"),
        duty(4, "001234567", "О’Коннор Марія"),
        fee(5, "60 % адміністративного збору, 3068208400"),
        tomorrow,
        long,
        unknown_code,
    ]
}

#[test]
fn it_follows_the_schema_of_the_standard() {
    let file = written(&all_kinds());
    assert_eq!(complaints(&file), "");
    // The schema finds what is wrong.
    let wrong = String::from_utf8(file)
        .unwrap()
        .replace("<ChrgBr>SLEV</ChrgBr>", "<ChrgBr>NONE</ChrgBr>");
    assert!(complaints(wrong.as_bytes()).contains("ChrgBr"));
}

#[test]
fn it_has_what_a_bank_needs() {
    let text = String::from_utf8(written(&all_kinds())).unwrap();
    for part in [
        "<CreDtTm>2026-03-02T14:05:00+02:00</CreDtTm><NbOfTxs>8</NbOfTxs><CtrlSum>2724.00</CtrlSum>",
        "<ReqdExctnDt><Dt>2026-03-02</Dt></ReqdExctnDt>",
        "<ReqdExctnDt><Dt>2026-03-03</Dt></ReqdExctnDt>",
        "<PmtId><InstrId>01010101010101010101010101010101</InstrId><EndToEndId>1001</EndToEndId></PmtId><Amt><InstdAmt Ccy=\"UAH\">340.50</InstdAmt></Amt>",
        "<UltmtDbtr><Nm>Ґерета Їжак</Nm><Id><PrvtId><Othr><Id>АВ123456</Id><SchmeNm><Cd>CCPT</Cd></SchmeNm></Othr></PrvtId></Id></UltmtDbtr>",
        "<Othr><Id>001234567</Id><SchmeNm><Cd>NIDN</Cd></SchmeNm></Othr>",
        "<Nm>ТОВ «Ромашка &amp; &lt;Ко&gt;»</Nm><Id><OrgId><Othr><Id>32855961</Id><SchmeNm><Cd>COID</Cd></SchmeNm></Othr></OrgId></Id>",
        "<CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>899998</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>",
        "<Strd><TaxRmt><Rcrd><Tp>101</Tp><Ctgy>22090100</Ctgy><AddtlInf>Державне мито, 3068208400</AddtlInf></Rcrd></TaxRmt></Strd>",
        "<Rcrd><Tp>101</Tp><AddtlInf>Державне мито, 3068208400</AddtlInf></Rcrd>",
        "<RmtInf><Ustrd>60 % адміністративного збору, 3068208400</Ustrd></RmtInf>",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(
        text.matches("<PmtInf>").count(),
        2,
        "one for each value date"
    );
    assert_eq!(
        text.matches("<Ustrd>").count(),
        1 + 3,
        "420 characters are three pieces"
    );
    let long: String = text
        .split("<AddtlInf>")
        .filter(|part| part.starts_with("Мито") || part.contains("Мито Мито"))
        .map(|part| part.split('<').next().unwrap())
        .collect();
    assert_eq!(
        long,
        "Мито ".repeat(60).trim_end(),
        "the pieces are the whole text"
    );
}

#[test]
fn the_cabinet_reads_its_own_list() {
    let instructions = all_kinds();
    let Ok(BankFile::List(listed)) = read(&written(&instructions)) else {
        panic!("it is a list");
    };
    assert_eq!(listed.len(), instructions.len());
    for one in &listed {
        let of = instructions
            .iter()
            .find(|of| Some(of.transfer) == one.transfer)
            .unwrap();
        assert_eq!(
            (one.document_number, one.value_date),
            (of.document_number, of.value_date)
        );
    }
}

#[test]
fn a_character_that_xml_lacks_is_refused() {
    let mut odd = fee(1, "x");
    // Earlier versions accepted more characters.
    odd.payee.purpose =
        cabinet_domain::Line::parse_saved("Мито \u{fffe}", 420).unwrap_or_else(|_| line("x"));
    if odd.payee.purpose.as_str() != "x" {
        let now: Timestamp = "2026-03-02T12:05:00Z".parse().unwrap();
        let refused = write_pain001(&[odd], &payer(), MessageId(Uuid::nil()), now).unwrap_err();
        assert!(
            refused.to_string().starts_with("document 1001: RmtInf"),
            "{refused}"
        );
    }
}
