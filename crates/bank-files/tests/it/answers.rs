//! What is read of the files of banks.

use cabinet_bank_files::{BankFile, Entry, Fact, Problem, read};
use jiff::civil::date;

use crate::{BANK, NOTARY, TREASURY};

const UETR: &str = "eb6305c9-1f7f-49de-aed0-16487c27b42d";

fn entries(text: &str) -> Vec<Entry> {
    match read(text.as_bytes()) {
        Ok(BankFile::Answers(entries)) => entries,
        other => panic!("{other:?}"),
    }
}

fn problems(text: &str) -> Vec<String> {
    let unread = |entry: Entry| match entry.fact {
        Fact::Unread(problem) => Some(format!("{}: {problem}", entry.line)),
        _ => None,
    };
    entries(text).into_iter().filter_map(unread).collect()
}

fn report(payments: &str) -> String {
    format!(
        "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:pain.002.001.10\"><CstmrPmtStsRpt>\n\
         <GrpHdr><MsgId>1</MsgId><CreDtTm>2026-03-02T23:30:00Z</CreDtTm></GrpHdr>\n\
         <OrgnlGrpInfAndSts><OrgnlMsgId>1</OrgnlMsgId></OrgnlGrpInfAndSts>\n\
         <OrgnlPmtInfAndSts><OrgnlPmtInfId>1-1</OrgnlPmtInfId>{payments}</OrgnlPmtInfAndSts>\n\
         </CstmrPmtStsRpt></Document>"
    )
}

fn payment(status: &str, more: &str) -> String {
    format!(
        "\n<TxInfAndSts><OrgnlInstrId>01010101010101010101010101010101</OrgnlInstrId><OrgnlEndToEndId>1001</OrgnlEndToEndId><OrgnlUETR>{UETR}</OrgnlUETR>\
         <TxSts>{status}</TxSts>{more}</TxInfAndSts>"
    )
}

#[test]
fn the_status_of_a_payment_says_how_far_it_is() {
    let refusal = "<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Рахунок закрито</AddtlInf><AddtlInf>01.03</AddtlInf></StsRsnInf>";
    let credited = "<FctvIntrBkSttlmDt><Dt>2026-03-02</Dt></FctvIntrBkSttlmDt>";
    let of_original = format!(
        "<OrgnlTxRef><Amt><InstdAmt Ccy=\"UAH\">340.50</InstdAmt></Amt><CdtrAcct><Id><IBAN>{TREASURY}</IBAN></Id></CdtrAcct></OrgnlTxRef>"
    );
    let file = report(
        &[
            payment("ACSC", &of_original),
            payment("ACCC", credited),
            payment("ACCC", ""),
            payment("RJCT", refusal),
        ]
        .concat(),
    );
    let read = entries(&file);
    let on_way = &read[0];
    assert_eq!(
        (on_way.line, &on_way.fact),
        (5, &Fact::UnderWay { debited_on: None }),
        "the payer's side is settled, the recipient's is not"
    );
    assert_eq!(on_way.amount.unwrap().kopiykas(), 34_050);
    assert_eq!(on_way.accounts[0].as_str(), TREASURY);
    assert_eq!(on_way.references.uetr.as_ref().unwrap().as_str(), UETR);
    assert_eq!(on_way.references.document_number, Some(1001));
    assert_eq!(
        on_way.references.transfer.unwrap().to_string(),
        "01010101-0101-0101-0101-010101010101"
    );
    assert_eq!(
        read[1].fact,
        Fact::Credited {
            on: Some(date(2026, 3, 2))
        }
    );
    assert_eq!(read[2].fact, Fact::Credited { on: None });
    let refused = Fact::Refused {
        reason: "Рахунок закрито (AC04): Рахунок закрито 01.03".to_owned(),
        on: date(2026, 3, 3),
        is_duplicate: false,
    };
    assert_eq!(read[3].fact, refused, "the day is Kyiv's");
    for code in ["AM05", "DUPL", "RF01", "DU03"] {
        let again = "<StsRsnInf><Rsn><Cd>NARR</Cd></Rsn></StsRsnInf>".to_owned()
            + &refusal.replace("AC04", code);
        for status in ["RJCT", "CANC"] {
            let read = entries(&report(&payment(status, &again)));
            assert!(
                matches!(
                    read[0].fact,
                    Fact::Refused {
                        is_duplicate: true,
                        ..
                    }
                ),
                "{code}"
            );
        }
    }
}

