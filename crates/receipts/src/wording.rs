//! All fixed texts of the receipts and of the spreadsheet, in both languages.

use cabinet_domain::{Locale, OrderStatus, PaidBy, PaymentKind, TransferStatus};

/// The texts in one language.
pub(crate) struct Wording {
    pub(crate) payment_title: &'static str,
    /// Where a bank has sent back a part.
    pub(crate) part_returned_title: &'static str,
    /// Where a bank has sent back everything.
    pub(crate) all_returned_title: &'static str,
    /// Where a part was given back to the card before a bank had it.
    pub(crate) part_given_back_title: &'static str,
    /// Where everything was given back to the card before a bank had it.
    pub(crate) all_given_back_title: &'static str,
    /// Before the sum of a returned part.
    pub(crate) returned_by_bank: &'static str,
    /// Before the number of a transfer.
    pub(crate) transfer_number: &'static str,
    pub(crate) reason: &'static str,
    /// Above the large sum of the payment receipt.
    pub(crate) paid_out: &'static str,
    /// Before the sum that was given back to the card before a bank had it.
    pub(crate) given_back_unsent: &'static str,
    /// After [`Wording::paid_out`], before [`Wording::not_credited`] or [`Wording::given_back`].
    pub(crate) of_which: &'static str,
    /// Before the sum that came back.
    pub(crate) not_credited: &'static str,
    /// Before the sum that was given back to the card.
    pub(crate) given_back: &'static str,
    /// Above the large sum of the commission receipt.
    pub(crate) service_commission: &'static str,
    pub(crate) commission_title: &'static str,
    /// Before an order's number.
    pub(crate) order: &'static str,
    /// Between a document's number and its date.
    pub(crate) of_date: &'static str,
    pub(crate) operator_code: &'static str,
    pub(crate) currency: &'static str,
    pub(crate) number_sign: &'static str,
    pub(crate) column_what: &'static str,
    pub(crate) column_amount: &'static str,
    pub(crate) column_commission: &'static str,
    pub(crate) column_total: &'static str,
    pub(crate) total: &'static str,
    pub(crate) total_charged: &'static str,
    pub(crate) payment: &'static str,
    pub(crate) paid_at: &'static str,
    pub(crate) card: &'static str,
    pub(crate) authorisation_code: &'static str,
    pub(crate) rrn: &'static str,
    pub(crate) payment_reference: &'static str,
    pub(crate) acquirer: &'static str,
    /// The heading of a transfer that the bank has confirmed.
    pub(crate) instruction: &'static str,
    /// The heading of a transfer of which the bank has told nothing yet.
    pub(crate) transfer_details: &'static str,
    pub(crate) commission_instruction: &'static str,
    pub(crate) payer: &'static str,
    pub(crate) payer_account: &'static str,
    pub(crate) provider: &'static str,
    pub(crate) actual_payer: &'static str,
    /// The label of the notary.
    pub(crate) made_out_by: &'static str,
    /// Before the code of a person or organisation.
    pub(crate) code: &'static str,
    pub(crate) recipient: &'static str,
    pub(crate) recipients: &'static str,
    pub(crate) recipient_bank: &'static str,
    pub(crate) budget_code: &'static str,
    pub(crate) payment_code: &'static str,
    pub(crate) recipient_address: &'static str,
    pub(crate) purpose: &'static str,
    pub(crate) amount_in_words: &'static str,
    /// The label of the share of a fee.
    pub(crate) part: &'static str,
    /// After a number of percent.
    pub(crate) percent: &'static str,
    pub(crate) part_of_notary: &'static str,
    pub(crate) part_of_recipient: &'static str,
    pub(crate) status: &'static str,
    pub(crate) accepted_on: &'static str,
    pub(crate) value_date: &'static str,
    pub(crate) credited_on: &'static str,
    pub(crate) bank_reference: &'static str,
    pub(crate) return_reason: &'static str,
    /// Label of what became of giving the money of a transfer back to the card.
    pub(crate) to_card: &'static str,
    pub(crate) refund_requested: &'static str,
    pub(crate) refunded: &'static str,
    /// Label of the returned transfer in whose place a transfer stands.
    pub(crate) instead_of: &'static str,
    pub(crate) which_came_back: &'static str,
    /// Before the number of the transfer that sends a part again.
    pub(crate) sent_again: &'static str,
    pub(crate) card_refund_requested: &'static str,
    pub(crate) card_refunded: &'static str,
    pub(crate) vat: &'static str,
    pub(crate) without_vat: &'static str,
    /// Before the rate of VAT.
    pub(crate) vat_included: &'static str,
    pub(crate) fiscal_number: &'static str,
    pub(crate) prro_number: &'static str,
    pub(crate) fiscal_check: &'static str,
    /// Before the address of the verification page.
    pub(crate) check: &'static str,
    pub(crate) check_picture: &'static str,
    pub(crate) page: &'static str,
    pub(crate) page_of: &'static str,
    pub(crate) sandbox: &'static str,
    /// The word of the slanted mark. It is short, because its shapes are drawn on every page.
    pub(crate) sandbox_mark: &'static str,
    pub(crate) sheet_name: &'static str,
    pub(crate) sheet_order: &'static str,
    pub(crate) sheet_created: &'static str,
    pub(crate) sheet_client: &'static str,
    pub(crate) sheet_client_code: &'static str,
    pub(crate) sheet_kind: &'static str,
    pub(crate) sheet_option: &'static str,
    pub(crate) sheet_term: &'static str,
    pub(crate) sheet_recipient: &'static str,
    pub(crate) sheet_iban: &'static str,
    pub(crate) sheet_recipient_code: &'static str,
    pub(crate) sheet_count: &'static str,
    pub(crate) sheet_amount: &'static str,
    pub(crate) sheet_commission: &'static str,
    pub(crate) sheet_sum: &'static str,
    pub(crate) sheet_to_recipient: &'static str,
    pub(crate) sheet_to_notary: &'static str,
    pub(crate) sheet_commission_total: &'static str,
    pub(crate) sheet_total: &'static str,
    pub(crate) sheet_returned: &'static str,
    pub(crate) sheet_given_back: &'static str,
    pub(crate) sheet_status: &'static str,
    /// Of a notarial act.
    pub(crate) register_number: &'static str,
    pub(crate) act_date: &'static str,
    pub(crate) act_object: &'static str,
    /// Before the number of payments.
    pub(crate) sheet_payments: &'static str,
    /// Before the number of paid payments.
    pub(crate) sheet_paid: &'static str,
    /// Before the number of payments that were paid by QR codes.
    pub(crate) sheet_by_codes: &'static str,
    /// Before the number of payments that were given back to the card.
    pub(crate) sheet_refunded: &'static str,
}

