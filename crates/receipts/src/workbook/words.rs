//! The fixed texts of the books, in both languages. The order of the columns is that of the sheets.

use cabinet_domain::Locale;

/// What a row says of a deal or of payments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaxMark {
    /// Taxes that were paid.
    Tax,
    /// A bank returned a part.
    Returned,
    /// Payments that are no tax by their budget code.
    Other,
    /// A deal of which no tax is owed.
    NothingOwed,
    /// The same, and no payment names who would owe it.
    NothingOwedByUnknown,
    /// A deal of which a tax is owed that was not paid in the cabinet.
    NotPaidHere,
}

/// The texts of the income book.
pub(super) struct BookWords {
    pub(super) sheet: &'static str,
    pub(super) columns: [&'static str; 11],
    pub(super) total_of: &'static str,
    pub(super) quarters: [&'static str; 4],
    /// After the year of a quarter.
    pub(super) of_year: &'static str,
    /// After a year.
    pub(super) year: &'static str,
    pub(super) all: &'static str,
    pub(super) commission_document: &'static str,
    pub(super) notes: &'static [&'static str],
}

impl BookWords {
    pub(super) const fn of(locale: Locale) -> &'static Self {
        match locale {
            Locale::Uk => &BOOK_UK,
            Locale::En => &BOOK_EN,
        }
    }
}

static BOOK_UK: BookWords = BookWords {
    sheet: "Облік доходів",
    columns: [
        "1. Дата запису",
        "2. Сума доходу, грн",
        "3. Сума повернутих коштів, грн",
        "4. Різниця (гр. 2 – гр. 3), грн",
        "5. Документ про витрати",
        "Комісія сервісу, грн",
        "Клієнт",
        "Код клієнта",
        "Послуга",
        "Номер замовлення",
        "Номер документа",
    ],
    total_of: "Разом за",
    quarters: ["I квартал", "II квартал", "III квартал", "IV квартал"],
    of_year: " року",
    year: " рік",
    all: "Разом за період",
    commission_document: "Квитанція про комісію, замовлення №\u{a0}",
    notes: &[
        "Графи 1–5 відповідають типовій формі обліку доходів і витрат осіб, які провадять незалежну професійну діяльність (наказ Мінфіну № 261 від 13.05.2021).",
        "Дохід – це 60 % адміністративного збору, зараховані на рахунок нотаріуса. Датою запису є день зарахування. Повернення записано в день, коли банк повернув кошти.",
        "Якщо банк не повідомив дня зарахування, записано день, коли сервіс дізнався про нього.",
        "Комісію сплачено з картки разом із платежем. Чи є вона витратою нотаріуса і в якій графі її показати, вирішує бухгалтер.",
        "Підсумки за місяць, квартал і рік охоплюють лише дні вибраного періоду.",
    ],
};

static BOOK_EN: BookWords = BookWords {
    sheet: "Income book",
    columns: [
        "1. Date of the entry",
        "2. Income, UAH",
        "3. Returned, UAH",
        "4. Difference (2 – 3), UAH",
        "5. Document of the expense",
        "Commission of the service, UAH",
        "Client",
        "Client’s code",
        "Service",
        "Order number",
        "Document number",
    ],
    total_of: "Total for",
    quarters: ["Q1", "Q2", "Q3", "Q4"],
    of_year: "",
    year: "",
    all: "Total for the period",
    commission_document: "Commission receipt, order No.\u{a0}",
    notes: &[
        "Columns 1–5 follow the standard form for income and expenses of persons in independent professional activity (Ministry of Finance, order 261 of 13.05.2021).",
        "Income is the 60% of an administrative fee that was credited to the notary’s account. The date is the day of crediting. A return is entered on the day on which the bank returned the money.",
        "If the bank did not tell the day of crediting, the day on which the service learned of it is entered.",
        "The commission was charged to the card together with the payment. Whether it is an expense of the notary, and in which column it belongs, is for the accountant to decide.",
        "Totals of a month, a quarter and a year cover the days of the chosen period only.",
    ],
};

/// The texts of the help for the tax report.
pub(super) struct TaxWords {
    pub(super) sheet: &'static str,
    pub(super) columns: [&'static str; 13],
    pub(super) all: &'static str,
    pub(super) is_tax: &'static str,
    pub(super) is_returned: &'static str,
    pub(super) is_other: &'static str,
    pub(super) is_nothing: &'static str,
    pub(super) is_nothing_unnamed: &'static str,
    pub(super) is_not_paid: &'static str,
    pub(super) notes: &'static [&'static str],
}

