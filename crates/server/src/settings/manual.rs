//! The list of settings as documentation.

use super::definition::{Absence, Definition, Place};
use super::error::variable;
use super::list::DEFINITIONS;

/// Returns every setting with its meaning, kind and default, as `cabinet settings` prints it.
pub fn plain() -> String {
    let entries: Vec<String> = DEFINITIONS.iter().map(plain_entry).collect();
    entries.join("\n").replace('`', "")
}

/// Returns the same as a Markdown table for `docs/operations.md`.
pub fn markdown() -> String {
    let head = "| setting | meaning | value | without it |\n| --- | --- | --- | --- |\n";
    let rows = DEFINITIONS.iter().map(markdown_row);
    rows.fold(head.to_owned(), |table, row| table + &row)
}

fn plain_entry(definition: &Definition) -> String {
    let variable = definition.variable();
    let file = if definition.secret {
        format!(" (or {variable}_FILE)")
    } else {
        String::new()
    };
    let absence = match definition.absence {
        Absence::Default(value) => format!("Default: {value}"),
        Absence::Required => format!("Default: none, it is {}", needed(definition)),
        Absence::Optional(effect) => format!("Without it: {effect}"),
    };
    let sandbox = match (definition.sandbox, definition.place) {
        (Some(value), _) => format!("\n    With --sandbox: {value}"),
        (None, Place::SandboxOnly) => "\n    Only with --sandbox".to_owned(),
        (None, Place::OutsideSandbox) => "\n    Not with --sandbox".to_owned(),
        (None, Place::Anywhere) => String::new(),
    };
    format!(
        "{variable}{file}\n    {}\n    Value: {}\n    {absence}{sandbox}\n",
        about(definition),
        (definition.description)(),
    )
}

fn markdown_row(definition: &Definition) -> String {
    let secret = if definition.secret { " (secret)" } else { "" };
    let absence = match definition.absence {
        Absence::Default(value) => format!("`{value}`"),
        Absence::Required => needed(definition),
        Absence::Optional(effect) => effect.to_owned(),
    };
    let sandbox = match (definition.sandbox, definition.place) {
        (Some(value), _) => format!("; with the sandbox `{value}`"),
        (None, Place::SandboxOnly) => "; only with the sandbox".to_owned(),
        (None, _) => String::new(),
    };
    format!(
        "| `{}`{secret} | {} | {} | {absence}{sandbox} |\n",
        definition.variable(),
        about(definition),
        (definition.description)(),
    )
}

fn needed(definition: &Definition) -> String {
    match definition.with {
        None => "needed".to_owned(),
        Some(other) => format!("needed with `{}`", variable(other)),
    }
}

fn about(definition: &Definition) -> String {
    let lines: Vec<&str> = definition.about.iter().map(|line| line.trim()).collect();
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_listed_once_with_its_default() {
        let (plain, table) = (plain(), markdown());
        assert_eq!(table.lines().count(), DEFINITIONS.len() + 2);
        for definition in DEFINITIONS {
            let name = definition.variable();
            assert_eq!(table.matches(&format!("| `{name}`")).count(), 1, "{name}");
            assert!(
                plain
                    .lines()
                    .any(|line| line.split(' ').next() == Some(&name))
            );
        }
        assert!(plain.contains("CABINET_SMS_TOKEN (or CABINET_SMS_TOKEN_FILE)"));
        let row = "| a whole number from 1 to 1000000 | `60`; with the sandbox `6000` |";
        assert!(table.contains(row), "{table}");
    }
}
