//! The rules of a payment to any requisites.

use cabinet_domain::{
    BudgetCode, Iban, Inn, Key, Line, Money, MoneyError, Okpo, Purpose, TemplateId,
};

use super::rules::{Parts, Rules, given};

/// Longest name of a recipient, in characters: what the banks' system carries (SEP-4.0).
const RECIPIENT_NAME_CHARS_MAX: usize = 140;

impl<'a> Rules<'_, 'a> {
    pub(super) fn free_form(
        &mut self,
        inn: Option<&Inn>,
        notary_inn: Option<&Inn>,
    ) -> Option<Parts<'a>> {
        let request = self.request;
        let (iban, okpo) = self.recipient_account();
        let recipient_name = self.recipient_name();
        let purpose = self.typed_purpose(iban.as_ref(), inn, notary_inn);
        let cbc_code = self.budget_code(iban.as_ref(), okpo.as_ref(), recipient_name.as_ref());
        let template = match given(request.template_id.as_ref()) {
            None => None,
            Some(id) => {
                let reference = self.reference;
                let known = TemplateId::parse(id).filter(|id| {
                    reference
                        .template(id)
                        .is_some_and(|template| reference.may_be_used(template))
                });
                self.take("requisites_template", known.ok_or(Key::TemplateUnknown))
            }
        };
        let amount = self.take("amount", request.amount.ok_or(Key::AmountRequired));
        if amount.is_some_and(Money::is_zero) {
            self.errors.add("amount", MoneyError::Zero.key());
        }
        Some(Parts {
            amount: amount?,
            fee: None,
            iban: Some(iban?),
            okpo: Some(okpo?),
            recipient_name: Some(recipient_name?),
            purpose: purpose?,
            template,
            cbc_code,
            filing_year: None,
        })
    }

    /// Reads the recipient's account and code, which must belong together.
    pub(super) fn recipient_account(&mut self) -> (Option<Iban>, Option<Okpo>) {
        let iban = self.iban();
        let account = iban.as_ref().and_then(|iban| self.reference.account(iban));
        let okpo = given(self.request.okpo.as_ref())
            .ok_or(Key::OkpoRequired)
            .and_then(|code| Okpo::of_recipient(code, iban.as_ref(), account));
        let okpo = self.take("okpo", okpo);
        (iban, okpo)
    }

    pub(super) fn recipient_name(&mut self) -> Option<Line> {
        let text = self.request.recipient_name.as_deref();
        self.errors.refuse_card("recipient_name", text);
        let name = Line::parse(text.unwrap_or_default(), RECIPIENT_NAME_CHARS_MAX);
        self.take(
            "recipient_name",
            name.map_err(|error| error.key(Key::RecipientNameRequired)),
        )
    }

    /// Reads the purpose, which names the client or the notary, and has the form that the account needs.
    pub(super) fn typed_purpose(
        &mut self,
        iban: Option<&Iban>,
        inn: Option<&Inn>,
        notary_inn: Option<&Inn>,
    ) -> Option<Purpose> {
        let typed = self.request.purpose.as_deref();
        self.errors.refuse_card("purpose", typed);
        let text = typed.unwrap_or_default();
        let purpose = match (iban, inn) {
            (Some(iban), Some(inn)) => {
                let codes = self.reference.payment_codes();
                Purpose::for_payment(text, iban, inn, notary_inn, codes)
            }
            // Without the account or the client only the text itself can be checked.
            _ => Purpose::parse(text),
        };
        self.take("purpose", purpose)
    }

    /// Reads the budget code, which an account of the budget needs, and checks it against the account.
    fn budget_code(
        &mut self,
        iban: Option<&Iban>,
        okpo: Option<&Okpo>,
        recipient_name: Option<&Line>,
    ) -> Option<BudgetCode> {
        let request = self.request;
        let read = match given(request.cbc_code.as_ref()) {
            Some(code) => BudgetCode::parse(code),
            None if iban.is_some_and(Iban::is_budget_account) => Err(Key::CbcLength),
            None => return None,
        };
        let account = iban.and_then(|iban| self.reference.account(iban));
        let fits = read.and_then(|code| {
            let rule = iban.map(|iban| code.account_rule(iban, okpo, recipient_name, account));
            rule.unwrap_or(Ok(())).map(|()| code)
        });
        self.take("cbc_code", fits)
    }
}