impl Wording {
    pub(crate) fn of(locale: Locale) -> &'static Wording {
        match locale {
            Locale::Uk => &UKRAINIAN,
            Locale::En => &ENGLISH,
        }
    }
}

static UKRAINIAN: Wording = Wording {
    payment_title: "Квитанція про сплату",
    part_returned_title: "Квитанція: частину коштів отримувачу не зараховано",
    all_returned_title: "Квитанція: кошти отримувачам не зараховано",
    part_given_back_title: "Квитанція: частину коштів повернено на картку",
    all_given_back_title: "Квитанція: кошти повернено на картку",
    returned_by_bank: "Банк отримувача повернув сервісу",
    transfer_number: "переказ №",
    reason: "Причина",
    paid_out: "Отримувачам",
    given_back_unsent: "Повернено на картку до передачі банку",
    of_which: "з них",
    not_credited: "не зараховано",
    given_back: "повернено на картку",
    service_commission: "Комісія сервісу",
    commission_title: "Квитанція про комісію",
    order: "Замовлення №",
    of_date: "від",
    operator_code: "код ЄДРПОУ",
    currency: "грн",
    number_sign: "№",
    column_what: "За що сплачено",
    column_amount: "Отримувачам, грн",
    column_commission: "Комісія, грн",
    column_total: "Списано, грн",
    total: "Разом",
    total_charged: "Усього списано з картки",
    payment: "Оплата карткою",
    paid_at: "Сплачено",
    card: "Картка",
    authorisation_code: "Код авторизації",
    rrn: "RRN",
    payment_reference: "Референс платежу",
    acquirer: "Еквайр",
    instruction: "Платіжна інструкція",
    transfer_details: "Відомості про переказ",
    commission_instruction: "Комісія сервісу",
    payer: "Платник",
    payer_account: "Рахунок платника",
    provider: "Надавач платіжних послуг",
    actual_payer: "Фактичний платник",
    made_out_by: "Оформлено нотаріусом",
    code: "код",
    recipient: "Отримувач",
    recipients: "Отримувачі",
    recipient_bank: "Банк отримувача",
    budget_code: "Код класифікації доходів бюджету",
    payment_code: "Код виду сплати",
    recipient_address: "Адреса отримувача",
    purpose: "Призначення платежу",
    amount_in_words: "Сума словами",
    part: "Частка збору",
    percent: "\u{a0}%",
    part_of_notary: "нотаріусові",
    part_of_recipient: "до бюджету",
    status: "Статус переказу",
    accepted_on: "Кошти прийнято",
    value_date: "Дата валютування",
    credited_on: "Дата зарахування",
    bank_reference: "Референс банку",
    return_reason: "Причина повернення",
    to_card: "Кошти на картку",
    refund_requested: "запит на повернення подано",
    refunded: "повернено",
    instead_of: "Замість переказу",
    which_came_back: "який банк повернув",
    sent_again: "Замінено переказом №",
    card_refund_requested: "Запит на повернення на картку подано",
    card_refunded: "Повернено на картку",
    vat: "ПДВ",
    without_vat: "Без ПДВ",
    vat_included: "у тому числі ПДВ",
    fiscal_number: "Фіскальний номер",
    prro_number: "Номер ПРРО",
    fiscal_check: "Перевірка чека",
    check: "Перевірити квитанцію:",
    check_picture: "QR-код з адресою перевірки квитанції",
    page: "Сторінка",
    page_of: "з",
    sandbox: "Тестовий платіж – не підтверджує сплату",
    sandbox_mark: "ТЕСТ",
    sheet_name: "Платежі",
    sheet_order: "Номер замовлення",
    sheet_created: "Створено",
    sheet_client: "Клієнт",
    sheet_client_code: "Код клієнта",
    sheet_kind: "Вид платежу",
    sheet_option: "Послуга",
    sheet_term: "Строк",
    sheet_recipient: "Отримувач",
    sheet_iban: "Рахунок",
    sheet_recipient_code: "Код отримувача",
    sheet_count: "Кількість",
    sheet_amount: "Сума за одиницю, грн",
    sheet_commission: "Комісія за одиницю, грн",
    sheet_sum: "Разом за одиницю, грн",
    sheet_to_recipient: "Отримувачу, грн",
    sheet_to_notary: "Нотаріусу (60 %), грн",
    sheet_commission_total: "Комісія, грн",
    sheet_total: "Списано з картки, грн",
    sheet_returned: "Повернено банком, грн",
    sheet_given_back: "Повернено на картку, грн",
    sheet_status: "Статус",
    register_number: "Реєстровий номер",
    act_date: "Дата нотаріальної дії",
    act_object: "Об’єкт",
    sheet_payments: "Усього платежів",
    sheet_paid: "З них сплачено карткою",
    sheet_by_codes: "Сплачено за QR-кодами",
    sheet_refunded: "Повернено на картку",
};

