//! XML as the elements that begin in it, one after another.

use cabinet_domain::Key;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// Deepest nesting of elements. The parts of a workbook have less than ten.
const DEPTH_MAX: usize = 64;

/// A text in XML that is read from its beginning to its end. Nothing is kept of what was read.
pub(super) struct Markup<'x> {
    reader: Reader<&'x [u8]>,
    /// How many elements are open.
    depth: usize,
}

/// An element that begins.
pub(super) struct Element<'x>(BytesStart<'x>);

/// What comes next.
enum Next<'x> {
    Start(Element<'x>),
    Text(String),
    End,
    Over,
}

impl<'x> Markup<'x> {
    pub(super) fn of(text: &'x str) -> Markup<'x> {
        let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
        reader.config_mut().expand_empty_elements = true;
        Markup { reader, depth: 0 }
    }

    /// Returns how many elements are open: the place within the one that began last.
    pub(super) const fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the next element that begins within the place, however deep. `None`: the element of the place has ended.
    ///
    /// # Errors
    /// `sheet_unreadable`: the text is not well-formed, ends in the middle, is nested too deeply, or defines entities of its own.
    pub(super) fn next_within(&mut self, place: usize) -> Result<Option<Element<'x>>, Key> {
        loop {
            match self.next()? {
                Next::Start(element) => return Ok(Some(element)),
                Next::End if self.depth < place => return Ok(None),
                Next::Over => return Ok(None),
                Next::End | Next::Text(_) => {}
            }
        }
    }

    /// Returns the text of the element that began last.
    ///
    /// # Errors
    /// As [`Self::next_within`].
    pub(super) fn text(&mut self) -> Result<String, Key> {
        let place = self.depth;
        let mut text = String::new();
        loop {
            match self.next()? {
                Next::Text(part) => text.push_str(&part),
                Next::End if self.depth < place => return Ok(text),
                Next::Over => return Err(Key::SheetUnreadable),
                Next::End | Next::Start(_) => {}
            }
        }
    }

    /// Passes over the element that began last.
    ///
    /// # Errors
    /// As [`Self::next_within`].
    pub(super) fn skip(&mut self) -> Result<(), Key> {
        let place = self.depth;
        while self.next_within(place)?.is_some() {}
        Ok(())
    }

    fn next(&mut self) -> Result<Next<'x>, Key> {
        loop {
            let event = self.reader.read_event();
            let next = match event.map_err(|_| Key::SheetUnreadable)? {
                Event::Start(start) if self.depth < DEPTH_MAX => {
                    self.depth += 1;
                    Next::Start(Element(start))
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    Next::End
                }
                Event::Text(text) => Next::Text(text.xml10_content().into_owned()),
                Event::CData(text) => Next::Text(text.xml10_content().into_owned()),
                Event::GeneralRef(reference) => {
                    let reference = format!("&{};", reference.xml10_content());
                    let text = unescape(&reference).map_err(|_| Key::SheetUnreadable)?;
                    Next::Text(text.into_owned())
                }
                Event::Eof if self.depth == 0 => Next::Over,
                Event::Decl(_) | Event::Comment(_) | Event::PI(_) => continue,
                Event::Start(_) | Event::Empty(_) | Event::DocType(_) | Event::Eof => {
                    return Err(Key::SheetUnreadable);
                }
            };
            return Ok(next);
        }
    }
}

impl Element<'_> {
    /// Returns the name without the prefix of its namespace.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// Returns the value of an attribute by its name without a prefix.
    ///
    /// # Errors
    /// `sheet_unreadable`.
    pub(super) fn attribute(&self, name: &str) -> Result<Option<String>, Key> {
        // Comparing all names with each other takes minutes where there are hundreds of thousands.
        for attribute in self.0.attributes().with_checks(false) {
            let attribute = attribute.map_err(|_| Key::SheetUnreadable)?;
            if attribute.key.local_name().into_inner() == name {
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                let value = value.map_err(|_| Key::SheetUnreadable)?;
                return Ok(Some(value.into_owned()));
            }
        }
        Ok(None)
    }
}
