//! Draws finished sheets as a tagged PDF/A-2a.
//!
//! Two rules of the PDF library are kept here: one surface a page (a second one would number the marked content anew), and
//! every identifier of content goes into the structure exactly once.

use std::num::{NonZeroU16, NonZeroU32};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use krilla::SerializeSettings;
use krilla::action::{Action, LinkAction};
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::color::rgb;
use krilla::configure::{Archival, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::document::Document;
use krilla::geom::{PathBuilder, Point, Rect, Transform};
use krilla::metadata::{DateTime, Metadata};
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::{Page, PageSettings};
use krilla::paint::{Fill, FillRule, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, Identifier, Node, SpanTag, TableHeaderScope, Tag, TagGroup,
    TagKind, TagTree,
};
use krilla::text::{GlyphId, KrillaGlyph};

use cabinet_domain::Locale;

use crate::error::ReceiptError;
use crate::font::Fonts;
use crate::sheet::{Ink, Mark, Owner, Sheets};
use crate::structure::{NodeId, NodeKind, Structure};
use crate::text::Letter;
use crate::units::{Length, PAGE_HEIGHT, PAGE_WIDTH, POINT, points, ratio};

/// What the file says about itself.
pub(crate) struct About {
    pub(crate) title: String,
    pub(crate) author: String,
    /// Names the document, the same for the same receipt; no personal data.
    pub(crate) document_id: String,
    /// Stands for the time of making, so that the same receipt has the same bytes.
    pub(crate) dated: Timestamp,
    pub(crate) locale: Locale,
}

/// The angle of the slanted mark, in degrees; negative rises to the right.
const SLANT: f32 = -32.0;

/// Writes the file.
pub(crate) fn pdf(sheets: &Sheets, about: About) -> Result<Vec<u8>, ReceiptError> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A2_A)
        .finish()
        .map_err(|error| ReceiptError::Pdf(format!("{error:?}")))?;
    let mut document = Document::new_with(SerializeSettings {
        configuration,
        ..SerializeSettings::default()
    });
    let settings = PageSettings::from_wh(points(PAGE_WIDTH), points(PAGE_HEIGHT))
        .ok_or_else(|| ReceiptError::Pdf("page size".to_owned()))?;

    let mut contents: Vec<Vec<Identifier>> = vec![Vec::new(); sheets.structure.nodes.len()];
    for marks in &sheets.pages {
        let mut page = document.start_page_with(settings.clone());
        draw(&mut page, marks, sheets.fonts, &mut contents);
        page.finish();
    }

    document.set_outline(outline(sheets));
    document.set_tag_tree(tag_tree(&sheets.structure, &contents, about.locale));
    document.set_metadata(metadata(about)?);
    document
        .finish()
        .map_err(|error| ReceiptError::Pdf(reason(&error)))
}

/// Why the library refused, without the texts that its own words may quote.
fn reason(error: &krilla::error::KrillaError) -> String {
    match error {
        krilla::error::KrillaError::Validation(errors) => {
            format!("{} rules of the archive format were broken", errors.len())
        }
        krilla::error::KrillaError::Font(_, why) => format!("font: {why}"),
        krilla::error::KrillaError::Limit(limit) => format!("limit: {limit}"),
        _ => "structure".to_owned(),
    }
}

