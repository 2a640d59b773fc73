//! Reading XML: elements by their names, whatever the version of the message, and the lines on which they stand.

use roxmltree::{Document, Error, Node, ParsingOptions};

use crate::bounds;
use crate::problem::{Finding, Problem};

/// Most elements, attributes and texts of a file. A statement of 100,000 entries has about half of them.
const NODES_MAX: u32 = 10_000_000;

/// A file in XML.
pub(crate) struct Tree<'a> {
    document: Document<'a>,
    /// Line ends before the text.
    lines_before: usize,
    /// The places of the line ends.
    line_ends: Vec<usize>,
}

impl<'a> Tree<'a> {
    /// Reads a file. Entities of the file's own are refused, because they can make a small file large, and so is what holds more than is
    /// read.
    ///
    /// # Errors
    /// The finding with its line.
    pub(crate) fn read(text: &'a str) -> Result<Tree<'a>, Finding> {
        // XML allows nothing before its declaration, and some programs write an empty line there.
        let whole = text;
        let text = whole.trim_start();
        let before = whole.strip_suffix(text).unwrap_or_default();
        let lines_before = before.matches('\n').count();
        let shifted = |finding: Finding| Finding {
            line: finding.line + lines_before,
            ..finding
        };
        bounds::check(text).map_err(shifted)?;
        let options = ParsingOptions {
            allow_dtd: false,
            nodes_limit: NODES_MAX,
            ..ParsingOptions::default()
        };
        let document = Document::parse_with_options(text, options).map_err(|error| Finding {
            line: lines_before + usize::try_from(error.pos().row).unwrap_or(1).max(1),
            problem: match error {
                Error::DtdDetected => Problem::EntitiesDefined,
                Error::NodesLimitReached => Problem::TooLarge,
                _ => Problem::NotXml,
            },
        })?;
        let places = text.bytes().enumerate();
        let line_ends = places
            .filter(|(_, byte)| *byte == b'\n')
            .map(|(place, _)| place)
            .collect();
        Ok(Tree {
            document,
            lines_before,
            line_ends,
        })
    }

    /// Returns the message: the first element within the document, which is the outermost one, or stands in the envelope of a business
    /// message or of SOAP. `None`: there is none, or there are several.
    pub(crate) fn message(&self) -> Option<Node<'_, '_>> {
        let mut documents = self
            .elements()
            .filter(|element| element.tag_name().name() == "Document");
        let document = documents.next()?;
        match documents.next() {
            None => document.first_element_child(),
            Some(_) => None,
        }
    }

    /// Returns all elements, each before those within it.
    pub(crate) fn elements(&self) -> impl Iterator<Item = Node<'_, '_>> {
        self.document.descendants().filter(Node::is_element)
    }

    /// Returns the line on which an element begins.
    pub(crate) fn line(&self, node: Node<'_, '_>) -> usize {
        let start = node.range().start;
        self.lines_before + self.line_ends.partition_point(|end| *end < start) + 1
    }

    /// Returns a finding at an element.
    pub(crate) fn finding(&self, node: Node<'_, '_>, problem: Problem) -> Finding {
        Finding {
            line: self.line(node),
            problem,
        }
    }
}

/// Returns the children of this name.
pub(crate) fn children<'a, 'i: 'a>(
    node: Node<'a, 'i>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children()
        .filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// Returns the first element at a path such as `Acct/Id/IBAN`.
pub(crate) fn at<'a, 'i>(node: Node<'a, 'i>, path: &'static str) -> Option<Node<'a, 'i>> {
    path.split('/')
        .try_fold(node, |node, name| children(node, name).next())
}

/// Returns the text at a path, trimmed; `None` if there is none.
pub(crate) fn text<'a>(node: Node<'a, '_>, path: &'static str) -> Option<&'a str> {
    let text = at(node, path)?.text()?.trim();
    (!text.is_empty()).then_some(text)
}

/// Returns the first text of several paths.
pub(crate) fn text_of<'a>(node: Node<'a, '_>, paths: &[&'static str]) -> Option<&'a str> {
    paths.iter().find_map(|path| text(node, path))
}
