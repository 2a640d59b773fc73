//! Conversion of sums between JSON and whole kopiykas, by their text and without floating-point numbers.

use cabinet_domain::Money;
use serde_json::Value;

/// Reads a sum in JSON, a number of hryvnias with at most two decimals. Returns kopiykas.
pub fn kopiykas(sum: &Value) -> i64 {
    let Value::Number(number) = sum else {
        panic!("{sum} is no sum");
    };
    Money::parse_decimal(&number.to_string())
        .unwrap_or_else(|error| panic!("{number} is no sum: {error}"))
        .kopiykas()
}

/// Writes kopiykas as a sum in JSON.
pub fn hryvnias(kopiykas: i64) -> Value {
    let text = Money::from_kopiykas(kopiykas)
        .expect("a sum within its limits")
        .decimal();
    serde_json::from_str(&text).expect("a decimal is a JSON number")
}
