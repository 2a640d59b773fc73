//! The reading of the register of notaries.

use crate::{RegisterFault, RegisterReason, read_register};

fn faults(text: &str) -> Vec<(usize, RegisterReason)> {
    let faults = read_register(text).unwrap_err();
    faults
        .into_iter()
        .map(|RegisterFault { line, reason }| (line, reason))
        .collect()
}

#[test]
fn what_decides_about_an_account_is_read_and_the_rest_is_left_out() {
    let text = "\u{feff}REGION;NAME_OBJ;FIO;LICENSE;CONTACTS;INFO\r\n\
        Київ;Перша контора;Коваль  Олена Іванівна;№ 1209 від 12.03.2001;\"тел. 1; 2\";\r\n\
        \r\n\
        Львів;;\"Бондаренко Тарас Михайлович\";0077;;зупинено з 01.02.2025\r\n";
    let rows = read_register(text).unwrap();
    let seen: Vec<_> = rows
        .iter()
        .map(|row| (row.line, row.key().unwrap(), row.is_active))
        .collect();
    assert_eq!(
        seen,
        [
            (2, "certificate:1209".to_owned(), true),
            (4, "certificate:77".to_owned(), false)
        ]
    );
}

#[test]
fn columns_have_several_names() {
    for header in [
        "FIO,LICENSE,INFO",
        "name,licence,info",
        "ПІБ,Номер свідоцтва,Інформація",
        "Прізвище ім’я по батькові,СВІДОЦТВО,INFO",
        "full_name,certificate_number,info",
    ] {
        let rows = read_register(&format!("{header}\nШевчук Ірина Петрівна,5,\n")).unwrap();
        assert_eq!(rows[0].key().unwrap(), "certificate:5", "{header}");
    }
    let rows = read_register("FIO,IDENTIFIER,INFO\nШевчук Ірина Петрівна,notar1,\n").unwrap();
    let same = read_register("FIO,IDENTIFIER,INFO\nШевчук Ірина Петрівна,NOTAR1,\n").unwrap();
    assert_eq!(rows[0].key(), same[0].key());
}

#[test]
fn a_header_without_what_decides_is_refused() {
    use RegisterReason::{ColumnMissing, ColumnTwice, NoRows, Quotes};
    for (header, reason) in [
        ("", ColumnMissing("LICENSE")),
        ("FIO,INFO", ColumnMissing("LICENSE")),
        ("LICENSE,INFO", ColumnMissing("FIO")),
        ("FIO,LICENSE", ColumnMissing("INFO")),
        ("FIO,NAME,LICENSE,INFO", ColumnTwice("FIO")),
        ("FIO,\"LICENSE,INFO", Quotes),
        ("FIO,LICENSE,INFO", NoRows),
    ] {
        assert_eq!(faults(header), [(1, reason)], "{header}");
    }
}

#[test]
fn a_contact_is_one_number_and_one_address_or_nothing() {
    use RegisterReason::{EmailInvalid, PhoneInvalid};
    for header in [
        "FIO,LICENSE,INFO,PHONE,EMAIL",
        "FIO,LICENSE,INFO,Телефон,E-mail",
        "FIO,LICENSE,INFO,Номер телефону,Електронна пошта",
    ] {
        let text = format!(
            "{header}\nБондар Іван,5,,067 123-45-67,ivan@notary.example\nБондар Іван,6,,,\n"
        );
        let rows = read_register(&text).unwrap();
        let phone = rows[0].phone.as_ref().map(cabinet_domain::Phone::as_str);
        let email = rows[0].email.as_ref().map(cabinet_domain::Email::as_str);
        assert_eq!(
            (phone, email),
            (Some("+380671234567"), Some("ivan@notary.example")),
            "{header}"
        );
        assert!(rows[0].has_contact() && !rows[1].has_contact());
    }
    let text = "FIO,LICENSE,INFO,PHONE,EMAIL\n\
        Бондар Іван,5,,\"067 123-45-67, 067 123-45-68\",\n\
        Бондар Іван,6,,,ivan\n";
    assert_eq!(faults(text), [(2, PhoneInvalid), (3, EmailInvalid)]);
}

#[test]
fn every_bad_row_is_named() {
    use RegisterReason::{
        CellCount, CertificateInvalid, Duplicate, IdentifierInvalid, NameInvalid, Nameless, Quotes,
    };
    let text = format!(
        "FIO,LICENSE,IDENTIFIER,INFO\n\
         Коваль Олена Іванівна,1209,NOTAR1,\n\
         ,1,,\n\
         Коваль Олена Іванівна,12a,,\n\
         Коваль Олена Іванівна,12345678901,,\n\
         Коваль Олена Іванівна,,{long},\n\
         Коваль Олена Іванівна,,,\n\
         Коваль Олена Іванівна,01209,,\n\
         Коваль Олена Іванівна,3,notar1,\n\
         Коваль Олена Іванівна,4,\n\
         \"Коваль Олена Іванівна,5,,\n\
         Коваль Олена Іванівна\u{202e},6,,\n",
        long = "1".repeat(41)
    );
    assert_eq!(
        faults(&text),
        [
            (3, NameInvalid),
            (4, CertificateInvalid),
            (5, CertificateInvalid),
            (6, IdentifierInvalid),
            (7, Nameless),
            (8, Duplicate(2)),
            (9, Duplicate(2)),
            (
                10,
                CellCount {
                    expected: 4,
                    found: 3
                }
            ),
            (11, Quotes),
            (12, NameInvalid),
        ]
    );
}
