//! Reads the register of notaries from a table: the open data of the Ministry of Justice, saved as CSV.
//!
//! The form of the export is not fixed by anybody, so columns are recognised by several names each, and all others are left
//! out. Only what decides about an account is read.

use std::collections::BTreeMap;
use std::fmt;

use cabinet_domain::kernel::csv::{cells_of, separator_of};
use cabinet_domain::{
    CertificateNumber, Email, Line, NotaryStatus, Phone, RegisterRow, fold_for_search, tidy,
};

/// The longest name of a notary, in characters.
const NAME_CHARS_MAX: usize = 140;
/// The longest identifier, in characters.
const IDENTIFIER_CHARS_MAX: usize = 40;

/// Names of columns, each folded as [`fold_for_search`] does.
const NAME: [&str; 6] = [
    "FIO",
    "NAME",
    "FULL_NAME",
    "PIB",
    "ПІБ",
    "ПРІЗВИЩЕ ІМЯ ПО БАТЬКОВІ",
];
const CERTIFICATE: [&str; 6] = [
    "LICENSE",
    "LICENCE",
    "CERTIFICATE",
    "CERTIFICATE_NUMBER",
    "СВІДОЦТВО",
    "НОМЕР СВІДОЦТВА",
];
const IDENTIFIER: [&str; 4] = [
    "REGISTRY_IDENTIFIER",
    "IDENTIFIER",
    "ІДЕНТИФІКАТОР",
    "ІДЕНТИФІКАТОР У РЕЄСТРІ",
];
/// The office or district, which tells whether a notary practises for the state.
const OFFICE: [&str; 6] = [
    "NAME_OBJ",
    "OFFICE",
    "КОНТОРА",
    "НОТАРІАЛЬНИЙ ОКРУГ",
    "ВИД НОТАРІУСА",
    "СТАТУС",
];
const PHONE: [&str; 3] = ["PHONE", "ТЕЛЕФОН", "НОМЕР ТЕЛЕФОНУ"];
const EMAIL: [&str; 3] = ["EMAIL", "E-MAIL", "ЕЛЕКТРОННА ПОШТА"];
const INFO: [&str; 3] = ["INFO", "ІНФОРМАЦІЯ", "ЗУПИНЕННЯ ДІЯЛЬНОСТІ"];

/// A row that can't be read. Nothing of the file is loaded then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterFault {
    /// The line. The header is line 1.
    pub line: usize,
    /// What is wrong.
    pub reason: RegisterReason,
}

impl fmt::Display for RegisterFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.line, self.reason)
    }
}

