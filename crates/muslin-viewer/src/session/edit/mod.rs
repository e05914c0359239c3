//! Settings of a scene, from its text and the schema of scene files; and texts in which one of them is another.
//!
//! What there is to know of a key (unit, limits, help) the schema says; `rows` says which keys are shown, and how far their sliders
//! go. A key is the path in the text: `cloth.0.material.bending`.

mod present;
mod rows;
mod text;

use muslin_io::scene::{CameraDescription, KeyKind, key_facts};
use toml_edit::{DocumentMut, Value};

use super::open::OpenedScene;
use super::{Setting, SettingGroup, SettingKind, SettingValue};
use rows::Row;

/// All settings of a scene that a panel shows.
pub fn settings(scene: &OpenedScene) -> Vec<SettingGroup> {
    // What is open could be read, so this can be too.
    let Ok(document) = scene.text.parse::<DocumentMut>() else { return Vec::new() };
    let original = scene.original.parse::<DocumentMut>().unwrap_or_default();
    let groups = rows::groups(&scene.scene).into_iter().map(|group| SettingGroup {
        title: group.title,
        about: group.about,
        settings: group
            .rows
            .iter()
            .filter_map(|row| setting(row, &group.path, scene, [&document, &original]))
            .collect(),
    });
    groups.filter(|group| !group.settings.is_empty()).collect()
}

fn setting(
    row: &Row,
    path: &str,
    scene: &OpenedScene,
    [document, original]: [&DocumentMut; 2],
) -> Option<Setting> {
    let key = format!("{path}{}", row.key);
    let steps: Vec<&str> = key.split('.').collect();
    let facts = key_facts(&steps)?;
    let given = text::get(document, &steps);
    let default = || facts.default.and_then(|text| text.parse::<Value>().ok());
    let value = given
        .and_then(|value| to_setting(value, &facts.kind))
        .or_else(|| present::value(&scene.scene, &steps))
        .or_else(|| to_setting(&default()?, &facts.kind));
    let plain = |document| text::get(document, &steps).map(|value| value.to_string().trim().to_owned());
    Some(Setting {
        name: row.name.map_or_else(|| label(facts.name), str::to_owned),
        unit: facts.unit,
        help: facts.about.replace('`', ""),
        kind: kind(&facts.kind, row)?,
        is_given: given.is_some(),
        is_changed: plain(document) != plain(original),
        rebuilds: row.rebuilds,
        value,
        key,
    })
}

/// A key as a label: "gust size".
fn label(name: &str) -> String {
    let text = name.replace('_', " ");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn kind(kind: &KeyKind, row: &Row) -> Option<SettingKind> {
    let within = |least: f64, most: f64| {
        let [low, high] = row.soft.unwrap_or([least.max(-1e3), most.min(1e3)]);
        [low.clamp(least, most), high.clamp(least, most)]
    };
    Some(match *kind {
        KeyKind::Number { least, most } => {
            let soft = within(least, most);
            SettingKind::Number { least, most, soft, is_logarithmic: row.is_logarithmic && soft[0] > 0.0 }
        }
        KeyKind::Integer { least, most } => {
            let soft = within(least as f64, most as f64).map(|end| end as i64);
            SettingKind::Integer { least, most, soft }
        }
        KeyKind::Flag => SettingKind::Flag,
        KeyKind::Word(words) => SettingKind::Word(words.to_vec()),
        KeyKind::Vector { least, most } => SettingKind::Vector { least, most, soft: within(least, most) },
        KeyKind::Other => return None,
    })
}

/// A value of a text; `None` if it is something that no panel shows: keyframes, say.
fn to_setting(value: &Value, kind: &KeyKind) -> Option<SettingValue> {
    let number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
    match kind {
        KeyKind::Number { .. } => number(value).map(SettingValue::Number),
        KeyKind::Integer { .. } => value.as_integer().map(SettingValue::Integer),
        KeyKind::Flag => value.as_bool().map(SettingValue::Flag),
        KeyKind::Word(_) => value.as_str().map(|word| SettingValue::Word(word.to_owned())),
        KeyKind::Vector { .. } => {
            let list: Vec<f64> = value.as_array()?.iter().filter_map(number).collect();
            list.try_into().ok().map(SettingValue::Vector)
        }
        KeyKind::Other => None,
    }
}

/// The text with a setting at another value, or (`None`) without it. Comments and order stay. The error is for users.
pub fn set(scene: &OpenedScene, key: &str, value: Option<&SettingValue>) -> Result<String, String> {
    let steps: Vec<&str> = key.split('.').collect();
    let facts = key_facts(&steps).ok_or_else(|| format!("there is no setting {key:?}"))?;
    let mut document: DocumentMut = scene.text.parse().map_err(|error| format!("{error}"))?;
    match value {
        Some(value) => text::set(&mut document, &steps, to_text(value, &facts.kind, key)?)?,
        None => text::remove(&mut document, &steps),
    }
    if steps.last() == Some(&"method") && scene.with_text(&document.to_string()).is_err() {
        // Options of the method before are none of the new one's.
        let shared = ["method", "backend", "threads", "max_speed"];
        text::keep_only(&mut document, &steps[..steps.len() - 1], &shared);
    }
    Ok(document.to_string())
}

fn to_text(value: &SettingValue, kind: &KeyKind, key: &str) -> Result<Value, String> {
    let finite = |number: f64| match number.is_finite() {
        true => Ok(number),
        false => Err(format!("{key} cannot be {number}")),
    };
    Ok(match (value, kind) {
        (SettingValue::Number(number), KeyKind::Integer { .. }) => (finite(*number)?.round() as i64).into(),
        (SettingValue::Number(number), _) => finite(*number)?.into(),
        (SettingValue::Integer(number), KeyKind::Number { .. }) => (*number as f64).into(),
        (SettingValue::Integer(number), _) => (*number).into(),
        (SettingValue::Flag(flag), _) => (*flag).into(),
        (SettingValue::Word(word), _) => word.as_str().into(),
        (SettingValue::Vector(vector), _) => {
            let numbers = vector.iter().map(|&number| finite(number)).collect::<Result<Vec<f64>, _>>()?;
            Value::Array(numbers.into_iter().collect())
        }
    })
}

/// The text with a camera.
pub fn set_camera(text: &str, camera: &CameraDescription) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error| format!("{error}"))?;
    // A tenth of a millimetre is more than anybody sees.
    let rounded = |number: f64| (number * 1e4).round() / 1e4;
    let vector = |v: glam::DVec3| Value::Array(v.to_array().into_iter().map(rounded).collect());
    let forward = (camera.target - camera.eye).as_vec3().normalize_or_zero();
    let up = camera.up.normalize_or_zero();
    let is_steep = forward.cross(up).length() < 2e-3;
    let up = if is_steep { forward.any_orthonormal_vector() } else { up };
    text::set(&mut document, &["camera", "eye"], vector(camera.eye))?;
    text::set(&mut document, &["camera", "target"], vector(camera.target))?;
    text::set(&mut document, &["camera", "up"], vector(up.as_dvec3()))?;
    let fov = rounded(camera.fov_degrees.into()).clamp(1.0, 170.0);
    text::set(&mut document, &["camera", "fov_degrees"], fov.into())?;
    Ok(document.to_string())
}

#[cfg(test)]
mod tests;
