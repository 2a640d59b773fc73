//! Files for banks and of banks: lists in three formats, and what pain.002, camt.053, camt.054 and the statement of Privat24 tell.

use cabinet_app::operator::administration::{CloseAlarmError, WhichAlarms};
use cabinet_app::transfer::{Format, ImportError, Imported, Taken};
use cabinet_bank_files::Encoding;
use cabinet_domain::{Money, PaymentKind, TransferId, TransferStatus};
use cabinet_test_kit::{Person, TestApp, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::transfers::{count, import_file, list_as, paid_order, receipt};

/// The account whose statements are imported. Nobody in the tests has it.
const OWN: &str = "UA273052990000026009876543210";
const UETR: &str = "eb6305c9-1f7f-49de-aed0-16487c27b42d";

async fn import(
    app: &TestApp,
    file: &str,
    status: Option<TransferStatus>,
) -> Result<Taken, ImportError> {
    import_file(app, file.as_bytes(), status).await
}

/// Imports a file that is right. Returns how many transfers changed and stayed, and the lines that were left out.
pub(crate) async fn taken(app: &TestApp, file: &str) -> (usize, usize, Vec<String>) {
    let Taken {
        imported: Imported { changed, unchanged },
        unmatched,
        ..
    } = import(app, file, None).await.unwrap();
    let left_out = unmatched
        .iter()
        .map(|entry| format!("{}: {}", entry.line, entry.why))
        .collect();
    (changed, unchanged, left_out)
}

async fn refusals(app: &TestApp, file: &str, status: Option<TransferStatus>) -> Vec<String> {
    match import(app, file, status).await {
        Err(ImportError::Rows(rows)) => {
            let told = rows
                .iter()
                .map(|row| format!("{}: {}", row.line, row.reason));
            told.collect()
        }
        other => panic!("{other:?}"),
    }
}

/// A transfer as the cabinet's own list tells it.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) id: String,
    pub(crate) number: String,
    pub(crate) amount: String,
    pub(crate) iban: String,
    pub(crate) client: String,
}

/// Pays an order of three transfers and marks them as sent by a list of this format. Returns them.
async fn sent(app: &TestApp, format: Format) -> (Value, Vec<Listed>) {
    sent_of(app, &app.notary("olena").await, format).await
}

/// Returns the planned transfers, as the cabinet's own list tells them.
async fn planned(app: &TestApp) -> Vec<Listed> {
    let csv = list_as(app, Format::Csv(Encoding::Utf8)).await;
    let rows = csv.lines().skip(1).map(|row| {
        let cells: Vec<String> = row
            .split("\";\"")
            .map(|cell| cell.trim_matches('"').to_owned())
            .collect();
        Listed {
            id: cells[0].clone(),
            number: cells[1].clone(),
            amount: cells[5].clone(),
            iban: cells[7].clone(),
            client: cells[11].clone(),
        }
    });
    rows.collect()
}

/// The same of a notary who is signed in: an hour has few logins.
pub(crate) async fn sent_of(
    app: &TestApp,
    notary: &Person,
    format: Format,
) -> (Value, Vec<Listed>) {
    let order = paid_order(notary).await;
    let rows = planned(app).await;
    let list = list_as(app, format).await;
    let marked = import(app, &list, Some(TransferStatus::Sent))
        .await
        .unwrap();
    assert_eq!(
        marked.imported,
        Imported {
            changed: 3,
            unchanged: 0
        }
    );
    let again = import(app, &list, Some(TransferStatus::Sent))
        .await
        .unwrap();
    assert_eq!(
        again.imported,
        Imported {
            changed: 0,
            unchanged: 3
        }
    );
    (order, rows)
}

/// A line of a statement: an entry of the payer's account unless another account is named.
pub(crate) fn entry(direction: &str, of: &Listed, reference: &str, more: &str) -> String {
    entry_of(
        direction,
        &of.amount,
        &format!("<EndToEndId>{}</EndToEndId>", of.number),
        &of.iban,
        reference,
        more,
    )
}

fn entry_of(
    direction: &str,
    amount: &str,
    names: &str,
    iban: &str,
    reference: &str,
    more: &str,
) -> String {
    let reversal = if more.contains("<RtrInf>") {
        "<RvslInd>true</RvslInd>"
    } else {
        ""
    };
    format!(
        "\n<Ntry><Amt Ccy=\"UAH\">{amount}</Amt><CdtDbtInd>{direction}</CdtDbtInd>{reversal}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt>\
         <ValDt><Dt>2026-03-02</Dt></ValDt>{reference}<NtryDtls><TxDtls><Refs>{names}</Refs><RltdPties><CdtrAcct><Id><IBAN>{iban}</IBAN></Id></CdtrAcct></RltdPties>{more}</TxDtls></NtryDtls></Ntry>"
    )
}

pub(crate) fn reference(text: &str) -> String {
    format!("<AcctSvcrRef>{text}</AcctSvcrRef>")
}

pub(crate) fn statement(account: &str, entries: &[String]) -> String {
    format!(
        "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>{account}</IBAN></Id></Acct>{}</Stmt></BkToCstmrStmt></Document>",
        entries.concat()
    )
}

pub(crate) fn own_statement(entries: &[String]) -> String {
    statement(OWN, entries)
}

fn report(of: &Listed, status: &str, more: &str) -> String {
    format!(
        "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-03-02T12:00:00+02:00</CreDtTm></GrpHdr><OrgnlPmtInfAndSts>\
         <TxInfAndSts><OrgnlInstrId>{}</OrgnlInstrId><OrgnlEndToEndId>{}</OrgnlEndToEndId><OrgnlUETR>{UETR}</OrgnlUETR><TxSts>{status}</TxSts>{more}</TxInfAndSts>\
         </OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>",
        of.id.replace('-', ""),
        of.number
    )
}

/// A report that names the payment in this way alone.
pub(crate) fn report_by(names: &str, of: &Listed, status: &str, more: &str) -> String {
    let whole = report(of, status, more);
    let start = whole.find("<OrgnlInstrId>").unwrap();
    let end = whole.find("<TxSts>").unwrap();
    format!("{}{names}{}", &whole[..start], &whole[end..])
}

pub(crate) fn instruction(of: &Listed) -> String {
    format!("<OrgnlInstrId>{}</OrgnlInstrId>", of.id.replace('-', ""))
}

