//! The public page for checking a receipt, in both languages, without a script. It names recipients and how far each part has come, and
//! people by initials and the end of a code alone. What else a paper names is typed, sent in a body, and answered with yes or no.

use std::net::IpAddr;
use std::time::Instant;

use axum::Form;
use axum::extract::{Query, State};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use cabinet_app::documents::{CheckedReceipt, CheckedReturn, CheckedTransfer, PrintedField};
use cabinet_app::kernel::refusal::AppError;
use cabinet_domain::{AfterReturn, Locale, Money, kyiv_time};
use cabinet_receipts::{receipt_kind_name, transfer_status_name};
use maud::{Markup, html};
use serde::Deserialize;

use super::layout::{self, Page};
use crate::http::extract::{ClientAddress, Language};
use crate::state::ApiState;

const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; report-uri /api/csp-report; report-to csp",
);

/// Most characters of an entered code that the page shows again. Real codes are shorter.
const SHOWN_MAX: usize = 60;

/// Most characters of a typed code or account that are read. Real ones are shorter, also with blanks.
const TYPED_MAX: usize = 60;

/// Query of the page.
#[derive(Default, Deserialize)]
pub struct Asked {
    #[serde(default)]
    code: String,
    #[serde(default)]
    language: String,
}

/// Form with what the paper names. It never stands in an address.
#[derive(Default, Deserialize)]
pub struct ToCompare {
    #[serde(default)]
    code: String,
    #[serde(default)]
    language: String,
    #[serde(default)]
    named: String,
}

/// What came of the comparison.
#[derive(Clone, Copy)]
enum Compared {
    /// Nothing was typed.
    Nothing,
    Agrees(PrintedField),
    Differs,
    /// So much was wrong already that nothing is compared any more today.
    UsedUp,
}

/// Result of the check.
enum Found {
    /// No code was entered yet.
    Nothing,
    Receipt(CheckedReceipt, Compared),
    NoReceipt,
    TooMany,
    Broken,
}

struct Words {
    language: &'static str,
    title: &'static str,
    product: &'static str,
    back: &'static str,
    other: &'static str,
    other_name: &'static str,
    lead: &'static str,
    label: &'static str,
    check: &'static str,
    genuine: &'static str,
    by_codes: &'static str,
    marked_at: &'static str,
    refunded: &'static str,
    part_returned: &'static str,
    all_returned: &'static str,
    part_given_back: &'static str,
    all_given_back: &'static str,
    called_off: &'static str,
    returned_by_bank: &'static str,
    /// Before the number of the transfer that sends a part again.
    sent_again: &'static str,
    /// Before the number of the returned transfer.
    instead_of: &'static str,
    refund_requested: &'static str,
    card_refunded: &'static str,
    reason: &'static str,
    actual_payer: &'static str,
    code: &'static str,
    transfer: &'static str,
    none: &'static str,
    none_lead: &'static str,
    too_many: &'static str,
    broken: &'static str,
    number: &'static str,
    number_sign: &'static str,
    paid_at: &'static str,
    sum: &'static str,
    demonstration: &'static str,
    compare_lead: &'static str,
    compare_label: &'static str,
    compare: &'static str,
    /// Before what the receipt names.
    agrees: &'static str,
    client_code: &'static str,
    operator_code: &'static str,
    notary_code: &'static str,
    account: &'static str,
    operator_account: &'static str,
    amount: &'static str,
    compared_too_often: &'static str,
    differs: &'static str,
    differs_lead: &'static str,
}

