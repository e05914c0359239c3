//! The colour of a patterned cloth at a point.

use glam::Vec2;

use crate::{Pattern, PatternKind};

/// How wide the lines of a grid are, in periods.
const LINE: f32 = 0.07;

/// Which share of the second colour there is at a point.
pub(super) fn share(pattern: &Pattern, at: Vec2) -> f32 {
    let place = at / pattern.period;
    if !place.is_finite() {
        return 0.0;
    }
    let within = place - place.floor();
    let band = |v: f32| if v < 0.5 { 1.0 } else { 0.0 };
    match pattern.kind {
        PatternKind::Stripes => band(within.x),
        PatternKind::Gingham => 0.5 * (band(within.x) + band(within.y)),
        PatternKind::Grid => {
            if within.min_element() < LINE {
                1.0
            } else {
                0.0
            }
        }
    }
}
