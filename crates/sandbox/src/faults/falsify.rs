//! Falsifies sums and currencies in the acquirer's answers and reports.

use serde_json::Value;

use super::FaultKind;
use crate::bank::liqpay_hryvnias as hryvnias;

/// Changes the sum or the currency of an invoice, or of each entry of a list.
pub(crate) fn falsify(value: &mut Value, kind: FaultKind) {
    if let Some(entries) = value.get_mut("list").and_then(Value::as_array_mut) {
        for entry in entries {
            falsify(entry, kind);
        }
    }
    if kind == FaultKind::Behind {
        for field in ["list", "cancelList"] {
            if let Some(listed) = value.get_mut(field) {
                *listed = Value::Array(Vec::new());
            }
        }
        return;
    }
    if kind == FaultKind::WrongCurrency && value.get("currency").is_some() {
        value["currency"] = "USD".into();
    }
    if kind == FaultKind::WrongAmount
        && let Some(Value::Number(number)) = value.get("amount")
        && let Some((whole, part)) = number.to_string().split_once('.')
        && let (Ok(whole), Ok(part)) = (whole.parse::<i64>(), part.parse::<i64>())
    {
        value["amount"] = hryvnias(whole * 100 + part + 1);
        return;
    }
    let (field, change): (_, fn(i64) -> i64) = match kind {
        FaultKind::WrongCurrency => ("ccy", |_| 840),
        _ => ("amount", |amount| amount + 1),
    };
    if let Some(number) = value.get_mut(field)
        && let Some(known) = number.as_i64()
    {
        *number = change(known).into();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sums_are_falsified_in_answers_and_lists() {
        let mut value = json!({"amount": 100, "ccy": 980, "list": [{"amount": 5}]});
        falsify(&mut value, FaultKind::WrongAmount);
        assert_eq!(
            value,
            json!({"amount": 101, "ccy": 980, "list": [{"amount": 6}]})
        );
        falsify(&mut value, FaultKind::WrongCurrency);
        assert_eq!(value["ccy"], 840);
        let mut value = json!({"amount": hryvnias(32_599), "currency": "UAH"});
        falsify(&mut value, FaultKind::WrongAmount);
        falsify(&mut value, FaultKind::WrongCurrency);
        assert_eq!(
            value,
            json!({"amount": hryvnias(32_600), "currency": "USD"})
        );
    }
}
