//! The pages, loaded and submitted as by a browser without scripts.
#![expect(
    clippy::unwrap_used,
    reason = "in a test a failure shall stop the test"
)]

use crate::support::{World, wallet, world};
use cabinet_gateways::acquirer::{Acquirer as _, CardKeeper as _, InvoiceKind, InvoiceStatus};
use serde_json::json;

struct Page {
    status: u16,
    location: Option<String>,
    text: String,
}

async fn get(world: &World, address: &str, language: &str) -> Page {
    page(
        world
            .client()
            .get(address)
            .header("accept-language", language),
    )
    .await
}

async fn submit(world: &World, address: &str, form: &[(&str, &str)]) -> Page {
    page(world.client().post(address).form(form)).await
}

async fn page(request: reqwest::RequestBuilder) -> Page {
    let answer = request.send().await.unwrap();
    Page {
        status: answer.status().as_u16(),
        location: answer
            .headers()
            .get("location")
            .map(|value| value.to_str().unwrap().to_owned()),
        text: answer.text().await.unwrap(),
    }
}

const GOOD: [(&str, &str); 4] = [
    ("card", "4242 4242 4242 4242"),
    ("expiry", "12/30"),
    ("cvv", "123"),
    ("lang", "uk"),
];

fn with_card(number: &str) -> Vec<(&str, &str)> {
    GOOD.map(|(name, value)| {
        if name == "card" {
            (name, number)
        } else {
            (name, value)
        }
    })
    .to_vec()
}

#[tokio::test]
async fn the_payment_page_shows_the_matter_in_both_languages_and_takes_the_card() {
    let world = world().await;
    let invoice = world.invoice("r-1", 125_050).await;
    let ukrainian = get(&world, &invoice.page_url, "uk-UA,uk;q=0.9").await;
    for words in [
        "Тестове середовище / Sandbox",
        "1\u{a0}250,50\u{a0}грн",
        "Адміністративний збір",
        "Номер картки",
    ] {
        assert!(ukrainian.text.contains(words), "{words}");
    }
    assert!(
        !ukrainian.text.contains("name=\"save\""),
        "no wallet, no saving"
    );
    let english = get(&world, &invoice.page_url, "en-GB").await;
    assert!(english.text.contains("Card number") && english.text.contains("1,250.50\u{a0}UAH"));
    let chosen = get(&world, &format!("{}?lang=uk", invoice.page_url), "en-GB").await;
    assert!(chosen.text.contains("Номер картки"));

    let paid = submit(&world, &invoice.page_url, &GOOD).await;
    assert_eq!(
        (paid.status, paid.location),
        (303, Some(format!("{}/order/r-1", world.merchant.url)))
    );
    assert_eq!(world.ledger().await.len(), 1);
    let again = submit(&world, &invoice.page_url, &GOOD).await;
    assert_eq!(
        again.status, 303,
        "a second submit leads to the page of the paid invoice"
    );
    assert!(
        get(&world, &invoice.page_url, "uk")
            .await
            .text
            .contains("Рахунок сплачено")
    );
    assert_eq!(world.ledger().await.len(), 1);
}

#[tokio::test]
async fn mistakes_are_all_named_at_once_and_nothing_but_the_cvv_is_lost() {
    let world = world().await;
    let invoice = world.invoice("r-1", 100).await;
    let form = [
        ("card", "4242 4242 4242 4241"),
        ("expiry", "01/20"),
        ("cvv", "9x9"),
        ("lang", "uk"),
    ];
    let page = submit(&world, &invoice.page_url, &form).await;
    assert_eq!(page.status, 422);
    for words in [
        "У номері картки помилка",
        "Строк дії картки минув",
        "Введіть 3 цифри зі звороту",
    ] {
        assert_eq!(
            page.text.matches(words).count(),
            2,
            "{words}: at the field and in the summary"
        );
    }
    assert!(
        page.text.contains("value=\"4242 4242 4242 4241\"")
            && page.text.contains("value=\"01/20\"")
    );
    assert!(!page.text.contains("9x9"));
    let state = world.acquirer.invoice_status(&invoice.id).await.unwrap();
    assert_eq!(state.status, InvoiceStatus::Created);
}

