//! `docs/embedding.md` is made of the examples' code.

use std::fs;

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/embedding.md");
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

/// The part of an example between two lines `// [name]`, as far to the left as it goes.
fn part(example: &str, name: &str) -> String {
    let path = format!("{EXAMPLES}/{example}");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let marker = format!("// [{name}]");
    let lines: Vec<&str> = text.lines().collect();
    let found: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].trim() == marker).collect();
    let [from, to] = found[..] else { panic!("{path} has {} lines '{marker}', not 2", found.len()) };
    let part = &lines[from + 1..to];
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let left = part.iter().filter(|line| !line.is_empty()).map(indent).min().unwrap_or(0);
    part.iter().map(|line| format!("{}\n", line.get(left..).unwrap_or(""))).collect()
}

/// A block of the guide follows a line `<!-- example.rs [name] -->`. `MUSLIN_BLESS=1` writes what the examples say.
#[test]
fn the_guide_shows_what_the_examples_do() {
    let guide = fs::read_to_string(GUIDE).unwrap();
    let (mut written, mut blocks, mut lines) = (String::new(), 0, guide.lines());
    while let Some(line) = lines.next() {
        written += &format!("{line}\n");
        let Some(source) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix("] -->")) else {
            // Any other block of Rust would be of nobody's making.
            assert!(line != "```rust", "a block that names no example");
            continue;
        };
        let (example, name) = source.split_once(" [").expect("an example and the name of a part");
        assert_eq!(lines.next(), Some("```rust"), "after '{line}'");
        lines.by_ref().take_while(|line| *line != "```").for_each(drop);
        written += &format!("```rust\n{}```\n", part(example, name));
        blocks += 1;
    }
    if std::env::var_os("MUSLIN_BLESS").is_some() {
        fs::write(GUIDE, &written).unwrap();
        return;
    }
    assert!(
        written == guide,
        "docs/embedding.md is stale: MUSLIN_BLESS=1 cargo test -p muslin the_guide_shows"
    );
    assert!(blocks >= 8, "{blocks}");
}
