//! Holds a parsed document against the schemas: unknown keys, missing keys, types and ranges.

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::{Interval, Key, Kind, Need, Schema};
use crate::scene::text::diagnostic::Report;
use crate::scene::text::hint::{listed, nearest};
use crate::scene::text::source::{Span, quoted};

/// The longest name of a scene or a cloth, in characters …
const LONGEST_NAME: usize = 64;

/// … and in bytes. File systems take file names of 255: enough for that of a scene, that of a cloth in plain letters, the
/// number of a frame, and what a file is called while it is written.
pub(in crate::scene) const MOST_NAME_BYTES: usize = 128;

/// Reports everything in a table that its schema does not allow.
pub(in crate::scene) fn check_table(
    table: &DeTable<'_>,
    span: &Span,
    schema: &'static Schema,
    report: &mut Report<'_>,
) {
    for (name, value) in table {
        match schema.key(name.get_ref()) {
            Some(key) => check_value(key.name, value, &key.kind, report),
            None => unknown_key(name, schema, report),
        }
    }
    let missing = |key: &&Key| matches!(key.need, Need::Required) && !table.contains_key(key.name);
    for key in schema.keys.iter().filter(missing) {
        let hint = match key.kind {
            Kind::List { of: Kind::Table(_), .. } => format!("add [[{}]]", key.name),
            _ => format!("add {} = … ({})", key.name, key.kind.words()),
        };
        report.error_with_hint(span, format!("{} lacks the key \"{}\"", schema.title, key.name), hint);
    }
    for choice in schema.choices {
        let given = |name: &&&str| table.contains_key(**name);
        let mut given = choice.keys.iter().filter(given);
        match (given.next(), given.next()) {
            (None, _) if choice.required => {
                let hint = format!("add one of {}", listed(choice.keys));
                report.error_with_hint(span, format!("{} is not complete", schema.title), hint);
            }
            (Some(first), Some(second)) => {
                let place = table.get(*second).map_or(span.clone(), Spanned::span);
                let message = format!("\"{second}\" cannot be given together with \"{first}\"");
                report.error_with_hint(&place, message, format!("give one of {}", listed(choice.keys)));
            }
            _ => {}
        }
    }
}

fn unknown_key(name: &Spanned<toml::de::DeString<'_>>, schema: &Schema, report: &mut Report<'_>) {
    let known: Vec<&str> = schema.keys.iter().map(|key| key.name).collect();
    let hint = match nearest(name.get_ref(), known.iter().copied()) {
        Some(word) => format!("did you mean \"{word}\"?"),
        None => format!("known keys are {}", known.join(", ")),
    };
    let message = format!("unknown key {} in {}", quoted(name.get_ref()), schema.title);
    report.error_with_hint(&name.span(), message, hint);
}

fn check_value(name: &str, value: &Spanned<DeValue<'_>>, kind: &'static Kind, report: &mut Report<'_>) {
    let span = value.span();
    match (kind, value.get_ref()) {
        (Kind::Text, DeValue::String(text)) => check_text(name, text, &span, report),
        (Kind::Name, DeValue::String(text)) => check_name(name, text, &span, report),
        (Kind::Flag, DeValue::Boolean(_)) => {}
        (Kind::Number(interval), DeValue::Integer(_) | DeValue::Float(_)) => {
            check_number(name, value, *interval, report);
        }
        (Kind::Integer(least, most), DeValue::Integer(_)) => {
            check_integer(name, value, [*least, *most], report);
        }
        (Kind::Word(words), DeValue::String(text)) => check_word(name, text, words, &span, report),
        (Kind::Vector(interval), DeValue::Array(list)) => {
            if list.len() != 3 {
                let message = format!("{name} needs three numbers, here are {}", list.len());
                report.error_with_hint(&span, message, "write it as [x, y, z]");
            }
            list.iter().for_each(|element| check_component(name, element, *interval, report));
        }
        (Kind::List { of, least, most }, DeValue::Array(list)) => {
            check_list(name, list, &span, of, [*least, *most], report);
        }
        (Kind::Table(schema), DeValue::Table(table)) => check_table(table, &span, schema, report),
        (Kind::Either(kinds), found) => match kinds.iter().find(|kind| has_type(kind, found)) {
            Some(kind) => check_value(name, value, kind, report),
            None => wrong_type(name, value, kind, report),
        },
        _ => wrong_type(name, value, kind, report),
    }
}

/// Whether a value is of the TOML type that a kind wants.
fn has_type(kind: &Kind, value: &DeValue<'_>) -> bool {
    match kind {
        Kind::Text | Kind::Name | Kind::Word(_) => value.is_str(),
        Kind::Flag => value.is_bool(),
        Kind::Number(_) => value.is_integer() || value.is_float(),
        Kind::Integer(..) => value.is_integer(),
        Kind::Vector(_) | Kind::List { .. } => value.is_array(),
        Kind::Table(_) => value.is_table(),
        Kind::Either(kinds) => kinds.iter().any(|kind| has_type(kind, value)),
    }
}