#[tokio::test]
async fn a_declined_card_may_be_followed_by_another() {
    let world = world().await;
    let invoice = world.invoice("r-1", 100).await;
    let declined = submit(&world, &invoice.page_url, &with_card("4000000000000002")).await;
    assert_eq!(declined.status, 303);
    let page = get(&world, &invoice.page_url, "uk").await;
    assert!(page.text.contains("Оплата не пройшла") && page.text.contains("Спробуйте іншу картку"));
    assert!(
        page.text
            .contains(&format!("href=\"{}/order/r-1\"", world.merchant.url))
    );
    let paid = submit(
        &world,
        &invoice.page_url,
        &[("test_card", "4242424242424242")],
    )
    .await;
    assert_eq!(
        paid.location,
        Some(format!("{}/order/r-1", world.merchant.url))
    );
}

#[tokio::test]
async fn three_d_secure_is_confirmed_or_denied_on_a_page_of_its_own() {
    let world = world().await;
    let invoice = world.invoice("r-1", 100).await;
    let asked = submit(&world, &invoice.page_url, &with_card("4000000000003063")).await;
    let step = format!("{}/3ds", invoice.page_url);
    assert_eq!(
        asked.location.as_deref(),
        Some(format!("/pay/{}/3ds?lang=uk", invoice.id).as_str())
    );
    assert!(
        get(&world, &step, "uk")
            .await
            .text
            .contains("Підтвердьте оплату")
    );
    let denied = submit(&world, &step, &[("answer", "deny")]).await;
    assert_eq!(denied.location, Some(format!("/pay/{}", invoice.id)));
    assert!(
        get(&world, &invoice.page_url, "uk")
            .await
            .text
            .contains("не підтверджено")
    );
    submit(&world, &invoice.page_url, &with_card("4000000000003063")).await;
    assert_eq!(
        get(&world, &invoice.page_url, "uk").await.location,
        Some(format!("/pay/{}/3ds", invoice.id))
    );
    let confirmed = submit(&world, &step, &[("answer", "confirm")]).await;
    assert_eq!(
        confirmed.location,
        Some(format!("{}/order/r-1", world.merchant.url))
    );
    assert_eq!(world.ledger().await.len(), 1);
}

#[tokio::test]
async fn a_card_check_says_that_nothing_is_charged() {
    let world = world().await;
    let mut request = world.invoice_request("check-1", 0);
    request.kind = InvoiceKind::SaveCard(wallet("w-1"));
    let invoice = world.acquirer.create_invoice(&request).await.unwrap();
    let page = get(&world, &invoice.page_url, "uk").await;
    assert!(
        page.text.contains("Гроші не списуються")
            && page.text.contains("Перевірити й зберегти картку")
    );
    submit(&world, &invoice.page_url, &GOOD).await;
    assert_eq!(
        world
            .acquirer
            .saved_cards(&wallet("w-1"))
            .await
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn text_from_outside_stays_text() {
    let world = world().await;
    let mut request = world.invoice_request("r-1", 100);
    request.destination = "<img src=x onerror=alert(1)>".to_owned();
    let invoice = world.acquirer.create_invoice(&request).await.unwrap();
    for address in [invoice.page_url.clone(), format!("{}/payments", world.url)] {
        let page = get(&world, &address, "uk").await;
        assert!(
            page.text.contains("&lt;img") && !page.text.contains("<img src=x"),
            "{address}"
        );
    }
    let bad = json!({"amount": 100, "redirectUrl": "javascript:alert(1)"});
    let answer = world
        .client()
        .post(format!("{}/api/merchant/invoice/create", world.url))
        .header("X-Token", "sandbox-acquirer-token")
        .json(&bad);
    assert_eq!(answer.send().await.unwrap().status(), 400);
}

#[tokio::test]
async fn every_page_answers_and_brings_no_script() {
    let world = world().await;
    for (path, status) in [
        ("/", 200),
        ("/inbox", 200),
        ("/phone", 200),
        ("/payments", 200),
        ("/nothing", 404),
        ("/pay/nothing", 404),
    ] {
        let answer = world
            .client()
            .get(format!("{}{path}", world.url))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status().as_u16(), status, "{path}");
        let policy = answer.headers()["content-security-policy"]
            .to_str()
            .unwrap()
            .to_owned();
        assert!(policy.starts_with("default-src 'none'"), "{path}");
        let text = answer.text().await.unwrap();
        assert!(
            !text.contains("<script") && !text.contains("style=\""),
            "{path}"
        );
        assert!(text.contains("lang=\"uk\""), "{path}");
    }
    for asset in ["sandbox.css", "icon.svg", "handset.svg"] {
        let answer = world
            .client()
            .get(format!("{}/assets/{asset}", world.url))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 200, "{asset}");
    }
}
