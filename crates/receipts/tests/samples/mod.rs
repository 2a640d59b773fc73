//! Orders to make receipts of, used by the tests, the benchmark and the samples.

use cabinet_domain::{
    AfterReturn, BankAnswer, BudgetCode, Count, Iban, ItemId, Line, Money, NotarialAct, OrderId,
    PartRole, PaymentCode, PaymentKind, TransferStatus, TruncatedPan, Uetr,
};
use cabinet_receipts::{
    Fiscal, Operator, Provider, ReceiptItem, ReceiptOrder, ReceiptTransfer, Returned, SlipTitles,
    Vat, Verification,
};
use jiff::civil::date;
use uuid::Uuid;

/// A Treasury account with a right checksum.
pub const TREASURY_IBAN: &str = "UA728999980334100000000026001";

/// A sum of kopiykas.
pub fn money(kopiykas: i64) -> Money {
    Money::from_kopiykas(kopiykas).expect("a sum within the limits")
}

/// An account of a bank, with its checksum computed.
pub fn iban(bank: &str, account: u64) -> Iban {
    let rest = format!("{bank}{account:019}");
    let digits: String = format!("{rest}301000");
    let remainder = digits.bytes().fold(0_u32, |sum, digit| {
        (sum * 10 + u32::from(digit - b'0')) % 97
    });
    Iban::parse(&format!("UA{:02}{rest}", 98 - remainder)).expect("a right checksum")
}

/// An order without items.
pub fn order() -> ReceiptOrder {
    ReceiptOrder {
        id: OrderId::new(Uuid::from_u128(0x0199_7d2c_5a10_7000_8000_0000_0000_0001)),
        number: "1042-7731".into(),
        act: NotarialAct {
            register_number: Line::parse("1245", 40).ok(),
            date: NotarialAct::parse_date("2026-11-20").ok(),
            object: Line::parse("квартира № 12, вул. Івана Франка, 5, м. Київ", 250).ok(),
        },
        created_at: "2026-11-20T08:19:05Z".parse().expect("a time"),
        by_codes: None,
        paid_at: "2026-11-20T08:21:33Z".parse().expect("a time"),
        notary_name: "Коваленко Олена Іванівна, приватний нотаріус".into(),
        notary_code: Some("2894512347".into()),
        provider: Some(Provider {
            name: "АТ «БАНК НАДАВАЧ»".into(),
            code: Some("14360570".into()),
            authorisation: Some("ліцензія НБУ № 22 від 05.10.2011".into()),
        }),
        slip_titles: SlipTitles::default(),
        vat: Vat::Without,
        fiscal: Fiscal::default(),
        operator: Operator {
            name: "ТОВ «Кабінет нотаріуса»".into(),
            code: "43215674".into(),
            iban: iban("322001", 26_007_000_000_123),
            address: "вул. Хрещатик, 22, м. Київ, 01001".into(),
        },
        acquirer_name: "АТ «УНІВЕРСАЛ БАНК»".into(),
        card: Some(TruncatedPan::parse_mask("424242******4242").expect("a mask")),
        payment_system: Some("Visa".into()),
        authorisation_code: Some("704613".into()),
        rrn: Some("632415870994".into()),
        payment_reference: "01997d2c-5a10-7000-8000-00000000000a".into(),
        verification: Some(Verification {
            code: "7KQ2-M4XD-9TRW".into(),
            address: "https://cabinet.example.ua/check/7KQ2-M4XD-9TRW".into(),
        }),
        items: Vec::new(),
        sandbox: false,
    }
}

/// A transfer to the Treasury.
pub fn treasury(amount: Money) -> ReceiptTransfer {
    ReceiptTransfer {
        document_number: 4_711,
        made_at: order().paid_at,
        recipient_name: "ГУК у м. Києві/Печерський р-н/22012600".into(),
        recipient_code: "37993783".into(),
        iban: Iban::parse(TREASURY_IBAN).expect("a right checksum"),
        bank_name: Some("Казначейство України (ел. адм. подат.)".into()),
        purpose: "101 Адмінзбір за державну реєстрацію права власності, Петренко М’якота Ґанна Їжаківна, 3184710691".into(),
        budget_code: BudgetCode::parse("22012600").ok(),
        payment_code: PaymentCode::parse("101"),
        amount,
        role: PartRole::Recipient,
        status: TransferStatus::Sent,
        status_at: "2026-11-20T09:00:00Z".parse().expect("a moment"),
        value_date: Some(date(2026, 11, 20)),
        bank: BankAnswer::default(),
        returned: None,
        given_back: false,
    }
}

