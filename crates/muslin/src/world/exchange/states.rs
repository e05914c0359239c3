//! States of cloths and rigid bodies become the points of a step, and points become states.
//!
//! Points of cloths come first, in their order. Inverse masses in a state are relative to the mean; those of points are in 1/kg.

use std::ops::Range;

use glam::Vec4;

use crate::Simulation;
use crate::collision::{Points, Substep};
use crate::rigid::MovingBody;

/// The points of a cloth, or of what collides in its place: the next `count` ones.
pub(super) fn next(first: &mut usize, count: usize) -> Range<usize> {
    *first += count;
    *first - count..*first
}

/// Takes over where cloths and rigid bodies start and where they would end.
pub(super) fn load(
    cloths: &[(String, Simulation)],
    rigid: &[MovingBody],
    substep: &Substep<'_>,
    points: &mut Points,
) {
    points.changed.fill(false);
    let mut first = 0;
    for (_, simulation) in cloths {
        let (cloth, state) = (simulation.cloth(), &simulation.state);
        let range = next(&mut first, state.points.len());
        let per_mean = (cloth.vertex_count() as f64 / cloth.total_mass()) as f32;
        let pinned_or_not = |p: &Vec4, now: &Vec4| p.with_w(now.w * per_mean);
        for (to, (from, now)) in
            points.start[range.clone()].iter_mut().zip(state.previous.iter().zip(&state.points))
        {
            *to = pinned_or_not(from, now);
        }
        for (to, now) in points.end[range].iter_mut().zip(&state.points) {
            *to = pinned_or_not(now, now);
        }
    }
    load_bodies(rigid, substep, points);
}

/// The same of rigid bodies alone.
pub(super) fn load_bodies(rigid: &[MovingBody], substep: &Substep<'_>, points: &mut Points) {
    for (number, body) in rigid.iter().enumerate() {
        points.load_rigid(number, body, substep.length());
    }
}

/// Gives the ends of the step back to cloths and rigid bodies.
pub(super) fn store(points: &Points, cloths: &mut [(String, Simulation)], rigid: &mut [MovingBody]) {
    store_bodies(points, rigid);
    store_ends(points, cloths);
    let mut first = 0;
    for (_, simulation) in cloths {
        let range = next(&mut first, simulation.state.points.len());
        // Velocities are taken from the difference of the two.
        for (to, recovered) in simulation.state.previous.iter_mut().zip(&points.recovered[range]) {
            *to += recovered.extend(0.0);
        }
    }
}

/// Gives the ends of rigid bodies back.
pub(super) fn store_bodies(points: &Points, rigid: &mut [MovingBody]) {
    points.rigid.iter().zip(rigid).for_each(|(end, body)| end.store(body));
}

/// Gives the ends of cloths back.
pub(super) fn store_ends(points: &Points, cloths: &mut [(String, Simulation)]) {
    let mut first = 0;
    for (_, simulation) in cloths {
        let ends = &mut simulation.state.points;
        let range = next(&mut first, ends.len());
        for (to, from) in ends.iter_mut().zip(&points.end[range]) {
            *to = from.with_w(to.w);
        }
    }
}

/// Takes the ends of cloths, and marks what has changed: detection has to look again at whatever was moved.
pub(super) fn load_ends(cloths: &[(String, Simulation)], points: &mut Points) {
    let mut first = 0;
    for (_, simulation) in cloths {
        let range = next(&mut first, simulation.state.points.len());
        let ends = points.end[range.clone()].iter_mut().zip(&mut points.changed[range]);
        for ((to, changed), from) in ends.zip(&simulation.state.points) {
            let from = from.with_w(to.w);
            *changed |= *to != from;
            *to = from;
        }
    }
}
