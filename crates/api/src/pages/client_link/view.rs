//! What the page of a client's link shows.

use axum::http::StatusCode;
use cabinet_app::client_link::{
    ClientPage, ClientPart, ClientRequisites, LetterOrder, LetterReceipt,
};
use cabinet_domain::payment::ClientStanding;
use cabinet_domain::{Email, Key, Locale, Money, OrderStatus, TransferStatus, kyiv_time};
use cabinet_receipts::{
    CodedTransfer, PaymentCodes, Symbol, receipt_kind_name, transfer_status_name,
};
use maud::{Markup, html};

use super::words::{Words, refusal, standing_text, words};
use crate::pages::layout::Page;

/// The light zone around a code, in modules.
const ZONE: usize = 4;

/// Of what a page is.
#[derive(Clone, Copy)]
pub enum PageOf {
    /// Of the order that a link opens.
    Order,
    /// Of a letter about a receipt.
    Letter,
}

impl PageOf {
    /// Returns of what the page at this path is.
    pub fn of_path(path: &str) -> PageOf {
        if path.starts_with("/letters/") {
            PageOf::Letter
        } else {
            PageOf::Order
        }
    }

    const fn title(self, words: &Words) -> &'static str {
        match self {
            PageOf::Order => words.title,
            PageOf::Letter => words.letter_title,
        }
    }
}

/// What is said of an action before the page.
#[derive(Clone, Copy)]
pub enum Said {
    /// It was not done.
    Refused(Key),
    /// It was asked for too often.
    TooMany,
    /// The e-mail address is not one.
    BadEmail,
    /// It was done.
    Done(Done),
}

/// What a form has done. The address of the page names it, so that the page can say it after a redirect.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// The receipt will be sent.
    MailAgreed,
    /// No receipt will be sent.
    MailStopped,
}

impl Done {
    const ALL: [Done; 2] = [Done::MailAgreed, Done::MailStopped];

    /// Returns the name in the address.
    pub const fn name(self) -> &'static str {
        match self {
            Done::MailAgreed => "mail-agreed",
            Done::MailStopped => "mail-stopped",
        }
    }

    /// Reads the name in the address.
    pub fn parse(name: &str) -> Option<Done> {
        Done::ALL.into_iter().find(|done| done.name() == name)
    }
}

impl Said {
    pub const fn status(self) -> StatusCode {
        match self {
            Said::Refused(_) => StatusCode::CONFLICT,
            Said::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Said::BadEmail => StatusCode::UNPROCESSABLE_ENTITY,
            Said::Done(_) => StatusCode::OK,
        }
    }
}

/// What a form has done before the page is shown.
#[derive(Clone, Copy)]
pub struct Before<'a> {
    /// What is said of it. `None`: nothing was done.
    pub said: Option<Said>,
    /// The e-mail address that was typed, to be typed no second time.
    pub typed: &'a str,
}

impl Before<'_> {
    /// Returns whether the field of the address says it, where it is shown.
    const fn is_of_the_field(self) -> bool {
        matches!(self.said, Some(Said::BadEmail))
    }
}

/// The script that asks how the payment stands.
const FOLLOWS: &str = "/pay/follow.js";

/// The page of an order. `about` says who runs the service.
pub fn page(
    order: &ClientPage,
    token: &str,
    locale: Locale,
    before: Before<'_>,
    (about, sandbox): (Markup, bool),
) -> Markup {
    let words = words(locale);
    let said_above = before
        .said
        .filter(|_| !(before.is_of_the_field() && asks_for_address(order)))
        .filter(|said| still_holds(*said, order));
    frame(
        (words, PageOf::Order),
        Some(&format!("/pay/{token}")),
        Some(FOLLOWS),
        &html! {
            // The address of a form's answer is another one.
            main data-page={ "/pay/" (token) } data-language=(words.language) data-state=(order.state()) data-awaited=(order.is_awaited()) {
                h1 { (words.order) " " (words.number_sign) "\u{a0}" (order.number) }
                p id="changed" class="answer wait" role="status" hidden { (words.changed) " " (again(words, token)) }
                @if let Some(said) = said_above { (say_of(words, locale, said)) }
                (standing(words, locale, order, token))
                p class="sum" { (hryvnias(order.sum, locale)) }
                p {
                    @if order.status.has_money() { (words.paid_at) } @else { (words.total) }
                    @if let Some(commission) = order.commission {
                        ", " (words.with_commission) " " (hryvnias(commission, locale))
                    }
                }
                dl {
                    dt { (words.asks) }
                    dd { (order.notary_name) }
                    dt { (words.actual_payer) }
                    dd { (order.payer) }
                }
                @if order.status == OrderStatus::Paid { (receipts(words, order, token)) }
                // What is paid is read before it is paid.
                (content(words, locale, order))
                @if order.can_pay { (ways(words, locale, order, token)) }
                @if order.writes_letters { (mail(words, order, token, before)) }
                (about)
                p { small {
                    (words.until) " " (kyiv_time(order.ends_at).strftime("%d.%m.%Y, %H:%M")) ". " (words.safe)
                } }
                @if sandbox { p { strong { (words.demonstration) } } }
            }
        },
    )
}

