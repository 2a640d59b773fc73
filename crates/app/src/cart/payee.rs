//! The payee of a returned transfer, corrected by the notary. The rules are those of the payment form.

use cabinet_domain::{
    BudgetCode, Client, Iban, ItemContent, Key, Line, Okpo, PartRole, Payee, PaymentKind, Purpose,
    Transfer,
};
use cabinet_reference::ReferenceData;
use jiff::Timestamp;

use super::own_codes::OwnCodes;
use super::request::PaymentRequest;
use super::rules::Rules;
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind};

/// What a corrected payee is checked against.
pub(crate) struct PayeeContext<'a> {
    /// The transfer that came back.
    pub(crate) transfer: &'a Transfer,
    /// The payment that it belongs to.
    pub(crate) content: &'a ItemContent,
    /// The client.
    pub(crate) client: &'a Client,
    /// The notary's own codes.
    pub(crate) own_codes: &'a OwnCodes,
    /// The notary's name in the profile.
    pub(crate) own_name: Line,
    pub(crate) reference: &'a ReferenceData,
    pub(crate) now: Timestamp,
}

/// Checks a corrected payee: account, code, name and purpose of the request. The notary's own part bears the name of the profile.
///
/// # Errors
/// Every bad field at once.
pub(crate) fn corrected_payee(
    request: &PaymentRequest,
    errors: FieldErrors,
    context: &PayeeContext<'_>,
) -> Result<Payee, Refusal> {
    let role = context.transfer.planned.role;
    let mut rules = Rules {
        request,
        errors,
        reference: context.reference,
        now: context.now,
        kind: match role {
            PartRole::Notary => context.content.kind,
            PartRole::Recipient => PaymentKind::RequisitesPayment,
        },
    };
    let payee = match role {
        PartRole::Notary => own_payee(&mut rules, context),
        PartRole::Recipient => recipient(&mut rules, context),
    };
    rules.errors.check()?;
    // Unreachable while the rules name every missing field.
    payee.ok_or_else(|| Refusal::new(RefusalKind::Invalid, Key::FieldRequired))
}

fn own_payee(rules: &mut Rules<'_, '_>, context: &PayeeContext<'_>) -> Option<Payee> {
    let (iban, okpo) = rules.own_account(context.own_codes);
    let purpose = match kept_purpose(rules.request, context) {
        Some(kept) => Some(kept),
        None => rules
            .typed_purpose(None, None, None)
            .map(|purpose| purpose.to_line()),
    };
    Some(Payee {
        name: context.own_name.clone(),
        iban: iban?,
        okpo: okpo?,
        purpose: purpose?,
    })
}

fn recipient(rules: &mut Rules<'_, '_>, context: &PayeeContext<'_>) -> Option<Payee> {
    let old = &context.transfer.planned.payee;
    let (iban, okpo) = rules.recipient_account();
    // A name of the reference data, or of an earlier version, may be longer than one that is typed.
    let name = match &rules.request.recipient_name {
        Some(text) if text.trim() == old.name.as_str() => Some(old.name.clone()),
        _ => rules.recipient_name(),
    };
    let purpose = match kept_purpose(rules.request, context) {
        Some(kept) => {
            if iban.as_ref().is_some_and(Iban::is_budget_account) {
                let codes = rules.reference.payment_codes();
                let form = Purpose::written(kept.as_str())
                    .and_then(|purpose| purpose.check_payment_code(codes));
                rules.take("purpose", form);
            }
            Some(kept)
        }
        None => {
            let (client, own) = (&context.client.inn, context.own_codes.inn.as_ref());
            rules
                .typed_purpose(iban.as_ref(), Some(client), own)
                .map(|purpose| purpose.to_line())
        }
    };
    if let Some(iban) = &iban {
        let fits = account_rule(rules, context, iban, okpo.as_ref(), name.as_ref());
        rules.take("iban", fits);
    }
    Some(Payee {
        name: name?,
        iban: iban?,
        okpo: okpo?,
        purpose: purpose?,
    })
}

/// Checks whether the payment may go to an account. A fee goes to the accounts that the reference data have for it, whoever asks, and a
/// payment to the budget keeps its revenue code.
fn account_rule(
    rules: &Rules<'_, '_>,
    context: &PayeeContext<'_>,
    iban: &Iban,
    okpo: Option<&Okpo>,
    name: Option<&Line>,
) -> Result<(), Key> {
    let known = rules.reference.account(iban);
    let is_kept = *iban == context.transfer.planned.payee.iban;
    if context.content.requisite.is_some() && known.is_none() && !is_kept {
        return Err(Key::AccountNotInReference);
    }
    match &context.content.cbc_code {
        Some(code) => code.account_rule(iban, okpo, name, known),
        None if iban.is_budget_account() && !is_kept => name
            .and_then(|name| BudgetCode::in_name(name.as_str()))
            .map(|_| ())
            .ok_or(Key::CbcNotForAccount),
        None => Ok(()),
    }
}

/// Returns the purpose of the transfer that came back, if the notary has left it as it is. What the cabinet wrote may be longer than
/// what a person may type.
fn kept_purpose(request: &PaymentRequest, context: &PayeeContext<'_>) -> Option<Line> {
    let old = &context.transfer.planned.payee.purpose;
    let typed = request.purpose.as_deref()?.trim();
    (typed == old.as_str()).then(|| old.clone())
}
