//! pain.001.001.09 of ISO 20022: the payments that the operator's bank is asked to make.
//!
//! What the National Bank's use of the standard leaves open stands in constants here, and in `docs/bank-files.md` with its doubt.

use std::collections::BTreeMap;
use std::io;

use cabinet_domain::{Iban, Inn, InnKind, Money, kyiv_time};
use jiff::Timestamp;
use jiff::civil::Date;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use uuid::Uuid;

use crate::instruction::{Instruction, Payer, Remittance};
use crate::problem::Unwritable;
use crate::table::Written;

/// The namespace of the version that is written.
const NAMESPACE: &str = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09";
/// Most characters of a piece of text (`Max140Text`).
const TEXT_CHARS: usize = 140;
/// EDRPOU: a number that the authority of a country gives to an entity (`ExternalOrganisationIdentification1Code`).
const ENTITY: &str = "COID";
/// Tax id of a person (`ExternalPersonIdentification1Code`).
const TAX_ID: &str = "TXID";
/// Series and number of a passport.
const PASSPORT: &str = "CCPT";
/// Number of an ID card.
const ID_CARD: &str = "NIDN";

/// The id of a message. No two messages have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageId(pub Uuid);

/// Writes a message with a group of payments for each value date. `now` is the time of its making.
///
/// The id of a transfer is its `InstrId`, the number of its document its `EndToEndId`.
///
/// # Errors
/// The first transfer with a character that XML cannot carry.
pub fn write_pain001(
    instructions: &[Instruction],
    payer: &Payer,
    message: MessageId,
    now: Timestamp,
) -> Written {
    for instruction in instructions {
        let texts = [
            ("Cdtr/Nm", instruction.payee.name.as_str()),
            ("RmtInf", instruction.payee.purpose.as_str()),
            ("UltmtDbtr/Nm", instruction.actual_payer.name.as_str()),
        ];
        if let Some((field, _)) = texts.iter().find(|(_, text)| !text.chars().all(is_of_xml)) {
            return Err(Unwritable {
                document_number: instruction.document_number,
                field,
            });
        }
    }
    let mut file = File(Writer::new(Vec::new()));
    // A vector takes every byte.
    let _ = file.document(instructions, payer, message, now);
    Ok(file.0.into_inner())
}

/// Returns whether a document of XML 1.0 may have this character (its production `Char`).
const fn is_of_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// Returns the pieces of a text, none longer than [`TEXT_CHARS`]. Put together again they are the text.
fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters
        .chunks(TEXT_CHARS)
        .map(|piece| piece.iter().collect())
        .collect()
}

/// Returns the beginning of a name that is too long.
fn name_of(text: &str) -> String {
    text.chars().take(TEXT_CHARS).collect()
}

struct File(Writer<Vec<u8>>);