#[test]
fn a_report_that_names_no_payment_is_read_by_its_group() {
    let whole = |status: &str| report(&format!("<PmtInfSts>{status}</PmtInfSts>"));
    assert!(matches!(entries(&whole("ACCP"))[0].fact, Fact::Other(_)));
    assert!(problems(&whole("RJCT"))[0].contains("refused all payments"));
    assert!(problems(&whole("PART"))[0].contains("only a part"));
    assert!(problems(&report(&payment("ABCD", "")))[0].starts_with("5: the status"));
    let version_three = report(&payment("RJCT", "")).replace("002.001.10", "002.001.03");
    assert!(
        matches!(&entries(&version_three)[0].fact, Fact::Refused { reason, .. } if reason == "Банк не назвав причини")
    );
}

fn statement(entries: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><Stmt>\n\
         <Acct><Id><IBAN>{BANK}</IBAN></Id></Acct>{entries}</Stmt></BkToCstmrStmt></Document>"
    )
}

fn booked(direction: &str, more: &str, details: &str) -> String {
    format!(
        "\n<Ntry><Amt Ccy=\"UAH\">340.50</Amt><CdtDbtInd>{direction}</CdtDbtInd>{more}<Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-03-02T22:30:00Z</DtTm></BookgDt>\
         <ValDt><Dt>2026-03-02</Dt></ValDt><AcctSvcrRef>JBKL-77</AcctSvcrRef><NtryDtls>{details}</NtryDtls></Ntry>"
    )
}

fn details(more: &str) -> String {
    format!("<TxDtls><Refs><EndToEndId>1001</EndToEndId><UETR>{UETR}</UETR></Refs>{more}</TxDtls>")
}

#[test]
fn a_statement_tells_debits_and_returns() {
    let parties = format!(
        "<RltdPties><DbtrAcct><Id><IBAN>{BANK}</IBAN></Id></DbtrAcct><CdtrAcct><Id><IBAN>{NOTARY}</IBAN></Id></CdtrAcct></RltdPties>"
    );
    let reason = "<RtrInf><Rsn><Cd>AC06</Cd></Rsn></RtrInf>";
    let file = statement(
        &[
            booked("DBIT", "", &details(&parties)),
            booked(
                "CRDT",
                "<RvslInd>true</RvslInd>",
                &details("<AddtlTxInf>Рахунок закрито</AddtlTxInf>"),
            ),
            booked("CRDT", "", &details(reason)),
            booked(
                "CRDT",
                "",
                &details("<RmtInf><Ustrd>Повернення:</Ustrd><Ustrd>закрито</Ustrd></RmtInf>"),
            ),
            booked("DBIT", "", "").replace("BOOK<", "PDNG<"),
            booked("DBIT", "", &details("")).replace("UAH", "EUR"),
        ]
        .concat(),
    );
    let read = entries(&file);
    assert_eq!(
        read.iter().map(|entry| entry.line).collect::<Vec<_>>(),
        [4, 5, 6, 7, 8, 9]
    );
    assert_eq!(
        read[0].fact,
        Fact::UnderWay {
            debited_on: Some(date(2026, 3, 2))
        }
    );
    assert_eq!(
        read[0].references.bank_reference.as_ref().unwrap().as_str(),
        "JBKL-77"
    );
    assert_eq!(
        read[0]
            .accounts
            .iter()
            .map(|account| account.as_str())
            .collect::<Vec<_>>(),
        [NOTARY]
    );
    let returned = |reason: &str| Fact::Returned {
        reason: reason.to_owned(),
        on: Some(date(2026, 3, 3)),
    };
    assert_eq!(read[1].fact, returned("Рахунок закрито"));
    assert_eq!(read[2].fact, returned("Рахунок заблоковано (AC06)"));
    assert!(
        matches!(&read[3].fact, Fact::CameIn { account, reason, .. } if account.as_str() == BANK && reason == "Повернення: закрито")
    );
    assert!(matches!(read[4].fact, Fact::Other("it is not booked yet")));
    assert!(matches!(
        read[5].fact,
        Fact::Other("its currency is not the hryvnia")
    ));
    // Version 2 of the message has the status as plain text, and another namespace.
    let old = file
        .replace("camt.053.001.08", "camt.053.001.02")
        .replace("<Cd>BOOK</Cd>", "BOOK")
        .replace("<Cd>PDNG</Cd>", "PDNG");
    assert_eq!(entries(&old), read);
    let notification = file
        .replace("BkToCstmrStmt>", "BkToCstmrDbtCdtNtfctn>")
        .replace("Stmt>", "Ntfctn>");
    assert_eq!(entries(&notification).len(), 6);
}

