//! Tests of receipts, read back by poppler and qpdf.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod codes;
#[path = "samples/codes.rs"]
#[expect(
    clippy::expect_used,
    reason = "the values of a sample are known to be right"
)]
mod sample_codes;
#[path = "samples/deal.rs"]
#[expect(
    clippy::expect_used,
    reason = "the values of a sample are known to be right"
)]
mod sample_deal;
#[expect(
    clippy::expect_used,
    reason = "the values of a sample are known to be right"
)]
mod samples;
mod tools;

use cabinet_domain::{
    AfterReturn, BudgetCode, Iban, ItemId, Line, Locale, Money, ReturnApplication, TransferStatus,
};
use cabinet_receipts::{
    Application, Fiscal, ReceiptError, ReceiptOrder, Selection, SlipTitles, Vat, application,
    archived_commission_name, archived_item_name, commission_receipt, deal_calculation, extract,
    payment_codes, payment_receipt, safe_file_name,
};
use uuid::Uuid;

fn payment(order: &ReceiptOrder, locale: Locale) -> Vec<u8> {
    payment_receipt(order, Selection::Order, locale).unwrap()
}

fn commission(order: &ReceiptOrder, locale: Locale) -> Vec<u8> {
    commission_receipt(order, Selection::Order, locale).unwrap()
}

/// An order whose part of the budget was given back to the card before the bank had it.
fn given_back() -> ReceiptOrder {
    let mut order = samples::split();
    let transfer = &mut order.items[0].transfers[1];
    transfer.status = TransferStatus::CalledOff;
    transfer.status_at = "2026-11-20T11:00:00Z".parse().unwrap();
    transfer.value_date = None;
    transfer.given_back = true;
    order
}

/// Every receipt of the samples, with a name for messages.
fn all() -> Vec<(String, Vec<u8>)> {
    let sandbox = ReceiptOrder {
        sandbox: true,
        ..samples::split()
    };
    let orders = [
        ("single", samples::single()),
        ("split", samples::split()),
        ("many", samples::many(40)),
        ("lengthy", samples::lengthy()),
        ("returned", samples::returned()),
        ("given back", given_back()),
        ("sandbox", sandbox),
    ];
    let mut receipts = Vec::new();
    for (name, order) in orders {
        for locale in Locale::ALL {
            receipts.push((
                format!("{name} payment {locale:?}"),
                payment(&order, locale),
            ));
            receipts.push((
                format!("{name} commission {locale:?}"),
                commission(&order, locale),
            ));
            receipts.push((
                format!("{name} extract {locale:?}"),
                extract(&order, locale).unwrap(),
            ));
        }
    }
    for locale in Locale::ALL {
        let codes = payment_codes(&sample_codes::codes(), locale).unwrap();
        receipts.push((format!("codes {locale:?}"), codes));
        let deal = deal_calculation(&sample_deal::calculation(), locale).unwrap();
        receipts.push((format!("deal {locale:?}"), deal));
    }
    for form in ReturnApplication::ALL {
        receipts.push((format!("{form:?} application Uk"), asked(form).1));
    }
    receipts
}

/// The application for the Treasury's part of the sample with two transfers, and its PDF.
fn asked(form: ReturnApplication) -> (Application, Vec<u8>) {
    let asked = Application {
        form,
        document_number: 4_711,
        budget_code: BudgetCode::parse("22012600").ok(),
        reason: Line::parse(&"Збір сплачено двічі за одну заяву. ".repeat(8), 300).unwrap(),
        iban: Iban::parse("UA213223130000026007233566001").unwrap(),
        made_at: samples::split().paid_at,
    };
    let pdf = application(&samples::split(), &asked).unwrap();
    (asked, pdf)
}

#[track_caller]
fn assert_shows(text: &str, expected: &[&str]) {
    for part in expected {
        let beginning: String = text.chars().take(1_500).collect();
        assert!(text.contains(part), "{part:?} is not in: {beginning}");
    }
}

const CARD_OPERATION: [&str; 5] = [
    "424242******4242, Visa",
    "704613",
    "632415870994",
    "01997d2c-5a10-7000-8000-00000000000a",
    "АТ «УНІВЕРСАЛ БАНК»",
];

