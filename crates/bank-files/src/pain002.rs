//! pain.002 of ISO 20022: what became of the payments that a bank was asked to make.

use cabinet_domain::{Iban, Uetr};
use jiff::civil::Date;
use roxmltree::Node;

use crate::entry::{Entry, Fact, References};
use crate::facts::{bank_reference, day, document_number, sum, transfer_id};
use crate::problem::{Finding, Problem};
use crate::reasons::{reason_of, says_duplicate};
use crate::tree::{Tree, at, children, text, text_of};

/// What a status says (`ExternalPaymentTransactionStatus1Code`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// The bank has it, checks it, or has debited the payer. That is no crediting, also where the payer's side is settled (`ACSC`).
    UnderWay,
    /// The recipient's account is credited.
    Credited,
    /// The bank will not pay it.
    Refused,
    /// A part is accepted: only groups have this status.
    Partly,
}

fn status(code: &str) -> Option<Status> {
    Some(match code {
        "RCVD" | "PDNG" | "ACTC" | "ACCP" | "ACSP" | "ACSC" | "ACWC" | "ACWP" | "ACFC" | "PATC" => {
            Status::UnderWay
        }
        "ACCC" => Status::Credited,
        "RJCT" | "CANC" => Status::Refused,
        "PART" => Status::Partly,
        _ => return None,
    })
}

/// Reads the payments of a message.
pub(crate) fn read(tree: &Tree<'_>, message: Node<'_, '_>) -> Vec<Result<Entry, Finding>> {
    let made_on = text(message, "GrpHdr/CreDtTm").and_then(day);
    let of_message = text(message, "OrgnlGrpInfAndSts/GrpSts");
    let mut entries = Vec::new();
    for group in children(message, "OrgnlPmtInfAndSts") {
        let of_group = text(group, "PmtInfSts").or(of_message);
        let payments: Vec<Node<'_, '_>> = children(group, "TxInfAndSts").collect();
        if payments.is_empty() {
            entries.push(whole(tree, group, of_group));
        }
        for payment in payments {
            entries.push(read_payment(tree, payment, of_group, made_on));
        }
    }
    if entries.is_empty() {
        entries.push(whole(tree, message, of_message));
    }
    entries
}

/// Reads the status of a message or a group that names no payment.
fn whole(tree: &Tree<'_>, node: Node<'_, '_>, code: Option<&str>) -> Result<Entry, Finding> {
    let code = code.ok_or_else(|| tree.finding(node, Problem::Missing("GrpSts")))?;
    let problem = match status(code) {
        Some(Status::UnderWay | Status::Credited) => {
            return Ok(Entry {
                line: tree.line(node),
                fact: Fact::Other("the bank accepted the payments and names none of them"),
                references: References::default(),
                amount: None,
                accounts: Vec::new(),
            });
        }
        Some(Status::Refused) => Problem::RefusedAsAWhole,
        Some(Status::Partly) => Problem::PartlyAccepted,
        None => Problem::StatusUnknown,
    };
    Err(tree.finding(node, problem))
}

fn read_payment(
    tree: &Tree<'_>,
    payment: Node<'_, '_>,
    of_group: Option<&str>,
    made_on: Option<Date>,
) -> Result<Entry, Finding> {
    let finding = |problem| tree.finding(payment, problem);
    let code = text(payment, "TxSts")
        .or(of_group)
        .ok_or_else(|| finding(Problem::Missing("TxSts")))?;
    let settled_on = text_of(payment, &["FctvIntrBkSttlmDt/Dt", "FctvIntrBkSttlmDt/DtTm"]);
    let fact = match status(code) {
        Some(Status::UnderWay) => Fact::UnderWay { debited_on: None },
        Some(Status::Credited) => Fact::Credited {
            on: settled_on.and_then(day),
        },
        Some(Status::Refused) => {
            let on = made_on.ok_or_else(|| finding(Problem::Missing("GrpHdr/CreDtTm")))?;
            refusal(payment, on)
        }
        Some(Status::Partly) => return Err(finding(Problem::PartlyAccepted)),
        None => return Err(finding(Problem::StatusUnknown)),
    };
    let amount = at(payment, "OrgnlTxRef/Amt/InstdAmt");
    let is_other_currency = amount
        .and_then(|amount| amount.attribute("Ccy"))
        .is_some_and(|currency| currency != "UAH");
    if is_other_currency {
        return Err(finding(Problem::Unreadable("OrgnlTxRef/Amt")));
    }
    let amount = amount
        .and_then(|amount| amount.text())
        .map(|text| sum(text).ok_or_else(|| finding(Problem::Unreadable("OrgnlTxRef/Amt"))))
        .transpose()?;
    let account = text(payment, "OrgnlTxRef/CdtrAcct/Id/IBAN");
    Ok(Entry {
        line: tree.line(payment),
        fact,
        references: References {
            uetr: text(payment, "OrgnlUETR").and_then(Uetr::parse),
            transfer: text(payment, "OrgnlInstrId").and_then(transfer_id),
            document_number: text(payment, "OrgnlEndToEndId").and_then(document_number),
            bank_reference: text(payment, "AcctSvcrRef").and_then(bank_reference),
            booking_reference: None,
        },
        amount,
        accounts: account
            .and_then(|text| Iban::parse(text).ok())
            .into_iter()
            .collect(),
    })
}

fn refusal(payment: Node<'_, '_>, on: Date) -> Fact {
    let reasons: Vec<Node<'_, '_>> = children(payment, "StsRsnInf").collect();
    let codes: Vec<&str> = reasons
        .iter()
        .filter_map(|reason| text_of(*reason, &["Rsn/Cd", "Rsn/Prtry"]))
        .collect();
    let told = reasons
        .iter()
        .flat_map(|reason| children(*reason, "AddtlInf"))
        .filter_map(|told| told.text());
    Fact::Refused {
        reason: reason_of(codes.first().copied().unwrap_or_default(), told),
        on,
        is_duplicate: codes.iter().any(|code| says_duplicate(code)),
    }
}
