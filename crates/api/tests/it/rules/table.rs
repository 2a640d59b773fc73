//! The table of rules.

use cabinet_test_kit::PaymentKind;
use serde_json::{Value, json};

use PaymentKind::{AdminGovernmentPayment, AdminPayment, RegistryPayment, RequisitesPayment};

/// An account of the budget: its fifth character is 8.
pub const BUDGET: &str = "UA328999980999022090100300001";
/// An account of the Treasury that the reference data don't know.
pub const TREASURY: &str = "UA728999980334100000000026001";
/// The account of the registers' administrator, at a bank.
pub const ADMINISTRATOR: &str = "UA513999990000026009990000001";
/// An account for own needs: balance code 2620.
pub const OWN_NEEDS: &str = "UA263220010000026201234567890";

/// A payment with one changed field, and how it is refused.
pub struct Rule {
    /// Kind of the payment.
    pub kind: PaymentKind,
    /// The field that is changed.
    pub field: &'static str,
    /// Its new value; `null` leaves the field out.
    pub value: Value,
    /// The field that is refused.
    pub bad_field: &'static str,
    /// The key of the refusal.
    pub key: &'static str,
}

/// Collects the rules of one kind.
struct Rules {
    kind: PaymentKind,
    all: Vec<Rule>,
}

impl Rules {
    /// Adds a rule that refuses the changed field.
    fn add(&mut self, field: &'static str, value: impl Into<Value>, key: &'static str) {
        self.add_on(field, value, field, key);
    }

    /// Adds a rule that refuses another field.
    fn add_on(
        &mut self,
        field: &'static str,
        value: impl Into<Value>,
        bad_field: &'static str,
        key: &'static str,
    ) {
        self.all.push(Rule {
            kind: self.kind,
            field,
            value: value.into(),
            bad_field,
            key,
        });
    }
}

/// Returns the rules of all kinds.
pub fn rules() -> Vec<Rule> {
    let mut all = Vec::new();
    for kind in PaymentKind::ALL {
        let mut rules = Rules {
            kind,
            all: Vec::new(),
        };
        of_client_and_kind(&mut rules);
        if kind != RequisitesPayment {
            of_choices(&mut rules);
        }
        match kind {
            AdminPayment => {
                of_terms(&mut rules);
                of_own_account(&mut rules);
            }
            AdminGovernmentPayment => of_terms(&mut rules),
            RegistryPayment => of_registers(&mut rules),
            RequisitesPayment => of_any_requisites(&mut rules),
        }
        all.append(&mut rules.all);
    }
    all
}

fn of_client_and_kind(rules: &mut Rules) {
    for empty in [json!(null), json!(""), json!("  \u{a0} ")] {
        rules.add("client.inn", empty.clone(), "client_inn_required");
        rules.add(
            "client.full_name",
            empty.clone(),
            "client_full_name_required",
        );
        rules.add("payment_type_id", empty, "payment_type_required");
    }
    for wrong in [
        "1",
        "1234567",
        "12345678901",
        "АБ12345",
        "АБ1234567",
        "А1234567",
        "QZ123456",
        "365250457x",
        "+3652504575",
    ] {
        rules.add("client.inn", wrong, "client_inn_format_invalid");
    }
    for same in ["0000000000", "7777777777", "11111 11111"] {
        rules.add("client.inn", same, "client_inn_same_digits");
    }
    rules.add_on("client", json!(null), "client.inn", "client_inn_required");
    rules.add_on(
        "client",
        json!(null),
        "client.full_name",
        "client_full_name_required",
    );
    rules.add("client.full_name", "Я".repeat(400), "text_too_long");
    rules.add("payment_type_id", "no-such-type", "payment_type_unknown");
}

