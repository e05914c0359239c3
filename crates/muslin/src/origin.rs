//! Where positions are counted from: places in the world are origin + position.
//!
//! A position in single precision has a last digit of 0.1 µm a metre from where it is counted from, of 60 µm a kilometre
//! from there and of 8 mm at 100 km. So what moves far away is counted from an origin nearby: a [`DVec3`] with coordinates that
//! are multiples of 8 m, which single precision takes off without rounding from everything that comes nearer by it. Near
//! zero the origin is zero, and nothing is different from what it would be without one.
//!
//! Input: where things are. Output: from where they should be counted. States, grids and bodies each know their own origin
//! and can be recentred; a [`World`](crate::World) keeps all of its own at one, because collisions see one flat array of
//! points.
//!
//! Rejected: positions in double precision (twice the memory and half the lanes, on GPUs much worse); an origin per cloth
//! (what collides must be counted from one place); the middle of everything as the origin (of a cloth that hangs and one that
//! has fallen off and falls for ever, both would lose).

use glam::{DVec3, Vec3};

use crate::state::State;

/// Origins are multiples of this, metres. Small, so that little is left to count from them; a power of two, so that single
/// precision takes them off exactly; and 1 km is a multiple: what is moved by whole kilometres keeps its bits.
const STEP: f64 = 8.0;

/// A state in which nothing is as near as this to its origin, along an axis, is moved to another, metres: half of [`STEP`], so
/// that positions of what is small are rounded by 0.1 µm at the most. In short steps rounding is a velocity: a swing of denim
/// in steps of 83 µs gained 0.04 M g L/2 at the origin, 0.2 at 4 m, 1.9 at 16 m and 2.7 at 48 m from it.
const NEAR: f64 = 0.5 * STEP;

/// Meshes and places that users give are counted from zero up to here, metres, and so are files, which are in single
/// precision then: rounded by 2 µm at the most, which is little beside edges of millimetres.
const FAR: f64 = 64.0;

/// How many times its size a mesh may be away from zero: three digits of 24 (base two) are lost then.
const MUCH_FARTHER: f64 = 8.0;

/// Divides a place into an origin far away and what is left of it, per axis; near zero the origin is zero.
pub fn split(place: DVec3) -> (DVec3, DVec3) {
    let far = |x: f64| if x.abs() <= FAR { 0.0 } else { (x / STEP).round() * STEP };
    let origin = DVec3::from_array(place.to_array().map(far));
    (origin, place - origin)
}

/// The origin for a mesh of these places: zero along an axis where it is near zero, or not much farther from it than it is
/// large; there single precision says as much of it as it would elsewhere.
pub fn of_places(places: &[DVec3]) -> DVec3 {
    let finite = || places.iter().filter(|place| place.is_finite());
    let Some(first) = finite().next() else { return DVec3::ZERO };
    let (low, high) = finite().fold((*first, *first), |(low, high), p| (low.min(*p), high.max(*p)));
    let near = FAR.max(MUCH_FARTHER * (high - low).max_element());
    let far = |axis: usize| {
        let (low, high) = (low[axis], high[axis]);
        if low <= near && high >= -near { 0.0 } else { (0.5 * (low + high) / STEP).round() * STEP }
    };
    DVec3::from_array([0, 1, 2].map(far))
}

/// Whether a position is near the origin that it is counted from.
pub(crate) fn is_near(position: DVec3) -> bool {
    position.abs().max_element() <= FAR
}

/// A position counted from another origin: `by` is from the old one to the new. Without rounding where it was far from the
/// old one and is near the new; nothing happens if both are the same.
pub(crate) fn moved(position: Vec3, by: DVec3) -> Vec3 {
    if by == DVec3::ZERO { position } else { (position.as_dvec3() - by).as_vec3() }
}

/// The origin for states that are to have the same: that of the first, as long as any particle is near it or they are on both
/// sides. Along an axis where it is not so, the middle of the first. So nothing that is near ever loses to what has flown away; and it depends on
/// positions only, so that a run that is resumed recentres where the first did.
pub(crate) fn common<'a>(states: impl Iterator<Item = &'a State> + Clone) -> DVec3 {
    let Some(first) = states.clone().next() else { return DVec3::ZERO };
    let positions = |state: &'a State, axis: usize| {
        let offset = state.origin[axis] - first.origin[axis];
        state.points.iter().map(move |point| f64::from(point[axis]) + offset)
    };
    let all = |axis| states.clone().flat_map(move |state| positions(state, axis));
    moved_to(first.origin, all, |axis| positions(first, axis))
}

