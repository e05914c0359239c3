//! The reader against output captured from Rust 1.95.

use super::*;

/// A tally in short.
fn counts(passed: usize, failed: usize, skipped: usize) -> Tally {
    Tally { passed, failed, skipped }
}

/// Feeds all lines of `text` and returns the lines to print.
fn feed(reader: &mut Libtest, text: &str) -> Vec<String> {
    text.lines().filter(|line| reader.line(line)).map(str::to_owned).collect()
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
