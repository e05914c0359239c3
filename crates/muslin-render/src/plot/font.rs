//! Letters as strokes, for plots in pixels: drawn for this crate, because the fonts of the system are not
//! known here and a font file would be larger than all plots.
//!
//! A glyph lists the points of its strokes as two digits each, x to the right and y upwards; a space lifts
//! the pen. The base line is at y = 2, small letters reach up to 6, capitals and digits to 8.

/// The height of the base line.
const BASE: f64 = 2.0;

/// Space between letters, and between words in place of a letter's width.
const GAP: f64 = 2.0;
const WORD_GAP: f64 = 2.0;

/// A box, for characters that are not drawn here.
const UNKNOWN: &str = "0208383202";

fn glyph(character: char) -> &'static str {
    match character {
        ' ' => "",
        '0' => "180703122233372818",
        '1' => "071812",
        '2' => "07182837360232",
        '3' => "07182837362515 253433221203",
        '4' => "22280434",
        '5' => "380805253433221203",
        '6' => "372818070312223334251504",
        '7' => "083812",
        '8' => "15060718283736251504031222333425",
        '9' => "031222333728180706152536",
        'A' => "022842 1434",
        'B' => "02083847463505 3544433202",
        'C' => "4738180703123243",
        'D' => "02082846442202",
        'E' => "48080242 0535",
        'F' => "480802 0535",
        'G' => "47381807031232434525",
        'H' => "0208 4248 0545",
        'I' => "0222 0828 1218",
        'J' => "3833221203",
        'K' => "0208 4804 1542",
        'L' => "080242",
        'M' => "0208254842",
        'N' => "02084248",
        'O' => "180703123243473818",
        'P' => "02083847463505",
        'Q' => "180703123243473818 2442",
        'R' => "02083847463505 2542",
        'S' => "473818070615354443321203",
        'T' => "0848 2822",
        'U' => "080312324348",
        'V' => "082248",
        'W' => "0812253248",
        'X' => "0842 0248",
        'Y' => "082548 2522",
        'Z' => "08480242",
        'a' => "06263532 341403122233",
        'b' => "0802 0516263533221203",
        'c' => "3526160503122233",
        'd' => "3832 3526160503122233",
        'e' => "043435261605031232",
        'f' => "281712 0626",
        'g' => "36312000 3526160503122233",
        'h' => "0802 0516263532",
        'i' => "0602 0808",
        'j' => "161100 1818",
        'k' => "0802 3603 1432",
        'l' => "080312",
        'm' => "0602 05162522 25364542",
        'n' => "0602 0516263532",
        'o' => "160503122233352616",
        'p' => "0600 0516263533221203",
        'q' => "3630 3526160503122233",
        'r' => "0602 051626",
        's' => "3616051424332202",
        't' => "181322 0626",
        'u' => "0603122233 3632",
        'v' => "062246",
        'w' => "0612253246",
        'x' => "0632 0236",
        'y' => "0603122233 36312000",
        'z' => "06360232",
        '.' => "0202",
        ',' => "1201",
        ':' => "0202 0505",
        '-' | '−' | '–' => "0525",
        '+' => "0545 2327",
        '=' => "0636 0434",
        '×' => "0336 0633",
        '·' => "0505",
        '/' => "0138",
        '%' => "0248 1717 3333",
        '(' => "19070311",
        ')' => "09171301",
        '<' => "370533",
        '>' => "073503",
        '\'' => "0806",
        '_' => "0131",
        '°' => "0818170708",
        '²' => "0919180616",
        _ => UNKNOWN,
    }
}

/// A digit of a glyph.
fn unit(digit: u8) -> f64 {
    f64::from(digit - b'0')
}

/// The width of a glyph without space around it.
fn glyph_width(character: char) -> f64 {
    let points = glyph(character).split(' ').flat_map(|stroke| stroke.as_bytes().chunks_exact(2));
    points.map(|point| unit(point[0])).fold(if character == ' ' { WORD_GAP } else { 0.0 }, f64::max)
}

/// The width of a text.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(|character| glyph_width(character) + GAP).sum::<f64>() - GAP
}

/// Calls `line` for every straight piece of a text: x from its start, y from the base line.
pub(super) fn strokes(text: &str, mut line: impl FnMut([f64; 2], [f64; 2])) {
    let mut x = 0.0;
    for character in text.chars() {
        for stroke in glyph(character).split(' ') {
            let point = |point: &[u8]| [x + unit(point[0]), unit(point[1]) - BASE];
            let points: Vec<[f64; 2]> = stroke.as_bytes().chunks_exact(2).map(point).collect();
            points.windows(2).for_each(|pair| line(pair[0], pair[1]));
        }
        x += glyph_width(character) + GAP;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_are_pairs_of_digits_within_their_box_and_differ() {
        let all: Vec<char> =
            ('0'..='9').chain('A'..='Z').chain('a'..='z').chain(".,:-+=/%()<>'_".chars()).collect();
        for (i, &character) in all.iter().enumerate() {
            for stroke in glyph(character).split(' ') {
                assert!(stroke.len() % 2 == 0 && stroke.len() >= 4, "{character}");
                assert!(stroke.bytes().all(|b| b.is_ascii_digit()), "{character}");
                assert!(stroke.as_bytes().chunks_exact(2).all(|point| point[0] <= b'4'), "{character}");
            }
            assert_ne!(glyph(character), UNKNOWN, "{character}");
            assert!(!all[..i].iter().any(|&c| glyph(c) == glyph(character)), "{character}");
        }
    }

    #[test]
    fn a_text_is_as_wide_as_its_strokes() {
        let mut right = 0.0f64;
        strokes("Time, s", |a, b| right = right.max(a[0]).max(b[0]));
        assert_eq!(right, width("Time, s"));
        assert!(width("m m") > width("mm"));
    }
}
