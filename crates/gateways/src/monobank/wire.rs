//! The JSON of monobank acquiring. Field names are the bank's.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::acquirer::{
    HRYVNIA, InvoiceKind, InvoiceLine, InvoiceRequest, PaymentMarks, SavedCardPayment, error_code,
    lenient, text,
};

/// Longest purpose that the bank accepts.
const DESTINATION_CHARS_MAX: usize = 280;
/// Longest validity of an invoice: 30 days. The bank silently shortens a longer one.
const VALIDITY_SECONDS_MAX: u32 = 30 * 86_400;
/// The keys of what is sent with a payment and comes back in the statement. The bank wants texts, ten at most.

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreateInvoice<'a> {
    amount: i64,
    ccy: u16,
    merchant_paym_info: PaymentInfo<'a>,
    redirect_url: &'a str,
    web_hook_url: &'a str,
    validity: u32,
    payment_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    save_card_data: Option<SaveCard<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_type: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PaymentInfo<'a> {
    reference: &'a str,
    destination: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    basket_order: Vec<Line<'a>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    metadata: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    name: &'a str,
    qty: u16,
    sum: i64,
    total: i64,
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    split_receiver_id: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SaveCard<'a> {
    save_card: bool,
    wallet_id: &'a str,
}

impl<'a> PaymentInfo<'a> {
    fn of(
        reference: &'a str,
        destination: &str,
        lines: &'a [InvoiceLine],
        marks: Option<PaymentMarks>,
    ) -> Self {
        let metadata = marks.into_iter().flat_map(PaymentMarks::fields);
        Self {
            metadata: metadata.collect(),
            reference,
            destination: destination.chars().take(DESTINATION_CHARS_MAX).collect(),
            basket_order: lines.iter().map(Line::of).collect(),
        }
    }
}

impl<'a> Line<'a> {
    fn of(line: &'a InvoiceLine) -> Self {
        let sum = line.unit_amount.kopiykas();
        Self {
            name: &line.name,
            qty: line.quantity.get(),
            sum,
            // Cannot overflow, because the lines were checked to add up to the sum.
            total: sum.saturating_mul(i64::from(line.quantity.get())),
            code: &line.code,
            split_receiver_id: line.split_receiver.as_deref(),
        }
    }
}

