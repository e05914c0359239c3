//! Pins: particles that are held, in place or along a path.

use glam::{DVec3, Vec3};

use crate::origin::is_near;

/// A position at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Keyframe {
    /// Seconds since the start.
    pub time: f64,
    /// In the world, metres.
    pub position: DVec3,
}

/// How a pinned particle moves.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum PinMotion {
    /// It stays where it is: where it starts, or where it was pinned later.
    #[default]
    Fixed,
    /// It follows keyframes, straight and evenly between them, and rests before the first and
    /// after the last. Times must increase.
    Keyframes(Vec<Keyframe>),
}

/// A pinned particle.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// The vertex, in the user's numbering.
    pub vertex: u32,
    /// Its motion.
    pub motion: PinMotion,
}

impl Pin {
    /// Becomes another; its memory is used again.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.vertex = other.vertex;
        match (&mut self.motion, &other.motion) {
            (PinMotion::Keyframes(own), PinMotion::Keyframes(others)) => own.clone_from(others),
            (own, others) => *own = others.clone(),
        }
    }
}

impl PinMotion {
    /// What is wrong with the motion, in words; `None` if nothing is.
    pub(crate) fn problem(&self) -> Option<String> {
        let PinMotion::Keyframes(keys) = self else { return None };
        if keys.is_empty() {
            return Some("it has no keyframes".into());
        }
        if let Some(i) = keys.iter().position(|k| !k.time.is_finite() || !k.position.is_finite()) {
            return Some(format!("keyframe {i} is not finite"));
        }
        let unordered = keys.windows(2).position(|pair| pair[1].time <= pair[0].time)?;
        Some(format!("keyframe {} is not later than the one before it", unordered + 1))
    }

    /// Where the pin is in the world at a time, or `None` if it stays where it is.
    pub fn position(&self, time: f64) -> Option<DVec3> {
        self.between(time).map(|(from, to, share)| from.lerp(to, share))
    }

    /// The same from an origin. Between places near it in single precision: it does there, and always did.
    pub(crate) fn position_from(&self, origin: DVec3, time: f64) -> Option<Vec3> {
        let (from, to, share) = self.between(time)?;
        let (from, to) = (from - origin, to - origin);
        Some(match is_near(from) && is_near(to) {
            true => from.as_vec3().lerp(to.as_vec3(), share as f32),
            false => from.lerp(to, share).as_vec3(),
        })
    }

    /// The places between which the pin is at a time, and how far it is on the way.
    fn between(&self, time: f64) -> Option<(DVec3, DVec3, f64)> {
        let PinMotion::Keyframes(keys) = self else { return None };
        let next = keys.partition_point(|k| k.time <= time);
        match (next.checked_sub(1).map(|i| keys[i]), keys.get(next)) {
            (Some(from), Some(to)) => {
                Some((from.position, to.position, (time - from.time) / (to.time - from.time)))
            }
            (Some(only), None) => Some((only.position, only.position, 0.0)),
            (None, Some(only)) => Some((only.position, only.position, 0.0)),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyframes_are_followed_evenly_and_held_at_the_ends() {
        let key = |time, x| Keyframe { time, position: DVec3::new(x, 0.0, 0.0) };
        let motion = PinMotion::Keyframes(vec![key(1.0, 0.0), key(3.0, 4.0)]);
        let x = |t| motion.position(t).unwrap().x;
        assert_eq!((x(0.0), x(1.0), x(1.5), x(3.0), x(9.0)), (0.0, 0.0, 1.0, 4.0, 4.0));
        assert_eq!(motion.problem(), None);
        assert!(PinMotion::Keyframes(vec![key(1.0, 0.0), key(1.0, 4.0)]).problem().is_some());
        assert!(PinMotion::Keyframes(vec![]).problem().is_some());
    }
}
