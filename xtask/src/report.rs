//! Counts tests, from the output of libtest (`cargo test`); `junit` does so from the report of nextest.
//!
//! A test that finds out while it runs that it cannot run (no GPU, say) prints a line with [`SKIP_MARKER`] and
//! returns. To the test runner it passed; here it counts as skipped. So libtest is asked to show the output of passing
//! tests, of which nothing but the marked lines is printed.

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

impl Libtest {
    /// Takes in one line and says whether it is worth printing.
    pub fn line(&mut self, line: &str) -> bool {
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

    /// The count so far; none where no program came to its summary.
    pub fn tally(&self) -> Option<Tally> {
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
