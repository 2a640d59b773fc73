//! Falsifies sums and currencies in the acquirer's answers and reports.

use serde_json::Value;

use super::FaultKind;

/// Changes the sum or the currency of an invoice, or of each entry of a list.
pub(crate) fn falsify(value: &mut Value, kind: FaultKind) {
    if let Some(entries) = value.get_mut("list").and_then(Value::as_array_mut) {
        for entry in entries {
            falsify(entry, kind);
        }
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
    }
}
