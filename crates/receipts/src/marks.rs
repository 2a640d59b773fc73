//! What is drawn on a page, and its place in the document's structure, independent of the PDF library.

use crate::font::Weight;
use crate::structure::NodeId;
use crate::text::Letter;
use crate::units::Length;

/// The colours of a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Text.
    Black,
    /// Labels and small print, with a contrast of at least 4.5 to 1.
    Grey,
    /// The accent colour.
    Seal,
    /// Thin lines.
    Line,
    /// The mark of the sandbox, behind the text.
    Pale,
    /// The colour of the paper.
    White,
}

/// The style of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) weight: Weight,
    pub(crate) size: Length,
    /// From baseline to baseline.
    pub(crate) leading: Length,
    pub(crate) ink: Ink,
}

/// What a mark is for screen readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Content of a node of the structure.
    Node(NodeId),
    /// The running head or a repeated table head, not read out.
    Head,
    /// The foot of the page.
    Foot,
    /// A decoration.
    Ornament,
    /// The mark of the sandbox.
    Watermark,
}

/// Something drawn on a page.
#[derive(Debug)]
pub(crate) enum Mark {
    /// A line of text. `x` is its left edge.
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
    /// A QR code: a square of dark and light modules, row by row. In its middle the hryvnia sign in a white circle of so many
    /// modules across; 0 for none.
    Modules {
        x: Length,
        y: Length,
        side: Length,
        count: usize,
        dark: Vec<bool>,
        sign_across: u8,
        owner: Owner,
    },
    /// An area that opens an address when it is clicked.
    Link {
        x: Length,
        y: Length,
        width: Length,
        height: Length,
        address: String,
        owner: NodeId,
    },
    /// A large slanted word in the middle of the page, drawn as outlines so that it is not copied with the text.
    Slanted {
        centre_x: Length,
        centre_y: Length,
        size: Length,
        letters: Vec<Letter>,
        width: Length,
    },
}

/// Horizontal alignment in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// The position of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) x: Length,
    pub(crate) width: Length,
    pub(crate) align: Align,
}