#[test]
fn a_payment_receipt_shows_every_requisite_in_ukrainian() {
    let text = tools::text(&payment(&samples::single(), Locale::Uk));
    assert_shows(&text, &CARD_OPERATION);
    assert_shows(
        &text,
        &[
            "Квитанція про сплату",
            "Замовлення № 1042-7731 від 20.11.2026 10:19:05",
            "Сплачено 20.11.2026 10:21:33",
            "ТОВ «Кабінет нотаріуса»",
            "код ЄДРПОУ 43215674 · вул. Хрещатик, 22, м. Київ, 01001",
            "330,00 грн",
            "Триста тридцять гривень 00 копійок",
            "Адміністративний збір – Державна реєстрація права власності, 5 робочих днів",
            "10,00",
            "340,00",
            "Отримувачам",
            "Відомості про переказ № 4711 від 20.11.2026",
            "Платник ТОВ «Кабінет нотаріуса», код 43215674",
            "Оформлено нотаріусом Коваленко Олена Іванівна, приватний нотаріус, код 2894512347",
            "Надавач платіжних послуг АТ «БАНК НАДАВАЧ», код 14360570, ліцензія НБУ № 22 від 05.10.2011",
            &format!(
                "Рахунок платника {}",
                samples::order().operator.iban.grouped()
            ),
            "Кошти прийнято 20.11.2026",
            "Дата валютування 20.11.2026",
            "Фактичний платник Петренко-М’якота Ґанна Їжаківна, код 3184710691",
            "Отримувач ГУК у м. Києві/Печерський р-н/22012600, код 37993783",
            "IBAN UA72 8999 9803 3410 0000 0000 2600 1",
            "Банк отримувача Казначейство України (ел. адм. подат.)",
            "Призначення платежу 101 Адмінзбір за державну реєстрацію права власності, Петренко М’якота Ґанна Їжаківна, 3184710691",
            "Код класифікації доходів бюджету 22012600",
            "Код виду сплати 101",
            "Статус переказу Надіслано отримувачу",
            "7KQ2-M4XD-9TRW",
            "Перевірити квитанцію: https://cabinet.example.ua/check/7KQ2-M4XD-9TRW",
            "Сторінка 1 з 1",
        ],
    );
    assert!(!text.contains("Тестовий"));
    assert!(!text.contains("Частка збору"), "one transfer is no share");
    for unknown in ["Платіжна інструкція", "UETR", "Дата зарахування", "Причина"]
    {
        assert!(
            !text.contains(unknown),
            "the bank has told nothing: {unknown}"
        );
    }
}

#[test]
fn a_payment_receipt_shows_every_requisite_in_english() {
    let text = tools::text(&payment(&samples::single(), Locale::En));
    assert_shows(&text, &CARD_OPERATION);
    assert_shows(
        &text,
        &[
            "Payment receipt",
            "Order No. 1042-7731 of 20.11.2026 10:19:05",
            "Paid 20.11.2026 10:21:33",
            "EDRPOU code 43215674",
            "330.00 UAH",
            "Three hundred thirty hryvnias 00 kopiykas",
            "Administrative fee",
            "Transfer details No. 4711 of 20.11.2026",
            "Payer ТОВ «Кабінет нотаріуса», code 43215674",
            "Made out by the notary Коваленко Олена Іванівна, приватний нотаріус, code 2894512347",
            &format!(
                "Payer’s account {}",
                samples::order().operator.iban.grouped()
            ),
            "Payment service provider АТ «БАНК НАДАВАЧ», code 14360570",
            "Money accepted on 20.11.2026",
            "Value date 20.11.2026",
            "Actual payer Петренко-М’якота Ґанна Їжаківна, code 3184710691",
            "Recipient ГУК у м. Києві/Печерський р-н/22012600, code 37993783",
            "IBAN UA72 8999 9803 3410 0000 0000 2600 1",
            "Purpose of payment 101 Адмінзбір",
            "Transfer status Sent to the recipient",
            "Check this receipt: https://",
            "Page 1 of 1",
        ],
    );
}

#[test]
fn an_administrative_fee_has_a_slip_for_the_notary_and_one_for_the_budget() {
    let pdf = payment(&samples::split(), Locale::Uk);
    let text = tools::text(&pdf);
    assert_shows(
        &text,
        &[
            "3 330,00 грн",
            "3 379,95",
            "Платіжна інструкція № 4710 від 20.11.2026",
            "UETR eb6305c9-1f7f-49de-aed0-16487c27b42d",
            "Референс банку JBKLQ9B2P1A0M7",
            "Дата зарахування 21.11.2026",
            "Статус переказу Зараховано отримувачу, 21.11.2026",
            "1 998,00 грн",
            "Отримувач Коваленко Олена Іванівна, код 2894512347",
            "Одна тисяча дев’ятсот дев’яносто вісім гривень 00 копійок",
            "Частка збору 60 % нотаріусові",
            "Відомості про переказ № 4711 від 20.11.2026",
            "1 332,00 грн",
            "Частка збору 40 % до бюджету",
        ],
    );
    assert_eq!(text.matches("Рахунок платника").count(), 2);
    for page in tools::pages(&pdf) {
        let slips = page.matches("Рахунок платника").count();
        assert_eq!(
            page.matches("Статус переказу").count(),
            slips,
            "no slip is broken: {page}"
        );
    }
}

#[test]
fn the_first_page_names_payer_recipients_and_act() {
    let pages = tools::pages(&payment(&samples::split(), Locale::Uk));
    let first = pages.first().unwrap().replace('\u{a0}', " ");
    let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
    let head = first.split("Оплата карткою").next().unwrap();
    assert_shows(
        head,
        &[
            "Фактичний платник Петренко-М’якота Ґанна Їжаківна, код 3184710691",
            "Нотаріальна дія № 1245 від 20.11.2026, квартира № 12, вул. Івана Франка, 5, м. Київ",
            "Отримувачі: Коваленко Олена Іванівна; ГУК у м. Києві/Печерський р-н/22012600",
        ],
    );
}

