//! One flat JSON object, without a library: the keys and values here need no escaping.

use std::fmt::Display;

/// An object that grows member by member.
#[derive(Default)]
pub struct JsonObject {
    members: Vec<String>,
}

impl JsonObject {
    /// Adds a string.
    pub fn text(self, key: &str, value: &str) -> Self {
        self.number(key, format!("\"{value}\""))
    }

    /// Adds a value that is written as it is.
    pub fn number(mut self, key: &str, value: impl Display) -> Self {
        self.members.push(format!("\"{key}\":{value}"));
        self
    }

    /// Adds a number to six decimals; `null` where there is none (JSON knows no infinities either).
    pub fn decimal(self, key: &str, value: Option<f64>) -> Self {
        match value.filter(|value| value.is_finite()) {
            Some(value) => self.number(key, format!("{value:.6}")),
            None => self.number(key, "null"),
        }
    }

    /// The text of the object.
    pub fn finish(self) -> String {
        format!("{{{}}}", self.members.join(","))
    }
}