const UK: Words = Words {
    language: "uk",
    title: "Перевірка квитанції",
    product: "Кабінет нотаріуса",
    back: "До кабінету",
    other: "en",
    other_name: "English",
    lead: "Введіть код із квитанції. Він зазначений під QR-кодом, наприклад 100046\u{2011}7KQ2\u{2011}M4XD\u{2011}01AB.",
    label: "Код квитанції",
    check: "Перевірити",
    genuine: "Квитанція справжня: платіж здійснено.",
    by_codes: "Квитанція справжня. Сплачено за QR-кодами, минаючи сервіс: так повідомив платник і позначив нотаріус. Надходження коштів сервіс не перевіряв.",
    marked_at: "Позначено як сплачене",
    refunded: "Квитанція більше не дійсна: кошти за цей платіж повернено.",
    part_returned: "Квитанція справжня, але частину коштів отримувачу не зараховано.",
    all_returned: "Квитанція справжня, але кошти отримувачам не зараховано.",
    part_given_back: "Квитанція справжня, але частину коштів повернено на картку: отримувачу їх не надіслано.",
    all_given_back: "Квитанція справжня, але кошти повернено на картку: отримувачам їх не надіслано.",
    called_off: "Кошти повернено на картку, скасовано переказ №",
    returned_by_bank: "Банк отримувача повернув сервісу",
    sent_again: "Замінено переказом №",
    instead_of: "Замість повернутого переказу №",
    refund_requested: "Запит на повернення на картку подано",
    card_refunded: "Повернено на картку",
    reason: "Причина",
    actual_payer: "Фактичний платник",
    code: "код",
    transfer: "Переказ №",
    none: "Квитанції з таким кодом немає.",
    none_lead: "Порівняйте код із квитанцією ще раз. Якщо він збігається, не покладайтеся на цю квитанцію.",
    too_many: "Забагато спроб. Зачекайте хвилину й спробуйте ще раз.",
    broken: "Зараз перевірити не вдалося. Спробуйте ще раз за хвилину.",
    number: "Замовлення",
    number_sign: "№",
    paid_at: "Сплачено",
    sum: "Сума",
    demonstration: "Тестовий платіж: нічого не підтверджує.",
    compare_lead: "Чи не змінено квитанцію, видно й з того, що в ній зазначено. Введіть звідти код платника, рахунок отримувача або суму. Сторінка відповість, чи є це в квитанції і що саме це. Помилитися можна десять разів на добу.",
    compare_label: "Код платника, рахунок отримувача або сума",
    compare: "Порівняти",
    agrees: "Так, у квитанції це",
    client_code: "код фактичного платника",
    operator_code: "код платника переказів (сервісу)",
    notary_code: "код нотаріуса",
    account: "рахунок отримувача",
    operator_account: "рахунок сервісу, який отримує комісію",
    amount: "сума",
    compared_too_often: "Сьогодні з цією квитанцією вже порівняно забагато неправильних даних. Спробуйте завтра або зверніться до того, хто видав квитанцію.",
    differs: "Ні, у квитанції зазначено інше.",
    differs_lead: "Введіть ще раз і перевірте кожен знак. Якщо введене збігається з тим, що надруковано, не покладайтеся на цю квитанцію.",
};

