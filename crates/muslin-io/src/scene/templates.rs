//! Scenes to start from, written out by `muslin new`.

/// The templates by name, with a short description.
pub const TEMPLATES: [(&str, &str); 7] = [
    ("hanging", "a square of cotton that swings from two corners"),
    ("flag", "a silk flag on a pole, in gusts of wind"),
    ("drape", "a cloth that falls over a ball and drapes around it"),
    ("table", "a round tablecloth that falls onto a table"),
    ("garment", "a circle skirt on a body that turns"),
    ("bodies", "balls and boxes that fall into a cloth held at its corners"),
    ("multilevel", "a coarse mesh that collides with a fine grid that folds, over a ball"),
];

/// The text of a template; `None` if there is none of that name.
pub fn template(name: &str) -> Option<&'static str> {
    Some(match name {
        "hanging" => include_str!("templates/hanging.toml"),
        "flag" => include_str!("templates/flag.toml"),
        "drape" => include_str!("templates/drape.toml"),
        "table" => include_str!("templates/table.toml"),
        "garment" => include_str!("templates/garment.toml"),
        "bodies" => include_str!("templates/bodies.toml"),
        "multilevel" => include_str!("templates/multilevel.toml"),
        _ => return None,
    })
}
