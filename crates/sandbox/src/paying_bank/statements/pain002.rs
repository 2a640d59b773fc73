//! `pain.002.001.10`: what has become of each instruction of a file.

use jiff::Timestamp;

use super::{date_time, document, reason};
use crate::paying_bank::instruction::decimal;
use crate::paying_bank::state::{
    Answer, AnswerResult, PayingBank, Payment, PaymentStatus, TakenFile,
};
use crate::paying_bank::xml::Element;

/// Returns the report about a file, with what is known now.
pub(crate) fn status_report(bank: &PayingBank, file: &TakenFile, now: Timestamp) -> Element {
    let header = Element::node(
        "GrpHdr",
        [
            Element::leaf("MsgId", format!("STATUS-{}-{}", file.id, now.as_second())),
            Element::leaf("CreDtTm", date_time(now)),
        ],
    );
    let count = file.answers.len().to_string();
    let group = Element::node(
        "OrgnlGrpInfAndSts",
        [
            Element::leaf("OrgnlMsgId", max35(&file.message_id)),
            Element::leaf("OrgnlMsgNmId", "pain.001.001.09"),
            Element::leaf("OrgnlNbOfTxs", count),
        ],
    );
    let mut batch = vec![Element::leaf("OrgnlPmtInfId", max35(&file.message_id))];
    batch.extend(file.answers.iter().map(|answer| transaction(bank, answer)));
    let report = [header, group, Element::node("OrgnlPmtInfAndSts", batch)];
    document("pain.002.001.10", Element::node("CstmrPmtStsRpt", report))
}

fn max35(text: &str) -> String {
    text.chars().take(35).collect()
}

fn transaction(bank: &PayingBank, answer: &Answer) -> Element {
    let mut parts = Vec::new();
    if !answer.instruction_id.is_empty() {
        parts.push(Element::leaf("OrgnlInstrId", &answer.instruction_id));
    }
    parts.push(Element::leaf("OrgnlEndToEndId", &answer.document_number));
    match &answer.result {
        AnswerResult::Refused { reason: why } => {
            parts.push(Element::leaf("TxSts", "RJCT"));
            parts.push(reason("StsRsnInf", why));
            parts.push(original(answer.amount, &answer.recipient_account));
        }
        AnswerResult::Taken { uetr } | AnswerResult::TakenBefore { uetr } => {
            if let Some(payment) = bank.payment(uetr) {
                parts.extend(of_payment(payment));
            }
        }
    }
    Element::node("TxInfAndSts", parts)
}

/// A payment that came back was carried out: its return stands on the statement.
fn of_payment(payment: &Payment) -> Vec<Element> {
    let (status, credited_on) = match &payment.status {
        PaymentStatus::Waiting => ("ACSP", None),
        PaymentStatus::Credited { credited_on } => ("ACCC", Some(credited_on)),
        PaymentStatus::Returned { credited_on, .. } => match credited_on {
            Some(day) => ("ACCC", Some(day)),
            None => ("ACSC", None),
        },
    };
    let mut parts = vec![
        Element::leaf("OrgnlUETR", &payment.uetr),
        Element::leaf("TxSts", status),
        Element::leaf("AccptncDtTm", date_time(payment.taken_at)),
    ];
    if let Some(day) = credited_on {
        parts.push(Element::path("FctvIntrBkSttlmDt/Dt", day.to_string()));
    }
    let instruction = &payment.instruction;
    parts.push(Element::leaf("AcctSvcrRef", &payment.reference));
    let amount = Some(instruction.amount);
    parts.push(original(amount, &instruction.recipient_account));
    parts
}

/// What the instruction ordered. A part that its file did not have is left out.
fn original(amount: Option<i64>, recipient_account: &str) -> Element {
    let mut parts = Vec::new();
    if let Some(amount) = amount {
        let amount = Element::leaf("InstdAmt", decimal(amount)).with("Ccy", "UAH");
        parts.push(Element::node("Amt", [amount]));
    }
    if !recipient_account.is_empty() {
        parts.push(Element::path("CdtrAcct/Id/IBAN", recipient_account));
    }
    Element::node("OrgnlTxRef", parts)
}
