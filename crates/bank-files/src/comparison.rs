//! Comparing a list with what the cabinet writes of its transfers, so that nobody changes it on its way to the bank.

use roxmltree::Node;
use uuid::Uuid;

use crate::instruction::{Instruction, Payer};
use crate::pain001::{MessageId, write_pain001};
use crate::problem::{Finding, Problem};
use crate::rows::Rows;
use crate::table::{Column, decoded};
use crate::tree::Tree;
use crate::{listing, own, privat24};

/// Elements that differ in every message.
const OF_MESSAGE: &[&str] = &["MsgId", "CreDtTm", "PmtInfId"];

/// Compares a list that the cabinet wrote, in any of its formats, with what it writes of these transfers: every cell of a table, and every
/// element and attribute of pain.001. `instructions` are the transfers of the list in its order, with the value dates of the list.
///
/// Returns the line and the column, or the element, of each difference. None: the bank is told what the cabinet would tell it.
#[must_use]
pub fn differences(list: &[u8], instructions: &[Instruction], payer: &Payer) -> Vec<Finding> {
    let text = decoded(list);
    if text.trim_start().starts_with('<') {
        return of_message(&text, instructions, payer);
    }
    let Some(rows) = Rows::of(&text) else {
        return vec![unknown()];
    };
    let columns = if rows.has(own::PRIVAT24) {
        privat24::COLUMNS
    } else {
        listing::COLUMNS
    };
    of_table(&rows, columns, instructions, payer)
}

const fn unknown() -> Finding {
    Finding {
        line: 1,
        problem: Problem::Unknown,
    }
}

fn changed(line: usize, place: &str) -> Finding {
    Finding {
        line,
        problem: Problem::Changed(place.to_owned()),
    }
}

/// A bank may take the columns by their names or by their places, so both must be those of the list.
fn of_table(
    rows: &Rows<'_>,
    columns: &[Column],
    instructions: &[Instruction],
    payer: &Payer,
) -> Vec<Finding> {
    let names = rows.names();
    for (place, (name, _)) in columns.iter().enumerate() {
        if names.get(place).is_none_or(|found| found != name) {
            return vec![changed(1, name)];
        }
    }
    if let Some(more) = names.get(columns.len()) {
        return vec![changed(1, more)];
    }
    let mut findings = Vec::new();
    let mut read = 0;
    for (row, instruction) in rows.rows().zip(instructions) {
        read += 1;
        match row {
            Err(finding) => findings.push(finding),
            Ok(row) => {
                for (name, value) in columns {
                    if !is_same(row.cell(name), &value(instruction, payer)) {
                        findings.push(changed(row.line, name));
                    }
                }
            }
        }
    }
    if read != instructions.len() || rows.rows().count() != read {
        findings.push(unknown());
    }
    findings
}

/// Returns whether a cell has this value. Programs trim what they read, and Windows-1251 has another apostrophe.
fn is_same(cell: &str, value: &str) -> bool {
    let plain = |text: &str| text.trim().replace('\u{2bc}', "\u{2019}");
    plain(cell) == plain(value)
}

fn of_message(text: &str, instructions: &[Instruction], payer: &Payer) -> Vec<Finding> {
    let tree = match Tree::read(text) {
        Ok(tree) => tree,
        Err(finding) => return vec![finding],
    };
    // Message and time are left out of the comparison.
    let (message, now) = (MessageId(Uuid::nil()), jiff::Timestamp::UNIX_EPOCH);
    let Ok(written) = write_pain001(instructions, payer, message, now) else {
        return vec![unknown()];
    };
    let written = decoded(&written);
    let Ok(expected) = Tree::read(&written) else {
        return vec![unknown()];
    };
    let mut findings = Vec::new();
    let mut theirs = tree.elements();
    let mut ours = expected.elements();
    loop {
        match (theirs.next(), ours.next()) {
            (None, None) => return findings,
            (Some(found), Some(wanted)) => {
                if found.tag_name() != wanted.tag_name() {
                    // From here on nothing stands in its place.
                    findings.push(changed(tree.line(found), &path_of(found)));
                    return findings;
                }
                if !says_the_same(found, wanted) {
                    findings.push(changed(tree.line(found), &path_of(found)));
                }
            }
            (Some(more), None) => {
                findings.push(changed(tree.line(more), &path_of(more)));
                return findings;
            }
            (None, Some(missing)) => {
                findings.push(changed(text.lines().count().max(1), &path_of(missing)));
                return findings;
            }
        }
    }
}

fn says_the_same(found: Node<'_, '_>, wanted: Node<'_, '_>) -> bool {
    let parents = |node: Node<'_, '_>| node.ancestors().filter(Node::is_element).count();
    let attributes = |node: Node<'_, '_>| {
        let mut all: Vec<(String, String)> = node
            .attributes()
            .map(|one| (one.name().to_owned(), one.value().to_owned()))
            .collect();
        all.sort();
        all
    };
    parents(found) == parents(wanted)
        && attributes(found) == attributes(wanted)
        && (OF_MESSAGE.contains(&found.tag_name().name()) || text_of(found) == text_of(wanted))
}

/// Returns the text directly within an element. The line breaks between elements are none.
fn text_of(node: Node<'_, '_>) -> String {
    let texts = node.children().filter(Node::is_text);
    let text: String = texts.filter_map(|text| text.text()).collect();
    if node.children().any(|child| child.is_element()) {
        text.trim().to_owned()
    } else {
        text
    }
}

/// Returns the names of an element and of those around it, without the message.
fn path_of(node: Node<'_, '_>) -> String {
    let mut names: Vec<&str> = node
        .ancestors()
        .filter(Node::is_element)
        .map(|element| element.tag_name().name())
        .collect();
    names.reverse();
    let within = names.get(2..).filter(|names| !names.is_empty());
    within.unwrap_or(&names).join("/")
}
