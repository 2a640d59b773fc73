//! Taking a file: every instruction is checked, and becomes a payment or is refused.

use cabinet_domain::kyiv_date;
use jiff::Timestamp;

use super::checks::check;
use super::files::{self, FileError};
use super::instruction::{Instruction, Reason, Unchecked, kopiykas};
use super::state::{Answer, AnswerResult, Line, PayingBank, Payment, PaymentStatus, TakenFile};

/// A file that was given to the bank.
#[derive(Debug)]
pub(crate) struct Taken {
    /// The file.
    pub(crate) file: TakenFile,
    /// Whether the same bytes were taken before. Nothing was changed then.
    pub(crate) is_known: bool,
}

impl PayingBank {
    /// Takes a file. The same file again changes nothing.
    pub(crate) fn take_file(
        &mut self,
        name: &str,
        bytes: &[u8],
        now: Timestamp,
        fresh_uetr: impl Fn() -> String,
    ) -> Result<Taken, FileError> {
        let digest = blake3::hash(bytes).to_hex().to_string();
        if let Some(known) = self.files().iter().find(|file| file.digest == digest) {
            return Ok(Taken {
                file: known.clone(),
                is_known: true,
            });
        }
        let message = files::read(bytes)?;
        let answers = message
            .instructions
            .iter()
            .map(|order| Answer {
                document_number: order.document_number.clone(),
                instruction_id: order.instruction_id.clone(),
                amount: kopiykas(&order.amount).filter(|_| order.currency == "UAH"),
                recipient_account: order.recipient_account.clone(),
                result: self.take(order, now, &fresh_uetr),
            })
            .collect();
        let file = TakenFile {
            id: self.files().len() as u64 + 1,
            name: name.to_owned(),
            format: message.format,
            message_id: message.id.unwrap_or_else(|| name.to_owned()),
            digest,
            taken_at: now,
            answers,
        };
        self.record(Line::File(file.clone()));
        if self.is_immediate() {
            self.execute_due(now);
        }
        Ok(Taken {
            file,
            is_known: false,
        })
    }

    fn take(
        &mut self,
        order: &Unchecked,
        now: Timestamp,
        fresh_uetr: impl Fn() -> String,
    ) -> AnswerResult {
        let today = kyiv_date(now);
        let checked = check(order, self.customer(), today);
        let instruction = match checked {
            Ok(instruction) => instruction,
            Err(reason) => return AnswerResult::Refused { reason },
        };
        let number = &instruction.document_number;
        let same_number = |payment: &&Payment| payment.instruction.document_number == *number;
        if let Some(earlier) = self.payments().iter().find(same_number) {
            if earlier.instruction.is_same_payment(&instruction) {
                return AnswerResult::TakenBefore {
                    uetr: earlier.uetr.clone(),
                };
            }
            return AnswerResult::Refused {
                reason: Reason::new("AM05", "Документ із цим номером уже прийнято"),
            };
        }
        if instruction.amount > self.available() {
            return AnswerResult::Refused {
                reason: Reason::new("AM04", "Недостатньо коштів на рахунку"),
            };
        }
        self.add(instruction, now, fresh_uetr())
    }

    fn add(&mut self, instruction: Instruction, now: Timestamp, uetr: String) -> AnswerResult {
        let number = self.payments().len() + 1;
        self.record(Line::Payment(Box::new(Payment {
            uetr: uetr.clone(),
            reference: format!("SB{}{number:07}1", kyiv_date(now).strftime("%y%m%d")),
            instruction,
            status: PaymentStatus::Waiting,
            bank_days: 0,
            taken_at: now,
        })));
        AnswerResult::Taken { uetr }
    }

    /// Returns what the customer may still pay, in kopiykas: the balance without what waits to be executed.
    fn available(&self) -> i64 {
        let own = self.customer().iban.clone();
        let waiting = self.payments().iter();
        waiting
            .filter(|payment| payment.status == PaymentStatus::Waiting)
            .fold(self.balance(&own, |_| true), |left, payment| {
                left.saturating_sub(payment.instruction.amount)
            })
    }
}
