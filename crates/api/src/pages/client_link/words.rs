//! The texts of the page of a client's link.

use cabinet_domain::payment::ClientStanding;
use cabinet_domain::{Key, Locale};

pub struct Words {
    pub language: &'static str,
    pub title: &'static str,
    pub product: &'static str,
    pub other: &'static str,
    pub other_name: &'static str,
    /// Before the notary's name.
    pub asks: &'static str,
    pub order: &'static str,
    pub number_sign: &'static str,
    pub actual_payer: &'static str,
    pub total: &'static str,
    pub with_commission: &'static str,
    pub what_for: &'static str,
    pub to_whom: &'static str,
    /// Of what a transfer is sent by.
    pub requisites: &'static str,
    pub recipient: &'static str,
    pub recipient_code: &'static str,
    pub account: &'static str,
    pub purpose: &'static str,
    pub units: &'static str,
    /// Of a part that a bank never had.
    pub given_back_unsent: &'static str,
    /// Of a part that a bank had sent back before.
    pub given_back: &'static str,
    /// Of a part that a bank has sent back, and that is not on the card.
    pub returned_to_service: &'static str,
    pub paid_at: &'static str,
    /// Before the moment by which it is known whether a charge was made.
    pub answer_until: &'static str,
    pub until: &'static str,
    pub pay_by_card: &'static str,
    pub card_lead: &'static str,
    /// After a declined card, where nobody can have paid by codes.
    pub another_card: &'static str,
    /// The same, where another card may have been charged on the page that is still open.
    pub else_another_card: &'static str,
    pub pay_despite_codes: &'static str,
    pub codes_were_given: &'static str,
    pub codes_title: &'static str,
    pub codes_lead: &'static str,
    pub show_codes: &'static str,
    pub codes_again: &'static str,
    pub codes_how: &'static str,
    pub codes_warning: &'static str,
    pub codes_total: &'static str,
    pub code_of: &'static str,
    pub open_in_bank: &'static str,
    pub no_code: &'static str,
    pub back: &'static str,
    pub refresh: &'static str,
    pub changed: &'static str,
    pub receipts: &'static str,
    pub receipt: &'static str,
    pub commission_receipt: &'static str,
    pub mail_title: &'static str,
    /// What is sent of an order that is not paid yet.
    pub mail_when_paid: &'static str,
    /// Of a paid one.
    pub mail_at_once: &'static str,
    /// Of one whose recipients have their money.
    pub mail_after_credit: &'static str,
    pub mail_terms: &'static str,
    pub email: &'static str,
    pub send_receipt: &'static str,
    pub agree: &'static str,
    pub mail_to: &'static str,
    /// The same, where no receipt is sent any more.
    pub letters_to: &'static str,
    pub stop_mail: &'static str,
    pub mail_agreed: &'static str,
    pub mail_stopped: &'static str,
    pub bad_email: &'static str,
    pub safe: &'static str,
    pub demonstration: &'static str,
    pub nothing: &'static str,
    pub nothing_lead: &'static str,
    /// To who comes back from the bank's page when the link opens nothing any more.
    pub after_bank: &'static str,
    pub after_bank_lead: &'static str,
    /// To the notary, who may have tried the link.
    pub to_cabinet: &'static str,
    pub too_many: &'static str,
    pub broken: &'static str,
    pub letter_title: &'static str,
    pub letter_receipt: &'static str,
    pub digits: &'static str,
    pub digits_lead: &'static str,
    pub bad_digits: &'static str,
    pub wrong_digits: &'static str,
    /// Of a letter that an earlier version sent.
    pub receipt_attached: &'static str,
    pub receipt_ended: &'static str,
    pub receipt_used_up: &'static str,
    pub letters_title: &'static str,
    pub letters_question: &'static str,
    pub letters_stop: &'static str,
    pub letters_off: &'static str,
}

