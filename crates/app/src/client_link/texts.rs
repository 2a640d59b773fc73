//! Messages to clients. They name neither the client nor any account: they stay in mailboxes and on telephones.

use cabinet_domain::{Locale, Money, kyiv_time};
use jiff::Timestamp;

use crate::client_link::receipt_news::ReceiptNews;
use crate::worker::outbox::{LetterText, Notice};

/// What a message with a link says.
pub(super) struct LinkNotice<'a> {
    pub(super) notary: &'a str,
    pub(super) number: i64,
    pub(super) sum: Money,
    pub(super) url: &'a str,
    pub(super) ends_at: Timestamp,
    pub(super) locale: Locale,
}

/// Returns the message with a link.
pub(super) fn link(notice: &LinkNotice<'_>) -> Notice {
    let LinkNotice {
        notary,
        number,
        sum,
        url,
        ends_at,
        locale,
    } = *notice;
    let sum = sum.display(locale);
    let end = kyiv_time(ends_at);
    let (day, time) = (end.strftime("%d.%m"), end.strftime("%d.%m.%Y, %H:%M"));
    match locale {
        Locale::Uk => Notice {
            short: format!(
                "Збори через нотаріуса, замовлення {number}, {sum} грн, до {day}: {url}"
            ),
            letter: LetterText {
                subject: format!("Оплата замовлення № {number} у нотаріуса"),
                text: format!(
                    "{notary} просить оплатити замовлення № {number} на {sum}\u{a0}грн.\n\n\
                     Що саме сплачується, кому і скільки – на сторінці:\n\
                     {url}\n\n\
                     Сплатити можна карткою на сторінці банку або за QR-кодами. Входити до кабінету не потрібно.\n\
                     Посилання діє до {time} за київським часом. Не передавайте його іншим: воно відкриває Ваше замовлення.\n\n\
                     Не очікували цього листа? Не платіть і зателефонуйте нотаріусу.\n"
                ),
            },
        },
        Locale::En => Notice {
            short: format!("Payment to your notary, order {number}, {sum} UAH, until {day}: {url}"),
            letter: LetterText {
                subject: format!("Payment of order No. {number} with your notary"),
                text: format!(
                    "{notary} asks you to pay order No. {number}, {sum}\u{a0}UAH.\n\n\
                     What is paid, to whom and how much is on this page:\n\
                     {url}\n\n\
                     Pay with a card on the bank’s page, or by QR codes. No login is needed.\n\
                     The link works until {time}, Kyiv time. Do not pass it on: it opens your order.\n\n\
                     You did not expect this email? Do not pay, and call the notary.\n"
                ),
            },
        },
    }
}

/// What a letter about a receipt says. Its address may be somebody else's, so it names neither payer nor sum.
pub(super) struct ReceiptText<'a> {
    pub(super) news: ReceiptNews,
    pub(super) number: i64,
    pub(super) notary: &'a str,
    /// Until when its link gives the receipt. `None`: there is none.
    pub(super) receipt_until: Option<Timestamp>,
    pub(super) url: &'a str,
    pub(super) locale: Locale,
}

/// Returns the letter about a paid order.
pub(super) fn receipt(letter: &ReceiptText<'_>) -> LetterText {
    let ReceiptText {
        news,
        number,
        notary,
        receipt_until,
        url,
        locale,
    } = *letter;
    let until = receipt_until.map(|end| kyiv_time(end).strftime("%d.%m.%Y, %H:%M"));
    let (subject, text) = match locale {
        Locale::Uk => {
            let (subject, news) = in_ukrainian(news, number);
            let links = match until {
                Some(day) => format!(
                    "Квитанція – на сторінці:\n{url}\n\
                     Сторінка попросить останні чотири цифри коду платника або номера його документа. Посилання діє до {day}.\n\n\
                     Ви отримали цей лист, бо погодилися отримувати квитанцію електронною поштою. \
                     Відмовитися від листів про це замовлення можна на тій самій сторінці, також якщо лист надійшов не Вам.\n"
                ),
                None => format!(
                    "Ви отримали цей лист, бо погодилися отримувати квитанцію електронною поштою. \
                     Відмовитися від листів про це замовлення:\n{url}\n"
                ),
            };
            (subject, format!("{news}\n\nНотаріус: {notary}\n\n{links}"))
        }
        Locale::En => {
            let (subject, news) = in_english(news, number);
            let links = match until {
                Some(day) => format!(
                    "The receipt is on this page:\n{url}\n\
                     The page asks for the last four digits of the payer’s code, or of the number of the payer’s document. The link works until {day}.\n\n\
                     You get this email because you agreed to receive the receipt by email. \
                     To stop emails about this order, also if this one is not for you, use the same page.\n"
                ),
                None => format!(
                    "You get this email because you agreed to receive the receipt by email. \
                     To stop emails about this order:\n{url}\n"
                ),
            };
            (subject, format!("{news}\n\nNotary: {notary}\n\n{links}"))
        }
    };
    LetterText { subject, text }
}

fn in_ukrainian(news: ReceiptNews, number: i64) -> (String, String) {
    match news {
        ReceiptNews::Paid => (
            format!("Квитанція: замовлення № {number} оплачено"),
            format!("Замовлення № {number} оплачено. Кошти буде надіслано отримувачам."),
        ),
        ReceiptNews::Credited => (
            format!("Замовлення № {number}: кошти зараховано отримувачам"),
            format!("Усі кошти за замовленням № {number} зараховано отримувачам."),
        ),
        ReceiptNews::Returned => (
            format!("Замовлення № {number}: частину коштів не зараховано"),
            format!(
                "Банк отримувача повернув сервісу кошти або їх частину за замовленням № {number}: отримувачу їх не зараховано. \
                 Нотаріуса повідомлено. Не покладайтеся на квитанцію, отриману раніше."
            ),
        ),
        ReceiptNews::Refunded => (
            format!("Замовлення № {number}: кошти повернено на картку"),
            format!(
                "Кошти за замовленням № {number} повернено на картку, якою його було оплачено. Квитанція, отримана раніше, більше не дійсна."
            ),
        ),
    }
}

fn in_english(news: ReceiptNews, number: i64) -> (String, String) {
    match news {
        ReceiptNews::Paid => (
            format!("Receipt: order No. {number} is paid"),
            format!("Order No. {number} is paid. The money will be sent to the recipients."),
        ),
        ReceiptNews::Credited => (
            format!("Order No. {number}: the money was credited to the recipients"),
            format!("All money of order No. {number} was credited to its recipients."),
        ),
        ReceiptNews::Returned => (
            format!("Order No. {number}: a part of the money was not credited"),
            format!(
                "The recipient’s bank returned the money of order No. {number}, or a part of it, to the service: it was not credited. \
                 The notary was told. Do not rely on the receipt that you got before."
            ),
        ),
        ReceiptNews::Refunded => (
            format!("Order No. {number}: refunded to the card"),
            format!(
                "The money of order No. {number} was refunded to the card that paid it. The receipt that you got before is no longer valid."
            ),
        ),
    }
}