#[test]
fn slips_are_called_as_the_operator_says_in_ukrainian() {
    let order = ReceiptOrder {
        slip_titles: SlipTitles {
            accepted: Some("Квитанція про приймання коштів".into()),
            confirmed: Some("Інструкція надавача".into()),
        },
        ..samples::split()
    };
    let text = tools::text(&payment(&order, Locale::Uk));
    assert_shows(
        &text,
        &[
            "Інструкція надавача № 4710 від 20.11.2026",
            "Квитанція про приймання коштів № 4711 від 20.11.2026",
        ],
    );
    assert!(!text.contains("Платіжна інструкція"), "{text}");
    assert!(!text.contains("Відомості про переказ"), "{text}");
    let english = tools::text(&payment(&order, Locale::En));
    assert_shows(
        &english,
        &["Payment instruction No. 4710", "Transfer details No. 4711"],
    );
}

#[test]
fn a_commission_receipt_has_the_operator_as_recipient() {
    let text = tools::text(&commission(&samples::split(), Locale::Uk));
    assert_shows(&text, &CARD_OPERATION);
    let iban = samples::order().operator.iban.grouped();
    assert_shows(
        &text,
        &[
            "Квитанція про комісію",
            "49,95 грн",
            "Сорок дев’ять гривень 95 копійок",
            "Комісія сервісу № 1042-7731 від 20.11.2026",
            "Отримувач ТОВ «Кабінет нотаріуса», код 43215674",
            &format!("IBAN {iban}"),
            "Адреса отримувача вул. Хрещатик, 22, м. Київ, 01001",
            "Призначення платежу Комісія за переказ коштів за замовленням № 1042-7731",
            "Комісія сервісу",
            "ПДВ Без ПДВ",
            "Фактичний платник Петренко-М’якота Ґанна Їжаківна, код 3184710691",
        ],
    );
    assert!(
        !text.contains("Платіжна інструкція") && !text.contains("Відомості про переказ"),
        "the recipients’ slips are in the other receipt"
    );
    let text = tools::text(&commission(&samples::split(), Locale::En));
    assert_shows(
        &text,
        &[
            "Commission receipt",
            "Service commission No. 1042-7731",
            "Forty-nine hryvnias 95 kopiykas",
            "Purpose of payment Комісія за переказ коштів за замовленням № 1042-7731",
            "VAT Without VAT",
        ],
    );
}

#[test]
fn an_application_for_a_return_has_what_the_order_of_the_ministry_asks_for() {
    let (wanted, pdf) = asked(ReturnApplication::Budget);
    let text = tools::text(&pdf);
    assert_shows(
        &text,
        &[
            "Орган, що контролює справляння надходжень бюджету (адміністратор збору) ____________________ міжрегіональне управління Міністерства юстиції України",
            "Заявник (фактичний платник) Петренко-М’якота Ґанна Їжаківна, код 3184710691",
            "Заява про повернення коштів, помилково або надміру зарахованих до бюджету",
            "за платіжним документом № 4711 від 20.11.2026 у сумі 1 332,00 грн (одна тисяча триста тридцять дві гривні 00 копійок).",
            wanted.reason.as_str(),
            "Платник ТОВ «Кабінет нотаріуса», код 43215674",
            "Фактичний платник Петренко-М’якота Ґанна Їжаківна, код 3184710691",
            "Оформлено нотаріусом Коваленко Олена Іванівна, приватний нотаріус, код 2894512347",
            "Код класифікації доходів бюджету 22012600",
            "IBAN UA21 3223 1300 0002 6007 2335 6600 1",
            "Власник рахунку Петренко-М’якота Ґанна Їжаківна, код 3184710691",
            "Додаток: копія платіжного документа № 4711 від 20.11.2026, на ____ арк.",
            "підпис",
            "власне ім’я та прізвище",
        ],
    );
    assert_eq!(pdf, asked(ReturnApplication::Budget).1);
    assert!(tools::pages(&pdf).len() <= 2);
    let text = tools::text(&asked(ReturnApplication::RegisterInformation).1);
    assert_shows(
        &text,
        &[
            "Держатель реєстру Міністерство юстиції України Адміністратор реєстру (назва) ______",
            "про повернення плати за інформацію з реєстру",
        ],
    );
    let other = Application {
        document_number: 1,
        ..wanted
    };
    assert!(matches!(
        application(&samples::split(), &other),
        Err(ReceiptError::NothingPaid)
    ));
}

