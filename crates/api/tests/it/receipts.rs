//! Receipts exist for paid orders only.

use std::collections::BTreeSet;
use std::io::{Cursor, Read, Write};
use std::process::{Command, Stdio};

use axum::http::Method;
use cabinet_app::{SlipTitles, Vat};
use cabinet_domain::Iban;
use cabinet_test_kit::{
    Answer, Fault, FaultKind, FaultService, PaymentKind, ZORIA, on_both_databases,
};
use serde_json::{Value, json};

use crate::profile::decide_name;

/// Returns the text of a PDF, extracted by an independent program, with runs of white space as one space.
pub fn text_of(pdf: &[u8]) -> String {
    let text = lines_of(pdf);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the lines of a PDF, extracted by an independent program.
fn lines_of(pdf: &[u8]) -> String {
    let mut reader = Command::new("pdftotext")
        .args(["-enc", "UTF-8", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("pdftotext must be installed for this test (Debian: poppler-utils)");
    reader.stdin.take().unwrap().write_all(pdf).unwrap();
    let output = reader.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the text of an answer that must be a PDF with this file name.
pub fn document(answer: &Answer, name: &str) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/pdf");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(
        answer.header("content-disposition"),
        format!("attachment; filename=\"{name}\"")
    );
    assert!(answer.body.starts_with(b"%PDF-"));
    text_of(&answer.body)
}

pub fn assert_contains_all(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
}

/// Returns every sum that a PDF shows, and every account.
fn printed(pdf: &[u8]) -> (BTreeSet<String>, BTreeSet<String>) {
    let lines = lines_of(pdf);
    let (mut sums, mut accounts) = (BTreeSet::new(), BTreeSet::new());
    for line in lines.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for (place, word) in words.iter().enumerate() {
            let is_figure = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
            if let Some((whole, kopiykas)) = word.split_once(',')
                && is_figure(whole)
                && is_figure(kopiykas)
                && kopiykas.len() == 2
            {
                // Thousands stand before: «1 050,00».
                let is_group = whole.len() == 3 && place > 0;
                let thousands = words[..place].last().filter(|word| {
                    is_group && is_figure(word) && !word.is_empty() && word.len() <= 3
                });
                sums.insert(thousands.map_or_else(
                    || (*word).to_owned(),
                    |thousands| format!("{thousands} {word}"),
                ));
            }
        }
        if let Some(at) = line.find("UA") {
            let account: String = line[at..].split_whitespace().collect();
            if Iban::parse(&account).is_ok() {
                accounts.insert(account);
            }
        }
    }
    (sums, accounts)
}

/// Returns the paths of all receipts of an order and its first item.
fn receipt_paths(order: &Value) -> Vec<String> {
    let (id, item) = (
        order["id"].as_str().unwrap(),
        order["items"][0]["id"].as_str().unwrap(),
    );
    vec![
        format!("/order/{id}/receipt"),
        format!("/order/{id}/receipt?receipt_type=payment"),
        format!("/order/{id}/receipt?receipt_type=commission"),
        format!("/order/item/{item}/receipt?receipt_type=payment"),
        format!("/order/item/{item}/receipt?receipt_type=commission"),
        format!("/order/{id}/receipts"),
    ]
}

/// Returns the code of a receipt from the address printed on it.
pub fn check_code(receipt: &Answer) -> String {
    let text = text_of(&receipt.body).replace(' ', "");
    let (_, rest) = text
        .split_once("/check?code=")
        .expect("the receipt says where it is checked");
    rest.chars().take("100001-XXXX-XXXX-XXXX".len()).collect()
}

on_both_databases! {
    async fn a_receipt_stays_as_it_was_a_year_later(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let mut before = Vec::new();
        let order = olena.order(&order).await;
        for address in receipt_paths(&order) {
            before.push((olena.get(&address).await.body, address));
        }
        // Names of people, of banks and of the operator change.
        app.restart_with(|settings| {
            settings.app.operator.name = "ТОВ «Наступник»".to_owned();
            settings.app.operator.code = "14360570".to_owned();
            settings.app.operator.address = "м. Львів, вул. Друга, 2".to_owned();
            settings.app.operator.iban = Iban::parse("UA213223130000026007233566001").unwrap();
            settings.app.acquirer_names.monobank = "Інший еквайр".to_owned();
        })
        .await;
        olena.post_proved("/me", serde_json::json!({ "full_name": "Коваль-Інша Олена Іванівна" })).await.ok();
        decide_name(&app, &olena, "Коваль-Інша Олена Іванівна", true).await.unwrap();
        app.load_reference(|files| {
            let banks = files.get_mut("banks.csv").expect("the table of banks");
            *banks = banks.replace("АТ ", "ПАТ ").replace("Казначейство", "Скарбниця");
        })
        .await;
        app.work().await;
        app.clock().advance_seconds(365 * 24 * 3_600);
        app.restart().await;
        olena.log_in().await;
        // Another charge has become known to be the first one.
        app.execute("update orders set paid_at = paid_at + 86400000000".to_owned()).await;
        for (bytes, address) in &before {
            assert!(olena.get(address).await.body == *bytes, "{address}");
        }
        let receipt = olena.get(&before[0].1).await;
        let check = format!("/check?code={}", check_code(&receipt));
        assert_contains_all(&app.anonymous().page(&check).await.text(), &["02.03.2026"]);
        // Earlier versions recorded no time: the order's was printed.
        app.execute("update order_receipts set facts = replace(facts, '\"paid_at\"', '\"of_no_meaning\"')".to_owned()).await;
        assert_contains_all(&text_of(&olena.get(&before[0].1).await.body), &["Сплачено 03.03.2026"]);
        assert_contains_all(&app.anonymous().page(&check).await.text(), &["03.03.2026"]);
        // The state of a transfer changes, and has a date.
        app.execute(format!(
            "update transfers set status = 'sent', updated_at = {}",
            app.clock().shows().as_microsecond()
        ))
        .await;
        let id = order["id"].as_str().unwrap();
        let text = text_of(&olena.get(&format!("/order/{id}/receipt")).await.body);
        assert_contains_all(&text, &["Надіслано отримувачу, 02.03.2027"]);
        app.finish_and_check().await;
    }

    async fn a_paid_order_has_its_receipts(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = olena.add(PaymentKind::AdminPayment).await;
        olena.post("/cart/items/count", serde_json::json!({ "cart_item_id": item, "new_count": 2 })).await.ok();
        let second = olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let id = order["id"].as_str().unwrap();

        let text = document(&olena.get(&format!("/order/{id}/receipt?receipt_type=payment")).await, &format!("Receipt-{id}-payment.pdf"));
        // 2 × 330 UAH as 396 and 264, and 80 UAH; the actual payer; the card; our number.
        assert_contains_all(&text, &["100001", "396,00", "264,00", "80,00", "Гнатюк Петро Олександрович", "3652504575", "424242******4242", "UA22 3052 9900 0002 6001 2345 6789 0"]);
        let text = document(&olena.get(&format!("/order/{id}/receipt?receipt_type=commission")).await, &format!("Receipt-{id}-commission.pdf"));
        assert_contains_all(&text, &["50,00", "ТОВ «Кабінет»", "32855961"]);

        let of_item = document(&olena.get(&format!("/order/item/{second}/receipt?receipt_type=payment")).await, &format!("Receipt-payment-{second}.pdf"));
        assert_contains_all(&of_item, &["80,00"]);
        assert!(!of_item.contains("396,00"), "{of_item}");
        let of_item = document(&olena.get(&format!("/order/item/{item}/receipt?receipt_type=commission")).await, &format!("Receipt-commission-{item}.pdf"));
        assert_contains_all(&of_item, &["40,00"]);

        let english = olena.call(Method::GET, &format!("/order/{id}/receipt")).header("accept-language", "en").send().await;
        let english = document(&english, &format!("Receipt-{id}-payment.pdf"));
        assert_contains_all(&english, &["396.00", "Recipient", "Administrative fee – Registration of ownership", "Registry usage fee – Register of real rights"]);

        let zip = olena.get(&format!("/order/{id}/receipts")).await;
        assert_eq!((zip.status, zip.header("content-type")), (200, "application/zip"));
        assert!(zip.header("content-disposition").starts_with("attachment; filename=\""));
        let mut archive = zip::ZipArchive::new(Cursor::new(&zip.body)).unwrap();
        let mut names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        names.sort();
        assert_eq!(names.len(), 3, "one for each item, one of the commission: {names:?}");
        assert_eq!(names, [
            "100001 Гнатюк – Адміністративний збір.pdf",
            "100001 Гнатюк – Комісія сервісу.pdf",
            "100001 Гнатюк – Плата за користування реєстрами.pdf",
        ]);
        for name in &names {
            assert!(!name.contains(['/', '\\']) && name.ends_with(".pdf"), "{name}");
            let mut pdf = Vec::new();
            archive.by_name(name).unwrap().read_to_end(&mut pdf).unwrap();
            assert_contains_all(&text_of(&pdf), &["100001"]);
        }
        app.finish_and_check().await;
    }

    async fn a_receipt_is_the_same_each_time(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let order = olena.pay(&order).await;
        for address in receipt_paths(&order) {
            let first = olena.get(&address).await;
            app.clock().advance_seconds(5);
            assert_eq!(olena.get(&address).await.body, first.body, "{address}");
        }
        app.restart().await;
        assert_eq!(olena.get(&receipt_paths(&order)[0]).await.status, 200);
        app.finish_and_check().await;
    }

    async fn a_payment_heard_of_the_next_day_has_the_date_of_its_charge(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let mut lost = Fault::new(FaultService::Reports, FaultKind::Drop);
        lost.calls = 1_000;
        app.outside().faults(&[lost]).await;
        app.outside().pay(order["widget_url"].as_str().unwrap(), "4242424242424242").await;
        app.clock().advance_seconds(20 * 3_600);
        olena.log_in().await;
        let id = order["id"].as_str().unwrap();
        let order = olena.get(&format!("/order/{id}?update_status=1")).await.ok()["order"].clone();
        assert_eq!(order["status"], "paid");
        assert!(order["paid_at"].as_str().unwrap().starts_with("2026-03-02T09:"), "{order}");
        let receipt = olena.get(&receipt_paths(&order)[0]).await;
        assert_contains_all(&text_of(&receipt.body), &["Сплачено 02.03.2026 11:"]);
        let page = app.anonymous().page(&format!("/check?code={}", check_code(&receipt))).await;
        assert_contains_all(&page.text(), &["02.03.2026 11:"]);
        app.finish_and_check().await;
    }

    async fn anybody_may_check_a_receipt_and_learns_nothing_about_people(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let bank_page = order["widget_url"].as_str().unwrap().to_owned();
        let order = olena.pay(&order).await;
        let code = check_code(&olena.get(&receipt_paths(&order)[0]).await);
        let stranger = app.anonymous();

        let page = stranger.page(&format!("/check?code={code}")).await;
        assert_eq!((page.status, page.header("cache-control")), (200, "no-store"));
        // 330 UAH with twice 10, 80 UAH with 10.
        assert_contains_all(&page.text(), &["Квитанція справжня", "№ 100001", "440,00\u{a0}грн", "350,00\u{a0}грн", "90,00\u{a0}грн", "Тестовий платіж"]);
        // Who received what, how far it has come, and the payer's initials.
        assert_contains_all(&page.text(), &["Г. П. О., код\u{a0}•••••••575", "Переказ №\u{a0}1", "Очікує передачі банку", "132,00\u{a0}грн", "198,00\u{a0}грн"]);
        for personal in ["Гнатюк", "3652504575", "4242", olena.phone(), "UA22"] {
            assert!(!page.text().contains(personal), "{personal}");
        }
        // An entity is no person: it is named.
        olena.add_payment(&olena.form_for(PaymentKind::RegistryPayment, ZORIA).await).await;
        let of_entity = olena.order_cart().await;
        let of_entity = olena.pay(&of_entity).await;
        let code_of_entity = check_code(&olena.get(&receipt_paths(&of_entity)[0]).await);
        let page = stranger.page(&format!("/check?code={code_of_entity}")).await;
        assert_contains_all(&page.text(), &["ТОВ «Ранкова зоря», код\u{a0}•••••961"]);

        let english = stranger.page(&format!("/check?language=en&code={code}")).await;
        assert_contains_all(&english.text(), &["The receipt is genuine", "No. 100001", "440.00\u{a0}UAH", "lang=\"en\""]);
        let typed = code.to_lowercase().replace('-', "+");
        assert_eq!(stranger.page(&format!("/check?code={typed}")).await.status, 200);

        // What was given back before the bank had it has not reached its recipient.
        for (called_off, said) in [(1, "частину коштів повернено на картку"), (3, "але кошти повернено на картку")] {
            let sql = format!("update transfers set status = 'called_off' where document_number <= {called_off}");
            app.execute(sql).await;
            let page = stranger.page(&format!("/check?code={code}")).await.text();
            assert!(page.contains(said) && page.contains("answer bad") && !page.contains("платіж здійснено"), "{page}");
        }
        app.execute("update transfers set status = 'planned'".to_owned()).await;

        // The same code on every receipt of the order, and never the same for two orders.
        for address in &receipt_paths(&order)[1..5] {
            assert_eq!(check_code(&olena.get(address).await), code, "{address}");
        }
        olena.add(PaymentKind::RegistryPayment).await;
        let second = olena.order_cart().await;
        let foreign = code.replacen("100001", "100002", 1);
        assert_eq!(stranger.page(&format!("/check?code={foreign}")).await.status, 404, "it is not paid");
        olena.pay(&second).await;
        let page = stranger.page(&format!("/check?code={foreign}")).await;
        assert_eq!(page.status, 404, "the proof is another order's");
        assert_contains_all(&page.text(), &["Квитанції з таким кодом немає"]);

        app.clock().advance_seconds(5);
        app.outside().refund(&bank_page).await;
        olena.until(&order, "refunded").await;
        let page = stranger.page(&format!("/check?code={code}")).await;
        assert_contains_all(&page.text(), &["Квитанція більше не дійсна", "440,00"]);
        app.finish_and_check().await;
    }

    async fn what_a_paper_names_is_compared_and_answered_with_yes_or_no(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let order = olena.pay(&order).await;
        let receipt = olena.get(&receipt_paths(&order)[0]).await;
        let code = check_code(&receipt);
        let printed = text_of(&receipt.body).replace(' ', "");
        // An account of a recipient: "UA" and 27 digits.
        let account: String = printed[printed.find("UA").unwrap()..].chars().take(29).collect();
        let stranger = app.anonymous();
        let compare = async |language: &str, code: &str, named: &str| {
            stranger.page_call("/check").form(&format!("language={language}&code={code}&named={named}")).send().await
        };
        let spaced = account.replace("UA", "ua+");
        for named in ["3652504575", "+3652+504575+", account.as_str(), spaced.as_str()] {
            let page = compare("uk", &code, named).await;
            assert_eq!((page.status, page.header("cache-control")), (200, "no-store"), "{named}");
            assert_contains_all(&page.text(), &["Квитанція справжня", "Так, у квитанції це "]);
            // What was typed is not repeated.
            assert!(!page.text().contains("3652504575") && !page.text().contains(&account));
        }
        let foreign = "UA213223130000026007233566001";
        for named in ["3652504574", "7652504575", foreign, "365250457", "Гнатюк", "%3Cscript%3E"] {
            let page = compare("en", &code, named).await;
            assert_contains_all(&page.text(), &["The receipt is genuine", "No, the receipt names something else."]);
            assert!(!page.text().contains("Yes, the receipt") && !page.text().contains("<script"), "{named}");
        }
        // Without a genuine code nothing is compared.
        let wrong = code.replacen("100001", "100002", 1);
        let page = compare("uk", &wrong, "3652504575").await;
        assert_eq!(page.status, 404);
        assert!(!page.text().contains("зазначено в квитанції") && !page.text().contains("name=\"named\""));
        // An empty form compares nothing, and the page offers the form.
        let page = compare("uk", &code, "").await;
        assert!(!page.text().contains("Так, це") && page.text().contains("name=\"named\""));
        // An address never holds what was typed.
        let page = stranger.page(&format!("/check?code={code}&named=3652504575")).await;
        assert!(!page.text().contains("Так, це"));

        // Of a receipt whose names were taken out neither is said.
        app.execute("update orders set anonymised_at = 1".to_owned()).await;
        for named in ["3652504575", "3652504574"] {
            let page = compare("uk", &code, named).await;
            let is_answered = ["Так, у квитанції це ", "Ні, у квитанції"].iter().any(|answer| page.text().contains(answer));
            assert!(page.text().contains("Квитанція справжня") && !is_answered, "{named}");
        }

        app.restart_with(|settings| settings.login_attempts_per_minute = 2).await;
        for status in [200, 200, 429] {
            assert_eq!(compare("uk", &code, "3652504575").await.status, status);
        }
        app.finish_and_check().await;
    }

    async fn every_sum_account_and_payers_code_of_a_paper_is_confirmed(app: TestApp) {
        app.restart_with(|settings| {
            settings.login_attempts_per_minute = 1_000;
            settings.app.operator.vat = Vat::parse("20").unwrap();
            settings.app.operator.iban = Iban::parse("UA573220010000026007233566001").unwrap();
        }).await;
        let olena = app.notary("olena").await;
        olena.post_proved("/me", json!({ "inn": "3068208400" })).await.ok();
        let fee = olena.add(PaymentKind::AdminPayment).await;
        crate::paid_out::set_count(&olena, &fee, 4).await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let order = olena.pay(&order).await;
        let mut code = String::new();
        // The client, the operator, and the notary, whom papers of before name as the payer.
        let mut named: BTreeSet<String> = ["3652504575", "32855961", "3068208400"].map(str::to_owned).into();
        let (mut sums, mut accounts) = (BTreeSet::new(), BTreeSet::new());
        // The last one is the archive.
        for path in receipt_paths(&order).iter().rev().skip(1) {
            let paper = olena.get(path).await;
            let found = printed(&paper.body);
            sums.extend(found.0);
            accounts.extend(found.1);
            code = check_code(&paper);
        }
        // 4 × 330 with 4 × 20, of which 60 % and 40 %; 80 with 10; both; the commissions with their VAT.
        for sum in ["330,00", "1 320,00", "80,00", "1 400,00", "792,00", "528,00", "10,00", "90,00", "1 490,00", "15,00"] {
            assert!(sums.contains(sum), "{sum}: {sums:?}");
        }
        assert_eq!(accounts.len(), 4, "two of the fee, one of the register, one of the operator: {accounts:?}");
        named.extend(sums);
        named.extend(accounts);
        for one in &named {
            let typed: String = one.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let form = format!("language=uk&code={code}&named={typed}");
            let page = app.anonymous().page_call("/check").form(&form).send().await.text();
            assert!(page.contains("Так, у квитанції це "), "{one}: {named:?}");
        }
        app.finish_and_check().await;
    }

    async fn a_slip_keeps_the_title_of_the_day_of_the_payment(app: TestApp) {
        app.restart_with(|settings| {
            settings.app.operator.slip_titles.accepted = Some("Квитанція про приймання коштів".to_owned());
        }).await;
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let order = olena.pay(&order).await;
        app.restart_with(|settings| settings.app.operator.slip_titles = SlipTitles::default()).await;
        let paper = olena.get(&receipt_paths(&order)[0]).await;
        let text = text_of(&paper.body);
        assert!(text.contains("Квитанція про приймання коштів №"), "{text}");
        assert!(text.contains("Рахунок платника UA22 3052 9900 0002 6001 2345 6789 0"), "{text}");
        app.finish_and_check().await;
    }

    async fn ten_wrong_comparisons_a_receipt_a_day_and_the_field_is_named(app: TestApp) {
        app.restart_with(|settings| settings.login_attempts_per_minute = 1_000).await;
        let olena = app.notary("olena").await;
        olena.post_proved("/me", json!({ "inn": "3068208400" })).await.ok();
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let order = olena.pay(&order).await;
        let code = check_code(&olena.get(&receipt_paths(&order)[0]).await);
        let compare = async |named: &str| {
            // Whoever compares: strangers from anywhere share what a receipt has.
            let form = format!("language=uk&code={code}&named={named}");
            app.anonymous().page_call("/check").form(&form).send().await.text()
        };
        for (named, field) in [
            ("3652504575", "код фактичного платника"), ("32855961", "код платника переказів (сервісу)"), ("3068208400", "код нотаріуса"), ("80,00", "сума"),
        ] {
            let page = compare(named).await;
            assert!(page.contains(&format!("Так, у квитанції це {field}.")), "{named}: {page}");
        }
        for number in 0..10 {
            let page = compare(&format!("36525045{:02}", 76 + number)).await;
            assert!(page.contains("Ні, у квитанції"), "{number}: {page}");
        }
        for named in ["3652504586", "3652504575"] {
            let page = compare(named).await;
            assert!(page.contains("порівняно забагато неправильних даних"), "{page}");
            assert!(!page.contains("Так, у квитанції") && !page.contains("Ні, у квитанції"), "{page}");
        }
        app.finish_and_check().await;
    }

    async fn what_is_typed_as_a_code_is_never_markup(app: TestApp) {
        let stranger = app.anonymous();
        let page = stranger.page("/check?code=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").await;
        assert_eq!(page.status, 404);
        assert!(!page.text().contains("<script"), "{}", page.text());
        let empty = stranger.page("/check").await;
        assert_eq!(empty.status, 200);
        assert_contains_all(&empty.text(), &["Код квитанції"]);
        assert!(empty.header("content-security-policy").starts_with("default-src 'none'"));
    }

    async fn what_is_not_paid_has_none(app: TestApp) {
        let olena = app.notary("olena").await;
        let mut orders = Vec::new();
        for card in [None, Some("4000000000000002"), Some("4000000000003063")] {
            olena.add(PaymentKind::RegistryPayment).await;
            let order = olena.order_cart().await;
            if let Some(card) = card {
                app.outside().pay(order["widget_url"].as_str().unwrap(), card).await;
            }
            orders.push(order);
        }
        olena.until(&orders[1], "failed").await;
        for order in &orders {
            let order = olena.order(order).await;
            for address in receipt_paths(&order) {
                olena.get(&address).await.refused(409, "order_not_paid");
            }
        }
        app.clock().advance_seconds(24 * 3_600 + 1);
        app.work().await;
        olena.log_in().await;
        let expired = olena.order(&orders[0]).await;
        assert_eq!(expired["status"], "expired");
        for address in receipt_paths(&expired) {
            olena.get(&address).await.refused(409, "order_not_paid");
        }
    }

    async fn a_kind_of_receipt_that_is_none_is_refused(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let order = olena.pay(&order).await;
        let (id, item) = (order["id"].as_str().unwrap(), order["items"][0]["id"].as_str().unwrap());
        for address in [format!("/order/{id}/receipt"), format!("/order/item/{item}/receipt")] {
            for kind in ["invoice", "Payment", "payment%00", "../../etc/passwd"] {
                let answer = olena.get(&format!("{address}?receipt_type={kind}")).await;
                answer.refused(422, "receipt_type_invalid");
                assert!(answer.fields().contains_key("receipt_type"));
            }
        }
        app.finish_and_check().await;
    }
}
