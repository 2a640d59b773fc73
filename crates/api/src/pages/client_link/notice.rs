//! Who runs the service, and what becomes of the client's data: article 12 of the law on the protection of personal data (2297-VI).

use cabinet_app::{Operator, Support};
use cabinet_domain::Locale;
use maud::{Markup, html};

struct Words {
    service: &'static str,
    code: &'static str,
    offer: &'static str,
    data: &'static str,
    owner: &'static str,
    collected: &'static str,
    collected_text: &'static str,
    purpose: &'static str,
    purpose_text: &'static str,
    given_to: &'static str,
    given_to_text: &'static str,
    rights: &'static str,
    rights_text: &'static str,
}

static UK: Words = Words {
    service: "Хто надає послугу",
    code: "код за ЄДРПОУ",
    offer: "Публічна оферта",
    data: "Як обробляються Ваші дані",
    owner: "Володілець персональних даних",
    collected: "Які дані",
    collected_text: "Прізвище, ім’я, по батькові або найменування і код платника, за що, скільки й кому сплачується: їх увів нотаріус. Стан оплати, перші шість і останні чотири цифри картки. Телефон або електронна пошта, якщо на них надсилають посилання чи квитанцію. Мережа й браузер, з яких відкрито цю сторінку.",
    purpose: "Мета",
    purpose_text: "Прийняти оплату, переказати кошти отримувачам, видати квитанцію, вести бухгалтерський облік, запобігати зловживанням.",
    given_to: "Кому передаються",
    given_to_text: "Нотаріусу, отримувачам платежів, банкам і надавачам платіжних послуг, які приймають оплату й переказують кошти, службам доставки повідомлень, державним органам у випадках, визначених законом.",
    rights: "Ваші права",
    rights_text: "За статтею 8 Закону України «Про захист персональних даних» від 01.06.2010 № 2297-VI Ви можете дізнатися, які дані обробляються, отримати до них доступ, вимагати змінити або знищити їх, заперечити проти обробки, відкликати згоду, звернутися зі скаргою до Уповноваженого Верховної Ради України з прав людини або до суду. Пишіть чи телефонуйте за контактами вище.",
};

static EN: Words = Words {
    service: "Who provides the service",
    code: "EDRPOU code",
    offer: "Public offer",
    data: "How your data are processed",
    owner: "Owner of the personal data",
    collected: "Which data",
    collected_text: "The payer’s name and code, and what is paid, how much and to whom: the notary entered them. The state of the payment, the first six and the last four digits of the card. A telephone or an email where the link or the receipt is sent. The network and the browser that opened this page.",
    purpose: "Purpose",
    purpose_text: "To take the payment, send the money to the recipients, give a receipt, keep the books, prevent abuse.",
    given_to: "Who gets them",
    given_to_text: "The notary, the recipients of the payments, the banks and payment service providers that take the payment and send the money, services that deliver messages, and state bodies where the law provides for it.",
    rights: "Your rights",
    rights_text: "By article 8 of the Law of Ukraine “On Personal Data Protection” of 01.06.2010 No. 2297-VI you may learn which data are processed, have access to them, have them changed or destroyed, object to the processing, withdraw a consent, and complain to the Ukrainian Parliament Commissioner for Human Rights or to a court. Write or call, the contacts are above.",
};

/// Names the operator with its contacts, and says what becomes of the client's data.
pub fn notice(operator: &Operator, support: &Support, offer_url: &str, locale: Locale) -> Markup {
    let words = match locale {
        Locale::Uk => &UK,
        Locale::En => &EN,
    };
    html! {
        h2 { (words.service) }
        p {
            (operator.name) ", " (words.code) " " (operator.code)
            br; (operator.address)
            @if !support.phone.is_empty() {
                br; a href={ "tel:" (dialled(&support.phone)) } { (support.phone) }
            }
            @if !support.email.is_empty() {
                br; a href={ "mailto:" (support.email) } { (support.email) }
            }
            br; a href=(offer_url) { (words.offer) }
        }
        details {
            summary { (words.data) }
            p { strong { (words.owner) } br; (operator.name) }
            p { strong { (words.collected) } br; (words.collected_text) }
            p { strong { (words.purpose) } br; (words.purpose_text) }
            p { strong { (words.given_to) } br; (words.given_to_text) }
            p { strong { (words.rights) } br; (words.rights_text) }
        }
    }
}

/// Returns a number without what people write between its digits.
fn dialled(phone: &str) -> String {
    let is_dialled = |character: &char| character.is_ascii_digit() || *character == '+';
    phone.chars().filter(is_dialled).collect()
}
