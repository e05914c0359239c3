//! Numbers that may change with time: a number, or keyframes.

use muslin::cloth::{Curve, CurveKey};

use crate::scene::schema::table::Table;
use crate::scene::schema::{Interval, Key, Kind, Need, Schema, key};
use crate::scene::text::diagnostic::Report;

/// The most keyframes of one curve.
const MOST_KEYFRAMES: usize = 100_000;

const TIME: Interval = Interval { least: 0.0, most: 1e9, words: "0 or above" };

const KEYS: &[Key] = &[
    key("time", "s", Kind::Number(TIME), Need::Required, "Since the start; later than the keyframe before."),
    key("value", "", Kind::NOT_NEGATIVE, Need::Required, "In the unit of the key."),
];
const SCHEMA: Schema = Schema::new(
    "curve",
    "The value of a number at a time, as in `pressure = [{ time = 0, value = 1 }, { time = 2, value = 1.5 }]`: it \
     changes evenly from keyframe to keyframe, and stays before the first and after the last.",
    KEYS,
);

/// A number of at least 0, or a list of keyframes.
pub(in crate::scene) const CURVE: Kind = Kind::Either(&[
    Kind::NOT_NEGATIVE,
    Kind::List { of: &Kind::Table(&SCHEMA), least: 1, most: MOST_KEYFRAMES },
]);

/// The curve under a key, if it is given.
pub(in crate::scene) fn read(table: &Table<'_>, name: &str, report: &mut Report<'_>) -> Option<Curve> {
    if let Some(value) = table.real(name) {
        return Some(Curve::Constant(value));
    }
    let mut keys: Vec<CurveKey> = Vec::new();
    for frame in table.tables(name) {
        let (time, value) = (frame.number("time")?, frame.real("value")?);
        if let Some(last) = keys.last()
            && time <= last.time
        {
            let message = format!("a keyframe at {time} s comes after one at {} s", last.time);
            report.error_with_hint(&frame.span_of("time"), message, "times must increase");
            return None;
        }
        keys.push(CurveKey { time, value });
    }
    (!keys.is_empty()).then_some(Curve::Keyframes(keys))
}