static UK: Words = Words {
    language: "uk",
    title: "Оплата замовлення",
    product: "Кабінет нотаріуса",
    other: "en",
    other_name: "English",
    asks: "Нотаріус",
    order: "Замовлення",
    number_sign: "№",
    actual_payer: "Фактичний платник",
    total: "Разом до сплати",
    with_commission: "у тому числі комісія сервісу",
    what_for: "За що",
    to_whom: "Кому",
    requisites: "Реквізити",
    recipient: "Отримувач",
    recipient_code: "Код отримувача",
    account: "Рахунок",
    purpose: "Призначення",
    units: "шт.",
    given_back_unsent: "Повернено на картку, отримувачу не надіслано",
    given_back: "Повернено на картку",
    returned_to_service: "Банк повернув кошти сервісу, отримувачу не зараховано. Зверніться до нотаріуса",
    paid_at: "Сплачено",
    answer_until: "Відповідь банку буде до",
    until: "Посилання діє до",
    pay_by_card: "Сплатити карткою",
    card_lead: "Відкриється сторінка банку. Номер картки вводьте лише там.",
    another_card: "Спробуйте іншу картку.",
    else_another_card: "Якщо ні, спробуйте іншу картку.",
    pay_despite_codes: "За QR-кодами не сплачено – сплатити карткою",
    codes_were_given: "Для цього замовлення вже видано QR-коди. Якщо за ними сплачено, карткою не платіть: кошти буде списано двічі.",
    codes_title: "Або за QR-кодами",
    codes_lead: "Код зчитує застосунок будь-якого банку, кошти надходять одразу отримувачам, без комісії сервісу. Після цього сплатити карткою можна буде, лише підтвердивши, що за кодами не сплачено. Сервіс не бачить такої оплати: збережіть підтвердження банку й покажіть його нотаріусу, щоб той її позначив.",
    show_codes: "Показати QR-коди",
    codes_again: "Показати QR-коди ще раз",
    codes_how: "Сплатіть за кожним кодом: кожен – окремий переказ.",
    codes_warning: "Якщо сплатите за кодами, карткою не платіть.",
    codes_total: "Разом за кодами",
    code_of: "QR-код переказу",
    open_in_bank: "Відкрити в застосунку банку",
    no_code: "Реквізити задовгі для QR-коду. Попросіть їх у нотаріуса.",
    back: "До замовлення",
    refresh: "Оновити",
    changed: "Статус оплати змінився.",
    receipts: "Квитанції",
    receipt: "Квитанція про сплату (PDF)",
    commission_receipt: "Квитанція про комісію (PDF)",
    mail_title: "Квитанція електронною поштою",
    mail_when_paid: "Надішлемо квитанцію, коли замовлення буде оплачено, і повідомимо, коли кошти зарахують отримувачам або повернуть.",
    mail_at_once: "Надішлемо квитанцію одразу й повідомимо, коли кошти зарахують отримувачам або повернуть.",
    mail_after_credit: "Надішлемо квитанцію одразу й повідомимо, якщо кошти повернуть.",
    mail_terms: "У листі буде посилання: сторінка видасть квитанцію за останніми чотирма цифрами коду платника або номера його документа. Відмовитися можна будь-коли: тут або за посиланням у листі.",
    email: "Електронна пошта",
    send_receipt: "Надсилати квитанцію",
    agree: "Натискаючи кнопку, Ви погоджуєтеся, щоб квитанцію надсилали на цю адресу.",
    mail_to: "Квитанцію надсилаємо на",
    letters_to: "Листи про замовлення надсилаємо на",
    stop_mail: "Не надсилати",
    mail_agreed: "Адресу збережено.",
    mail_stopped: "Листів про це замовлення більше не буде.",
    bad_email: "Перевірте адресу: вона має бути на зразок name@example.com.",
    safe: "Не передавайте це посилання іншим: воно відкриває Ваше замовлення. Не очікували його? Не платіть і зателефонуйте нотаріусу.",
    demonstration: "Тестова оплата: кошти не списуються, квитанція нічого не підтверджує.",
    nothing: "Це посилання не діє.",
    nothing_lead: "Строк посилання минув, його скасовано або замінено новим. Попросіть нове посилання в нотаріуса.",
    after_bank: "Якщо Ви сплатили, оплату обробляє банк. Не платіть ще раз.",
    after_bank_lead: "Посилання, за яким Ви перейшли на сторінку банку, більше не діє: його строк минув, його скасовано або замінено новим. Результат оплати дивіться за новим посиланням або дізнайтеся в нотаріуса.",
    to_cabinet: "Нотаріусу: до архіву замовлень",
    too_many: "Забагато спроб. Зачекайте хвилину й спробуйте ще раз.",
    broken: "Зараз показати замовлення не вдалося. Спробуйте ще раз за хвилину.",
    letter_title: "Квитанція про оплату замовлення",
    letter_receipt: "Квитанція",
    digits: "Останні чотири цифри коду платника",
    digits_lead: "У квитанції є ім’я та код платника, тому її видаємо тому, хто знає останні цифри його РНОКПП або коду ЄДРПОУ. Якщо замість коду вказано паспорт чи ID-картку, введіть останні чотири цифри номера документа. Помилитися можна десять разів.",
    bad_digits: "Введіть лише чотири останні цифри.",
    wrong_digits: "Код платника або номер документа закінчується іншими цифрами. Перевірте їх і введіть ще раз.",
    receipt_attached: "Квитанцію вкладено в лист, з якого Ви перейшли на цю сторінку.",
    receipt_ended: "За цим посиланням квитанцію отримати вже не можна: його строк минув, його скасовано або замінено новим. Зверніться по квитанцію до нотаріуса.",
    receipt_used_up: "За цим посиланням квитанцію отримати вже не можна: забагато разів введено неправильні цифри. Попросіть нотаріуса надіслати квитанцію ще раз.",
    letters_title: "Листи про замовлення",
    letters_question: "Не надсилати більше листів про це замовлення? Адресу буде видалено, а посилання з листів більше не видадуть квитанції.",
    letters_stop: "Не надсилати",
    letters_off: "Листів про це замовлення більше не буде.",
};

