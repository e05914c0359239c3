//! Positions with digits to spare, for short steps.
//!
//! Whenever something moves a position, half a unit in its last place is lost: 30 nm half a metre from the origin. Over a
//! long step that is nothing. Over 83 µs it is a velocity of 0.4 mm/s, dozens of times a step: cloth at rest creeps out of
//! shape, and soft cloth heats up. So in steps below [`SHORT`] solvers move [`Traveller`]s. These know where they started, which
//! nothing rounds again, and how far they have come, which is little and so has its digits where they are wanted. The
//! difference of two is as exact as the edge between them is short, wherever both are.
//!
//! It costs a second record per point in every sweep, so long steps do without. Kernels are written once, for any
//! [`Point`]: they see differences only.

use glam::Vec4;

use super::point::eight;
use super::{Fall, Point, State};
use crate::execution::Execution;
use crate::math::lanes::{Lanes, Real, WIDTH};
use crate::math::vec3::V3;

/// Steps below this have travellers, seconds: 17 and more substeps of 1/60 s.
pub(crate) const SHORT: f64 = 1e-3;

/// A point that knows where it started and how far it has come.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traveller {
    /// A position, with the inverse mass in w.
    pub start: Vec4,
    /// From there, metres; w is zero.
    pub way: Vec4,
}

/// The same of one or eight, in a kernel.
#[derive(Clone, Copy)]
pub(crate) struct Travelled<R> {
    start: V3<R>,
    way: V3<R>,
}

impl Point for Traveller {
    type Place<R: Real> = Travelled<R>;

    #[inline(always)]
    fn gather<L: Lanes>(points: &[Self], i: &[u32; WIDTH]) -> (Travelled<L>, L) {
        let all = eight(points, i);
        let (mut starts, mut ways) = ([Vec4::ZERO; WIDTH], [Vec4::ZERO; WIDTH]);
        for lane in 0..WIDTH {
            (starts[lane], ways[lane]) = (all[lane].start, all[lane].way);
        }
        let [x, y, z, w] = L::load_points(starts);
        (Travelled { start: V3::new(x, y, z), way: V3::without_w(L::load_points(ways)) }, w)
    }

    #[inline(always)]
    fn scatter<L: Lanes>(points: &mut [Self], i: &[u32; WIDTH], place: Travelled<L>, _: L) {
        let values = L::to_points(place.way.with_w(L::splat(0.0)));
        for lane in 0..WIDTH {
            points[i[lane] as usize].way = values[lane];
        }
    }

    #[inline(always)]
    fn place(self) -> Travelled<f32> {
        Travelled { start: self.start.into(), way: self.way.into() }
    }

    /// From the first.
    #[inline(always)]
    fn seen<R: Real, const N: usize>(places: [Travelled<R>; N]) -> [V3<R>; N] {
        let zero = R::splat(0.0);
        let mut seen = [V3::new(zero, zero, zero); N];
        for i in 1..N {
            seen[i] = (places[i].start - places[0].start) + (places[i].way - places[0].way);
        }
        seen
    }

    #[inline(always)]
    fn moved<R: Real>(place: Travelled<R>, by: V3<R>) -> Travelled<R> {
        Travelled { way: place.way + by, ..place }
    }

    #[inline(always)]
    fn way_from(self, other: Self) -> Vec4 {
        (self.start - other.start) + (self.way - other.way)
    }

    #[inline(always)]
    fn plus(self, way: Vec4) -> Self {
        Self { way: self.way + way.with_w(0.0), ..self }
    }

    #[inline(always)]
    fn drawn(self, _: Vec4, away: Vec4, factor: f32) -> Self {
        self.plus(away * (factor - 1.0))
    }

    #[inline(always)]
    fn position(self) -> Vec4 {
        self.start + self.way
    }

    #[inline(always)]
    fn w(self) -> f32 {
        self.start.w
    }

    #[inline(always)]
    fn with_w(self, w: f32) -> Self {
        Self { start: self.start.with_w(w), ..self }
    }

    #[inline(always)]
    fn reached(self) -> Vec4 {
        self.way
    }

    #[inline(always)]
    fn at(position: Vec4) -> Self {
        Self { start: position, way: Vec4::ZERO }
    }

    fn of(state: &mut State) -> &mut Vec<Self> {
        &mut state.travellers
    }

