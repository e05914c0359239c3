//! How far a command has come, on stderr: one line that is rewritten if that is a terminal, else
//! now and then a plain line.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The shortest time between two lines about the same thing.
const REWRITE: Duration = Duration::from_millis(100);
const PLAIN: Duration = Duration::from_secs(2);

/// Width of the longest and of the shortest bar, and of a terminal that does not tell its own.
const BAR: usize = 20;
const SHORTEST_BAR: usize = 5;
const COLUMNS: usize = 80;

/// Tells the user how far a command has come.
pub struct Progress {
    enabled: bool,
    terminal: bool,
    last: Instant,
    /// Whether an unfinished line stands on the terminal.
    dirty: bool,
}

impl Progress {
    /// Starts to report, or stays silent if `quiet`.
    pub fn new(quiet: bool) -> Self {
        let terminal = io::stderr().is_terminal();
        Self { enabled: !quiet, terminal, last: Instant::now(), dirty: false }
    }

    /// Something new begins: always shown.
    pub fn stage(&mut self, text: &str) {
        if self.enabled {
            self.show(text);
        }
    }

    /// Something goes on: shown if the last line is old enough.
    pub fn update(&mut self, text: impl FnOnce() -> String) {
        let pause = if self.terminal { REWRITE } else { PLAIN };
        if self.enabled && self.last.elapsed() >= pause {
            self.show(&text());
        }
    }

    /// Something goes on, of which the end is known: with a bar where lines are rewritten.
    pub fn advance(&mut self, done: u32, total: u32, text: impl FnOnce() -> String) {
        let bar = self.terminal;
        self.update(|| if bar { with_bar(done, total, &text(), columns()) } else { text() });
    }

    fn show(&mut self, text: &str) {
        self.last = Instant::now();
        self.dirty = self.terminal;
        let mut stderr = io::stderr().lock();
        // Progress that cannot be shown is no reason to stop.
        let _ = if self.terminal {
            // Back to the first column, and clear what a longer line left.
            write!(stderr, "\r{}\x1b[K", cut(text, columns()))
        } else {
            writeln!(stderr, "{text}")
        };
        let _ = stderr.flush();
    }

    /// Removes the rewritten line, so that a report can be printed.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.dirty) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Columns of the terminal.
fn columns() -> usize {
    terminal_size::terminal_size_of(io::stderr()).map_or(COLUMNS, |(width, _)| usize::from(width.0))
}

/// A line with a bar before it, if there is room for one.
fn with_bar(done: u32, total: u32, text: &str, columns: usize) -> String {
    let width = columns.saturating_sub(text.chars().count() + 2).min(BAR);
    if width < SHORTEST_BAR {
        return text.to_owned();
    }
    let is_done = |i: usize| i as u64 * u64::from(total) < width as u64 * u64::from(done);
    let bar: String = (0..width).map(|i| if is_done(i) { '█' } else { '░' }).collect();
    format!("{bar} {text}")
}

/// What of a line fits beside the cursor: a line that is broken in two could not be rewritten.
fn cut(text: &str, columns: usize) -> String {
    text.chars().take(columns.saturating_sub(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_the_terminal_and_have_a_bar_if_there_is_room() {
        let text = "frame 120 of 240, 12.34 ms/step, 1234 contacts, strain 0.12 %, 100 s left";
        for columns in [0, 1, 20, 60, 80, 90, 200] {
            let line = cut(&with_bar(120, 240, text, columns), columns);
            assert!(line.chars().count() < columns.max(1), "{columns}: {line}");
            assert_eq!(line.contains('█'), columns > text.len() + 6, "{columns}: {line}");
        }
        let wide = with_bar(120, 240, text, 200);
        assert_eq!((wide.matches('█').count(), wide.matches('░').count()), (10, 10));
    }
}
