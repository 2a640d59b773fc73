//! Texts for text messages, letters and the acquirer's pages.

use cabinet_domain::{Complaint, ItemContent, Locale, Phone, kyiv_time};
use cabinet_receipts::kind_name;

use crate::outbox::LetterText;

/// Returns the text message with a code. The code comes first, because previews show the beginning.
pub(crate) fn code_message(locale: Locale, code: &str) -> String {
    match locale {
        Locale::Uk => {
            format!("{code} – код входу до кабінету нотаріуса. Нікому не повідомляйте.")
        }
        Locale::En => {
            format!("{code} is your code for the notary dashboard. Do not share it with anyone.")
        }
    }
}

/// Returns the description of an order on the payment page.
pub(crate) fn payment_destination(locale: Locale, number: &str) -> String {
    match locale {
        Locale::Uk => format!("Оплата замовлення № {number} у кабінеті нотаріуса"),
        Locale::En => format!("Payment of order No. {number} in the notary dashboard"),
    }
}

/// Returns the one line of an order's basket at the acquirer.
pub(crate) fn basket_line(locale: Locale) -> &'static str {
    match locale {
        Locale::Uk => "Збори та платежі з комісією сервісу",
        Locale::En => "Fees and payments with the service’s commission",
    }
}

/// Returns the description of a card check on the acquirer's page.
pub(crate) fn card_check(locale: Locale) -> &'static str {
    match locale {
        Locale::Uk => "Збереження картки в кабінеті нотаріуса без списання коштів",
        Locale::En => "Saving a card in the notary dashboard. No money is taken",
    }
}

/// Returns the letter to the support about a complaint, in Ukrainian.
///
/// Letters pass through other servers and stay in mailboxes, so this one names neither the client nor the notary: the support
/// finds the client by the payment and the notary by the account id and the masked phone. The notary's own text is passed on
/// unchanged.
pub(crate) fn complaint_letter(
    phone: Option<&Phone>,
    content: &ItemContent,
    complaint: &Complaint,
) -> LetterText {
    let kind = kind_name(content.kind, Locale::Uk);
    let sum = content.total().map_or_else(
        |_| "невідома".to_owned(),
        |total| format!("{}\u{a0}грн", total.display(Locale::Uk)),
    );
    LetterText {
        subject: format!("Повідомлення про помилку в платежі: {kind}"),
        text: format!(
            "Нотаріус повідомляє про помилку в платежі, доданому до кошика.\n\n\
             {text}\n\n\
             Платіж: {item}\n\
             Вид платежу: {kind}\n\
             Сума: {sum}\n\
             Нотаріус: {notary}, телефон {phone}\n\
             Надіслано: {at} за київським часом\n\
             Номер повідомлення: {id}\n",
            text = complaint.text.as_str(),
            item = complaint.item_id,
            notary = complaint.notary_id,
            phone = phone.map_or_else(|| "невідомий".to_owned(), Phone::masked),
            at = kyiv_time(complaint.created_at).strftime("%d.%m.%Y, %H:%M"),
            id = complaint.id,
        ),
    }
}
