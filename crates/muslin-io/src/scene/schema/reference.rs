//! The schemas as Markdown tables, for `docs/scenes.md`.

use super::{Interval, Kind, Need, Schema};

/// A table for a schema and for every schema within it, each once.
pub(in crate::scene) fn markdown(root: &'static Schema) -> String {
    let mut text = String::new();
    let mut waiting = vec![root];
    let mut seen: Vec<&str> = Vec::new();
    while let Some(schema) = waiting.pop() {
        if seen.contains(&schema.title) {
            continue;
        }
        seen.push(schema.title);
        text += &section(schema);
        let inner: Vec<_> = schema.keys.iter().flat_map(|key| key.kind.schemas()).collect();
        waiting.extend(inner.into_iter().rev());
    }
    text
}

fn section(schema: &Schema) -> String {
    let mut text = format!("### `{}`\n\n{}\n", schema.title, schema.about);
    for choice in schema.choices {
        let keys: Vec<String> = choice.keys.iter().map(|name| format!("`{name}`")).collect();
        let how_many = if choice.required { "Exactly one" } else { "At most one" };
        text += &format!("{how_many} of {} is given.\n", keys.join(", "));
    }
    text += "\n| key | value | unit | default | |\n| --- | --- | --- | --- | --- |\n";
    for key in schema.keys {
        let default = match key.need {
            Need::Required => "required".to_owned(),
            Need::Default(value) => format!("`{value}`"),
            Need::Otherwise(words) => words.to_owned(),
        };
        text += &format!(
            "| `{}` | {} | {} | {default} | {} |\n",
            key.name,
            words(&key.kind),
            key.unit,
            key.about
        );
    }
    text + "\n"
}

fn words(kind: &Kind) -> String {
    match kind {
        Kind::Text => "text".into(),
        Kind::Name => "name".into(),
        Kind::Flag => "`true`, `false`".into(),
        Kind::Number(interval) => format!("number{}", range(interval)),
        Kind::Integer(least, most) if *most >= i64::from(u32::MAX) => format!("whole number ≥ {least}"),
        Kind::Integer(least, most) => format!("whole number {least} … {most}"),
        Kind::Word(words) => words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", "),
        Kind::Vector(interval) => format!("`[x, y, z]`{}", range(interval)),
        Kind::List { of: Kind::Table(schema), .. } => format!("list of tables, see `{}`", schema.title),
        Kind::List { of, least, most } if least == most => format!("list of {least}: {}", words(of)),
        Kind::List { of, .. } => format!("list of: {}", words(of)),
        Kind::Table(schema) => format!("table, see `{}`", schema.title),
        Kind::Either(kinds) => kinds.iter().map(words).collect::<Vec<_>>().join("; or "),
    }
}

fn range(interval: &Interval) -> String {
    match interval {
        Interval { least, .. } if *least <= Interval::ANY.least => String::new(),
        Interval { words, .. } => format!(" {words}"),
    }
}
