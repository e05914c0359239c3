//! Counts tests from the report that nextest writes (JUnit's XML; `.config/nextest.toml` says what stands in it).

use std::fmt;

use roxmltree::{Document, Node};

use crate::report::{SKIP_MARKER, Tally};

/// How many of the slowest tests are named.
const SLOWEST: usize = 5;

/// What a report says.
#[derive(Debug, Default, PartialEq)]
pub struct Report {
    /// How many tests came to which end.
    pub tally: Tally,
    /// Tests that said that they could not run, with the reason.
    pub skips: Vec<String>,
    /// Seconds and names of the tests that took longest, the slowest first.
    pub slowest: Vec<(f64, String)>,
}

impl Report {
    /// Reads a report; the error says why it is none.
    pub fn read(text: &str) -> Result<Self, roxmltree::Error> {
        let document = Document::parse(text)?;
        let mut report = Self::default();
        for case in document.descendants().filter(|node| node.has_tag_name("testcase")) {
            report.add(case);
        }
        report.slowest.sort_by(|a, b| b.0.total_cmp(&a.0));
        report.slowest.truncate(SLOWEST);
        Ok(report)
    }

    /// Takes in one test.
    fn add(&mut self, case: Node) {
        let attribute = |name| case.attribute(name).unwrap_or_default();
        let name = format!("{} {}", attribute("classname"), attribute("name"));
        let has = |tag| case.children().any(|child| child.has_tag_name(tag));
        if has("failure") || has("error") {
            self.tally.failed += 1;
        } else if has("skipped") {
            self.tally.skipped += 1;
        } else if let Some(line) = marked_line(case) {
            self.tally.skipped += 1;
            self.skips.push(format!("{name}: {}", line.trim()));
        } else {
            self.tally.passed += 1;
        }
        self.slowest.push((attribute("time").parse().unwrap_or(0.0), name));
    }
}

/// The line of a test's output that says why it could not run.
fn marked_line<'a>(case: Node<'a, '_>) -> Option<&'a str> {
    let outputs = case.children().filter(|child| child.is_element()).filter_map(|child| child.text());
    outputs.flat_map(str::lines).find(|line| line.contains(SKIP_MARKER))
}

/// What of a report nextest has not printed itself.
impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.skips.iter().try_for_each(|skip| writeln!(out, "{skip}"))?;
        let slowest: Vec<String> =
            self.slowest.iter().map(|(seconds, name)| format!("{seconds:.1} s {name}")).collect();
        write!(out, "==> slowest: {}", slowest.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As nextest 0.9.143 writes it, with times and identifiers left out.
    const REPORT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="5" failures="2" errors="0" time="61.120">
    <testsuite name="nxt" tests="5" disabled="1" errors="0" failures="2">
        <testcase name="tests::quiet" classname="nxt" time="0.004">
            <system-out>running 1 test
test tests::quiet ... ok</system-out>
            <system-err></system-err>
        </testcase>
        <testcase name="tests::skips" classname="nxt" time="0.004">
            <system-out>running 1 test
SKIPPED: no &lt;GPU&gt;
SKIPPED: really none
test tests::skips ... ok</system-out>
            <system-err>noise</system-err>
        </testcase>
        <testcase name="tests::ignored" classname="nxt">
            <skipped message="not run"/>
        </testcase>
        <testcase name="tests::bad" classname="nxt" time="61.1">
            <failure type="test failure">SKIPPED: but failed</failure>
            <system-out>SKIPPED: but failed</system-out>
        </testcase>
        <testcase name="tests::flaky" classname="nxt" time="2.0">
            <flakyFailure type="test failure">first try</flakyFailure>
        </testcase>
        <testcase name="tests::cannot_start" classname="nxt" time="0.0">
            <error type="execution failure">no such file</error>
        </testcase>
    </testsuite>
</testsuites>
"#;

    #[test]
    fn a_marked_passing_test_and_an_ignored_one_count_as_skipped() {
        let report = Report::read(REPORT).unwrap();
        assert_eq!(report.tally, Tally { passed: 2, failed: 2, skipped: 2 });
        assert_eq!(report.skips, ["nxt tests::skips: SKIPPED: no <GPU>"]);
    }

    #[test]
    fn the_slowest_test_is_named_first() {
        let shown = Report::read(REPORT).unwrap().to_string();
        assert!(shown.contains("==> slowest: 61.1 s nxt tests::bad, 2.0 s nxt tests::flaky, "), "{shown}");
    }

    #[test]
    fn what_is_cut_off_is_no_report() {
        assert!(Report::read("").is_err());
        assert!(Report::read(&REPORT[..REPORT.len() / 2]).is_err());
    }
}