#[test]
fn the_calculation_of_a_deal_says_why_each_payment_is_so_much() {
    let mut deal = sample_deal::calculation();
    let pdf = deal_calculation(&deal, Locale::Uk).unwrap();
    assert_eq!(pdf, deal_calculation(&deal, Locale::Uk).unwrap());
    assert_shows(
        &tools::text(&pdf),
        &[
            "Розрахунок платежів за нотаріальною дією",
            "Дата розрахунку 01.06.2026",
            "Ціна за договором 1 500 000,00 грн",
            "Оціночна вартість 2 100 000,50 грн",
            "Хто продавець? фізична особа – резидент",
            "Платник Продавець: Гнатюк Петро Олександрович, код 3652504575",
            "Розрахунок 5 % від більшої із сум: 2 100 000,50 грн",
            "90 000,00 грн",
            "Рішення нотаріуса інша сума; за розрахунком 105 000,03 грн",
            "Причина Витрати на придбання зменшують базу",
            "Розрахунок 1,5 % від більшої із сум: 2 100 000,50 грн, не менше 1,00 грн",
            "Примітка Сплачується окремо, не в кабінеті.",
            "не сплачується",
            "Підстава Декрет «Про державне мито»",
            "не включено до сплати; за розрахунком 40,00 грн",
            "Причина Сплачено раніше",
            "у кабінеті 90 000,00 грн, окремо 31 500,01 грн",
            "Розрахунок за тарифом, 2 × 330,00 грн",
            "Покупець у кабінеті 660,00 грн",
            "Усі платники у кабінеті 90 660,00 грн, окремо 31 500,01 грн",
            "Розрахунок складено. Нотаріус Коваленко Олена Іванівна",
            "Замовлення № 1042",
        ],
    );
    // Before there is an order.
    deal.order_number = None;
    let text = tools::text(&deal_calculation(&deal, Locale::En).unwrap());
    assert_shows(
        &text,
        &[
            "Calculation of payments for a notarial act",
            "5 % of the larger of the sums: 2,100,000.50",
            "1.5 % of the larger",
            "another sum; calculated 105,000.03",
        ],
    );
    assert!(!text.contains("1042"), "{text}");
}

#[test]
fn an_extract_is_signed_on_the_page_of_its_last_transfer() {
    for count in 1..=12 {
        let pages = tools::pages(&extract(&samples::many(count), Locale::Uk).unwrap());
        let last = pages.last().unwrap();
        assert!(
            last.contains("IBAN") && last.contains("М. П."),
            "{count} payments: {last}"
        );
    }
}

#[test]
fn a_calculation_is_signed_on_the_page_of_its_totals() {
    let mut deal = sample_deal::calculation();
    let payments = deal.deals[0].record.payments.clone();
    for count in 1..=16 {
        deal.deals[0].record.payments = payments.iter().cycle().take(count).cloned().collect();
        let pages = tools::pages(&deal_calculation(&deal, Locale::Uk).unwrap());
        let last = pages.last().unwrap();
        assert!(
            last.contains("Разом за платниками") && last.contains("Розрахунок складено."),
            "{count} payments: {last}"
        );
    }
}

#[test]
fn every_receipt_is_sound_tagged_and_has_its_fonts_inside() {
    for (name, pdf) in all() {
        assert!(
            tools::check(&pdf).contains("No syntax or stream encoding errors"),
            "{name}"
        );
        let info = tools::info(&pdf);
        assert!(
            info.lines()
                .any(|line| line.split_whitespace().eq(["Tagged:", "yes"])),
            "{name}: {info}"
        );
        let is_ukrainian = name.ends_with("Uk");
        let number = if name.contains(" application ") {
            " № 4711"
        } else if is_ukrainian {
            " № 1"
        } else {
            " No. 1"
        };
        let title = match (name.split(' ').rev().nth(1), is_ukrainian) {
            (Some("extract"), true) => "Відомості про сплату",
            (Some("extract"), false) => "Extract of payments",
            (Some("application"), _) => "Заява про повернення",
            (Some("deal"), true) => "Розрахунок платежів",
            (Some("deal"), false) => "Calculation of payments",
            (Some("codes"), true) => "QR-коди для сплати",
            (Some("codes"), false) => "QR codes to pay by",
            (_, true) => "Квитанція",
            (_, false) => "eceipt",
        };
        let mut lines = info.lines();
        assert!(
            lines.any(|line| line.starts_with("Title:")
                && line.contains(title)
                && line.contains(number)),
            "{name}: {info}"
        );
        for font in tools::fonts(&pdf) {
            let words: Vec<&str> = font.split_whitespace().collect();
            assert!(words[0].contains("+Inter-"), "{name}: {font}");
            assert!(
                font.contains("yes yes yes"),
                "embedded, a subset, with a map to Unicode: {name}: {font}"
            );
        }
        let raw = String::from_utf8_lossy(&pdf);
        assert!(raw.contains("<pdfaid:part>2</pdfaid:part>"), "{name}");
        assert!(
            raw.contains("<pdfaid:conformance>A</pdfaid:conformance>"),
            "{name}"
        );
        for part in [
            "<pdfuaid:part>1</pdfuaid:part>",
            "/DisplayDocTitle true",
            "/OutputIntents",
            "/Marked true",
            "/StructTreeRoot",
        ] {
            assert!(raw.contains(part), "{part}: {name}");
        }
        let language = if name.ends_with("Uk") {
            "/Lang(uk)"
        } else {
            "/Lang(en)"
        };
        assert!(
            raw.replace("/Lang (", "/Lang(").contains(language),
            "{name}"
        );
    }
}

