//! A sheet of QR codes.

use cabinet_domain::{Money, Okpo};
use cabinet_receipts::{CodedTransfer, PaymentCodes, TransferLink};

use crate::samples::{iban, split};

/// A sheet of codes: one that fits in UTF-8, one in Windows-1251, one that does not fit.
pub fn codes() -> PaymentCodes {
    let order = split();
    let transfer = |purpose: String, amount: i64| {
        let iban = iban("899998", 334_100_000_026_001);
        let amount = Money::from_kopiykas(amount).expect("a sum");
        let code = Okpo::parse("37993783").expect("a code");
        let name = "ГУК у м.Києві/Тестовий р-н/22012600";
        CodedTransfer {
            recipient_name: name.into(),
            recipient_code: code.as_str().into(),
            bank_name: Some("Казначейство України (ел. адм. подат.)".into()),
            link: TransferLink::new(name, &iban, amount, &code, &purpose),
            iban,
            amount,
            purpose,
        }
    };
    let long = "101 Адміністративний збір за державну реєстрацію права власності, заявник Тестенко Тест Тестович, РНОКПП 1234567899, \
                приватний нотаріус Зразкова Зразка Зразківна, реєстраційний номер об'єкта 000000000000";
    PaymentCodes {
        id: order.id,
        number: order.number,
        made_at: order.created_at,
        notary_name: order.notary_name,
        client_name: "Шевченко Тарас Григорович".into(),
        client_code: "3184710691".into(),
        operator_name: order.operator.name,
        transfers: vec![
            transfer(
                "101 Адмінзбір: право власності, 5 робочих днів; платник 3184710691".into(),
                13_200,
            ),
            transfer(long.into(), 133_240),
            transfer(format!("{long} {long}"), 13_200),
        ],
        total: Money::from_kopiykas(159_640).expect("a sum"),
        sandbox: false,
    }
}
