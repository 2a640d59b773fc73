//! A small set whose line numbers a test can name.

use std::collections::BTreeMap;

/// Files with nothing wrong and nothing doubtful.
const FILES: [(&str, &str); 18] = [
    (
        "payment-types.csv",
        "id,slug\n\
         private,admin_payment\n\
         state,admin_government_payment\n\
         registry,registry_payment\n\
         free,requisites_payment\n",
    ),
    (
        "options.csv",
        "id,payment_types,name_uk,name_en,budget_code,note\n\
         right,private state,Право,Right,22012600,the note is for nobody else\n\
         extract,registry,Витяг,Extract,,\n",
    ),
    (
        "option-tariffs.csv",
        "option_id,tariff,valid_from,valid_to\n\
         extract,80,2025-01-01,2025-12-31\n\
         extract,\"90,5\",2026-01-01,\n",
    ),
    (
        "terms.csv",
        "id,option_id,period_uk,period_en,budget_code\n\
         right-slow,right,5 днів,5 days,\n\
         right-fast,right,1 день,1 day,22012900\n",
    ),
    (
        "term-taxes.csv",
        "term_id,tax,valid_from,valid_to\n\
         right-slow,300,2025-01-01,2025-12-31\n\
         right-slow,330.00,2026-01-01,\n\
         right-fast,6660,2026-01-01,\n",
    ),
    (
        "regions.csv",
        "id,iso_code,name_uk,name_en,has_recipients\n\
         lviv,UA-46,Львівська область,Lviv Oblast,yes\n\
         crimea,UA-43,Автономна Республіка Крим,Autonomous Republic of Crimea,no\n",
    ),
    (
        "requisites.csv",
        "id,region_id,payment_types,budget_codes,recipient_name,edrpou,iban,valid_from,valid_to,demonstration\n\
         old,lviv,private state,22012600,ГУК Львiв/22012600,38008294,UA688999980999022012600460001,2025-01-01,2025-12-31,yes\n\
         new,lviv,private state,22012600,ГУК Львiв/22012600,38008294,UA768999980999022012600460051,2026-01-01,,yes\n\
         fast,lviv,private state,22012900,ГУК Львiв/22012900,38008294,UA068999980999022012900460001,2025-01-01,,no\n\
         registers,*,registry,,Адміністратор,37993783,UA513999990000026009990000001,2025-01-01,,yes\n",
    ),
    (
        "templates.csv",
        "id,title_uk,title_en,amount,recipient_name,iban,edrpou,budget_code,comment,valid_from,valid_to,demonstration\n\
         court,Судовий збір,Court fee,,ГУК/22030101,UA638999980999022030101300001,37993783,22030101,\"101 Збір, {clientName}, {clientIPN}\",2025-01-01,2026-06-30,yes\n\
         balance,Поповнення,Top-up,34,Адміністратор,UA513999990000026009990000001,37993783,,Поповнення {clientIPN},2026-01-01,,no\n",
    ),
    (
        "tariffs.csv",
        "valid_from,percent,minimum\n,1.5,5\n2025-11-11,1.5,10\n",
    ),
    (
        "budget-codes.csv",
        "code,name_uk,name_en\n\
         22012600,Збір за реєстрацію,Registration fee\n\
         22012900,Плата за скорочення,Fee for shortened terms\n\
         22030101,Судовий збір,Court fee\n",
    ),
    (
        "payment-codes.csv",
        "code,name_uk,name_en\n101,Податки і збори,Taxes and fees\n",
    ),
    (
        "banks.csv",
        "code,name_uk,name_en\n899998,Казначейство,Treasury\n",
    ),
    (
        "treasury-last-days.csv",
        "last_day,source\n2025-12-28,an order\n",
    ),
    (
        "deal-kinds.csv",
        "id,name_uk,name_en,sums\nsale,Продаж,Sale,price valuation\nact,Дія,Act,\n",
    ),
    (
        "deal-facts.csv",
        "id,kinds,question_uk,question_en\nturn,sale,Який це продаж?,Which sale is it?\n",
    ),
    (
        "deal-answers.csv",
        "id,fact_id,name_uk,name_en\nfirst,turn,перший,the first\nlater,turn,наступний,a later one\n",
    ),
    (
        "deal-lines.csv",
        "id,name_uk,name_en,template_id\ntax,Податок,Tax,court\nduty,Мито,Duty,\ninformation,Витяг,Extract,\n",
    ),
    (
        "deal-rules.csv",
        "id,line_id,kinds,answers,notary,payer,base,percent,minimum,maximum,sum,term_id,option_id,ground_uk,ground_en,source,valid_from,valid_to,unconfirmed\n\
         tax-first,tax,sale,first,,seller,,,,,0,,,Перший,The first,the law,2025-01-01,,\n\
         tax-2025,tax,sale,later,,seller,larger,5,,,,,,Наступний,A later one,the law,2025-01-01,2025-12-31,\n\
         tax-2026,tax,sale,later,,seller,larger,18,20,,,,,Наступний,A later one,the law,2026-01-01,,\n\
         duty-private,duty,sale act,,private,buyer,,,,,0,,,Приватний,Private,the law,2025-01-01,,\n\
         duty-state,duty,sale act,,state,buyer,,,,,,right-slow,,Державний,State,the law,2025-01-01,,\n\
         information,information,act,,,buyer,,,,,,,extract,Витяг,Extract,the law,2025-01-01,,\n",
    ),
];

/// The set.
pub(super) fn files() -> BTreeMap<String, String> {
    FILES
        .into_iter()
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .collect()
}

/// The set with one line replaced, or added where the file has just one line less.
pub(super) fn files_with(file: &str, line: usize, text: &str) -> BTreeMap<String, String> {
    let mut files = files();
    let whole = files.get_mut(file).unwrap();
    let mut lines: Vec<&str> = whole.lines().collect();
    if line == lines.len() + 1 {
        lines.push(text);
    } else {
        lines[line - 1] = text;
    }
    *whole = lines.join("\n");
    files
}
