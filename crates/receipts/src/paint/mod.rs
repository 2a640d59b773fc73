//! Draws sheets as a tagged PDF/A-2a.
//!
//! The PDF library has two rules. A page has one surface, because a second one would restart the numbering of marked content.
//! Every content identifier is used in the structure exactly once.

mod document;
mod shapes;

pub(crate) use document::About;

use krilla::SerializeSettings;
use krilla::action::{Action, LinkAction};
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::configure::{Accessibility, Archival, ConfigurationBuilder};
use krilla::document::Document;
use krilla::page::{Page, PageSettings};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, Identifier, SpanTag};

use self::document::{metadata, outline, tag_tree};
use self::shapes::{draw_bar, draw_hryvnia, draw_modules, draw_slanted, draw_text, rect};
use crate::error::ReceiptError;
use crate::font::Fonts;
use crate::marks::{Mark, Owner};
use crate::sheet::Sheets;
use crate::units::{PAGE_HEIGHT, PAGE_WIDTH, points, times};

/// Writes the PDF. Each part has pages of its own.
pub(crate) fn pdf(parts: &[Sheets], about: About) -> Result<Vec<u8>, ReceiptError> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A2_A)
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(|error| ReceiptError::Pdf(format!("{error:?}")))?;
    let mut document = Document::new_with(SerializeSettings {
        configuration,
        ..SerializeSettings::default()
    });
    let settings = PageSettings::from_wh(points(PAGE_WIDTH), points(PAGE_HEIGHT))
        .ok_or_else(|| ReceiptError::Pdf("page size".to_owned()))?;

    let mut tagged = Vec::with_capacity(parts.len());
    for sheets in parts {
        let mut contents: Vec<Vec<Identifier>> = vec![Vec::new(); sheets.structure.nodes.len()];
        for marks in &sheets.pages {
            let mut page = document.start_page_with(settings.clone());
            draw(&mut page, marks, sheets.fonts, &mut contents);
            page.finish();
        }
        tagged.push((&sheets.structure, contents));
    }

    document.set_outline(outline(parts));
    document.set_tag_tree(tag_tree(&tagged, about.locale));
    document.set_metadata(metadata(about)?);
    document
        .finish()
        .map_err(|error| ReceiptError::Pdf(reason(&error)))
}

/// Describes the library's error without quoting the document.
fn reason(error: &krilla::error::KrillaError) -> String {
    match error {
        krilla::error::KrillaError::Validation(errors) => {
            format!(
                "{} rules of the formats PDF/A and PDF/UA were broken",
                errors.len()
            )
        }
        krilla::error::KrillaError::Font(_, why) => format!("font: {why}"),
        krilla::error::KrillaError::Limit(limit) => format!("limit: {limit}"),
        _ => "structure".to_owned(),
    }
}

fn draw(page: &mut Page<'_>, marks: &[Mark], fonts: &Fonts, contents: &mut [Vec<Identifier>]) {
    let mut surface = page.surface();
    let mut rest = marks;
    while let Some((mark, tail)) = rest.split_first() {
        rest = tail;
        // Lines of one owner form one piece of content, unless a line needs an alternative text.
        let written = written_otherwise(mark);
        let further = match owner_of(mark) {
            Some(owner) if matches!(mark, Mark::Text { .. }) && written.is_none() => tail
                .iter()
                .take_while(|next| continues(next, owner))
                .count(),
            _ => 0,
        };
        let (same, after) = rest.split_at(further);
        rest = after;
        if let Some(owner) = owner_of(mark) {
            begin(&mut surface, owner, written.as_deref(), contents);
            for mark in std::iter::once(mark).chain(same) {
                draw_mark(&mut surface, mark, fonts);
            }
            surface.end_tagged();
        }
    }
    surface.finish();
    for mark in marks {
        add_link(page, mark, contents);
    }
}

/// Returns the owner of a mark's content. A link is an annotation and has none.
fn owner_of(mark: &Mark) -> Option<Owner> {
    match mark {
        Mark::Text { owner, .. } | Mark::Bar { owner, .. } | Mark::Modules { owner, .. } => {
            Some(*owner)
        }
        Mark::Slanted { .. } => Some(Owner::Watermark),
        Mark::Link { .. } => None,
    }
}

fn draw_mark(surface: &mut Surface<'_>, mark: &Mark, fonts: &Fonts) {
    match mark {
        Mark::Text { .. } => draw_text(surface, mark, fonts),
        Mark::Bar {
            x,
            y,
            width,
            height,
            ink,
            ..
        } => draw_bar(surface, rect(*x, *y, *width, *height), *ink),
        Mark::Modules {
            x,
            y,
            side,
            count,
            dark,
            sign_across,
            ..
        } => {
            draw_modules(surface, (*x, *y), *side, *count, dark);
            if *sign_across > 0 {
                let centre = (x.saturating_add(side / 2), y.saturating_add(side / 2));
                let across = times(side / times(1, *count).max(1), usize::from(*sign_across));
                draw_hryvnia(surface, fonts, centre, across);
            }
        }
        Mark::Slanted {
            centre_x,
            centre_y,
            size,
            letters,
            width,
        } => {
            let centre = (*centre_x, *centre_y);
            draw_slanted(surface, fonts, centre, *size, letters, *width);
        }
        Mark::Link { .. } => {}
    }
}

fn add_link(page: &mut Page<'_>, mark: &Mark, contents: &mut [Vec<Identifier>]) {
    let Mark::Link {
        x,
        y,
        width,
        height,
        address,
        owner,
    } = mark
    else {
        return;
    };
    let Some(rect) = rect(*x, *y, *width, *height) else {
        return;
    };
    let action = Target::Action(Action::Link(LinkAction::new(address.clone())));
    let annotation = Annotation::new_link(LinkAnnotation::new(rect, action), Some(address.clone()));
    let identifier = page.add_tagged_annotation(annotation);
    if let Some(content) = contents.get_mut(owner.index()) {
        content.push(identifier);
    }
}

/// Returns whether a mark is another line of the same owner that needs no alternative text.
fn continues(mark: &Mark, owner: Owner) -> bool {
    matches!(mark, Mark::Text { owner: other, .. } if *other == owner)
        && written_otherwise(mark).is_none()
}

/// Returns the original text if other characters are drawn.
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