/// The link that shows the page anew.
fn again(words: &Words, token: &str) -> Markup {
    html! { a href={ "/pay/" (token) "?language=" (words.language) } { (words.refresh) } }
}

fn standing(words: &Words, locale: Locale, order: &ClientPage, token: &str) -> Markup {
    let (tone, text) = standing_text(order.standing, locale);
    // It is no time of a refund.
    let paid_at = order
        .paid_at
        .filter(|_| order.standing == ClientStanding::Paid);
    // Who has paid by the codes must not pay with a card.
    let may_try_again = order.can_pay && !order.codes_given;
    let another = match order.standing {
        ClientStanding::Declined if may_try_again => Some(words.another_card),
        ClientStanding::DeclinedPageOpen if may_try_again => Some(words.else_another_card),
        _ => None,
    };
    html! {
        div role="status" class={ "answer " (tone) } {
            p {
                strong {
                    (text)
                    @if let Some(another) = another { " " (another) }
                }
                @if let Some(at) = paid_at {
                    " " (kyiv_time(at).strftime("%d.%m.%Y, %H:%M"))
                }
            }
            @if order.is_closed && !order.status.has_money() {
                p { (refusal(Key::AccountBlocked, locale)) }
            }
            @if let Some(at) = order.answer_expected_at.filter(|_| order.standing == ClientStanding::Processing) {
                p { (words.answer_until) " " (kyiv_time(at).strftime("%d.%m.%Y, %H:%M")) "." }
            }
            @if order.is_awaited() { p { (again(words, token)) } }
        }
    }
}

/// The ways to pay.
fn ways(words: &Words, locale: Locale, order: &ClientPage, token: &str) -> Markup {
    html! {
        form class="inline" action={ "/pay/" (token) "/card" } method="post" {
            input type="hidden" name="language" value=(words.language);
            @if order.codes_given {
                input type="hidden" name="despite_codes" value="1";
                p { strong { (words.codes_were_given) } }
                button { (words.pay_despite_codes) }
            } @else {
                button { (words.pay_by_card) " " (hryvnias(order.sum, locale)) }
            }
            p { small { (words.card_lead) } }
        }
        details {
            summary { (words.codes_title) }
            form class="inline" action={ "/pay/" (token) "/codes" } method="post" {
                input type="hidden" name="language" value=(words.language);
                p { (words.codes_lead) }
                button class="second" {
                    @if order.codes_given { (words.codes_again) } @else { (words.show_codes) }
                }
            }
        }
    }
}

fn receipts(words: &Words, order: &ClientPage, token: &str) -> Markup {
    let address = |kind: &str| {
        format!(
            "/pay/{token}/receipt?kind={kind}&language={}",
            words.language
        )
    };
    html! {
        h2 { (words.receipts) }
        p {
            a href=(address("payment")) { (words.receipt) }
            @if order.commission.is_some() {
                br;
                a href=(address("commission")) { (words.commission_receipt) }
            }
        }
    }
}

/// What is paid for, and who gets which part.
fn content(words: &Words, locale: Locale, order: &ClientPage) -> Markup {
    html! {
        h2 { (words.what_for) }
        ul class="payments" {
            @for payment in &order.payments {
                li {
                    span {
                        (receipt_kind_name(payment.kind, locale))
                        @if let Some(option) = &payment.option { ": " (option.in_locale(locale)) }
                        @if payment.count > 1 { ", " (payment.count) " " (words.units) }
                    }
                    span { (hryvnias(payment.total, locale)) }
                }
            }
        }
        @if !order.parts.is_empty() {
            h2 { (words.to_whom) }
            ul class="payments" {
                @for part in &order.parts {
                    li {
                        div {
                            (part.recipient)
                            @match part.status {
                                // Where the money is counts more than what became of its transfer.
                                Some(_) if part.is_given_back_unsent => small { (words.given_back_unsent) },
                                Some(_) if part.is_given_back => small { (words.given_back) },
                                // A bank has sent it back to the service: it is not on the card.
                                Some(TransferStatus::Returned) => small { (words.returned_to_service) },
                                Some(status) => small { (transfer_status_name(status, locale)) },
                                None => {},
                            }
                            (requisites(words, &part.requisites))
                        }
                        span { (hryvnias(part.amount, locale)) }
                    }
                }
            }
        }
    }
}