#[test]
fn the_structure_has_headings_header_cells_and_a_picture_with_words() {
    let structure = tools::structure(&payment(&samples::split(), Locale::Uk));
    for part in ["H1", "H2", "Table", "TH", "TD", "Figure", "Link"] {
        assert!(
            structure
                .lines()
                .any(|line| line.trim_start().starts_with(part)),
            "{part}: {structure}"
        );
    }
    assert!(structure.contains("\"Фактичний платник\""), "{structure}");
    assert!(
        !structure.contains("Сторінка"),
        "the foot of the page is not read out: {structure}"
    );
}

#[test]
fn the_same_order_gives_the_same_bytes() {
    let first = all();
    let second = std::thread::spawn(all).join().unwrap();
    for ((name, one), (_, other)) in first.iter().zip(&second) {
        assert!(one == other, "{name}");
    }
    let differing = all().windows(2).all(|pair| pair[0].1 != pair[1].1);
    assert!(differing, "receipts of different content differ");
}

#[test]
fn sixty_items_have_all_their_slips_and_numbered_pages() {
    let order = samples::many(60);
    let pdf = payment(&order, Locale::Uk);
    let text = tools::text(&pdf);
    for place in 1..=60 {
        let slips = if place % 3 == 0 {
            vec![format!("№ {place}0 від"), format!("№ {place}1 від")]
        } else {
            vec![format!("№ {place}0 від")]
        };
        for slip in slips {
            assert_eq!(text.matches(&slip).count(), 1, "{slip}");
        }
    }
    assert_shows(&text, &["Усього списано з картки", "81 199,00"]);
    let commission = tools::text(&commission(&order, Locale::Uk));
    assert_shows(&commission, &["Разом", "1 399,00 грн"]);
    assert!(
        !commission.contains("списано"),
        "the commission is not all that was charged"
    );
    let pages = tools::pages(&pdf);
    assert!(pages.len() > 10);
    for (index, page) in pages.iter().enumerate() {
        let number = format!("Сторінка {} з {}", index + 1, pages.len());
        assert!(page.contains(&number), "{number}: {page}");
        let slips = page.matches("Платіжна інструкція").count()
            + page.matches("Відомості про переказ").count();
        assert_eq!(
            page.matches("Сума словами").count(),
            slips,
            "no slip is torn: {page}"
        );
    }
    assert!(
        pages[1].contains("За що сплачено"),
        "the head of the table stands on its second page"
    );
}

/// The foot of a page, with every run of white space as one space.
fn foot(page: &str) -> String {
    let foot = page.lines().rfind(|line| !line.trim().is_empty());
    let words: Vec<&str> = foot.unwrap_or_default().split_whitespace().collect();
    words.join(" ")
}

#[test]
fn the_foot_of_every_page_has_the_number_of_the_order_and_the_whole_title() {
    let returned = samples::returned().items[0].transfers[1].returned.clone();
    let mut part_returned = samples::many(9);
    part_returned.items[0].transfers[0].returned = returned.clone();
    let mut all_returned = samples::many(9);
    for item in &mut all_returned.items {
        for transfer in &mut item.transfers {
            transfer.returned = returned.clone();
        }
    }
    for (order, locale, about) in [
        (
            &part_returned,
            Locale::Uk,
            "Замовлення № 1042-7731 · Квитанція: частину коштів отримувачу не зараховано Сторінка",
        ),
        (
            &part_returned,
            Locale::En,
            "Order No. 1042-7731 · Receipt: a part was not credited to its recipient Page",
        ),
        (
            &all_returned,
            Locale::Uk,
            "Замовлення № 1042-7731 · Квитанція: кошти отримувачам не зараховано Сторінка",
        ),
        (
            &all_returned,
            Locale::En,
            "Order No. 1042-7731 · Receipt: the money was not credited to its recipients Page",
        ),
    ] {
        let pages = tools::pages(&payment(order, locale));
        assert!(pages.len() > 2);
        for page in &pages {
            let foot = foot(page);
            assert!(foot.starts_with(about), "{foot}");
        }
    }
}

#[test]
fn an_item_has_the_same_numbers_alone_as_in_its_order() {
    let order = samples::many(5);
    let item = Selection::Item(order.items[2].id);
    let text = tools::text(&payment_receipt(&order, item, Locale::Uk).unwrap());
    assert_shows(&text, &["№ 30 від", "№ 31 від", "3 330,00 грн"]);
    assert!(!text.contains("№ 10 від"));
    let text = tools::text(&commission_receipt(&order, item, Locale::Uk).unwrap());
    assert_shows(&text, &["Комісія сервісу № 1042-7731-3 від", "49,95 грн"]);
}

#[test]
fn several_units_are_shown_with_their_price_and_added_up() {
    let mut order = samples::single();
    let item = &mut order.items[0];
    item.count = cabinet_domain::Count::new(3).unwrap();
    item.total = samples::money(102_000);
    item.transfers[0].amount = samples::money(99_000);
    let text = tools::text(&payment(&order, Locale::Uk));
    assert_shows(
        &text,
        &[
            "3 × 330,00",
            "990,00 грн",
            "30,00",
            "1 020,00",
            "Дев’ятсот дев’яносто гривень 00 копійок",
        ],
    );
    assert_shows(
        &tools::text(&commission(&order, Locale::Uk)),
        &["30,00 грн"],
    );
}

