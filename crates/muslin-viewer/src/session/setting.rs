//! Settings, described so that a panel can be made of them without knowing any.

/// What belongs together in a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingGroup {
    /// A heading.
    pub title: String,
    /// One sentence.
    pub about: String,
    /// What it has.
    pub settings: Vec<Setting>,
}

/// Something that can be changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Names it in [`Command::Set`](super::Command::Set): the path in the scene's text.
    pub key: String,
    /// A short label.
    pub name: String,
    /// The unit, or nothing.
    pub unit: &'static str,
    /// One sentence of help.
    pub help: String,
    /// What it can be.
    pub kind: SettingKind,
    /// What it is; `None` where the scene says nothing of it and that stands for something that is no value.
    pub value: Option<SettingValue>,
    /// Whether the scene's text says so; else it is what holds without.
    pub is_given: bool,
    /// Whether it is another than in the file.
    pub is_changed: bool,
    /// Whether the world is built anew for it, which takes a moment.
    pub rebuilds: bool,
}

/// What a setting can be.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingKind {
    /// A number between two limits. `soft` are those of a slider; beyond them it can be typed.
    Number {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
        /// The ends of a slider.
        soft: [f64; 2],
        /// Whether a slider is better logarithmic.
        is_logarithmic: bool,
    },
    /// A whole number between two limits.
    Integer {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
        /// The ends of a slider.
        soft: [i64; 2],
    },
    /// Yes or no.
    Flag,
    /// One of these.
    Word(Vec<&'static str>),
    /// Three numbers between two limits.
    Vector {
        /// The least of each.
        least: f64,
        /// The most of each.
        most: f64,
        /// The ends of sliders.
        soft: [f64; 2],
    },
}

/// What a setting is.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// A number.
    Number(f64),
    /// A whole number.
    Integer(i64),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Word(String),
    /// Three numbers.
    Vector([f64; 3]),
}