fn number(of: &Listed) -> String {
    format!("<OrgnlEndToEndId>{}</OrgnlEndToEndId>", of.number)
}

pub(crate) fn why(code: &str) -> String {
    format!("<StsRsnInf><Rsn><Cd>{code}</Cd></Rsn></StsRsnInf>")
}

fn credited_on(day: &str) -> String {
    format!("<FctvIntrBkSttlmDt><Dt>{day}</Dt></FctvIntrBkSttlmDt>")
}

/// The status of a transfer, as the database has it.
pub(crate) async fn state_of(app: &TestApp, of: &Listed) -> String {
    for status in ["sent", "credited", "returned"] {
        for (is_disputed, word) in [("is not null", "disputed"), ("is null", status)] {
            let sql = format!(
                "select count(*) from transfers where document_number = {} and status = '{status}' and disputed_at {is_disputed}",
                of.number
            );
            if app.number(sql).await == 1 {
                return word.to_owned();
            }
        }
    }
    panic!("{of:?} was never sent")
}

pub(crate) async fn close_alarms(app: &TestApp) {
    let sql =
        "update alarms set closed_at = first_at, note = 'Банк відповів' where closed_at is null";
    app.execute(sql.to_owned()).await;
}

/// Every order of so many things.
pub(crate) fn permutations(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else {
        return vec![vec![]];
    };
    let mut all = Vec::new();
    for shorter in permutations(last) {
        for place in 0..count {
            let mut order = shorter.clone();
            order.insert(place, last);
            all.push(order);
        }
    }
    all
}

const PRIVAT24: &str =
    "AUT_MY_ACC;AUT_CNTR_ACC;TRANTYPE;SUM;CCY;DAT_OD;NUM_DOC;PR_PR;FL_REAL;REF;REFN;UETR;OSND\n";
pub(crate) const RETURN: &str =
    "<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>рахунок № 7</AddtlInf></RtrInf>";

