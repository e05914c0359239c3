//! Keyframes: how pins and colliders move as rigid bodies. [`transform`] is where something stands to begin with.

pub(super) mod transform;

use glam::{DQuat, DVec3};

use super::schema::table::Table;
use super::schema::{Choice, Interval, Key, Kind, Need, Schema, key};
use super::text::diagnostic::Report;
use transform::{ROTATE, Rotation};

/// The most keyframes of one motion.
const MOST_KEYFRAMES: usize = 100_000;

/// A turn is cut into pieces no larger than this, in radians: between keyframes pins move straight,
/// and the chord of two degrees leaves the circle by 0.015 % of the radius.
const LARGEST_PIECE: f64 = 2.0 * std::f64::consts::PI / 180.0;

const TIME: Interval = Interval { least: 0.0, most: 1e9, words: "0 or above" };

const FRAME_KEYS: &[Key] = &[
    key("time", "s", Kind::Number(TIME), Need::Required, "Since the start; later than the keyframe before."),
    key("translate", "m", Kind::VECTOR, Need::Default("[0.0, 0.0, 0.0]"), "Offset from the start."),
    key(
        "position",
        "m",
        Kind::VECTOR,
        Need::Otherwise("see `translate`"),
        "In place of an offset: where the middle of what moves is to be.",
    ),
    key("rotate", "°", ROTATE, Need::Default("[0.0, 0.0, 0.0]"), "Turn from the start about the pivot."),
];

const FRAME: Schema = Schema::new(
    "keyframes",
    "Where things are at a time. Before the first keyframe they rest where it puts them, after the last too; \
     between two they move evenly. Two turns about the same axis may be any number of full turns apart; \
     between different axes the shortest way is taken.",
    FRAME_KEYS,
)
.choosing(&[Choice { keys: &["translate", "position"], required: false }]);

pub(super) const KEYFRAMES: Kind = Kind::List { of: &Kind::Table(&FRAME), least: 1, most: MOST_KEYFRAMES };

/// The key `keyframes` of a table, for its schema.
pub(super) const KEYFRAMES_KEY: Key =
    key("keyframes", "", KEYFRAMES, Need::Otherwise("at rest"), "How it moves, as a rigid body.");

/// The key `pivot` of a table, for its schema.
pub(super) const PIVOT_KEY: Key = key(
    "pivot",
    "m",
    Kind::VECTOR,
    Need::Otherwise("the middle of what moves"),
    "The point about which keyframes turn.",
);

/// Where something moves to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Offset {
    /// By this much from the start, metres.
    Translate(DVec3),
    /// So that its middle is here, metres.
    Position(DVec3),
}

/// A pose at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionKey {
    /// Seconds since the start.
    pub time: f64,
    /// Where to.
    pub offset: Offset,
    /// From the start.
    pub rotation: Rotation,
}

/// The motion of a rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// With increasing times; never empty.
    pub keys: Vec<MotionKey>,
    /// The point about which it turns, metres; `None` is its middle.
    pub pivot: Option<DVec3>,
}

/// A pose of a motion whose middle is known: x ↦ pivot + R (x − pivot) + translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub time: f64,
    pivot: DVec3,
    rotation: DQuat,
    translation: DVec3,
}

impl Pose {
    /// Where a point is that starts at `start`.
    pub fn apply(&self, start: DVec3) -> DVec3 {
        self.pivot + self.rotation * (start - self.pivot) + self.translation
    }

    /// The same as x ↦ R x + t, in coordinates that begin at an origin.
    pub fn of_collider(&self, origin: DVec3) -> muslin::collision::Pose {
        let pivot = self.pivot - origin;
        muslin::collision::Pose {
            time: self.time,
            rotation: self.rotation,
            translation: pivot - self.rotation * pivot + self.translation,
        }
    }
}

impl Motion {
    /// The keyframes of a table that has them.
    pub(super) fn read(table: &Table<'_>, report: &mut Report<'_>) -> Option<Self> {
        let mut keys: Vec<MotionKey> = Vec::new();
        for frame in table.tables("keyframes") {
            let time = frame.number("time")?;
            if let Some(last) = keys.last()
                && time <= last.time
            {
                let message = format!("a keyframe at {time} s comes after one at {} s", last.time);
                report.error_with_hint(&frame.span_of("time"), message, "times must increase");
                return None;
            }
            let rotation = Rotation::read(&frame, "rotate", report).unwrap_or(Rotation::NONE);
            let translate = Offset::Translate(frame.vector_f64("translate").unwrap_or_default());
            let offset = frame.vector_f64("position").map_or(translate, Offset::Position);
            keys.push(MotionKey { time, offset, rotation });
        }
        (!keys.is_empty()).then(|| Self { keys, pivot: table.vector_f64("pivot") })
    }

