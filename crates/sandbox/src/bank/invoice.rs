//! An invoice, and its form in answers, reports and the statement.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::card::Card;

/// ISO 4217 number of the hryvnia.
pub(crate) const HRYVNIA: i64 = 980;

/// The status of an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Created,
    Processing,
    Success,
    Failure,
    Reversed,
    Expired,
}

impl Status {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Processing => "processing",
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Reversed => "reversed",
            Self::Expired => "expired",
        }
    }
}

/// The kind of an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InvoiceKind {
    /// Takes the sum.
    Debit,
    /// Takes nothing and saves the card.
    Verification,
    /// A payment by a saved card, without a payment page.
    Wallet,
    /// A payment of LiqPay, on its page. A failure is final.
    LiqPay,
}

/// What a processing payment waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Waiting {
    /// The holder's answer on the 3-D Secure page. The payment fails at this moment.
    Holder(Timestamp),
    /// The moment when it succeeds.
    Until(Timestamp),
}

/// An attempt to pay an invoice.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Payment {
    pub(crate) card: Card,
    /// `pan` or `wallet`.
    pub(crate) method: String,
    pub(crate) approval_code: String,
    pub(crate) rrn: String,
    pub(crate) transaction_id: String,
    /// The token under which the card is saved when the payment succeeds.
    pub(crate) save_as: Option<String>,
    pub(crate) at: Timestamp,
}

/// A refund.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Refund {
    pub(crate) amount: i64,
    pub(crate) external_reference: Option<String>,
    pub(crate) approval_code: String,
    pub(crate) rrn: String,
    /// When it was asked for, or carried out if that was later.
    pub(crate) at: Timestamp,
    /// When it will be carried out. `None`: it was.
    #[serde(default)]
    pub(crate) open_until: Option<Timestamp>,
}

/// A card saved by a payment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Tokenized {
    pub(crate) token: String,
    pub(crate) wallet_id: String,
}

/// An invoice.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Invoice {
    pub(crate) id: String,
    pub(crate) kind: InvoiceKind,
    pub(crate) status: Status,
    pub(crate) amount: i64,
    pub(crate) reference: Option<String>,
    pub(crate) destination: Option<String>,
    pub(crate) metadata: Option<Map<String, Value>>,
    pub(crate) redirect_url: Option<String>,
    pub(crate) web_hook_url: Option<String>,
    /// The wallet in which the card may be saved.
    pub(crate) wallet_id: Option<String>,
    pub(crate) created_at: Timestamp,
    pub(crate) modified_at: Timestamp,
    /// When it expires. A payment by a saved card does not expire.
    pub(crate) valid_until: Option<Timestamp>,
    /// Code and text of the last decline.
    pub(crate) failure: Option<(String, String)>,
    pub(crate) payment: Option<Payment>,
    pub(crate) refunds: Vec<Refund>,
    pub(crate) tokenized: Option<Tokenized>,
    /// Set only while it is processing.
    pub(crate) waiting: Option<Waiting>,
}

