//! The fixed texts of applications for the return of money. They are Ukrainian alone: authorities read them.

use cabinet_domain::{BudgetCode, ReturnApplication};

/// The texts of a form.
pub(crate) struct FormWording {
    /// Whom the application is for: a label, and the name where it is known.
    addressees: [(&'static str, Option<&'static str>); 2],
    /// Below the word for an application.
    pub(crate) subject: &'static str,
    /// What the sum was paid for, after the request.
    pub(crate) request: &'static str,
    /// What the reader must know, one sentence each.
    pub(crate) notes: &'static [&'static str],
}

impl FormWording {
    pub(crate) fn of(form: ReturnApplication) -> &'static FormWording {
        match form {
            ReturnApplication::Budget => &BUDGET,
            ReturnApplication::RegisterInformation => &REGISTER_INFORMATION,
        }
    }
}

/// The authority that controls the fees of state registration: CMU resolution 106 of 16.02.2011 and order 1216/5 of the Ministry of
/// Justice name its regional offices, of which the applicant fills in the one.
const REGIONAL_JUSTICE_OFFICE: &str =
    "____________________ міжрегіональне управління Міністерства юстиції України";

/// The revenue codes that these offices control: registration of companies, of rights, and information from registers.
const CODES_OF_JUSTICE: [&str; 3] = ["22010300", "22012600", "22012700"];

impl FormWording {
    /// Returns whom the application for the return of a payment with a revenue code is for: labels with names, as far as they are known.
    pub(crate) fn addressees(
        &self,
        code: Option<&BudgetCode>,
    ) -> [(&'static str, Option<&'static str>); 2] {
        let [(label, name), second] = self.addressees;
        let is_of_justice = code.is_some_and(|code| CODES_OF_JUSTICE.contains(&code.as_str()));
        [
            (
                label,
                name.or(is_of_justice.then_some(REGIONAL_JUSTICE_OFFICE)),
            ),
            second,
        ]
    }
}

pub(crate) const APPLICATION: &str = "Заява";
pub(crate) const APPLICANT: &str = "Заявник (фактичний платник)";
pub(crate) const ADDRESS: &str = "Адреса";
pub(crate) const PHONE: &str = "Телефон";
pub(crate) const SUM_TO_RETURN: &str = "Сума до повернення";
pub(crate) const REASON: &str = "Причина повернення коштів";
pub(crate) const PAYMENT: &str = "Відомості про платіж";
pub(crate) const DOCUMENT: &str = "Платіжний документ";
pub(crate) const BUDGET_CODE: &str = "Код класифікації доходів бюджету";
pub(crate) const RETURN_TO: &str = "Куди повернути кошти";
pub(crate) const MANNER: &str = "Спосіб повернення";
pub(crate) const MANNER_BANK: &str = "безготівково на рахунок у банку";
pub(crate) const OWNER: &str = "Власник рахунку";
pub(crate) const ATTACHMENT: &str = "Додаток";
/// In the foot of a page, before number and day of the document.
pub(crate) const COPIED: &str = "платіжний документ";
pub(crate) const COPY: &str = "копія платіжного документа";
pub(crate) const SHEETS: &str = "на ____ арк.";
/// Before the notes, which the applicant reads and no authority.
pub(crate) const NOTES: &str = "Для заявника (не є частиною заяви):";
pub(crate) const SIGNING: [&str; 3] = ["дата", "підпис", "власне ім’я та прізвище"];

/// Since 28.06.2024: MinFin order 262 of 28.05.2024 changed point 5 of part I of the rules of order 787.
const ELECTRONIC: &str = "Заяву можна подати на папері або (з 28.06.2024) в електронній формі з електронним підписом платника чи уповноваженої \
    ним особи, що базується на кваліфікованому сертифікаті відкритого ключа.";

static BUDGET: FormWording = FormWording {
    addressees: [
        (
            "Орган, що контролює справляння надходжень бюджету (адміністратор збору)",
            None,
        ),
        ("Для подання до органу Казначейства (назва)", None),
    ],
    subject: "про повернення коштів, помилково або надміру зарахованих до бюджету",
    request: "Відповідно до Порядку повернення (перерахування) коштів, помилково або надміру зарахованих до державного та місцевих бюджетів, \
        затвердженого наказом Міністерства фінансів України від 03.09.2013 № 787, прошу скласти подання до органу Казначейства й \
        повернути кошти",
    notes: &[
        "Заяву разом із копією платіжного документа подають органу, що контролює справляння надходжень бюджету. Повернення з бюджету \
         виконує Казначейство за його поданням.",
        ELECTRONIC,
    ],
};

static REGISTER_INFORMATION: FormWording = FormWording {
    addressees: [
        ("Держатель реєстру", Some("Міністерство юстиції України")),
        ("Адміністратор реєстру (назва)", None),
    ],
    subject: "про повернення плати за інформацію з реєстру",
    request: "Прошу повернути помилково або надміру сплачену плату за інформацію з реєстру",
    notes: &[
        "Перед поданням уточніть в адміністратора реєстру, чи приймає він заяву в цій формі. Плату, зараховану до бюджету, повертають за \
         Порядком, затвердженим наказом Міністерства фінансів України від 03.09.2013 № 787.",
        ELECTRONIC,
    ],
};