/// The origin next to a place.
pub(crate) fn multiple(place: DVec3) -> DVec3 {
    (place / STEP).round() * STEP
}

/// The origin for positions that are counted from another: that one, unless all are far from it.
pub(crate) fn nearest(origin: DVec3, positions: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
    let along = |axis: usize| positions.clone().map(move |position| position[axis]);
    moved_to(origin, along, along)
}

/// An origin, moved along each axis to the middle of some coordinates where all coordinates are far from it.
fn moved_to<A: Iterator<Item = f64> + Clone, M: Iterator<Item = f64>>(
    mut origin: DVec3,
    all: impl Fn(usize) -> A,
    some: impl Fn(usize) -> M,
) -> DVec3 {
    for axis in 0..3 {
        // What lies on both sides is as near as it can be.
        if all(axis).all(|x| x > NEAR) || all(axis).all(|x| x < -NEAR) {
            let ends = |(low, high): (f64, f64), x: f64| (low.min(x), high.max(x));
            let (low, high) = some(axis).fold((f64::INFINITY, f64::NEG_INFINITY), ends);
            let middle = 0.5 * (low + high);
            if middle.is_finite() {
                origin[axis] += (middle / STEP).round() * STEP;
            }
        }
    }
    origin
}

#[cfg(test)]
mod tests {
    use glam::Vec4;

    use super::*;

    fn state(origin: DVec3, points: &[Vec3]) -> State {
        State { origin, points: points.iter().map(|p| p.extend(1.0)).collect(), ..State::default() }
    }

    #[test]
    fn near_zero_the_origin_is_zero() {
        let near = DVec3::new(-64.0, 0.3, 64.0);
        assert_eq!(split(near), (DVec3::ZERO, near));
        let (origin, left) = split(DVec3::new(1000.0, 0.3, -100_000.0));
        assert_eq!((origin, left), (DVec3::new(1000.0, 0.0, -100_000.0), DVec3::new(0.0, 0.3, 0.0)));
    }

    #[test]
    fn what_is_near_stays_near_whatever_has_flown_away() {
        let fallen = state(DVec3::ZERO, &[Vec3::new(0.0, -9e4, 0.0), Vec3::new(100.0, -9e4, 0.0)]);
        let hanging = state(DVec3::ZERO, &[Vec3::Y]);
        assert_eq!(common([&fallen, &hanging].into_iter()), DVec3::ZERO);
        assert_eq!(common([&fallen].into_iter()), DVec3::new(0.0, -90_000.0, 0.0));
        let elsewhere = state(DVec3::new(0.0, -90_000.0, 0.0), &[Vec3::Y]);
        assert_eq!(common([&elsewhere, &fallen].into_iter()), elsewhere.origin);
        assert_eq!(common(std::iter::empty()), DVec3::ZERO);
    }

    #[test]
    fn recentring_moves_nothing() {
        let places = [Vec3::new(1000.3, -700.1, 0.2), Vec3::new(0.1, 1e-7, -3e4)];
        let mut state = state(DVec3::ZERO, &places);
        state.previous.clone_from(&state.points);
        state.remainders = vec![Vec4::splat(1e-6).with_w(0.0); 2];
        let origin = DVec3::new(1024.0, -640.0, 0.0);
        state.recentre(origin);
        for (v, place) in places.iter().enumerate() {
            let now =
                origin + state.points[v].truncate().as_dvec3() + state.remainders[v].truncate().as_dvec3();
            // What is left is rounded to single precision itself: at most half a last digit of 64 µm.
            assert!((now - place.as_dvec3() - DVec3::splat(1e-6)).abs().max_element() <= 32e-6 * 6e-8);
            assert_eq!(state.points[v].w, 1.0);
        }
        // Towards the origin without any rounding.
        assert_eq!(state.points[0].truncate().as_dvec3() + origin, places[0].as_dvec3());
        assert_eq!(state.remainders[0], Vec4::splat(1e-6).with_w(0.0));
    }
}