/// Formats a moment as the acquirer does: UTC, whole seconds.
pub(crate) fn wire_time(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

impl Invoice {
    /// Makes an unpaid invoice.
    pub(crate) fn new(id: String, kind: InvoiceKind, amount: i64, now: Timestamp) -> Self {
        Self {
            id,
            kind,
            status: Status::Created,
            amount,
            reference: None,
            destination: None,
            metadata: None,
            redirect_url: None,
            web_hook_url: None,
            wallet_id: None,
            created_at: now,
            modified_at: now,
            valid_until: None,
            failure: None,
            payment: None,
            refunds: Vec::new(),
            tokenized: None,
            waiting: None,
        }
    }

    /// Returns the sum charged minus refunds that were carried out.
    pub(crate) fn final_amount(&self) -> i64 {
        self.amount_without(|refund| refund.open_until.is_none())
    }

    /// Returns the sum charged minus all refunds that were asked for.
    pub(crate) fn refundable_amount(&self) -> i64 {
        self.amount_without(|_| true)
    }

    fn amount_without(&self, counts: impl Fn(&Refund) -> bool) -> i64 {
        let refunds = self.refunds.iter().filter(|refund| counts(refund));
        match self.status {
            Status::Success | Status::Reversed => {
                self.amount - refunds.map(|refund| refund.amount).sum::<i64>()
            }
            _ => 0,
        }
    }

    /// Returns whether it changes by itself: a slow payment, or a slow refund.
    pub(crate) fn is_slow(&self) -> bool {
        matches!(self.waiting, Some(Waiting::Until(_)))
            || self
                .refunds
                .iter()
                .any(|refund| refund.open_until.is_some())
    }

    /// Returns whether it can be paid now. After a decline another card may be tried.
    pub(crate) fn is_payable(&self, now: Timestamp) -> bool {
        let in_time = self.valid_until.is_none_or(|until| now < until);
        match self.status {
            Status::Created => in_time,
            Status::Failure => in_time && self.takes_several_cards(),
            Status::Processing | Status::Success | Status::Reversed | Status::Expired => false,
        }
    }

    /// Returns whether another card may be tried after a decline.
    pub(crate) fn takes_several_cards(&self) -> bool {
        matches!(self.kind, InvoiceKind::Debit | InvoiceKind::Verification)
    }

    /// Returns whether it waits for the holder's confirmation.
    pub(crate) fn is_challenged(&self) -> bool {
        matches!(self.waiting, Some(Waiting::Holder(_)))
    }

    /// Returns the body of a status answer or report.
    pub(crate) fn state(&self) -> Value {
        let mut state = json!({
            "invoiceId": self.id,
            "status": self.status.as_str(),
            "amount": self.amount,
            "ccy": HRYVNIA,
            "createdDate": wire_time(self.created_at),
            "modifiedDate": wire_time(self.modified_at),
        });
        let mut put = |name: &str, value: Value| {
            if let Some(fields) = state.as_object_mut() {
                fields.insert(name.to_owned(), value);
            }
        };
        if self.payment.is_some() {
            put("finalAmount", self.final_amount().into());
        }
        if let Some(reference) = &self.reference {
            put("reference", reference.as_str().into());
        }
        if let Some(destination) = &self.destination {
            put("destination", destination.as_str().into());
        }
        if let Some((code, text)) = &self.failure {
            put("errCode", code.as_str().into());
            put("failureReason", text.as_str().into());
        }
        if let Some(payment) = &self.payment {
            put("paymentInfo", payment.info(self.status, fee(self.amount)));
        }
        if let Some(tokenized) = &self.tokenized {
            put(
                "walletData",
                json!({"cardToken": tokenized.token, "walletId": tokenized.wallet_id, "status": "created"}),
            );
        }
        if !self.refunds.is_empty() {
            put(
                "cancelList",
                self.refunds.iter().map(Refund::state).collect(),
            );
        }
        state
    }

    /// Returns the entry of the statement, or `None` if nobody has tried to pay the invoice.
    pub(crate) fn statement_entry(&self) -> Option<Value> {
        let payment = self.payment.as_ref()?;
        let status = match self.status {
            Status::Success | Status::Reversed => "success",
            Status::Processing => "processing",
            Status::Created | Status::Failure | Status::Expired => "failure",
        };
        let cancels: Vec<Value> = self
            .refunds
            .iter()
            .filter(|refund| refund.open_until.is_none())
            .map(|refund| {
                json!({
                    "amount": refund.amount, "ccy": HRYVNIA, "date": wire_time(refund.at),
                    "maskedPan": payment.card.masked_pan, "approvalCode": refund.approval_code, "rrn": refund.rrn,
                })
            })
            .collect();
        Some(json!({
            "invoiceId": self.id,
            "status": status,
            "maskedPan": payment.card.masked_pan,
            "date": wire_time(payment.at),
            "paymentScheme": "full",
            "amount": self.amount,
            "ccy": HRYVNIA,
            "approvalCode": payment.approval_code,
            "rrn": payment.rrn,
            "reference": self.reference,
            "shortQrId": null,
            "destination": self.destination,
            "metadata": self.metadata,
            "cancelList": cancels,
        }))
    }
}

/// What the acquirer keeps of a charge: 1.3 %, rounded half up.
pub(super) const fn fee(amount: i64) -> i64 {
    (amount * 13 + 500) / 1000
}

impl Payment {
    fn info(&self, status: Status, fee: i64) -> Value {
        let mut info = json!({
            "maskedPan": self.card.masked_pan,
            "terminal": "MI000000",
            "paymentSystem": self.card.payment_system,
            "paymentMethod": self.method,
            "tranId": self.transaction_id,
            "bank": "Test bank",
            "country": "804",
            "fee": fee,
        });
        if matches!(status, Status::Success | Status::Reversed)
            && let Some(fields) = info.as_object_mut()
        {
            fields.insert(
                "approvalCode".to_owned(),
                self.approval_code.as_str().into(),
            );
            fields.insert("rrn".to_owned(), self.rrn.as_str().into());
        }
        info
    }
}

impl Refund {
    fn state(&self) -> Value {
        json!({
            "status": if self.open_until.is_some() { "processing" } else { "success" },
            "amount": self.amount,
            "ccy": HRYVNIA,
            "createdDate": wire_time(self.at),
            "modifiedDate": wire_time(self.at),
            "approvalCode": self.approval_code,
            "rrn": self.rrn,
            "extRef": self.external_reference,
        })
    }
}
