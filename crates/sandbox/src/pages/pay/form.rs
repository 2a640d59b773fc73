//! The card form: its fields, their rules and their errors.

use jiff::{Timestamp, civil::Date};
use maud::{Markup, html};
use serde::Deserialize;

use crate::bank::{Behaviour, Card, CardError, Invoice, InvoiceKind, TestCard};
use crate::pages::frame::View;

/// The submitted values.
#[derive(Clone, Default, Deserialize)]
pub(in crate::pages) struct CardForm {
    #[serde(default)]
    card: String,
    #[serde(default)]
    expiry: String,
    #[serde(default)]
    cvv: String,
    pub(super) save: Option<String>,
    /// The number of the test card whose button was pressed.
    test_card: Option<String>,
    pub(super) lang: Option<String>,
}

/// The errors of the form, by field.
#[derive(Clone, Debug, Default)]
pub(super) struct Problems {
    card: Option<String>,
    expiry: Option<String>,
    cvv: Option<String>,
}

impl Problems {
    pub(super) fn is_empty(&self) -> bool {
        self.card.is_none() && self.expiry.is_none() && self.cvv.is_none()
    }

    fn list(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let fields = [
            ("card", &self.card),
            ("expiry", &self.expiry),
            ("cvv", &self.cvv),
        ];
        fields
            .into_iter()
            .filter_map(|(field, text)| Some((field, text.as_ref()?)))
    }
}

/// A field of the form.
struct Field<'a> {
    id: &'static str,
    label: &'a str,
    hint: Option<&'a str>,
    value: &'a str,
    autocomplete: &'static str,
    placeholder: &'static str,
    length: u32,
    problem: Option<&'a str>,
}

impl Field<'_> {
    fn markup(&self) -> Markup {
        let error_id = format!("{}-error", self.id);
        let hint_id = format!("{}-hint", self.id);
        let described: Vec<&str> = [
            self.problem.map(|_| error_id.as_str()),
            self.hint.map(|_| hint_id.as_str()),
        ]
        .into_iter()
        .flatten()
        .collect();
        html! {
            div.field.wrong[self.problem.is_some()] {
                label for=(self.id) { (self.label) }
                @if let Some(hint) = self.hint { span.hint #(hint_id) { (hint) } }
                input #(self.id) name=(self.id) type="text" inputmode="numeric" autocomplete=(self.autocomplete)
                    placeholder=(self.placeholder) maxlength=(self.length) value=(self.value) required
                    aria-invalid=[self.problem.map(|_| "true")]
                    aria-describedby=[(!described.is_empty()).then(|| described.join(" "))];
                @if let Some(problem) = self.problem { p.field-error #(error_id) { (problem) } }
            }
        }
    }
}

impl CardForm {
    /// Returns the card, or the errors of all fields.
    pub(super) fn read(&self, view: View, now: Timestamp) -> Result<Card, Problems> {
        if let Some(number) = &self.test_card {
            return Card::parse(number).map_err(|error| Problems {
                card: Some(card_problem(view, error)),
                ..Problems::default()
            });
        }
        let card = Card::parse(&self.card);
        let problems = Problems {
            card: card.as_ref().err().map(|error| card_problem(view, *error)),
            expiry: expiry_problem(view, &self.expiry, now),
            cvv: cvv_problem(view, &self.cvv),
        };
        match card {
            Ok(card) if problems.is_empty() => Ok(card),
            _ => Err(problems),
        }
    }

    /// Renders the form with the submitted values, except for the CVV.
    pub(super) fn markup(&self, view: View, invoice: &Invoice, problems: &Problems) -> Markup {
        let checks_only = invoice.kind == InvoiceKind::Verification;
        let pay = if checks_only {
            view.say("Перевірити й зберегти картку", "Check and save the card")
                .to_owned()
        } else {
            format!(
                "{} {}",
                view.say("Сплатити", "Pay"),
                view.sum(invoice.amount)
            )
        };
        let [number, expiry, cvv] = self.fields(view, problems);
        html! {
            form method="post" action={ "/pay/" (invoice.id) } novalidate {
                input type="hidden" name="lang" value=(view.locale.code());
                @if !problems.is_empty() {
                    div.alert role="alert" tabindex="-1" autofocus {
                        p { strong { (view.say("Перевірте дані картки:", "Check the card details:")) } }
                        ul { @for (field, text) in problems.list() { li { a href={ "#" (field) } { (text) } } } }
                    }
                }
                (number.markup())
                div.pair { (expiry.markup()) (cvv.markup()) }
                @if invoice.wallet_id.is_some() && !checks_only {
                    label.check {
                        input type="checkbox" name="save" value="yes" checked[self.save.is_some()];
                        span { (view.say("Зберегти картку для наступних оплат", "Save the card for later payments")) }
                    }
                }
                button.button.main type="submit" { (pay) }
                @if let Some(address) = &invoice.redirect_url {
                    p.aside { a href=(address) { (view.say("Повернутися до магазину без оплати", "Return to the shop without paying")) } }
                }
                (test_cards(view))
            }
        }
    }

    /// Number, expiry and CVV.
    fn fields<'a>(&'a self, view: View, problems: &'a Problems) -> [Field<'a>; 3] {
        [
            Field {
                id: "card",
                label: view.say("Номер картки", "Card number"),
                hint: None,
                value: &self.card,
                autocomplete: "cc-number",
                placeholder: "0000 0000 0000 0000",
                length: 23,
                problem: problems.card.as_deref(),
            },
            Field {
                id: "expiry",
                label: view.say("Діє до", "Valid until"),
                hint: Some(view.say("ММ/РР", "MM/YY")),
                value: &self.expiry,
                autocomplete: "cc-exp",
                placeholder: "12/30",
                length: 7,
                problem: problems.expiry.as_deref(),
            },
            Field {
                id: "cvv",
                label: "CVV",
                hint: Some(view.say("3 цифри на звороті", "3 digits on the back")),
                value: "",
                autocomplete: "cc-csc",
                placeholder: "123",
                length: 4,
                problem: problems.cvv.as_deref(),
            },
        ]
    }
}

