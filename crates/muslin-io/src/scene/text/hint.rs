//! "Did you mean …?": the nearest of the words that would have been right.

/// Words longer than this are not compared: nobody mistypes a known word that badly.
const LONGEST: usize = 64;

/// The known word nearest to what was written, if it is near enough to be a slip.
pub(in crate::scene) fn nearest<'a>(
    written: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let lower = written.to_lowercase();
    if lower.chars().count() > LONGEST {
        return None;
    }
    let close = |word: &'a str| {
        // Letters to insert, drop, replace or swap with their neighbour until the words are equal.
        let distance = strsim::osa_distance(&lower, &word.to_lowercase());
        (distance <= (word.chars().count() / 3).max(1)).then_some((distance, word))
    };
    known.into_iter().filter_map(close).min_by_key(|(distance, _)| *distance).map(|(_, word)| word)
}

/// Words in quotes, with commas and "or".
pub(in crate::scene) fn listed(words: &[&str]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [only] => format!("\"{only}\""),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|word| format!("\"{word}\"")).collect();
            format!("{} or \"{last}\"", first.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["substeps", "frames", "fps"];
        assert_eq!(nearest("substep", known), Some("substeps"));
        assert_eq!(nearest("sbusteps", known), Some("substeps"));
        assert_eq!(nearest("FRAMES", known), Some("frames"));
        assert_eq!(nearest("fp", known), Some("fps"));
        assert_eq!(nearest("gravity", known), None);
        assert_eq!(nearest(&"f".repeat(1000), known), None);
    }

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(listed(&["a"]), "\"a\"");
        assert_eq!(listed(&["a", "b", "c"]), "\"a\", \"b\" or \"c\"");
    }
}