/// Why a row of the register is refused, for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterReason {
    /// The header lacks a column.
    #[error("there is no column {0}")]
    ColumnMissing(&'static str),
    /// Two columns of the header mean the same.
    #[error("two columns are named {0}, or mean the same")]
    ColumnTwice(&'static str),
    /// The file has no rows.
    #[error("the file has no rows")]
    NoRows,
    /// A quoted cell is not closed on its line. A row is one line.
    #[error("a quotation mark is not closed, or text follows the closing one")]
    Quotes,
    /// The row has more or fewer cells than the header.
    #[error("the row has {found} cells, the header {expected}")]
    CellCount {
        /// Cells of the header.
        expected: usize,
        /// Cells of the row.
        found: usize,
    },
    /// No name, or one that no text may have.
    #[error("the name is empty, too long, or has characters that no text may have")]
    NameInvalid,
    /// The certificate's number is no number.
    #[error("the certificate is not a number of 1 to 10 digits")]
    CertificateInvalid,
    /// The identifier is no text.
    #[error("the identifier is too long, or has characters that no text may have")]
    IdentifierInvalid,
    /// The telephone is no single number.
    #[error("the telephone is not one Ukrainian number")]
    PhoneInvalid,
    /// The e-mail is no single address.
    #[error("the e-mail is not one address")]
    EmailInvalid,
    /// Neither a certificate nor an identifier: the row can't confirm anybody.
    #[error("the row has neither a certificate nor an identifier")]
    Nameless,
    /// An earlier row has the same certificate or identifier.
    #[error("the certificate or the identifier stands already in line {0}")]
    Duplicate(usize),
}

/// Reads the register.
///
/// # Errors
/// Every bad row, so that the operator can mend them all at once.
pub fn read_register(text: &str) -> Result<Vec<RegisterRow>, Vec<RegisterFault>> {
    // Spreadsheets put a byte order mark before the first cell.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().zip(1..);
    let header = lines.next().map_or("", |(header, _)| header);
    let separator = separator_of(header);
    let of_header = |reason| vec![RegisterFault { line: 1, reason }];
    let columns = cells_of(header, separator)
        .ok_or(RegisterReason::Quotes)
        .and_then(|names| Columns::read(&names))
        .map_err(of_header)?;
    let mut rows = Vec::new();
    let mut faults = Vec::new();
    let mut seen = BTreeMap::new();
    for (text, line) in lines.filter(|(text, _)| !text.trim().is_empty()) {
        let read = cells_of(text, separator)
            .ok_or(RegisterReason::Quotes)
            .and_then(|cells| columns.row(line, &cells))
            .and_then(|row| refuse_repeated(row, &mut seen));
        match read {
            Ok(row) => rows.push(row),
            Err(reason) => faults.push(RegisterFault { line, reason }),
        }
    }
    if rows.is_empty() && faults.is_empty() {
        return Err(of_header(RegisterReason::NoRows));
    }
    if faults.is_empty() {
        Ok(rows)
    } else {
        Err(faults)
    }
}

/// A certificate and an identifier stand once each, because a row confirms one account.
fn refuse_repeated(
    row: RegisterRow,
    seen: &mut BTreeMap<String, usize>,
) -> Result<RegisterRow, RegisterReason> {
    let identifier = row.registry_identifier.as_ref();
    let identifier =
        identifier.map(|text| format!("identifier:{}", fold_for_search(text.as_str())));
    let mut keys: Vec<String> = row.key().into_iter().chain(identifier).collect();
    keys.dedup();
    for key in keys {
        if let Some(before) = seen.insert(key, row.line) {
            return Err(RegisterReason::Duplicate(before));
        }
    }
    Ok(row)
}

/// The positions of the columns.
struct Columns {
    count: usize,
    name: usize,
    certificate: Option<usize>,
    identifier: Option<usize>,
    info: usize,
    office: Option<usize>,
    phone: Option<usize>,
    email: Option<usize>,
}

impl Columns {
    fn read(names: &[String]) -> Result<Self, RegisterReason> {
        let folded: Vec<String> = names.iter().map(|name| fold_for_search(name)).collect();
        let place = |known: &[&'static str]| {
            let is_known = |name: &str| known.iter().any(|one| fold_for_search(one) == name);
            let mut places = (0..).zip(&folded).filter(|(_, name)| is_known(name));
            let place = places.next().map(|(place, _)| place);
            match places.next() {
                None => Ok(place),
                Some(_) => Err(RegisterReason::ColumnTwice(
                    known.first().copied().unwrap_or_default(),
                )),
            }
        };
        let (certificate, identifier) = (place(&CERTIFICATE)?, place(&IDENTIFIER)?);
        if certificate.is_none() && identifier.is_none() {
            return Err(RegisterReason::ColumnMissing("LICENSE"));
        }
        Ok(Self {
            count: names.len(),
            name: place(&NAME)?.ok_or(RegisterReason::ColumnMissing("FIO"))?,
            certificate,
            identifier,
            // Without it a notary whose activity has stopped would be confirmed.
            info: place(&INFO)?.ok_or(RegisterReason::ColumnMissing("INFO"))?,
            office: place(&OFFICE)?,
            phone: place(&PHONE)?,
            email: place(&EMAIL)?,
        })
    }

    fn row(&self, line: usize, cells: &[String]) -> Result<RegisterRow, RegisterReason> {
        if cells.len() != self.count {
            return Err(RegisterReason::CellCount {
                expected: self.count,
                found: cells.len(),
            });
        }
        let cell = |place: usize| cells.get(place).map_or("", |text| text.trim());
        let full_name = Line::parse(cell(self.name), NAME_CHARS_MAX)
            .map_err(|_| RegisterReason::NameInvalid)?;
        let certificate = self.certificate.map(cell).unwrap_or_default();
        let identifier = self.identifier.map(cell).unwrap_or_default();
        let contact = |place: Option<usize>| place.map(cell).filter(|text| !text.is_empty());
        let row = RegisterRow {
            line,
            full_name,
            certificate_number: read_certificate(certificate)?,
            registry_identifier: (!identifier.is_empty())
                .then(|| Line::parse(identifier, IDENTIFIER_CHARS_MAX))
                .transpose()
                .map_err(|_| RegisterReason::IdentifierInvalid)?,
            is_active: tidy(cell(self.info)).is_ok_and(|text| text.is_empty()),
            practises_as: self.office.map(cell).and_then(NotaryStatus::of_office),
            phone: contact(self.phone)
                .map(Phone::parse)
                .transpose()
                .map_err(|_| RegisterReason::PhoneInvalid)?,
            email: contact(self.email)
                .map(Email::parse)
                .transpose()
                .map_err(|_| RegisterReason::EmailInvalid)?,
        };
        if row.key().is_none() {
            return Err(RegisterReason::Nameless);
        }
        Ok(row)
    }
}

/// Reads the number of a certificate: digits, perhaps after a number sign and before the date of the certificate.
fn read_certificate(text: &str) -> Result<Option<CertificateNumber>, RegisterReason> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = text.trim_start_matches(['№', 'N', '#', ' ']);
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    let rest = number.get(digits.len()..).unwrap_or_default();
    // Letters or signs right after the digits would make another number of it.
    if !(rest.is_empty() || rest.starts_with([' ', ','])) {
        return Err(RegisterReason::CertificateInvalid);
    }
    CertificateNumber::parse(&digits)
        .map(Some)
        .map_err(|_| RegisterReason::CertificateInvalid)
}
