//! pain.002 of ISO 20022: what became of the payments that a bank was asked to make.

use cabinet_domain::{Iban, Money, Uetr};
use jiff::civil::Date;
use roxmltree::Node;

use crate::entry::{Entry, Fact, References, UNNUMBERED};
use crate::facts::{bank_reference, day, document_number, sum, transfer_id};
use crate::problem::Problem;
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
pub(crate) fn read(tree: &Tree<'_>, message: Node<'_, '_>) -> Vec<Entry> {
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
            let fact = read_fact(payment, of_group, made_on).unwrap_or_else(Fact::Unread);
            entries.push(read_payment(tree, payment, fact));
        }
    }
    if entries.is_empty() {
        entries.push(whole(tree, message, of_message));
    }
    entries
}

/// Reads the status of a message or a group that names no payment.
fn whole(tree: &Tree<'_>, node: Node<'_, '_>, code: Option<&str>) -> Entry {
    let fact = match code.map(status) {
        Some(Some(Status::UnderWay | Status::Credited)) => {
            Fact::Other("the bank accepted the payments and names none of them")
        }
        Some(Some(Status::Refused)) => Fact::Unread(Problem::RefusedAsAWhole),
        Some(Some(Status::Partly)) => Fact::Unread(Problem::PartlyAccepted),
        Some(None) => Fact::Unread(Problem::StatusUnknown),
        None => Fact::Unread(Problem::Missing("GrpSts")),
    };
    Entry {
        number: UNNUMBERED,
        line: tree.line(node),
        fact,
        references: References::default(),
        amount: None,
        other_sum: None,
        accounts: Vec::new(),
        credit: None,
    }
}

fn read_fact(
    payment: Node<'_, '_>,
    of_group: Option<&str>,
    made_on: Option<Date>,
) -> Result<Fact, Problem> {
    let code = text(payment, "TxSts")
        .or(of_group)
        .ok_or(Problem::Missing("TxSts"))?;
    let settled_on = text_of(payment, &["FctvIntrBkSttlmDt/Dt", "FctvIntrBkSttlmDt/DtTm"]);
    Ok(match status(code) {
        Some(Status::UnderWay) => Fact::UnderWay { debited_on: None },
        Some(Status::Credited) => Fact::Credited {
            on: settled_on.and_then(day),
        },
        Some(Status::Refused) => {
            let on = made_on.ok_or(Problem::Missing("GrpHdr/CreDtTm"))?;
            refusal(payment, on)
        }
        Some(Status::Partly) => return Err(Problem::PartlyAccepted),
        None => return Err(Problem::StatusUnknown),
    })
}

/// Returns the amount of the instruction, if the file names it.
fn read_amount(payment: Node<'_, '_>) -> Result<Option<Money>, Problem> {
    let unreadable = Problem::Unreadable("OrgnlTxRef/Amt");
    let Some(amount) = at(payment, "OrgnlTxRef/Amt/InstdAmt") else {
        return Ok(None);
    };
    if amount.attribute("Ccy").is_some_and(|of| of != "UAH") {
        return Err(unreadable);
    }
    amount
        .text()
        .map(|text| sum(text).ok_or(unreadable))
        .transpose()
}

fn read_payment(tree: &Tree<'_>, payment: Node<'_, '_>, fact: Fact) -> Entry {
    let (fact, amount) = match read_amount(payment) {
        Ok(amount) => (fact, amount),
        Err(problem) => (Fact::Unread(problem), None),
    };
    let account = text(payment, "OrgnlTxRef/CdtrAcct/Id/IBAN");
    Entry {
        number: UNNUMBERED,
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
        other_sum: None,
        accounts: account
            .and_then(|text| Iban::parse(text).ok())
            .into_iter()
            .collect(),
        credit: None,
    }
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
