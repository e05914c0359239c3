//! The schemas of tables as a JSON Schema, for editors that complete and check TOML.

use serde_json::{Map, Value, json};
use toml::de::DeValue;

use super::check::{integer, number};
use super::{Choice, Key, Kind, Need, Schema};

/// The JSON Schema (draft 2020-12) of a table and all within it.
pub(in crate::scene) fn schema(table: &Schema) -> Value {
    let mut properties = Map::new();
    for key in table.keys {
        properties.insert(key.name.to_owned(), property(key));
    }
    let required: Vec<&str> =
        table.keys.iter().filter(|key| matches!(key.need, Need::Required)).map(|key| key.name).collect();
    let mut schema = json!({
        "type": "object",
        "description": table.about,
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if !table.choices.is_empty() {
        schema["allOf"] = table.choices.iter().map(alternatives).collect();
    }
    schema
}

/// Exactly one of the keys, or at most one.
fn alternatives(choice: &Choice) -> Value {
    let mut cases: Vec<Value> = choice.keys.iter().map(|name| json!({ "required": [name] })).collect();
    if !choice.required {
        cases.push(json!({ "not": { "anyOf": cases.clone() } }));
    }
    json!({ "oneOf": cases })
}

fn property(key: &Key) -> Value {
    let mut schema = value(&key.kind);
    let mut about = key.about.to_owned();
    if !key.unit.is_empty() {
        about += &format!(" Unit: {}.", key.unit);
    }
    match key.need {
        Need::Required => {}
        Need::Default(text) => {
            if let Ok(default) = DeValue::parse(text) {
                schema["default"] = literal(default.get_ref());
            }
        }
        Need::Otherwise("") => {}
        Need::Otherwise(words) => about += &format!(" If absent: {words}."),
    }
    schema["description"] = json!(about);
    schema
}

/// What names must not contain, within a bracket of a regular expression: all of ASCII but letters,
/// digits, `_`, `.`, `-` and space. `\p{L}` would be exact, but Python has no such class and ECMAScript
/// only in some modes; so signs outside of ASCII are left to the program.
const PUNCTUATION: &str = r"\x00-\x1f!-,/:-@\[-\^`{-\x7f";

fn value(kind: &Kind) -> Value {
    match kind {
        Kind::Text => json!({ "type": "string", "minLength": 1 }),
        Kind::Name => json!({
            "type": "string",
            "pattern": format!("^[^{PUNCTUATION} .-][^{PUNCTUATION}]*$"),
            "maxLength": 64,
        }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Number(interval) => {
            json!({ "type": "number", "minimum": interval.least, "maximum": interval.most })
        }
        Kind::Integer(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Kind::Word(words) => json!({ "type": "string", "enum": words }),
        Kind::Vector(interval) => json!({
            "type": "array",
            "items": value(&Kind::Number(*interval)),
            "minItems": 3,
            "maxItems": 3,
        }),
        Kind::List { of, least, most } => {
            json!({ "type": "array", "items": value(of), "minItems": least, "maxItems": most })
        }
        Kind::Table(table) => schema(table),
        Kind::Either(kinds) => json!({ "anyOf": kinds.iter().map(value).collect::<Vec<_>>() }),
    }
}

/// A TOML value as JSON.
fn literal(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => json!(text),
        DeValue::Integer(_) => json!(integer(value)),
        DeValue::Float(_) => json!(number(value)),
        DeValue::Boolean(flag) => json!(flag),
        DeValue::Datetime(date) => json!(date.to_string()),
        DeValue::Array(list) => list.iter().map(|element| literal(element.get_ref())).collect(),
        DeValue::Table(table) => {
            let entries =
                table.iter().map(|(name, value)| (name.get_ref().to_string(), literal(value.get_ref())));
            Value::Object(entries.collect())
        }
    }
}
