//! Executing payments: each step of a test or a person is one day of the bank, on the date of the sandbox's clock.

use cabinet_domain::kyiv_date;
use jiff::Timestamp;
use serde::Serialize;

use super::instruction::Reason;
use super::state::{Booking, BookingKind, Line, PayingBank, Payment, PaymentStatus, Side};

/// What a day of the bank has done: numbers of documents.
#[derive(Debug, Default, Serialize)]
pub(crate) struct DayResult {
    /// Credited to their recipients.
    pub(crate) credited: Vec<String>,
    /// Sent back.
    pub(crate) returned: Vec<String>,
    /// Still to be executed.
    pub(crate) waiting: Vec<String>,
}

impl PayingBank {
    /// Lets a day of the bank pass: executes what is due, and returns what shall come back.
    pub(crate) fn run_day(&mut self, now: Timestamp) -> DayResult {
        let payments = self.payments().to_vec();
        let mut day = DayResult::default();
        for payment in payments {
            let number = payment.instruction.document_number.clone();
            let after = self.pass_day(payment, now);
            match after {
                Some(PaymentStatus::Credited { .. }) => day.credited.push(number),
                Some(PaymentStatus::Returned { .. }) => day.returned.push(number),
                Some(PaymentStatus::Waiting) => day.waiting.push(number),
                None => {}
            }
        }
        day
    }

    /// Executes what is due without letting a day pass.
    pub(super) fn execute_due(&mut self, now: Timestamp) {
        for payment in self.payments().to_vec() {
            if self.is_due(&payment, now) {
                self.execute(payment, now);
            }
        }
    }

    fn is_due(&self, payment: &Payment, now: Timestamp) -> bool {
        let delay = self.ruling(&payment.instruction.document_number).delay_days;
        payment.status == PaymentStatus::Waiting
            && payment.instruction.value_date <= kyiv_date(now)
            && payment.bank_days >= delay
    }

    /// Returns the status afterwards, unless nothing became of the payment on this day.
    fn pass_day(&mut self, mut payment: Payment, now: Timestamp) -> Option<PaymentStatus> {
        match payment.status {
            PaymentStatus::Waiting if self.is_due(&payment, now) => {
                Some(self.execute(payment, now))
            }
            PaymentStatus::Waiting => {
                payment.bank_days += 1;
                self.record(Line::Payment(Box::new(payment)));
                Some(PaymentStatus::Waiting)
            }
            PaymentStatus::Credited { credited_on } => {
                let ruling = self.ruling(&payment.instruction.document_number);
                let ordered = ruling.sends_back?;
                payment.bank_days += 1;
                if payment.bank_days < ordered.days_after_credit.unwrap_or_default() {
                    self.record(Line::Payment(Box::new(payment)));
                    return None;
                }
                let account = payment.instruction.recipient_account.clone();
                self.book(&payment, &account, Side::Debit, Some(ordered.reason()), now);
                Some(self.send_back(payment, Some(credited_on), ordered.reason(), now))
            }
            PaymentStatus::Returned { .. } => None,
        }
    }

    /// Takes the money from the customer's account and credits it, or brings it back.
    fn execute(&mut self, mut payment: Payment, now: Timestamp) -> PaymentStatus {
        let own = self.customer().iban.clone();
        self.book(&payment, &own, Side::Debit, None, now);
        let ruling = self.ruling(&payment.instruction.document_number);
        let ordered = ruling
            .sends_back
            .filter(|ordered| ordered.days_after_credit.is_none())
            .map(|ordered| ordered.reason());
        if let Some(reason) = ordered.or_else(|| self.return_reason(&payment.instruction)) {
            return self.send_back(payment, None, reason, now);
        }
        let account = payment.instruction.recipient_account.clone();
        self.book(&payment, &account, Side::Credit, None, now);
        payment.status = PaymentStatus::Credited {
            credited_on: kyiv_date(now),
        };
        payment.bank_days = 0;
        let status = payment.status.clone();
        self.record(Line::Payment(Box::new(payment)));
        status
    }

    /// Brings the money back to the customer's account.
    fn send_back(
        &mut self,
        mut payment: Payment,
        credited_on: Option<jiff::civil::Date>,
        reason: Reason,
        now: Timestamp,
    ) -> PaymentStatus {
        let own = self.customer().iban.clone();
        self.book(&payment, &own, Side::Credit, Some(reason.clone()), now);
        payment.status = PaymentStatus::Returned {
            credited_on,
            returned_on: kyiv_date(now),
            reason,
        };
        let status = payment.status.clone();
        self.record(Line::Payment(Box::new(payment)));
        status
    }

    /// Adds a line to the ledger. One with a reason belongs to a return.
    fn book(
        &mut self,
        payment: &Payment,
        account: &str,
        side: Side,
        reason: Option<Reason>,
        now: Timestamp,
    ) {
        let number = self.bookings().len() as u64 + 1;
        let kind = match reason {
            Some(_) => BookingKind::Return,
            None => BookingKind::Payment,
        };
        let reference = match kind {
            BookingKind::Payment => payment.reference.clone(),
            BookingKind::Return => format!("SR{}{number:07}1", kyiv_date(now).strftime("%y%m%d")),
        };
        self.record(Line::Booking(Booking {
            number,
            account: account.to_owned(),
            side,
            kind,
            amount: payment.instruction.amount,
            booked_on: kyiv_date(now),
            at: now,
            uetr: payment.uetr.clone(),
            document_number: payment.instruction.document_number.clone(),
            reference,
            reason,
        }));
    }
}
