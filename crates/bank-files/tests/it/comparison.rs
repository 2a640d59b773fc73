//! A list that was changed on its way to the bank.

use cabinet_bank_files::{
    Encoding, Instruction, MessageId, Payer, differences, write_csv, write_pain001, write_privat24,
};
use encoding_rs::WINDOWS_1251;
use uuid::Uuid;

use crate::{duty, fee, payer};

fn transfers() -> Vec<Instruction> {
    vec![
        duty(3, "АВ123456", "О\u{2bc}Коннор Марія"),
        duty(4, "3068208400", "Гнатюк Петро"),
        fee(5, "=1+1; 60 %"),
    ]
}

fn pain001() -> String {
    let now = "2026-03-02T10:00:00Z".parse().unwrap();
    let message = MessageId(Uuid::from_bytes([7; 16]));
    String::from_utf8(write_pain001(&transfers(), &payer(), message, now).unwrap()).unwrap()
}

/// Every difference, as the operator reads it.
fn told(list: &[u8]) -> Vec<String> {
    let found = differences(list, &transfers(), &payer());
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn a_list_as_it_was_written_has_no_difference() {
    let (transfers, payer) = (transfers(), payer());
    for encoding in [Encoding::Utf8, Encoding::Cp1251] {
        for write in [write_csv, write_privat24] {
            let list = write(&transfers, &payer, encoding).unwrap();
            assert_eq!(told(&list), [""; 0]);
        }
    }
    assert_eq!(told(pain001().as_bytes()), [""; 0]);
    // Line breaks between elements change nothing.
    let broken = pain001()
        .replace("><", ">\n<")
        .replace(">\n</Ustrd", "></Ustrd");
    assert_eq!(told(broken.as_bytes()), [""; 0]);
}

#[test]
fn each_cell_that_was_changed_is_told_with_its_row_and_column() {
    type Write =
        fn(&[Instruction], &Payer, Encoding) -> Result<Vec<u8>, cabinet_bank_files::Unwritable>;
    for (write, encoding) in [
        (write_csv as Write, Encoding::Utf8),
        (write_csv, Encoding::Cp1251),
        (write_privat24, Encoding::Utf8),
        (write_privat24, Encoding::Cp1251),
    ] {
        let list = write(&transfers(), &payer(), encoding).unwrap();
        let text = match encoding {
            Encoding::Utf8 => String::from_utf8(list).unwrap(),
            Encoding::Cp1251 => WINDOWS_1251.decode(&list).0.into_owned(),
        };
        let header = text.lines().next().unwrap().trim_start_matches('\u{feff}');
        let names: Vec<&str> = header.split(';').collect();
        for line in 2..=4 {
            let row = text.lines().nth(line - 1).unwrap();
            let cells: Vec<&str> = row[1..row.len() - 1].split("\";\"").collect();
            assert_eq!(cells.len(), names.len());
            for (place, name) in names.iter().enumerate() {
                let mut changed = cells.clone();
                let cell = format!("{}1", cells[place]);
                changed[place] = &cell;
                let changed = text.replace(row, &format!("\"{}\"", changed.join("\";\"")));
                let bytes = match encoding {
                    Encoding::Utf8 => changed.into_bytes(),
                    Encoding::Cp1251 => WINDOWS_1251.encode(&changed).0.into_owned(),
                };
                let expected = format!(
                    "{line}: {name} is not what the cabinet writes of this transfer: the list was changed. Give it to no bank, and make a new one"
                );
                assert_eq!(told(&bytes), [expected]);
            }
        }
        for changed in [
            text.replacen(names[2], names[3], 1),
            text.replacen(names[1], "number", 1),
            text.replace("\r\n", ";\"\"\r\n"),
            text.lines().take(3).collect::<Vec<_>>().join("\r\n"),
            format!("{text}{}\r\n", text.lines().nth(1).unwrap()),
        ] {
            assert_ne!(told(changed.as_bytes()), [""; 0], "{changed}");
        }
    }
}

#[test]
fn each_element_and_attribute_that_was_changed_is_told() {
    let list = pain001();
    let mut changed = 0;
    // Each text and each value of an attribute ends before one of these.
    for (place, _) in list.match_indices("</").chain(list.match_indices("\">")) {
        let element = list[..place].rsplit_once('<').unwrap().1;
        let is_text = list[place..].starts_with("</");
        let of_message = ["MsgId>", "CreDtTm>", "PmtInfId>"];
        if of_message.iter().any(|name| element.starts_with(name)) {
            continue;
        }
        let mut text = list.clone();
        text.insert(place, '1');
        let told = told(text.as_bytes());
        assert!(!told.is_empty(), "{element} {is_text}");
        changed += 1;
    }
    assert!(changed > 100, "{changed}");
    for changed in [
        list.replacen("<BtchBookg>false</BtchBookg>", "", 1),
        list.replacen(
            "</CstmrCdtTrfInitn>",
            "<PmtInf></PmtInf></CstmrCdtTrfInitn>",
            1,
        ),
        list.replacen("pain.001.001.09", "pain.001.001.08", 1),
        list.replacen(
            "<ChrgBr>SLEV</ChrgBr>",
            "<ChrgBr>SLEV</ChrgBr><UltmtDbtr/>",
            1,
        ),
    ] {
        assert_ne!(told(changed.as_bytes()), [""; 0], "{changed}");
    }
}