    fn take(own: &mut Vec<Self>, points: &mut Vec<Vec4>) {
        own.iter_mut().zip(points).for_each(|(own, point)| *own = Self::at(*point));
    }

    fn give(own: &mut Vec<Self>, points: &mut Vec<Vec4>) {
        points.iter_mut().zip(own).for_each(|(point, own)| *point = own.position());
    }
}

impl State {
    /// Travellers, if there are any, set out from where their particles were to where these would go.
    pub fn set_out(&mut self, fall: Fall, execution: Execution) {
        let State { points, previous, travellers, velocities, remainders, .. } = self;
        execution.for_each_chunk(travellers, |first, chunk| {
            for (offset, traveller) in chunk.iter_mut().enumerate() {
                let v = first + offset;
                *traveller = Traveller::at(if points[v].w > 0.0 { previous[v] } else { points[v] });
                if points[v].w > 0.0 {
                    traveller.way = fall.way(velocities[v], remainders[v]).with_w(0.0);
                }
            }
        });
    }

    /// Rounds where travellers are to positions.
    pub fn lower(&mut self, execution: Execution) {
        let State { points, travellers, .. } = self;
        if !travellers.is_empty() {
            execution.for_each_chunk(points, |first, chunk| {
                chunk.iter_mut().zip(&travellers[first..]).for_each(|(point, own)| *point = own.position());
            });
        }
    }

    /// Takes over what was changed of positions since [`State::lower`]: nothing where that is nothing.
    pub fn lift(&mut self, execution: Execution) {
        let State { points, travellers, .. } = self;
        execution.for_each_chunk(travellers, |first, chunk| {
            for (own, &point) in chunk.iter_mut().zip(&points[first..]) {
                own.way += (point - own.position()).with_w(0.0);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(place: Vec4) -> State {
        State {
            points: vec![place, place + Vec4::new(0.02, 0.0, 0.0, 0.0)],
            travellers: vec![Traveller::default(); 2],
            velocities: vec![Vec4::ZERO; 2],
            remainders: vec![Vec4::new(1e-9, -2e-9, 3e-9, 0.0); 2],
            ..State::default()
        }
    }

    /// 3 nm of the way are kept 40 m away, where the last digit is 4 µm, and so is what contacts change.
    #[test]
    fn a_traveller_keeps_its_digits_far_away() {
        let mut state = state(Vec4::new(40.0, -41.0, 42.0, 1.0));
        state.previous.clone_from(&state.points);
        let fall = Fall { dt: 1e-4, gained: Vec4::ZERO, moved: Vec4::new(0.0, -1e-7, 0.0, 0.0) };
        state.set_out(fall, Execution::default());
        let way = state.travellers[0].way;
        assert!((way - Vec4::new(1e-9, -1.02e-7, 3e-9, 0.0)).abs().max_element() < 1e-14);
        state.lower(Execution::default());
        state.lift(Execution::default());
        assert_eq!(state.travellers[0].way, way);
        state.points[0].y += 0.25;
        state.lift(Execution::default());
        assert_eq!(state.travellers[0].way, way + Vec4::new(0.0, 0.25, 0.0, 0.0));
    }

    #[test]
    fn what_is_held_is_where_it_is_put() {
        let mut state = state(Vec4::new(1.0, 2.0, 3.0, 0.0));
        state.previous = vec![Vec4::ZERO; 2];
        state.set_out(Fall { dt: 1e-4, gained: Vec4::ZERO, moved: Vec4::ONE }, Execution::default());
        assert_eq!(state.travellers[0].position(), state.points[0]);
        assert_eq!(state.travellers[0].way, Vec4::ZERO);
    }

    /// The difference of two travellers, each with a way that its position could not hold.
    #[test]
    fn differences_see_starts_and_ways() {
        let start = Vec4::new(40.0, 0.0, 0.0, 1.0);
        let way = |x| Vec4::new(x, 0.0, 0.0, 0.0);
        let (a, b) =
            (Traveller { start, way: way(1e-8) }, Traveller { start: start + way(0.25), way: way(3e-8) });
        let [_, seen] = Traveller::seen([a.place(), b.place()]);
        assert_eq!(seen.x, 0.25 + 2e-8);
        assert_eq!(b.way_from(a), way(0.25 + 2e-8));
        assert_eq!(a.drawn(Vec4::ZERO, way(2.0), 1.5).way, way(1.0 + 1e-8));
    }
}
