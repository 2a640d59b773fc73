//! Runs every row of the tables in `testdata`, which the browser's tests read as well: both sides hold the same rules.
#![expect(clippy::unwrap_used, reason = "a helper of a test may fail the test")]

use std::collections::BTreeSet;
use std::path::Path;

use cabinet_domain::{
    BudgetCode, Count, Iban, Inn, InnHint, InnKind, Key, KnownAccount, Line, Locale, Money,
    MoneyError, Okpo, PaidPart, PartRole, PaymentCode, PaymentKind, PersonName, Phone, Purpose,
    RegisterNumberRule, Tariff, TariffTable, TransferStatus, amount_in_words, book_sums,
    income_entries, names_payment_card, price, search_key, sought_words,
};
use jiff::Timestamp;
use jiff::civil::date;
use serde::Deserialize;
use serde_json::{Value, json};

/// A table: what it is about, what its fields mean, and its rows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    about: String,
    fields: serde_json::Map<String, Value>,
    cases: Vec<Case>,
}

/// A row of a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    input: Value,
    expect: Value,
}

/// Reads the rows of a table.
fn cases(table: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata")
        .join(table);
    let table: Table = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(!table.about.is_empty() && !table.cases.is_empty());

    let names: BTreeSet<_> = table.cases.iter().map(|case| &case.name).collect();
    assert_eq!(names.len(), table.cases.len(), "two rows have one name");
    for case in &table.cases {
        assert_described(&table.fields, "input", &case.input);
        assert_described(&table.fields, "expect", &case.expect);
    }
    table.cases
}

