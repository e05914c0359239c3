//! A number that changes with time: a constant, or keyframes.

/// A value at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct CurveKey {
    /// Seconds since the start.
    pub time: f64,
    /// In the unit of what is animated.
    pub value: f32,
}

/// A number over time: evenly from keyframe to keyframe, constant before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Curve {
    /// The same at all times.
    Constant(f32),
    /// With increasing times; at least one.
    Keyframes(Vec<CurveKey>),
}

impl From<f32> for Curve {
    fn from(value: f32) -> Self {
        Self::Constant(value)
    }
}

impl Curve {
    /// The value at a time, seconds since the start.
    pub fn at(&self, time: f64) -> f32 {
        let keys = match self {
            Self::Constant(value) => return *value,
            Self::Keyframes(keys) => keys,
        };
        let next = keys.partition_point(|key| key.time <= time);
        match (next.checked_sub(1).map(|i| keys[i]), keys.get(next)) {
            (Some(from), Some(to)) => {
                let share = (time - from.time) / (to.time - from.time);
                (f64::from(from.value) + share * f64::from(to.value - from.value)) as f32
            }
            (Some(only), None) => only.value,
            (None, Some(only)) => only.value,
            (None, None) => 0.0,
        }
    }

    /// What is wrong with the curve, in words, where values must be at least `least`; `None` if nothing is.
    pub(crate) fn problem(&self, least: f32) -> Option<String> {
        let wrong = |value: f32| !(value.is_finite() && value >= least);
        match self {
            Self::Constant(value) if wrong(*value) => {
                Some(format!("{value} is not a finite number of at least {least}"))
            }
            Self::Constant(_) => None,
            Self::Keyframes(keys) if keys.is_empty() => Some("it has no keyframes".into()),
            Self::Keyframes(keys) => {
                if let Some(i) = keys.iter().position(|key| !key.time.is_finite() || wrong(key.value)) {
                    return Some(format!("keyframe {i} is not finite, or its value is below {least}"));
                }
                let unordered = keys.windows(2).position(|pair| pair[1].time <= pair[0].time)?;
                Some(format!("keyframe {} is not later than the one before it", unordered + 1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_change_evenly_between_keyframes_and_stay_at_the_ends() {
        let key = |time, value| CurveKey { time, value };
        let curve = Curve::Keyframes(vec![key(1.0, 0.0), key(3.0, 4.0)]);
        assert_eq!([0.0, 1.0, 1.5, 3.0, 9.0].map(|t| curve.at(t)), [0.0, 0.0, 1.0, 4.0, 4.0]);
        assert_eq!((curve.problem(0.0), Curve::from(2.0).at(7.0)), (None, 2.0));
        assert!(curve.problem(1.0).is_some() && Curve::Constant(f32::NAN).problem(0.0).is_some());
        assert!(Curve::Keyframes(vec![key(1.0, 0.0), key(1.0, 4.0)]).problem(0.0).is_some());
        assert!(Curve::Keyframes(vec![]).problem(0.0).is_some());
    }
}