#[test]
fn each_payment_of_a_batch_has_its_own_sum() {
    let batch = |first: &str| {
        statement(&booked(
            "DBIT",
            "",
            &format!(
                "{}{}",
                details(first),
                details("<Amt Ccy=\"UAH\">40.5</Amt>")
            ),
        ))
    };
    let read = entries(&batch(
        "<AmtDtls><TxAmt><Amt Ccy=\"UAH\">300.00000</Amt></TxAmt></AmtDtls>",
    ));
    let sums: Vec<i64> = read
        .iter()
        .map(|entry| entry.amount.unwrap().kopiykas())
        .collect();
    assert_eq!(sums, [30_000, 4_050]);
    assert!(
        read.iter()
            .all(|entry| entry.references.bank_reference.is_none()),
        "the reference is that of the batch"
    );
    assert_eq!(problems(&batch("")), ["4: Amt is missing"]);
}

#[test]
fn an_amount_is_read_wherever_the_bank_tells_it() {
    let one = |amounts: &str| entries(&statement(&booked("DBIT", "", &details(amounts))));
    let instructed = "<AmtDtls><InstdAmt><Amt Ccy=\"UAH\">40.00</Amt></InstdAmt></AmtDtls>";
    for (amounts, kopiykas) in [
        (instructed.to_owned(), 4_000),
        (format!("<Amt Ccy=\"UAH\"/>{instructed}"), 4_000),
        ("<Amt Ccy=\"UAH\"> </Amt>".to_owned(), 34_050),
        (String::new(), 34_050),
    ] {
        let read = one(&amounts);
        assert_eq!(read[0].amount.unwrap().kopiykas(), kopiykas, "{amounts}");
        assert!(
            matches!(read[0].fact, Fact::UnderWay { .. }),
            "{:?}",
            read[0]
        );
    }
    let foreign = one("<AmtDtls><InstdAmt><Amt Ccy=\"EUR\">40.00</Amt></InstdAmt></AmtDtls>");
    assert!(matches!(foreign[0].fact, Fact::Other(_)));
}

#[test]
fn an_entry_that_can_not_be_read_tells_what_can_be_and_hinders_no_other() {
    let to = |account: &str| {
        format!("<RltdPties><CdtrAcct><Id><IBAN>{account}</IBAN></Id></CdtrAcct></RltdPties>")
    };
    let empty = "<Amt Ccy=\"UAH\"></Amt>";
    let batch = [
        details(&format!("{empty}{}", to(NOTARY))),
        details(empty),
        details("<Amt Ccy=\"UAH\">3.00</Amt>"),
    ];
    let file = statement(&format!(
        "{}{}{}",
        booked("DBIT", "", &batch.concat()),
        booked("CRDT", "<RvslInd>true</RvslInd>", &details(&to(NOTARY))).replace("340.50", "x"),
        booked("DBIT", "", &details(&to(NOTARY))).replace("BOOK", "DONE"),
    ));
    let read = entries(&file);
    assert_eq!(
        problems(&file),
        [
            "4: Amt is missing",
            "4: Amt is missing",
            "5: Amt cannot be read",
            "6: Ntry/Sts cannot be read"
        ]
    );
    let known = [NOTARY, BANK];
    let accounts = |place: usize| -> Vec<&str> {
        let accounts = &read[place].accounts;
        accounts.iter().map(cabinet_domain::Iban::as_str).collect()
    };
    assert_eq!(accounts(0), known);
    assert_eq!(accounts(1), [""; 0], "nobody knows where it went");
    assert_eq!(read[2].amount.unwrap().kopiykas(), 300);
    assert_eq!(
        accounts(3),
        [""; 0],
        "what comes back may do so by an account of the bank"
    );
    assert_eq!(accounts(4), known);
    assert!(
        read.iter()
            .all(|entry| entry.references.document_number == Some(1001))
    );
}

