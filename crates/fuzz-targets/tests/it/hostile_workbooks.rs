//! Workbooks that are made to cost memory, read under a ceiling of memory.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Cursor, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cabinet_fuzz_targets::target;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Set in the process that reads them.
const READS: &str = "HOSTILE_WORKBOOKS_READS";
/// How many there are, if not three hundred.
const COUNT: &str = "HOSTILE_WORKBOOKS";
/// The first that is read, if not the first of all.
const FROM: &str = "HOSTILE_WORKBOOKS_FROM";
/// A folder into which they are written, too, as far as the product takes a file so large.
const FOLDER: &str = "HOSTILE_WORKBOOKS_FOLDER";
/// The most bytes of such a file: with its envelope they make half a MiB.
const FILE_BYTES_MAX: usize = 380_000;
/// The most bytes of a file that is read: the process that reads it holds all of it beside what reading takes.
const READ_BYTES_MAX: usize = 32 * 1024 * 1024;
/// The most bytes of a sheet's copies before they are packed: thousands of a large sheet would take all memory of the machine that makes them.
const COPIES_BYTES_MAX: usize = 256 * 1024 * 1024;
/// The ceiling in KiB of the process that reads them.
const CEILING_KIB: u32 = 128 * 1024;
/// The longest that one may have taken: they take milliseconds, on a busy machine, too. What hangs is ended by the runner of the tests.
const SECONDS_MAX: Duration = Duration::from_secs(30);

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

const WAYS: [(&str, Hostile); 19] = [
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
    ("thousands of sheets", |book, random, bytes| {
        let is_there: bool = random.random();
        let (mut sheets, mut related) = (String::new(), String::new());
        for at in 2..bytes / 400 + 2 {
            let file = format!("worksheets/more{at}.xml");
            write!(sheets, "<sheet name=\"с{at}\" r:id=\"s{at}\"/>").unwrap();
            related.push_str(&relationship(&format!("s{at}"), "worksheet", &file));
            if is_there && at * book.sheet.len() < COPIES_BYTES_MAX {
                book.others.push((format!("xl/{file}"), book.sheet.clone()));
            }
        }
        put_inside(&mut book.relationships, &related);
        book.workbook = book
            .workbook
            .replace("<sheets>", &format!("<sheets>{sheets}"));
    }),
    ("relations in a circle", |book, random, _| {
        let targets = [
            "workbook.xml",
            "_rels/workbook.xml.rels",
            "../_rels/.rels",
            "worksheets/../workbook.xml",
            "sharedStrings.xml",
            "worksheets/sheet1.xml",
        ];
        for part in ["worksheets/sheet1.xml", "sharedStrings.xml"] {
            let target = targets.choose(random).unwrap();
            book.relationships = book
                .relationships
                .replace(&format!("\"{part}\""), &format!("\"{target}\""));
        }
        if random.random_ratio(1, 3) {
            book.package = book.package.replace("xl/workbook.xml", "_rels/.rels");
        }
    }),
];

/// Breaks the directory at the end of an archive: its numbers lie, or the archive ends early or comes twice.
fn break_directory(bytes: &mut Vec<u8>, random: &mut StdRng) {
    let end = bytes.len().saturating_sub(22);
    match random.random_range(0..4) {
        0 => bytes.truncate(random.random_range(0..bytes.len())),
        1 => bytes.extend_from_within(..),
        // How many files there are, how long the directory is, and where it begins.
        field => {
            let at = end + if field == 2 { 8 } else { 12 };
            let number: [u8; 4] = random.random();
            bytes[at..at + 4].copy_from_slice(&number);
        }
    }
}

/// Returns a workbook: up to three ways, and now and then bytes that were changed, or a broken directory.
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
    if alone.is_none() && random.random_ratio(1, 6) {
        break_directory(&mut bytes, &mut random);
    }
    (ways.iter().map(|(name, _)| *name).collect(), bytes)
}

#[test]
fn an_honest_workbook_of_the_same_parts_is_read() {
    let sheet = cabinet_app::cart::sheet::read_sheet(&Book::honest().archive()).unwrap();
    assert_eq!(sheet.rows.len(), 1);
}

/// Reads what comes by its input, each with its length before it, and says after each how long it took.
fn read_all() {
    let read = target("payment_sheet").unwrap();
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout());
    let mut length = [0; 8];
    while input.read_exact(&mut length).is_ok() {
        let mut bytes = vec![0; usize::try_from(u64::from_le_bytes(length)).unwrap()];
        input.read_exact(&mut bytes).unwrap();
        let began = Instant::now();
        read(&bytes);
        let taken = began.elapsed().as_micros();
        writeln!(output, "\nread in {taken} microseconds").unwrap();
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most = status.lines().find(|line| line.starts_with("VmHWM:"));
    writeln!(output, "\n{}", most.unwrap_or_default()).unwrap();
}

/// The reading happens in a process of its own, which a broken ceiling ends.
#[test]
fn no_workbook_takes_more_memory_than_the_ceiling() {
    if std::env::var(READS).is_ok() {
        return read_all();
    }
    let number = |name: &str, else_it_is: u64| {
        std::env::var(name).map_or(else_it_is, |given| given.parse().unwrap())
    };
    let (from, count) = (number(FROM, 0), number(COUNT, 300));
    let folder = std::env::var(FOLDER).ok();
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -d {CEILING_KIB} && exec \"$0\" \"$@\""))
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "hostile_workbooks::no_workbook_takes_more_memory_than_the_ceiling",
        ])
        .args(["--nocapture", "--test-threads=1"])
        .env(READS, "yes")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap()).lines();
    let (mut all, mut longest) = (Duration::ZERO, (Duration::ZERO, 0));
    let mut too_large = 0;
    for seed in from..count {
        let (ways, bytes) = workbook(seed);
        if bytes.len() > READ_BYTES_MAX {
            too_large += 1;
            continue;
        }
        let length = u64::try_from(bytes.len()).unwrap().to_le_bytes();
        let sent = input
            .write_all(&length)
            .and_then(|()| input.write_all(&bytes));
        let read = told.by_ref().map_while(Result::ok).find_map(|line| {
            let rest = line.strip_prefix("read in ")?;
            rest.strip_suffix(" microseconds")?.parse().ok()
        });
        let taken = read.map(Duration::from_micros);
        assert!(
            sent.is_ok() && taken.is_some_and(|taken| taken < SECONDS_MAX),
            "workbook {seed} of {} bytes: {ways:?}: {taken:?}, {:?}",
            bytes.len(),
            child.kill().and_then(|()| child.wait()),
        );
        all += taken.unwrap();
        longest = longest.max((taken.unwrap(), seed));
        if let Some(folder) = &folder
            && bytes.len() <= FILE_BYTES_MAX
        {
            std::fs::write(Path::new(folder).join(format!("{seed}.xlsx")), &bytes).unwrap();
        }
    }
    drop(input);
    // To the end, because the child fails where nobody reads what it says.
    let rest: Vec<String> = told.map_while(Result::ok).collect();
    let most = rest.iter().find(|line| line.starts_with("VmHWM:"));
    assert!(child.wait().unwrap().success());
    println!(
        "{from} to {count} read in {all:?}, the longest in {longest:?}; {too_large} larger than is read; most memory: {most:?}"
    );
}
