//! Workbooks that are made to cost memory, read under a ceiling of memory.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::process::Command;

use cabinet_fuzz_targets::target;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Set in the process that reads them.
const READS: &str = "HOSTILE_WORKBOOKS_READS";
/// How many are read, if not sixty.
const COUNT: &str = "HOSTILE_WORKBOOKS";
/// The ceiling in KiB. What makes the workbooks takes most of it.
const CEILING_KIB: u32 = 192 * 1024;

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The parts of a workbook, each as text.
struct Book {
    package: String,
    relationships: String,
    workbook: String,
    styles: String,
    strings: String,
    sheet: String,
    others: Vec<(String, String)>,
}

impl Book {
    fn honest() -> Book {
        let related = |rows: &str| format!("<Relationships>{rows}</Relationships>");
        Book {
            package: related(&relationship("p1", "officeDocument", "xl/workbook.xml")),
            relationships: related(
                &[
                    relationship("r1", "worksheet", "worksheets/sheet1.xml"),
                    relationship("r2", "sharedStrings", "sharedStrings.xml"),
                    relationship("r3", "styles", "styles.xml"),
                ]
                .concat(),
            ),
            workbook: format!(
                "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets><sheet name=\"Платежі\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
            ),
            styles: format!(
                "<styleSheet xmlns=\"{MAIN}\"><cellXfs><xf numFmtId=\"0\"/></cellXfs></styleSheet>"
            ),
            strings: format!(
                "<sst xmlns=\"{MAIN}\"><si><t>Клієнт</t></si><si><t>Сума</t></si></sst>"
            ),
            sheet: format!(
                "<worksheet xmlns=\"{MAIN}\"><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"s\"><v>1</v></c></row><row r=\"2\"><c r=\"A2\" t=\"inlineStr\"><is><t>Іваненко Іван</t></is></c><c r=\"B2\" s=\"0\"><v>340</v></c></row></sheetData></worksheet>"
            ),
            others: Vec::new(),
        }
    }