    /// How many poses [`Motion::poses`] has.
    pub(super) fn pose_count(&self) -> f64 {
        1.0 + self.keys.windows(2).map(|pair| pieces(&pair[0].rotation, &pair[1].rotation)).sum::<f64>()
    }

    /// Poses so close to each other that straight lines between them do.
    pub(super) fn poses(&self, middle: DVec3) -> Vec<Pose> {
        let Some(first) = self.keys.first() else { return Vec::new() };
        let mut poses = vec![self.pose(first, first, 0.0, middle)];
        for pair in self.keys.windows(2) {
            let count = pieces(&pair[0].rotation, &pair[1].rotation) as usize;
            poses.extend((1..=count).map(|i| {
                let share = i as f64 / count as f64;
                self.pose(&pair[0], &pair[1], share, middle)
            }));
        }
        poses
    }

    fn pose(&self, from: &MotionKey, to: &MotionKey, share: f64, middle: DVec3) -> Pose {
        let pivot = self.pivot.unwrap_or(middle);
        let translation = |key: &MotionKey| match key.offset {
            Offset::Translate(by) => by,
            Offset::Position(at) => at - pivot - key.rotation.quaternion() * (middle - pivot),
        };
        let rotation = match common_axis(&from.rotation, &to.rotation) {
            Some((axis, a, b)) => DQuat::from_axis_angle(axis, a + (b - a) * share),
            None => from.rotation.quaternion().slerp(to.rotation.quaternion(), share),
        };
        Pose {
            // Exactly the time of the keyframe at its end, or two could fall together.
            time: if share == 1.0 { to.time } else { from.time + (to.time - from.time) * share },
            pivot,
            rotation,
            translation: translation(from).lerp(translation(to), share),
        }
    }
}

/// The axis that two turns share, with the angle of each about it.
fn common_axis(a: &Rotation, b: &Rotation) -> Option<(DVec3, f64, f64)> {
    let same = a.axis.dot(b.axis);
    if a.radians == 0.0 {
        Some((b.axis, 0.0, b.radians))
    } else if b.radians == 0.0 {
        Some((a.axis, a.radians, 0.0))
    } else if same.abs() > 1.0 - 1e-12 {
        Some((a.axis, a.radians, b.radians * same.signum()))
    } else {
        None
    }
}

/// Into how many pieces the way from one turn to another is cut; a whole number.
fn pieces(from: &Rotation, to: &Rotation) -> f64 {
    let angle = match common_axis(from, to) {
        Some((_, a, b)) => (b - a).abs(),
        None => from.quaternion().angle_between(to.quaternion()),
    };
    (angle / LARGEST_PIECE).ceil().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(time: f64, degrees: f64, offset: Offset) -> MotionKey {
        MotionKey { time, offset, rotation: Rotation { axis: DVec3::Y, radians: degrees.to_radians() } }
    }

    #[test]
    fn two_full_turns_stay_on_the_circle() {
        let still = Offset::Translate(DVec3::ZERO);
        let motion = Motion { keys: vec![turned(0.0, 0.0, still), turned(4.0, 720.0, still)], pivot: None };
        let poses = motion.poses(DVec3::ZERO);
        assert_eq!((poses.len() as f64, poses.len()), (motion.pose_count(), 361));
        for pair in poses.windows(2) {
            let middle = (pair[0].apply(DVec3::X) + pair[1].apply(DVec3::X)) / 2.0;
            assert!((middle.length() - 1.0).abs() < 2e-4 && pair[0].time < pair[1].time);
        }
        assert!((poses[45].apply(DVec3::X) - DVec3::NEG_Z).length() < 1e-6);
        assert_eq!(poses[360].time, 4.0);
    }

    #[test]
    fn positions_are_those_of_the_middle_even_when_turned_about_another_point() {
        let at = Offset::Position(DVec3::new(5.0, 1.0, 0.0));
        let motion = Motion { keys: vec![turned(0.0, 90.0, at)], pivot: Some(DVec3::X * 3.0) };
        let middle = DVec3::new(1.0, 2.0, 3.0);
        assert!((motion.poses(middle)[0].apply(middle) - DVec3::new(5.0, 1.0, 0.0)).length() < 1e-5);
    }
}
