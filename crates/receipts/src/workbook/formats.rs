//! The formats of cells.

use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder};

/// The format of each kind of cell.
pub(super) struct Formats {
    pub(super) heading: Format,
    pub(super) heading_of_numbers: Format,
    pub(super) text: Format,
    pub(super) number: Format,
    pub(super) sum: Format,
    pub(super) day: Format,
    pub(super) time: Format,
    pub(super) last_words: Format,
    pub(super) last_number: Format,
    pub(super) last_sum: Format,
}

impl Formats {
    pub(super) fn new() -> Formats {
        // Spreadsheet programs replace the separators by those of their language.
        let (whole, hundredths) = ("0", "#,##0.00");
        let cell = || Format::new().set_align(FormatAlign::Top);
        // The indent separates a text from a number in the column before.
        let text = || cell().set_align(FormatAlign::Left).set_indent(1);
        let heading = || {
            Format::new()
                .set_bold()
                .set_text_wrap()
                .set_align(FormatAlign::VerticalCenter)
                .set_background_color(Color::RGB(0x00F1_ECE1))
                .set_border_bottom(FormatBorder::Thin)
        };
        let last = || cell().set_bold().set_border_top(FormatBorder::Thin);
        Formats {
            heading: heading().set_align(FormatAlign::Left).set_indent(1),
            heading_of_numbers: heading().set_align(FormatAlign::Right),
            text: text().set_text_wrap(),
            number: cell().set_num_format(whole),
            sum: cell().set_num_format(hundredths),
            day: text().set_num_format("dd.mm.yyyy"),
            time: text().set_num_format("dd.mm.yyyy hh:mm:ss"),
            last_words: last(),
            last_number: last()
                .set_align(FormatAlign::Left)
                .set_indent(1)
                .set_num_format(whole),
            last_sum: last().set_num_format(hundredths),
        }
    }
}