static ENGLISH: Wording = Wording {
    payment_title: "Payment receipt",
    part_returned_title: "Receipt: a part was not credited to its recipient",
    all_returned_title: "Receipt: the money was not credited to its recipients",
    part_given_back_title: "Receipt: a part was refunded to the card",
    all_given_back_title: "Receipt: the money was refunded to the card",
    returned_by_bank: "The recipient’s bank returned to the service:",
    transfer_number: "transfer No.",
    reason: "Reason",
    paid_out: "To the recipients",
    given_back_unsent: "Refunded to the card before it was sent:",
    of_which: "of which",
    not_credited: "not credited:",
    given_back: "refunded to the card:",
    service_commission: "Service commission",
    commission_title: "Commission receipt",
    order: "Order No.",
    of_date: "of",
    operator_code: "EDRPOU code",
    currency: "UAH",
    number_sign: "No.",
    column_what: "Paid for",
    column_amount: "To recipients, UAH",
    column_commission: "Commission, UAH",
    column_total: "Charged, UAH",
    total: "Total",
    total_charged: "Total charged to the card",
    payment: "Card payment",
    paid_at: "Paid",
    card: "Card",
    authorisation_code: "Authorisation code",
    rrn: "RRN",
    payment_reference: "Payment reference",
    acquirer: "Acquirer",
    instruction: "Payment instruction",
    transfer_details: "Transfer details",
    commission_instruction: "Service commission",
    payer: "Payer",
    payer_account: "Payer’s account",
    provider: "Payment service provider",
    actual_payer: "Actual payer",
    made_out_by: "Made out by the notary",
    code: "code",
    recipient: "Recipient",
    recipients: "Recipients",
    recipient_bank: "Recipient’s bank",
    budget_code: "Budget revenue classification code",
    payment_code: "Payment code",
    recipient_address: "Recipient’s address",
    purpose: "Purpose of payment",
    amount_in_words: "Amount in words",
    part: "Share of the fee",
    percent: "%",
    part_of_notary: "to the notary",
    part_of_recipient: "to the budget",
    status: "Transfer status",
    accepted_on: "Money accepted on",
    value_date: "Value date",
    credited_on: "Credited on",
    bank_reference: "Bank’s reference",
    return_reason: "Reason for the return",
    to_card: "Money to the card",
    refund_requested: "refund requested",
    refunded: "refunded",
    instead_of: "In place of transfer",
    which_came_back: "which the bank returned",
    sent_again: "Replaced by transfer No.",
    card_refund_requested: "Refund to the card requested",
    card_refunded: "Refunded to the card",
    vat: "VAT",
    without_vat: "Without VAT",
    vat_included: "including VAT of",
    fiscal_number: "Fiscal number",
    prro_number: "Software registrar No.",
    fiscal_check: "Fiscal check",
    check: "Check this receipt:",
    check_picture: "QR code with the address for checking the receipt",
    page: "Page",
    page_of: "of",
    sandbox: "Test payment – not a proof of payment",
    sandbox_mark: "TEST",
    sheet_name: "Payments",
    sheet_order: "Order number",
    sheet_created: "Created",
    sheet_client: "Client",
    sheet_client_code: "Client’s code",
    sheet_kind: "Payment type",
    sheet_option: "Service",
    sheet_term: "Term",
    sheet_recipient: "Recipient",
    sheet_iban: "Account",
    sheet_recipient_code: "Recipient’s code",
    sheet_count: "Quantity",
    sheet_amount: "Amount per unit, UAH",
    sheet_commission: "Commission per unit, UAH",
    sheet_sum: "Total per unit, UAH",
    sheet_to_recipient: "To the recipient, UAH",
    sheet_to_notary: "To the notary (60%), UAH",
    sheet_commission_total: "Commission, UAH",
    sheet_total: "Charged to the card, UAH",
    sheet_returned: "Returned by the bank, UAH",
    sheet_given_back: "Refunded to the card, UAH",
    sheet_status: "Status",
    register_number: "Number in the register of notarial acts",
    act_date: "Date of the notarial act",
    act_object: "Object",
    sheet_payments: "Payments in all",
    sheet_paid: "Of these paid by card",
    sheet_by_codes: "Paid by QR codes",
    sheet_refunded: "Refunded to the card",
};