fn draw(page: &mut Page<'_>, marks: &[Mark], fonts: &Fonts, contents: &mut [Vec<Identifier>]) {
    let mut surface = page.surface();
    let mut links = Vec::new();
    let mut rest = marks;
    while let Some((mark, tail)) = rest.split_first() {
        rest = tail;
        match mark {
            Mark::Text { owner, .. } => {
                // Lines of one owner are one piece of content, unless a line must tell what was really written.
                let own = usize::from(written_otherwise(mark).is_none());
                let more = rest
                    .iter()
                    .take_while(|next| continues(next, *owner))
                    .count()
                    * own;
                let (same, after) = rest.split_at(more);
                rest = after;
                let written = written_otherwise(mark);
                begin(&mut surface, *owner, written.as_deref(), contents);
                draw_text(&mut surface, mark, fonts);
                for line in same {
                    draw_text(&mut surface, line, fonts);
                }
                surface.end_tagged();
            }
            Mark::Bar {
                x,
                y,
                width,
                height,
                ink,
                owner,
            } => {
                let mut path = PathBuilder::new();
                push_rect(&mut path, *x, *y, *width, *height);
                begin(&mut surface, *owner, None, contents);
                fill_path(&mut surface, path, *ink);
                surface.end_tagged();
            }
            Mark::Modules {
                x,
                y,
                side,
                count,
                dark,
                owner,
            } => {
                begin(&mut surface, *owner, None, contents);
                draw_modules(&mut surface, (*x, *y), *side, *count, dark);
                surface.end_tagged();
            }
            Mark::Link {
                x,
                y,
                width,
                height,
                address,
                owner,
            } => {
                if let Some(rect) = rect(*x, *y, *width, *height) {
                    links.push((rect, address.clone(), *owner));
                }
            }
            Mark::Slanted {
                centre_x,
                centre_y,
                size,
                letters,
                width,
            } => {
                begin(&mut surface, Owner::Watermark, None, contents);
                draw_slanted(
                    &mut surface,
                    fonts,
                    (*centre_x, *centre_y),
                    *size,
                    letters,
                    *width,
                );
                surface.end_tagged();
            }
        }
    }
    surface.finish();
    for (rect, address, owner) in links {
        let action = Target::Action(Action::Link(LinkAction::new(address.clone())));
        let annotation = Annotation::new_link(LinkAnnotation::new(rect, action), Some(address));
        let identifier = page.add_tagged_annotation(annotation);
        if let Some(content) = contents.get_mut(owner.index()) {
            content.push(identifier);
        }
    }
}

/// Whether a mark is a further line of the same owner that needs no text of its own.
fn continues(mark: &Mark, owner: Owner) -> bool {
    matches!(mark, Mark::Text { owner: other, .. } if *other == owner)
        && written_otherwise(mark).is_none()
}

/// What was written, where that is not what is shown.
fn written_otherwise(mark: &Mark) -> Option<String> {
    let Mark::Text {
        letters,
        owner: Owner::Node(_),
        ..
    } = mark
    else {
        return None;
    };
    letters
        .iter()
        .any(|letter| letter.shown != letter.written)
        .then(|| letters.iter().map(|letter| letter.written).collect())
}

fn begin(
    surface: &mut Surface<'_>,
    owner: Owner,
    written: Option<&str>,
    contents: &mut [Vec<Identifier>],
) {
    let tag = match owner {
        Owner::Node(_) => ContentTag::Span(SpanTag::empty().with_actual_text(written)),
        Owner::Head => ContentTag::Artifact(Artifact::with_kind(ArtifactType::Header)),
        Owner::Foot => ContentTag::Artifact(Artifact::with_kind(ArtifactType::Footer)),
        Owner::Ornament => ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)),
        Owner::Watermark => ContentTag::Artifact(Artifact::with_kind(ArtifactType::Watermark)),
    };
    let identifier = surface.start_tagged(tag);
    if let Owner::Node(node) = owner
        && let Some(content) = contents.get_mut(node.index())
    {
        content.push(identifier);
    }
}

fn draw_text(surface: &mut Surface<'_>, mark: &Mark, fonts: &Fonts) {
    let Mark::Text {
        x,
        baseline,
        weight,
        size,
        ink,
        letters,
        ..
    } = mark
    else {
        return;
    };
    let face = fonts.of(*weight);
    let (text, glyphs) = shaped(letters, face.units_per_em);
    surface.set_fill(Some(fill(*ink)));
    let start = Point::from_xy(points(*x), points(*baseline));
    surface.draw_glyphs(
        start,
        &glyphs,
        face.font.clone(),
        &text,
        points(*size),
        false,
    );
}

fn shaped(letters: &[Letter], units_per_em: i32) -> (String, Vec<KrillaGlyph>) {
    let mut text = String::with_capacity(letters.len().saturating_mul(2));
    let mut glyphs = Vec::with_capacity(letters.len());
    for letter in letters {
        let start = text.len();
        text.push(letter.shown);
        glyphs.push(KrillaGlyph::new(
            GlyphId::new(letter.glyph.id),
            ratio(letter.advance, units_per_em),
            0.0,
            0.0,
            0.0,
            start..text.len(),
            None,
        ));
    }
    (text, glyphs)
}

