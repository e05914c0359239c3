//! How far a command has come, on stderr: one line that is rewritten if that is a terminal, else
//! now and then a plain line.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The shortest time between two lines about the same thing.
const REWRITE: Duration = Duration::from_millis(100);
const PLAIN: Duration = Duration::from_secs(2);

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

    fn show(&mut self, text: &str) {
        self.last = Instant::now();
        self.dirty = self.terminal;
        let mut stderr = io::stderr().lock();
        // Progress that cannot be shown is no reason to stop.
        let _ = if self.terminal {
            // Back to the first column, and clear what a longer line left.
            write!(stderr, "\r{text}\x1b[K")
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
