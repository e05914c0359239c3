//! What solvers move, seen by kernels that are written once: positions, or [`Traveller`](super::Traveller)s.

use glam::Vec4;

use super::State;
use crate::math::lanes::{Lanes, Real, WIDTH};
use crate::math::vec3::V3;

/// A point that a solver moves, with its inverse mass relative to the mean (0: held).
pub(crate) trait Point: Copy + Send + Sync + 'static {
    /// Where one is, or eight are, in a kernel.
    type Place<R: Real>: Copy;

    /// Reads the eight points of one corner of a pack, with their inverse masses.
    fn gather<L: Lanes>(points: &[Self], i: &[u32; WIDTH]) -> (Self::Place<L>, L);

    /// Writes the eight points of one corner of a pack.
    fn scatter<L: Lanes>(points: &mut [Self], i: &[u32; WIDTH], place: Self::Place<L>, w: L);

    /// Where a single one is.
    fn place(self) -> Self::Place<f32>;

    /// Places as seen from somewhere near them: only their differences mean something.
    fn seen<R: Real, const N: usize>(places: [Self::Place<R>; N]) -> [V3<R>; N];

    /// A place, moved.
    fn moved<R: Real>(place: Self::Place<R>, by: V3<R>) -> Self::Place<R>;

    /// The way from another point to this; w is without meaning.
    fn way_from(self, other: Self) -> Vec4;

    /// The point, moved; w of the way is zero.
    fn plus(self, way: Vec4) -> Self;

    /// The point where its way from a place, `away`, has the length it has now times a factor.
    fn drawn(self, from: Vec4, away: Vec4, factor: f32) -> Self;

    /// Its position, rounded, with the inverse mass in w.
    fn position(self) -> Vec4;

    /// The inverse mass.
    fn w(self) -> f32;

    /// The same point with another.
    fn with_w(self, w: f32) -> Self;

    /// What [`Point::plus`] changes: its difference is how far a point has come.
    fn reached(self) -> Vec4;

    /// A point at a position with an inverse mass in w.
    fn at(position: Vec4) -> Self;

    /// The points of a state that solvers move.
    fn of(state: &mut State) -> &mut Vec<Self>;

    /// Takes over points that are given as positions; what they were comes in their place.
    fn take(own: &mut Vec<Self>, points: &mut Vec<Vec4>);

    /// Gives them back.
    fn give(own: &mut Vec<Self>, points: &mut Vec<Vec4>);
}

/// A position.
impl Point for Vec4 {
    type Place<R: Real> = V3<R>;

    #[inline(always)]
    fn gather<L: Lanes>(points: &[Self], i: &[u32; WIDTH]) -> (V3<L>, L) {
        let [x, y, z, w] = L::load_points(eight(points, i));
        (V3::new(x, y, z), w)
    }

    #[inline(always)]
    fn scatter<L: Lanes>(points: &mut [Self], i: &[u32; WIDTH], place: V3<L>, w: L) {
        let values = L::to_points([place.x, place.y, place.z, w]);
        for lane in 0..WIDTH {
            points[i[lane] as usize] = values[lane];
        }
    }

    #[inline(always)]
    fn place(self) -> V3<f32> {
        self.into()
    }

    #[inline(always)]
    fn seen<R: Real, const N: usize>(places: [V3<R>; N]) -> [V3<R>; N] {
        places
    }

    #[inline(always)]
    fn moved<R: Real>(place: V3<R>, by: V3<R>) -> V3<R> {
        place + by
    }

    #[inline(always)]
    fn way_from(self, other: Self) -> Vec4 {
        self - other
    }

    #[inline(always)]
    fn plus(self, way: Vec4) -> Self {
        self + way
    }

    #[inline(always)]
    fn drawn(self, from: Vec4, away: Vec4, factor: f32) -> Self {
        (from + away * factor).with_w(self.w)
    }

    #[inline(always)]
    fn position(self) -> Vec4 {
        self
    }

    #[inline(always)]
    fn w(self) -> f32 {
        self.w
    }

    #[inline(always)]
    fn with_w(self, w: f32) -> Self {
        Vec4::with_w(self, w)
    }

    #[inline(always)]
    fn reached(self) -> Vec4 {
        self
    }

    #[inline(always)]
    fn at(position: Vec4) -> Self {
        position
    }

    fn of(state: &mut State) -> &mut Vec<Self> {
        &mut state.points
    }

    fn take(own: &mut Vec<Self>, points: &mut Vec<Vec4>) {
        std::mem::swap(points, own);
    }

    fn give(own: &mut Vec<Self>, points: &mut Vec<Vec4>) {
        std::mem::swap(points, own);
    }
}

/// Calls something with the points of a state that solvers move.
macro_rules! with_points {
    ($state:expr, |$points:ident| $work:expr) => {
        match $state.travellers.is_empty() {
            true => {
                let $points = &mut $state.points;
                $work
            }
            false => {
                let $points = &mut $state.travellers;
                $work
            }
        }
    };
}
pub(crate) use with_points;

/// The records of a pack's lanes.
#[inline(always)]
pub(super) fn eight<T: Copy>(at: &[T], i: &[u32; WIDTH]) -> [T; WIDTH] {
    [
        at[i[0] as usize],
        at[i[1] as usize],
        at[i[2] as usize],
        at[i[3] as usize],
        at[i[4] as usize],
        at[i[5] as usize],
        at[i[6] as usize],
        at[i[7] as usize],
    ]
}
