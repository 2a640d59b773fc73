//! Checking a receipt: a page that anybody may open, readable without a script, in both languages. It names no person.

use axum::extract::{Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cabinet_app::orders::CheckedReceipt;
use cabinet_domain::{Locale, Money, kyiv_time};
use cabinet_receipts::kind_name;
use serde::Deserialize;

use crate::extract::{ClientAddress, Language};
use crate::offer::escape;
use crate::state::ApiState;

/// Characters of a typed code that are shown again; a code has fewer.
const SHOWN_MAX: usize = 60;

/// What is asked.
#[derive(Default, Deserialize)]
pub struct Asked {
    #[serde(default)]
    code: String,
    #[serde(default)]
    language: String,
}

/// What is answered.
enum Found {
    /// Nothing was asked yet.
    Nothing,
    Receipt(CheckedReceipt),
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
    refunded: &'static str,
    none: &'static str,
    none_lead: &'static str,
    too_many: &'static str,
    broken: &'static str,
    number: &'static str,
    number_sign: &'static str,
    paid_at: &'static str,
    sum: &'static str,
    demonstration: &'static str,
}

const UK: Words = Words {
    language: "uk",
    title: "Перевірка квитанції",
    product: "Кабінет нотаріуса",
    back: "До кабінету",
    other: "en",
    other_name: "English",
    lead: "Введіть код із квитанції. Він стоїть під QR-кодом, наприклад 100046\u{2011}7KQ2\u{2011}M4XD\u{2011}01AB.",
    label: "Код квитанції",
    check: "Перевірити",
    genuine: "Квитанція справжня: платіж оплачено.",
    refunded: "Квитанція більше не дійсна: гроші за цей платіж повернуто.",
    none: "Квитанції з таким кодом немає.",
    none_lead: "Порівняйте код із квитанцією ще раз. Якщо він збігається, не покладайтеся на цю квитанцію.",
    too_many: "Забагато спроб. Зачекайте хвилину й спробуйте ще раз.",
    broken: "Зараз перевірити не вдалося. Спробуйте за хвилину.",
    number: "Замовлення",
    number_sign: "№",
    paid_at: "Сплачено",
    sum: "Сума",
    demonstration: "Тестовий платіж: нічого не підтверджує.",
};

const EN: Words = Words {
    language: "en",
    title: "Check a receipt",
    product: "Notary dashboard",
    back: "To the dashboard",
    other: "uk",
    other_name: "Українською",
    lead: "Enter the code of the receipt. It stands below the QR code, 100046\u{2011}7KQ2\u{2011}M4XD\u{2011}01AB for example.",
    label: "Code of the receipt",
    check: "Check",
    genuine: "The receipt is genuine: the payment was made.",
    refunded: "The receipt does not hold any more: the money of this payment was given back.",
    none: "There is no receipt with this code.",
    none_lead: "Compare the code with the receipt once more. If they are the same, do not rely on this receipt.",
    too_many: "Too many tries. Wait a minute and try again.",
    broken: "It could not be checked now. Try again in a minute.",
    number: "Order",
    number_sign: "No.",
    paid_at: "Paid",
    sum: "Sum",
    demonstration: "A test payment: it proves nothing.",
};

/// `GET /check`.
pub async fn page(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    Language(accepted): Language,
    Query(asked): Query<Asked>,
) -> Response {
    let locale = Locale::parse(&asked.language).unwrap_or(accepted);
    let found = if asked.code.trim().is_empty() {
        Found::Nothing
    } else if state.limits.entering(address).is_err() {
        Found::TooMany
    } else {
        match state.app.check_receipt(&asked.code).await {
            Ok(Some(receipt)) => Found::Receipt(receipt),
            Ok(None) => Found::NoReceipt,
            Err(error) => {
                tracing::error!(%error, "A receipt can't be checked");
                Found::Broken
            }
        }
    };
    let status = match found {
        Found::Nothing | Found::Receipt(_) => StatusCode::OK,
        Found::NoReceipt => StatusCode::NOT_FOUND,
        Found::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Found::Broken => StatusCode::SERVICE_UNAVAILABLE,
    };
    let html = document(
        locale,
        &asked.code,
        &found,
        state.app.settings().demonstration,
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let mut response = (status, headers, html).into_response();
    let policy = HeaderValue::from_static(
        "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

fn document(locale: Locale, code: &str, found: &Found, demonstration: bool) -> String {
    let words = match locale {
        Locale::Uk => &UK,
        Locale::En => &EN,
    };
    let Words {
        language,
        title,
        product,
        back,
        other,
        other_name,
        lead,
        label,
        check,
        ..
    } = words;
    let code = escape(&code.chars().take(SHOWN_MAX).collect::<String>());
    // A code in the address of the other language: what may not stand there is none of a code's characters.
    let plain: String = code
        .chars()
        .filter(|char| char.is_ascii_alphanumeric() || *char == '-')
        .collect();
    format!(
        "<!doctype html><html lang=\"{language}\"><head><meta charset=\"utf-8\"><title>{title} – {product}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <link rel=\"stylesheet\" href=\"/fonts.css\"><link rel=\"stylesheet\" href=\"/offer/style.css\"></head><body>\
         <nav><a href=\"/\">{back}</a><a href=\"/check?language={other}&amp;code={plain}\" lang=\"{other}\">{other_name}</a></nav>\
         <main><h1>{title}</h1>{}<form action=\"/check\" method=\"get\"><p id=\"lead\">{lead}</p>\
         <input type=\"hidden\" name=\"language\" value=\"{language}\">\
         <label for=\"code\">{label}</label>\
         <input id=\"code\" name=\"code\" value=\"{code}\" autocomplete=\"off\" autocapitalize=\"characters\" spellcheck=\"false\" \
         required aria-describedby=\"lead\"><button>{check}</button></form></main></body></html>",
        answer(words, locale, found, demonstration)
    )
}

fn answer(words: &Words, locale: Locale, found: &Found, demonstration: bool) -> String {
    let say = |tone: &str, text: &str, more: &str| {
        format!(
            "<div role=\"status\" class=\"answer {tone}\"><p><strong>{text}</strong></p>{more}</div>"
        )
    };
    let receipt = match found {
        Found::Nothing => return String::new(),
        Found::NoReceipt => {
            return say("bad", words.none, &format!("<p>{}</p>", words.none_lead));
        }
        Found::TooMany => return say("bad", words.too_many, ""),
        Found::Broken => return say("bad", words.broken, ""),
        Found::Receipt(receipt) => receipt,
    };
    let paid_at = kyiv_time(receipt.paid_at).strftime("%d.%m.%Y %H:%M:%S");
    let payments: String = receipt
        .payments
        .iter()
        .map(|(kind, sum)| {
            let (kind, sum) = (kind_name(*kind, locale), hryvnias(*sum, locale));
            format!("<li>{kind}: {sum}</li>")
        })
        .collect();
    let note = if demonstration {
        format!("<p><strong>{}</strong></p>", words.demonstration)
    } else {
        String::new()
    };
    let more = format!(
        "<dl><dt>{}</dt><dd>{} {}</dd><dt>{}</dt><dd>{paid_at}</dd><dt>{}</dt><dd>{}</dd></dl><ol>{payments}</ol>{note}",
        words.number,
        words.number_sign,
        receipt.number,
        words.paid_at,
        words.sum,
        hryvnias(receipt.sum, locale)
    );
    if receipt.refunded {
        say("bad", words.refunded, &more)
    } else {
        say("good", words.genuine, &more)
    }
}

fn hryvnias(sum: Money, locale: Locale) -> String {
    let figures = sum.display(locale);
    match locale {
        Locale::Uk => format!("{figures}\u{a0}грн"),
        Locale::En => format!("{figures}\u{a0}UAH"),
    }
}
