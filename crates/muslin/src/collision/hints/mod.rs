//! What solvers want to know of colliders before a substep, when there are no contacts yet.
//!
//! 1. `placed`: where a collider is, and what of it is nearest to a point;
//! 2. `touching`: which particles lie on colliders;
//! 3. `near`: what planes bound colliders near particles.

mod near;
mod placed;
mod touching;

pub(crate) use near::{Near, Particles};
use placed::Placed;

use super::Substep;
use super::bodies::body::Body;
use super::bodies::collider::ColliderMotion;
use super::bodies::{Bodies, ColliderBody};
use crate::execution::Execution;

/// Colliders as hints see them.
#[derive(Default)]
pub(super) struct Hints {
    /// Where each collider is in a substep; `None` before that is known.
    placed: Vec<Option<Placed>>,
}

impl Hints {
    /// Places colliders; those that move only if anybody asks for them.
    pub fn place(&mut self, bodies: &Bodies, substep: &Substep<'_>, moving: bool, execution: Execution) {
        let Substep { origin, times, colliders } = *substep;
        self.placed.resize(colliders.len(), None);
        let all = bodies.all[bodies.cloths..].iter().zip(&bodies.colliders).zip(colliders);
        for (placed, ((body, ColliderBody { shape_points, .. }), collider)) in self.placed.iter_mut().zip(all)
        {
            let collider = (collider, shape_points.as_slice());
            let rests = matches!(collider.0.motion, ColliderMotion::Fixed);
            let known = placed.take().filter(|placed| placed.origin() == origin && placed.rests() == rests);
            let mut now = known.unwrap_or_else(|| Placed::new(body, collider, origin, times[0], execution));
            if now.is_forgotten {
                now.renew(body, collider, times[0], execution);
            }
            if moving && !rests {
                now.go(body, collider, times, execution);
            }
            *placed = Some(now);
        }
    }

    /// A collider moves in another way from now on: what is known of where it is going is not so.
    pub fn forget(&mut self, collider: usize) {
        if let Some(Some(placed)) = self.placed.get_mut(collider) {
            placed.is_forgotten = true;
        }
    }

    /// Colliders that are no rigid bodies, with their numbers among all bodies.
    fn placed<'a>(&'a self, bodies: &'a Bodies) -> impl Iterator<Item = (u16, &'a Body, &'a Placed)> {
        let first = bodies.cloths;
        let all = (first..).zip(&bodies.all[first..]).zip(&self.placed);
        all.filter_map(|((number, body), placed)| Some((number as u16, body, placed.as_ref()?)))
    }
}
