//! XML as a tree of elements, read and written by `quick-xml`.

use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer};

/// Elements inside each other, at most.
const DEPTH_MAX: usize = 32;

/// An element without comments and namespaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) text: String,
    pub(super) children: Vec<Element>,
}

impl Element {
    /// Returns an element with children.
    pub(super) fn node(name: &str, children: impl IntoIterator<Item = Element>) -> Self {
        Self {
            name: name.to_owned(),
            children: children.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Returns an element with text.
    pub(super) fn leaf(name: &str, text: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            text: text.into(),
            ..Self::default()
        }
    }

    /// Returns a leaf below elements that have no other child: `path("Id/IBAN", …)`.
    pub(super) fn path(path: &str, text: impl Into<String>) -> Self {
        match path.split_once('/') {
            Some((first, rest)) => Self::node(first, [Self::path(rest, text)]),
            None => Self::leaf(path, text),
        }
    }

    /// Adds an attribute.
    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.attributes.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Returns the attribute's value.
    pub(super) fn attribute(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// Returns all children of a name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Returns the first element at a path: `CdtrAcct/Id/IBAN`.
    pub(super) fn at<'a>(&'a self, path: &'a str) -> Option<&'a Element> {
        path.split('/')
            .try_fold(self, |element, name| element.all(name).next())
    }

    /// Returns the text at a path, or an empty one.
    pub(super) fn text_at(&self, path: &str) -> String {
        self.at(path)
            .map(|element| element.text.trim().to_owned())
            .unwrap_or_default()
    }
}

/// Reads a document. `None`: it is not well-formed, is nested too deeply, or uses entities of its own.
pub(super) fn read(text: &str) -> Option<Element> {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Element::default()];
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => {
                if open.len() > DEPTH_MAX {
                    return None;
                }
                open.push(begun(&start)?);
            }
            Event::Empty(start) => open.last_mut()?.children.push(begun(&start)?),
            Event::End(_) => {
                let element = open.pop()?;
                open.last_mut()?.children.push(element);
            }
            Event::Text(text) => open.last_mut()?.text.push_str(&text.xml10_content()),
            Event::CData(text) => open.last_mut()?.text.push_str(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                let name = reference.xml10_content();
                let text = quick_xml::escape::unescape(&format!("&{name};"))
                    .ok()?
                    .into_owned();
                open.last_mut()?.text.push_str(&text);
            }
            Event::DocType(_) => return None,
            Event::Eof => break,
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
        }
    }
    let [root] = open.try_into().ok()?;
    let [document] = root.children.try_into().ok()?;
    Some(document)
}

fn begun(start: &BytesStart<'_>) -> Option<Element> {
    let mut element = Element::leaf(start.local_name().as_ref(), "");
    for attribute in start.attributes() {
        let attribute = attribute.ok()?;
        let value = quick_xml::escape::unescape(attribute.value.as_ref()).ok()?;
        let name = attribute.key.as_ref().to_owned();
        element.attributes.push((name, value.into_owned()));
    }
    Some(element)
}

/// Writes a document in UTF-8.
pub(super) fn write(document: &Element) -> std::io::Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    write_element(&mut writer, document)?;
    Ok(writer.into_inner())
}

fn write_element(writer: &mut Writer<Vec<u8>>, element: &Element) -> std::io::Result<()> {
    let name = element.name.as_str();
    let mut start = BytesStart::new(name);
    for (name, value) in &element.attributes {
        start.push_attribute((name.as_str(), value.as_str()));
    }
    writer.write_event(Event::Start(start))?;
    if !element.text.is_empty() {
        writer.write_event(Event::Text(BytesText::new(&element.text)))?;
    }
    for child in &element.children {
        write_element(writer, child)?;
    }
    writer.write_event(Event::End(BytesEnd::new(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let document = Element::node(
            "Document",
            [
                Element::leaf("Amt", "12.50").with("Ccy", "UAH"),
                Element::path("Cdtr/Nm", "ТОВ «А & Б» <1>"),
            ],
        );
        let text = String::from_utf8(write(&document).unwrap_or_default()).unwrap_or_default();
        let read = read(&text);
        assert!(read.is_some_and(|read| {
            read.text_at("Cdtr/Nm") == "ТОВ «А & Б» <1>"
                && read.at("Amt").map(|amount| amount.attribute("Ccy")) == Some("UAH")
        }));
    }

    #[test]
    fn what_is_not_xml_is_refused() {
        for wrong in [
            "",
            "<a>",
            "<a></b>",
            "<!DOCTYPE a><a/>",
            "<a>&own;</a>",
            "<a/><b/>",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!(read(&"<a>".repeat(100)), None);
    }
}