impl TaxWords {
    pub(super) const fn of(locale: Locale) -> &'static Self {
        match locale {
            Locale::Uk => &TAX_UK,
            Locale::En => &TAX_EN,
        }
    }

    pub(super) const fn mark(&self, mark: TaxMark) -> &'static str {
        match mark {
            TaxMark::Tax => self.is_tax,
            TaxMark::Returned => self.is_returned,
            TaxMark::Other => self.is_other,
            TaxMark::NothingOwed => self.is_nothing,
            TaxMark::NothingOwedByUnknown => self.is_nothing_unnamed,
            TaxMark::NotPaidHere => self.is_not_paid,
        }
    }
}

static TAX_UK: TaxWords = TaxWords {
    sheet: "Податки",
    columns: [
        "Код платника",
        "Клієнт",
        "Ціна або оціночна вартість, грн",
        "Податок на доходи, грн",
        "Військовий збір, грн",
        "Інші платежі за реквізитами, грн",
        "Сплачено",
        "Номер замовлення",
        "Номери документів",
        "Позначка",
        "Призначення",
        "Вид нотаріальної дії",
        "Ознака доходу",
    ],
    all: "Разом податків",
    is_tax: "до звіту",
    is_returned: "частину повернув банк: перевірте",
    is_other: "код класифікації доходів бюджету не є кодом податку на доходи чи військового збору: перевірте",
    is_nothing: "до звіту, податку немає",
    is_nothing_unnamed: "до звіту, податку немає: впишіть, чий це дохід",
    is_not_paid: "податок у кабінеті не сплачено: перевірте",
    notes: &[
        "Допоміжна таблиця для додатка 4ДФ до об’єднаного звіту. Це не звіт: перевірте кожен рядок за справою.",
        "Рядок збереженого розрахунку має ціну договору, але не нижчу за оціночну вартість. Без розрахунку впишіть її з договору або звіту про оцінку.",
        "Ознаку доходу взято з таблиць кабінету. Її не підтверджено: перевірте за довідником ознак доходів.",
        "До звіту віднесено платежі, код класифікації доходів бюджету яких у таблицях кабінету позначено як податок на доходи або військовий збір.",
        "Дії, з яких податку немає (ставка 0 %), є в таблиці, якщо їх платежі розраховано в кабінеті й хоча б один сплачено. Інших таких дій немає: впишіть їх.",
        "Місяцем і кварталом вважаються місяць і квартал дня оплати: дня сплати податку, а без нього – першого платежу за дією.",
        "Платежів, кошти за якими повернено на картку, у таблиці немає, навіть якщо їх повернено пізніше.",
    ],
};

static TAX_EN: TaxWords = TaxWords {
    sheet: "Taxes",
    columns: [
        "Payer’s code",
        "Client",
        "Price or valuation, UAH",
        "Income tax, UAH",
        "Military levy, UAH",
        "Other payments by bank details, UAH",
        "Paid on",
        "Order number",
        "Document numbers",
        "Mark",
        "Purpose",
        "Kind of deal",
        "Code of income",
    ],
    all: "Taxes in all",
    is_tax: "for the report",
    is_returned: "a part was returned by the bank: check",
    is_other: "the budget code is not one of income tax or military levy: check",
    is_nothing: "for the report, no tax is owed",
    is_nothing_unnamed: "for the report, no tax is owed: enter whose income it is",
    is_not_paid: "the tax was not paid in the cabinet: check",
    notes: &[
        "An aid for annex 4DF of the unified report. It is not the report: check every row against the file.",
        "The row of a calculation that is kept has the price of the contract, but at least the valuation. Without one, enter it from the contract or the valuation report.",
        "The code of the income comes from the dashboard’s tables. It is unconfirmed: check it against the list of codes.",
        "Payments count for the report if the reference data marks their budget code as income tax or military levy.",
        "Deals of which no tax is owed (rate 0%) are in the table if their payments were calculated in the cabinet and at least one was paid. Enter any other.",
        "Month and quarter are those of the day of payment: of the tax, or else of the first payment for the deal.",
        "Payments whose money was given back to the card are not in the table, even if it was given back later.",
    ],
};
