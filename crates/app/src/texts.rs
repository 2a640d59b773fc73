//! Texts that leave the cabinet by other ways than its pages: messages and what the payment page shows.

use cabinet_domain::{Locale, PaymentKind, kyiv_time};
use cabinet_storage::complaints::Complaint;
use cabinet_storage::items::ItemContent;
use cabinet_storage::notaries::Notary;

use crate::outbox::LetterText;

/// The message with a login or sign-up code. The code comes first, where a telephone's preview shows it.
pub(crate) fn code_message(locale: Locale, code: &str) -> String {
    match locale {
        Locale::Uk => {
            format!("{code} – код для входу в кабінет нотаріуса. Нікому його не називайте.")
        }
        Locale::En => {
            format!("{code} is your code for the notary dashboard. Do not share it with anybody.")
        }
    }
}

/// What the payment page shows of an order.
pub(crate) fn payment_destination(locale: Locale, number: &str) -> String {
    match locale {
        Locale::Uk => format!("Оплата замовлення № {number} у кабінеті нотаріуса"),
        Locale::En => format!("Payment of order No. {number} at the notary dashboard"),
    }
}

/// The line of the acquirer's basket that stands for an order.
pub(crate) fn basket_line(locale: Locale) -> &'static str {
    match locale {
        Locale::Uk => "Збори та платежі з комісією сервісу",
        Locale::En => "Fees and payments with the service's commission",
    }
}

/// What the acquirer's page shows of a card check.
pub(crate) fn card_check(locale: Locale) -> &'static str {
    match locale {
        Locale::Uk => "Збереження картки в кабінеті нотаріуса, без списання коштів",
        Locale::En => "Saving a card at the notary dashboard, nothing is charged",
    }
}

/// The letter to the support about a complaint, in Ukrainian, which the support speaks.
///
/// A letter passes through other people's servers and stays in mailboxes, so it names nobody: neither the client, whose name the
/// support finds by the payment, nor the notary, who is named by the account and a masked phone. What the notary wrote is passed
/// on as written, for that is what the letter is for.
pub(crate) fn complaint_letter(
    notary: &Notary,
    content: &ItemContent,
    complaint: &Complaint,
) -> LetterText {
    let kind = kind_name(content.kind);
    let sum = content.total().map_or_else(
        |_| "невідома".to_owned(),
        |total| format!("{}\u{a0}грн", total.display(Locale::Uk)),
    );
    LetterText {
        subject: format!("Повідомлення про помилку в платежі: {kind}"),
        text: format!(
            "Нотаріус повідомляє, що з платежем у кошику щось не так.\n\n\
             {text}\n\n\
             Платіж: {item}\n\
             Вид: {kind}\n\
             Сума: {sum}\n\
             Нотаріус: {notary}, телефон {phone}\n\
             Надіслано: {at} за Києвом\n\
             Номер повідомлення: {id}\n",
            text = complaint.text.as_str(),
            item = complaint.item_id,
            notary = notary.id,
            phone = notary.phone.masked(),
            at = kyiv_time(complaint.created_at).strftime("%d.%m.%Y, %H:%M"),
            id = complaint.id,
        ),
    }
}

/// A kind of payment as the pages name it.
const fn kind_name(kind: PaymentKind) -> &'static str {
    match kind {
        PaymentKind::AdminPayment => "Адміністративний збір",
        PaymentKind::AdminGovernmentPayment => "Адміністративний збір (державний нотаріус)",
        PaymentKind::RegistryPayment => "Плата за користування реєстрами",
        PaymentKind::RequisitesPayment => "Платіж за реквізитами",
    }
}