impl File {
    fn within(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<()> {
        self.0.write_event(Event::Start(BytesStart::new(name)))?;
        write(self)?;
        self.0.write_event(Event::End(BytesEnd::new(name)))
    }

    fn leaf(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.within(name, |file| {
            file.0.write_event(Event::Text(BytesText::new(text)))
        })
    }

    /// Writes an element at the end of a path of elements.
    fn path(&mut self, names: &[&str], text: &str) -> io::Result<()> {
        match names {
            [] => Ok(()),
            [name] => self.leaf(name, text),
            [name, rest @ ..] => self.within(name, |file| file.path(rest, text)),
        }
    }

    fn document(
        &mut self,
        instructions: &[Instruction],
        payer: &Payer,
        message: MessageId,
        now: Timestamp,
    ) -> io::Result<()> {
        let mut groups: BTreeMap<Date, Vec<&Instruction>> = BTreeMap::new();
        for instruction in instructions {
            let group = groups.entry(instruction.value_date).or_default();
            group.push(instruction);
        }
        self.0
            .write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let mut root = BytesStart::new("Document");
        root.push_attribute(("xmlns", NAMESPACE));
        self.0.write_event(Event::Start(root))?;
        self.within("CstmrCdtTrfInitn", |file| {
            let all: Vec<&Instruction> = instructions.iter().collect();
            file.within("GrpHdr", |file| {
                file.leaf("MsgId", &message.0.simple().to_string())?;
                let made = kyiv_time(now).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
                file.leaf("CreDtTm", &made)?;
                file.totals(&all)?;
                file.within("InitgPty", |file| file.payer(payer))
            })?;
            for (number, (day, group)) in (1..).zip(&groups) {
                file.within("PmtInf", |file| {
                    let id = format!("{}-{number}", message.0.simple());
                    file.leaf("PmtInfId", &id)?;
                    file.group(*day, group, payer)
                })?;
            }
            Ok(())
        })?;
        self.0.write_event(Event::End(BytesEnd::new("Document")))
    }

    fn totals(&mut self, instructions: &[&Instruction]) -> io::Result<()> {
        self.leaf("NbOfTxs", &instructions.len().to_string())?;
        // The sum of all may be greater than the greatest sum of one payment.
        let kopiykas: i64 = instructions.iter().map(|of| of.amount.kopiykas()).sum();
        let sum = format!("{}.{:02}", kopiykas / 100, kopiykas % 100);
        self.leaf("CtrlSum", &sum)
    }

    fn group(&mut self, day: Date, group: &[&Instruction], payer: &Payer) -> io::Result<()> {
        self.leaf("PmtMtd", "TRF")?;
        self.leaf("BtchBookg", "false")?;
        self.totals(group)?;
        self.path(&["ReqdExctnDt", "Dt"], &day.to_string())?;
        self.within("Dbtr", |file| file.payer(payer))?;
        self.within("DbtrAcct", |file| {
            file.path(&["Id", "IBAN"], payer.iban.as_str())?;
            file.leaf("Ccy", "UAH")
        })?;
        self.agent("DbtrAgt", &payer.iban)?;
        // Each bank takes its fee from its own client: the recipient gets the whole sum.
        self.leaf("ChrgBr", "SLEV")?;
        for instruction in group {
            self.within("CdtTrfTxInf", |file| file.payment(instruction))?;
        }
        Ok(())
    }

    fn payer(&mut self, payer: &Payer) -> io::Result<()> {
        self.leaf("Nm", &name_of(&payer.name))?;
        self.code(payer.code.as_str(), payer.code.is_person())
    }

    fn agent(&mut self, element: &str, account: &Iban) -> io::Result<()> {
        let path = [element, "FinInstnId", "ClrSysMmbId", "MmbId"];
        self.path(&path, account.bank_code())
    }

    fn payment(&mut self, instruction: &Instruction) -> io::Result<()> {
        self.within("PmtId", |file| {
            let id = instruction.transfer.uuid().simple().to_string();
            file.leaf("InstrId", &id)?;
            file.leaf("EndToEndId", &instruction.document_number.to_string())
        })?;
        self.amount(instruction.amount)?;
        self.within("UltmtDbtr", |file| {
            file.leaf("Nm", &name_of(instruction.actual_payer.name.as_str()))?;
            file.identity(&instruction.actual_payer.inn)
        })?;
        let payee = &instruction.payee;
        self.agent("CdtrAgt", &payee.iban)?;
        self.within("Cdtr", |file| {
            file.leaf("Nm", &name_of(payee.name.as_str()))?;
            file.code(payee.okpo.as_str(), payee.okpo.is_person())
        })?;
        self.path(&["CdtrAcct", "Id", "IBAN"], payee.iban.as_str())?;
        self.within("RmtInf", |file| file.remittance(&instruction.remittance()))
    }

    fn amount(&mut self, amount: Money) -> io::Result<()> {
        self.within("Amt", |file| {
            let mut start = BytesStart::new("InstdAmt");
            start.push_attribute(("Ccy", "UAH"));
            file.0.write_event(Event::Start(start))?;
            let text = amount.decimal();
            file.0.write_event(Event::Text(BytesText::new(&text)))?;
            file.0.write_event(Event::End(BytesEnd::new("InstdAmt")))
        })
    }

    fn remittance(&mut self, remittance: &Remittance<'_>) -> io::Result<()> {
        match remittance {
            Remittance::Text(text) => {
                for piece in pieces(text) {
                    self.leaf("Ustrd", &piece)?;
                }
                Ok(())
            }
            Remittance::Budget {
                code,
                revenue,
                text,
            } => self.within("Strd", |file| {
                file.within("TaxRmt", |file| {
                    for piece in pieces(text) {
                        file.within("Rcrd", |file| {
                            file.leaf("Tp", code.as_str())?;
                            if let Some(revenue) = revenue {
                                file.leaf("Ctgy", revenue.as_str())?;
                            }
                            file.leaf("AddtlInf", &piece)
                        })?;
                    }
                    Ok(())
                })
            }),
        }
    }

    fn identity(&mut self, inn: &Inn) -> io::Result<()> {
        let (group, scheme) = match inn.kind() {
            InnKind::Edrpou => ("OrgId", ENTITY),
            InnKind::TaxId => ("PrvtId", TAX_ID),
            InnKind::Passport => ("PrvtId", PASSPORT),
            InnKind::IdCard => ("PrvtId", ID_CARD),
        };
        self.id(group, inn.as_str(), scheme)
    }

    fn code(&mut self, code: &str, is_person: bool) -> io::Result<()> {
        if is_person {
            self.id("PrvtId", code, TAX_ID)
        } else {
            self.id("OrgId", code, ENTITY)
        }
    }

    fn id(&mut self, group: &str, code: &str, scheme: &str) -> io::Result<()> {
        self.within("Id", |file| {
            file.within(group, |file| {
                file.within("Othr", |file| {
                    file.leaf("Id", code)?;
                    file.path(&["SchmeNm", "Cd"], scheme)
                })
            })
        })
    }
}
