//! The text of a scene, and where things stand in it.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// Bytes of the text, from and up to.
pub(in crate::scene) type Span = Range<usize>;

/// The text of a scene file, with the name to be shown in errors.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::scene) struct Source {
    /// The file as the user named it.
    pub file: String,
    /// What it contains.
    pub text: String,
}

/// A place for people: a line, and a range of characters in it.
pub(in crate::scene) struct Place<'a> {
    /// Counted from 1.
    pub line: usize,
    /// Characters before the place, counted from 0.
    pub column: usize,
    /// Characters of the place that stand on this line.
    pub width: usize,
    /// The whole line, without its end.
    pub text: &'a str,
}

impl Source {
    /// The line and column of a span; one that reaches over several lines is cut at the first end.
    pub fn place(&self, span: &Span) -> Place<'_> {
        let start = floor_boundary(&self.text, span.start);
        let end = floor_boundary(&self.text, span.end.max(start));
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |newline| start + newline);
        let text = self.text[line_start..line_end].trim_end_matches('\r');
        let within = |byte: usize| byte.clamp(line_start, line_start + text.len());
        Place {
            line: self.text[..line_start].matches('\n').count() + 1,
            column: self.text[line_start..within(start)].chars().count(),
            width: self.text[within(start)..within(end)].trim_end().chars().count(),
            text,
        }
    }

    /// Where the value stands that a path like `cloth.0.pins.2.group` names; numbers count the
    /// elements of lists. Where there is no such value, the nearest table or list around it.
    ///
    /// Reads the text again: errors are rare, and the scene's data need not carry places around.
    pub fn locate(&self, path: &str) -> Span {
        let (document, _) = DeTable::parse_recoverable(&self.text);
        let mut table = Some(document.get_ref());
        let mut list = None;
        let mut span = 0..0;
        for step in path.split('.') {
            let next = match (table, list) {
                (Some(table), _) => table.get(step),
                (None, Some(list)) => step.parse().ok().and_then(|i: usize| DeValue::get(list, i)),
                (None, None) => None,
            };
            let Some(value) = next else { break };
            span = value.span();
            table = value.get_ref().as_table();
            list = value.get_ref().is_array().then_some(value.get_ref());
        }
        span
    }
}

/// The nearest start of a character at or before a byte.
fn floor_boundary(text: &str, byte: usize) -> usize {
    text.floor_char_boundary(byte.min(text.len()))
}

/// Text of a user in quotes: control characters escaped, long ones cut.
pub(in crate::scene) fn quoted(text: &str) -> String {
    const MOST: usize = 48;
    if text.chars().count() <= MOST {
        return format!("{text:?}");
    }
    let start: String = text.chars().take(MOST).collect();
    format!("{:?}", start + "…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source { file: "a.toml".into(), text: text.into() }
    }

    #[test]
    fn places_count_characters_and_stay_on_their_line() {
        let source = source("ä = 1\r\nö = [\n 2]\n");
        let place = source.place(&(8..12));
        assert_eq!((place.line, place.column, place.width, place.text), (2, 0, 3, "ö = ["));
        let whole = source.place(&(0..source.text.len()));
        assert_eq!((whole.line, whole.column, whole.width, whole.text), (1, 0, 5, "ä = 1"));
        let beyond = source.place(&(900..901));
        assert_eq!((beyond.line, beyond.width, beyond.text), (4, 0, ""));
    }

    #[test]
    fn values_are_found_by_path_and_else_what_is_around_them() {
        let source = source("[[cloth]]\na = 1\n[[cloth]]\nb = [10, 20]\n");
        let text = |path| &source.text[source.locate(path)];
        assert_eq!((text("cloth.1.b.1"), text("cloth.0.a"), text("cloth.1.b.7")), ("20", "1", "[10, 20]"));
        assert_eq!((text("cloth.1.c.4.d"), text("nothing")), ("[[cloth]]", ""));
    }
}
