//! What there is to know of one key, for programs that let people change scenes: unit, limits, help.

use toml::de::DeValue;

use super::{Kind, Need, Schema};

/// What there is to know of a key of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyFacts {
    /// As it is written.
    pub name: &'static str,
    /// The unit, or nothing.
    pub unit: &'static str,
    /// A sentence of help.
    pub about: &'static str,
    /// What it can be.
    pub kind: KeyKind,
    /// What holds without it, as TOML; `None` if the scene lacks it then, or something else decides.
    pub default: Option<&'static str>,
}

/// What a key of a scene can be.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyKind {
    /// A number between two limits, both included.
    Number {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
    /// A whole number between two limits, both included.
    Integer {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
    },
    /// Yes or no.
    Flag,
    /// One of these.
    Word(&'static [&'static str]),
    /// Three numbers between two limits.
    Vector {
        /// The least of each.
        least: f64,
        /// The most of each.
        most: f64,
    },
    /// Something else: text, a list, a table.
    Other,
}

/// The facts of the key at a path of names; numbers in between, which choose one of a list, are passed over.
pub(in crate::scene) fn facts(root: &'static Schema, path: &[&str]) -> Option<KeyFacts> {
    let is_name = |name: &&&str| name.parse::<usize>().is_err();
    let names: Vec<&str> = path.iter().filter(is_name).copied().collect();
    let (last, tables) = names.split_last()?;
    let mut schema = root;
    for name in tables {
        // Of several tables that a key may be, the first that knows the next name would be right; no key here has two.
        schema = *schema.key(name)?.kind.schemas().first()?;
    }
    let key = schema.key(last)?;
    let default = match key.need {
        Need::Default(text) => Some(text),
        // Words, or a value between backquotes.
        Need::Otherwise(words) => {
            let text = words.trim_matches('`');
            DeValue::parse(text).is_ok().then_some(text)
        }
        Need::Required => None,
    };
    Some(KeyFacts { name: key.name, unit: key.unit, about: key.about, kind: kind(&key.kind), default })
}

fn kind(kind: &Kind) -> KeyKind {
    match kind {
        Kind::Number(interval) => KeyKind::Number { least: interval.least, most: interval.most },
        Kind::Integer(least, most) => KeyKind::Integer { least: *least, most: *most },
        Kind::Flag => KeyKind::Flag,
        Kind::Word(words) => KeyKind::Word(words),
        Kind::Vector(interval) => KeyKind::Vector { least: interval.least, most: interval.most },
        // A value or a curve over time: a value.
        Kind::Either(kinds) => kinds.iter().map(self::kind).next().unwrap_or(KeyKind::Other),
        _ => KeyKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::key_facts;

    #[test]
    fn keys_are_found_by_their_paths() {
        let substeps = key_facts(&["time", "substeps"]).unwrap();
        assert_eq!(substeps.kind, KeyKind::Integer { least: 1, most: 10_000 });
        assert_eq!((substeps.default, substeps.unit), (Some("3"), ""));
        let bending = key_facts(&["cloth", "0", "material", "bending"]).unwrap();
        assert_eq!((bending.unit, bending.default), ("N·m", None));
        assert_eq!(key_facts(&["solver", "regions"]).unwrap().default, Some("\"both\""));
        assert!(matches!(key_facts(&["cloth", "3", "fabric"]).unwrap().kind, KeyKind::Word(_)));
        assert_eq!(key_facts(&["cloth", "0", "colour"]), None);
        assert_eq!(key_facts(&[]), None);
    }
}
