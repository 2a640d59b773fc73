//! All fixed texts of the receipts and of the spreadsheet, in both languages.

use cabinet_domain::{Locale, OrderStatus, PaymentKind, TransferStatus};

/// The texts in one language.
pub(crate) struct Wording {
    pub(crate) payment_title: &'static str,
    /// Where a bank has sent back a part.
    pub(crate) part_returned_title: &'static str,
    /// Where a bank has sent back everything.
    pub(crate) all_returned_title: &'static str,
    /// Before the sum of a returned part.
    pub(crate) returned_by_bank: &'static str,
    /// Before the number of a transfer.
    pub(crate) transfer_number: &'static str,
    pub(crate) reason: &'static str,
    /// Above the large sum of the payment receipt.
    pub(crate) paid_out: &'static str,
    /// After [`Wording::paid_out`], before the sum that came back.
    pub(crate) of_which_returned: &'static str,
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
    pub(crate) provider: &'static str,
    pub(crate) actual_payer: &'static str,
    /// Before the code of a person or organisation.
    pub(crate) code: &'static str,
    pub(crate) recipient: &'static str,
    pub(crate) recipient_bank: &'static str,
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
    pub(crate) sheet_total: &'static str,
    pub(crate) sheet_status: &'static str,
    /// Before the number of payments.
    pub(crate) sheet_payments: &'static str,
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
    part_returned_title: "Квитанція: частину платежу повернено",
    all_returned_title: "Квитанція: платіж повернено",
    returned_by_bank: "Банк повернув",
    transfer_number: "переказ №",
    reason: "Причина",
    paid_out: "Отримувачам",
    of_which_returned: "з них повернено",
    service_commission: "Комісія сервісу",
    commission_title: "Квитанція про сплату комісії",
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
    instruction: "Платіжна інструкція №",
    transfer_details: "Відомості про переказ №",
    commission_instruction: "Комісія сервісу №",
    payer: "Платник",
    provider: "Надавач платіжних послуг",
    actual_payer: "Фактичний платник",
    code: "код",
    recipient: "Отримувач",
    recipient_bank: "Банк отримувача",
    recipient_address: "Адреса отримувача",
    purpose: "Призначення платежу",
    amount_in_words: "Сума словами",
    part: "Частка збору",
    percent: "\u{a0}%",
    part_of_notary: "нотаріусові",
    part_of_recipient: "до бюджету",
    status: "Статус переказу",
    accepted_on: "Прийнято від платника",
    value_date: "Дата валютування",
    credited_on: "Дата зарахування",
    bank_reference: "Референс банку",
    return_reason: "Причина повернення",
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
    sheet_total: "Разом, грн",
    sheet_status: "Статус",
    sheet_payments: "Усього платежів",
};

static ENGLISH: Wording = Wording {
    payment_title: "Payment receipt",
    part_returned_title: "Receipt: a part was returned",
    all_returned_title: "Receipt: the payment was returned",
    returned_by_bank: "Returned by the bank:",
    transfer_number: "transfer No.",
    reason: "Reason",
    paid_out: "To the recipients",
    of_which_returned: "of which returned:",
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
    instruction: "Payment instruction No.",
    transfer_details: "Transfer details No.",
    commission_instruction: "Service commission No.",
    payer: "Payer",
    provider: "Payment service provider",
    actual_payer: "Actual payer",
    code: "code",
    recipient: "Recipient",
    recipient_bank: "Recipient’s bank",
    recipient_address: "Recipient’s address",
    purpose: "Purpose of payment",
    amount_in_words: "Amount in words",
    part: "Share of the fee",
    percent: "%",
    part_of_notary: "to the notary",
    part_of_recipient: "to the budget",
    status: "Transfer status",
    accepted_on: "Accepted from the payer",
    value_date: "Value date",
    credited_on: "Credited on",
    bank_reference: "Bank’s reference",
    return_reason: "Reason of the return",
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
    sheet_kind: "Kind of payment",
    sheet_option: "Service",
    sheet_term: "Term",
    sheet_recipient: "Recipient",
    sheet_iban: "Account",
    sheet_recipient_code: "Recipient’s code",
    sheet_count: "Count",
    sheet_amount: "Amount for one, UAH",
    sheet_commission: "Commission for one, UAH",
    sheet_sum: "Total for one, UAH",
    sheet_total: "Total, UAH",
    sheet_status: "Status",
    sheet_payments: "Payments in all",
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
        (TransferStatus::Planned, Locale::En) => "Waits to be handed to the bank",
        (TransferStatus::Sent, Locale::Uk) => "Надіслано отримувачу",
        (TransferStatus::Sent, Locale::En) => "Sent to the recipient",
        (TransferStatus::Credited, Locale::Uk) => "Зараховано отримувачу",
        (TransferStatus::Credited, Locale::En) => "Credited to the recipient",
        (TransferStatus::Returned, Locale::Uk) => "Повернено банком",
        (TransferStatus::Returned, Locale::En) => "Returned by the bank",
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
