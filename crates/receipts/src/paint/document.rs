//! The outline, the tags and the metadata of the PDF.

use std::num::{NonZeroU16, NonZeroU32};

use cabinet_domain::Locale;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use krilla::destination::XyzDestination;
use krilla::geom::Point;
use krilla::metadata::{DateTime, Metadata};
use krilla::outline::{Outline, OutlineNode};
use krilla::tagging::{Identifier, Node, TableHeaderScope, Tag, TagGroup, TagKind, TagTree};

use crate::error::ReceiptError;
use crate::sheet::Sheets;
use crate::structure::{NodeId, NodeKind, Structure};
use crate::units::points;

/// The data of the metadata.
pub(crate) struct About {
    pub(crate) title: String,
    pub(crate) author: String,
    /// An id of the document without personal data, the same for the same receipt.
    pub(crate) document_id: String,
    /// Used as the creation date, so that the same receipt has the same bytes.
    pub(crate) dated: Timestamp,
    pub(crate) locale: Locale,
}

pub(super) fn outline(parts: &[Sheets]) -> Outline {
    let mut outline = Outline::new();
    let mut pages_before = 0;
    for sheets in parts {
        for entry in &sheets.outline {
            // A destination outside of the document would make the export fail.
            let page = pages_before + entry.page.min(sheets.pages.len().saturating_sub(1));
            let destination = XyzDestination::new(page, Point::from_xy(0.0, points(entry.y)));
            outline.push_child(OutlineNode::new(entry.title.clone(), destination));
        }
        pages_before += sheets.pages.len();
    }
    outline
}

pub(super) fn tag_tree(parts: &[(&Structure, Vec<Vec<Identifier>>)], locale: Locale) -> TagTree {
    let mut tree = TagTree::new().with_lang(Some(locale.code().to_owned()));
    for (structure, contents) in parts {
        let root = structure
            .nodes
            .first()
            .map(|root| root.children.as_slice())
            .unwrap_or_default();
        for child in root {
            if let Some(group) = tag_group(structure, contents, *child, locale) {
                tree.push(group);
            }
        }
    }
    tree
}

fn tag_group(
    structure: &Structure,
    contents: &[Vec<Identifier>],
    id: NodeId,
    locale: Locale,
) -> Option<TagGroup> {
    let node = structure.nodes.get(id.index())?;
    let mut kind: TagKind = match node.kind {
        NodeKind::Document | NodeKind::Section => Tag::Section.into(),
        NodeKind::Heading(level) => Tag::Hn(
            NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN),
            Some(node.title.clone()),
        )
        .into(),
        NodeKind::Paragraph => Tag::P.into(),
        NodeKind::Table => Tag::Table.into(),
        NodeKind::TableHead => Tag::THead.into(),
        NodeKind::TableBody => Tag::TBody.into(),
        NodeKind::TableRow => Tag::TR.into(),
        NodeKind::RowHeader => Tag::TH(TableHeaderScope::Row).into(),
        NodeKind::WideRowHeader => Tag::TH(TableHeaderScope::Row)
            .with_col_span(NonZeroU32::new(2))
            .into(),
        NodeKind::ColumnHeader => Tag::TH(TableHeaderScope::Column).into(),
        NodeKind::TableCell => Tag::TD.into(),
        NodeKind::Link => Tag::Link.into(),
        NodeKind::Figure => Tag::Figure(Some(node.title.clone())).into(),
    };
    if locale == Locale::En && node.cyrillic {
        kind.set_lang(Some(Locale::Uk.code().to_owned()));
    }
    let mut group = TagGroup::new(kind);
    for identifier in contents
        .get(id.index())
        .map(Vec::as_slice)
        .unwrap_or_default()
    {
        group.push(Node::from(*identifier));
    }
    for child in &node.children {
        if let Some(child) = tag_group(structure, contents, *child, locale) {
            group.push(child);
        }
    }
    Some(group)
}

pub(super) fn metadata(about: About) -> Result<Metadata, ReceiptError> {
    let at = about.dated.to_zoned(TimeZone::UTC);
    let year = u16::try_from(at.year()).map_err(|_| ReceiptError::Time)?;
    let part = |value: i8| u8::try_from(value).map_err(|_| ReceiptError::Time);
    let dated = DateTime::new(year)
        .month(part(at.month())?)
        .day(part(at.day())?)
        .hour(part(at.hour())?)
        .minute(part(at.minute())?)
        .second(part(at.second())?)
        .utc_offset_hour(0)
        .utc_offset_minute(0);
    Ok(Metadata::new()
        .title(about.title)
        .authors(vec![about.author])
        .creator("Cabinet".to_owned())
        .language(about.locale.code().to_owned())
        .document_id(about.document_id)
        .creation_date(dated))
}
