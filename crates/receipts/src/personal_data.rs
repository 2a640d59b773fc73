//! What is stored about a person, as a document for that person (Law "On Personal Data Protection", article 8), in Ukrainian.

use cabinet_domain::{Locale, OrderStatus, PaymentKind, TransferStatus};
use jiff::Timestamp;

use crate::error::ReceiptError;
use crate::font::Fonts;
use crate::format::moment;
use crate::frame;
use crate::marks::Style;
use crate::paint::{About, pdf};
use crate::row::height_of;
use crate::sheet::{Sheets, WIDE};
use crate::slip::rows_of;
use crate::structure::NodeKind;
use crate::style::{HEADING, LEAD, STRONG, TITLE};
use crate::units::{Length, POINT};
use crate::wording::{Wording, kind_name, order_status, transfer_status_name};

/// What is stored about a person.
#[derive(Clone, Debug)]
pub struct PersonalData {
    /// The code by which it was found.
    pub code: String,
    /// When.
    pub made_at: Timestamp,
    /// The notaries who have it.
    pub notaries: Vec<PersonalDataOfNotary>,
}

/// What a notary has about a person.
#[derive(Clone, Debug)]
pub struct PersonalDataOfNotary {
    /// Her name.
    pub name: String,
    /// The rows.
    pub records: Vec<PersonalRecord>,
}

