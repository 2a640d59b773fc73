//! The fixed texts of receipts of orders that were paid by QR codes, in both languages.

use cabinet_domain::Locale;

/// The texts in one language.
pub(crate) struct CodesWording {
    pub(crate) payment_title: &'static str,
    /// Before the moment of the mark.
    pub(crate) marked_at: &'static str,
    /// The heading above what is known of the payment.
    pub(crate) payment: &'static str,
    pub(crate) marked_by: &'static str,
    /// The label of the reference on the payer's own receipt.
    pub(crate) reference: &'static str,
    pub(crate) no_reference: &'static str,
    /// The label of what the paper proves.
    pub(crate) meaning_label: &'static str,
    pub(crate) meaning: &'static str,
    /// Before the number of a code.
    pub(crate) by_code: &'static str,
    /// Before the day on which the notary's bank credited her part.
    pub(crate) credited: &'static str,
    /// Whose word that is.
    pub(crate) by_statement: &'static str,
    /// The label of why there is no commission.
    pub(crate) why_label: &'static str,
    pub(crate) why: &'static str,
}

impl CodesWording {
    pub(crate) fn of(locale: Locale) -> &'static CodesWording {
        match locale {
            Locale::Uk => &UKRAINIAN,
            Locale::En => &ENGLISH,
        }
    }
}

static UKRAINIAN: CodesWording = CodesWording {
    payment_title: "Сплата за QR-кодами, зі слів платника",
    marked_at: "Позначено як сплачене",
    payment: "Сплата за QR-кодами",
    marked_by: "Позначив нотаріус",
    reference: "Референс із квитанції платника",
    no_reference: "не зазначено",
    meaning_label: "Що це підтверджує",
    meaning: "Платник сплатив отримувачам безпосередньо, за QR-кодами, – так він повідомив нотаріусові. Сервіс цих коштів не отримував, переказів не здійснював і надходження не перевіряв. Сплату підтверджує квитанція банку платника.",
    by_code: "За QR-кодом",
    credited: "Зараховано",
    by_statement: "за випискою банку нотаріуса",
    why_label: "Чому 0,00 грн",
    why: "Замовлення сплачено за QR-кодами: кошти надійшли отримувачам без посередництва сервісу, тож комісії не стягнуто.",
};

static ENGLISH: CodesWording = CodesWording {
    payment_title: "Paid by QR codes, as told by the payer",
    marked_at: "Marked as paid",
    payment: "Payment by QR codes",
    marked_by: "Marked by the notary",
    reference: "Reference on the payer’s receipt",
    no_reference: "not given",
    meaning_label: "What this confirms",
    meaning: "The payer paid the recipients directly, by QR codes, and told the notary so. The service received none of this money, made no transfers and did not check that it arrived. The receipt of the payer’s bank confirms the payment.",
    by_code: "By QR code",
    credited: "Credited",
    by_statement: "by the statement of the notary’s bank",
    why_label: "Why UAH 0.00",
    why: "The order was paid by QR codes: the money went to the recipients without the service, so no commission was charged.",
};