/// Returns the name of a kind of payment on a receipt. The two administrative fees have the same one there.
#[must_use]
pub fn receipt_kind_name(kind: PaymentKind, locale: Locale) -> &'static str {
    match kind {
        PaymentKind::AdminGovernmentPayment => kind_name(PaymentKind::AdminPayment, locale),
        _ => kind_name(kind, locale),
    }
}

/// The purpose of the commission, before the number of the order. Purposes are Ukrainian on every receipt, as banks carry them.
pub(crate) const COMMISSION_PURPOSE: &str = "Комісія за переказ коштів за замовленням №";

/// Returns how far a transfer has come.
#[must_use]
pub const fn transfer_status_name(status: TransferStatus, locale: Locale) -> &'static str {
    match (status, locale) {
        (TransferStatus::Planned, Locale::Uk) => "Очікує передачі банку",
        (TransferStatus::Planned, Locale::En) => "Waiting to be handed to the bank",
        (TransferStatus::Sent, Locale::Uk) => "Надіслано отримувачу",
        (TransferStatus::Sent, Locale::En) => "Sent to the recipient",
        (TransferStatus::Credited, Locale::Uk) => "Зараховано отримувачу",
        (TransferStatus::Credited, Locale::En) => "Credited to the recipient",
        (TransferStatus::Returned, Locale::Uk) => "Повернено банком",
        (TransferStatus::Returned, Locale::En) => "Returned by the bank",
        (TransferStatus::Disputed, Locale::Uk) => "Перевіряється в банку",
        (TransferStatus::Disputed, Locale::En) => "Being checked with the bank",
        (TransferStatus::CalledOff, Locale::Uk) => "Скасовано до передачі банку",
        (TransferStatus::CalledOff, Locale::En) => "Called off before it was sent",
    }
}