/// What a transfer is sent by. Names and purposes are in Ukrainian, whatever the language of the page.
fn requisites(words: &Words, of: &ClientRequisites) -> Markup {
    html! {
        details {
            summary { (words.requisites) }
            dl {
                dt { (words.recipient) }
                dd lang="uk" { (of.name) }
                dt { (words.recipient_code) }
                dd { (of.code) }
                dt { (words.account) }
                dd { (of.iban.grouped()) }
                dt { (words.purpose) }
                dd lang="uk" { (of.purpose) }
            }
        }
    }
}

/// Whether the page asks where the receipt is to be sent. Nothing is promised for an order that can't be paid any more.
fn asks_for_address(order: &ClientPage) -> bool {
    order.writes_letters && order.receipt_to.is_none() && order.standing.receipt_refusal().is_none()
}

/// The consent to the receipt by e-mail. One that was given can always be taken back.
fn mail(words: &Words, order: &ClientPage, token: &str, before: Before<'_>) -> Markup {
    let action = format!("/pay/{token}/mail");
    let is_over = order.standing.receipt_refusal().is_some();
    html! {
        @if let Some(address) = &order.receipt_to {
            h2 { @if is_over { (words.letters_title) } @else { (words.mail_title) } }
            form class="inline" action=(action) method="post" {
                input type="hidden" name="language" value=(words.language);
                input type="hidden" name="stop" value="1";
                p {
                    @if is_over { (words.letters_to) } @else { (words.mail_to) }
                    " " (address) "."
                }
                button class="second" { (words.stop_mail) }
            }
        } @else if !is_over {
            h2 { (words.mail_title) }
            form action=(action) method="post" {
                input type="hidden" name="language" value=(words.language);
                p id="mail-lead" { (mail_lead(words, order)) " " (words.mail_terms) }
                (address_field(words, before))
                p id="mail-agree" { small { (words.agree) } }
                button class="second" { (words.send_receipt) }
            }
        }
    }
}

/// The field of the address, with what was typed and what is wrong with it. Then it has the focus: it stands far below the top of the page.
fn address_field(words: &Words, before: Before<'_>) -> Markup {
    let is_bad = before.is_of_the_field();
    let described_by = if is_bad {
        "mail-error mail-lead mail-agree"
    } else {
        "mail-lead mail-agree"
    };
    let typed = Some(before.typed).filter(|typed| !typed.is_empty());
    html! {
        label for="email" { (words.email) }
        input id="email" name="email" type="email" autocomplete="email" maxlength=(Email::CHARS_MAX) required
            value=[typed] autofocus[is_bad] aria-invalid=[is_bad.then_some("true")] aria-describedby=(described_by);
        @if is_bad { p id="mail-error" class="error" { (words.bad_email) } }
    }
}

/// Returns what is sent, and when.
fn mail_lead(words: &Words, order: &ClientPage) -> &'static str {
    if order.status != OrderStatus::Paid {
        return words.mail_when_paid;
    }
    let is_credited =
        |part: &ClientPart| part.status == Some(TransferStatus::Credited) && !part.is_given_back;
    if !order.parts.is_empty() && order.parts.iter().all(is_credited) {
        words.mail_after_credit
    } else {
        words.mail_at_once
    }
}

/// The page with the QR codes.
pub fn codes(codes: &PaymentCodes, token: &str, locale: Locale) -> Markup {
    let words = words(locale);
    let count = codes.transfers.len();
    frame(
        (words, PageOf::Order),
        None,
        None,
        &html! {
            main {
                h1 { (words.order) " " (words.number_sign) "\u{a0}" (codes.number) }
                div class="answer bad" role="status" {
                    p { strong { (words.codes_warning) } }
                    @if count > 1 { p { (words.codes_how) } }
                }
                @for (index, transfer) in codes.transfers.iter().enumerate() {
                    (code(words, locale, transfer, (index + 1, count)))
                }
                p { (words.codes_total) ": " strong { (hryvnias(codes.total, locale)) } }
                p { a href={ "/pay/" (token) "?language=" (words.language) } { (words.back) } }
            }
        },
    )
}