impl<'a> CreateInvoice<'a> {
    pub(super) fn of(request: &'a InvoiceRequest) -> Self {
        Self {
            amount: request.amount.kopiykas(),
            ccy: HRYVNIA,
            merchant_paym_info: PaymentInfo::of(
                request.payment_reference.as_str(),
                &request.destination,
                &request.lines,
                request.marks,
            ),
            redirect_url: &request.redirect_url,
            web_hook_url: &request.report_url,
            validity: request.validity_seconds.min(VALIDITY_SECONDS_MAX),
            payment_type: match request.kind {
                InvoiceKind::Debit => "debit",
                InvoiceKind::SaveCard(_) => "verification",
            },
            save_card_data: match &request.kind {
                InvoiceKind::Debit => None,
                InvoiceKind::SaveCard(wallet) => Some(SaveCard {
                    save_card: true,
                    wallet_id: wallet.as_str(),
                }),
            },
            display_type: request.in_frame.then_some("iframe"),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RemoveInvoice<'a> {
    pub(super) invoice_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CancelInvoice<'a> {
    pub(super) invoice_id: &'a str,
    pub(super) ext_ref: &'a str,
    pub(super) amount: i64,
}

#[derive(Deserialize)]
pub(super) struct CancelAnswer {
    pub(super) status: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WalletPayment<'a> {
    card_token: &'a str,
    amount: i64,
    ccy: u16,
    initiation_kind: &'static str,
    redirect_url: &'a str,
    web_hook_url: &'a str,
    merchant_paym_info: PaymentInfo<'a>,
    payment_type: &'static str,
}

impl<'a> WalletPayment<'a> {
    pub(super) fn of(request: &'a SavedCardPayment) -> Self {
        Self {
            card_token: request.token.expose(),
            amount: request.amount.kopiykas(),
            ccy: HRYVNIA,
            initiation_kind: "client",
            redirect_url: &request.redirect_url,
            web_hook_url: &request.report_url,
            merchant_paym_info: PaymentInfo::of(
                request.payment_reference.as_str(),
                &request.destination,
                &request.lines,
                request.marks,
            ),
            payment_type: "debit",
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ErrorAnswer {
    #[serde(deserialize_with = "text")]
    err_code: Option<String>,
}

impl ErrorAnswer {
    /// Returns the code if it looks like one. It is logged and returned to the caller.
    pub(super) fn code(self) -> Option<String> {
        error_code(self.err_code)
    }
}

/// The empty object of a successful answer. Parsing it proves that the answer is not a proxy's page.
#[derive(Deserialize)]
pub(super) struct Done {}

#[derive(Deserialize)]
pub(super) struct KeyAnswer {
    pub(super) key: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreatedInvoice {
    pub(super) invoice_id: String,
    pub(super) page_url: String,
}

/// A status answer or the body of a report.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct State {
    pub(super) invoice_id: String,
    pub(super) status: String,
    pub(super) amount: i64,
    pub(super) ccy: u16,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) final_amount: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    pub(super) created_date: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(super) modified_date: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(super) reference: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(super) failure_reason: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(super) err_code: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) payment_info: Option<Payment>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) wallet_data: Option<WalletData>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) cancel_list: Option<Vec<Cancel>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub(super) struct Payment {
    #[serde(deserialize_with = "text")]
    pub(super) masked_pan: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(super) payment_system: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(super) approval_code: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(super) rrn: Option<String>,
    /// The acquiring fee, in kopiykas.
    #[serde(deserialize_with = "lenient")]
    pub(super) fee: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WalletData {
    pub(super) card_token: String,
    pub(super) wallet_id: String,
    pub(super) status: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cancel {
    #[serde(default, deserialize_with = "text")]
    pub(super) status: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) amount: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    pub(super) ext_ref: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Wallet {
    #[serde(default, deserialize_with = "list")]
    pub(super) wallet: Vec<WalletCard>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WalletCard {
    pub(super) card_token: String,
    pub(super) masked_pan: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PaymentAnswer {
    pub(super) invoice_id: String,
    pub(super) status: String,
    pub(super) amount: i64,
    pub(super) ccy: u16,
    #[serde(default, deserialize_with = "text")]
    pub(super) tds_url: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(super) failure_reason: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(super) err_code: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(super) modified_date: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct StatementAnswer {
    /// Parsed entry by entry, so that an unreadable one does not hide the others.
    #[serde(deserialize_with = "list")]
    pub(super) list: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StatementEntry {
    pub(super) invoice_id: String,
    pub(super) status: String,
    pub(super) date: String,
    pub(super) amount: i64,
    pub(super) ccy: u16,
    #[serde(default, deserialize_with = "text")]
    pub(super) reference: Option<String>,
    #[serde(default, deserialize_with = "list")]
    pub(super) cancel_list: Vec<StatementCancel>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) metadata: Option<BTreeMap<String, Value>>,
}

#[derive(Deserialize)]
pub(super) struct StatementCancel {
    pub(super) amount: i64,
}

/// Reads a list. `null` is an empty one.
fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Ok(Option::<Vec<T>>::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use cabinet_domain::NotaryId;

    use super::*;

    #[test]
    fn an_invoice_carries_the_number_of_its_order_and_the_account_and_nothing_more() {
        let notary = NotaryId::parse("0190f0c2-5a1e-7c3d-9f00-4c1f4f1d2a77").unwrap();
        let marks = PaymentMarks {
            order_number: 100_123,
            notary,
        };
        let sent =
            |marks| serde_json::to_value(PaymentInfo::of("r-1", "Збір", &[], marks)).unwrap();
        assert_eq!(
            sent(Some(marks))["metadata"],
            serde_json::json!({ "order_number": "100123", "notary": notary.to_string() })
        );
        assert_eq!(sent(None).get("metadata"), None);
    }
}
