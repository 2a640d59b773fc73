//! Applications for the return of money that its recipient has already. No bank sends such money back.

use crate::kernel::words::words;
use crate::{
    BudgetCode, PartRole, PaymentCode, PaymentKind, PlannedTransfer, Purpose, Transfer,
    TransferStatus,
};

words! {
    /// To whom the application goes. Each has a form of its own.
    ReturnApplication {
        /// To the body that administers the fee, which asks the Treasury for the return (MinFin order 787 of 03.09.2013).
        Budget = "budget",
        /// To the Ministry of Justice and the administrator of its registers, for fees for information.
        RegisterInformation = "register_information",
    }
}

impl PlannedTransfer {
    /// Returns the revenue code of a payment to the budget: the one that was given for its item, or the one in which the recipient's
    /// name ends.
    #[must_use]
    pub fn revenue_code(&self, given: Option<&BudgetCode>) -> Option<BudgetCode> {
        if self.role != PartRole::Recipient || !self.payee.iban.is_budget_account() {
            return None;
        }
        given
            .cloned()
            .or_else(|| BudgetCode::in_name(self.payee.name.as_str()))
    }

    /// Returns the payment type code of a payment to the budget, with which its purpose begins.
    #[must_use]
    pub fn payment_code(&self) -> Option<PaymentCode> {
        let to_budget = self.payee.iban.is_budget_account();
        let purpose = Purpose::written(self.payee.purpose.as_str()).ok();
        purpose.filter(|_| to_budget)?.payment_code()
    }
}

impl Transfer {
    /// Returns the application for its return, from the kind of its payment and the budget code that was given for it. `None`: it was
    /// not sent, it came back, or neither the budget nor the administrator of the registers has it.
    #[must_use]
    pub fn return_application(
        &self,
        kind: PaymentKind,
        given: Option<&BudgetCode>,
    ) -> Option<ReturnApplication> {
        let is_gone = matches!(self.status, TransferStatus::Sent | TransferStatus::Credited);
        let code = self.planned.revenue_code(given);
        if !is_gone || self.planned.role != PartRole::Recipient {
            None
        } else if kind == PaymentKind::RegistryPayment
            || code.is_some_and(|code| code.is_register_information())
        {
            Some(ReturnApplication::RegisterInformation)
        } else {
            let is_treasury = self.planned.payee.iban.is_treasury();
            is_treasury.then_some(ReturnApplication::Budget)
        }
    }
}
