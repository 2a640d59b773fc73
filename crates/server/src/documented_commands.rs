//! The commands that the documents show are commands that this program has.

use std::path::{Path, PathBuf};

use clap::CommandFactory;

use crate::Arguments;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns what a document shows as code: lines of its blocks, and spans in its text.
fn code_of(document: &str) -> Vec<&str> {
    let mut in_block = false;
    let mut code = Vec::new();
    for line in document.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            code.push(line.trim());
        } else {
            code.extend(line.split('`').skip(1).step_by(2));
        }
    }
    code
}

/// Returns what follows the name of the program in a line of code.
fn arguments_of(code: &str) -> Option<&str> {
    let code = code.strip_prefix("sudo ").unwrap_or(code);
    let arguments = code
        .strip_prefix("cabinet-operator ")
        .or_else(|| code.strip_prefix("cabinet "))?;
    arguments.split(" #").next()
}

/// Returns the first word that the program does not know, if there is one.
fn unknown_word(arguments: &str) -> Option<String> {
    let mut command = Arguments::command();
    for word in arguments.split_whitespace() {
        if let Some(inner) = command.find_subcommand(word) {
            command = inner.clone();
            continue;
        }
        let option = word
            .trim_matches(['[', ']'])
            .strip_prefix("--")
            .map(|option| option.split('=').next().unwrap_or(option));
        let is_known = match option {
            Some("help" | "version") => true,
            Some(option) => command
                .get_arguments()
                .any(|argument| argument.get_long() == Some(option)),
            None => !command.has_subcommands() || word == "…",
        };
        if !is_known {
            return Some(word.to_owned());
        }
    }
    None
}

#[test]
fn every_command_of_the_documents_is_there() {
    let mut documents = Vec::new();
    for folder in ["", "docs", "docs/operate", "deploy"] {
        let files = std::fs::read_dir(project().join(folder)).unwrap();
        let files = files.map(|file| file.unwrap().path());
        documents.extend(files.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    let mut seen = 0;
    let mut unknown = Vec::new();
    for path in documents {
        let document = std::fs::read_to_string(&path).unwrap();
        for arguments in code_of(&document).into_iter().filter_map(arguments_of) {
            seen += 1;
            if let Some(word) = unknown_word(arguments) {
                unknown.push(format!("{}: {arguments}: {word}", path.display()));
            }
        }
    }
    assert!(seen > 250, "{seen} commands were found");
    assert!(unknown.is_empty(), "{unknown:#?}");
}