/// A row.
#[derive(Clone, Debug)]
pub struct PersonalRecord {
    /// What it is.
    pub heading: &'static str,
    /// Whether it belongs to the order before it.
    pub is_part_of_order: bool,
    /// Labels and values. Empty values are left out.
    pub lines: Vec<(&'static str, String)>,
}

const TITLE_TEXT: &str = "Персональні дані";
const INTRODUCTION: &str = "Це все, що зберігається про особу з цим кодом у кабінетах нотаріусів (стаття 8 Закону України «Про захист персональних даних»). Не наведено ключів, паролів і даних платіжних карток; адреси електронної пошти частково приховано.";
const CODE: &str = "Код особи";
const MADE_AT: &str = "Складено";
const NOTARY: &str = "Нотаріус";

/// Makes the document as PDF/A-2a with tags. The same input gives the same bytes.
///
/// # Errors
/// Faults of the program.
pub fn personal_data(data: &PersonalData) -> Result<Vec<u8>, ReceiptError> {
    let words = Wording::of(Locale::Uk);
    let mut sheets = Sheets::new(Fonts::get()?);
    heading(&mut sheets, TITLE_TEXT, (1, TITLE), 0);
    sheets.skip(6 * POINT);
    sheets.text(INTRODUCTION, LEAD, WIDE);
    sheets.skip(10 * POINT);
    let head = [(CODE, data.code.clone()), (MADE_AT, moment(data.made_at))];
    table(&mut sheets, &head);
    for notary in &data.notaries {
        sheets.skip(8 * POINT);
        let name = format!("{NOTARY} {}", notary.name);
        heading(&mut sheets, &name, (2, HEADING), 60 * POINT);
        sheets.skip(3 * POINT);
        for record in &notary.records {
            let rows = rows_of(sheets.fonts, &record.lines);
            if !record.is_part_of_order {
                let height = 5 * POINT + STRONG.leading + height_of(&rows);
                sheets.keep(height, height.min(80 * POINT));
                sheets.rule();
                sheets.skip(5 * POINT);
            }
            heading(&mut sheets, record.heading, (3, STRONG), height_of(&rows));
            table(&mut sheets, &record.lines);
        }
    }
    frame::head_and_foot(&mut sheets, words, TITLE_TEXT, TITLE_TEXT, false);
    let about = About {
        title: TITLE_TEXT.to_owned(),
        author: TITLE_TEXT.to_owned(),
        document_id: format!("personal-data-{}", data.made_at),
        dated: data.made_at,
        locale: Locale::Uk,
    };
    pdf(&[sheets], about)
}

/// Writes a heading that stays on one page with the beginning of what follows.
fn heading(sheets: &mut Sheets, text: &str, (level, style): (u16, Style), with: Length) {
    let height = style.leading + with;
    sheets.keep(height, height.min(80 * POINT));
    let node = sheets.structure.leaf(NodeKind::Heading(level), text);
    sheets.add_to_outline(text);
    sheets.paragraph(text, style, WIDE, node);
}

fn table(sheets: &mut Sheets, lines: &[(&'static str, String)]) {
    let rows = rows_of(sheets.fonts, lines);
    let table = sheets.structure.open(NodeKind::Table);
    sheets.rows(&rows, None);
    sheets.structure.close(table);
    sheets.skip(7 * POINT);
}

/// Returns what a table or column is called, or its name, if it has no other.
#[must_use]
pub fn personal_data_word(name: &'static str) -> &'static str {
    let known = WORDS.iter().find(|(known, _)| *known == name);
    known.map_or(name, |(_, word)| *word)
}

/// Returns what a word of the program in a column means to a person. `None`: it is a text of people.
#[must_use]
pub fn personal_data_value(column: &str, word: &str) -> Option<&'static str> {
    match column {
        "payment_kind" => PaymentKind::from_slug(word).map(|kind| kind_name(kind, Locale::Uk)),
        "status" => OrderStatus::parse(word)
            .map(|status| order_status(status, Locale::Uk))
            .or_else(|| {
                TransferStatus::parse(word).map(|status| transfer_status_name(status, Locale::Uk))
            }),
        "given_by" if word == "client" => Some("Клієнт"),
        "given_by" => Some("Нотаріус зі слів клієнта"),
        _ => None,
    }
}

const WORDS: &[(&str, &str)] = &[
    ("clients", "Запис в адресній книзі"),
    ("cart_items", "Платіж у кошику"),
    ("cart_acts", "Нотаріальна дія для платежів у кошику"),
    ("deals", "Розрахунок за угодою"),
    ("deal_payments", "Платіж із розрахунку"),
    ("orders", "Замовлення"),
    ("items", "Платіж замовлення"),
    ("transfers", "Переказ (платіжний документ)"),
    ("refunds", "Повернення на картку"),
    ("alarms", "Примітка підтримки"),
    ("link", "Посилання для сплати клієнтом"),
    ("consent", "Згода на листи про квитанцію"),
    ("letters_about_receipt", "Листи про квитанцію"),
    ("recipients", "Збережений отримувач"),
    ("complaints", "Звернення про платіж"),
    ("letters", "Повідомлення, яке ще не надіслано"),
    ("full_name", "Ім’я або назва"),
    ("inn", "Код"),
    ("created_at", "Створено"),
    ("used_at", "Востаннє використано"),
    ("removed_at", "Вилучено з книги"),
    ("erased_at", "Стерто"),
    ("deleted_at", "Вилучено"),
    ("payment_kind", "Вид платежу"),
    ("option_name_uk", "Послуга"),
    ("term_period_uk", "Строк"),
    ("region_name_uk", "Регіон"),
    ("count", "Кількість"),
    ("amount", "Сума"),
    ("commission", "Комісія"),
    ("requisite_name", "Отримувач (за реквізитами)"),
    ("requisite_iban", "Рахунок отримувача"),
    ("requisite_okpo", "Код отримувача"),
    ("recipient_name", "Отримувач"),
    ("iban", "Рахунок"),
    ("okpo", "Код власника рахунку"),
    ("cbc_code", "Код бюджетної класифікації"),
    ("filing_year", "Рік подання"),
    ("purpose", "Призначення платежу"),
    ("register_number", "Номер у реєстрі"),
    ("act_on", "Дата нотаріальної дії"),
    ("object", "Об’єкт"),
    ("kind_uk", "Вид угоди"),
    ("calculated_on", "Дата розрахунку"),
    ("price", "Ціна"),
    ("valuation", "Оцінка"),
    ("building_price", "Ціна будівлі"),
    ("name_uk", "Назва платежу"),
    ("sum", "Сума"),
    ("reason", "Причина"),
    ("number", "Номер"),
    ("status", "Стан"),
    ("paid_at", "Сплачено"),
    ("cancelled_at", "Скасовано"),
    ("act_register_number", "Номер у реєстрі"),
    ("act_object", "Об’єкт нотаріальної дії"),
    ("codes_given_at", "QR-коди надано"),
    ("codes_paid_at", "Сплату за QR-кодами позначено"),
    ("codes_paid_reference", "Квитанція банку платника"),
    ("credited_on", "Зараховано"),
    ("credited_reference", "Референс зарахування"),
    ("document_number", "Номер документа (квитанції)"),
    ("payer_name", "Платник"),
    ("payer_code", "Код платника"),
    ("recipient_iban", "Рахунок отримувача"),
    ("recipient_code", "Код отримувача"),
    ("bank_reference", "Референс банку"),
    ("returned_on", "Повернено банком"),
    ("release_reason", "Чому переказ надіслано"),
    ("refunded_at", "Повернено на картку"),
    ("refund_reason", "Як повернено на картку"),
    ("ended_at", "Завершено"),
    ("first_at", "Виникло"),
    ("closed_at", "Закрито"),
    ("note", "Примітка"),
    ("made_at", "Створено"),
    ("ends_at", "Діє до"),
    ("opened_at", "Відкрито"),
    ("sent_at", "Надіслано"),
    ("withdrawn_at", "Відкликано"),
    ("email", "Електронна пошта"),
    ("given_by", "Хто погодився"),
    ("given_at", "Коли"),
    ("asked_again_at", "Лист замовлено ще раз"),
    ("letter_sent_at", "Лист надіслано"),
    ("letter_given_up_at", "Лист надіслати не вдалося"),
    ("given_count", "Скільки разів надіслано"),
    ("refused_at", "Листи відхилено"),
    ("title", "Назва запису"),
    ("text", "Текст"),
    ("answer", "Відповідь"),
];
