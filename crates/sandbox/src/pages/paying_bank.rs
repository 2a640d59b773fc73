//! The bank through which transfers are paid out: a person uploads files there, lets a day pass, and fetches statements.

use axum::Router;
use axum::extract::{Form, Multipart, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use cabinet_domain::kyiv_date;
use jiff::civil::Date;
use maud::{Markup, html};
use serde::Deserialize;

use super::frame::{LanguageQuery, View};
use crate::paying_bank::{Line, PayingBank, Return, Ruling};
use crate::sandbox::Sandbox;

mod tables;

/// The address of the page.
const PATH: &str = "/sandbox/bank";

/// Why a person may let money come back: the code of ISO 20022, and the bank's words.
const RETURNS: [(&str, &str, &str); 3] = [
    (
        "AC04",
        "Рахунок отримувача закрито",
        "the account is closed",
    ),
    (
        "BE01",
        "Код отримувача не відповідає рахунку отримувача",
        "account and code do not belong together",
    ),
    (
        "RR07",
        "Призначення платежу не відповідає вимогам",
        "the purpose is wrong",
    ),
];

/// Returns the routes of the page.
pub(crate) fn routes() -> Router<Sandbox> {
    Router::new()
        .route("/", get(show))
        .route("/upload", post(upload))
        .route("/day", post(run_day))
        .route("/mode", post(set_mode))
        .route("/rule", post(rule))
}

async fn show(
    State(sandbox): State<Sandbox>,
    Query(query): Query<LanguageQuery>,
    headers: HeaderMap,
) -> Response {
    let view = View::of(query.lang.as_deref(), &headers);
    render(&sandbox, view, StatusCode::OK, None)
}

fn render(sandbox: &Sandbox, view: View, status: StatusCode, alert: Option<&str>) -> Response {
    let title = view.say("Банк оператора", "The operator's bank");
    let content = sandbox.with_paying_bank(|bank, now| {
        html! {
            h1 { (title) }
            p.lead { (view.say(
                "Через цей банк оператор платить перекази отримувачам. Завантажте файл із «cabinet transfers export», проведіть день і завантажте виписку для «cabinet transfers import».",
                "Through this bank the operator pays transfers out. Upload the file of “cabinet transfers export”, let a day pass, and fetch the statement for “cabinet transfers import”.",
            )) }
            @if let Some(alert) = alert { div.alert role="alert" { p { (alert) } } }
            div.desk { (upload_form(view)) (day_form(view, bank)) (downloads(view, bank, kyiv_date(now))) }
            (tables::payments(view, bank))
            (tables::files(view, bank))
            (tables::accounts(view, bank))
            (tables::ledger(view, bank))
        }
    });
    view.page_with_status(status, title, PATH, None, &content)
}

fn language(view: View) -> Markup {
    html! { input type="hidden" name="lang" value=(view.locale.code()); }
}

fn upload_form(view: View) -> Markup {
    html! {
        section.desk-part aria-labelledby="file" {
            h2 #file { (view.say("Файл платежів", "Payment file")) }
            form method="post" action={ (PATH) "/upload" } enctype="multipart/form-data" {
                (language(view))
                label for="payments" { (view.say("pain.001.001.09, CSV для Приват24 або CSV кабінету", "pain.001.001.09, CSV for Privat24, or the cabinet's CSV")) }
                input #payments type="file" name="file" required accept=".xml,.csv";
                button.button.main type="submit" { (view.say("Передати банку", "Hand to the bank")) }
            }
        }
    }
}

fn day_form(view: View, bank: &PayingBank) -> Markup {
    let (mode, switch) = if bank.is_immediate() {
        (
            view.say(
                "Платежі виконуються одразу після прийняття.",
                "Payments are executed as soon as they are taken.",
            ),
            view.say("Виконувати лише за кнопкою", "Execute by the button only"),
        )
    } else {
        (
            view.say(
                "Прийняті платежі чекають на цю кнопку.",
                "Payments that were taken wait for this button.",
            ),
            view.say("Виконувати одразу", "Execute at once"),
        )
    };
    html! {
        section.desk-part aria-labelledby="day" {
            h2 #day { (view.say("Банківський день", "Bank day")) }
            p.hint { (mode) }
            form method="post" action={ (PATH) "/day" } { (language(view)) button.button.main type="submit" { (view.say("Провести день", "Let a day pass")) } }
            form method="post" action={ (PATH) "/mode" } {
                (language(view))
                input type="hidden" name="immediate" value=(!bank.is_immediate());
                button.small type="submit" { (switch) }
            }
        }
    }
}

/// The statements of the days on which the customer's account was booked, and of this one.
fn downloads(view: View, bank: &PayingBank, today: Date) -> Markup {
    let mut days: Vec<Date> = bank.bookings().iter().map(|b| b.booked_on).collect();
    days.push(today);
    days.sort_unstable();
    days.dedup();
    let files = ["camt.053.xml", "camt.054.xml", "privat24.csv"];
    html! {
        section.desk-part aria-labelledby="statements" {
            h2 #statements { (view.say("Виписки", "Statements")) }
            ul.downloads {
                @for day in days.iter().rev().take(7) {
                    li {
                        strong { (day.strftime("%d.%m.%Y")) }
                        @for file in files { a href={ (PATH) "/statements/" (day) "/" (file) } download { (file) } }
                    }
                }
            }
        }
    }
}

/// Takes the file of the form. The language comes before it.
async fn upload(
    State(sandbox): State<Sandbox>,
    headers: HeaderMap,
    mut form: Multipart,
) -> Response {
    let mut view = View::of(None, &headers);
    while let Ok(Some(field)) = form.next_field().await {
        if field.name() == Some("lang") {
            let lang = field.text().await.unwrap_or_default();
            view = View::of(Some(&lang), &headers);
            continue;
        }
        let name = field.file_name().unwrap_or("file").to_owned();
        let Ok(bytes) = field.bytes().await else {
            break;
        };
        return match sandbox.take_payment_file(&name, &bytes) {
            Ok(taken) if taken.is_known => {
                let text = view.say(
                    "Цей файл банк уже прийняв. Нічого не змінилося.",
                    "The bank has taken this file before. Nothing was changed.",
                );
                render(&sandbox, view, StatusCode::OK, Some(text))
            }
            Ok(_) => back(view),
            Err(error) => {
                let text = view.say("Банк не прийняв файл", "The bank refused the file");
                let text = format!("{text}: {error} ({}).", error.code());
                render(
                    &sandbox,
                    view,
                    StatusCode::UNPROCESSABLE_ENTITY,
                    Some(&text),
                )
            }
        };
    }
    let text = view.say("Виберіть файл.", "Choose a file.");
    render(&sandbox, view, StatusCode::UNPROCESSABLE_ENTITY, Some(text))
}

fn back(view: View) -> Response {
    Redirect::to(&view.href(PATH)).into_response()
}

async fn run_day(
    State(sandbox): State<Sandbox>,
    headers: HeaderMap,
    Form(form): Form<LanguageQuery>,
) -> Response {
    sandbox.with_paying_bank(PayingBank::run_day);
    back(View::of(form.lang.as_deref(), &headers))
}

#[derive(Deserialize)]
struct Mode {
    immediate: bool,
    lang: Option<String>,
}

async fn set_mode(
    State(sandbox): State<Sandbox>,
    headers: HeaderMap,
    Form(form): Form<Mode>,
) -> Response {
    sandbox.with_paying_bank(|bank, _| bank.record(Line::Immediate(form.immediate)));
    back(View::of(form.lang.as_deref(), &headers))
}

#[derive(Deserialize)]
struct Rule {
    document: String,
    /// The code of a return, or empty: the accounts decide.
    code: String,
    /// Whether the payment is credited already.
    #[serde(default)]
    credited: bool,
    lang: Option<String>,
}

async fn rule(
    State(sandbox): State<Sandbox>,
    headers: HeaderMap,
    Form(form): Form<Rule>,
) -> Response {
    let known = RETURNS.iter().find(|(code, _, _)| *code == form.code);
    let ruling = known.map(|(code, text, _)| Ruling {
        delay_days: 0,
        sends_back: Some(Return {
            code: (*code).to_owned(),
            text: (*text).to_owned(),
            days_after_credit: form.credited.then_some(1),
        }),
    });
    sandbox.with_paying_bank(|bank, _| bank.record(Line::Ruling(form.document, ruling)));
    back(View::of(form.lang.as_deref(), &headers))
}
