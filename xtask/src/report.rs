//! Counts tests from the output of nextest and of libtest (`cargo test`).
//!
//! A test that finds out while it runs that it cannot run (no GPU, say) prints a line with [`SKIP_MARKER`] and
//! returns. To the test runner it passed; here it counts as skipped. Both runners are asked to show the output of
//! passing tests, and the readers below leave it out of what is printed, but for the marked lines.

use std::collections::BTreeSet;
use std::fmt;

/// What a test prints when it cannot run on this machine, followed by the reason.
pub const SKIP_MARKER: &str = "SKIPPED:";

/// How many tests passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests that ran to their end and were content.
    pub passed: usize,
    /// Tests that failed, ran out of time or could not be started.
    pub failed: usize,
    /// Tests that were ignored, or that said with the marker that they could not run.
    pub skipped: usize,
}

impl Tally {
    /// Adds another tally to this one.
    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// Moves `count` tests from passed to skipped.
    fn reclassify(mut self, count: usize) -> Self {
        let count = count.min(self.passed);
        self.passed -= count;
        self.skipped += count;
        self
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "muslin: {} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// Reads the output of a test runner line by line.
pub trait Reader: Send {
    /// Takes in one line and says whether it is worth printing.
    fn line(&mut self, line: &str) -> bool;
    /// The count so far; none where the runner never came to its summary.
    fn tally(&self) -> Option<Tally>;
}

/// Reads nothing: for stages without tests.
pub struct NoTests;

impl Reader for NoTests {
    fn line(&mut self, _: &str) -> bool {
        true
    }
    fn tally(&self) -> Option<Tally> {
        Some(Tally::default())
    }
}

/// Reads `cargo nextest run --success-output immediate`.
#[derive(Default)]
pub struct Nextest {
    /// The passing test whose output is being printed now.
    passing: Option<String>,
    /// Passing tests that printed the marker. A set: a retried test prints twice.
    marked: BTreeSet<String>,
    summary: Option<Tally>,
}

impl Reader for Nextest {
    fn line(&mut self, line: &str) -> bool {
        if let Some(counts) = nextest_summary(line) {
            self.passing = None;
            self.summary = Some(counts);
        } else if let Some((status, test)) = nextest_status(line) {
            self.passing = matches!(status, "PASS" | "LEAK").then(|| test.to_owned());
        } else if let Some(test) = &self.passing {
            if line.starts_with('─') {
                self.passing = None;
            } else if line.contains(SKIP_MARKER) {
                self.marked.insert(test.clone());
            } else {
                return false;
            }
        }
        true
    }

    fn tally(&self) -> Option<Tally> {
        self.summary.map(|summary| summary.reclassify(self.marked.len()))
    }
}

/// Splits a status line of nextest, `PASS [   0.004s] (1/5) crate module::test`, into status and test.
fn nextest_status(line: &str) -> Option<(&str, &str)> {
    let (status, rest) = line.trim_start().split_once(" [")?;
    let is_word = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == ' ';
    if status.is_empty() || !status.chars().all(is_word) {
        return None;
    }
    let (time, test) = rest.split_once("s] ")?;
    time.trim_start_matches(['>', ' ']).parse::<f64>().ok()?;
    let test = test.trim_start();
    let test = match test.strip_prefix('(').and_then(|counted| counted.split_once(") ")) {
        Some((_, name)) => name,
        None => test,
    };
    Some((status, test))
}

/// Reads the summary of nextest: `Summary [ 0.1s] 5 tests run: 4 passed (1 slow), 1 failed, 1 skipped`.
fn nextest_summary(line: &str) -> Option<Tally> {
    let (_, counts) = line.trim_start().strip_prefix("Summary [")?.split_once(" run: ")?;
    let mut tally = Tally::default();
    for part in without_parentheses(counts).split(',') {
        let (number, kind) = part.trim().split_once(' ')?;
        let number: usize = number.parse().ok()?;
        match kind.trim() {
            "passed" => tally.passed += number,
            "failed" | "timed out" | "exec failed" => tally.failed += number,
            "skipped" => tally.skipped += number,
            _ => {}
        }
    }
    Some(tally)
}

/// The text without what stands in parentheses: `4 passed (1 slow, 2 leaky)` is four tests, not seven.
fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    text.chars()
        .filter(|&character| {
            match character {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => return depth == 0,
            }
            false
        })
        .collect()
}

/// Reads `cargo test -- --show-output`: any number of test programs, each with its own summary.
#[derive(Default)]
pub struct Libtest {
    section: Section,
    /// The test whose output is being printed now.
    test: String,
    /// Passing tests of the current program that printed the marker.
    marked: BTreeSet<String>,
    total: Option<Tally>,
}

/// The part of a libtest report that a line stands in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Section {
    #[default]
    Other,
    Successes,
}

impl Reader for Libtest {
    fn line(&mut self, line: &str) -> bool {
        if let Some(counts) = libtest_summary(line) {
            let marked = std::mem::take(&mut self.marked).len();
            self.total.get_or_insert_default().add(counts.reclassify(marked));
            self.section = Section::Other;
        } else if line == "successes:" {
            self.section = Section::Successes;
            return false;
        } else if line == "failures:" {
            self.section = Section::Other;
        } else if self.section == Section::Successes {
            let heading = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"));
            if let Some(test) = heading {
                self.test = test.to_owned();
            } else if line.contains(SKIP_MARKER) {
                self.marked.insert(self.test.clone());
            } else {
                return false;
            }
        }
        true
    }

    fn tally(&self) -> Option<Tally> {
        self.total
    }
}

/// Reads the summary of one test program: `test result: ok. 4 passed; 1 failed; 1 ignored; …`.
fn libtest_summary(line: &str) -> Option<Tally> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut tally = Tally::default();
    for part in counts.split("; ") {
        let Some((number, kind)) = part.split_once(' ') else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        match kind {
            "passed" => tally.passed += number,
            "failed" => tally.failed += number,
            "ignored" => tally.skipped += number,
            _ => {}
        }
    }
    Some(tally)
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
