//! The schema of scene files: which tables and keys there are, of which kind, unit and default.
//!
//! Each section of a scene states its [`Schema`] beside the code that reads it. From the schemas come
//! the checks ([`check`]), the JSON Schema ([`json`]) and the reference in `docs/scenes.md`
//! ([`reference`]), so that the three cannot disagree. [`table`] reads what the checks let through.

pub(super) mod check;
pub(super) mod facts;
pub(super) mod json;
pub(super) mod reference;
pub(super) mod table;

/// A table: its keys, and which of them exclude each other.
#[derive(Debug)]
pub(super) struct Schema {
    /// As written in a scene: `[time]`, `[[cloth]]`, `mesh.grid`.
    pub title: &'static str,
    /// What the table is for.
    pub about: &'static str,
    /// The keys in the order of the documentation.
    pub keys: &'static [Key],
    /// Groups of keys of which only one may be given.
    pub choices: &'static [Choice],
}

/// Keys of which only one may be given.
#[derive(Debug)]
pub(super) struct Choice {
    pub keys: &'static [&'static str],
    /// Whether one of them must be given.
    pub required: bool,
}

/// A key of a table.
#[derive(Debug)]
pub(super) struct Key {
    pub name: &'static str,
    /// The unit, or nothing.
    pub unit: &'static str,
    pub kind: Kind,
    pub need: Need,
    pub about: &'static str,
}

/// Whether a key must be given, and what holds if it is not.
#[derive(Debug)]
pub(super) enum Need {
    Required,
    /// The value in TOML that says the same as leaving the key away.
    Default(&'static str),
    /// In words.
    Otherwise(&'static str),
}

/// What a value must be.
#[derive(Debug)]
pub(super) enum Kind {
    /// Any text.
    Text,
    /// Text that can be part of a file's name.
    Name,
    Flag,
    Number(Interval),
    /// A whole number within limits, both included.
    Integer(i64, i64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Three numbers.
    Vector(Interval),
    List {
        of: &'static Kind,
        least: usize,
        most: usize,
    },
    Table(&'static Schema),
    /// The first that has the value's type.
    Either(&'static [Kind]),
}

/// Numbers between two limits, both included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub least: f64,
    pub most: f64,
    /// For messages: "it must be …".
    pub words: &'static str,
}

impl Interval {
    /// Numbers that single precision handles well even when squared.
    pub const ANY: Self = Self { least: -1e9, most: 1e9, words: "between -1e9 and 1e9" };
    /// The least is what single precision can still square.
    pub const POSITIVE: Self = Self { least: 1e-18, most: 1e9, words: "above 0" };
    pub const NOT_NEGATIVE: Self = Self { least: 0.0, most: 1e9, words: "0 or above" };
    pub const FRACTION: Self = Self { least: 0.0, most: 1.0, words: "between 0 and 1" };
    /// What the mesh generators accept, m.
    pub const LENGTH: Self = Self { least: 1e-9, most: 1e9, words: "above 0 (at least 1e-9)" };
}

/// A key, in one line.
pub(super) const fn key(
    name: &'static str,
    unit: &'static str,
    kind: Kind,
    need: Need,
    about: &'static str,
) -> Key {
    Key { name, unit, kind, need, about }
}

impl Schema {
    /// A table without keys that exclude each other.
    pub const fn new(title: &'static str, about: &'static str, keys: &'static [Key]) -> Self {
        Self { title, about, keys, choices: &[] }
    }

    /// Says which keys exclude each other.
    pub const fn choosing(mut self, choices: &'static [Choice]) -> Self {
        self.choices = choices;
        self
    }

    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl Kind {
    pub const COUNT: Self = Self::Integer(0, u32::MAX as i64);
    pub const FRACTION: Self = Self::Number(Interval::FRACTION);
    pub const LENGTH: Self = Self::Number(Interval::LENGTH);
    pub const NOT_NEGATIVE: Self = Self::Number(Interval::NOT_NEGATIVE);
    pub const POSITIVE: Self = Self::Number(Interval::POSITIVE);
    /// A place, a direction or a velocity.
    pub const VECTOR: Self = Self::Vector(Interval::ANY);

    /// What is expected, in words.
    pub fn words(&self) -> String {
        match self {
            Self::Text | Self::Name => "text in quotes".into(),
            Self::Flag => "true or false".into(),
            Self::Number(_) => "a number".into(),
            Self::Integer(..) => "a whole number".into(),
            Self::Word(words) => super::text::hint::listed(words),
            Self::Vector(_) => "three numbers like [0.0, 1.0, 0.0]".into(),
            Self::List { of: Kind::Table(_), .. } => "a list of tables".into(),
            Self::List { of, .. } => format!("a list, each {}", of.words()),
            Self::Table(_) => "a table".into(),
            Self::Either(kinds) => kinds.iter().map(Kind::words).collect::<Vec<_>>().join(", or "),
        }
    }

    /// The tables within.
    pub fn schemas(&self) -> Vec<&'static Schema> {
        match self {
            Self::Table(schema) => vec![schema],
            Self::List { of, .. } => of.schemas(),
            Self::Either(kinds) => kinds.iter().flat_map(Kind::schemas).collect(),
            _ => Vec::new(),
        }
    }
}