/// Lists the test cards, each with a button that pays with it.
fn test_cards(view: View) -> Markup {
    html! {
        details.test-cards {
            summary { (view.say("Тестові картки", "Test cards")) }
            p { (view.say("Будь-який інший номер із правильною контрольною цифрою також платить.", "Any other number with a right check digit pays, too.")) }
            ul {
                @for known in TestCard::ALL {
                    li {
                        span.number { (grouped(known.number)) }
                        span.outcome { (effect(view, known.behaviour)) }
                        button.small type="submit" name="test_card" value=(known.number) formnovalidate
                            aria-label={ (view.say("Оплатити карткою", "Pay by card")) " " (grouped(known.number)) } {
                            (view.say("Оплатити", "Pay"))
                        }
                    }
                }
            }
        }
    }
}

/// Returns a card number in groups of four.
pub(in crate::pages) fn grouped(number: &str) -> String {
    let groups: Vec<String> = number
        .as_bytes()
        .chunks(4)
        .map(|group| String::from_utf8_lossy(group).into_owned())
        .collect();
    groups.join("\u{a0}")
}

/// Describes what a test card does.
pub(in crate::pages) fn effect(view: View, behaviour: Behaviour) -> &'static str {
    let (uk, en) = match behaviour {
        Behaviour::Pays => ("платить одразу", "pays at once"),
        Behaviour::Declined => (
            "відмова: недостатньо коштів (59)",
            "declined: not enough money (59)",
        ),
        Behaviour::Refused => (
            "відмова банку без пояснень (55)",
            "declined without a reason (55)",
        ),
        Behaviour::Blocked => (
            "відмова: строк дії минув (1419)",
            "declined: the card has expired (1419)",
        ),
        Behaviour::OverLimit => (
            "відмова: перевищено ліміт (61)",
            "declined: over the limit (61)",
        ),
        Behaviour::AcquirerFails => (
            "відмова: збій платіжної служби (54)",
            "declined: the acquirer fails (54)",
        ),
        Behaviour::TooLate => (
            "відмова: час на оплату минув (8001)",
            "declined: the time to pay ran out (8001)",
        ),
        Behaviour::ThreeDSecure => ("просить підтвердження 3-D Secure", "asks for 3-D Secure"),
        Behaviour::Slow => (
            "обробляється 8 с, потім платить",
            "processing for 8 s, then pays",
        ),
    };
    view.say(uk, en)
}

fn card_problem(view: View, error: CardError) -> String {
    match error {
        CardError::Missing => view.say("Введіть номер картки.", "Enter the card number."),
        CardError::Wrong => view.say(
            "У номері картки помилка: перевірте цифри.",
            "The card number has a mistake: check its digits.",
        ),
    }
    .to_owned()
}

fn expiry_problem(view: View, text: &str, now: Timestamp) -> Option<String> {
    if text.trim().is_empty() {
        return Some(
            view.say(
                "Введіть строк дії картки.",
                "Enter until when the card is valid.",
            )
            .to_owned(),
        );
    }
    let Some(last_day) = last_day(text) else {
        return Some(
            view.say("Строк дії має бути як 12/30.", "Write the date like 12/30.")
                .to_owned(),
        );
    };
    let today = now.in_tz("Europe/Kyiv").ok()?.date();
    (last_day < today).then(|| {
        view.say("Строк дії картки минув.", "The card has expired.")
            .to_owned()
    })
}

/// Returns the last day of a month written as `12/30`, `1230` or `12/2030`.
fn last_day(text: &str) -> Option<Date> {
    let digits: String = text
        .chars()
        .filter(|char| !char.is_whitespace() && *char != '/')
        .collect();
    let (month, year) = match digits.len() {
        4 | 6 => digits.split_at_checked(2)?,
        _ => return None,
    };
    let year: i16 = year.parse().ok()?;
    let year = if year < 100 { year + 2000 } else { year };
    Some(
        Date::new(year, month.parse().ok()?, 1)
            .ok()?
            .last_of_month(),
    )
}

fn cvv_problem(view: View, text: &str) -> Option<String> {
    let text = text.trim();
    let fits = (3..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    (!fits).then(|| {
        view.say(
            "Введіть 3 цифри зі звороту картки.",
            "Enter the 3 digits of the card's back.",
        )
        .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> bool {
        let now = "2026-11-20T10:00:00Z".parse().unwrap();
        expiry_problem(View::of(None, &axum::http::HeaderMap::new()), text, now).is_some()
    }

    #[test]
    fn a_card_is_valid_through_the_last_day_of_its_month() {
        for good in ["11/26", "1126", "11 / 26", "12/2030", "122030"] {
            assert!(!problem(good), "{good}");
        }
        for bad in [
            "", "10/26", "13/30", "00/30", "1/30", "ab/cd", "11/1", "12/٣٠",
        ] {
            assert!(problem(bad), "{bad}");
        }
    }
}