static EN: Words = Words {
    language: "en",
    title: "Payment of an order",
    product: "Notary dashboard",
    other: "uk",
    other_name: "Українською",
    asks: "Notary",
    order: "Order",
    number_sign: "No.",
    actual_payer: "Actual payer",
    total: "Total to pay",
    with_commission: "including the service’s commission",
    what_for: "What for",
    to_whom: "To whom",
    requisites: "Bank details",
    recipient: "Recipient",
    recipient_code: "Recipient’s code",
    account: "Account",
    purpose: "Purpose",
    units: "units",
    given_back_unsent: "Refunded to the card, not sent to the recipient",
    given_back: "Refunded to the card",
    returned_to_service: "The bank returned the money to the service; the recipient did not get it. Contact the notary",
    paid_at: "Paid",
    answer_until: "The bank’s answer will be known by",
    until: "The link is valid until",
    pay_by_card: "Pay with a card",
    card_lead: "The bank’s page will open. Enter the card number only there.",
    another_card: "Try another card.",
    else_another_card: "If not, try another card.",
    pay_despite_codes: "Nobody paid by the QR codes – pay with a card",
    codes_were_given: "QR codes were given out for this order. If they were paid, do not pay with a card: the money would be taken twice.",
    codes_title: "Or by QR codes",
    codes_lead: "Any bank’s app reads a code, and the money goes straight to the recipients, without the service’s commission. After that, a card can pay only once you confirm that nobody paid by the codes. The service does not see such a payment: keep the bank’s confirmation and show it to the notary, who can mark it.",
    show_codes: "Show the QR codes",
    codes_again: "Show the QR codes again",
    codes_how: "Pay by each code: each is a transfer of its own.",
    codes_warning: "If you pay by the codes, do not pay with a card.",
    codes_total: "Total by codes",
    code_of: "QR code of a transfer",
    open_in_bank: "Open in a banking app",
    no_code: "The details are too long for a QR code. Ask the notary for them.",
    back: "To the order",
    refresh: "Refresh",
    changed: "The status of the payment has changed.",
    receipts: "Receipts",
    receipt: "Payment receipt (PDF)",
    commission_receipt: "Commission receipt (PDF)",
    mail_title: "The receipt by email",
    mail_when_paid: "We will send the receipt when the order is paid, and tell you when the money is credited to the recipients or returned.",
    mail_at_once: "We will send the receipt at once, and tell you when the money is credited to the recipients or returned.",
    mail_after_credit: "We will send the receipt at once, and tell you if the money is returned.",
    mail_terms: "The email has a link: its page gives the receipt for the last four digits of the payer’s code, or of the number of the payer’s document. You can stop it at any time, here or by the link in the email.",
    email: "Email",
    send_receipt: "Send the receipt",
    agree: "By pressing the button you agree that the receipt is sent to this address.",
    mail_to: "The receipt is sent to",
    letters_to: "Emails about the order are sent to",
    stop_mail: "Stop sending",
    mail_agreed: "The address is saved.",
    mail_stopped: "No more emails about this order will be sent.",
    bad_email: "Check the address: it should look like name@example.com.",
    safe: "Do not pass this link on: it opens your order. You did not expect it? Do not pay, and call the notary.",
    demonstration: "A test payment: no money is taken, and the receipt proves nothing.",
    nothing: "This link does not work.",
    nothing_lead: "Its time has run out, it was withdrawn, or a new one has replaced it. Ask the notary for a new link.",
    after_bank: "If you have paid, the bank is processing the payment. Do not pay again.",
    after_bank_lead: "The link by which you came to the bank’s page does not work any more: its time has run out, it was withdrawn, or a new one has replaced it. See the result by the new link, or ask the notary.",
    to_cabinet: "For the notary: to the archive of orders",
    too_many: "Too many attempts. Wait a minute and try again.",
    broken: "The order could not be shown. Try again in a minute.",
    letter_title: "Receipt of an order",
    letter_receipt: "Receipt",
    digits: "Last four digits of the payer’s code",
    digits_lead: "The receipt has the payer’s name and code, so it is given to whoever knows the last digits of the tax number (RNOKPP) or the company code (EDRPOU). Where a passport or an ID card was given instead, enter the last four digits of its number. Ten wrong tries are allowed.",
    bad_digits: "Enter the last four digits alone.",
    wrong_digits: "The payer’s code or document number ends with other digits. Check them and enter them again.",
    receipt_attached: "The receipt is attached to the email that led you here.",
    receipt_ended: "This link gives no receipt any more: its time has run out, it was withdrawn, or a new one has replaced it. Ask the notary for the receipt.",
    receipt_used_up: "This link gives no receipt any more: wrong digits were entered too many times. Ask the notary to send the receipt again.",
    letters_title: "Emails about the order",
    letters_question: "Send no more emails about this order? The address will be deleted, and the links in the emails will give no receipt any more.",
    letters_stop: "Stop sending",
    letters_off: "No more emails about this order will be sent.",
};

