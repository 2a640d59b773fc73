//! A sheet of payments: the table in which a notary prepares many payments at once. What its columns are called, and how its texts are
//! compared with the names of what can be paid.

use crate::kernel::locale::Locale;
use crate::kernel::words::words;

words! {
    /// A column of a sheet of payments, in the order of the template.
    SheetColumn {
        /// The kind of payment.
        PaymentType = "payment_type",
        /// The client's code.
        ClientCode = "inn",
        /// The client's name.
        ClientName = "full_name",
        /// The service of a fee; the template of a payment to any requisites.
        Service = "option",
        /// The term.
        Term = "term",
        /// The region of the recipient of a fee.
        Region = "region",
        /// The recipient.
        Recipient = "recipient",
        /// The recipient's account.
        Account = "iban",
        /// The code of the account's owner.
        RecipientCode = "okpo",
        /// The budget code.
        BudgetCode = "cbc_code",
        /// The purpose of a payment to any requisites.
        Purpose = "purpose",
        /// What the recipients get for one unit, without commission.
        Amount = "amount",
        /// How many units.
        Count = "count",
    }
}

impl SheetColumn {
    /// Returns the heading of the column.
    #[must_use]
    pub const fn heading(self, locale: Locale) -> &'static str {
        let (uk, en) = match self {
            Self::PaymentType => ("Вид платежу", "Payment type"),
            Self::ClientCode => ("Код клієнта", "Client’s code"),
            Self::ClientName => ("Клієнт", "Client"),
            Self::Service => ("Послуга або шаблон", "Service or template"),
            Self::Term => ("Строк", "Term"),
            Self::Region => ("Регіон", "Region"),
            Self::Recipient => ("Отримувач", "Recipient"),
            Self::Account => ("Рахунок IBAN отримувача", "Recipient’s IBAN"),
            Self::RecipientCode => ("Код отримувача", "Recipient’s code"),
            Self::BudgetCode => (
                "Код класифікації доходів бюджету",
                "Budget revenue classification code",
            ),
            Self::Purpose => ("Призначення платежу", "Purpose of payment"),
            Self::Amount => ("Сума, грн", "Amount, UAH"),
            Self::Count => ("Кількість", "Quantity"),
        };
        match locale {
            Locale::Uk => uk,
            Locale::En => en,
        }
    }

    /// Other headings under which tables of notaries have the column.
    const fn other_headings(self) -> &'static [&'static str] {
        match self {
            Self::PaymentType => &["Тип платежу", "Платіж"],
            Self::ClientCode => &[
                "РНОКПП",
                "ІПН",
                "РНОКПП клієнта",
                "ІПН клієнта",
                "Код платника",
            ],
            Self::ClientName => &[
                "ПІБ",
                "ПІБ клієнта",
                "ПІБ або назва",
                "Назва клієнта",
                "Платник",
            ],
            Self::Service => &["Послуга", "Шаблон", "Шаблон платежу", "Service", "Template"],
            Self::Term => &["Строк надання"],
            Self::Region => &["Область"],
            Self::Recipient => &["Назва отримувача", "Одержувач"],
            Self::Account => &[
                "IBAN",
                "Рахунок",
                "Рахунок IBAN",
                "Рахунок отримувача",
                "Account",
            ],
            Self::RecipientCode => &["ЄДРПОУ", "Код ЄДРПОУ", "ЄДРПОУ отримувача"],
            Self::BudgetCode => &["Бюджетний код", "ККДБ", "Budget code"],
            Self::Purpose => &["Призначення", "Purpose"],
            Self::Amount => &["Сума", "Сума без комісії", "Amount"],
            Self::Count => &["К-сть", "Кіл-ть", "Count"],
        }
    }

    /// Returns the column of a heading in either language.
    #[must_use]
    pub fn of_heading(text: &str) -> Option<Self> {
        let wanted = comparable(text);
        Self::ALL.into_iter().find(|column| {
            let own = Locale::ALL.map(|locale| column.heading(locale));
            let mut known = own.iter().chain(column.other_headings());
            known.any(|heading| comparable(heading) == wanted)
        })
    }
}

/// Returns the name of the sheet that is filled in.
#[must_use]
pub const fn sheet_name(locale: Locale) -> &'static str {
    match locale {
        Locale::Uk => "Платежі",
        Locale::En => "Payments",
    }
}

/// Returns what is compared of a text that a person typed as the name of something: its letters and digits, in lower case.
#[must_use]
pub fn comparable(text: &str) -> String {
    let kept = text.chars().filter(|sign| sign.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_heading_names_its_own_column() {
        for column in SheetColumn::ALL {
            let own = Locale::ALL.map(|locale| column.heading(locale));
            for heading in own.iter().chain(column.other_headings()) {
                assert_eq!(
                    SheetColumn::of_heading(heading),
                    Some(column),
                    "{heading} names two columns"
                );
            }
        }
        assert_eq!(SheetColumn::of_heading("Примітка"), None);
        assert_eq!(SheetColumn::of_heading(""), None);
    }

    #[test]
    fn signs_and_case_do_not_tell_names_apart() {
        assert_eq!(comparable("м. Київ"), comparable("М.КИЇВ"));
        assert_eq!(
            SheetColumn::of_heading(" сума (грн) "),
            Some(SheetColumn::Amount)
        );
        assert_eq!(
            SheetColumn::of_heading("Client's code"),
            Some(SheetColumn::ClientCode)
        );
    }
}
