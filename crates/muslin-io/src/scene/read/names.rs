//! Names of cloths, colliders and rigid bodies.

use std::collections::BTreeMap;

use crate::scene::schema::table::Table;
use crate::scene::text::diagnostic::Report;
use crate::scene::text::source::quoted;

/// The name of a body that has none, by its number counted from 0: `cloth`, `cloth2`, …
pub(in crate::scene) fn default_name(kind: &str, number: usize) -> String {
    if number == 0 { kind.to_owned() } else { format!("{kind}{}", number + 1) }
}

/// The name that a body's table gives, or [the one it has without](default_name).
pub(in crate::scene) fn read(table: &Table<'_>, kind: &str, number: usize) -> String {
    table.text("name").map_or_else(|| default_name(kind, number), str::to_owned)
}

/// Reports names that are used twice: their files would overwrite each other, and contacts could not
/// tell them apart. Each is `"cloth"`, `"collider"` or `"body"`, a name, and its table.
pub(in crate::scene) fn check<'a>(
    bodies: impl Iterator<Item = (&'static str, &'a str, &'a Table<'a>)>,
    report: &mut Report<'_>,
) {
    let mut used = BTreeMap::new();
    for (kind, name, table) in bodies {
        // Letters of either case are the same on some file systems.
        let Some(other) = used.insert(name.to_lowercase(), kind) else { continue };
        let message = match kind == other {
            true if kind == "body" => format!("two bodies are called {}", quoted(name)),
            true => format!("two {kind}s are called {}", quoted(name)),
            false => format!("a {other} and a {kind} are both called {}", quoted(name)),
        };
        let hint = "give them different names: they name files, and bodies in [[contact]]";
        report.error_with_hint(&table.span_of("name"), message, hint);
    }
}
