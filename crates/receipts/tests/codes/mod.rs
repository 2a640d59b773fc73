//! QR codes of transfers, read back by an independent library: from the modules, and from pages as a renderer draws them.

use std::io::Write;
use std::process::{Command, Stdio};

use cabinet_domain::{Iban, Locale, Money, Okpo};
use cabinet_receipts::{Symbol, TransferLink, payment_codes};
use serde_json::Value;

use crate::{sample_codes, samples};

/// Pixels of a module of a drawn symbol.
const PIXELS: usize = 4;
/// Modules of white around it.
const ZONE: usize = 4;

fn cases() -> Vec<Value> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/transfer-codes.json"
    );
    let table: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    table["cases"].as_array().unwrap().clone()
}

fn link_of(case: &Value) -> Option<TransferLink> {
    let input = &case["input"];
    let text = |field: &str| input[field].as_str().unwrap();
    TransferLink::new(
        text("recipient"),
        &Iban::parse(text("iban")).unwrap(),
        Money::from_kopiykas(input["kopiykas"].as_i64().unwrap()).unwrap(),
        &Okpo::parse(text("code")).unwrap(),
        text("purpose"),
    )
}

/// Reads all codes of a grey picture.
fn read(width: usize, height: usize, grey: impl Fn(usize, usize) -> u8) -> Vec<String> {
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, grey);
    let grids = image.detect_grids();
    grids.iter().map(|grid| grid.decode().unwrap().1).collect()
}

/// Draws a symbol with the white circle in its middle, dark inside where the sign stands, and reads it.
fn read_drawn(symbol: &Symbol) -> Vec<String> {
    let side = (symbol.side + 2 * ZONE) * PIXELS;
    read(side, side, |x, y| {
        let at = |pixel: usize| (pixel / PIXELS).checked_sub(ZONE);
        let (Some(column), Some(row)) = (at(x), at(y)) else {
            return 255;
        };
        if column >= symbol.side || row >= symbol.side {
            return 255;
        }
        let from_middle = |place: usize| (2 * place + 1).abs_diff(symbol.side);
        let distance = from_middle(column).pow(2) + from_middle(row).pow(2);
        let across = usize::from(symbol.sign_across);
        if distance <= (across / 2).pow(2) {
            return 0;
        }
        if distance <= across.pow(2) {
            return 255;
        }
        if symbol.dark[row * symbol.side + column] {
            0
        } else {
            255
        }
    })
}

/// Draws all pages of a PDF and reads their codes.
fn codes_of_pages(pdf: &[u8]) -> Vec<String> {
    // pdftoppm must be installed for this test (Debian: poppler-utils).
    let mut renderer = Command::new("pdftoppm")
        .args(["-gray", "-r", "200", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    renderer.stdin.take().unwrap().write_all(pdf).unwrap();
    let pages = renderer.wait_with_output().unwrap().stdout;
    let mut found = Vec::new();
    let mut rest = pages.as_slice();
    while !rest.is_empty() {
        let mut header = Vec::new();
        for _ in 0..3 {
            let end = rest.iter().position(|byte| *byte == b'\n').unwrap();
            header.push(std::str::from_utf8(&rest[..end]).unwrap().to_owned());
            rest = &rest[end + 1..];
        }
        assert_eq!((header[0].as_str(), header[2].as_str()), ("P5", "255"));
        let (width, height) = header[1].split_once(' ').unwrap();
        let (width, height): (usize, usize) = (width.parse().unwrap(), height.parse().unwrap());
        let (page, after) = rest.split_at(width * height);
        found.extend(read(width, height, |x, y| page[y * width + x]));
        rest = after;
    }
    found
}

#[test]
fn an_address_is_written_as_the_table_says() {
    for case in cases() {
        let link = link_of(&case);
        let link = link.as_ref().map(TransferLink::as_str);
        assert_eq!(link, case["expect"].as_str(), "{}", case["name"]);
    }
}

#[test]
fn a_code_is_read_although_the_sign_covers_its_middle() {
    for link in cases().iter().filter_map(link_of) {
        let symbol = Symbol::of(&link).unwrap();
        assert!((57..=85).contains(&symbol.side), "versions 10 to 17");
        assert_eq!(read_drawn(&symbol), [link.as_str()]);
    }
}

#[test]
fn the_longest_address_fits_the_largest_version() {
    let iban = samples::iban("899998", 334_100_000_026_001);
    let code = Okpo::parse("37993783").unwrap();
    let mut longest = None;
    for letters in 1..=420 {
        let purpose = "ї".repeat(letters);
        let link = TransferLink::new("ГУК", &iban, Money::MAX, &code, &purpose);
        longest = link.or(longest);
    }
    let longest = longest.unwrap();
    assert!(longest.as_str().len() > 490);
    let symbol = Symbol::of(&longest).unwrap();
    assert_eq!((symbol.side, symbol.sign_across), (85, 25));
    assert_eq!(read_drawn(&symbol), [longest.as_str()]);
}

#[test]
fn the_code_of_a_web_address_has_no_sign_and_is_read() {
    let address = "https://cabinet.example/pay/abcdefghijklmnopqrstuvwx";
    let symbol = Symbol::of_address(address).unwrap();
    assert_eq!(symbol.sign_across, 0);
    assert_eq!(read_drawn(&symbol), [address]);
    assert_eq!(Symbol::of_address(&"a".repeat(4_000)), None);
}

#[test]
fn the_codes_of_a_printed_sheet_are_read() {
    let codes = sample_codes::codes();
    let links: Vec<&str> = codes
        .transfers
        .iter()
        .filter_map(|transfer| transfer.link.as_ref().map(TransferLink::as_str))
        .collect();
    assert_eq!((links.len(), codes.transfers.len()), (2, 3));
    for locale in Locale::ALL {
        let pdf = payment_codes(&codes, locale).unwrap();
        assert_eq!(codes_of_pages(&pdf), links);
        assert_eq!(
            payment_codes(&codes, locale).unwrap(),
            pdf,
            "the same bytes"
        );
    }
}
