//! The link by which a client pays an order without a login: what it shows, what it may do, and that everything else opens nothing.

use axum::http::Method;
use cabinet_app::operator::erasure::Reason;
use cabinet_app::testing::letter_with_receipt;
use cabinet_domain::{Iban, OperatorReason, OrderId, Phone, TransferStatus};
use cabinet_test_kit::{
    Answer, Fault, FaultKind, FaultService, PaymentKind, Person, SLOW_CARD_SECONDS, TestApp, ZORIA,
    on_both_databases,
};
use serde_json::{Value, json};

use crate::receipts::{assert_contains_all, document};
use crate::saved_cards;
use crate::transfers::{ids, import, list};
use crate::two_charges;

const CARD: &str = "4242424242424242";
/// A card that the sandbox's bank declines.
const DECLINED: &str = "4000000000000002";

/// The id of an order.
fn id(order: &Value) -> &str {
    order["id"].as_str().unwrap()
}

/// Makes a link and returns its path, as a client opens it.
pub async fn link(notary: &Person, order: &Value) -> String {
    made(notary, order).await.0
}

/// Makes a link. Returns the path of its page and its token.
async fn made(notary: &Person, order: &Value) -> (String, String) {
    let path = format!("/order/{}/client-link", id(order));
    let made = notary.post(&path, json!({})).await.ok();
    let url = made["url"].as_str().unwrap();
    assert_eq!(made["picture"]["link"], url, "the code carries the address");
    assert_eq!(made["picture"]["sign_across"], 0);
    let path = url.find("/pay/").map(|at| url[at..].to_owned()).unwrap();
    (path, made["token"].as_str().unwrap().to_owned())
}

/// Sends a form of the page. Where that leads back to the page, the page is the answer.
async fn send(person: &Person, path: &str, form: &str) -> Answer {
    let answer = person.page_call(path).form(form).send().await;
    match answer.header("location") {
        page if page.starts_with("/pay/") => person.page(page).await,
        _ => answer,
    }
}

/// Returns the page that a letter about a receipt leads to.
fn page_of(letter: &str) -> String {
    let line = letter
        .lines()
        .find_map(|line| Some(&line[line.find("/letters/")?..]));
    line.unwrap().to_owned()
}

/// Returns the texts of the letters to an address.
fn letters_to(app: &TestApp, address: &str) -> Vec<String> {
    let letters = app.outside().letters().into_iter();
    letters
        .filter(|letter| letter.to == address)
        .map(|letter| letter.text)
        .collect()
}

/// Asserts that an answer is the one of a link that opens nothing.
fn opens_nothing(answer: &Answer, of_wrong: &Answer) {
    assert_eq!(answer.status, 404, "{}", answer.text());
    assert_eq!(answer.text(), of_wrong.text());
    for header in [
        "cache-control",
        "referrer-policy",
        "x-robots-tag",
        "set-cookie",
    ] {
        assert_eq!(answer.header(header), of_wrong.header(header), "{header}");
    }
}

/// Every request that a link takes.
async fn all_requests(person: &Person, path: &str) -> Vec<Answer> {
    vec![
        person.page(path).await,
        person.page(&format!("{path}/state")).await,
        person.page(&format!("{path}/receipt")).await,
        send(person, &format!("{path}/card"), "").await,
        send(person, &format!("{path}/codes"), "").await,
        send(person, &format!("{path}/mail"), "email=a@b.example").await,
        send(person, &format!("{path}/mail"), "stop=1").await,
    ]
}

async fn assert_opens_nothing(app: &TestApp, path: &str) {
    let client = app.anonymous();
    let wrong = client.page(&format!("/pay/{}", "A".repeat(24))).await;
    for answer in all_requests(&client, path).await {
        opens_nothing(&answer, &wrong);
    }
}

async fn ordered(app: &TestApp, kind: PaymentKind) -> (Person, Value) {
    let olena = app.notary("olena").await;
    olena.add(kind).await;
    let order = olena.order_cart().await;
    (olena, order)
}