const EN: Words = Words {
    language: "en",
    title: "Check a receipt",
    product: "Notary dashboard",
    back: "To the dashboard",
    other: "uk",
    other_name: "Українською",
    lead: "Enter the code of the receipt. It is printed below the QR code, for example 100046\u{2011}7KQ2\u{2011}M4XD\u{2011}01AB.",
    label: "Receipt code",
    check: "Check",
    genuine: "The receipt is genuine: the payment was made.",
    by_codes: "The receipt is genuine. It was paid by QR codes, past the service, as the payer told and the notary marked. The service did not check that the money arrived.",
    marked_at: "Marked as paid",
    refunded: "This receipt is no longer valid: the payment was refunded.",
    part_returned: "The receipt is genuine, but a part of the money was not credited to its recipient.",
    all_returned: "The receipt is genuine, but the money was not credited to its recipients.",
    part_given_back: "The receipt is genuine, but a part of the money was refunded to the card and not sent to its recipient.",
    all_given_back: "The receipt is genuine, but the money was refunded to the card and not sent to its recipients.",
    called_off: "Refunded to the card, called off: transfer No.",
    returned_by_bank: "The recipient’s bank returned to the service:",
    sent_again: "Replaced by transfer No.",
    instead_of: "In place of the returned transfer No.",
    refund_requested: "Refund to the card requested",
    card_refunded: "Refunded to the card",
    reason: "Reason",
    actual_payer: "Actual payer",
    code: "code",
    transfer: "Transfer No.",
    none: "There is no receipt with this code.",
    none_lead: "Compare the code with the receipt once more. If they are the same, do not rely on this receipt.",
    too_many: "Too many attempts. Wait a minute and try again.",
    broken: "The receipt could not be checked. Try again in a minute.",
    number: "Order",
    number_sign: "No.",
    paid_at: "Paid",
    sum: "Amount",
    demonstration: "A test payment: it proves nothing.",
    compare_lead: "What a receipt names also shows whether it was altered. Enter the payer’s code, the recipient’s account or a sum from it. The page answers whether the receipt names it, and as what. Ten wrong tries a day are allowed.",
    compare_label: "Payer’s code, recipient’s account or a sum",
    compare: "Compare",
    agrees: "Yes, on the receipt this is",
    client_code: "the actual payer’s code",
    operator_code: "the code of the payer of the transfers (the service)",
    notary_code: "the notary’s code",
    account: "a recipient’s account",
    operator_account: "the account of the service, which gets the commission",
    amount: "an amount",
    compared_too_often: "Too much that is wrong was compared with this receipt today. Try again tomorrow, or ask whoever issued the receipt.",
    differs: "No, the receipt names something else.",
    differs_lead: "Enter it again and check each character. If it is the same as on the paper, do not rely on this receipt.",
};

/// `GET /check`.
pub async fn page(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    Language(accepted): Language,
    Query(asked): Query<Asked>,
) -> Response {
    let locale = Locale::parse(&asked.language).unwrap_or(accepted);
    check(&state, address, locale, &asked.code, "").await
}

/// `POST /check`: also compares what the paper names.
pub async fn compare(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    Language(accepted): Language,
    Form(compared): Form<ToCompare>,
) -> Response {
    let locale = Locale::parse(&compared.language).unwrap_or(accepted);
    let named: String = compared.named.chars().take(TYPED_MAX).collect();
    check(&state, address, locale, &compared.code, &named).await
}

async fn check(
    state: &ApiState,
    address: IpAddr,
    locale: Locale,
    code: &str,
    named: &str,
) -> Response {
    let found = if code.trim().is_empty() {
        Found::Nothing
    } else if state.limits.count_public_request(address).is_err() {
        Found::TooMany
    } else {
        match compared(state, code, named).await {
            Ok(Some((receipt, compared))) => Found::Receipt(receipt, compared),
            Ok(None) => Found::NoReceipt,
            Err(error) => {
                error.log("A receipt can't be checked", Instant::now());
                Found::Broken
            }
        }
    };
    let status = match found {
        Found::Nothing | Found::Receipt(..) => StatusCode::OK,
        Found::NoReceipt => StatusCode::NOT_FOUND,
        Found::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Found::Broken => StatusCode::SERVICE_UNAVAILABLE,
    };
    let html = document(locale, code, &found, state.services.settings.sandbox);
    layout::answer(status, "no-store", POLICY, html)
}

/// Returns the receipt of a code, and what came of the comparison. What was wrong counts for the receipt, whoever typed it.
async fn compared(
    state: &ApiState,
    code: &str,
    named: &str,
) -> Result<Option<(CheckedReceipt, Compared)>, AppError> {
    let receipts = &state.services.receipts;
    let Some(receipt) = receipts.check(code, "").await? else {
        return Ok(None);
    };
    if named.trim().is_empty() {
        return Ok(Some((receipt, Compared::Nothing)));
    }
    if !state.limits.may_compare(receipt.number) {
        return Ok(Some((receipt, Compared::UsedUp)));
    }
    let Some(receipt) = receipts.check(code, named).await? else {
        return Ok(None);
    };
    let compared = match receipt.typed {
        None => Compared::Nothing,
        Some(Some(field)) => Compared::Agrees(field),
        Some(None) => {
            state.limits.count_wrong_comparison(receipt.number);
            Compared::Differs
        }
    };
    Ok(Some((receipt, compared)))
}