/// Runs all rows of a table and reports every one that came out otherwise.
fn run(table: &str, outcome: impl Fn(&Value) -> Result<Value, Key>) {
    let mut failures = Vec::new();
    for case in cases(table) {
        let actual = outcome(&case.input).unwrap_or_else(|key| json!({ "error": key.as_str() }));
        if actual != case.expect {
            failures.push(format!(
                "{}\n    expected {}\n    got      {actual}",
                case.name, case.expect
            ));
        }
    }
    assert!(
        failures.is_empty(),
        "{} rows:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Every field that a row uses is explained at the top of the table.
fn assert_described(fields: &serde_json::Map<String, Value>, side: &str, value: &Value) {
    match value {
        Value::Object(members) => {
            for member in members.keys() {
                assert!(
                    fields.contains_key(&format!("{side}.{member}")),
                    "{side}.{member} is not described"
                );
            }
        }
        _ => assert!(fields.contains_key(side), "{side} is not described"),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn hint(hint: Option<InnHint>) -> Value {
    match hint {
        None => Value::Null,
        Some(InnHint::WrongCheckDigit) => json!("wrong_check_digit"),
    }
}

#[test]
fn names_are_mended() {
    run("person-name.json", |input| {
        let name =
            PersonName::parse(text(input)).map_err(|error| error.key(Key::FullNameRequired))?;
        let mended = name.mended();
        assert_eq!(mended.mended(), mended, "what is mended stays so");
        Ok(json!({ "name": mended.as_str(), "changed": mended != name }))
    });
}

#[test]
fn clients_are_found_by_their_keys() {
    run("search-key.json", |input| {
        let key = search_key(text(&input["stored"]));
        let typed = search_key(text(&input["typed"]));
        Ok(json!({ "found": typed.split(' ').all(|word| key.contains(word)) }))
    });
}

#[test]
fn client_codes() {
    run("inn.json", |input| {
        let reading = Inn::read(text(input))?;
        let kind = match reading.inn.kind() {
            InnKind::TaxId => "tax_id",
            InnKind::IdCard => "id_card",
            InnKind::Edrpou => "edrpou",
            InnKind::Passport => "passport",
        };
        Ok(json!({
            "inn": reading.inn.as_str(),
            "kind": kind,
            "latin_letters_replaced": reading.latin_letters_replaced,
            "hint": hint(reading.inn.check()),
        }))
    });
}

#[test]
fn typed_sums() {
    for case in cases("money-typed.json") {
        let read = Money::parse_typed(text(&case.input)).map_err(MoneyError::key);
        let found = match read {
            Ok(sum) => json!({ "kopiykas": sum.kopiykas() }),
            Err(key) => json!({ "error": key.as_str() }),
        };
        let expected = if case.expect["slip"].is_null() {
            case.expect
        } else {
            json!({ "error": "amount_invalid" })
        };
        assert_eq!(found, expected, "{}", case.name);
    }
}

/// A search may take a text apart, but never makes a sum of what is none.
#[test]
fn sums_in_a_search() {
    for case in cases("money-typed.json") {
        let typed = text(&case.input);
        let words = sought_words(typed, 8);
        let sums: Vec<_> = words.iter().map(|word| word.sum).collect();
        if let Some(kopiykas) = case.expect["kopiykas"].as_i64() {
            let sum = Money::from_kopiykas(kopiykas).unwrap();
            assert_eq!(sums, [Some(sum)], "{}", case.name);
        } else {
            for word in words.iter().filter(|word| word.sum.is_some()) {
                // Groups are joined only where kopiykas show that they are a sum.
                let is_whole = typed.contains(&*word.word);
                assert!(
                    is_whole || word.word.contains(','),
                    "{}: {word:?}",
                    case.name
                );
            }
        }
    }
}

#[test]
fn recipient_codes() {
    run("okpo.json", |input| {
        let okpo = Okpo::parse(text(input))?;
        Ok(json!({ "okpo": okpo.as_str(), "person": okpo.is_person(), "hint": hint(okpo.check()) }))
    });
}

#[test]
fn accounts() {
    run("iban.json", |input| {
        let reading = Iban::read(text(&input["iban"]))?;
        let iban = reading.iban;
        if let Some(okpo) = input.get("okpo") {
            iban.balance_code_rule(&Okpo::parse(text(okpo)).unwrap())?;
        }
        Ok(json!({
            "iban": iban.as_str(),
            "bank_code": iban.bank_code(),
            "treasury": iban.is_treasury(),
            "fifth_is_8": iban.is_budget_account(),
            "balance_code": iban.balance_code(),
            "cyrillic_letter_replaced": reading.cyrillic_letter_replaced,
        }))
    });
}

#[test]
fn telephone_numbers() {
    run("phone.json", |input| {
        let phone = Phone::parse(text(input))?;
        Ok(json!({ "phone": phone.as_str(), "masked": phone.masked() }))
    });
}

#[test]
fn cards_in_free_texts() {
    run("card.json", |input| {
        Ok(json!(names_payment_card(text(input))))
    });
}

#[test]
fn purposes() {
    run("purpose.json", |input| {
        let iban = Iban::parse(text(&input["iban"])).unwrap();
        let client = Inn::parse(text(&input["client_inn"])).unwrap();
        let notary = input
            .get("notary_inn")
            .map(|inn| Inn::parse(text(inn)).unwrap());
        let codes = ["058", "101", "121"].map(|code| PaymentCode::parse(code).unwrap());
        let typed = text(&input["purpose"]);
        let notary = notary.as_ref();
        let purpose = Purpose::for_payment(typed, &iban, &client, notary, &codes.into())?;
        let converted = Purpose::parse(typed)?.as_str() != purpose.as_str();
        Ok(json!({ "purpose": purpose.as_str(), "converted": converted }))
    });
}

/// Returns the accounts that the table of pairs tells of.
fn known_accounts() -> Vec<(Iban, KnownAccount)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pairs.json");
    let table: Table = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let known = table.cases[0].input["known"].as_array().unwrap().iter();
    let codes = |account: &Value| {
        let codes = account["budget_codes"].as_array().unwrap().iter();
        codes
            .map(|code| BudgetCode::parse(text(code)).unwrap())
            .collect()
    };
    known
        .map(|account| {
            let known = KnownAccount {
                okpo: Okpo::parse(text(&account["okpo"])).unwrap(),
                budget_codes: codes(account),
            };
            (Iban::parse(text(&account["iban"])).unwrap(), known)
        })
        .collect()
}

#[test]
fn accounts_and_codes_are_pairs() {
    let known = known_accounts();
    run("pairs.json", |input| {
        let iban = Iban::parse(text(&input["iban"])).unwrap();
        let mut accounts = known.iter();
        let account = accounts.find(|(known, _)| *known == iban);
        let account = account.map(|(_, account)| account);
        let okpo = Okpo::of_recipient(text(&input["okpo"]), Some(&iban), account)?;
        if let Some(code) = input.get("cbc_code") {
            let name = input.get("recipient_name").map(text);
            let name = name.map(|name| Line::parse(name, 140).unwrap());
            let code = BudgetCode::parse(text(code)).unwrap();
            code.account_rule(&iban, Some(&okpo), name.as_ref(), account)?;
        }
        Ok(json!({ "okpo": okpo.as_str() }))
    });
}

#[test]
fn own_accounts() {
    run("own-account.json", |input| {
        let iban = Iban::parse(text(&input["iban"])).unwrap();
        let code = |field: &str| {
            let code = input.get(field).map(text);
            code.map(|code| Okpo::parse(code).unwrap())
        };
        let (okpo, profile) = (code("okpo").unwrap(), code("notary_okpo"));
        let inn = input.get("notary_inn").map(text);
        let inn = inn.map(|inn| Inn::parse(inn).unwrap());
        iban.own_account_rule(Some(&okpo))?;
        okpo.own_code_rule(Okpo::of_notary(inn.as_ref(), profile.as_ref()).as_ref())?;
        Ok(json!({ "iban": iban.as_str(), "okpo": okpo.as_str() }))
    });
}

#[test]
fn amounts_in_words() {
    run("amount-in-words.json", |input| {
        let sum = Money::from_kopiykas(input["amount"].as_i64().unwrap()).unwrap();
        Ok(json!({ "words": amount_in_words(sum, Locale::Uk) }))
    });
}

#[test]
fn prices() {
    let published = TariffTable::new(vec![
        Tariff {
            valid_from: None,
            basis_points: 150,
            minimum: Money::from_hryvnias(5).unwrap(),
        },
        Tariff {
            valid_from: Some(date(2025, 11, 11)),
            basis_points: 150,
            minimum: Money::from_hryvnias(10).unwrap(),
        },
    ])
    .unwrap();

    run("commission.json", |input| {
        let kopiykas = |value: &Value| Money::from_kopiykas(value.as_i64().unwrap()).unwrap();
        let tariff = Tariff {
            valid_from: None,
            basis_points: input["tariff"]["basis_points"].as_i64().unwrap(),
            minimum: kopiykas(&input["tariff"]["minimum"]),
        };
        if let Some(at) = input.get("at") {
            let in_force = published.in_force(text(at).parse::<Timestamp>().unwrap());
            assert_eq!(
                (in_force.basis_points, in_force.minimum),
                (tariff.basis_points, tariff.minimum),
                "{at}"
            );
        }
        let kind = PaymentKind::from_slug(text(&input["kind"])).unwrap();
        let count = Count::new(input["count"].as_i64().unwrap())?;
        let price =
            price(kind, kopiykas(&input["amount"]), &tariff).map_err(|error| error.key())?;
        let parts: Vec<_> = price
            .parts(kind)
            .map_err(|error| error.key())?
            .iter()
            .map(|part| {
                json!({ "role": part.role.as_str(), "amount": part.amount.kopiykas(), "commission": part.commission.kopiykas() })
            })
            .collect();
        Ok(json!({
            "amount": price.amount.kopiykas(),
            "commission": price.commission.kopiykas(),
            "sum": price.sum.kopiykas(),
            "sum_total": price.total(count).map_err(|error| error.key())?.kopiykas(),
            "parts": parts,
        }))
    });
}

fn part_of(input: &Value) -> PaidPart {
    let word = |field: &str| input[field].as_str().unwrap();
    let day = |field: &str| input[field].as_str().map(|text| text.parse().unwrap());
    let money = |field: &str| Money::from_kopiykas(input[field].as_i64().unwrap()).unwrap();
    PaidPart {
        role: PartRole::parse(word("role")).unwrap(),
        document_number: 1,
        amount: money("amount"),
        commission: money("commission"),
        status: TransferStatus::parse(word("status")).unwrap(),
        credited_on: day("credited_on"),
        returned_on: day("returned_on"),
        changed_on: day("changed_on").unwrap(),
    }
}

#[test]
fn income_book() {
    run("income-book.json", |input| {
        let entries = income_entries(&part_of(input));
        let sums = book_sums(&entries, |_| ()).remove(&()).unwrap_or_default();
        let rows: Vec<Value> = entries
            .iter()
            .map(|entry| {
                json!([
                    entry.day.to_string(),
                    entry.income.kopiykas(),
                    entry.returned.kopiykas(),
                    entry.commission.kopiykas()
                ])
            })
            .collect();
        Ok(json!({ "entries": rows, "difference": sums.difference().kopiykas() }))
    });
}

#[test]
fn shares() {
    run("shares.json", |input| {
        let number = |field: &str| input[field].as_i64().unwrap();
        let kind = PaymentKind::from_slug(input["kind"].as_str().unwrap()).unwrap();
        let tariff = Tariff {
            valid_from: None,
            basis_points: number("basis_points"),
            minimum: Money::from_kopiykas(number("minimum")).unwrap(),
        };
        let (amount, count) = (
            Money::from_kopiykas(number("amount")).unwrap(),
            Count::new(number("count")).unwrap(),
        );
        let price = price(kind, amount, &tariff).unwrap();
        let part = |role| {
            let parts = price.parts(kind).unwrap();
            let part = parts
                .iter()
                .find(|part| part.role == role)
                .map(|part| part.amount);
            part.unwrap_or_default().times(count).unwrap().kopiykas()
        };
        Ok(json!({
            "to_recipient": part(PartRole::Recipient),
            "to_notary": part(PartRole::Notary),
            "commission": price.commission.times(count).unwrap().kopiykas(),
            "charged": price.total(count).unwrap().kopiykas(),
        }))
    });
}

#[test]
fn numbers_in_the_register() {
    run("register-number.json", |input| {
        let rule = RegisterNumberRule {
            chars_max: usize::try_from(input["chars_max"].as_u64().unwrap()).unwrap(),
            marks: input["marks"].as_str().map(str::to_owned),
        };
        let number = rule.parse(input["text"].as_str().unwrap())?;
        Ok(json!({ "number": number.as_str() }))
    });
}
