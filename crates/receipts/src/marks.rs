//! What is drawn on a page, and to which part of the document's structure it belongs. Nothing here knows the PDF library.

use crate::font::Weight;
use crate::structure::NodeId;
use crate::text::Letter;
use crate::units::Length;

/// The colours of a receipt: ink on paper, and one seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Text.
    Black,
    /// Labels and small print; still 4.5 to 1 against the paper.
    Grey,
    /// The one accent.
    Seal,
    /// Hairlines.
    Line,
    /// The mark of the sandbox, behind the text.
    Pale,
}

/// How a piece of text is set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) weight: Weight,
    pub(crate) size: Length,
    /// From baseline to baseline.
    pub(crate) leading: Length,
    pub(crate) ink: Ink,
}

/// What a drawn thing is to a reader that hears the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Content of that part of the structure.
    Node(NodeId),
    /// Repeated or decorative, not read out.
    Head,
    /// The foot of the page.
    Foot,
    /// A line or another ornament.
    Ornament,
    /// The mark of the sandbox.
    Watermark,
}

/// One drawn thing.
#[derive(Debug)]
pub(crate) enum Mark {
    /// A line of text; `x` is its left edge, `baseline` its foot.
    Text {
        x: Length,
        baseline: Length,
        weight: Weight,
        size: Length,
        ink: Ink,
        letters: Vec<Letter>,
        owner: Owner,
    },
    /// A filled rectangle.
    Bar {
        x: Length,
        y: Length,
        width: Length,
        height: Length,
        ink: Ink,
        owner: Owner,
    },
    /// A square of dark and light modules, row by row.
    Modules {
        x: Length,
        y: Length,
        side: Length,
        count: usize,
        dark: Vec<bool>,
        owner: Owner,
    },
    /// A place that opens an address when it is clicked.
    Link {
        x: Length,
        y: Length,
        width: Length,
        height: Length,
        address: String,
        owner: NodeId,
    },
    /// A large slanted word through the middle of the page, drawn as shapes so that it does not mix with copied text.
    Slanted {
        centre_x: Length,
        centre_y: Length,
        size: Length,
        letters: Vec<Letter>,
        width: Length,
    },
}

/// Horizontal place of a text within its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A column of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) x: Length,
    pub(crate) width: Length,
    pub(crate) align: Align,
}