fn document(locale: Locale, code: &str, found: &Found, sandbox: bool) -> Markup {
    let words = match locale {
        Locale::Uk => &UK,
        Locale::En => &EN,
    };
    let code: String = code.chars().take(SHOWN_MAX).collect();
    // For the link to the other language: only characters that a code can have, none of which needs escaping in an address.
    let plain: String = code
        .chars()
        .filter(|char| char.is_ascii_alphanumeric() || *char == '-')
        .collect();
    let page = Page {
        language: words.language,
        title: &format!("{} – {}", words.title, words.product),
        description: Some(words.lead),
        style: "/offer/style.css",
        script: None,
        body: html! {
            nav {
                a href="/" { (words.back) }
                a href={ "/check?language=" (words.other) "&code=" (plain) } lang=(words.other) { (words.other_name) }
            }
            main {
                h1 { (words.title) }
                (answer(words, locale, found, sandbox))
                @if let Found::Receipt(_, compared) = found { (comparison(words, &code, *compared)) }
                form action="/check" method="get" {
                    p id="lead" { (words.lead) }
                    input type="hidden" name="language" value=(words.language);
                    label for="code" { (words.label) }
                    input id="code" name="code" value=(code) autocomplete="off" autocapitalize="characters"
                        spellcheck="false" required aria-describedby="lead";
                    button { (words.check) }
                }
            }
        },
    };
    page.html()
}

fn answer(words: &Words, locale: Locale, found: &Found, sandbox: bool) -> Markup {
    match found {
        Found::Nothing => html! {},
        Found::NoReceipt => say("bad", words.none, &html! { p { (words.none_lead) } }),
        Found::TooMany => say("bad", words.too_many, &html! {}),
        Found::Broken => say("bad", words.broken, &html! {}),
        Found::Receipt(receipt, _) => {
            let facts = facts(words, locale, receipt, sandbox);
            let is_returned = |part: &&CheckedTransfer| {
                let back = part.returned.as_ref();
                back.is_some_and(|back| back.after.is_missing())
            };
            let returned = receipt.transfers.iter().filter(is_returned).count();
            let given_back = receipt.transfers.iter().filter(|part| part.given_back);
            let given_back = given_back.count();
            let is_all = returned + given_back == receipt.transfers.len();
            if receipt.refunded {
                say("bad", words.refunded, &facts)
            } else if receipt.by_codes.is_some() {
                say("good", words.by_codes, &facts)
            } else if returned + given_back == 0 {
                say("good", words.genuine, &facts)
            } else {
                let text = match (returned, is_all) {
                    (0, true) => words.all_given_back,
                    (0, false) => words.part_given_back,
                    (_, true) => words.all_returned,
                    (_, false) => words.part_returned,
                };
                let parts = html! {
                    @for part in receipt.transfers.iter().filter(is_returned) { (returned_part(words, locale, part)) }
                    (facts)
                };
                say("bad", text, &parts)
            }
        }
    }
}

/// The form for what the paper names, with the answer above it. What was typed is not shown again.
fn comparison(words: &Words, code: &str, compared: Compared) -> Markup {
    html! {
        @match compared {
            Compared::Nothing => {}
            Compared::Agrees(field) => { (say("good", &format!("{} {}.", words.agrees, field_name(words, field)), &html! {})) }
            Compared::UsedUp => { (say("bad", words.compared_too_often, &html! {})) }
            Compared::Differs => { (say("bad", words.differs, &html! { p { (words.differs_lead) } })) }
        }
        form action="/check" method="post" {
            p id="compare-lead" { (words.compare_lead) }
            input type="hidden" name="language" value=(words.language);
            input type="hidden" name="code" value=(code);
            label for="named" { (words.compare_label) }
            input id="named" name="named" autocomplete="off" autocapitalize="characters" spellcheck="false"
                maxlength=(TYPED_MAX) required aria-describedby="compare-lead";
            button { (words.compare) }
        }
    }
}

