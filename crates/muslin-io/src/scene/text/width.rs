//! How wide text is in a terminal.

/// The columns that characters take: none for marks that combine with the one before, two for the
/// wide ones of East Asia and for pictures.
///
/// The blocks of Unicode, not its table of single characters: an underline may be off by a column in
/// rare cases, and no dependency is needed.
pub(in crate::scene) fn columns(text: impl Iterator<Item = char>) -> usize {
    text.map(|c| match u32::from(c) {
        0x0300..=0x036f | 0x200b..=0x200f | 0x2060 | 0x20d0..=0x20ff | 0xfe00..=0xfe0f | 0xfeff => 0,
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0xa4cf | 0xa960..=0xa97f | 0xac00..=0xd7a3 => 2,
        0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 => 2,
        0x1f300..=0x1f64f | 0x1f680..=0x1f6ff | 0x1f900..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    })
    .sum()
}

/// Whether a character would upset the terminal: it moves the cursor, or turns the direction of text.
pub(in crate::scene) fn breaks_lines(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_count_twice_and_marks_not_at_all() {
        let count = |text: &str| columns(text.chars());
        assert_eq!(
            (count("flag"), count("旗"), count("ｆ"), count("e\u{301}"), count("🚩")),
            (4, 2, 2, 1, 2)
        );
    }
}