on_both_databases! {
    async fn a_client_sees_what_is_paid_pays_and_takes_the_receipt(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let cart = olena.get("/cart").await.ok();
        let order = olena.order_cart().await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        let page = client.page(&path).await;
        assert_eq!(page.status, 200);
        let text = page.text();
        let (_, notary, _) = Person::facts("olena");
        let shown = olena.order(&order).await;
        let name = shown["client"]["full_name"].as_str().unwrap();
        let code = shown["client"]["inn"].as_str().unwrap();
        for part in [notary, order["number"].as_str().unwrap(), "Адміністративний збір", "Очікує оплати", "Сплатити карткою"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains(name) && !text.contains(code), "the payer is masked");
        // What is sent to whom can be read before it is paid, as in the cart.
        let initials: Vec<String> = name.split(' ').map(|word| word.chars().take(1).chain(['.']).collect()).collect();
        let pay = text.find("Сплатити карткою").unwrap();
        let transfers = &cart["groups"][0]["items"][0]["transfers"];
        assert_eq!(transfers.as_array().unwrap().len(), 2);
        for transfer in transfers.as_array().unwrap() {
            let iban = Iban::parse(transfer["iban"].as_str().unwrap()).unwrap().grouped();
            let purpose = transfer["purpose"].as_str().unwrap();
            assert!(purpose.contains(code) && purpose.contains(name), "{purpose}");
            let shown = purpose.replace(code, &format!("…{}", &code[code.len() - 4..])).replace(name, &initials.join(" "));
            for part in [transfer["recipient_name"].as_str().unwrap(), transfer["recipient_code"].as_str().unwrap(), &iban, &shown] {
                assert!(text.find(part).is_some_and(|place| place < pay), "{part}: {text}");
            }
        }
        assert!(client.page(&format!("{path}?language=en")).await.text().contains("Awaiting payment"));
        let headers = ["cache-control", "referrer-policy", "x-robots-tag"].map(|name| page.header(name));
        assert_eq!(headers, ["no-store", "no-referrer", "noindex, nofollow, noarchive"]);
        assert!(page.header("content-security-policy").contains("script-src 'self'"));
        // The page that was made with the order is given, because it is still open.
        let to_bank = send(&client, &format!("{path}/card"), "language=uk").await;
        assert_eq!(to_bank.status, 303, "{}", to_bank.text());
        assert_eq!(to_bank.header("location"), order["widget_url"].as_str().unwrap());
        assert_eq!(to_bank.header("referrer-policy"), "no-referrer");
        assert_eq!(app.outside().invoices().await.len(), 1);
        assert_eq!(app.outside().pay(to_bank.header("location"), CARD).await, "success");
        olena.until(&order, "paid").await;
        // The acquirer leads back to the page of the order; the cookie leads on to that of the link.
        let back = format!("/order/{}/payment-status", id(&order));
        let set = to_bank.header("set-cookie").to_owned();
        assert!(set.contains(&format!("Path={back}")) && set.contains("HttpOnly") && set.contains("SameSite=Lax"), "{set}");
        let cookie = set.split(';').next().unwrap();
        let returned = client.page_call(&back).header("cookie", cookie).send().await;
        assert_eq!((returned.status, returned.header("location")), (303, format!("{path}?language=uk").as_str()));
        // In the language in which the client pressed the button.
        let english = cookie.replace(".uk", ".en");
        let returned = client.page_call(&back).header("cookie", &english).send().await;
        assert_eq!(returned.header("location"), format!("{path}?language=en"));
        assert_ne!(client.page(&back).await.status, 303, "without the cookie it is the cabinet's own page");
        let paid = client.page(&path).await.text();
        assert!(paid.contains("Сплачено.") && paid.contains("Квитанція про сплату") && !paid.contains("Сплатити карткою"), "{paid}");
        let receipt = client.page(&format!("{path}/receipt")).await;
        document(&receipt, &format!("Receipt-{}-payment.pdf", id(&order)));
        assert_eq!(client.page(&format!("{path}/receipt?kind=commission")).await.header("content-type"), "application/pdf");
        app.finish_and_check().await;
    }

    async fn a_client_is_told_who_runs_the_service_and_what_becomes_of_the_data(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RequisitesPayment).await;
        let path = link(&olena, &order).await;
        for (language, parts) in [
            ("uk", ["код за ЄДРПОУ 32855961", "Володілець персональних даних", "№ 2297-VI", "Кому передаються"]),
            ("en", ["EDRPOU code 32855961", "Owner of the personal data", "No. 2297-VI", "Who gets them"]),
        ] {
            let page = app.anonymous().page(&format!("{path}?language={language}")).await.text();
            let contacts = app.services().settings.support.clone();
            assert_contains_all(&page, &parts);
            assert_contains_all(&page, &["ТОВ «Кабінет»", "м. Київ, вул. Перша, 1", &contacts.phone, &contacts.email]);
        }
    }

    async fn a_company_that_pays_is_named(app: TestApp) {
        let olena = app.notary("olena").await;
        let of_company = olena.form_for(PaymentKind::RegistryPayment, ZORIA).await;
        olena.add_payment(&of_company).await;
        let order = olena.order_cart().await;
        let path = link(&olena, &order).await;
        let page = app.anonymous().page(&path).await.text();
        // The operator of the tests has the same code, and stands below.
        let (of_order, _) = page.split_once("Хто надає послугу").unwrap();
        assert!(of_order.contains(&format!("<dd>{}</dd>", ZORIA.full_name)) && !of_order.contains(ZORIA.inn), "{page}");
    }

    async fn after_a_decline_another_card_is_proposed_unless_codes_were_given(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        assert_eq!(app.outside().pay(order["widget_url"].as_str().unwrap(), DECLINED).await, "failure");
        olena.until(&order, "failed").await;
        let page = client.page(&path).await.text();
        assert!(page.contains("банк відхилив картку, за нею кошти не списано. Якщо Ви вже сплатили іншою карткою, не платіть ще раз: сторінка покаже результат автоматично. Якщо ні, спробуйте іншу картку.</strong>"), "{page}");
        assert!(client.page(&format!("{path}?language=en")).await.text().contains("If not, try another card."));
        assert_eq!(send(&client, &format!("{path}/codes"), "").await.status, 200);
        let to_bank = send(&client, &format!("{path}/card"), "despite_codes=1").await;
        assert_eq!(app.outside().pay(to_bank.header("location"), DECLINED).await, "failure");
        olena.until(&order, "failed").await;
        let page = client.page(&path).await.text();
        assert!(page.contains("покаже результат автоматично.</strong>") && page.contains("видано QR-коди"), "{page}");
        assert!(!page.contains("іншу картку"), "{page}");
        app.finish_and_check().await;
    }

    async fn while_the_order_cannot_be_read_the_page_asks_again_by_itself(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let (path, token) = made(&olena, &order).await;
        let client = app.anonymous();
        app.execute("alter table client_links rename to client_links_away".to_owned()).await;
        let page = client.page(&format!("{path}?language=en")).await;
        assert_eq!(page.status, 503);
        for part in [format!("data-page=\"{path}\""), format!("href=\"{path}?language=en\""), "data-awaited=\"true\"".to_owned(), "/pay/follow.js".to_owned()] {
            assert!(page.text().contains(&part), "{part}: {}", page.text());
        }
        // The cabinet's own page would want a login.
        let back = format!("/order/{}/payment-status", id(&order));
        let returned = client.page_call(&back).header("cookie", &format!("client_link={token}.en")).send().await;
        assert_eq!(returned.header("location"), format!("{path}?language=en"));
        app.execute("alter table client_links_away rename to client_links".to_owned()).await;
        assert_eq!(client.page(&path).await.status, 200);
        app.skip_final_check();
    }

    async fn the_answer_of_a_form_follows_the_order_at_the_address_of_its_page(app: TestApp) {
        let (notary, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&notary, &order).await;
        let answer = send(&notary, &format!("{path}/mail"), "email=a@b.example").await;
        let text = answer.text();
        assert!(text.contains(&format!("data-page=\"{path}\"")), "{text}");
        assert!(!text.contains("href=\"\""), "{text}");
        for form in ["card", "codes", "mail"] {
            let again = notary.page(&format!("{path}/{form}")).await;
            assert_eq!((again.status, again.header("location")), (303, path.as_str()));
        }
    }

    async fn a_paid_link_gives_the_receipt_only_for_a_day(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        olena.pay(&order).await;
        let client = app.anonymous();
        app.clock().advance_seconds(24 * 3_600 - 60);
        document(&client.page(&format!("{path}/receipt")).await, &format!("Receipt-{}-payment.pdf", id(&order)));
        app.clock().advance_seconds(120);
        assert_opens_nothing(&app, &path).await;
        olena.log_in().await;
        let view = olena.get(&format!("/order/{}/client-link", id(&order))).await.ok();
        assert_eq!(view["state"], "ended");
        app.finish_and_check().await;
    }

    async fn only_the_link_in_force_opens_its_order(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let (first, token) = made(&olena, &order).await;
        let client = app.anonymous();
        assert_eq!(client.page(&first).await.status, 200);
        assert!(!app.stores(&token).await, "only the hash is stored");
        for wrong in ["x", &"A".repeat(24), &format!("{token}A"), &token[..23], &token.to_lowercase(), id(&order), &"A".repeat(5_000)] {
            assert_opens_nothing(&app, &format!("/pay/{wrong}")).await;
        }
        // A new one replaces the old.
        let second = link(&olena, &order).await;
        assert_opens_nothing(&app, &first).await;
        assert_eq!(client.page(&second).await.status, 200);
        let call = format!("/order/{}/client-link", id(&order));
        let withdrawn = olena.post(&format!("{call}/withdraw"), json!({})).await.ok();
        assert_eq!(withdrawn["state"], "withdrawn");
        assert_opens_nothing(&app, &second).await;
        let third = olena.post(&call, json!({ "hours": 1 })).await.ok();
        assert_eq!(third["link"]["ends_at"], "2026-03-02T10:00:00Z");
        let third = format!("/pay/{}", third["token"].as_str().unwrap());
        app.clock().set("2026-03-02T09:59:59Z");
        assert_eq!(client.page(&third).await.status, 200);
        app.clock().set("2026-03-02T10:00:01Z");
        assert_opens_nothing(&app, &third).await;
        olena.log_in().await;
        assert_eq!(olena.get(&call).await.ok()["state"], "ended");
        assert_eq!(app.outside().invoices().await.len(), 1, "nothing that opens nothing has reached the acquirer");
        app.finish_and_check().await;
    }

    async fn a_link_is_made_only_for_an_unpaid_order_of_the_notarys_own(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let taras = app.notary("taras").await;
        let call = format!("/order/{}/client-link", id(&order));
        let (path, token) = made(&olena, &order).await;
        for path in [call.clone(), format!("{call}/withdraw"), format!("/order/{}/receipt-mail/stop", id(&order))] {
            taras.post(&path, json!({})).await.refused(404, "order_not_found");
        }
        taras.get(&call).await.refused(404, "order_not_found");
        let sending = json!({ "token": token, "phone": "0501234567" });
        taras.post(&format!("{call}/send"), sending.clone()).await.refused(404, "order_not_found");
        taras.post(&format!("/order/{}/receipt-mail", id(&order)), json!({ "email": "a@b.example" })).await.refused(404, "order_not_found");
        // His own order does not open by her token, and her link is not sent for his.
        taras.add(PaymentKind::RegistryPayment).await;
        let of_taras = taras.order_cart().await;
        let sent = taras.post(&format!("/order/{}/client-link/send", id(&of_taras)), sending).await;
        sent.refused(409, "client_link_gone");
        assert!(app.outside().messages("+380501234567").is_empty());
        app.anonymous().call(Method::POST, &call).json(&json!({})).send().await.refused(401, "unauthorized");
        for hours in [json!(0), json!(73), json!("x"), json!(1.5)] {
            let answer = olena.post(&call, json!({ "hours": hours })).await;
            assert_eq!(answer.status, 422, "{}", answer.text());
            assert!(answer.fields().contains_key("hours"));
        }
        assert_eq!(app.anonymous().page(&path).await.status, 200, "a refused one replaces nothing");
        olena.pay(&order).await;
        olena.post(&call, json!({})).await.refused(409, "order_not_payable");
        app.finish_and_check().await;
    }

    async fn two_presses_make_one_page_and_the_old_page_is_closed_first(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        assert_eq!(app.outside().pay(order["widget_url"].as_str().unwrap(), "4000000000000002").await, "failure");
        olena.until(&order, "failed").await;
        let press = || {
            let (client, path) = (app.anonymous(), format!("{path}/card"));
            tokio::spawn(async move { send(&client, &path, "").await })
        };
        let (one, other) = (press(), press());
        let answers = [one.await.unwrap(), other.await.unwrap()];
        let pages: Vec<&str> = answers.iter().filter(|answer| answer.status == 303).map(|answer| answer.header("location")).collect();
        assert!(!pages.is_empty(), "{} {}", answers[0].text(), answers[1].text());
        assert!(pages.iter().all(|page| *page == pages[0]), "{pages:?}");
        assert_eq!(app.outside().pay(order["widget_url"].as_str().unwrap(), CARD).await, "the invoice is expired");
        assert_eq!(app.outside().pay(pages[0], CARD).await, "success");
        olena.until(&order, "paid").await;
        let again = send(&app.anonymous(), &format!("{path}/card"), "").await;
        assert_eq!(again.status, 409, "a paid order is not paid again");
        app.finish_and_check().await;
    }

    async fn codes_close_the_card_and_the_payer_must_say_that_nobody_paid_by_them(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        let codes = send(&client, &format!("{path}/codes"), "language=uk").await;
        assert_eq!(codes.status, 200, "{}", codes.text());
        assert!(codes.text().contains("<svg") && codes.text().contains("https://bank.gov.ua/qr/"));
        assert_eq!(app.outside().pay(order["widget_url"].as_str().unwrap(), CARD).await, "the invoice is expired");
        assert!(olena.order(&order).await["codes_given_at"].is_string());
        let refused = send(&client, &format!("{path}/card"), "language=uk").await;
        assert_eq!(refused.status, 409);
        assert!(refused.text().contains("видано QR-коди"));
        assert_eq!(app.outside().invoices().await.len(), 1);
        let paid = send(&client, &format!("{path}/card"), "despite_codes=1").await;
        assert_eq!(app.outside().pay(paid.header("location"), CARD).await, "success");
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn changed_terms_send_the_order_back_to_its_notary(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        // Older than an order may be, with its link kept open by hand.
        app.execute("update client_links set ends_at = ends_at + (ends_at - made_at) * 20".to_owned()).await;
        app.clock().advance_seconds(31 * 24 * 3_600);
        app.work().await;
        let client = app.anonymous();
        let refused = send(&client, &format!("{path}/card"), "").await;
        assert_eq!(refused.status, 409, "{}", refused.text());
        assert!(refused.text().contains("Умови оплати змінилися"), "{}", refused.text());
        let page = client.page(&path).await.text();
        assert!(!page.contains("Сплатити карткою") && !page.contains("name=\"email\""), "{page}");
        let refused = send(&client, &format!("{path}/mail"), "email=klient%40example.com").await;
        assert!(refused.status == 409 && refused.text().contains("Умови оплати змінилися"), "{}", refused.text());
        app.finish_and_check().await;
    }

    async fn nobody_pays_beside_a_charge_of_the_notarys_card_or_confirms_it(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = saved_cards::pay_with(&olena, "4000000000003063").await;
        let confirmation = order["widget_url"].as_str().unwrap();
        assert!(confirmation.ends_with("/3ds"));
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        let page = client.page(&path).await.text();
        assert!(page.contains("Оплата обробляється") && !page.contains("Сплатити карткою") && !page.contains("QR"), "{page}");
        for action in ["card", "codes"] {
            let refused = send(&client, &format!("{path}/{action}"), "").await;
            assert_eq!(refused.status, 409, "{action}");
            assert!(refused.text().contains("Не платіть ще раз") && !refused.text().contains("3ds"), "{}", refused.text());
        }
        let own = olena.get(&format!("/order/{}/update/pay-link", id(&order))).await.ok();
        assert_eq!(own["widget_url"], confirmation, "the notary gets to her confirmation");
        app.outside().answer_three_d_secure(confirmation, true).await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn while_the_bank_is_at_work_the_client_has_no_button(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        let before = client.page(&format!("{path}/state")).await.text();
        app.keep_reports();
        assert_eq!(app.outside().pay(order["widget_url"].as_str().unwrap(), "4000000000000259").await, "processing");
        let page = client.page(&path).await.text();
        assert!(page.contains("Оплата обробляється") && !page.contains("Сплатити карткою") && !page.contains("QR"), "{page}");
        assert!(page.contains("data-awaited"), "the page goes on asking");
        assert_ne!(client.page(&format!("{path}/state")).await.text(), before);
        app.clock().advance_seconds(SLOW_CARD_SECONDS);
        assert!(client.page(&path).await.text().contains("Сплачено."));
        app.finish_and_check().await;
    }

    async fn an_open_page_learns_of_a_payment_whose_report_was_lost(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        let at_bank = order["widget_url"].as_str().unwrap();
        assert_eq!(app.outside().pay(at_bank, DECLINED).await, "failure");
        olena.until(&order, "failed").await;
        let page = client.page(&path).await.text();
        assert!(page.contains("data-awaited=\"true\"") && !page.contains("Кошти не списано"), "{page}");
        let state = || async { client.page(&format!("{path}/state")).await.text() };
        let before = state().await;
        app.keep_reports();
        assert_eq!(app.outside().pay(at_bank, CARD).await, "success");
        app.clock().advance_seconds(15);
        assert_ne!(state().await, before, "the acquirer is asked, although its report did not come");
        assert!(client.page(&path).await.text().contains("Сплачено."));
        app.finish_and_check().await;
    }

    async fn who_comes_back_from_the_bank_by_a_link_that_is_gone_is_told_not_to_pay_again(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let (_, token) = made(&olena, &order).await;
        let client = app.anonymous();
        let back = async |language: &str| {
            let call = client.page_call(&format!("/order/{}/payment-status", id(&order)));
            call.header("cookie", &format!("client_link={token}.{language}")).send().await
        };
        // A new link replaces it.
        link(&olena, &order).await;
        let told = back("uk").await;
        assert_eq!(told.status, 200);
        assert!(told.text().contains("Не платіть ще раз") && told.text().contains("за новим посиланням"), "{}", told.text());
        for personal in [order["number"].to_string().as_str(), id(&order), token.as_str(), "Олена"] {
            assert!(!told.text().contains(personal), "{personal}");
        }
        assert!(back("en").await.text().contains("Do not pay again"));
        olena.post(&format!("/order/{}/client-link/withdraw", id(&order)), json!({})).await.ok();
        assert!(back("uk").await.text().contains("Не платіть ще раз"));
        app.finish_and_check().await;
    }

    async fn money_that_came_for_a_cancelled_order_is_shown_as_paid(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, forgotten, _) = two_charges::order_with_two_invoices(&app, &olena).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        olena.post(&format!("/order/{}/cancel", id(&order)), json!({ "return_items": true })).await.ok();
        let page = client.page(&path).await.text();
        assert!(page.contains("Замовлення скасовано") && !page.contains("Умови оплати змінилися"), "{page}");
        assert!(!page.contains("Сплатити карткою") && !page.contains("QR"), "{page}");
        two_charges::pay(&app, &forgotten).await;
        let page = client.page(&path).await.text();
        assert!(page.contains("Сплачено.") && page.contains("Квитанція про сплату"), "{page}");
        assert!(!page.contains("сплатити вже не можна"), "{page}");
        assert!(client.page(&format!("{path}?language=en")).await.text().contains("Paid."));
        app.finish_and_check().await;
    }

    async fn a_cancelled_order_is_offered_to_nobody(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let (path, token) = made(&olena, &order).await;
        let client = app.anonymous();
        assert!(client.page(&path).await.text().contains("Сплатити карткою"));
        let shown = client.page(&format!("{path}/state")).await.text();
        let mail = format!("{path}/mail");
        assert_eq!(send(&client, &mail, "email=klient%40example.com").await.status, 200);
        olena.post(&format!("/order/{}/cancel", id(&order)), json!({ "return_items": false })).await.ok();
        assert_ne!(client.page(&format!("{path}/state")).await.text(), shown, "the open page is told");
        let page = client.page(&path).await.text();
        assert!(page.contains("Замовлення скасовано") && !page.contains("Ще не сплачено"), "{page}");
        assert!(!page.contains("Сплатити карткою") && !page.contains("Показати QR-коди"), "{page}");
        assert!(client.page(&format!("{path}?language=en")).await.text().contains("The order was cancelled"));
        // What was agreed to before is taken back, and asked for no more.
        assert!(page.contains("Листи про замовлення надсилаємо на k•••@example.com."), "{page}");
        let stopped = send(&client, &mail, "stop=1").await.text();
        assert!(stopped.contains("більше не буде") && !stopped.contains("Листи про замовлення") && !stopped.contains("name=\"email\""), "{stopped}");
        let refused = send(&client, &mail, "email=klient%40example.com").await;
        assert!(refused.status == 409 && refused.text().contains("Замовлення скасовано"), "{}", refused.text());
        assert_eq!(app.rows("receipt_consents").await, 0);
        for action in ["card", "codes"] {
            let refused = send(&client, &format!("{path}/{action}"), "").await;
            assert!(refused.status == 409 && refused.text().contains("Замовлення скасовано"), "{action}: {}", refused.text());
        }
        let call = format!("/order/{}/client-link", id(&order));
        olena.post(&call, json!({})).await.refused(409, "order_cancelled");
        olena.post(&format!("{call}/send"), json!({ "token": token, "phone": "0501234567" })).await.refused(409, "order_cancelled");
        app.work().await;
        assert!(app.outside().messages("+380501234567").is_empty());
        app.finish_and_check().await;
    }

    async fn a_blocked_notary_gets_no_payments_and_an_erased_client_no_page(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        app.execute("update notaries set standing = 'blocked'".to_owned()).await;
        let page = client.page(&path).await;
        assert_eq!(page.status, 200);
        assert!(!page.text().contains("Сплатити карткою") && page.text().contains("Зверніться до нотаріуса"));
        assert!(!page.text().contains("заблок"), "why is nobody's business");
        for action in ["card", "codes"] {
            let refused = send(&client, &format!("{path}/{action}"), "").await;
            assert_eq!(refused.status, 409, "{action}");
        }
        app.execute("update notaries set standing = 'confirmed'".to_owned()).await;
        assert!(client.page(&path).await.text().contains("Сплатити карткою"));
        assert_eq!(send(&client, &format!("{path}/mail"), "email=klient@example.com").await.status, 200);
        assert!(app.stores("klient@example.com").await);
        let (path, token) = made(&olena, &order).await;
        let sending = format!("/order/{}/client-link/send", id(&order));
        olena.post(&sending, json!({ "token": token, "phone": "0501234567" })).await.ok();
        let (phone, name) = (Phone::parse(olena.phone()).unwrap(), olena.order(&order).await["client"]["full_name"].as_str().unwrap().to_owned());
        app.services().operator.erasure().erase_client(phone, &name, Reason::Request, app.services().now()).await.unwrap();
        assert_opens_nothing(&app, &path).await;
        assert_eq!((app.rows("client_links").await, app.rows("receipt_consents").await), (0, 0));
        app.work().await;
        assert!(app.outside().messages("+380501234567").is_empty(), "what had not left yet is not sent");
    }

    async fn what_had_not_left_goes_with_the_link(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        app.work().await;
        let call = format!("/order/{}/client-link", id(&order));
        let waiting = || app.number("select count(*) from outbox where payload like '%501234567%' or payload like '%klient@%'".to_owned());
        let send_both = async || {
            let (_, token) = made(&olena, &order).await;
            for to in [json!({ "phone": "0501234567" }), json!({ "email": "klient@example.com" })] {
                let mut body = to;
                body["token"] = json!(token);
                olena.post(&format!("{call}/send"), body).await.ok();
            }
        };
        olena.post(&format!("/order/{}/receipt-mail", id(&order)), json!({ "email": "klient@example.com" })).await.ok();
        send_both().await;
        assert_eq!(waiting().await, 2);
        made(&olena, &order).await;
        assert_eq!(waiting().await, 0, "the link was replaced");
        send_both().await;
        olena.post(&format!("{call}/withdraw"), json!({})).await.ok();
        assert_eq!(waiting().await, 0, "the link was withdrawn");
        app.work().await;
        assert!(app.outside().messages("+380501234567").is_empty());
        // A message that was given up holds phone and link no longer than others.
        let (_, token) = made(&olena, &order).await;
        olena.post(&format!("{call}/send"), json!({ "token": token, "phone": "0501234567" })).await.ok();
        app.execute("update outbox set parked_at = created_at where delivered_at is null".to_owned()).await;
        app.clock().advance_seconds(29 * 24 * 3_600);
        app.work().await;
        assert_eq!(waiting().await, 1);
        app.clock().advance_seconds(2 * 24 * 3_600);
        app.work().await;
        assert_eq!(waiting().await, 0);
    }

    async fn no_link_is_made_for_an_erased_client(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let (phone, name) = (Phone::parse(olena.phone()).unwrap(), olena.order(&order).await["client"]["full_name"].as_str().unwrap().to_owned());
        app.services().operator.erasure().erase_client(phone, &name, Reason::Request, app.services().now()).await.unwrap();
        olena.post(&format!("/order/{}/client-link", id(&order)), json!({})).await.refused(409, "order_anonymised");
        let mail = format!("/order/{}/receipt-mail", id(&order));
        olena.post(&mail, json!({ "email": "klient@example.com" })).await.refused(409, "order_anonymised");
        assert_eq!((app.rows("client_links").await, app.rows("receipt_consents").await, app.rows("receipt_mail").await), (0, 0, 0));
    }

    async fn the_link_is_sent_to_a_phone_or_an_address_that_is_not_kept(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let (path, token) = made(&olena, &order).await;
        let call = format!("/order/{}/client-link/send", id(&order));
        for (body, field, key) in [
            (json!({ "token": token }), "phone", "phone_required"),
            (json!({ "token": token, "phone": "12" }), "phone", "phone_incorrect"),
            (json!({ "token": token, "phone": "0441234567" }), "phone", "phone_not_mobile"),
            (json!({ "token": token, "email": "a@b" }), "email", "email_invalid"),
        ] {
            let answer = olena.post(&call, body).await;
            answer.refused(422, key);
            assert_eq!(answer.fields()[field], [key]);
        }
        olena.post(&call, json!({ "token": "A".repeat(24), "phone": "0501234567" })).await.refused(409, "client_link_gone");
        let sent = olena.post(&call, json!({ "token": token, "phone": "050 123-45-67" })).await.ok();
        assert_eq!((&sent["sendings_left"], &sent["sent_at"]), (&json!(4), &json!("2026-03-02T09:00:00Z")));
        olena.post(&call, json!({ "token": token, "email": "klient@example.com" })).await.ok();
        app.work().await;
        let message = app.outside().messages("+380501234567").pop().unwrap();
        assert!(message.contains(&path) && message.chars().count() <= 134, "two parts of an SMS: {message}");
        let letter = app.outside().letters().pop().unwrap();
        assert!(letter.to == "klient@example.com" && letter.text.contains(&path), "{letter:?}");
        let named = olena.order(&order).await["client"]["full_name"].as_str().unwrap().to_owned();
        assert!(!letter.text.contains(&named));
        assert_eq!(app.number("select count(*) from outbox where payload <> ''".to_owned()).await, 0);
        for column in ["token_hash", "made_at"] {
            assert_eq!(app.number(format!("select count({column}) from client_links")).await, 1, "the link knows nobody");
        }
        for _ in 0..3 {
            olena.post(&call, json!({ "token": token, "phone": "0501234567" })).await.ok();
        }
        olena.post(&call, json!({ "token": token, "phone": "0501234567" })).await.refused(409, "client_link_sent_too_often");
        // A new link of the same order does not begin anew.
        let (_, token) = made(&olena, &order).await;
        olena.post(&call, json!({ "token": token, "phone": "0501234567" })).await.refused(409, "client_link_sent_too_often");
        app.finish_and_check().await;
    }

    async fn without_a_mail_server_no_letter_is_promised(app: TestApp) {
        app.restart_with(|settings| settings.mail = false).await;
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let (path, token) = made(&olena, &order).await;
        let sending = format!("/order/{}/client-link/send", id(&order));
        olena.post(&sending, json!({ "token": token, "email": "klient@example.com" })).await.refused(422, "mail_not_set_up");
        olena.post(&format!("/order/{}/receipt-mail", id(&order)), json!({ "email": "klient@example.com" })).await.refused(422, "mail_not_set_up");
        assert!(!app.anonymous().page(&path).await.text().contains("name=\"email\""));
    }

    async fn a_notary_may_not_send_without_end(app: TestApp) {
        app.restart_with(|settings| settings.app.client_links.sendings_daily_max = 1).await;
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let (_, token) = made(&olena, &order).await;
        let send = |order: &Value, token: String| olena.call(Method::POST, &format!("/order/{}/client-link/send", id(order))).json(&json!({ "token": token, "phone": "0501234567" })).send();
        send(&order, token).await.ok();
        olena.add(PaymentKind::RegistryPayment).await;
        let other = olena.order_cart().await;
        let (_, token) = made(&olena, &other).await;
        send(&other, token).await.refused(409, "client_link_sent_too_often");
        app.clock().advance_seconds(24 * 3_600 + 1);
        olena.log_in().await;
        let (_, token) = made(&olena, &other).await;
        send(&other, token).await.ok();
    }

    async fn a_notary_may_not_send_receipts_without_end(app: TestApp) {
        app.restart_with(|settings| settings.app.client_links.sendings_daily_max = 7).await;
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        olena.pay(&order).await;
        app.work().await;
        let before = app.outside().letters().len();
        let give = async |order: &Value, email: &str| {
            let path = format!("/order/{}/receipt-mail", id(order));
            olena.post(&path, json!({ "email": email })).await
        };
        // Letters are written when they are sent, so one that waits goes to the latest address.
        give(&order, "one@example.com").await.ok();
        give(&order, "one@example.com").await.ok();
        give(&order, "two@example.com").await.ok();
        app.work().await;
        let letters = app.outside().letters();
        assert_eq!((letters.len(), letters[0].to.as_str()), (before + 1, "two@example.com"));
        for _ in 0..3 {
            give(&order, "two@example.com").await.ok();
            app.work().await;
        }
        assert_eq!(app.outside().letters().len(), before + 4);
        give(&order, "two@example.com").await.refused(409, "receipt_mail_sent_too_often");
        give(&order, "three@example.com").await.refused(409, "receipt_mail_sent_too_often");
        // Receipts of all orders, and links, have a limit of the day together.
        olena.add(PaymentKind::RegistryPayment).await;
        let other = olena.order_cart().await;
        let (_, token) = made(&olena, &other).await;
        let sending = json!({ "token": token, "email": "klient@example.com" });
        let link = format!("/order/{}/client-link/send", id(&other));
        olena.post(&link, sending.clone()).await.ok();
        give(&other, "one@example.com").await.ok();
        give(&other, "one@example.com").await.ok();
        give(&other, "two@example.com").await.refused(409, "receipt_mail_sent_too_often");
        olena.post(&link, sending).await.refused(409, "client_link_sent_too_often");
        app.clock().advance_seconds(24 * 3_600 + 1);
        olena.log_in().await;
        give(&other, "two@example.com").await.ok();
        app.finish_and_check().await;
    }

    async fn who_refused_letters_gets_none_by_the_notarys_entry(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        olena.pay(&order).await;
        let mail = format!("/order/{}/receipt-mail", id(&order));
        let entry = json!({ "email": "klient@example.com" });
        olena.post(&mail, entry.clone()).await.ok();
        app.work().await;
        let letter = app.outside().letters().into_iter().find(|letter| letter.to == "klient@example.com").unwrap();
        let stop = letter.text.lines().find_map(|line| line.find("/letters/").map(|at| line[at..].to_owned())).unwrap();
        let client = app.anonymous();
        assert!(send(&client, &stop, "").await.text().contains("більше не буде"));
        olena.post(&mail, entry.clone()).await.refused(409, "receipt_mail_refused");
        assert_eq!(app.rows("receipt_consents").await, 0, "the address of who refused is not kept");
        app.restart_with(|settings| {
            settings.previous_secret = Some(settings.secret);
            settings.secret = "another secret of this installation";
        }).await;
        olena.log_in().await;
        olena.post(&mail, entry.clone()).await.refused(409, "receipt_mail_refused");
        // The letter had gone astray: the client's own address is another one, whatever is pressed in that letter.
        assert!(send(&client, &stop, "").await.text().contains("більше не буде"));
        olena.post(&mail, json!({ "email": "another@example.com" })).await.ok();
        assert!(send(&client, &stop, "").await.text().contains("більше не буде"));
        app.work().await;
        let theirs = letters_to(&app, "another@example.com");
        assert_eq!((theirs.len(), app.rows("receipt_consents").await), (1, 1));
        olena.post(&mail, entry.clone()).await.refused(409, "receipt_mail_refused");
        // A second address that refuses is kept beside the first by refusing all.
        send(&client, &page_of(&theirs[0]), "").await;
        for email in ["klient@example.com", "another@example.com", "third@example.com"] {
            olena.post(&mail, json!({ "email": email })).await.refused(409, "receipt_mail_refused");
        }
        // The client may have thought better of it, and refuse again.
        let agreed = send(&client, &format!("{path}/mail"), "email=klient%40example.com&language=uk").await;
        assert_eq!(agreed.status, 200, "{}", agreed.text());
        send(&client, &format!("{path}/mail"), "stop=1").await;
        for email in ["klient@example.com", "another@example.com"] {
            olena.post(&mail, json!({ "email": email })).await.refused(409, "receipt_mail_refused");
        }
        // What the notary stops herself she may begin again.
        send(&client, &format!("{path}/mail"), "email=klient%40example.com&language=uk").await;
        olena.post(&format!("{mail}/stop"), json!({})).await.ok();
        olena.post(&mail, entry).await.ok();
        assert_eq!((app.rows("receipt_mail").await, app.rows("receipt_consents").await), (1, 1));
        app.finish_and_check().await;
    }

    async fn links_by_sms_count_with_the_messages_of_the_hour(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.messages_hourly_max = 3).await;
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let (_, token) = made(&olena, &order).await;
        let sending = format!("/order/{}/client-link/send", id(&order));
        let sms = json!({ "token": token, "phone": "0501234567" });
        // The login had one.
        for _ in 0..2 {
            olena.post(&sending, sms.clone()).await.ok();
            app.work().await;
        }
        let refused = olena.post(&sending, sms.clone()).await;
        refused.refused(429, "too_many_requests");
        assert!(!refused.header("retry-after").is_empty());
        // A letter costs nothing.
        olena.post(&sending, json!({ "token": token, "email": "klient@example.com" })).await.ok();
        app.clock().advance_seconds(3_601);
        olena.refresh().await.ok();
        olena.post(&sending, sms).await.ok();
    }

    async fn a_preview_does_not_count_as_opening(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let call = format!("/order/{}/client-link", id(&order));
        let client = app.anonymous();
        client.page(&path).await;
        assert_eq!(olena.get(&call).await.ok()["opened_at"], json!(null), "a messenger has fetched the page");
        let state = client.page(&format!("{path}/state")).await;
        assert_eq!(state.status, 200);
        assert!(client.page(&path).await.text().contains(&format!("data-state=\"{}\"", state.text())));
        assert_eq!(olena.get(&call).await.ok()["opened_at"], "2026-03-02T09:00:00Z");
        let events = app.number("select count(*) from audit_events where action = 'client_link_opened' and actor = 'stranger'".to_owned()).await;
        client.page(&format!("{path}/state")).await;
        assert_eq!(events, 1);
    }

    async fn guessing_is_slowed_down(app: TestApp) {
        app.restart_with(|settings| settings.login_attempts_per_minute = 3).await;
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let guesser = app.anonymous_at("203.0.113.7".parse().unwrap());
        let mut seen = Vec::new();
        for guess in 0..6 {
            seen.push(guesser.page(&format!("/pay/{guess:024}")).await.status);
        }
        assert_eq!(seen[..3], [404; 3]);
        assert!(seen[4..].contains(&429), "{seen:?}");
        assert_eq!(app.anonymous().page(&path).await.status, 200, "others are not slowed down");
    }

    async fn the_way_back_is_counted_like_the_page(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let (path, token) = made(&olena, &order).await;
        let client = app.anonymous_at("203.0.113.8".parse().unwrap());
        let back = |order: &str| format!("/order/{order}/payment-status");
        let returned = async |order: &str, token: &str| {
            client.page_call(&back(order)).header("cookie", &format!("client_link={token}")).send().await
        };
        assert_eq!(returned(id(&order), &token).await.header("location"), format!("{path}?language=uk"));
        // The cookie leads on from the order of the link alone.
        assert_ne!(returned("0195c3f2-0000-7000-8000-000000000000", &token).await.status, 303);
        let mut refused = None;
        for _ in 0..3_000 {
            let answer = returned(id(&order), &"A".repeat(24)).await;
            if answer.status == 429 {
                refused = Some(answer);
                break;
            }
        }
        assert!(refused.is_some_and(|answer| answer.header("content-type").starts_with("text/html")));
        assert_ne!(client.page_call(&back(id(&order))).send().await.status, 429, "the notary's own page is not counted");
        assert_eq!(app.anonymous().page(&path).await.status, 200, "others are not slowed down");
    }

    async fn the_receipt_is_sent_with_consent_and_again_when_the_money_arrives(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        let bad = send(&client, &format!("{path}/mail"), "email=nothing").await;
        assert_eq!(bad.status, 422);
        let agreed = send(&client, &format!("{path}/mail"), "email=klient%40example.com&language=uk").await;
        assert!(agreed.text().contains("k•••@example.com") && !agreed.text().contains("klient@"), "{}", agreed.text());
        let view = olena.get(&format!("/order/{}/client-link", id(&order))).await.ok();
        assert_eq!((&view["receipt_mail"]["email"], &view["receipt_mail"]["by_client"]), (&json!("k•••@example.com"), &json!(true)));
        app.work().await;
        assert!(app.outside().letters().is_empty(), "nothing is paid yet");
        olena.pay(&order).await;
        app.work().await;
        let letter = app.outside().letters().remove(0);
        assert_eq!(letter.to, "klient@example.com");
        assert!(letter.subject.contains("оплачено"));
        let planned = list(&app).await;
        for status in [TransferStatus::Sent, TransferStatus::Credited] {
            import(&app, &planned, Some(status)).await.unwrap();
        }
        app.work().await;
        let subjects: Vec<String> = app.outside().letters().into_iter().filter(|letter| letter.to == "klient@example.com").map(|letter| letter.subject).collect();
        assert_eq!(subjects.len(), 2, "{subjects:?}");
        assert!(subjects.iter().any(|subject| subject.contains("зараховано отримувачам")));
        // The way out is in the letter; who only opens the link has not taken it.
        let stop = letter.text.lines().find_map(|line| line.find("/letters/").map(|at| line[at..].to_owned())).unwrap();
        assert!(client.page(&stop).await.text().contains("Не надсилати"));
        assert_eq!(app.rows("receipt_consents").await, 1);
        assert!(send(&client, &stop, "").await.text().contains("більше не буде"));
        assert_eq!(app.rows("receipt_consents").await, 0);
        assert_eq!(client.page(&stop[..stop.len() - 1]).await.status, 404);
        app.finish_and_check().await;
    }

    async fn a_letter_gives_the_receipt_for_the_last_digits_of_the_payers_code(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        send(&client, &format!("{path}/mail"), "email=klient%40example.com&language=uk").await;
        olena.pay(&order).await;
        app.work().await;
        let letter = app.outside().letters().into_iter().find(|letter| letter.to == "klient@example.com").unwrap();
        let code = olena.order(&order).await["client"]["inn"].as_str().unwrap().to_owned();
        let right = &code[code.len() - 4..];
        for private in [code.as_str(), right, "грн"] {
            assert!(!letter.text.contains(private), "{}", letter.text);
        }
        let page = page_of(&letter.text);
        let shown = client.page(&page).await;
        assert_eq!((shown.status, shown.header("cache-control"), shown.header("referrer-policy")), (200, "no-store", "no-referrer"));
        assert!(shown.text().contains("Останні чотири цифри коду платника") && !shown.text().contains(&code));
        let english = client.page(&format!("{page}?language=en")).await.text();
        assert!(english.contains("Last four digits of the payer’s code"), "{english}");
        let enter = async |digits: &str| client.page_call(&format!("{page}/receipt")).form(&format!("digits={digits}&language=uk")).send().await;
        let receipt = enter(right).await;
        assert_eq!((receipt.status, receipt.header("content-type"), receipt.header("cache-control")), (200, "application/pdf", "no-store"));
        assert_contains_all(&document(&receipt, &format!("Receipt-{}-payment.pdf", id(&order))), &[&code]);
        // What is no four digits is no try.
        for nothing in ["", "12", "12345", code.as_str(), "12a4", "١٢٣٤"] {
            let refused = enter(nothing).await;
            assert!(refused.status == 422 && refused.text().contains("Введіть лише чотири останні цифри"), "{}", refused.text());
            assert!(refused.text().contains("aria-describedby=\"digits-error digits-lead\"") && !refused.text().contains(&code));
        }
        assert_eq!(app.number("select wrong_tries from receipt_consents".to_owned()).await, 0);
        // The address that is opened again after a form leads to the page.
        let again = client.page(&format!("{page}/receipt")).await;
        assert_eq!((again.status, again.header("location")), (303, page.as_str()));
        app.finish_and_check().await;
    }

    async fn a_payer_without_a_tax_id_enters_the_digits_of_the_document(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        olena.add_payment(&payment.with("client.inn", "АВ123456")).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let mail = format!("/order/{}/receipt-mail", id(&order));
        olena.post(&mail, json!({ "email": "klient@example.com" })).await.ok();
        app.work().await;
        let page = page_of(&letters_to(&app, "klient@example.com")[0]);
        let client = app.anonymous();
        assert!(client.page(&page).await.text().contains("паспорт чи ID-картку"));
        let enter = async |digits: &str| client.page_call(&format!("{page}/receipt")).form(&format!("digits={digits}&language=uk")).send().await;
        assert_eq!(enter("6543").await.status, 422);
        let receipt = enter("3456").await;
        assert_contains_all(&document(&receipt, &format!("Receipt-{}-payment.pdf", id(&order))), &["АВ123456"]);
        app.finish_and_check().await;
    }

    async fn wrong_digits_use_a_letters_link_up_until_the_receipt_is_sent_again(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        olena.pay(&order).await;
        let mail = format!("/order/{}/receipt-mail", id(&order));
        olena.post(&mail, json!({ "email": "klient@example.com" })).await.ok();
        app.work().await;
        let page = page_of(&letters_to(&app, "klient@example.com")[0]);
        let code = olena.order(&order).await["client"]["inn"].as_str().unwrap().to_owned();
        let right = &code[code.len() - 4..];
        let wrong = if right == "1234" { "4321" } else { "1234" };
        let client = app.anonymous();
        let enter = async |page: &str, digits: &str| client.page_call(&format!("{page}/receipt")).form(&format!("digits={digits}&language=uk")).send().await;
        for _ in 0..10 {
            let refused = enter(&page, wrong).await;
            assert_eq!(refused.status, 422, "{}", refused.text());
        }
        let used_up = enter(&page, right).await;
        assert!(used_up.status == 409 && used_up.text().contains("забагато разів введено неправильні цифри"), "{}", used_up.text());
        app.clock().advance_seconds(1);
        olena.post(&mail, json!({ "email": "klient@example.com" })).await.ok();
        app.work().await;
        let fresh = page_of(letters_to(&app, "klient@example.com").iter().find(|text| page_of(text) != page).unwrap());
        assert_eq!(enter(&fresh, right).await.header("content-type"), "application/pdf");
        // The new letter has replaced the link of the one before.
        let old = enter(&page, right).await;
        assert!(old.status == 409 && old.text().contains("замінено новим"), "{}", old.text());
        app.finish_and_check().await;
    }

    async fn a_notary_sees_what_became_of_the_letter_and_sends_it_again(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let mail = format!("/order/{}/receipt-mail", id(&order));
        let again = async || olena.post(&mail, json!({ "email": null })).await;
        let state = async || {
            let view = olena.get(&format!("/order/{}/client-link", id(&order))).await.ok();
            assert_eq!(view["receipt_mail_refused"], json!(null));
            let (state, opened_at) = (view["receipt_mail"]["state"].clone(), &view["receipt_mail"]["opened_at"]);
            assert_eq!(opened_at.is_string(), state == "opened", "{view}");
            state
        };
        let letters = async || {
            app.work().await;
            letters_to(&app, "klient@example.com")
        };
        // A client who has said nothing has no address to send to.
        again().await.refused(422, "email_invalid");
        let path = link(&olena, &order).await;
        send(&app.anonymous(), &format!("{path}/mail"), "email=klient%40example.com&language=uk").await;
        assert_eq!((state().await, again().await.ok()["receipt_mail"]["state"].clone()), (json!("agreed"), json!("agreed")));
        assert_eq!(letters().await.len(), 0, "there is no receipt yet");
        olena.pay(&order).await;
        assert_eq!((state().await, again().await.ok()["receipt_mail"]["state"].clone()), (json!("waiting"), json!("waiting")));
        let first = letters().await;
        assert_eq!((first.len(), state().await), (1, json!("sent")), "what waits is not sent twice");
        // Shut after wrong digits.
        let code = olena.order(&order).await["client"]["inn"].as_str().unwrap().to_owned();
        let right = &code[code.len() - 4..];
        let wrong = if right == "1234" { "4321" } else { "1234" };
        let client = app.anonymous();
        let enter = async |page: &str, digits: &str| client.page_call(&format!("{page}/receipt")).form(&format!("digits={digits}")).send().await;
        for _ in 0..10 {
            enter(&page_of(&first[0]), wrong).await;
        }
        assert_eq!(state().await, "used_up");
        app.clock().advance_seconds(1);
        let sent = again().await.ok();
        assert_eq!((&sent["receipt_mail"]["state"], &sent["receipt_mail"]["by_client"], &sent["receipt_mail"]["email"]), (&json!("waiting"), &json!(true), &json!("k•••@example.com")));
        let second = letters().await;
        assert_eq!((second.len(), state().await), (2, json!("sent")));
        let second = second.into_iter().find(|text| page_of(text) != page_of(&first[0])).unwrap();
        assert_eq!(enter(&page_of(&second), right).await.header("content-type"), "application/pdf");
        assert_eq!(state().await, "opened");
        // A letter that the mail server does not take.
        app.clock().advance_seconds(1);
        again().await.ok();
        app.execute("update outbox set parked_at = created_at where delivered_at is null".to_owned()).await;
        assert_eq!(state().await, "not_sent");
        app.clock().advance_seconds(1);
        again().await.ok();
        assert_eq!((letters().await.len(), state().await), (3, json!("sent")));
        // Its time runs out; that of the letter about the credit runs out later.
        app.clock().advance_seconds(24 * 3_600);
        let planned = list(&app).await;
        for status in [TransferStatus::Sent, TransferStatus::Credited] {
            import(&app, &planned, Some(status)).await.unwrap();
        }
        app.clock().advance_seconds(29 * 24 * 3_600 + 60);
        olena.log_in().await;
        assert_eq!(state().await, "sent");
        app.clock().advance_seconds(24 * 3_600);
        olena.log_in().await;
        assert_eq!(state().await, "ended");
        again().await.ok();
        again().await.ok();
        app.work().await;
        assert_eq!(state().await, "sent");
        app.clock().advance_seconds(1);
        again().await.ok();
        app.work().await;
        // What is sent again counts as what is typed.
        again().await.refused(409, "receipt_mail_sent_too_often");
        app.finish_and_check().await;
    }

    async fn that_a_letter_was_sent_is_told_where_it_is_known(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let mail = format!("/order/{}/receipt-mail", id(&order));
        let kept = async || olena.get(&format!("/order/{}/client-link", id(&order))).await.ok()["receipt_mail"].clone();
        let drop_all = async || {
            let administration = app.services().operator.administration();
            let parked = administration.parked_letters().await.unwrap();
            let (ids, why) = (parked.iter().map(|task| task.id).collect(), OperatorReason::parse("SD-1").unwrap());
            administration.drop_parked_letters(ids, &why, app.clock().shows()).await.unwrap()
        };
        let path = link(&olena, &order).await;
        send(&app.anonymous(), &format!("{path}/mail"), "email=klient%40example.com&language=uk").await;
        let given = kept().await;
        olena.pay(&order).await;
        // The mail server takes nothing until the letter is given up, and the operator drops it.
        let mut refuses = Fault::new(FaultService::Mail, FaultKind::Refuse);
        refuses.calls = u32::MAX;
        app.outside().faults(&[refuses]).await;
        for _ in 0..10 {
            app.work().await;
            app.clock().advance_seconds(12 * 3_600);
        }
        olena.log_in().await;
        assert_eq!((kept().await["state"].clone(), letters_to(&app, "klient@example.com").len()), (json!("not_sent"), 0));
        assert_eq!(drop_all().await, 1);
        assert_eq!(kept().await["state"], "not_sent", "a letter that is gone was not sent");
        // The notary asks for another one: the consent stays the client's, of when it was given.
        app.outside().faults(&[]).await;
        let again = olena.post(&mail, json!({})).await.ok()["receipt_mail"].clone();
        assert_eq!((&again["state"], &again["by_client"], &again["given_at"]), (&json!("waiting"), &json!(true), &given["given_at"]));
        assert_eq!(app.number("select count(*) from receipt_consents where asked_again_at > given_at".to_owned()).await, 1);
        let told = "select count(*) from audit_events where action = 'receipt_consent_given' and changes like";
        assert_eq!(app.number(format!("{told} '%sent_again%'")).await, 1);
        app.work().await;
        assert_eq!((kept().await["state"].clone(), letters_to(&app, "klient@example.com").len()), (json!("sent"), 1));
        // What an earlier version sent, or somebody dropped before it was kept, is not called sent.
        app.execute("update receipt_consents set letter_sent_at = null, letter_given_up_at = null".to_owned()).await;
        assert_eq!(kept().await["state"], "unknown");
        app.clock().advance_seconds(1);
        olena.post(&mail, json!({})).await.ok();
        app.execute("update outbox set parked_at = created_at where delivered_at is null".to_owned()).await;
        assert_eq!(kept().await["state"], "not_sent");
        assert_eq!(drop_all().await, 1);
        assert_eq!(kept().await["state"], "unknown");
        app.finish_and_check().await;
    }

    async fn what_the_notary_sends_again_forgets_no_refusal(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let mail = format!("/order/{}/receipt-mail", id(&order));
        olena.pay(&order).await;
        olena.post(&mail, json!({ "email": "astray@example.com" })).await.ok();
        app.work().await;
        let astray = page_of(&letters_to(&app, "astray@example.com")[0]);
        // The client names another address, and then whoever got the letter refuses it.
        send(&app.anonymous(), &format!("{path}/mail"), "email=klient%40example.com&language=uk").await;
        app.work().await;
        send(&app.anonymous(), &astray, "").await;
        olena.post(&mail, json!({})).await.ok();
        olena.post(&mail, json!({ "email": "astray@example.com" })).await.refused(409, "receipt_mail_refused");
        app.finish_and_check().await;
    }

    async fn the_letter_of_an_earlier_version_has_its_receipt_and_is_refused_by_it(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        olena.pay(&order).await;
        olena.post(&format!("/order/{}/receipt-mail", id(&order)), json!({ "email": "klient@example.com" })).await.ok();
        app.work().await;
        let token = letter_with_receipt(&app.services().keys, OrderId::parse(id(&order)).unwrap());
        let page = format!("/letters/{token}");
        let client = app.anonymous();
        let shown = client.page(&page).await;
        assert!(shown.status == 200 && shown.text().contains("Квитанцію вкладено в лист"), "{}", shown.text());
        assert!(!shown.text().contains("name=\"digits\"") && shown.text().contains("<form"), "it is in the letter, and the letters can be ended");
        // Not even the right digits give it once more.
        let code = olena.order(&order).await["client"]["inn"].as_str().unwrap().to_owned();
        let entered = client.page_call(&format!("{page}/receipt")).form(&format!("digits={}", &code[code.len() - 4..])).send().await;
        assert_eq!((entered.status, entered.header("content-type")), (409, "text/html; charset=utf-8"));
        assert_eq!(app.number("select wrong_tries from receipt_consents".to_owned()).await, 0);
        // It names no address, so whoever has it ends the letters to any.
        assert_eq!(send(&client, &page, "").await.status, 200);
        assert!(client.page(&page).await.text().contains("Квитанцію вкладено в лист"));
        let view = olena.get(&format!("/order/{}/client-link", id(&order))).await.ok();
        assert_eq!((&view["receipt_mail"], &view["receipt_mail_refused"]["is_of_address"]), (&json!(null), &json!(false)));
        app.outside().refund(order["widget_url"].as_str().unwrap()).await;
        olena.until(&order, "refunded").await;
        assert!(!client.page(&page).await.text().contains("вкладено в лист"), "the money went back");
        app.finish_and_check().await;
    }

    async fn a_notary_sees_who_refused_letters(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        olena.pay(&order).await;
        let mail = format!("/order/{}/receipt-mail", id(&order));
        let view = async || olena.get(&format!("/order/{}/client-link", id(&order))).await.ok();
        olena.post(&mail, json!({ "email": "klient@example.com" })).await.ok();
        app.work().await;
        let letter = page_of(&letters_to(&app, "klient@example.com")[0]);
        assert_eq!(send(&app.anonymous(), &letter, "").await.status, 200);
        let refused = view().await;
        assert_eq!((&refused["receipt_mail"], &refused["receipt_mail_refused"]["is_of_address"]), (&json!(null), &json!(true)));
        olena.post(&mail, json!({})).await.refused(409, "receipt_mail_refused");
        // Another address takes its place, also on the page.
        olena.post(&mail, json!({ "email": "other@example.com" })).await.ok();
        assert_eq!(view().await["receipt_mail_refused"], json!(null));
        assert_eq!(send(&app.anonymous(), &format!("{path}/mail"), "stop=1").await.status, 200);
        assert_eq!(view().await["receipt_mail_refused"], json!({ "at": "2026-03-02T09:00:00Z", "is_of_address": false }));
        app.finish_and_check().await;
    }

    async fn the_page_of_a_letter_is_titled_by_the_receipt(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        olena.pay(&order).await;
        olena.post(&format!("/order/{}/receipt-mail", id(&order)), json!({ "email": "klient@example.com" })).await.ok();
        app.outside().refund(order["widget_url"].as_str().unwrap()).await;
        olena.until(&order, "refunded").await;
        app.work().await;
        let letters = letters_to(&app, "klient@example.com");
        let page = page_of(letters.last().unwrap());
        let client = app.anonymous();
        let shown = async |language: &str| client.page(&format!("{page}?language={language}")).await.text();
        assert!(shown("uk").await.contains("<title>Квитанція про оплату замовлення – "));
        assert!(shown("en").await.contains("<title>Receipt of an order – "));
        // Programs that look through mail ask for the head alone.
        let head = client.page_call(&page).head().send().await;
        assert_eq!((head.status, head.header("referrer-policy")), (200, "no-referrer"));
        let nothing = client.page(&page[..page.len() - 1]).await;
        assert!(nothing.status == 404 && nothing.text().contains("<h1>Квитанція про оплату замовлення</h1>"), "{}", nothing.text());
        // Where the order is paid again, the letter about its refund gives no receipt and has none.
        app.execute("update orders set status = 'paid'".to_owned()).await;
        assert!(shown("uk").await.contains("замінено новим"), "{}", shown("uk").await);
        let entered = client.page_call(&format!("{page}/receipt")).form("digits=0000&language=uk").send().await;
        assert!(entered.status == 409 && entered.text().contains("замінено новим"), "{}", entered.text());
        app.execute("update orders set status = 'refunded'".to_owned()).await;
        app.finish_and_check().await;
    }

    async fn a_letters_link_ends_after_thirty_days_and_with_the_consent(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        olena.pay(&order).await;
        let mail = format!("/order/{}/receipt-mail", id(&order));
        olena.post(&mail, json!({ "email": "klient@example.com" })).await.ok();
        app.work().await;
        let page = page_of(&letters_to(&app, "klient@example.com")[0]);
        let client = app.anonymous();
        let asks = async || client.page(&page).await.text().contains("name=\"digits\"");
        assert!(asks().await);
        app.clock().advance_seconds(30 * 24 * 3_600 - 60);
        assert!(asks().await);
        app.clock().advance_seconds(120);
        assert!(!asks().await, "its time has run out");
        olena.log_in().await;
        olena.post(&mail, json!({ "email": "klient@example.com" })).await.ok();
        app.work().await;
        let page = page_of(letters_to(&app, "klient@example.com").iter().find(|text| page_of(text) != page).unwrap());
        assert!(client.page(&page).await.text().contains("name=\"digits\""));
        olena.post(&format!("{mail}/stop"), json!({})).await.ok();
        let withdrawn = client.page(&page).await.text();
        assert!(!withdrawn.contains("name=\"digits\"") && withdrawn.contains("його скасовано"), "{withdrawn}");
        let refused = client.page_call(&format!("{page}/receipt")).form("digits=0000").send().await;
        assert_eq!(refused.status, 409, "{}", refused.text());
        app.finish_and_check().await;
    }

    async fn a_page_that_is_reloaded_after_its_form_sends_no_form_again(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        let given = client.page_call(&format!("{path}/mail")).form("email=klient%40example.com&language=en").send().await;
        assert_eq!((given.status, given.header("cache-control")), (303, "no-store"));
        let agreed = given.header("location").to_owned();
        for _ in 0..2 {
            let page = client.page(&agreed).await;
            assert!(page.status == 200 && page.text().contains("The address is saved.") && page.text().contains("k•••@example.com"), "{}", page.text());
        }
        assert_eq!(app.rows("receipt_consents").await, 1);
        let stopped = client.page_call(&format!("{path}/mail")).form("stop=1&language=uk").send().await;
        assert_eq!(stopped.status, 303);
        assert!(client.page(stopped.header("location")).await.text().contains("більше не буде"));
        // The address says nothing that is true no more.
        assert!(!client.page(&agreed).await.text().contains("The address is saved."));
        assert_eq!(client.page(&format!("{path}?done=anything")).await.status, 200);
    }

    async fn a_mistyped_address_is_handed_back_and_named_by_its_field(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let mail = format!("{}/mail", link(&olena, &order).await);
        let client = app.anonymous();
        let typed = async |form: &str| send(&client, &mail, form).await;
        let bad = typed("email=%22%3E%3Cb%3Ekl%40example").await;
        let page = bad.text();
        assert_eq!(bad.status, 422);
        assert_eq!(bad.header("cache-control"), "no-store");
        for part in ["value=\"&quot;&gt;&lt;b&gt;kl@example\"", " autofocus ", "aria-invalid=\"true\"", "aria-describedby=\"mail-error mail-lead mail-agree\"", "id=\"mail-error\""] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert_eq!(page.matches("має бути на зразок").count(), 1, "at its field alone: {page}");
        let long = typed(&format!("email={}", "a".repeat(5_000))).await.text();
        assert!(long.contains(&format!("value=\"{}\"", "a".repeat(254))), "{long}");
        let of_card = typed(&format!("email={CARD}")).await;
        assert!(of_card.status == 422 && !of_card.text().contains(CARD), "{}", of_card.text());
        // Who is asked to wait types nothing again, either.
        let mut answer = bad;
        for _ in 0..100 {
            answer = typed("email=klient%40example").await;
            if answer.status == 429 {
                break;
            }
        }
        let page = answer.text();
        assert!(page.contains("Забагато спроб") && page.contains("value=\"klient@example\"") && !page.contains("aria-invalid"), "{page}");
    }

    async fn a_client_gives_addresses_ten_times_and_the_notarys_sendings_stay_hers(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        let give = async |path: &str, number: usize| {
            send(&client, &format!("{path}/mail"), &format!("email=klient{number}%40example.com")).await
        };
        for number in 0..10 {
            let agreed = give(&path, number).await;
            assert_eq!(agreed.status, 200, "{}", agreed.text());
        }
        let call = format!("/order/{}/client-link", id(&order));
        let view = olena.get(&call).await.ok();
        assert_eq!((&view["sent_at"], &view["sendings_left"]), (&json!(null), &json!(5)), "no link was sent");
        // A new link of the same order does not begin anew.
        let (path, token) = made(&olena, &order).await;
        let refused = give(&path, 10).await;
        assert!(refused.status == 409 && refused.text().contains("Адресу змінено забагато разів"), "{}", refused.text());
        for _ in 0..5 {
            olena.post(&format!("{call}/send"), json!({ "token": token, "email": "klient@example.com" })).await.ok();
        }
        olena.post(&format!("/order/{}/receipt-mail", id(&order)), json!({ "email": "klient@example.com" })).await.ok();
        assert_eq!(app.number("select given_count from receipt_mail".to_owned()).await, 1);
    }

    async fn the_page_promises_what_is_sent_and_names_what_came_back(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        let page = client.page(&path).await.text();
        assert!(page.contains("Надішлемо квитанцію, коли замовлення буде оплачено"), "{page}");
        olena.pay(&order).await;
        let page = client.page(&path).await.text();
        assert!(page.contains("Сплачено.</strong> 02.03.2026, "), "{page}");
        assert!(page.contains("Надішлемо квитанцію одразу й повідомимо, коли кошти зарахують"), "{page}");
        let planned = list(&app).await;
        for status in [TransferStatus::Sent, TransferStatus::Credited] {
            import(&app, &planned, Some(status)).await.unwrap();
        }
        let page = client.page(&path).await.text();
        assert!(page.contains("Надішлемо квитанцію одразу й повідомимо, якщо кошти повернуть"), "{page}");
        let answer = format!("transfer_id,status,reason\n{},returned,Хибний код отримувача\n", ids(&planned)[0]);
        import(&app, &answer, None).await.unwrap();
        let page = client.page(&path).await.text();
        assert!(page.contains("Банк повернув кошти сервісу, отримувачу не зараховано. Зверніться до нотаріуса"), "{page}");
        assert!(!page.contains("Повернено"), "nothing is on the card: {page}");
        let page = client.page(&format!("{path}?language=en")).await.text();
        assert!(page.contains("the recipient did not get it. Contact the notary"), "{page}");
        assert!(page.contains("We will send the receipt at once"), "{page}");
        app.finish_and_check().await;
    }

    async fn a_refunded_order_has_no_time_of_payment_and_asks_for_no_address(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        let mail = format!("{path}/mail");
        assert_eq!(send(&client, &mail, "email=klient%40example.com").await.status, 200);
        olena.pay(&order).await;
        app.outside().refund(order["widget_url"].as_str().unwrap()).await;
        olena.until(&order, "refunded").await;
        app.work().await;
        let page = client.page(&path).await.text();
        assert!(page.contains("Кошти повернено на картку. Квитанція більше не дійсна."), "{page}");
        assert!(!page.contains("02.03.2026"), "the day of the payment is not that of the refund: {page}");
        assert!(page.contains("Листи про замовлення надсилаємо на k•••@example.com."), "{page}");
        let stopped = send(&client, &mail, "stop=1").await.text();
        assert!(!stopped.contains("name=\"stop\"") && !stopped.contains("name=\"email\""), "{stopped}");
        assert_eq!(send(&client, &mail, "email=klient%40example.com").await.status, 409);
        assert_eq!(app.rows("receipt_consents").await, 0);
        app.finish_and_check().await;
    }

    async fn a_consent_that_cant_be_read_keeps_no_payment_from_being_recorded(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        olena.post(&format!("/order/{}/receipt-mail", id(&order)), json!({ "email": "klient@example.com" })).await.ok();
        app.execute("update receipt_consents set email = 'x'".to_owned()).await;
        olena.pay(&order).await;
        assert_eq!(app.rows("transfers").await, 1, "with its transfers");
        app.work().await;
        assert!(app.outside().letters().iter().all(|letter| letter.to != "x"));
        app.finish_and_check().await;
    }

    async fn a_consent_that_was_taken_back_or_never_given_sends_nothing(app: TestApp) {
        let (olena, order) = ordered(&app, PaymentKind::RegistryPayment).await;
        let mail = format!("/order/{}/receipt-mail", id(&order));
        olena.post(&mail, json!({ "email": "nobody" })).await.refused(422, "email_invalid");
        let view = olena.post(&mail, json!({ "email": "klient@example.com" })).await.ok();
        assert_eq!(view["receipt_mail"]["by_client"], false);
        olena.pay(&order).await;
        // The letter waits already.
        olena.post(&format!("{mail}/stop"), json!({})).await.ok();
        app.work().await;
        assert!(app.outside().letters().iter().all(|letter| letter.to != "klient@example.com"));
        // After the payment it is sent at once.
        olena.post(&mail, json!({ "email": "klient@example.com" })).await.ok();
        app.work().await;
        assert_eq!(app.outside().letters().iter().filter(|letter| letter.to == "klient@example.com").count(), 1);
        app.outside().refund(order["widget_url"].as_str().unwrap()).await;
        olena.until(&order, "refunded").await;
        app.work().await;
        let last = app.outside().letters().into_iter().find(|letter| letter.subject.contains("повернено на картку")).unwrap();
        let page = app.anonymous().page(&page_of(&last.text)).await.text();
        assert!(page.contains("повернено на картку") && !page.contains("name=\"digits\""), "its receipt is not valid any more: {page}");
        app.finish_and_check().await;
    }
}
