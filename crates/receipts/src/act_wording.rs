//! The fixed texts of the extract for the notarial file and of the sheet with QR codes, in both languages.

use cabinet_domain::Locale;

/// The texts in one language.
pub(crate) struct ActWording {
    pub(crate) extract_title: &'static str,
    /// The heading above what is known of the act.
    pub(crate) act: &'static str,
    pub(crate) notary: &'static str,
    pub(crate) client: &'static str,
    pub(crate) receipt_code: &'static str,
    pub(crate) certified_by: &'static str,
    pub(crate) signature: &'static str,
    pub(crate) seal: &'static str,
    pub(crate) date: &'static str,
    pub(crate) codes_title: &'static str,
    /// The heading above what the reader must know first.
    pub(crate) read_first: &'static str,
    /// What the reader must know, one sentence each.
    pub(crate) rules: [&'static str; 4],
    pub(crate) made: &'static str,
    /// Before the number of a transfer; its count stands after `of`.
    pub(crate) transfer: &'static str,
    pub(crate) of: &'static str,
    pub(crate) sum_of_codes: &'static str,
    /// The alternative text of a code.
    pub(crate) picture: &'static str,
    /// In place of a code that the format can't carry.
    pub(crate) no_code: &'static str,
}

impl ActWording {
    pub(crate) fn of(locale: Locale) -> &'static ActWording {
        match locale {
            Locale::Uk => &UKRAINIAN,
            Locale::En => &ENGLISH,
        }
    }
}

static UKRAINIAN: ActWording = ActWording {
    extract_title: "Відомості про сплату для справ нотаріуса",
    act: "Нотаріальна дія",
    notary: "Нотаріус",
    client: "Фактичний платник (клієнт)",
    receipt_code: "Код квитанції",
    certified_by: "Нотаріус",
    signature: "підпис",
    seal: "М. П.",
    date: "дата",
    codes_title: "QR-коди для сплати",
    read_first: "Прочитайте перед сплатою",
    rules: [
        "Кожен код – окремий переказ. Щоб оплатити все замовлення, сплатіть за кожним кодом один раз.",
        "Кошти надійдуть отримувачеві напряму з вашого банку, без комісії сервісу. Банк може взяти свою комісію.",
        "Оплатіть замовлення або за QR-кодами, або карткою. Якщо його вже оплачено карткою, кодами не користуйтеся; якщо сплачено за кодами, не оплачуйте карткою: інакше кошти буде сплачено двічі.",
        "Сервіс такої сплати не бачить: замовлення лишиться неоплаченим, поки його не позначить нотаріус. Підтвердження сплати видає банк – передайте його нотаріусові.",
    ],
    made: "Складено",
    transfer: "Переказ",
    of: "з",
    sum_of_codes: "Разом за кодами",
    picture: "QR-код переказу; ті самі реквізити наведено поруч",
    no_code: "Реквізити задовгі для QR-коду. Уведіть їх у банку вручну.",
};

static ENGLISH: ActWording = ActWording {
    extract_title: "Extract of payments for the notarial file",
    act: "Notarial act",
    notary: "Notary",
    client: "Actual payer (client)",
    receipt_code: "Receipt code",
    certified_by: "Notary",
    signature: "signature",
    seal: "Seal",
    date: "date",
    codes_title: "QR codes to pay by",
    read_first: "Read this before you pay",
    rules: [
        "Each code is a transfer of its own. To pay the whole order, pay each code once.",
        "The money goes from your bank straight to the recipient, without the service’s commission. Your bank may charge its own.",
        "Pay either by the codes or by card. If the order has been paid by card, do not use the codes; if you have paid by the codes, do not pay by card: you would pay twice.",
        "The service does not see such a payment: the order stays unpaid until the notary marks it. Your bank confirms the payment: give the confirmation to the notary.",
    ],
    made: "Made",
    transfer: "Transfer",
    of: "of",
    sum_of_codes: "Total for the codes",
    picture: "QR code of the transfer; the same bank details stand beside it",
    no_code: "The bank details are too long for a QR code. Type them at your bank.",
};