fn code(
    words: &Words,
    locale: Locale,
    transfer: &CodedTransfer,
    (number, count): (usize, usize),
) -> Markup {
    let drawn = transfer
        .link
        .as_ref()
        .and_then(|link| Some((link, Symbol::of(link)?)));
    html! {
        section class="code" {
            h2 {
                @if count > 1 { (number) "/" (count) ". " }
                (transfer.recipient_name) " – " (hryvnias(transfer.amount, locale))
            }
            @if let Some((link, symbol)) = &drawn {
                (picture(symbol, &format!("{} {number}", words.code_of)))
                p { a href=(link.as_str()) rel="noreferrer" { (words.open_in_bank) } }
            } @else {
                p { (words.no_code) }
            }
        }
    }
}

/// A code with the hryvnia sign in a white circle in its middle.
fn picture(symbol: &Symbol, label: &str) -> Markup {
    let whole = symbol.side + 2 * ZONE;
    // In tenths of a module, so that halves are whole numbers.
    let (middle, across) = (symbol.side * 5, usize::from(symbol.sign_across));
    let tenths = |value: usize| format!("{}.{}", value / 10, value % 10);
    let middle = tenths(middle);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label=(label)
            viewBox={ "-" (ZONE) " -" (ZONE) " " (whole) " " (whole) } {
            rect x={ "-" (ZONE) } y={ "-" (ZONE) } width=(whole) height=(whole) fill="#fff" {}
            path d=(symbol.path()) fill="#000" shape-rendering="crispEdges" {}
            circle cx=(middle) cy=(middle) r=(tenths(across * 5)) fill="#fff" {}
            text x=(middle) y=(middle) dy="0.36em" text-anchor="middle" font-size=(tenths(across * 84 / 10))
                font-weight="600" fill="#000" aria-hidden="true" { "₴" }
        }
    }
}

/// What came of digits that were entered on the page of a letter, where it is no receipt.
#[derive(Clone, Copy)]
pub enum OfDigits {
    /// They are no four digits.
    Unreadable,
    /// They are others.
    Wrong,
    /// The page does not ask for them, and says why.
    NotAsked,
    /// The receipt was asked for too often.
    TooMany,
    /// The receipt can't be had now.
    Refused(Key),
}

impl OfDigits {
    pub const fn status(self) -> StatusCode {
        match self {
            OfDigits::Unreadable | OfDigits::Wrong => StatusCode::UNPROCESSABLE_ENTITY,
            OfDigits::NotAsked | OfDigits::Refused(_) => StatusCode::CONFLICT,
            OfDigits::TooMany => StatusCode::TOO_MANY_REQUESTS,
        }
    }

    /// Returns what is said at the field, else above it.
    const fn text(
        self,
        words: &Words,
        locale: Locale,
    ) -> (Option<&'static str>, Option<&'static str>) {
        match self {
            OfDigits::Unreadable => (Some(words.bad_digits), None),
            OfDigits::Wrong => (Some(words.wrong_digits), None),
            OfDigits::NotAsked => (None, None),
            OfDigits::TooMany => (None, Some(words.too_many)),
            OfDigits::Refused(key) => (None, Some(refusal(key, locale))),
        }
    }
}

/// The page of a letter: the receipt, and the way out.
pub fn letters(
    order: LetterOrder,
    token: &str,
    locale: Locale,
    (said, typed): (Option<OfDigits>, &str),
) -> Markup {
    let words = words(locale);
    let page = format!("/letters/{token}");
    let (at_field, above) = said.map_or((None, None), |said| said.text(words, locale));
    frame(
        (words, PageOf::Letter),
        Some(&page),
        None,
        &html! {
            main {
                h1 { (words.order) " " (words.number_sign) "\u{a0}" (order.number) }
                @if let Some(text) = above { (say("bad", text, &html! {})) }
                h2 { (words.letter_receipt) }
                @match order.receipt {
                    LetterReceipt::Asked => (digits(words, &page, at_field, typed)),
                    LetterReceipt::Attached => p { (words.receipt_attached) },
                    LetterReceipt::Ended => p { (words.receipt_ended) },
                    LetterReceipt::UsedUp => p { (words.receipt_used_up) },
                    LetterReceipt::Refunded => p { (standing_text(ClientStanding::Refunded, locale).1) },
                }
                h2 { (words.letters_title) }
                @if order.is_on {
                    form class="inline" action=(page) method="post" {
                        input type="hidden" name="language" value=(words.language);
                        p { (words.letters_question) }
                        button class="second" { (words.letters_stop) }
                    }
                } @else {
                    (say("good", words.letters_off, &html! {}))
                }
            }
        },
    )
}

