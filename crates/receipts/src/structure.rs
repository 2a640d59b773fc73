//! The logical structure of a receipt for screen readers: headings, paragraphs, tables with header cells.

/// The id of a node of the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(usize);

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0
    }
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// The whole document.
    Document,
    /// A part with its own heading.
    Section,
    /// A heading of level 1 to 3.
    Heading(u16),
    Paragraph,
    Table,
    TableHead,
    TableBody,
    TableRow,
    /// A header cell of its row.
    RowHeader,
    /// A header cell of its row that spans two columns.
    WideRowHeader,
    /// A header cell of its column.
    ColumnHeader,
    TableCell,
    /// A link.
    Link,
    /// A picture with an alternative text.
    Figure,
}

/// A node of the structure.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    /// The text of a heading, or the alternative text of a picture.
    pub(crate) title: String,
    /// Whether the text has Cyrillic letters. An English document marks it as Ukrainian.
    pub(crate) cyrillic: bool,
    pub(crate) children: Vec<NodeId>,
}

/// The tree of a document, in reading order.
#[derive(Debug)]
pub(crate) struct Structure {
    pub(crate) nodes: Vec<Node>,
    open: Vec<NodeId>,
}

impl Structure {
    /// The root of every structure.
    pub(crate) const ROOT: NodeId = NodeId(0);

    pub(crate) fn new() -> Structure {
        let root = Node {
            kind: NodeKind::Document,
            title: String::new(),
            cyrillic: false,
            children: Vec::new(),
        };
        Structure {
            nodes: vec![root],
            open: vec![Structure::ROOT],
        }
    }

    /// Opens a node that has children.
    pub(crate) fn open(&mut self, kind: NodeKind) -> NodeId {
        let id = self.leaf(kind, "");
        self.open.push(id);
        id
    }

    /// Closes a node and all open nodes inside it.
    pub(crate) fn close(&mut self, part: NodeId) {
        if let Some(depth) = self.open.iter().position(|open| *open == part) {
            self.open.truncate(depth.max(1));
        }
    }

    /// Adds a node without children.
    pub(crate) fn leaf(&mut self, kind: NodeKind, text: &str) -> NodeId {
        let id = NodeId(self.nodes.len());
        let parent = self.open.last().copied().unwrap_or(Structure::ROOT);
        if let Some(parent) = self.nodes.get_mut(parent.0) {
            parent.children.push(id);
        }
        let title = match kind {
            NodeKind::Heading(_) | NodeKind::Figure => text.to_owned(),
            _ => String::new(),
        };
        let cyrillic = text
            .chars()
            .any(|letter| ('\u{400}'..='\u{52F}').contains(&letter));
        self.nodes.push(Node {
            kind,
            title,
            cyrillic,
            children: Vec::new(),
        });
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_in_the_part_that_is_open() {
        let mut structure = Structure::new();
        let section = structure.open(NodeKind::Section);
        let heading = structure.leaf(NodeKind::Heading(2), "Оплата");
        let table = structure.open(NodeKind::Table);
        let row = structure.open(NodeKind::TableRow);
        structure.close(table);
        let paragraph = structure.leaf(NodeKind::Paragraph, "text");
        structure.close(section);
        let last = structure.leaf(NodeKind::Paragraph, "");
        assert_eq!(structure.nodes[0].children, [section, last]);
        assert_eq!(
            structure.nodes[section.index()].children,
            [heading, table, paragraph]
        );
        assert_eq!(structure.nodes[table.index()].children, [row]);
        assert!(structure.nodes[heading.index()].cyrillic);
        assert_eq!(structure.nodes[heading.index()].title, "Оплата");
    }

    #[test]
    fn the_root_cannot_be_closed() {
        let mut structure = Structure::new();
        structure.close(Structure::ROOT);
        let leaf = structure.leaf(NodeKind::Paragraph, "");
        assert_eq!(structure.nodes[0].children, [leaf]);
    }
}