#[test]
fn a_day_without_movements_is_no_bad_file() {
    let summary = "<TxsSummry><TtlNtries><NbOfNtries>00</NbOfNtries></TtlNtries></TxsSummry>";
    for entries_of in [String::new(), summary.to_owned()] {
        assert!(entries(&statement(&entries_of)).is_empty());
    }
    let notification = statement("").replace("BkToCstmrStmt>", "BkToCstmrDbtCdtNtfctn>");
    assert!(entries(&notification.replace("Stmt>", "Ntfctn>")).is_empty());
    assert!(entries(PRIVAT24).is_empty());
}

#[test]
fn a_message_is_read_in_whatever_a_bank_wraps_it() {
    let plain = statement(&booked("DBIT", "", &details("")));
    let expected = entries(&plain);
    let (declaration, document) = plain.split_once('\n').unwrap();
    let header = "<AppHdr xmlns=\"urn:iso:std:iso:20022:tech:xsd:head.001.001.02\"><BizMsgIdr>1</BizMsgIdr></AppHdr>";
    for wrapped in [
        format!("{declaration}\n<Envelope>{header}{document}</Envelope>"),
        format!(
            "{declaration}\n<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>{document}</soap:Body></soap:Envelope>"
        ),
        plain.replace("340.50", "340,50"),
    ] {
        assert_eq!(entries(&wrapped), expected, "{wrapped}");
    }
    let late = entries(&format!("\r\n\n{plain}"));
    assert_eq!(late[0].line, expected[0].line + 2);
    assert_eq!(late[0].amount, expected[0].amount);
    assert_eq!(
        read(format!("\n{plain}</x>").as_bytes()).unwrap_err()[0].line,
        plain.lines().count() + 1
    );
    for mark in ["\u{feff}", ""] {
        let text = format!("{mark}{}", plain.replace("UTF-8", "UTF-16"));
        let units: Vec<u16> = text.encode_utf16().collect();
        for bytes in [
            units
                .iter()
                .flat_map(|unit| unit.to_le_bytes())
                .collect::<Vec<u8>>(),
            units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
        ] {
            assert_eq!(
                read(&bytes),
                Ok(BankFile::Answers(expected.clone())),
                "{mark:?}"
            );
        }
    }
    let two = format!("<Envelope>{document}{document}</Envelope>");
    assert_eq!(
        read(two.as_bytes()).unwrap_err()[0].problem,
        Problem::Unknown
    );
    for sum in ["1,000", "1,234.50", "1.234,50", "1,"] {
        let file = statement(&booked("DBIT", "", &details("")).replace("340.50", sum));
        assert_eq!(problems(&file), ["4: Amt cannot be read"], "{sum}");
    }
}

#[test]
fn a_sum_is_told_with_its_currency() {
    let of = |entry: String| entries(&statement(&entry))[0].sum();
    let euros = booked("CRDT", "", &details("")).replace("UAH\">340.50", "EUR\">754.25");
    assert_eq!(of(euros.clone()).unwrap(), "754.25 EUR");
    assert_eq!(of(euros.replace("BOOK", "PDNG")).unwrap(), "754.25 EUR");
    assert_eq!(of(euros.replace("EUR", "E R")), None);
    assert_eq!(of(booked("DBIT", "", "")).unwrap(), "340.50 UAH");
    let row = format!("{PRIVAT24}{BANK};{NOTARY};C;754,25;EUR;02.03.2026;1;r;r;A;B;;x\n");
    assert_eq!(entries(&row)[0].sum().unwrap(), "754.25 EUR");
    assert_eq!(entries(&row)[0].amount, None);
}

const PRIVAT24: &str =
    "AUT_MY_ACC;AUT_CNTR_ACC;TRANTYPE;SUM;CCY;DAT_OD;NUM_DOC;PR_PR;FL_REAL;REF;REFN;UETR;OSND\n";

#[test]
fn a_statement_of_privat24_that_does_not_say_what_is_booked_and_real_tells_nothing() {
    for column in ["PR_PR", "FL_REAL"] {
        let heading = PRIVAT24.replace(&format!("{column};"), "");
        let file =
            format!("{heading}{BANK};{NOTARY};C;340.50;UAH;02.03.2026;1001;r;JB;P;{UETR};Мито\n");
        assert_eq!(
            read(file.as_bytes()).unwrap_err()[0].problem,
            Problem::Missing(column)
        );
    }
    for (state, reality, column) in [
        ("", "r", "PR_PR"),
        ("r", "", "FL_REAL"),
        ("r", "x", "FL_REAL"),
    ] {
        for direction in ["D", "C"] {
            let row = format!(
                "{BANK};{NOTARY};{direction};340.50;UAH;02.03.2026;1001;{state};{reality};JB;P;{UETR};Мито\n"
            );
            assert_eq!(
                entries(&format!("{PRIVAT24}{row}"))[0].fact,
                Fact::Unread(Problem::Unreadable(column)),
                "{row}"
            );
        }
    }
}