pub const fn words(locale: Locale) -> &'static Words {
    match locale {
        Locale::Uk => &UK,
        Locale::En => &EN,
    }
}

/// Returns what the client is told of the payment, after the tone of it.
pub const fn standing_text(
    standing: ClientStanding,
    locale: Locale,
) -> (&'static str, &'static str) {
    let is_uk = matches!(locale, Locale::Uk);
    let (tone, uk, en) = match standing {
        ClientStanding::Paid => ("good", "Сплачено.", "Paid."),
        ClientStanding::PaidByCodes => (
            "good",
            "Сплачено за QR-кодами: так позначив нотаріус. Не платіть ще раз.",
            "Paid by QR codes, as the notary has marked. Do not pay again.",
        ),
        ClientStanding::Refunded => (
            "bad",
            "Кошти повернено на картку. Квитанція більше не дійсна.",
            "The money was given back to the card. The receipt is no longer valid.",
        ),
        ClientStanding::UnderReview => (
            "wait",
            "Оплата перевіряється. Не платіть ще раз і зателефонуйте нотаріусу.",
            "The payment is under review. Do not pay again, and call the notary.",
        ),
        ClientStanding::Processing => (
            "wait",
            "Оплата обробляється. Не платіть ще раз: сторінка покаже результат автоматично.",
            "The payment is being processed. Do not pay again: the page shows the result automatically.",
        ),
        ClientStanding::Cancelled => (
            "bad",
            "Замовлення скасовано, тому оплатити його вже не можна. Зверніться до нотаріуса.",
            "The order was cancelled, so it can’t be paid any more. Ask the notary.",
        ),
        ClientStanding::Returned => (
            "bad",
            "Умови оплати змінилися, тому оплатити це замовлення вже не можна. Попросіть нотаріуса створити нове.",
            "The terms have changed, so this order can’t be paid any more. Ask the notary to make a new one.",
        ),
        ClientStanding::Waiting => ("wait", "Очікує оплати.", "Awaiting payment."),
        ClientStanding::Unpaid => ("wait", "Ще не сплачено.", "Not paid yet."),
        ClientStanding::DeclinedPageOpen => (
            "bad",
            "Ще не сплачено: банк відхилив картку, за нею кошти не списано. Якщо Ви вже сплатили іншою карткою, не платіть ще раз: сторінка покаже результат автоматично.",
            "Not paid yet: the bank declined a card and took no money from it. If you have already paid with another card, do not pay again: the page shows the result automatically.",
        ),
        ClientStanding::Declined => (
            "bad",
            "Не сплачено: банк відхилив оплату. Кошти не списано.",
            "Not paid: the bank declined the payment. No money was taken.",
        ),
        ClientStanding::NoTrace => (
            "bad",
            "Не сплачено: банк не відповів про попередню оплату, а в його виписці списання немає. Перш ніж платити знову, зверніться до нотаріуса.",
            "Not paid: the bank gave no answer about the earlier payment, and its statement has no such charge. Ask the notary before you pay again.",
        ),
    };
    (tone, if is_uk { uk } else { en })
}