    fn archive(&self) -> Vec<u8> {
        let parts = [
            ("_rels/.rels", &self.package),
            ("xl/_rels/workbook.xml.rels", &self.relationships),
            ("xl/workbook.xml", &self.workbook),
            ("xl/styles.xml", &self.styles),
            ("xl/sharedStrings.xml", &self.strings),
            ("xl/worksheets/sheet1.xml", &self.sheet),
        ];
        let others = self.others.iter().map(|(name, text)| (name.as_str(), text));
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in parts.into_iter().chain(others) {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    /// Returns a part by chance.
    fn any(&mut self, random: &mut StdRng) -> &mut String {
        match random.random_range(0..6) {
            0 => &mut self.package,
            1 => &mut self.relationships,
            2 => &mut self.workbook,
            3 => &mut self.styles,
            4 => &mut self.strings,
            _ => &mut self.sheet,
        }
    }
}

fn relationship(id: &str, kind: &str, target: &str) -> String {
    format!("<Relationship Id=\"{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
}

/// Puts a text behind the first element of a part.
fn put_inside(part: &mut String, text: &str) {
    let place = part.find('>').map_or(0, |place| place + 1);
    part.insert_str(place, text);
}

/// Returns this text so often that it has about so many bytes.
fn times(text: &str, bytes: usize) -> String {
    text.repeat(bytes / text.len().max(1))
}

/// A way to make a workbook cost more than its bytes, of this many bytes.
type Hostile = fn(&mut Book, &mut StdRng, usize);

const WAYS: [(&str, Hostile); 17] = [
    ("a long format of many styles", |book, _, bytes| {
        book.styles = format!(
            "<styleSheet xmlns=\"{MAIN}\"><numFmts><numFmt numFmtId=\"164\" formatCode=\"{}\"/></numFmts><cellXfs>{}</cellXfs></styleSheet>",
            times("0", bytes),
            times("<xf numFmtId=\"164\"/>", bytes)
        );
    }),
    (
        "styles in the place of a sheet's neighbour",
        |book, _, bytes| {
            book.package = book
                .package
                .replace("xl/workbook.xml", "xl/worksheets/book.xml");
            let styles = format!(
                "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"{}\"/></numFmts><cellXfs>{}</cellXfs></styleSheet>",
                times("0", bytes),
                times("<xf numFmtId=\"164\"/>", bytes)
            );
            let more = [
                ("xl/worksheets/styles.xml", styles),
                ("xl/worksheets/book.xml", book.workbook.clone()),
                (
                    "xl/worksheets/_rels/book.xml.rels",
                    book.relationships.replace("worksheets/", ""),
                ),
            ];
            book.others
                .extend(more.map(|(name, text)| (name.to_owned(), text)));
        },
    ),
    ("a number of texts that is not true", |book, random, _| {
        let count = 10_u64.pow(random.random_range(6..19));
        book.strings = book.strings.replacen(
            "<sst",
            &format!("<sst uniqueCount=\"{count}\" count=\"{count}\""),
            1,
        );
    }),
    ("many texts", |book, _, bytes| {
        put_inside(&mut book.strings, &times("<si><t>а</t></si>", bytes))
    }),
    ("texts without an end", |book, _, bytes| {
        put_inside(&mut book.strings, &times("<si><t>", bytes))
    }),
    ("a text of many runs", |book, _, bytes| {
        let runs = times("<r><rPr/><t>а</t></r><rPh><t>б</t></rPh>", bytes);
        put_inside(&mut book.strings, &format!("<si>{runs}</si>"));
    }),
    ("a long target of many sheets", |book, _, bytes| {
        let target = times("x", bytes);
        put_inside(
            &mut book.relationships,
            &relationship("long", "worksheet", &target),
        );
        put_inside(
            &mut book.workbook,
            &times("<sheet name=\"x\" r:id=\"long\"/>", bytes),
        );
    }),
    ("many attributes", |book, random, bytes| {
        let mut attributes = String::new();
        while attributes.len() < bytes {
            write!(attributes, " a{}=\"\"", attributes.len()).unwrap();
        }
        let part = book.any(random);
        let place = part.find('>').unwrap_or(0);
        part.insert_str(
            place.saturating_sub(usize::from(part[..place].ends_with('/'))),
            &attributes,
        );
    }),
    ("deep elements", |book, random, bytes| {
        let half = bytes / 7;
        let deep = format!("{}{}", "<d>".repeat(half), "</d>".repeat(half));
        put_inside(book.any(random), &deep);
    }),
    ("entities within entities", |book, random, _| {
        let mut entities = "<!DOCTYPE x [<!ENTITY e0 \"ха\">".to_owned();
        for at in 1..12 {
            write!(
                entities,
                "<!ENTITY e{at} \"{}\">",
                format!("&e{};", at - 1).repeat(10)
            )
            .unwrap();
        }
        entities.push_str("]>");
        let part = book.any(random);
        *part = format!("{entities}{}", part.replacen("<t>", "<t>&e11;", 1));
    }),
    ("references to characters", |book, _, bytes| {
        put_inside(
            &mut book.strings,
            &format!("<si><t>{}</t></si>", times("&#x430;&amp;", bytes)),
        );
    }),
    ("blanks", |book, random, bytes| {
        put_inside(book.any(random), &" ".repeat(bytes * 4))
    }),
    ("other parts", |book, _, bytes| {
        for name in [
            "xl/theme/theme1.xml",
            "xl/media/image1.png",
            "xl/calcChain.xml",
            "docProps/app.xml",
        ] {
            book.others.push((name.to_owned(), "0".repeat(bytes)));
        }
    }),
    ("dimensions and merged cells", |book, _, bytes| {
        put_inside(&mut book.sheet, "<dimension ref=\"A1:XFD1048576\"/>");
        let merged = times("<mergeCell ref=\"A1:XFD1048576\"/>", bytes);
        book.sheet = book.sheet.replace(
            "</worksheet>",
            &format!("<mergeCells>{merged}</mergeCells></worksheet>"),
        );
    }),
    ("a long number", |book, random, bytes| {
        let sign = ["9", "0", "0.", "1e", "-", "_x0041_"]
            .choose(random)
            .unwrap();
        book.sheet = book
            .sheet
            .replace("340", &format!("{sign}{}", times("9", bytes)));
    }),
    ("many cells", |book, random, bytes| {
        let cells = [
            "<c t=\"s\"><v>0</v></c>",
            "<row><c><v>1e308</v></c></row>",
            "<row/>",
            "<c r=\"XFD1048576\"><v>1</v></c>",
            "<c><f>A1</f></c>",
        ];
        let cells = times(cells.choose(random).unwrap(), bytes);
        book.sheet = book
            .sheet
            .replace("</sheetData>", &format!("{cells}</sheetData>"));
    }),
    ("many files", |book, _, bytes| {
        let files = (0..bytes / 4_096)
            .map(|at| (format!("xl/worksheets/sheet{}.xml", at + 2), String::new()));
        book.others.extend(files);
    }),
];

/// Returns a workbook: up to three ways, and now and then bytes that were changed.
fn workbook(seed: u64) -> (Vec<&'static str>, Vec<u8>) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut book = Book::honest();
    // Each way comes alone first.
    let alone = usize::try_from(seed).ok().and_then(|seed| WAYS.get(seed));
    let ways: Vec<_> = match alone {
        Some(way) => vec![way],
        None => {
            let count = random.random_range(1..=3);
            WAYS.choose_multiple(&mut random, count).collect()
        }
    };
    for (_, way) in &ways {
        let bytes = if alone.is_some() {
            3_600_000
        } else {
            1 << random.random_range(10..22)
        };
        way(&mut book, &mut random, bytes);
    }
    let mut bytes = book.archive();
    if alone.is_none() && random.random_ratio(1, 4) {
        for _ in 0..random.random_range(1..20) {
            let at = random.random_range(0..bytes.len());
            bytes[at] = random.random();
        }
    }
    (ways.iter().map(|(name, _)| *name).collect(), bytes)
}

#[test]
fn an_honest_workbook_of_the_same_parts_is_read() {
    let sheet = cabinet_app::cart::sheet::read_sheet(&Book::honest().archive()).unwrap();
    assert_eq!(sheet.rows.len(), 1);
}

/// The reading happens in a process of its own, which a broken ceiling ends.
#[test]
fn no_workbook_takes_more_memory_than_the_ceiling() {
    let count: u64 = std::env::var(COUNT).map_or(60, |count| count.parse().unwrap());
    if std::env::var(READS).is_ok() {
        let read = target("payment_sheet").unwrap();
        for seed in 0..count {
            let (ways, bytes) = workbook(seed);
            // The last line names the workbook that broke the ceiling.
            println!("\nworkbook {seed} of {} bytes: {ways:?}", bytes.len());
            read(&bytes);
        }
        return;
    }
    let child = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -d {CEILING_KIB} && exec \"$0\" \"$@\""))
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "hostile_workbooks::no_workbook_takes_more_memory_than_the_ceiling",
        ])
        .args(["--nocapture", "--test-threads=1"])
        .env(READS, "yes")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&child.stdout);
    let last = told.lines().rfind(|line| line.starts_with("workbook "));
    let last = last.unwrap_or_default();
    assert!(
        child.status.success(),
        "{} at {last}\n{}",
        child.status,
        String::from_utf8_lossy(&child.stderr)
    );
    assert!(last.starts_with(&format!("workbook {} ", count - 1)));
}