#[test]
fn what_cannot_be_confirmed_is_refused() {
    let unknown = ItemId::new(Uuid::from_u128(7));
    let order = samples::single();
    let no_item = payment_receipt(&order, Selection::Item(unknown), Locale::Uk);
    assert!(matches!(no_item, Err(ReceiptError::NoSuchItem(id)) if id == unknown));
    let empty = commission_receipt(&samples::order(), Selection::Order, Locale::Uk);
    assert!(matches!(empty, Err(ReceiptError::NothingPaid)));

    let spoil: [fn(&mut ReceiptOrder); 4] = [
        |order| order.items[0].total = samples::money(34_001),
        |order| order.items[0].commission = samples::money(999),
        |order| order.items[0].transfers[0].amount = samples::money(32_999),
        |order| order.items[0].transfers.clear(),
    ];
    for spoil in spoil {
        let mut order = samples::single();
        spoil(&mut order);
        for make in [payment_receipt, commission_receipt] {
            let refused = make(&order, Selection::Order, Locale::Uk);
            assert!(
                matches!(refused, Err(ReceiptError::SumsDisagree(id)) if id == order.items[0].id)
            );
        }
    }
}

#[test]
fn sums_beyond_all_measure_are_refused_and_the_largest_is_shown() {
    let mut order = samples::single();
    let item = &mut order.items[0];
    (item.amount, item.commission, item.total) = (Money::MAX, Money::ZERO, Money::MAX);
    item.transfers[0].amount = Money::MAX;
    let text = tools::text(&payment(&order, Locale::Uk));
    assert_shows(
        &text,
        &[
            "999 999 999,99 грн",
            "Дев’ятсот дев’яносто дев’ять мільйонів",
        ],
    );
    assert!(
        tools::pages(&payment(&order, Locale::Uk))[0]
            .lines()
            .any(|line| line.matches("999 999 999,99").count() == 2)
    );

    order.items.push(order.items[0].clone());
    let refused = payment_receipt(&order, Selection::Order, Locale::Uk);
    assert!(matches!(refused, Err(ReceiptError::SumTooLarge)));
}

#[test]
fn a_test_payment_says_so_on_every_page() {
    let order = ReceiptOrder {
        sandbox: true,
        ..samples::many(9)
    };
    for (locale, mark) in [
        (Locale::Uk, "Тестовий платіж – не підтверджує сплату"),
        (Locale::En, "Test payment – not a proof of payment"),
    ] {
        let pages = tools::pages(&payment(&order, locale));
        assert!(pages.len() > 2);
        for page in pages {
            assert!(page.contains(mark), "{page}");
        }
        let pages = tools::pages(&commission(&order, locale));
        assert!(pages.iter().all(|page| page.contains(mark)));
    }
}

#[test]
fn what_is_not_known_is_left_out_without_a_trace() {
    let mut order = samples::single();
    order.card = None;
    order.payment_system = None;
    order.authorisation_code = None;
    order.rrn = None;
    order.verification = None;
    order.items[0].transfers[0].bank_name = None;
    order.items[0].label = String::new();
    let pdf = payment(&order, Locale::Uk);
    let text = tools::text(&pdf);
    for label in [
        "Картка",
        "Код авторизації",
        "RRN",
        "Перевірити",
        "Банк отримувача",
        " – ",
    ] {
        assert!(!text.contains(label), "{label}: {text}");
    }
    assert_shows(&text, &["Референс платежу", "1 Адміністративний збір"]);
    assert!(tools::check(&pdf).contains("No syntax"));
}

#[test]
fn a_returned_transfer_is_not_shown_as_credited() {
    let mut order = samples::single();
    for (status, words) in [
        (TransferStatus::Planned, "Очікує передачі банку"),
        (TransferStatus::Sent, "Надіслано отримувачу"),
        (TransferStatus::Credited, "Зараховано отримувачу"),
        (TransferStatus::Returned, "Повернено банком"),
        (TransferStatus::CalledOff, "Скасовано до передачі банку"),
    ] {
        order.items[0].transfers[0].status = status;
        assert_shows(&tools::text(&payment(&order, Locale::Uk)), &[words]);
    }
}

#[test]
fn what_a_bank_sent_back_stands_in_the_title_with_sum_day_and_reason() {
    let order = samples::returned();
    let text = tools::text(&payment(&order, Locale::Uk));
    assert_shows(
        &text,
        &[
            "Квитанція: частину коштів отримувачу не зараховано",
            "Банк отримувача повернув сервісу 1 332,00 грн 22.11.2026, переказ № 4711. Причина: Код отримувача не відповідає рахунку",
            "Отримувачам, з них не зараховано 1 332,00 грн",
            "Статус переказу Повернено банком, 22.11.2026",
            "Причина повернення Код отримувача не відповідає рахунку",
        ],
    );
    assert!(!text.contains("Квитанція про сплату"), "{text}");
    let english = tools::text(&payment(&order, Locale::En));
    assert_shows(
        &english,
        &[
            "Receipt: a part was not credited to its recipient",
            "The recipient’s bank returned to the service: 1,332.00 UAH 22.11.2026, transfer No. 4711. Reason: Код отримувача",
        ],
    );
    let mut order = order;
    let returned = order.items[0].transfers[1].returned.clone();
    order.items[0].transfers[0].returned = returned;
    let text = tools::text(&payment(&order, Locale::Uk));
    assert_shows(&text, &["Квитанція: кошти отримувачам не зараховано"]);
    let text = tools::text(&commission(&order, Locale::Uk));
    assert_shows(&text, &["Квитанція про комісію"]);
}