fn draw_slanted(
    surface: &mut Surface<'_>,
    fonts: &Fonts,
    (centre_x, centre_y): (Length, Length),
    size: Length,
    letters: &[Letter],
    width: Length,
) {
    let face = fonts.of(crate::font::Weight::SemiBold);
    surface.set_fill(Some(fill(Ink::Pale)));
    surface.push_transform(&Transform::from_rotate_at(
        SLANT,
        points(centre_x),
        points(centre_y),
    ));
    let (text, glyphs) = shaped(letters, face.units_per_em);
    // Capitals are about seven tenths of the size high.
    let baseline = centre_y.saturating_add(size / 20 * 7);
    let start = Point::from_xy(points(centre_x.saturating_sub(width / 2)), points(baseline));
    surface.draw_glyphs(start, &glyphs, face.font.clone(), &text, points(size), true);
    surface.pop();
}

/// Draws the dark modules of a code as strokes one module thick, in a system of coordinates where a module is one unit: that
/// takes a quarter of the bytes of rectangles.
fn draw_modules(
    surface: &mut Surface<'_>,
    (x, y): (Length, Length),
    side: Length,
    count: usize,
    dark: &[bool],
) {
    let Ok(modules) = i32::try_from(count.max(1)) else {
        return;
    };
    let mut path = PathBuilder::new();
    for (row, modules) in (0_u16..).zip(dark.chunks(count.max(1))) {
        let mut column = 0_u16;
        for run in modules.chunk_by(|left, right| left == right) {
            let end = column.saturating_add(u16::try_from(run.len()).unwrap_or(u16::MAX));
            if run.first() == Some(&true) {
                path.move_to(f32::from(column), f32::from(row));
                path.line_to(f32::from(end), f32::from(row));
            }
            column = end;
        }
    }
    let Some(path) = path.finish() else { return };
    // A stroke reaches half its width to both sides of its line.
    let module = side / modules;
    let scale = ratio(side, modules.saturating_mul(POINT));
    let (left, top) = (points(x), points(y.saturating_add(module / 2)));
    surface.push_transform(&Transform::from_row(scale, 0.0, 0.0, scale, left, top));
    surface.set_fill(None);
    surface.set_stroke(Some(Stroke {
        paint: color(Ink::Black).into(),
        width: 1.0,
        ..Stroke::default()
    }));
    surface.draw_path(&path);
    surface.set_stroke(None);
    surface.pop();
}

fn rect(x: Length, y: Length, width: Length, height: Length) -> Option<Rect> {
    Rect::from_xywh(points(x), points(y), points(width), points(height))
}

fn push_rect(path: &mut PathBuilder, x: Length, y: Length, width: Length, height: Length) {
    if let Some(rect) = rect(x, y, width, height) {
        path.push_rect(rect);
    }
}

fn fill_path(surface: &mut Surface<'_>, path: PathBuilder, ink: Ink) {
    if let Some(path) = path.finish() {
        surface.set_fill(Some(fill(ink)));
        surface.draw_path(&path);
    }
}

fn fill(ink: Ink) -> Fill {
    Fill {
        paint: color(ink).into(),
        opacity: NormalizedF32::ONE,
        rule: FillRule::NonZero,
    }
}

fn color(ink: Ink) -> rgb::Color {
    match ink {
        Ink::Black => rgb::Color::new(0x1d, 0x1b, 0x1a),
        Ink::Grey => rgb::Color::new(0x6b, 0x64, 0x5d),
        Ink::Seal => rgb::Color::new(0x7a, 0x1f, 0x2b),
        Ink::Line => rgb::Color::new(0xcf, 0xc8, 0xbe),
        Ink::Pale => rgb::Color::new(0xf5, 0xec, 0xea),
    }
}

fn outline(sheets: &Sheets) -> Outline {
    let mut outline = Outline::new();
    for entry in &sheets.outline {
        // A destination outside the document would stop the whole export.
        let page = entry.page.min(sheets.pages.len().saturating_sub(1));
        let destination = XyzDestination::new(page, Point::from_xy(0.0, points(entry.y)));
        outline.push_child(OutlineNode::new(entry.title.clone(), destination));
    }
    outline
}

fn tag_tree(structure: &Structure, contents: &[Vec<Identifier>], locale: Locale) -> TagTree {
    let mut tree = TagTree::new().with_lang(Some(locale.code().to_owned()));
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

fn metadata(about: About) -> Result<Metadata, ReceiptError> {
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
