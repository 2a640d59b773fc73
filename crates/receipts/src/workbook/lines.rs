//! The height of a text in a cell.

/// Most lines of a row.
const LINES_MAX: u32 = 27;
/// Width of the indent and the edges of a cell, in characters.
const CELL_EDGES: u8 = 3;
/// Estimates how many lines a text takes in a column.
pub(super) fn lines_of(text: &str, width: u8) -> u32 {
    let room = usize::from(width.saturating_sub(CELL_EDGES)).max(1);
    let (mut lines, mut filled) = (1_u32, 0);
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        let begins = filled == 0;
        if !begins && filled + 1 + letters <= room {
            filled += 1 + letters;
            continue;
        }
        // A word longer than a line is broken.
        let broken = letters.saturating_sub(1) / room;
        lines = lines.saturating_add(u32::try_from(broken).unwrap_or(u32::MAX));
        lines = lines.saturating_add(u32::from(!begins));
        filled = letters - broken * room;
    }
    lines.min(LINES_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_as_high_as_its_longest_text() {
        for (text, width, lines) in [
            ("", 13, 1),
            ("сто", 13, 1),
            ("десять літ", 13, 1),
            ("десять літер", 13, 2),
            ("один два три чотири", 13, 2),
            ("UA213223130000026007233566001", 13, 3),
            ("код UA213223130000026007233566001", 13, 4),
        ] {
            assert_eq!(lines_of(text, width), lines, "{text}");
        }
        assert_eq!(lines_of(&"я ".repeat(5_000), 13), LINES_MAX);
    }
}