/// An item paid by one transfer: 330,00 and 10,00 of commission.
pub fn item(number: u128) -> ReceiptItem {
    let amount = money(33_000);
    ReceiptItem {
        id: ItemId::new(Uuid::from_u128(
            0x0199_7d2c_5a10_7000_9000_0000_0000_0000 + number,
        )),
        kind: PaymentKind::AdminGovernmentPayment,
        label: "Державна реєстрація права власності, 5 робочих днів".into(),
        client_code: "3184710691".into(),
        client_name: "Петренко-М’якота Ґанна Їжаківна".into(),
        count: Count::ONE,
        amount,
        commission: money(1_000),
        total: money(34_000),
        transfers: vec![treasury(amount)],
    }
}

/// An administrative fee of a private notary: 60 % and 40 %, each with its commission.
pub fn split_item(number: u128) -> ReceiptItem {
    let (amount, commission) = (money(333_000), money(4_995));
    let (notary, recipient) = amount.share(cabinet_domain::Percent::NOTARY_SHARE);
    let own = ReceiptTransfer {
        document_number: 4_710,
        made_at: order().paid_at,
        recipient_name: "Коваленко Олена Іванівна".into(),
        recipient_code: "2894512347".into(),
        iban: iban("305299", 26_002_000_123_456),
        bank_name: Some("АТ КБ «ПРИВАТБАНК»".into()),
        purpose: "60 % адміністративного збору за державну реєстрацію права власності, 3184710691"
            .into(),
        budget_code: None,
        payment_code: None,
        amount: notary,
        role: PartRole::Notary,
        status: TransferStatus::Credited,
        status_at: "2026-11-21T09:00:00Z".parse().expect("a moment"),
        value_date: Some(date(2026, 11, 20)),
        bank: BankAnswer {
            uetr: Uetr::parse("eb6305c9-1f7f-49de-aed0-16487c27b42d"),
            booking_reference: None,
            bank_reference: Line::parse("JBKLQ9B2P1A0M7", 35).ok(),
            credited_on: Some(date(2026, 11, 21)),
            returned_on: None,
        },
        returned: None,
        given_back: false,
    };
    ReceiptItem {
        kind: PaymentKind::AdminPayment,
        label: "Державна реєстрація права власності, 2 робочі дні".into(),
        amount,
        commission,
        total: amount.plus(commission).expect("within the limits"),
        transfers: vec![own, treasury(recipient)],
        ..item(number)
    }
}

/// An order of one item with one transfer.
pub fn single() -> ReceiptOrder {
    ReceiptOrder {
        items: vec![item(1)],
        ..order()
    }
}

/// An order of one item with two transfers.
pub fn split() -> ReceiptOrder {
    ReceiptOrder {
        items: vec![split_item(1)],
        ..order()
    }
}

/// The order of [`split`], of which the Treasury has sent its part back.
pub fn returned() -> ReceiptOrder {
    let mut order = split();
    let transfer = &mut order.items[0].transfers[1];
    transfer.status = TransferStatus::Returned;
    transfer.status_at = "2026-11-22T09:00:00Z".parse().expect("a moment");
    transfer.returned = Some(Returned {
        document_number: transfer.document_number,
        after: AfterReturn::Undecided,
        to_card_on: None,
        on: date(2026, 11, 22),
        reason: "Код отримувача не відповідає рахунку".into(),
    });
    order
}

/// An order of so many items, every third of them with two transfers.
pub fn many(count: u128) -> ReceiptOrder {
    let items = (1..=count).map(|number| {
        let mut item = if number.is_multiple_of(3) {
            split_item(number)
        } else {
            item(number)
        };
        for (place, transfer) in (0..).zip(&mut item.transfers) {
            transfer.document_number = i64::try_from(number).expect("few") * 10 + place;
        }
        item
    });
    ReceiptOrder {
        items: items.collect(),
        ..order()
    }
}

/// An order whose texts are as long as texts get.
pub fn lengthy() -> ReceiptOrder {
    let mut order = single();
    let item = &mut order.items[0];
    item.label = "Державна реєстрація права власності на нерухоме майно, об’єкт незавершеного будівництва, майбутній об’єкт \
                  нерухомого майна, з видачею витягу, у скорочений строк 2 години"
        .into();
    item.client_name = "ТОВАРИСТВО З ОБМЕЖЕНОЮ ВІДПОВІДАЛЬНІСТЮ «НАУКОВО-ВИРОБНИЧЕ ПІДПРИЄМСТВО ПІВДЕННОУКРАЇНСЬКЕЛЕКТРОПРОМБУДМОНТАЖ»".into();
    item.client_code = "30019801".into();
    let transfer = &mut item.transfers[0];
    transfer.recipient_name =
        "Головне управління Державної казначейської служби України у Дніпропетровській області, \
                               Верхньодніпровська міська територіальна громада/22012600"
            .into();
    transfer.purpose = "*;101;30019801;Адміністративний збір за державну реєстрацію речових прав на нерухоме майно та їх обтяжень \
                        у скорочені строки за договором купівлі-продажу від 19.11.2026 №4471-2026/К, \
                        https://e-construction.gov.ua/document_detail/doc_id=3074958871064936712/optype=2;;;"
        .into();
    order
}
