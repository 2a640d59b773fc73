//! Texts that leave the cabinet by other ways than its pages: messages and what the payment page shows.

use cabinet_domain::Locale;

/// The message with a login or sign-up code. The code comes first, where a telephone's preview shows it.
pub fn code_message(locale: Locale, code: &str) -> String {
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
pub fn payment_destination(locale: Locale, number: &str) -> String {
    match locale {
        Locale::Uk => format!("Оплата замовлення № {number} у кабінеті нотаріуса"),
        Locale::En => format!("Payment of order No. {number} at the notary dashboard"),
    }
}

/// The line of the acquirer's basket that stands for an order.
pub fn basket_line(locale: Locale) -> &'static str {
    match locale {
        Locale::Uk => "Збори та платежі з комісією сервісу",
        Locale::En => "Fees and payments with the service's commission",
    }
}

/// What the acquirer's page shows of a card check.
pub fn card_check(locale: Locale) -> &'static str {
    match locale {
        Locale::Uk => "Збереження картки в кабінеті нотаріуса, без списання коштів",
        Locale::En => "Saving a card at the notary dashboard, nothing is charged",
    }
}