/// What is entered for the receipt, with what is wrong with it.
fn digits(words: &Words, page: &str, error: Option<&str>, typed: &str) -> Markup {
    let described_by = match error {
        Some(_) => "digits-error digits-lead",
        None => "digits-lead",
    };
    let typed = Some(typed).filter(|typed| !typed.is_empty());
    html! {
        form action={ (page) "/receipt" } method="post" {
            input type="hidden" name="language" value=(words.language);
            p id="digits-lead" { (words.digits_lead) }
            label for="digits" { (words.digits) }
            input id="digits" name="digits" inputmode="numeric" autocomplete="off" required
                value=[typed] autofocus[error.is_some()] aria-invalid=[error.map(|_| "true")] aria-describedby=(described_by);
            @if let Some(error) = error { p id="digits-error" class="error" { (error) } }
            button { (words.receipt) }
        }
    }
}

/// The answer to every token that opens nothing.
pub fn nothing(of: PageOf, locale: Locale) -> Markup {
    let words = words(locale);
    let lead = html! { p { (words.nothing_lead) } };
    alone(words, of, words.nothing, &lead)
}

/// The answer to a client who comes back from the bank's page while the link opens nothing any more.
pub fn after_bank(locale: Locale) -> Markup {
    let words = words(locale);
    frame(
        (words, PageOf::Order),
        None,
        None,
        &html! {
            main {
                h1 { (words.title) }
                (say("wait", words.after_bank, &html! { p { (words.after_bank_lead) } }))
                p { small { a href="/archive" { (words.to_cabinet) } } }
            }
        },
    )
}

pub fn too_many(of: PageOf, locale: Locale) -> Markup {
    let words = words(locale);
    alone(words, of, words.too_many, &html! {})
}

/// A page that can't be read now. That of an order asks again by itself; on that of a letter something may be typed.
pub fn broken(of: PageOf, locale: Locale, token: &str) -> Markup {
    let words = words(locale);
    if let PageOf::Letter = of {
        return alone(words, of, words.broken, &html! {});
    }
    frame(
        (words, of),
        None,
        Some(FOLLOWS),
        &html! {
            main data-page={ "/pay/" (token) } data-language=(words.language) data-state="" data-awaited="true" {
                h1 { (words.title) }
                (say("wait", words.broken, &html! { p { (again(words, token)) } }))
            }
        },
    )
}

fn alone(words: &Words, of: PageOf, text: &str, more: &Markup) -> Markup {
    frame(
        (words, of),
        None,
        None,
        &html! {
            main {
                h1 { (of.title(words)) }
                (say("bad", text, more))
            }
        },
    )
}

/// The frame of all these pages. `page`: the address of one that can be shown in the other language.
fn frame(
    (words, of): (&Words, PageOf),
    page: Option<&str>,
    script: Option<&str>,
    main: &Markup,
) -> Markup {
    let whole = Page {
        language: words.language,
        title: &format!("{} – {}", of.title(words), words.product),
        description: None,
        style: "/pay/style.css",
        script,
        body: html! {
            nav {
                p { (words.product) }
                @if let Some(page) = page {
                    a href={ (page) "?language=" (words.other) } lang=(words.other) { (words.other_name) }
                }
            }
            (main)
        },
    };
    whole.html()
}

/// Returns whether what is said is true of the page as it is now: its address may be opened again much later.
const fn still_holds(said: Said, order: &ClientPage) -> bool {
    match said {
        Said::Done(Done::MailAgreed) => order.receipt_to.is_some(),
        Said::Done(Done::MailStopped) => order.receipt_to.is_none(),
        Said::Refused(_) | Said::TooMany | Said::BadEmail => true,
    }
}

fn say_of(words: &Words, locale: Locale, said: Said) -> Markup {
    let (tone, text) = match said {
        Said::Refused(key) => ("bad", refusal(key, locale)),
        Said::TooMany => ("bad", words.too_many),
        Said::BadEmail => ("bad", words.bad_email),
        Said::Done(Done::MailAgreed) => ("good", words.mail_agreed),
        Said::Done(Done::MailStopped) => ("good", words.mail_stopped),
    };
    say(tone, text, &html! {})
}

fn say(tone: &str, text: &str, more: &Markup) -> Markup {
    html! {
        div role="status" class={ "answer " (tone) } {
            p { strong { (text) } }
            (more)
        }
    }
}

fn hryvnias(sum: Money, locale: Locale) -> String {
    let figures = sum.display(locale);
    match locale {
        Locale::Uk => format!("{figures}\u{a0}грн"),
        Locale::En => format!("{figures}\u{a0}UAH"),
    }
}