/// Service, region and recipient from the server's data.
fn of_choices(rules: &mut Rules) {
    for empty in [json!(null), json!("")] {
        rules.add(
            "payment_type_option_id",
            empty.clone(),
            "payment_type_option_required",
        );
        rules.add(
            "payment_type_region_id",
            empty.clone(),
            "payment_type_region_required",
        );
        rules.add(
            "payment_type_requisite_id",
            empty,
            "payment_type_requisite_required",
        );
    }
    rules.add(
        "payment_type_option_id",
        "no-such-option",
        "option_not_for_type",
    );
    rules.add("payment_type_region_id", "ua-99", "region_unknown");
    rules.add(
        "payment_type_requisite_id",
        "no-such-requisite",
        "requisite_not_for_region",
    );
    rules.add(
        "payment_type_requisite_id",
        "ua-05-22012600-2025",
        "requisite_not_for_region",
    );
}

fn of_registers(rules: &mut Rules) {
    rules.add("payment_type_option_id", "ownership", "option_not_for_type");
}

fn of_terms(rules: &mut Rules) {
    let option = "registry-business-extract-paper";
    rules.add("payment_type_option_id", option, "option_not_for_type");
    let term = "payment_type_option_term_id";
    rules.add(term, json!(null), "payment_type_option_term_required");
    rules.add(term, "encumbrance-day", "term_not_for_option");
    rules.add(term, "no-such-term", "term_not_for_option");
    let requisite = "payment_type_requisite_id";
    rules.add(
        requisite,
        "registry-administrator-2025",
        "requisite_not_for_region",
    );
    rules.add(
        requisite,
        "ua-30-holosiivskyi-22012900-2025",
        "requisite_not_for_term",
    );
    rules.add(
        requisite,
        "ua-30-holosiivskyi-22012600-2025",
        "requisite_expired",
    );
}

fn of_own_account(rules: &mut Rules) {
    rules.add("iban", json!(null), "your_iban_required");
    rules.add("okpo", "", "your_okpo_required");
    rules.add("iban", OWN_NEEDS, "iban_balance_code_by_okpo_rule");
    rules.add("iban", BUDGET, "your_iban_is_treasury");
    of_accounts(rules);
}

fn of_accounts(rules: &mut Rules) {
    // A wrong check digit, the mask's 29 digits, another country, a letter.
    for wrong in [
        "UA233052990000026001234567890",
        "UA22305299000002600123456789012",
        "PL22305299000002600123456789",
        "UA22305299000002600123456789O",
    ] {
        rules.add("iban", wrong, "iban_invalid");
    }
    for wrong in ["123", "123456789", "12345678901", "АВ123456"] {
        rules.add("okpo", wrong, "okpo_invalid");
    }
}

fn of_any_requisites(rules: &mut Rules) {
    rules.add("iban", json!(null), "iban_required");
    rules.add("okpo", " ", "okpo_required");
    of_accounts(rules);
    rules.add("recipient_name", json!(null), "recipient_name_required");
    rules.add("recipient_name", "Я".repeat(141), "text_too_long");
    rules.add("purpose", json!(null), "purpose_required");
    let long = format!("3652504575 {}", "я".repeat(150));
    rules.add("purpose", long, "purpose_max_height");
    for of_another in ["Оплата послуг, 3652504576", "Оплата послуг, 936525045759"]
    {
        rules.add("purpose", of_another, "purpose_must_contains_ipn");
    }
    rules.add("purpose", "Оплата \u{e000} 3652504575", "text_invalid");
    // The account of the form belongs to nobody that is known, that of the registers' administrator does.
    rules.add_on("iban", ADMINISTRATOR, "okpo", "okpo_not_for_account");
    rules.add_on("iban", BUDGET, "okpo", "okpo_not_for_account");
    rules.add_on("iban", TREASURY, "cbc_code", "cbc_length");
    for wrong in ["2209010", "220901000", "2209010o"] {
        rules.add("cbc_code", wrong, "cbc_length");
    }
    rules.add_on("iban", BUDGET, "cbc_code", "cbc_length");
    rules.add_on("iban", BUDGET, "purpose", "purpose_invalid");
    rules.add(
        "requisites_template",
        "no-such-template",
        "template_unknown",
    );
    rules.add("amount", json!(null), "amount_required");
    rules.add("amount", 0, "amount_invalid");
}
