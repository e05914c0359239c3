//! Reads values from a table that was checked against its schema.
//!
//! The check has already reported everything that is not as it should be, so here a value is
//! either there and right, or `None`.

use glam::{DVec3, Vec3};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Schema;
use super::check::{integer, number};
use crate::scene::text::source::Span;

/// A table of the document, with its schema.
#[derive(Clone)]
pub(in crate::scene) struct Table<'a> {
    table: &'a DeTable<'a>,
    schema: &'static Schema,
    /// Where it stands.
    pub span: Span,
}

impl<'a> Table<'a> {
    pub fn new(table: &'a DeTable<'a>, span: Span, schema: &'static Schema) -> Self {
        Self { table, schema, span }
    }

    fn get(&self, name: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        debug_assert!(
            self.schema.key(name).is_some(),
            "{name} is not in the schema of {}",
            self.schema.title
        );
        self.table.get(name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Where a value stands, or the table if it is not given.
    pub fn span_of(&self, name: &str) -> Span {
        self.get(name).map_or(self.span.clone(), Spanned::span)
    }

    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.get(name)?.get_ref().as_str()
    }

    pub fn flag(&self, name: &str) -> Option<bool> {
        self.get(name)?.get_ref().as_bool()
    }

    pub fn number(&self, name: &str) -> Option<f64> {
        number(self.get(name)?.get_ref())
    }

    /// A number in single precision.
    pub fn real(&self, name: &str) -> Option<f32> {
        self.number(name).map(|number| number as f32)
    }

    /// A whole number of the type wanted.
    pub fn count<T: TryFrom<i64>>(&self, name: &str) -> Option<T> {
        integer(self.get(name)?.get_ref()).and_then(|number| T::try_from(number).ok())
    }

    pub fn vector(&self, name: &str) -> Option<Vec3> {
        self.vector_f64(name).map(|vector| vector.as_vec3())
    }

    pub fn vector_f64(&self, name: &str) -> Option<DVec3> {
        let list = self.get(name)?.get_ref().as_array()?;
        let component = |i: usize| list.get(i).and_then(|value| number(value.get_ref()));
        Some(DVec3::new(component(0)?, component(1)?, component(2)?))
    }

    /// A list of whole numbers.
    pub fn counts<T: TryFrom<i64>>(&self, name: &str) -> Option<Vec<T>> {
        let list = self.get(name)?.get_ref().as_array()?;
        let element =
            |value: &Spanned<DeValue<'_>>| integer(value.get_ref()).and_then(|n| T::try_from(n).ok());
        list.iter().map(element).collect()
    }

    /// A list of texts.
    pub fn texts(&self, name: &str) -> Option<Vec<&'a str>> {
        let list = self.get(name)?.get_ref().as_array()?;
        list.iter().map(|value| value.get_ref().as_str()).collect()
    }

    /// Where an element of a list stands.
    pub fn span_of_element(&self, name: &str, index: usize) -> Span {
        let element = self.get(name).and_then(|value| value.get_ref().get(index));
        element.map_or_else(|| self.span_of(name), Spanned::span)
    }

    /// A table within this one.
    pub fn table(&self, name: &str) -> Option<Table<'a>> {
        let value = self.get(name)?;
        self.nested(name, value)
    }

    /// A list of tables within this one; empty if it is not given.
    pub fn tables(&self, name: &str) -> Vec<Table<'a>> {
        let list = self.get(name).and_then(|value| value.get_ref().as_array());
        list.into_iter().flatten().filter_map(|value| self.nested(name, value)).collect()
    }

    fn nested(&self, name: &str, value: &'a Spanned<DeValue<'a>>) -> Option<Table<'a>> {
        let schemas = self.schema.key(name).map(|key| key.kind.schemas()).unwrap_or_default();
        let schema = schemas.first()?;
        Some(Self::new(value.get_ref().as_table()?, value.span(), schema))
    }
}

/// What the word given for a key stands for. The words of its schema are [`words`] of the same list.
pub(in crate::scene) fn chosen<T: Copy>(table: &Table<'_>, name: &str, choices: &[(&str, T)]) -> Option<T> {
    let word = table.text(name)?;
    choices.iter().find(|(known, _)| *known == word).map(|(_, choice)| *choice)
}

/// The words of a list of choices.
pub(in crate::scene) const fn words<T, const N: usize>(
    choices: &[(&'static str, T); N],
) -> [&'static str; N] {
    let mut words = [""; N];
    let mut i = 0;
    while i < N {
        words[i] = choices[i].0;
        i += 1;
    }
    words
}