/// Returns why something was not done. The texts say no more of the notary's account than that it can't be paid there.
pub const fn refusal(key: Key, locale: Locale) -> &'static str {
    let is_uk = matches!(locale, Locale::Uk);
    let (uk, en) = match key {
        Key::PaymentCodesGiven => (UK.codes_were_given, EN.codes_were_given),
        Key::OrderReturnedToCart => (
            "Умови оплати змінилися. Карткою не списано нічого. Попросіть нотаріуса створити нове замовлення.",
            "The terms have changed. Nothing was charged. Ask the notary to make a new order.",
        ),
        Key::OrderCancelled => return standing_text(ClientStanding::Cancelled, locale).1,
        Key::OrderBeingCancelled => (
            "Нотаріус скасовує це замовлення. Нічого не сплачуйте: за кілька хвилин оновіть сторінку або зверніться до нотаріуса.",
            "The notary is cancelling this order. Pay nothing: refresh the page in a few minutes, or ask the notary.",
        ),
        Key::PaymentOutcomeUnknown => (
            "Результат попередньої оплати ще невідомий. Не платіть ще раз: зачекайте кілька хвилин.",
            "The outcome of the earlier payment is not known yet. Do not pay again: wait a few minutes.",
        ),
        Key::OrderUnderReview => (
            "Оплата перевіряється. Не платіть ще раз і зателефонуйте нотаріусу.",
            "The payment is under review. Do not pay again, and call the notary.",
        ),
        Key::AcquirerUnavailable | Key::AcquirerRefused | Key::ServiceUnavailable => (
            "Банк зараз не відповідає. Спробуйте ще раз за хвилину.",
            "The bank does not answer now. Try again in a minute.",
        ),
        Key::OrderNotPayable | Key::OrderNotPaid | Key::OrderRefunded => (
            "Статус замовлення змінився. Перевірте його на цій сторінці.",
            "The status of the order has changed. See it on this page.",
        ),
        Key::PaymentPageNotClosed => (
            "QR-коди поки недоступні: сторінка оплати карткою ще відкрита. Сплатіть карткою або спробуйте за годину.",
            "The QR codes are not available yet: the page for paying with a card is still open. Pay with the card, or try again in an hour.",
        ),
        Key::ReceiptNotAvailable => (
            "Квитанція ще готується. Спробуйте ще раз за кілька хвилин.",
            "The receipt is not ready yet. Try again in a few minutes.",
        ),
        Key::ReceiptMailSentTooOften => (
            "Адресу змінено забагато разів. Зверніться до нотаріуса.",
            "The address was changed too often. Ask the notary.",
        ),
        _ => (
            "Зараз сплатити не можна. Зверніться до нотаріуса.",
            "It can’t be paid now. Ask the notary.",
        ),
    };
    if is_uk { uk } else { en }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_standing_has_a_text_of_its_own_in_both_languages() {
        for locale in [Locale::Uk, Locale::En] {
            let texts: BTreeSet<&str> = ClientStanding::ALL
                .into_iter()
                .map(|standing| standing_text(standing, locale).1)
                .collect();
            assert_eq!(texts.len(), ClientStanding::ALL.len(), "{locale:?}");
        }
    }

    #[test]
    fn that_no_money_was_taken_is_said_only_of_a_decline() {
        for standing in ClientStanding::ALL {
            let says = standing_text(standing, Locale::Uk)
                .1
                .contains("Кошти не списано");
            let says_in_english = standing_text(standing, Locale::En)
                .1
                .contains("No money was taken");
            let is_certain = standing == ClientStanding::Declined;
            assert_eq!(
                (says, says_in_english),
                (is_certain, is_certain),
                "{standing:?}"
            );
        }
    }
}
