//! The readers against output captured from nextest 0.9.143 and Rust 1.95.

use super::*;

/// A tally in short.
fn counts(passed: usize, failed: usize, skipped: usize) -> Tally {
    Tally { passed, failed, skipped }
}

/// Feeds all lines of `text` and returns the lines to print.
fn feed(reader: &mut impl Reader, text: &str) -> Vec<String> {
    text.lines().filter(|line| reader.line(line)).map(str::to_owned).collect()
}

const NEXTEST: &str = "    Starting 4 tests across 1 binary (1 test skipped)
        PASS [   0.004s] (1/4) nxt tests::quiet
  stdout ───

    running 1 test
    test tests::quiet ... ok

        PASS [   0.004s] (2/4) nxt tests::skips
  stdout ───

    running 1 test
    SKIPPED: no GPU
    SKIPPED: really none
    test tests::skips ... ok

  stderr ───
    noise

        SLOW [> 60.000s] (───) nxt tests::slow
        FAIL [   0.119s] (3/4) nxt tests::bad
  stdout ───
    SKIPPED: but failed

        PASS [  61.004s] (4/4) nxt tests::slow
────────────
     Summary [  61.120s] 4 tests run: 3 passed (1 slow, 0 leaky), 1 failed, 1 skipped
        FAIL [   0.119s] (3/4) nxt tests::bad
error: test run failed
";

#[test]
fn nextest_counts_a_marked_passing_test_as_skipped() {
    let mut reader = Nextest::default();
    feed(&mut reader, NEXTEST);
    assert_eq!(reader.tally(), Some(counts(2, 1, 2)));
}

#[test]
fn nextest_shows_output_of_failing_tests_and_markers_only() {
    let shown = feed(&mut Nextest::default(), NEXTEST);
    assert!(shown.iter().any(|line| line == "    SKIPPED: no GPU"));
    assert!(shown.iter().any(|line| line == "    SKIPPED: but failed"));
    assert!(shown.iter().any(|line| line == "error: test run failed"));
    assert!(!shown.iter().any(|line| line.contains("running 1 test") || line.contains("noise")));
}

#[test]
fn nextest_without_a_summary_has_no_tally() {
    let mut reader = Nextest::default();
    feed(&mut reader, "error: could not compile `muslin`");
    assert_eq!(reader.tally(), None);
}

#[test]
fn nextest_status_lines() {
    assert_eq!(nextest_status("  TRY 1 FAIL [   0.1s] (1/5) a b::c"), Some(("TRY 1 FAIL", "a b::c")));
    assert_eq!(nextest_status("        PASS [   0.004s] a b::c"), Some(("PASS", "a b::c")));
    assert_eq!(nextest_status("    Starting 5 tests across 1 binary"), None);
    assert_eq!(nextest_status("    A [matrix] of numbers"), None);
    assert_eq!(nextest_status("    array [1, 2, 3]"), None);
}

#[test]
fn nextest_summary_lines() {
    let line =
        "     Summary [   0.1s] 9/12 tests run: 4 passed, 1 failed, 2 timed out, 2 exec failed, 3 skipped";
    assert_eq!(nextest_summary(line), Some(counts(4, 5, 3)));
    assert_eq!(
        nextest_summary("     Summary [   0.1s] 1 test run: 1 passed, 0 skipped"),
        Some(counts(1, 0, 0))
    );
    assert_eq!(nextest_summary("Summary of nothing"), None);
}

const LIBTEST: &str = "running 4 tests
test tests::ign ... ignored
test tests::skips ... ok
test tests::talks ... ok
test tests::bad ... FAILED

successes:

---- tests::skips stdout ----
SKIPPED: no GPU

---- tests::talks stdout ----
hello

successes:
    tests::skips
    tests::talks

failures:

---- tests::bad stdout ----
SKIPPED: but failed

failures:
    tests::bad

test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.08s

running 1 test
test src/lib.rs - f (line 2) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
";

#[test]
fn libtest_sums_programs_and_counts_a_marked_passing_test_as_skipped() {
    let mut reader = Libtest::default();
    let shown = feed(&mut reader, LIBTEST);
    assert_eq!(reader.tally(), Some(counts(2, 1, 2)));
    assert!(shown.iter().any(|line| line == "SKIPPED: but failed"));
    assert!(!shown.iter().any(|line| line == "hello"));
}

#[test]
fn libtest_summary_lines() {
    let line =
        "test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 7 filtered out; finished in 1.00s";
    assert_eq!(libtest_summary(line), Some(counts(3, 0, 2)));
    assert_eq!(libtest_summary("test tests::result ... ok"), None);
}

#[test]
fn the_last_line_has_its_exact_form() {
    assert_eq!(counts(12, 0, 3).to_string(), "muslin: 12 passed, 0 failed, 3 skipped");
}