/// Returns the name of a kind of payment, as the pages show it.
#[must_use]
pub fn kind_name(kind: PaymentKind, locale: Locale) -> &'static str {
    match (kind, locale) {
        (PaymentKind::AdminPayment, Locale::Uk) => "Адміністративний збір",
        (PaymentKind::AdminPayment, Locale::En) => "Administrative fee",
        (PaymentKind::AdminGovernmentPayment, Locale::Uk) => {
            "Адміністративний збір (державний нотаріус)"
        }
        (PaymentKind::AdminGovernmentPayment, Locale::En) => "Administrative fee (state notary)",
        (PaymentKind::RegistryPayment, Locale::Uk) => "Плата за користування реєстрами",
        (PaymentKind::RegistryPayment, Locale::En) => "Registry usage fee",
        (PaymentKind::RequisitesPayment, Locale::Uk) => "Платіж за реквізитами",
        (PaymentKind::RequisitesPayment, Locale::En) => "Payment to requisites",
    }
}

/// Returns the name of the status of a payment's order. What codes paid says so.
pub(crate) fn paid_status(
    status: OrderStatus,
    paid_by: Option<PaidBy>,
    locale: Locale,
) -> &'static str {
    match (paid_by, locale) {
        (Some(PaidBy::Codes), Locale::Uk) => "Сплачено за QR-кодами",
        (Some(PaidBy::Codes), Locale::En) => "Paid by QR codes",
        _ => order_status(status, locale),
    }
}

/// Returns the name of an order's status, as on the pages.
pub(crate) fn order_status(status: OrderStatus, locale: Locale) -> &'static str {
    match (status, locale) {
        (OrderStatus::InProgress, Locale::Uk) => "Обробляється",
        (OrderStatus::InProgress, Locale::En) => "Processing",
        (OrderStatus::Pending, Locale::Uk) => "Очікує оплати",
        (OrderStatus::Pending, Locale::En) => "Awaiting payment",
        (OrderStatus::Paid, Locale::Uk) => "Сплачено",
        (OrderStatus::Paid, Locale::En) => "Paid",
        (OrderStatus::Failed, Locale::Uk) => "Не сплачено",
        (OrderStatus::Failed, Locale::En) => "Failed",
        (OrderStatus::Expired, Locale::Uk) => "Строк минув",
        (OrderStatus::Expired, Locale::En) => "Expired",
        (OrderStatus::Refunded, Locale::Uk) => "Повернено",
        (OrderStatus::Refunded, Locale::En) => "Refunded",
    }
}
