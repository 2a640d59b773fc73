//! `pain.001.001.09` of ISO 20022, with the structured purpose of payments to the budget.

use super::{FileError, Format, Message};
use crate::paying_bank::instruction::{Unchecked, kopiykas};
use crate::paying_bank::xml::{self, Element};

const NAMESPACE: &str = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09";

/// Reads a message, and compares its totals with its instructions.
pub(super) fn read(text: &str) -> Result<Message, FileError> {
    let document = xml::read(text).ok_or(FileError::Unknown)?;
    if document.name != "Document" || document.attribute("xmlns") != NAMESPACE {
        return Err(FileError::Unknown);
    }
    let initiation = document
        .at("CstmrCdtTrfInitn")
        .ok_or(FileError::ElementMissing("CstmrCdtTrfInitn"))?;
    let header = initiation
        .at("GrpHdr")
        .ok_or(FileError::ElementMissing("GrpHdr"))?;
    let mut instructions = Vec::new();
    for batch in initiation.all("PmtInf") {
        if batch.text_at("PmtMtd") != "TRF" {
            return Err(FileError::ElementMissing("PmtMtd TRF"));
        }
        let of_batch: Vec<Unchecked> = batch
            .all("CdtTrfTxInf")
            .map(|transaction| instruction(batch, transaction))
            .collect();
        compare_totals(batch, &of_batch)?;
        instructions.extend(of_batch);
    }
    if header.at("NbOfTxs").is_none() {
        return Err(FileError::ElementMissing("NbOfTxs"));
    }
    compare_totals(header, &instructions)?;
    let id = header.text_at("MsgId");
    if id.is_empty() {
        return Err(FileError::ElementMissing("MsgId"));
    }
    Ok(Message {
        format: Format::Pain001,
        id: Some(id),
        instructions,
    })
}

/// Compares the number and the sum that an element tells, where it tells them, with the instructions.
fn compare_totals(element: &Element, instructions: &[Unchecked]) -> Result<(), FileError> {
    let number = element.text_at("NbOfTxs");
    if !number.is_empty() && number != instructions.len().to_string() {
        return Err(FileError::Total("NbOfTxs"));
    }
    let sum = element.text_at("CtrlSum");
    if sum.is_empty() {
        return Ok(());
    }
    let sums = instructions.iter().map(|order| kopiykas(&order.amount));
    let total: Option<i64> = sums.sum();
    if total.is_none() || total != kopiykas(&sum) {
        return Err(FileError::Total("CtrlSum"));
    }
    Ok(())
}

fn instruction(batch: &Element, transaction: &Element) -> Unchecked {
    let amount = transaction.at("Amt/InstdAmt");
    let purpose = Purpose::of(transaction);
    Unchecked {
        document_number: transaction.text_at("PmtId/EndToEndId"),
        instruction_id: transaction.text_at("PmtId/InstrId"),
        value_date: batch.text_at("ReqdExctnDt/Dt").parse().ok(),
        amount: transaction.text_at("Amt/InstdAmt"),
        currency: amount
            .map(|amount| amount.attribute("Ccy").to_owned())
            .unwrap_or_default(),
        payer_account: batch.text_at("DbtrAcct/Id/IBAN"),
        payer_code: code_of(batch, "Dbtr"),
        recipient_name: transaction.text_at("Cdtr/Nm"),
        recipient_account: transaction.text_at("CdtrAcct/Id/IBAN"),
        recipient_code: code_of(transaction, "Cdtr"),
        recipient_bank: transaction.text_at("CdtrAgt/FinInstnId/ClrSysMmbId/MmbId"),
        purpose: purpose.text,
        payment_code: purpose.payment_code,
        revenue_code: purpose.revenue_code,
        actual_payer_name: transaction.text_at("UltmtDbtr/Nm"),
    }
}

/// Returns the code of an enterprise or of a person. Another identification, such as a passport, is no code.
fn code_of(element: &Element, party: &str) -> String {
    let other = |kind: &str, scheme: &str| {
        let found = element.at(party)?.at("Id")?.at(kind)?.at("Othr")?;
        (found.text_at("SchmeNm/Cd") == scheme).then(|| found.text_at("Id"))
    };
    other("OrgId", "COID")
        .or_else(|| other("PrvtId", "TXID"))
        .unwrap_or_default()
}

#[derive(Default)]
struct Purpose {
    payment_code: String,
    revenue_code: String,
    text: String,
}

impl Purpose {
    /// Joins the pieces of the purpose: free text, or the tax records of a payment to the budget.
    fn of(transaction: &Element) -> Self {
        let mut purpose = Self::default();
        let Some(remittance) = transaction.at("RmtInf") else {
            return purpose;
        };
        for piece in remittance.all("Ustrd") {
            purpose.text.push_str(&piece.text);
        }
        let structured = remittance.all("Strd").filter_map(|part| part.at("TaxRmt"));
        for record in structured.flat_map(|tax| tax.all("Rcrd")) {
            purpose.payment_code = record.text_at("Tp");
            purpose.revenue_code = record.text_at("Ctgy");
            if let Some(piece) = record.at("AddtlInf") {
                purpose.text.push_str(&piece.text);
            }
        }
        purpose
    }
}