#[test]
fn a_part_that_was_sent_again_names_the_old_number_and_leaves_the_title_once_it_is_credited() {
    let mut order = samples::returned();
    let transfer = &mut order.items[0].transfers[1];
    transfer.document_number = 4720;
    transfer.made_at = "2026-11-24T10:00:00Z".parse().unwrap();
    transfer.status = TransferStatus::Sent;
    let back = transfer.returned.as_mut().unwrap();
    back.after = AfterReturn::SentAgain;
    let text = tools::text(&payment(&order, Locale::Uk));
    assert_shows(
        &text,
        &[
            "Квитанція: частину коштів отримувачу не зараховано",
            "переказ № 4711. Причина: Код отримувача не відповідає рахунку. Замінено переказом № 4720",
            "Відомості про переказ № 4720 від 24.11.2026",
            "Кошти прийнято 20.11.2026",
            "Замість переказу № 4711, який банк повернув 22.11.2026",
            "Статус переказу Надіслано отримувачу",
        ],
    );
    let transfer = &mut order.items[0].transfers[1];
    transfer.status = TransferStatus::Credited;
    transfer.returned.as_mut().unwrap().after = AfterReturn::Credited;
    let text = tools::text(&payment(&order, Locale::Uk));
    assert_shows(&text, &["Квитанція про сплату", "Замість переказу № 4711"]);
    assert!(!text.contains("не зараховано"), "{text}");

    let mut order = samples::returned();
    let back = order.items[0].transfers[1].returned.as_mut().unwrap();
    back.after = AfterReturn::Refunded;
    back.to_card_on = Some("2026-11-25".parse().unwrap());
    let text = tools::text(&payment(&order, Locale::Uk));
    assert_shows(
        &text,
        &[
            "Квитанція: частину коштів отримувачу не зараховано",
            "Повернено на картку 25.11.2026",
            "Кошти на картку повернено 25.11.2026",
        ],
    );
}

#[test]
fn what_was_given_back_to_the_card_unsent_stands_in_the_title_with_sum_and_day() {
    let order = given_back();
    let text = tools::text(&payment(&order, Locale::Uk));
    assert_shows(
        &text,
        &[
            "Квитанція: частину коштів повернено на картку",
            "Повернено на картку до передачі банку 1 332,00 грн 20.11.2026, переказ № 4711",
            "Отримувачам, з них повернено на картку 1 332,00 грн",
            "Статус переказу Скасовано до передачі банку, 20.11.2026",
            "Кошти на картку повернено 20.11.2026",
        ],
    );
    assert!(!text.contains("Квитанція про сплату"), "{text}");
    assert!(!text.contains("не зараховано"), "{text}");
    let english = tools::text(&payment(&order, Locale::En));
    assert_shows(
        &english,
        &[
            "Receipt: a part was refunded to the card",
            "Refunded to the card before it was sent: 1,332.00 UAH 20.11.2026, transfer No. 4711",
            "To the recipients, of which refunded to the card: 1,332.00 UAH",
        ],
    );

    // Beside what a bank has sent back, each is added up for itself, and nothing has reached a recipient.
    let mut both = order.clone();
    let own = &mut both.items[0].transfers[0];
    own.status = TransferStatus::Returned;
    own.returned = samples::returned().items[0].transfers[1].returned.clone();
    let text = tools::text(&payment(&both, Locale::Uk));
    assert_shows(
        &text,
        &[
            "Квитанція: кошти отримувачам не зараховано",
            "Отримувачам, з них не зараховано 1 998,00 грн, повернено на картку 1 332,00 грн",
        ],
    );

    let mut all = order;
    let own = &mut all.items[0].transfers[0];
    own.status = TransferStatus::CalledOff;
    own.given_back = true;
    let text = tools::text(&payment(&all, Locale::Uk));
    assert_shows(
        &text,
        &[
            "Квитанція: кошти повернено на картку",
            "Отримувачам, з них повернено на картку 3 330,00 грн",
        ],
    );
    let text = tools::text(&commission(&all, Locale::Uk));
    assert_shows(&text, &["Квитанція про комісію"]);
}

