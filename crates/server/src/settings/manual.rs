//! The list of settings as documentation.

use super::definition::{Absence, Definition, Place};
use super::error::variable;
use super::list::DEFINITIONS;

/// Returns every setting with its meaning, kind and default, as `cabinet settings` prints it.
pub fn plain() -> String {
    let entries: Vec<String> = DEFINITIONS.iter().map(plain_entry).collect();
    entries.join("\n").replace('`', "")
}

/// Returns the same as a Markdown table for `docs/operate/settings.md`.
pub fn markdown() -> String {
    let head = "| setting | meaning | value | without it |\n| --- | --- | --- | --- |\n";
    let rows = DEFINITIONS.iter().map(markdown_row);
    rows.fold(head.to_owned(), |table, row| table + &row)
}

/// Returns what a setting is for and how it is written, by its name in the environment.
pub fn what_to_set(variable: &str) -> Option<String> {
    let mut all = DEFINITIONS.iter();
    let definition = all.find(|one| one.variable() == variable)?;
    let file = if definition.secret {
        format!(", here or in a file that {variable}_FILE names")
    } else {
        String::new()
    };
    Some(format!(
        "{} Set {}{file}.",
        about(definition),
        (definition.description)()
    ))
}

/// Returns an environment file with every setting: those that a real installation must give stand alone, the others are commented out
/// with their defaults. Settings of the sandbox are left out.
pub fn environment_file() -> String {
    const HEAD: &str = "\
# The settings of the cabinet, for systemd (/etc/cabinet/cabinet.env, mode 0640, owned by root and the group cabinet) and for containers.
# Written by `cabinet settings --environment`: every setting there is. Those with a value or an empty one are for you to fill in, the
# others are commented out with their defaults. Values stand without quotation marks. `cabinet check` names what is missing or wrong.
# A secret stands in a file of its own that the group cabinet alone may read.
";
    let entries = DEFINITIONS
        .iter()
        .filter(|one| one.place != Place::SandboxOnly);
    let entries: String = entries.map(environment_entry).collect();
    format!("{HEAD}{entries}")
}

/// Values of an installation from the package, in place of the defaults.
const EXAMPLES: &[(&str, &str)] = &[
    ("CABINET_OPERATIONS_LISTEN", "127.0.0.1:9464"),
    ("CABINET_PUBLIC_URL", "https://cabinet.example"),
    (
        "CABINET_DATABASE_URL",
        "sqlite:/var/lib/cabinet/cabinet.sqlite",
    ),
    ("CABINET_SECRET_KEY_FILE", "/etc/cabinet/secrets/secret-key"),
    ("CABINET_CLIENT_ADDRESS_HEADER", "X-Forwarded-For"),
    (
        "CABINET_ACQUIRER_TOKEN_FILE",
        "/etc/cabinet/secrets/acquirer-token",
    ),
    ("CABINET_SMS_TOKEN_FILE", "/etc/cabinet/secrets/sms-token"),
    ("CABINET_OFFER_FILE_UK", "/etc/cabinet/offer.uk.txt"),
    ("CABINET_OFFER_FILE_EN", "/etc/cabinet/offer.en.txt"),
];

/// The width of a comment.
const COMMENT_CHARS: usize = 118;

fn environment_entry(definition: &Definition) -> String {
    let variable = definition.variable();
    let absence = match definition.absence {
        Absence::Default(_) => String::new(),
        Absence::Required => format!(" {}.", capitalised(&needed(definition))),
        Absence::Optional(effect) => format!(" Without it: {effect}."),
    };
    let text = format!(
        "{} Value: {}.{absence}",
        about(definition),
        (definition.description)()
    );
    let mut entry = String::from("\n");
    for line in wrapped(&text.replace('`', "")) {
        entry.push_str(&format!("# {line}\n"));
    }
    let file = if definition.secret { "_FILE" } else { "" };
    let names = [variable.clone(), format!("{variable}_FILE")];
    let mut examples = EXAMPLES.iter();
    let example = examples.find(|(name, _)| names.iter().any(|one| one == name));
    entry.push_str(&match (example, definition.absence, definition.with) {
        (Some((name, value)), ..) => format!("{name}={value}\n"),
        (None, Absence::Default(value), _) => format!("#{variable}={value}\n"),
        (None, Absence::Required, None) => format!("{variable}{file}=\n"),
        (None, Absence::Required | Absence::Optional(_), _) => format!("#{variable}{file}=\n"),
    });
    entry
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase());
    first.into_iter().flatten().chain(letters).collect()
}

/// Breaks a text into lines.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut();
        match last {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= COMMENT_CHARS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
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
    fn the_example_of_an_environment_file_is_up_to_date() {
        let written = include_str!("../../../../deploy/cabinet.env.example");
        assert!(written == environment_file(), "run make generate");
    }

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
        let file = environment_file();
        let names = DEFINITIONS
            .iter()
            .filter(|one| one.place != Place::SandboxOnly);
        for name in names.map(Definition::variable) {
            let starts = [format!("{name}="), format!("{name}_FILE=")];
            let lines = file.lines().map(|line| line.trim_start_matches('#'));
            let count = lines
                .filter(|line| starts.iter().any(|start| line.starts_with(start)))
                .count();
            assert_eq!(count, 1, "{name}");
        }
        assert!(
            EXAMPLES
                .iter()
                .all(|(name, value)| file.contains(&format!("\n{name}={value}\n")))
        );
        let row = "| a whole number from 1 to 1000000 | `60`; with the sandbox `6000` |";
        assert!(table.contains(row), "{table}");
    }
}