on_both_databases! {
    async fn what_a_bank_tells_in_its_own_files_is_taken_over_once(app: TestApp) {
        let (order, transfers) = sent(&app, Format::Pain001).await;
        let [first, second, third] = &transfers[..] else { panic!("{transfers:?}") };
        let debits = own_statement(&[
            entry("DBIT", first, &reference("D-1"), ""),
            entry("DBIT", second, &reference("D-2"), ""),
            entry_of("DBIT", "12.00", "", "UA743052990000026007233566001", &reference("F-1"), ""),
            entry_of("CRDT", "340.00", &format!("<EndToEndId>{}</EndToEndId>", first.number), &third.iban, "", ""),
        ]);
        let left_out = vec![
            "4: no transfer has its account, sum and day".to_owned(),
            "5: money that came in".to_owned(),
        ];
        assert_eq!(taken(&app, &debits).await, (2, 0, left_out.clone()));
        assert_eq!(taken(&app, &debits).await, (0, 2, left_out));
        assert_eq!(count(&app).await, [("sent", 3)].into(), "a debit is no crediting");

        let on_its_way = report(first, "ACSC", "");
        assert_eq!(taken(&app, &on_its_way).await, (1, 0, vec![]), "the end-to-end reference is new");
        assert_eq!(count(&app).await, [("sent", 3)].into());
        let credited = report(first, "ACCC", "<FctvIntrBkSttlmDt><Dt>2026-03-02</Dt></FctvIntrBkSttlmDt>");
        assert_eq!(taken(&app, &credited).await, (1, 0, vec![]));
        // The recipient's own notification.
        let arrived = statement(&third.iban, &[entry("CRDT", third, "", "")]);
        let arrived = arrived.replace("BkToCstmrStmt", "BkToCstmrDbtCdtNtfctn").replace("Stmt>", "Ntfctn>");
        assert_eq!(taken(&app, &arrived).await, (1, 0, vec![]));
        let back = own_statement(&[entry("CRDT", second, &reference("R-2"), RETURN)]);
        assert_eq!(taken(&app, &back).await, (1, 0, vec![]));
        assert_eq!(count(&app).await, [("credited", 2), ("returned", 1)].into());
        for file in [&debits, &on_its_way, &credited, &arrived, &back] {
            assert_eq!(taken(&app, file).await.0, 0, "the same file again changes nothing");
        }
        // The bank's report of the same return says it in other words.
        assert_eq!(taken(&app, &report(second, "RJCT", "").replace(UETR, "7d444840-9dc0-41d1-b245-5ffdce74fad2")).await.0, 1);
        assert!(app.stores("Рахунок закрито (AC04): рахунок № 7").await);
        let dated = "select count(*) from transfers where status = 'returned' and returned_on = '2026-03-02' and bank_reference = 'D-2'";
        assert_eq!(app.number(dated.to_owned()).await, 1);
        assert_eq!(app.number("select count(*) from transfers where credited_on = '2026-03-02'".to_owned()).await, 2);
        assert_eq!(app.number("select count(*) from outbox where kind = 'text_message' and payload like '%100001%'".to_owned()).await, 1);
        assert!(receipt(&app.notary("olena").await, &order).await.contains(UETR));
        app.finish_and_check().await;
    }

    async fn what_contradicts_a_transfer_refuses_the_whole_file(app: TestApp) {
        let (_, transfers) = sent(&app, Format::Privat24(Encoding::Utf8)).await;
        let [first, second, third] = &transfers[..] else { panic!("{transfers:?}") };
        let before = app.number("select count(*) from audit_events".to_owned()).await;
        let names = |of: &Listed| format!("<InstrId>{}</InstrId>", of.id.replace('-', ""));
        let file = own_statement(&[
            entry("DBIT", first, &reference("D-1"), ""),
            entry_of("DBIT", "1.00", &names(second), &second.iban, "", ""),
            entry_of("DBIT", &second.amount, &names(second), "UA743052990000026007233566001", "", ""),
            entry_of("CRDT", "1.00", &names(third), &third.iban, "", RETURN),
            entry_of("DBIT", &third.amount, &format!("{}<EndToEndId>{}</EndToEndId>", names(third), first.number), &third.iban, "", ""),
            entry("DBIT", first, &reference("D-9"), ""),
        ]);
        let number = |of: &Listed| of.number.clone();
        assert_eq!(refusals(&app, &file, None).await, [
            format!("3: document {} is {} UAH, the entry 1.00 UAH", number(second), second.amount),
            format!("4: document {} goes to another account than the entry", number(second)),
            format!("5: only 1.00 UAH of the {} UAH of document {} came back. If the bank kept the rest as its fee, import the file with --less-fee and the name of this entry; else ask the bank", third.amount, number(third)),
            "6: its references name two different transfers".to_owned(),
            format!("7: document {} is debited by entry 1 of the file already: the bank may have paid it twice", number(first)),
        ]);
        assert_eq!(count(&app).await, [("sent", 3)].into());
        assert_eq!(app.number("select count(*) from transfers where bank_reference is not null".to_owned()).await, 0);
        assert_eq!(app.number("select count(*) from audit_events".to_owned()).await, before);
        // Only the number is the same: another program of the payer numbers its documents, too.
        let foreign = own_statement(&[entry_of("DBIT", "1.00", &format!("<EndToEndId>{}</EndToEndId>", first.number), "UA743052990000026007233566001", "", "")]);
        assert_eq!(taken(&app, &foreign).await.2, ["2: its document number is one of ours, its account and sum are not"]);
        assert_eq!(refusals(&app, &report(first, "RJCT", ""), Some(TransferStatus::Sent)).await.len(), 1);
        assert_eq!(refusals(&app, "<Document><!DOCTYPE", None).await, ["1: this is not XML"]);
        app.finish_and_check().await;
    }

    async fn what_can_not_be_read_refuses_the_file_only_where_it_may_be_ours(app: TestApp) {
        let (_, transfers) = sent(&app, Format::Privat24(Encoding::Utf8)).await;
        let [first, second, _] = &transfers[..] else { panic!("{transfers:?}") };
        let foreign = "UA743052990000026007233566001";
        let ours = entry("DBIT", first, &reference("D-1"), "");
        let payment = |names: &str, iban: &str, amount: &str| format!(
            "<TxDtls><Refs>{names}</Refs>{amount}<RltdPties><CdtrAcct><Id><IBAN>{iban}</IBAN></Id></CdtrAcct></RltdPties></TxDtls>"
        );
        let batch = |payments: [String; 2]| format!(
            "\n<Ntry><Amt Ccy=\"UAH\">30.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><NtryDtls>{}</NtryDtls></Ntry>",
            payments.concat()
        );
        let nothing = "<EndToEndId>NOTPROVIDED</EndToEndId>";
        let numbered = format!("<EndToEndId>{}</EndToEndId>", second.number);
        for may_be_ours in [
            payment(nothing, &second.iban, ""),
            payment(&numbered, foreign, ""),
            payment(nothing, "Каса", ""),
        ] {
            let file = own_statement(&[ours.clone(), batch([payment(nothing, foreign, ""), may_be_ours])]);
            assert_eq!(refusals(&app, &file, None).await, ["3: Amt is missing"]);
        }
        let salaries = own_statement(&[ours, batch([payment(nothing, foreign, ""), payment(nothing, foreign, "<Amt Ccy=\"UAH\"/>")])]);
        let left_out = "3: it can't be read, and its account and references are those of no transfer".to_owned();
        assert_eq!(taken(&app, &salaries).await, (1, 0, vec![left_out.clone(), left_out]));
        app.finish_and_check().await;
    }

    async fn what_was_not_given_to_the_bank_is_not_taken_from_it(app: TestApp) {
        let olena = app.notary("olena").await;
        paid_order(&olena).await;
        let list = list_as(&app, Format::Pain001).await;
        assert_eq!(refusals(&app, &list, None).await, ["1: this is a list that the cabinet wrote: import it with --status sent"]);
        let first = list.split("<PmtId>").find(|payment| payment.contains("<EndToEndId>1<")).unwrap();
        let amount = first.split("<InstdAmt Ccy=\"UAH\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
        let early = own_statement(&[entry_of("DBIT", &amount, "<EndToEndId>1</EndToEndId>", "", "", "")]);
        assert_eq!(refusals(&app, &early, None).await, [
            "2: document 1 is still planned here, and the bank has it already: mark the list that the bank got as sent first",
        ]);
        let missing = list.replace("<EndToEndId>1</EndToEndId>", "<EndToEndId>77</EndToEndId>");
        assert_eq!(refusals(&app, &missing, Some(TransferStatus::Sent)).await, ["1: there is no document of this number"]);
        assert_eq!(count(&app).await, [("planned", 3)].into());
        app.finish_and_check().await;
    }

    async fn a_list_that_was_changed_is_not_marked_as_sent(app: TestApp) {
        let olena = app.notary("olena").await;
        paid_order(&olena).await;
        let of_row = list_as(&app, Format::Csv(Encoding::Utf8)).await;
        let row = of_row.lines().nth(1).unwrap().split("\";\"").collect::<Vec<_>>();
        let (amount, iban) = (row[5], row[7]);
        let client = "Гнатюк Петро Олександрович";
        for (format, columns) in [
            (Format::Csv(Encoding::Utf8), ["amount", "recipient_iban", "actual_payer_name"]),
            (Format::Privat24(Encoding::Utf8), ["payment_amount", "recipient_account", "payer_ultmt_name"]),
            (Format::Pain001, ["InstdAmt", "CdtrAcct/Id/IBAN", "UltmtDbtr/Nm"]),
        ] {
            let list = list_as(&app, format).await;
            let quote = if format == Format::Pain001 { (">", "<") } else { ("\"", "\"") };
            for (from, to, column) in [(amount, "9000.00", columns[0]), (iban, OWN, columns[1]), (client, "Гнатюк Павло", columns[2])] {
                let cell = |text: &str| format!("{}{text}{}", quote.0, quote.1);
                let changed = list.replace(&cell(from), &cell(to));
                assert_ne!(changed, list);
                let refused = refusals(&app, &changed, Some(TransferStatus::Sent)).await;
                assert!(refused.iter().any(|row| row.contains(&format!("{column} is not what the cabinet writes"))), "{column}: {refused:?}");
            }
            assert_eq!(count(&app).await, [("planned", 3)].into(), "nothing is marked");
        }
        let list = list_as(&app, Format::Csv(Encoding::Utf8)).await;
        // Without its columns a list can't be compared.
        let ids = of_row.lines().map(|row| row.split(';').next().unwrap()).collect::<Vec<_>>().join("\n");
        assert_ne!(refusals(&app, &ids, Some(TransferStatus::Sent)).await, [""; 0]);
        // A part of a list is what the cabinet writes, and is no list that was exported.
        let part: String = list.lines().take(2).map(|row| format!("{row}\r\n")).collect();
        let marked = import(&app, &part, Some(TransferStatus::Sent)).await.unwrap().list.unwrap();
        assert_eq!((marked.transfers, marked.amount.decimal(), marked.exported_at), (1, amount.to_owned(), None));
        let rest = list_as(&app, Format::Csv(Encoding::Utf8)).await;
        let marked = import(&app, &rest, Some(TransferStatus::Sent)).await.unwrap().list.unwrap();
        assert_eq!((marked.transfers, marked.exported_at.is_some(), marked.digest.len()), (2, true, 64));
        app.finish_and_check().await;
    }

    async fn one_debit_is_told_by_its_booking_and_by_its_payment_in_any_order(app: TestApp) {
        let (_, transfers) = sent(&app, Format::Pain001).await;
        let [first, second, third] = &transfers[..] else { panic!("{transfers:?}") };
        // camt.054 has both references, camt.053 that of the booking.
        let debit = |of: &Listed, payment: &str, booking: &str| {
            let payment = if payment.is_empty() { String::new() } else { reference(payment) };
            let names = format!("{payment}<EndToEndId>{}</EndToEndId>", of.number);
            own_statement(&[entry_of("DBIT", &of.amount, &names, &of.iban, &reference(booking), "")])
        };
        let both = |of: &Listed| debit(of, &format!("TX-{}", of.number), &format!("BOOK-{}", of.number));
        let booking = |of: &Listed| debit(of, "", &format!("BOOK-{}", of.number));
        for messages in [[both(first), booking(first)], [booking(second), both(second)]] {
            for message in &messages {
                assert_eq!(taken(&app, message).await.2, Vec::<String>::new(), "{message}");
            }
            for message in messages.iter().chain(messages.iter().rev()) {
                assert_eq!(taken(&app, message).await, (0, 1, vec![]), "nothing is new");
            }
        }
        // Without any other name a debit is found by either reference.
        let nameless = own_statement(&[entry_of("DBIT", &first.amount, "", &first.iban, &reference(&format!("BOOK-{}", first.number)), "")]);
        assert_eq!(taken(&app, &nameless).await, (0, 1, vec![]));
        for of in [first, second] {
            let kept = format!("select count(*) from transfers where document_number = {0} and bank_reference = 'TX-{0}' and booking_reference = 'BOOK-{0}'", of.number);
            assert_eq!(app.number(kept).await, 1);
            for again in [debit(of, "TX-9", "BOOK-9"), debit(of, "", "BOOK-9")] {
                assert_eq!(refusals(&app, &again, None).await, [
                    format!("2: document {} was debited before, under another reference: the bank may have paid it twice", of.number),
                ]);
            }
        }
        // Two debits in one file, too.
        let twice = |other: &str| {
            let of = |booking: &str| entry("DBIT", third, &reference(booking), "");
            own_statement(&[of("BOOK-3"), of(other)])
        };
        assert_eq!(refusals(&app, &twice("BOOK-4"), None).await, [
            format!("3: document {} is debited by entry 1 of the file already: the bank may have paid it twice", third.number),
        ]);
        assert_eq!(taken(&app, &twice("BOOK-3")).await, (1, 1, vec![]));
        app.finish_and_check().await;
    }

    async fn a_debit_without_a_reference_on_another_day_is_a_second_one(app: TestApp) {
        let (_, transfers) = sent(&app, Format::Pain001).await;
        let [first, second, _] = &transfers[..] else { panic!("{transfers:?}") };
        let debit = |of: &Listed| own_statement(&[entry("DBIT", of, "", "")]);
        let next_day = |of: &Listed| debit(of).replace("2026-03-02", "2026-03-03");
        for _ in 0..2 {
            assert_eq!(taken(&app, &debit(first)).await, (0, 1, vec![]), "it is sent, and no reference is new");
        }
        assert_eq!(refusals(&app, &next_day(first), None).await, [
            format!("2: document {} was debited before, on another day: the bank may have paid it twice", first.number),
        ]);
        // The same debit may be told by its reference elsewhere.
        taken(&app, &next_day(second)).await;
        assert_eq!(taken(&app, &own_statement(&[entry("DBIT", second, &reference("D-2"), "")])).await, (1, 0, vec![]));
        app.finish_and_check().await;
    }

    async fn a_debit_without_references_is_that_of_the_only_fitting_transfer(app: TestApp) {
        let (_, transfers) = sent(&app, Format::Csv(Encoding::Utf8)).await;
        let [first, second, third] = &transfers[..] else { panic!("{transfers:?}") };
        let row = |of: &Listed, day: &str, reference: &str| format!("{};{};D;{};UAH;{day};;r;r;{reference};P;;x\n", OWN, of.iban, of.amount);
        let file = format!("{PRIVAT24}{}{}", row(first, "02.03.2026", "A-1"), row(second, "03.03.2026", "A-2"));
        let other_day = vec!["3: no transfer has its account, sum and day".to_owned()];
        assert_eq!(taken(&app, &file).await, (1, 0, other_day.clone()));
        assert_eq!(taken(&app, &file).await, (0, 1, other_day), "the bank's reference names it now");
        assert_eq!(app.number(format!("select count(*) from transfers where bank_reference = 'A-1P' and document_number = {}", first.number)).await, 1);
        // Two transfers alike: nobody can tell which is meant.
        let as_if = |iban: &str, amount: &str| {
            format!("update transfers set recipient_iban = '{iban}', amount = {} where document_number = {}", amount.replace('.', ""), third.number)
        };
        app.execute(as_if(&second.iban, &second.amount)).await;
        let alike = format!("{PRIVAT24}{}", row(second, "02.03.2026", "A-3"));
        assert_eq!(taken(&app, &alike).await, (0, 0, vec!["2: several transfers have its account, sum and day".to_owned()]));
        app.execute(as_if(&third.iban, &third.amount)).await;
        app.finish_and_check().await;
    }
    async fn alike_debits_are_nobodys_and_the_order_of_lines_tells_nothing(app: TestApp) {
        let (_, transfers) = sent(&app, Format::Csv(Encoding::Utf8)).await;
        let [first, second, third] = &transfers[..] else { panic!("{transfers:?}") };
        let row = |of: &Listed, number: &str, reference: &str, uetr: &str| format!("{OWN};{};D;{};UAH;02.03.2026;{number};r;r;{reference};P;{uetr};x\n", of.iban, of.amount);
        let another = "another entry has its account, sum and day";
        let alike = format!("{PRIVAT24}{}{}", row(first, "", "B-1", UETR), row(first, "", "B-2", ""));
        assert_eq!(taken(&app, &alike).await, (0, 0, vec![format!("2: {another}"), format!("3: {another}")]));
        // The same debit told twice is one.
        let twice = format!("{PRIVAT24}{}{}", row(first, "", "B-1", UETR), row(first, "", "B-1", UETR));
        assert_eq!(taken(&app, &twice).await.2, Vec::<String>::new());
        assert_eq!(app.number("select count(*) from transfers where uetr is not null".to_owned()).await, 0, "it may be another payment's");

        let as_if = |iban: &str, amount: &str| {
            format!("update transfers set recipient_iban = '{iban}', amount = {} where document_number = {}", amount.replace('.', ""), third.number)
        };
        app.execute(as_if(&second.iban, &second.amount)).await;
        let file = format!("{PRIVAT24}{}{}", row(second, "", "C-1", ""), row(second, &third.number, "C-2", ""));
        assert_eq!(taken(&app, &file).await, (2, 0, vec![]), "the line without a number means the other transfer");
        assert_eq!(taken(&app, &file).await, (0, 2, vec![]));
        app.execute(as_if(&third.iban, &third.amount)).await;
        app.finish_and_check().await;
    }

    async fn a_debit_that_was_taken_back_beside_another_one_refuses_the_file(app: TestApp) {
        let (_, transfers) = sent(&app, Format::Privat24(Encoding::Utf8)).await;
        let [first, second, _] = &transfers[..] else { panic!("{transfers:?}") };
        let row = |of: &Listed, state: &str, reference: &str| format!("{OWN};{};D;{};UAH;02.03.2026;{};{state};r;{reference};P;;x\n", of.iban, of.amount, of.number);
        for rows in [[row(first, "r", "A"), row(first, "t", "B")], [row(first, "t", "B"), row(first, "r", "A")]] {
            let refused = refusals(&app, &format!("{PRIVAT24}{}", rows.concat()), None).await;
            assert!(refused[0].contains("may have paid it twice"), "{refused:?}");
        }
        taken(&app, &format!("{PRIVAT24}{}", row(second, "r", "C"))).await;
        let refused = refusals(&app, &format!("{PRIVAT24}{}", row(second, "t", "D")), None).await;
        assert!(refused[0].contains(&second.number), "{refused:?}");
        assert_eq!(taken(&app, &format!("{PRIVAT24}{}", row(second, "t", "C"))).await, (1, 0, vec![]));
        assert_eq!(count(&app).await, [("returned", 1), ("sent", 2)].into());
        app.finish_and_check().await;
    }

    async fn a_refused_instruction_is_a_return_only_where_nothing_was_paid(app: TestApp) {
        let (_, transfers) = sent(&app, Format::Pain001).await;
        let [first, second, third] = &transfers[..] else { panic!("{transfers:?}") };
        let told = |of: &Listed, status: &str, more: &str| report_by(&instruction(of), of, status, more);
        for (status, code) in [("RJCT", "AM05"), ("CANC", "DUPL"), ("RJCT", "RF01")] {
            let refused = refusals(&app, &told(first, status, &why(code)), None).await;
            assert!(refused[0].contains(&format!("refused document {} as a repetition", first.number)), "{refused:?}");
        }
        taken(&app, &own_statement(&[entry("DBIT", first, &reference("D-1"), "")])).await;
        taken(&app, &told(second, "ACCC", "")).await;
        let refused = told(third, "RJCT", &why("AC04"));
        assert_eq!(taken(&app, &refused).await, (1, 0, vec![]));
        assert_eq!(taken(&app, &refused).await, (0, 1, vec![]));
        assert_eq!(count(&app).await, [("credited", 1), ("returned", 1), ("sent", 1)].into());
        for (of, status) in [(first, "RJCT"), (second, "CANC")] {
            assert_eq!(taken(&app, &told(of, status, &why("AC04"))).await, (1, 0, vec![]));
            assert_eq!(taken(&app, &told(of, status, &why("AC04"))).await, (0, 1, vec![]));
            assert_eq!(state_of(&app, of).await, "disputed");
        }
        // Nobody forgets one of which it is not known where its money is.
        let administration = &app.services().operator.administration();
        let open = administration.open_alarms(&WhichAlarms::OfKind("transfer_disputed".to_owned())).await.unwrap();
        assert_eq!(open.len(), 2);
        for alarm in open {
            let closing = administration.close_alarm(alarm, "Вирішено", Money::ZERO, app.services().now()).await;
            assert!(matches!(closing, Err(CloseAlarmError::Disputed(_))), "{closing:?}");
        }
        close_alarms(&app).await;
        app.finish_and_check().await;
    }

    async fn a_refused_transfer_that_the_bank_carries_out_is_neither_sent_again_nor_given_back(app: TestApp) {
        let (order, transfers) = sent(&app, Format::Pain001).await;
        let olena = app.notary("olena").await;
        let [first, second, third] = &transfers[..] else { panic!("{transfers:?}") };
        let refusal = |of: &Listed| report_by(&instruction(of), of, "RJCT", &why("AM04"));
        let debit = |of: &Listed| own_statement(&[entry("DBIT", of, &reference(&format!("D-{}", of.number)), "")]);
        for of in [first, second] {
            taken(&app, &refusal(of)).await;
            assert_eq!(state_of(&app, of).await, "returned");
        }
        // The second is sent again before the bank carries it out.
        let parts = crate::returns::transfers(&olena, &order).await;
        let part = |of: &Listed| parts.iter().find(|part| part["id"] == json!(of.id)).unwrap().clone();
        let requisites = |of: &Listed| {
            let part = part(of);
            json!({ "iban": part["iban"], "okpo": part["okpo"], "recipient_name": part["recipient_name"], "purpose": part["purpose"] })
        };
        olena.post(&format!("/order/transfer/{}/resend", second.id), requisites(second)).await.ok();
        assert_eq!(list_as(&app, Format::Csv(Encoding::Utf8)).await.lines().count(), 2);
        // All on one day.
        for of in [first, second] {
            let told = import(&app, &debit(of), None).await.unwrap();
            assert_eq!((told.imported.changed, told.disputed), (1, vec![of.number.parse().unwrap()]));
            assert_eq!(taken(&app, &debit(of)).await, (0, 1, vec![]));
            assert_eq!(state_of(&app, of).await, "disputed");
        }
        let open = "select count(*) from alarms where kind = 'transfer_disputed' and closed_at is null and order_id is not null";
        assert_eq!(app.number(open.to_owned()).await, 2);
        for path in ["resend", "refund"] {
            let path = format!("/order/transfer/{}/{path}", first.id);
            olena.post(&path, requisites(first)).await.refused(409, "part_not_returned");
        }
        assert_eq!(list_as(&app, Format::Csv(Encoding::Utf8)).await.lines().count(), 1, "what sends it again waits");
        let shown = crate::returns::transfers(&olena, &order).await;
        let status = |of: &Listed| shown.iter().find(|part| part["id"] == json!(of.id)).unwrap()["status"].clone();
        assert_eq!((status(first), status(second)), (json!("disputed"), json!("disputed")));
        let text = receipt(&olena, &order).await;
        assert_eq!(text.matches("Перевіряється в банку").count(), 1, "{text}");
        assert!(!text.contains("Повернено банком") && !text.contains("частину платежу повернено"), "{text}");
        // A crediting, and the refusal again, say nothing new of where the money is.
        taken(&app, &report_by(&instruction(first), first, "ACCC", "")).await;
        taken(&app, &refusal(first)).await;
        assert_eq!(state_of(&app, first).await, "disputed");

        // The bank has answered. The same files change nothing from then on.
        let answer = |of: &Listed, status: &str, reason: &str| format!("transfer_id,status,reason\n{},{status},{reason}\n", of.id);
        taken(&app, &answer(first, "credited", "")).await;
        assert_eq!(refusals(&app, &answer(second, "credited", ""), None).await, ["2: a transfer that is disputed cannot become credited"]);
        taken(&app, &answer(second, "returned", "Не виконано")).await;
        for file in [refusal(first), debit(first), debit(second), refusal(second)] {
            assert_eq!(taken(&app, &file).await, (0, 1, vec![]), "{file}");
        }
        assert_eq!((state_of(&app, first).await, state_of(&app, second).await, state_of(&app, third).await), ("credited".to_owned(), "returned".to_owned(), "sent".to_owned()));
        close_alarms(&app).await;
        assert_eq!(list_as(&app, Format::Csv(Encoding::Utf8)).await.lines().count(), 2);
        app.finish_and_check().await;
    }

    async fn a_list_that_is_marked_again_settles_no_dispute_and_the_bank_does(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        olena.pay(&order).await;
        let transfers = planned(&app).await;
        let [asked, undecided, wanted] = &transfers[..] else { panic!("{transfers:?}") };
        let list = list_as(&app, Format::Pain001).await;
        import(&app, &list, Some(TransferStatus::Sent)).await.unwrap();
        for of in &transfers {
            taken(&app, &report_by(&instruction(of), of, "RJCT", &why("AM04"))).await;
        }
        for of in [asked, wanted] {
            olena.post(&format!("/order/transfer/{}/refund", of.id), json!({})).await.ok();
        }
        for of in &transfers {
            taken(&app, &own_statement(&[entry("DBIT", of, &reference(&format!("D-{}", of.number)), "")])).await;
        }
        let again = import(&app, &list, Some(TransferStatus::Sent)).await.unwrap();
        assert_eq!(again.imported, Imported { changed: 0, unchanged: 3 });
        for of in &transfers {
            assert_eq!(state_of(&app, of).await, "disputed");
        }
        // The next day two come back, whatever the day of the refusal was.
        app.clock().advance(SignedDuration::from_hours(24));
        for of in [asked, undecided] {
            let back = own_statement(&[entry("CRDT", of, "", RETURN)]).replace("2026-03-02", "2026-03-03");
            assert_eq!(taken(&app, &back).await, (1, 0, vec![]));
            assert_eq!(state_of(&app, of).await, "returned");
        }
        // The third has arrived: the bank says so when it is asked, and nothing is owed to the card any more.
        taken(&app, &format!("transfer_id,status\n{},credited\n", wanted.id)).await;
        assert_eq!(state_of(&app, wanted).await, "credited");
        let services = app.services();
        let open = services.operator.card_refunds().open().await.unwrap();
        let open: Vec<String> = open.iter().map(|(_, transfer)| transfer.id.to_string()).collect();
        assert_eq!(open, [asked.id.as_str()]);
        app.work().await;
        close_alarms(&app).await;
        let amount = Money::parse_decimal(&asked.amount).unwrap().kopiykas();
        app.outside().refund_part(&page, amount).await;
        let id = TransferId::parse(&asked.id).unwrap();
        services.operator.card_refunds().mark(id, "операція 77", services.now()).await.unwrap();
        app.work().await;
        app.finish_and_check().await;
    }

    async fn the_files_of_a_day_give_the_same_in_any_order_and_repetition(app: TestApp) {
        let refusal = |of: &Listed| report_by(&instruction(of), of, "RJCT", &why("AM04"));
        let debit = |of: &Listed| own_statement(&[entry("DBIT", of, &reference(&format!("D-{}", of.number)), "")]);
        let crediting = |of: &Listed| report_by(&instruction(of), of, "ACCC", "");
        let back = |of: &Listed| own_statement(&[entry("CRDT", of, "", RETURN)]);
        type Write<'a> = &'a dyn Fn(&Listed) -> String;
        let cases: [(&[Write<'_>], &str); 5] = [
            (&[&refusal, &debit], "disputed"),
            (&[&refusal, &crediting], "disputed"),
            (&[&refusal, &debit, &crediting], "disputed"),
            (&[&debit, &crediting, &back], "returned"),
            (&[&refusal, &debit, &crediting, &back], "returned"),
        ];
        let olena = app.notary("olena").await;
        let mut transfers: Vec<Listed> = Vec::new();
        for (files, expected) in cases {
            for order in permutations(files.len()) {
                if transfers.is_empty() {
                    transfers = sent_of(&app, &olena, Format::Pain001).await.1;
                }
                let of = transfers.pop().unwrap();
                let repeated = order.iter().chain(&order).chain(order.iter().rev());
                for place in repeated {
                    taken(&app, &files[*place](&of)).await;
                }
                assert_eq!(state_of(&app, &of).await, expected, "{order:?}");
            }
        }
        close_alarms(&app).await;
        app.finish_and_check().await;
    }

    async fn money_that_left_after_a_refusal_comes_back_on_a_day_of_its_own_in_any_order(app: TestApp) {
        let on = |day: u32, text: String| text.replace("2026-03-02", &format!("2026-03-0{day}"));
        let refusal = |of: &Listed| report_by(&instruction(of), of, "RJCT", &why("AM04"));
        let debit = |of: &Listed| on(3, own_statement(&[entry("DBIT", of, &reference(&format!("D-{}", of.number)), "")]));
        let crediting = |of: &Listed| on(3, report_by(&instruction(of), of, "ACCC", ""));
        let back = |of: &Listed| on(4, own_statement(&[entry("CRDT", of, "", RETURN)]));
        let files: [&dyn Fn(&Listed) -> String; 4] = [&refusal, &debit, &crediting, &back];
        let olena = app.notary("olena").await;
        let mut transfers: Vec<Listed> = Vec::new();
        let orders = permutations(files.len());
        while transfers.len() < orders.len() {
            transfers.extend(sent_of(&app, &olena, Format::Pain001).await.1);
        }
        app.clock().advance(SignedDuration::from_hours(48));
        for (order, of) in orders.iter().zip(&transfers) {
            for place in order.iter().chain(order) {
                taken(&app, &files[*place](of)).await;
            }
            assert_eq!(state_of(&app, of).await, "returned", "{order:?}");
            let day = format!("select count(*) from transfers where document_number = {} and returned_on = '2026-03-04'", of.number);
            assert_eq!(app.number(day).await, 1, "{order:?}");
        }
        close_alarms(&app).await;
        app.finish_and_check().await;
    }

    async fn money_that_left_after_a_refusal_is_reversed_without_a_day_in_any_order(app: TestApp) {
        let row = |of: &Listed, day: &str, state: &str| {
            format!("{PRIVAT24}{OWN};{};D;{};UAH;{day}.03.2026;{};{state};r;A-{};P;;x\n", of.iban, of.amount, of.number, of.number)
        };
        let rows = [("02", "n"), ("03", "r"), ("03", "t")];
        let olena = app.notary("olena").await;
        let mut transfers: Vec<Listed> = Vec::new();
        let orders = permutations(rows.len());
        while transfers.len() < orders.len() {
            transfers.extend(sent_of(&app, &olena, Format::Privat24(Encoding::Utf8)).await.1);
        }
        app.clock().advance(SignedDuration::from_hours(48));
        for (order, of) in orders.iter().zip(&transfers) {
            for place in order.iter().chain(order) {
                let (day, state) = rows[*place];
                taken(&app, &row(of, day, state)).await;
            }
            assert_eq!(state_of(&app, of).await, "returned", "{order:?}");
        }
        // The reversal is of the day on which it was told, by the latest: what leaves after that day is paid twice.
        app.clock().advance(SignedDuration::from_hours(72));
        for of in &transfers {
            assert!(refusals(&app, &row(of, "06", "r"), None).await[0].contains("came back before"));
            assert_eq!(state_of(&app, of).await, "returned");
        }
        close_alarms(&app).await;
        app.finish_and_check().await;
    }

    async fn a_clock_that_was_ahead_at_midnight_refuses_no_day_of_the_bank(app: TestApp) {
        app.clock().set("2026-03-02T22:10:00Z");
        let (_, transfers) = sent(&app, Format::Pain001).await;
        let [first, ..] = &transfers[..] else { panic!("{transfers:?}") };
        let told = |day: &str| report_by(&instruction(first), first, "ACCC", &credited_on(day));
        assert!(refusals(&app, &told("2026-03-01"), None).await[0].contains("before the transfer was planned"));
        taken(&app, &told("2026-03-02")).await;
        assert_eq!(state_of(&app, first).await, "credited");
        app.finish_and_check().await;
    }

    async fn a_document_number_alone_changes_no_transfer(app: TestApp) {
        let (_, transfers) = sent(&app, Format::Privat24(Encoding::Utf8)).await;
        let [first, second, _] = &transfers[..] else { panic!("{transfers:?}") };
        let amount = format!("<Amt><InstdAmt Ccy=\"UAH\">{}</InstdAmt></Amt>", first.amount);
        let account = format!("<CdtrAcct><Id><IBAN>{}</IBAN></Id></CdtrAcct>", first.iban);
        let original = |parts: &[&str]| format!("<OrgnlTxRef>{}</OrgnlTxRef>", parts.concat());
        let names = format!("{}<OrgnlUETR>{UETR}</OrgnlUETR>", number(first));
        for status in ["ACCC", "RJCT", "CANC", "ACSC"] {
            let left_out = taken(&app, &report_by(&names, first, status, "")).await;
            assert_eq!(left_out, (0, 0, vec!["1: its document number is one of ours, its account and sum are not".to_owned()]));
        }
        for half in [&amount, &account] {
            let (changed, _, left_out) = taken(&app, &report_by(&names, first, "RJCT", &original(&[half.as_str()]))).await;
            assert!(changed == 0 && left_out[0].contains("do not both show"), "{left_out:?}");
            taken(&app, &report_by(&names, first, "ACSC", &original(&[half.as_str()]))).await;
        }
        let both = original(&[&amount, &account]);
        let foreign = format!("<OrgnlInstrId>0123456789abcdef0123456789abcdef</OrgnlInstrId>{}", number(first));
        assert_eq!(taken(&app, &report_by(&foreign, first, "ACCC", &both)).await.2, ["1: its instruction is not one of ours"]);
        // Neither refuses the file.
        let end_to_end = format!("<EndToEndId>{}</EndToEndId>", second.number);
        let others = own_statement(&[
            entry_of("DBIT", "1.00", &end_to_end, "", &reference("F-1"), ""),
            entry_of("CRDT", "1.00", &end_to_end, "", "", RETURN),
            entry_of("CRDT", &second.amount, &end_to_end, "", "", RETURN),
        ]);
        assert_eq!(taken(&app, &others).await.2.len(), 3);
        assert_eq!(count(&app).await, [("sent", 3)].into());
        assert_eq!(app.number("select count(*) from transfers where uetr is not null or bank_reference is not null".to_owned()).await, 0);
        assert_eq!(taken(&app, &report_by(&names, first, "ACCC", &both)).await, (1, 0, vec![]));
        app.finish_and_check().await;
    }

    async fn what_is_paid_after_its_return_refuses_the_file(app: TestApp) {
        let (order, transfers) = sent(&app, Format::Pain001).await;
        let olena = app.notary("olena").await;
        let on_day = |of: &Listed| report_by(&instruction(of), of, "ACCC", &credited_on("2026-03-02"));
        for of in &transfers {
            taken(&app, &on_day(of)).await;
            taken(&app, &own_statement(&[entry("CRDT", of, "", RETURN)])).await;
        }
        let [first, second, third] = &transfers[..] else { panic!("{transfers:?}") };
        let paid_again = |of: &Listed| format!("document {} came back before, and the bank debited or credited it after that", of.number);
        let debit = own_statement(&[entry("DBIT", first, &reference("D-9"), "")]);
        let later = debit.replace("2026-03-02", "2026-03-03");
        assert!(refusals(&app, &later, None).await[0].contains(&paid_again(first)));
        let later = report_by(&instruction(first), first, "ACCC", &credited_on("2026-03-03"));
        assert!(refusals(&app, &later, None).await[0].contains(&paid_again(first)));
        assert_eq!(taken(&app, &debit).await, (1, 0, vec![]), "the debit before the return");

        let path = format!("/order/{}/transfers", order["id"].as_str().unwrap());
        let parts = olena.get(&path).await.ok()["transfers"].as_array().unwrap().clone();
        let part = |of: &Listed| parts.iter().find(|part| part["id"] == of.id.as_str()).unwrap().clone();
        let again = part(second);
        let requisites = serde_json::json!({
            "iban": again["iban"], "okpo": again["okpo"], "recipient_name": again["recipient_name"], "purpose": again["purpose"],
        });
        olena.post(&format!("/order/transfer/{}/resend", second.id), requisites).await.ok();
        olena.post(&format!("/order/transfer/{}/refund", third.id), serde_json::json!({})).await.ok();
        for of in [second, third] {
            let undated = report_by(&instruction(of), of, "ACCC", "");
            assert!(refusals(&app, &undated, None).await[0].contains(&paid_again(of)));
            assert_eq!(taken(&app, &on_day(of)).await, (0, 1, vec![]), "the crediting before the return");
        }
        app.finish_and_check().await;
    }

    async fn a_crediting_before_the_return_is_told_late(app: TestApp) {
        let (_, transfers) = sent(&app, Format::Pain001).await;
        let first = &transfers[0];
        app.clock().advance(SignedDuration::from_hours(72));
        let back = own_statement(&[entry("CRDT", first, "", RETURN)]).replace("2026-03-02", "2026-03-04");
        assert_eq!(taken(&app, &back).await, (1, 0, vec![]));
        app.notary("olena").await.post(&format!("/order/transfer/{}/refund", first.id), serde_json::json!({})).await.ok();
        let told = |on: &str| report_by(&instruction(first), first, "ACCC", &credited_on(on));
        assert_eq!(taken(&app, &told("2026-03-03")).await, (1, 0, vec![]));
        assert!(refusals(&app, &told("2026-03-05"), None).await[0].contains("came back before"));
        app.finish_and_check().await;
    }

    async fn our_money_that_comes_in_again_is_a_return_and_its_reason_names_nobody(app: TestApp) {
        let (_, transfers) = sent(&app, Format::Pain001).await;
        let [first, second, _] = &transfers[..] else { panic!("{transfers:?}") };
        let surname = first.client.split(' ').next().unwrap();
        let purpose = format!("<RmtInf><Ustrd>Повернення: збір, {}, {}</Ustrd></RmtInf>", first.client, surname.to_uppercase());
        let names = |of: &Listed| format!("<InstrId>{}</InstrId>", of.id.replace('-', ""));
        let less = own_statement(&[entry_of("CRDT", "1.00", &names(first), &first.iban, "", &purpose)]);
        assert!(refusals(&app, &less, None).await[0].contains("only 1.00 UAH"));
        let back = own_statement(&[entry_of("CRDT", &first.amount, &names(first), &first.iban, "", &purpose)]);
        assert_eq!(taken(&app, &back).await, (1, 0, vec![]));
        assert_eq!(taken(&app, &back).await, (0, 1, vec![]));
        let nameless = "select count(*) from transfers where status = 'returned' and returned_on = '2026-03-02' and reason = 'Повернення: збір, … … …, …'";
        assert_eq!(app.number(nameless.to_owned()).await, 1);
        taken(&app, &report(second, "ACSC", "")).await;
        let by_uetr = own_statement(&[entry_of("CRDT", &second.amount, &format!("<UETR>{UETR}</UETR>"), &second.iban, "", "")]);
        assert_eq!(taken(&app, &by_uetr).await, (1, 0, vec![]));
        assert_eq!(count(&app).await, [("returned", 2), ("sent", 1)].into());
        app.finish_and_check().await;
    }

    async fn a_reversed_debit_has_no_day_of_its_return(app: TestApp) {
        let (_, transfers) = sent(&app, Format::Privat24(Encoding::Utf8)).await;
        let first = &transfers[0];
        app.clock().advance(SignedDuration::from_hours(24));
        taken(&app, &report_by(&instruction(first), first, "ACCC", &credited_on("2026-03-03"))).await;
        let reversed = format!("{PRIVAT24}{OWN};{};D;{};UAH;02.03.2026;{};t;r;A-1;P;;x\n", first.iban, first.amount, first.number);
        assert_eq!(taken(&app, &reversed).await, (1, 0, vec![]));
        assert_eq!(app.number("select count(*) from transfers where status = 'returned' and returned_on is null".to_owned()).await, 1);
        app.finish_and_check().await;
    }
}
