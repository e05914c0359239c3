//! What is wrong with a scene, shown as a compiler would: the place, the line, a hint.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::source::{Source, Span};
use super::width::{breaks_lines, columns};

/// The most diagnostics that are collected.
const MOST_COLLECTED: usize = 100;

/// The most diagnostics that an error's text shows.
const MOST_SHOWN: usize = 20;

/// The longest piece of a line that is shown, in characters.
const LONGEST_LINE: usize = 140;

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The scene file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The line, or the part of it around the place if it is long; without control characters.
    pub shown_line: String,
    /// Characters of `shown_line` before the place, and of the place.
    pub underline: (usize, usize),
}

impl Diagnostic {
    fn new(source: &Source, span: &Span, message: String, hint: Option<String>) -> Self {
        let place = source.place(span);
        let clean = |c: char| match c {
            '\t' => ' ',
            c if breaks_lines(c) => '\u{fffd}',
            c => c,
        };
        let characters: Vec<char> = place.text.chars().map(clean).collect();
        let first = if characters.len() > LONGEST_LINE { place.column.saturating_sub(40) } else { 0 };
        let last = characters.len().min(first + LONGEST_LINE);
        let width = place.width.max(1).min((last + 1).saturating_sub(place.column).max(1));
        Self {
            file: source.file.clone(),
            line: place.line,
            column: place.column + 1,
            message,
            hint,
            shown_line: characters[first..last].iter().collect(),
            underline: (place.column - first, width),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        // A terminal has columns, not characters.
        let (before, width) = self.underline;
        let characters = |skip, take| columns(self.shown_line.chars().skip(skip).take(take));
        let (indent, carets) = (characters(0, before), characters(before, width).max(1));
        writeln!(f, "error: {}", self.message)?;
        writeln!(f, "{margin}--> {}:{}:{}", self.file, self.line, self.column)?;
        writeln!(f, "{margin} |")?;
        writeln!(f, "{number} | {}", self.shown_line)?;
        write!(f, "{margin} | {}{}", " ".repeat(indent), "^".repeat(carets))?;
        match &self.hint {
            Some(hint) => write!(f, "\n{margin} = hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// Why a scene cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The scene file could not be opened or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The scene file is larger than any scene need be.
    #[error("{}: a scene file of {size} bytes; at most {limit} are accepted", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// The largest size accepted.
        limit: u64,
    },
    /// The content is wrong, in the order of the text; never empty.
    #[error("{}", joined(.0))]
    Invalid(Vec<Diagnostic>),
}

impl SceneError {
    /// What is wrong with the content; empty if the file could not be read at all.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Invalid(diagnostics) => diagnostics,
            _ => &[],
        }
    }
}

fn joined(diagnostics: &[Diagnostic]) -> String {
    let mut texts: Vec<String> = diagnostics.iter().take(MOST_SHOWN).map(Diagnostic::to_string).collect();
    if diagnostics.len() > MOST_SHOWN {
        texts.push(format!("… and {} more errors", diagnostics.len() - MOST_SHOWN));
    }
    texts.join("\n\n")
}

/// Collects what is wrong with a source.
#[derive(Debug)]
pub(in crate::scene) struct Report<'a> {
    pub source: &'a Source,
    diagnostics: Vec<(Span, Diagnostic)>,
}

impl<'a> Report<'a> {
    pub fn new(source: &'a Source) -> Self {
        Self { source, diagnostics: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// Whether more would not be shown anyway.
    pub fn has_plenty(&self) -> bool {
        self.diagnostics.len() >= MOST_SHOWN
    }

    pub fn error(&mut self, span: &Span, message: impl Into<String>) {
        self.push(span, message.into(), None);
    }

    pub fn error_with_hint(&mut self, span: &Span, message: impl Into<String>, hint: impl Into<String>) {
        self.push(span, message.into(), Some(hint.into()));
    }

    pub fn push(&mut self, span: &Span, message: String, hint: Option<String>) {
        if self.diagnostics.len() < MOST_COLLECTED {
            self.diagnostics.push((span.clone(), Diagnostic::new(self.source, span, message, hint)));
        }
    }

    /// All that was collected, in the order of the text. If nothing was, says at least that the
    /// scene cannot be used.
    pub fn into_error(mut self) -> SceneError {
        if self.diagnostics.is_empty() {
            self.error(&(0..0), "this scene cannot be used");
        }
        self.diagnostics.sort_by_key(|(span, _)| (span.start, span.end));
        SceneError::Invalid(self.diagnostics.into_iter().map(|(_, diagnostic)| diagnostic).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_around_the_place_and_control_characters_do_not_reach_the_terminal() {
        let text = format!("a = '{}\u{1b}[31m\u{7}'\t", "x".repeat(5000));
        let source = Source { file: "long.toml".into(), text };
        let end = source.text.len();
        let diagnostic = Diagnostic::new(&source, &(end - 4..end), "m".into(), None);
        assert!(diagnostic.shown_line.chars().count() <= LONGEST_LINE);
        assert!(!diagnostic.to_string().replace('\n', "").contains(char::is_control));
        let (before, width) = diagnostic.underline;
        assert!(before + width <= diagnostic.shown_line.chars().count() + 1);
    }

    #[test]
    fn many_errors_are_counted_rather_than_shown() {
        let source = Source { file: "a.toml".into(), text: "x".into() };
        let mut report = Report::new(&source);
        (0..1000).for_each(|_| report.error(&(0..1), "wrong"));
        let error = report.into_error();
        assert_eq!(error.diagnostics().len(), MOST_COLLECTED);
        assert!(error.to_string().ends_with("… and 80 more errors"));
    }
}
