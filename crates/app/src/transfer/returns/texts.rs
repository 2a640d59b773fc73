//! Letters and messages about returned parts. They name neither clients nor accounts: letters stay in mailboxes.

use cabinet_domain::{Locale, Money, NotaryId, Order, Transfer, kyiv_time};
use jiff::Timestamp;

use crate::worker::outbox::{LetterText, Notice};

/// Returns the notice of a part that is sent again.
pub(super) fn sent_again(
    order: &Order,
    old: &Transfer,
    number: i64,
    support_phone: &str,
) -> Notice {
    let ask = ask(support_phone);
    let (order, old_number) = (order.number, old.document_number);
    let amount = old.planned.amount.display(Locale::Uk);
    Notice {
        short: format!(
            "Замовлення № {order}: повернений переказ № {old_number} буде надіслано повторно за № {number}. Не Ви? {ask}"
        ),
        letter: LetterText {
            subject: format!("Повторний переказ за замовленням № {order}"),
            text: format!(
                "Переказ № {old_number} на {amount}\u{a0}грн, який повернув банк, буде надіслано повторно з уточненими реквізитами за № {number}.\n\n\
                 Статус нового переказу – в архіві кабінету. Після зарахування квитанція знову підтверджуватиме сплату цієї частини.\n\n\
                 Це зробили не Ви? {ask}.\n"
            ),
        },
    }
}

fn ask(support_phone: &str) -> String {
    if support_phone.is_empty() {
        "Зверніться до служби підтримки".to_owned()
    } else {
        format!("Телефонуйте {support_phone}")
    }
}

/// Returns the notice of parts that are to be given back to the card.
pub(super) fn refund_requested(order: i64, parts: &[Transfer], support_phone: &str) -> Notice {
    let ask = ask(support_phone);
    let (lines, sum) = (lines(parts), sum(parts));
    Notice {
        short: format!(
            "Замовлення № {order}: запит на повернення {sum}на картку клієнта прийнято. Про повернення повідомимо. Не Ви? {ask}"
        ),
        letter: LetterText {
            subject: format!("Повернення коштів на картку: замовлення № {order}"),
            text: format!(
                "Прийнято запит на повернення коштів на картку, якою сплачено замовлення № {order}:\n\n\
                 {lines}\n\n\
                 Коли кошти буде повернено на картку, Ви отримаєте повідомлення.\n\n\
                 Про це просили не Ви? {ask}.\n"
            ),
        },
    }
}

/// Returns the notice of a part that was given back to the card.
pub(super) fn refunded(order: i64, part: &Transfer) -> Notice {
    let (number, amount) = (
        part.document_number,
        part.planned.amount.display(Locale::Uk),
    );
    Notice {
        short: format!(
            "Замовлення № {order}: {amount}\u{a0}грн (переказ № {number}) повернено на картку клієнта"
        ),
        letter: LetterText {
            subject: format!("Кошти повернено на картку: замовлення № {order}"),
            text: format!(
                "На картку, якою сплачено замовлення № {order}, повернено {amount}\u{a0}грн – кошти за переказом № {number}, який повернув банк.\n\n\
                 Банк, що видав картку, зараховує такі кошти упродовж кількох робочих днів.\n"
            ),
        },
    }
}

/// Returns the letter to the support about parts that are to be given back.
pub(super) fn letter_to_support(
    order: i64,
    notary: NotaryId,
    parts: &[Transfer],
    now: Timestamp,
) -> LetterText {
    LetterText {
        subject: format!("Повернути кошти на картку: замовлення № {order}"),
        text: format!(
            "Нотаріус просить повернути на картку клієнта кошти, які повернув банк.\n\n\
             {lines}\n\n\
             Замовлення: № {order}\n\
             Нотаріус: {notary}\n\
             Надіслано: {at} за київським часом\n\n\
             Список запитів: cabinet transfers refunds\n\
             Повернути: cabinet order refund {order} --transfer НОМЕР --reason \"…\"\n",
            lines = lines(parts),
            at = kyiv_time(now).strftime("%d.%m.%Y, %H:%M"),
        ),
    }
}

/// The sum of the parts with its currency and a space; empty above the largest sum, which no order reaches.
fn sum(parts: &[Transfer]) -> String {
    Money::sum(parts.iter().map(|part| part.planned.amount)).map_or_else(
        |_| String::new(),
        |sum| format!("{}\u{a0}грн ", sum.display(Locale::Uk)),
    )
}

fn lines(parts: &[Transfer]) -> String {
    let lines: Vec<String> = parts
        .iter()
        .map(|part| {
            format!(
                "Переказ № {}: {}\u{a0}грн",
                part.document_number,
                part.planned.amount.display(Locale::Uk)
            )
        })
        .collect();
    lines.join("\n")
}