#[test]
fn a_statement_of_privat24_is_read_by_its_columns() {
    let rows = [
        format!("{BANK};{TREASURY};D;340,50;UAH;02.03.2026;1001;r;r;JBKL20;P;{UETR};Мито"),
        format!("{BANK};{NOTARY};D;340.50;UAH;02.03.2026;1002;n;r;JBKL21;P;;Мито"),
        format!(
            "{BANK};{TREASURY};C;340.50;UAH;03.03.2026;1001;r;r;JBKL22;P;{UETR};Повернення: рахунок закрито"
        ),
        format!("{BANK};{NOTARY};C;5;UAH;03.03.2026;1001;r;r;JBKL23;P;;Оплата"),
        format!("{BANK};;D;5;UAH;03.03.2026;;p;r;JBKL24;P;;Комісія"),
        format!("{BANK};{NOTARY};D;340.50;UAH;02.03.2026;1002;t;r;JBKL21;P;;Мито"),
    ];
    let file = format!("{PRIVAT24}{}\n", rows.join("\n"));
    let read = entries(&file);
    assert_eq!(
        (read[0].line, &read[0].fact),
        (
            2,
            &Fact::UnderWay {
                debited_on: Some(date(2026, 3, 2))
            }
        )
    );
    assert_eq!(
        read[0].references.bank_reference.as_ref().unwrap().as_str(),
        "JBKL20P"
    );
    assert_eq!(
        (
            read[0].amount.unwrap().kopiykas(),
            read[0].references.document_number
        ),
        (34_050, Some(1001))
    );
    let returned = |reason: &str, on| Fact::Returned {
        reason: reason.to_owned(),
        on,
    };
    assert_eq!(
        read[1].fact,
        Fact::Refused {
            reason: "Забраковано банком".to_owned(),
            on: date(2026, 3, 2),
            is_duplicate: false,
        }
    );
    let came_back = returned("Повернення: рахунок закрито", Some(date(2026, 3, 3)));
    assert_eq!(read[2].fact, came_back);
    assert_eq!(
        read[5].fact,
        Fact::Reversed {
            reason: "Сторновано банком".to_owned(),
        },
        "the row has the day of the debit, and none of the return"
    );
    assert_eq!(
        read[2].references.document_number, None,
        "whoever pays in has numbers of his own"
    );
    assert!(matches!(read[3].fact, Fact::Other("money that came in")));
    assert!(matches!(read[4].fact, Fact::Other(_)));
    let (windows, _, _) = encoding_rs::WINDOWS_1251.encode(&file);
    assert!(
        matches!(cabinet_bank_files::read(&windows), Ok(BankFile::Answers(same)) if same == read)
    );
}

#[test]
fn a_quoted_cell_may_have_line_ends_and_a_bad_mark_swallows_no_other_row() {
    let row = |number: &str, purpose: &str| {
        let cells = [
            BANK,
            NOTARY,
            "D",
            "5.00",
            "UAH",
            "02.03.2026",
            number,
            "r",
            "r",
            "JB",
            number,
            "",
        ];
        format!("\"{}\";\"{purpose}\"\r\n", cells.join("\";\""))
    };
    let numbers = |file: &str| -> Vec<(usize, Option<i64>)> {
        let of = |entry: &Entry| (entry.line, entry.references.document_number);
        entries(file).iter().map(of).collect()
    };
    let broken = format!(
        "{PRIVAT24}{}{}",
        row("1", "Оплата\r\nза\r\n\"\"послуги\"\""),
        row("2", "Мито")
    );
    assert_eq!(problems(&broken), [""; 0]);
    assert_eq!(numbers(&broken), [(2, Some(1)), (5, Some(2))]);

    let marks = format!(
        "{PRIVAT24}{}{}",
        row("1", "ТОВ \"Приклад\"; рахунок"),
        row("2", "Мито")
    );
    let quotes = "2: a quotation mark is not closed, or text follows the closing one";
    assert_eq!(problems(&marks), [quotes]);
    assert_eq!(numbers(&marks), [(2, Some(1)), (3, Some(2))]);
    let told = &entries(&marks)[0];
    assert_eq!(
        (told.accounts[0].as_str(), told.amount.unwrap().kopiykas()),
        (NOTARY, 500)
    );

    let open = format!(
        "{PRIVAT24}{BANK};{NOTARY};D;5;UAH;02.03.2026;1;r;r;JB;1;;\"Оплата\n{}{}",
        row("2", "Мито"),
        row("3", "Мито")
    );
    assert_eq!(problems(&open), [quotes]);
    assert_eq!(numbers(&open), [(2, Some(1)), (3, Some(2)), (4, Some(3))]);
    let early = format!("{PRIVAT24}{BANK};\"{NOTARY}\"x;D;5;UAH;02.03.2026;1;r;r;JB;1;;Оплата\n");
    assert!(
        entries(&early)[0].accounts.is_empty(),
        "the cells after the mark are not known"
    );
}