fn field_name(words: &Words, field: PrintedField) -> &'static str {
    match field {
        PrintedField::ClientCode => words.client_code,
        PrintedField::OperatorCode => words.operator_code,
        PrintedField::NotaryCode => words.notary_code,
        PrintedField::Account => words.account,
        PrintedField::OperatorAccount => words.operator_account,
        PrintedField::Sum => words.amount,
    }
}

fn say(tone: &str, text: &str, more: &Markup) -> Markup {
    html! {
        div role="status" class={ "answer " (tone) } {
            p { strong { (text) } }
            (more)
        }
    }
}

/// Names a part that came back, with sum, day and reason.
fn returned_part(words: &Words, locale: Locale, part: &CheckedTransfer) -> Markup {
    html! {
        p {
            @if let Some(back) = &part.returned {
                strong {
                    (words.returned_by_bank) " " (hryvnias(part.amount, locale))
                    @if let Some(day) = back.on { " " (day.strftime("%d.%m.%Y")) }
                    ", " (words.transfer) "\u{a0}" (back.document_number)
                    ". " (words.reason) ": " (back.reason)
                    (after_return(words, back, part.document_number))
                }
            }
        }
    }
}

/// Says what became of a part that came back.
fn after_return(words: &Words, back: &CheckedReturn, number: i64) -> Markup {
    let text = match back.after {
        AfterReturn::Undecided => return html! {},
        AfterReturn::SentAgain | AfterReturn::Credited => {
            return html! { ". " (words.sent_again) "\u{a0}" (number) };
        }
        AfterReturn::CalledOff => return html! { ". " (words.called_off) "\u{a0}" (number) },
        AfterReturn::RefundRequested => words.refund_requested,
        AfterReturn::Refunded => words.card_refunded,
    };
    html! {
        ". " (text)
        @if let Some(day) = back.to_card_on { " " (day.strftime("%d.%m.%Y")) }
    }
}

/// Lists the transfers with recipient, sum and state.
fn transfers(words: &Words, locale: Locale, receipt: &CheckedReceipt) -> Markup {
    html! {
        ul {
            @for part in &receipt.transfers {
                li {
                    (words.transfer) "\u{a0}" (part.document_number) ": " (part.recipient) " – " (hryvnias(part.amount, locale)) ". "
                    (transfer_status_name(part.status, locale))
                    @if let Some(day) = part.on { ", " (day.strftime("%d.%m.%Y")) }
                    @if let Some(back) = part.returned.as_ref().filter(|back| back.document_number != part.document_number) {
                        ". " (words.instead_of) "\u{a0}" (back.document_number)
                    }
                }
            }
        }
    }
}

fn facts(words: &Words, locale: Locale, receipt: &CheckedReceipt, sandbox: bool) -> Markup {
    html! {
        dl {
            dt { (words.number) }
            dd { (words.number_sign) " " (receipt.number) }
            dt { @if receipt.by_codes.is_some() { (words.marked_at) } @else { (words.paid_at) } }
            dd { (kyiv_time(receipt.paid_at).strftime("%d.%m.%Y %H:%M:%S")) }
            dt { (words.sum) }
            dd { (hryvnias(receipt.sum, locale)) }
            @if let Some((name, code)) = &receipt.payer {
                dt { (words.actual_payer) }
                dd { (name) ", " (words.code) "\u{a0}" (code) }
            }
        }
        ol {
            @for (kind, sum) in &receipt.payments {
                li { (receipt_kind_name(*kind, locale)) ": " (hryvnias(*sum, locale)) }
            }
        }
        @if let Some(parts) = &receipt.by_codes {
            ul {
                @for part in parts { li { (part.recipient) " – " (hryvnias(part.amount, locale)) } }
            }
        } @else {
            (transfers(words, locale, receipt))
        }
        @if sandbox { p { strong { (words.demonstration) } } }
    }
}

fn hryvnias(sum: Money, locale: Locale) -> String {
    let figures = sum.display(locale);
    match locale {
        Locale::Uk => format!("{figures}\u{a0}грн"),
        Locale::En => format!("{figures}\u{a0}UAH"),
    }
}
