//! The tables for banks.

use cabinet_bank_files::{BankFile, Encoding, read, write_csv, write_privat24};
use cabinet_domain::Line;

use crate::{duty, fee, payer};

const CSV: &str = "\u{feff}transfer_id;document_number;value_date;order_id;created_at;amount;recipient_name;recipient_iban;recipient_code;purpose;\
actual_payer_code;actual_payer_name;payer_name;payer_iban;payer_code;payment_code;budget_code;purpose_text;actual_payer_document_series;\
actual_payer_document_number;actual_payer_id_card\r\n\
\"03030303-0303-0303-0303-030303030303\";\"1003\";\"2026-03-02\";\"09090909-0909-0909-0909-090909090909\";\"2026-03-02T00:30:00+02:00\";\"340.50\";\
\"ГУК у м.Києві/м.Київ/22090100\";\"UA328999980999022090100300001\";\"37993783\";\"101 Державне мито, АВ123456\";\"\";\"Ґерета Їжак\";\
\"ТОВ «Демонстраційний кабінет»\";\"UA223052990000026001234567890\";\"32855961\";\"101\";\"22090100\";\"Державне мито, АВ123456\";\"АВ\";\"123456\";\"\"\r\n\
\"05050505-0505-0505-0505-050505050505\";\"1005\";\"2026-03-02\";\"09090909-0909-0909-0909-090909090909\";\"2026-03-02T00:30:00+02:00\";\"340.50\";\
\"Коваль Олена \"\"Іванівна\"\" & Ко\";\"UA743052990000026007233566001\";\"3652504575\";\" =1+1; 60 %\";\"3068208400\";\"Гнатюк Петро Олександрович\";\
\"ТОВ «Демонстраційний кабінет»\";\"UA223052990000026001234567890\";\"32855961\";\"\";\"\";\" =1+1; 60 %\";\"\";\"\";\"\"\r\n";

const PRIVAT24: &str = "document_number;payment_date;payment_accept_date;payer_account;payer_nceo;payer_name;recipient_account;recipient_nceo;\
payment_naming;payment_amount;payment_ccy;payment_destination;struct_code;struct_type;payer_ultmt_nceo;payer_ultmt_document_series;\
payer_ultmt_document_number;payer_ultmt_document_id_number;payer_ultmt_name\r\n\
\"1004\";\"02.03.2026\";\"02.03.2026\";\"UA223052990000026001234567890\";\"32855961\";\"ТОВ «Демонстраційний кабінет»\";\"UA328999980999022090100300001\";\
\"37993783\";\"ГУК у м.Києві/м.Київ/22090100\";\"340.50\";\"UAH\";\"Державне мито, 001234567\";\"101\";\"22090100\";\"\";\"\";\"\";\"001234567\";\"О’Коннор Марія\"\r\n";

#[test]
fn the_cabinets_own_table_has_every_column() {
    let rows = [duty(3, "АВ123456", "Ґерета Їжак"), fee(5, "=1+1; 60 %")];
    let file = write_csv(&rows, &payer(), Encoding::Utf8).unwrap();
    assert_eq!(String::from_utf8(file.clone()).unwrap(), CSV);
    assert!(matches!(read(&file), Ok(BankFile::Table(text)) if text.starts_with("transfer_id;")));
}

#[test]
fn the_table_of_privat24_has_every_column_in_either_encoding() {
    let rows = [duty(4, "001234567", "О\u{2bc}Коннор Марія")];
    let file = write_privat24(&rows, &payer(), Encoding::Cp1251).unwrap();
    let (text, _, has_errors) = encoding_rs::WINDOWS_1251.decode(&file);
    assert!(!has_errors);
    assert_eq!(text, PRIVAT24);
    let utf8 = write_privat24(&rows, &payer(), Encoding::Utf8).unwrap();
    assert!(utf8.starts_with("\u{feff}document_number;".as_bytes()));
    for file in [file, utf8] {
        let Ok(BankFile::List(listed)) = read(&file) else {
            panic!("it is a list");
        };
        let [listed] = listed.as_slice() else {
            panic!("it has one row");
        };
        assert_eq!((listed.line, listed.document_number), (2, 1004));
        assert_eq!(listed.value_date, rows[0].value_date);
    }
}

#[test]
fn a_character_that_the_encoding_lacks_is_refused_and_not_replaced() {
    let mut rows = [fee(1, "60 %")];
    rows[0].payee.purpose = Line::parse("Збір 漢", 420).unwrap();
    let refused = write_csv(&rows, &payer(), Encoding::Cp1251).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "document 1001: purpose has characters that the file cannot carry; choose another format or encoding"
    );
    assert!(write_csv(&rows, &payer(), Encoding::Utf8).is_ok());
}