#[test]
fn a_bad_row_of_a_statement_is_named() {
    let file = format!(
        "{PRIVAT24}{BANK};{TREASURY};X;1;UAH;02.03.2026;1;r;r;A;B;;x\n{BANK};1\n{BANK};{TREASURY};D;1;UAH;2026-03-02;1;r;r;A;B;;x\n"
    );
    assert_eq!(
        problems(&file),
        [
            "2: TRANTYPE cannot be read",
            "3: the row has 2 cells, the header 13",
            "4: DAT_OD cannot be read",
        ]
    );
    let lacks = PRIVAT24.replace("TRANTYPE", "TYPE");
    assert_eq!(
        read(lacks.as_bytes()).unwrap_err()[0].problem,
        Problem::Missing("TRANTYPE")
    );
}

#[test]
fn what_a_credit_says_is_told_to_the_owner_of_the_account() {
    let told = |file: &str| -> Vec<Option<(String, String, String)>> {
        let credits = entries(file).into_iter().map(|entry| entry.credit);
        credits
            .map(|credit| {
                credit.map(|of| (of.account.as_str().to_owned(), of.on.to_string(), of.text))
            })
            .collect()
    };
    let credit = |text: &str| Some((BANK.to_owned(), "2026-03-02".to_owned(), text.to_owned()));
    let purpose = "<RmtInf><Ustrd>60 % адміністра</Ustrd><Ustrd>тивного збору</Ustrd></RmtInf>";
    let file = statement(
        &[
            booked("CRDT", "", &details(purpose)),
            booked(
                "CRDT",
                "",
                &details(&format!("{purpose}<AddtlTxInf>QR</AddtlTxInf>")),
            ),
            booked("CRDT", "<RvslInd>true</RvslInd>", &details(purpose)),
            booked(
                "CRDT",
                "",
                &details("<RtrInf><Rsn><Cd>AC06</Cd></Rsn></RtrInf>"),
            ),
            booked("CRDT", "", &details(purpose)).replace("BOOK<", "PDNG<"),
            booked("CRDT", "", &details(purpose)).replace("UAH", "EUR"),
            booked("DBIT", "", &details(purpose)),
        ]
        .concat(),
    );
    let whole = "60 % адміністративного збору";
    let both = format!("{whole}\nQR");
    let nothing = || [None, None, None, None, None];
    assert_eq!(
        told(&file),
        [vec![credit(whole), credit(&both)], nothing().to_vec()].concat()
    );
    let row = |direction: &str, currency: &str, state: &str, uetr: &str| {
        format!(
            "{BANK};{NOTARY};{direction};340,50;{currency};02.03.2026;77;{state};r;J;1;{uetr};\"за послуги\"\n"
        )
    };
    let table = [
        row("C", "UAH", "r", ""),
        row("C", "UAH", "r", UETR),
        row("C", "UAH", "p", ""),
        row("C", "EUR", "r", ""),
        row("D", "UAH", "r", ""),
    ];
    let heading = "AUT_MY_ACC;AUT_CNTR_ACC;TRANTYPE;SUM;CCY;DAT_OD;NUM_DOC;PR_PR;FL_REAL;REF;REFN;UETR;OSND\n";
    let service = credit("за послуги");
    assert_eq!(
        told(&format!("{heading}{}", table.concat())),
        [service.clone(), service, None, None, None]
    );
}