fn wrong_type(name: &str, value: &Spanned<DeValue<'_>>, kind: &Kind, report: &mut Report<'_>) {
    let found = match value.get_ref() {
        DeValue::String(text) => format!("the text {}", quoted(text)),
        DeValue::Integer(number) => format!("the whole number {}", cut(number.as_str())),
        DeValue::Float(number) => format!("the number {}", cut(number.as_str())),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    };
    let hint = match (kind, value.get_ref()) {
        (Kind::Number(_) | Kind::Integer(..), DeValue::String(text))
            if text.trim().parse::<f64>().is_ok() =>
        {
            Some(format!("remove the quotes: {name} = {}", cut(text.trim())))
        }
        (Kind::List { of: Kind::Table(_), .. }, DeValue::Table(_)) => {
            Some(format!("write [[{name}]] with two brackets: there can be several"))
        }
        (Kind::Flag, DeValue::String(text)) if matches!(&**text, "true" | "false") => {
            Some(format!("remove the quotes: {name} = {text}"))
        }
        _ => None,
    };
    report.push(&value.span(), format!("{name} must be {}, not {found}", kind.words()), hint);
}

fn cut(number: &str) -> String {
    if number.chars().count() > 24 {
        number.chars().take(24).collect::<String>() + "…"
    } else {
        number.into()
    }
}

fn check_text(name: &str, text: &str, span: &Span, report: &mut Report<'_>) {
    if text.is_empty() || text.contains('\0') {
        report.error(span, format!("{name} is {}", if text.is_empty() { "empty" } else { "not text" }));
    }
}

/// Names become parts of file names, so they must not lead anywhere else.
fn check_name(name: &str, text: &str, span: &Span, report: &mut Report<'_>) {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    let starts_well = text.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let too_long = text.chars().count() > LONGEST_NAME || text.len() > MOST_NAME_BYTES;
    if !starts_well || !text.chars().all(allowed) || too_long {
        let hint = format!(
            "use at most {LONGEST_NAME} letters, digits, spaces, '_', '-' and '.' (together at most {MOST_NAME_BYTES} \
             bytes), a letter or digit first"
        );
        report.error_with_hint(span, format!("{} cannot be a {name}: it names files", quoted(text)), hint);
    }
}

fn check_component(name: &str, value: &Spanned<DeValue<'_>>, interval: Interval, report: &mut Report<'_>) {
    if number(value.get_ref()).is_some() {
        check_number(name, value, interval, report);
    } else {
        wrong_type(&format!("each component of {name}"), value, &Kind::Number(interval), report);
    }
}

fn check_number(name: &str, value: &Spanned<DeValue<'_>>, interval: Interval, report: &mut Report<'_>) {
    let number = number(value.get_ref()).unwrap_or(f64::NAN);
    if number > interval.most {
        let message = format!("{name} is {number}, but must be at most {:e}", interval.most);
        report.error(&value.span(), message);
    } else if !(interval.least..=interval.most).contains(&number) {
        let message = format!("{name} is {number}, but must be {}", interval.words);
        report.error(&value.span(), message);
    }
}

fn check_integer(name: &str, value: &Spanned<DeValue<'_>>, [least, most]: [i64; 2], report: &mut Report<'_>) {
    match integer(value.get_ref()) {
        Some(number) if (least..=most).contains(&number) => {}
        Some(number) if number > most => {
            report.error(&value.span(), format!("{name} is {number}; the limit is {most}"));
        }
        Some(number) => {
            report.error(&value.span(), format!("{name} is {number}, but must be at least {least}"))
        }
        None => report.error(&value.span(), format!("{name} is too large a number; the limit is {most}")),
    }
}

fn check_word(name: &str, text: &str, words: &[&str], span: &Span, report: &mut Report<'_>) {
    if words.contains(&text) {
        return;
    }
    let all = format!("allowed are {}", listed(words));
    let hint = match nearest(text, words.iter().copied()) {
        Some(word) => format!("did you mean \"{word}\"? {all}"),
        None => all,
    };
    report.error_with_hint(span, format!("unknown {name} {}", quoted(text)), hint);
}

fn check_list(
    name: &str,
    list: &DeArray<'_>,
    span: &Span,
    of: &'static Kind,
    [least, most]: [usize; 2],
    report: &mut Report<'_>,
) {
    if list.len() > most {
        report.error(span, format!("{name} has {} entries; the limit is {most}", list.len()));
    } else if list.len() < least {
        report.error(span, format!("{name} has {} entries; it needs at least {least}", list.len()));
    } else {
        list.iter().for_each(|element| check_value(name, element, of, report));
    }
}

/// A number of either type; out of range it becomes infinite, and is then refused.
pub(in crate::scene) fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(_) => Some(integer(value).map_or(f64::INFINITY, |number| number as f64)),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

/// A whole number that fits into 64 bits.
pub(in crate::scene) fn integer(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}