#[test]
fn a_commission_receipt_says_of_vat_what_the_operator_says() {
    let mut order = samples::split();
    order.vat = Vat::parse("20").unwrap();
    order.fiscal = Fiscal {
        fiscal_number: Some("4000123456".into()),
        prro_number: Some("ПРРО-7".into()),
        fiscal_qr_url: Some("https://cabinet.tax.gov.ua/cashregs/check".into()),
    };
    let text = tools::text(&commission(&order, Locale::Uk));
    assert_shows(
        &text,
        &[
            "ПДВ у тому числі ПДВ 20 %: 8,33 грн",
            "Фіскальний номер 4000123456",
            "Номер ПРРО ПРРО-7",
            "Перевірка чека https://cabinet.tax.gov.ua/cashregs/check",
        ],
    );
    order.vat = Vat::Unstated;
    order.fiscal = Fiscal::default();
    let text = tools::text(&commission(&order, Locale::Uk));
    for absent in ["ПДВ", "Фіскальний", "ПРРО", "Перевірка чека"] {
        assert!(!text.contains(absent), "{absent}: {text}");
    }
    for text in ["unstated", "without", "7"] {
        assert_eq!(Vat::parse(text).unwrap().text(), text);
    }
    for text in ["", "0", "100", "20%"] {
        assert_eq!(Vat::parse(text), None, "{text}");
    }
}

#[test]
fn names_inside_an_archive_tell_what_they_are() {
    let mut order = samples::split();
    order.number = "100027".into();
    let name = |order: &ReceiptOrder, locale| archived_item_name(order, &order.items[0], locale);
    assert_eq!(
        name(&order, Locale::Uk),
        "100027 Петренко-М’якота – Адміністративний збір.pdf"
    );
    assert_eq!(
        name(&order, Locale::En),
        "100027 Петренко-М’якота – Administrative fee.pdf"
    );
    assert_eq!(
        archived_commission_name(&order, Locale::Uk),
        "100027 Петренко-М’якота – Комісія сервісу.pdf"
    );
    order.items[0].client_code = "30019801".into();
    order.items[0].client_name = format!("ТОВ «Мрія/{}»", "а".repeat(100));
    let name = safe_file_name(&name(&order, Locale::Uk));
    let expected = format!(
        "100027 ТОВ «Мрія_{} – Адміністративний збір.pdf",
        "а".repeat(30)
    );
    assert_eq!(name, expected);
}

#[test]
fn times_are_kyiv_times_on_both_sides_of_midnight_and_of_summer() {
    let mut order = samples::single();
    for (at, shown) in [
        ("2026-07-31T21:00:00Z", "01.08.2026 00:00:00"),
        ("2026-07-31T20:59:59Z", "31.07.2026 23:59:59"),
        ("2025-11-10T22:00:00Z", "11.11.2025 00:00:00"),
    ] {
        order.paid_at = at.parse().unwrap();
        order.items[0].transfers[0].made_at = order.paid_at;
        let text = tools::text(&payment(&order, Locale::Uk));
        assert_shows(
            &text,
            &[
                &format!("Сплачено {shown}"),
                &format!("від {}", &shown[..10]),
            ],
        );
    }
}

#[test]
fn names_in_any_writing_are_drawn_or_replaced_and_can_still_be_copied() {
    for name in [
        "Łukasz Żółć-Đặng Ğ",
        "O'Коннор-М’якота Ґ.",
        "山田太郎",
        "محمد بن سلمان",
        "שרה לוי",
        "🙂👩‍👩‍👧‍👦🇺🇦",
        "გიორგი",
        "A\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}b",
        "\u{202E}gnorw\u{202C}",
        "null\0byte\u{1}\u{7f}\u{85}",
        "\u{E000}\u{FFFE}\u{10FFFF}\u{F8FF}",
        "\n\r\t  \u{2028}x",
        "",
    ] {
        let mut order = samples::single();
        order.notary_name = name.into();
        order.items[0].client_name = name.into();
        order.items[0].label = name.into();
        order.items[0].transfers[0].recipient_name = name.into();
        order.items[0].transfers[0].purpose = name.into();
        for pdf in [payment(&order, Locale::Uk), commission(&order, Locale::En)] {
            assert!(tools::check(&pdf).contains("No syntax"), "{name:?}");
            assert_shows(&tools::text(&pdf), &["1042-7731", "424242******4242"]);
        }
    }
    let mut order = samples::single();
    order.items[0].client_name = "山田 Олена 🙂".into();
    let text = tools::text(&payment(&order, Locale::Uk));
    assert_shows(&text, &["山田 Олена 🙂"]);
}

#[test]
fn texts_without_end_fill_pages_but_do_not_break_them() {
    let mut order = samples::single();
    let long = "Довгий текст, що не має кінця; ".repeat(400);
    order.items[0].label = long.clone();
    order.items[0].client_name = "щ".repeat(50_000);
    order.items[0].transfers[0].purpose = long.clone();
    order.operator.name = long.clone();
    order.operator.address = long.clone();
    order.acquirer_name = long.clone();
    order.payment_reference = long.clone();
    order.number = long;
    for locale in Locale::ALL {
        let pdf = payment(&order, locale);
        assert!(tools::check(&pdf).contains("No syntax"));
        assert!(tools::pages(&pdf).len() < 40);
        assert!(commission_receipt(&order, Selection::Order, locale).is_ok());
    }
}
