//! Light on the floor: computed on a grid and softened there.
//!
//! A light of many points throws as many shadows, and their edges show where what throws them is
//! far away. On a plane they can be blended: each by as much as the next point's shadow is off,
//! which grows with the distance. It is also faster than asking every map at every pixel.

use glam::Vec2;
use rayon::prelude::*;

/// Over how many texels the distance of what is in the way is spread, to reach a shadow's rim.
const SPREAD: usize = 10;
/// The widest blur to either side, in texels.
const WIDEST: f32 = 40.0;

/// How much light reaches a point, and how far away what keeps the rest is.
#[derive(Clone, Copy)]
pub(super) struct Reaching {
    /// 0 to 1.
    pub share: f32,
    /// Metres.
    pub distance: f32,
}

impl Reaching {
    /// The mean by weights; distances count by how much is kept away.
    pub fn mean(all: impl Iterator<Item = (f32, Self)>) -> Self {
        let [mut whole, mut light, mut distance] = [0.0; 3];
        for (weight, one) in all {
            whole += weight;
            light += weight * one.share;
            distance += weight * (1.0 - one.share) * one.distance;
        }
        let blocked = (whole - light).max(1e-6);
        Self { share: light / whole.max(1e-6), distance: distance / blocked }
    }
}

/// The share of a light that reaches the points of a rectangle of the floor.
pub(super) struct FloorLight {
    low: Vec2,
    /// Metres between points.
    step: f32,
    columns: usize,
    rows: usize,
    share: Vec<f32>,
}

impl FloorLight {
    /// The light on the rectangle from `low` to `high`, at `longest` points along its longer side.
    /// Shadows are blended over `angle` times the distance of what throws them.
    pub fn new(
        [low, high]: [Vec2; 2],
        longest: usize,
        angle: f32,
        reaching: impl Fn(Vec2) -> Reaching + Sync,
    ) -> Self {
        let extent = (high - low).max(Vec2::splat(1e-6));
        let step = extent.max_element() / (longest - 1) as f32;
        let [columns, rows] = extent.to_array().map(|e| (e / step).ceil() as usize + 1);
        let point = |i: usize| low + step * Vec2::new((i % columns) as f32, (i / columns) as f32);
        let found: Vec<Reaching> = (0..columns * rows).into_par_iter().map(|i| reaching(point(i))).collect();

        let blocked = |r: &Reaching| 1.0 - r.share;
        let spread = |values: Vec<f32>| blur(values, columns, rows, |_| SPREAD as f32);
        let weights = spread(found.iter().map(blocked).collect());
        let distances = spread(found.iter().map(|r| blocked(r) * r.distance).collect());
        let radius = |i: usize| {
            let distance = if weights[i] > 1e-5 { distances[i] / weights[i] } else { 0.0 };
            (angle * distance / step).clamp(0.0, WIDEST)
        };
        let once = blur(found.iter().map(|r| r.share).collect(), columns, rows, radius);
        let share = blur(once, columns, rows, radius);
        Self { low, step, columns, rows, share }
    }

    /// The share at a point, blended between the four around it; all of the light beyond them.
    pub fn at(&self, point: Vec2) -> f32 {
        let place = (point - self.low) / self.step;
        let end = Vec2::new((self.columns - 1) as f32, (self.rows - 1) as f32);
        if !(place.cmpge(Vec2::ZERO).all() && place.cmplt(end).all()) {
            return 1.0;
        }
        let (x, y) = (place.x as usize, place.y as usize);
        let (fx, fy) = (place.x - x as f32, place.y - y as f32);
        let at = y * self.columns + x;
        let row = |at: usize| self.share[at] * (1.0 - fx) + self.share[at + 1] * fx;
        row(at) * (1.0 - fy) + row(at + self.columns) * fy
    }
}

/// The mean over a square around each value, whose half width differs from place to place.
fn blur(values: Vec<f32>, columns: usize, rows: usize, radius: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut across = vec![0.0; values.len()];
    for y in 0..rows {
        let line = y * columns..(y + 1) * columns;
        blur_line(
            &values[line.clone()],
            |x| radius(y * columns + x),
            |x, mean| across[line.start + x] = mean,
        );
    }
    let mut out = vec![0.0; values.len()];
    let mut column = vec![0.0; rows];
    for x in 0..columns {
        for (y, value) in column.iter_mut().enumerate() {
            *value = across[y * columns + x];
        }
        blur_line(&column, |y| radius(y * columns + x), |y, mean| out[y * columns + x] = mean);
    }
    out
}

fn blur_line(line: &[f32], radius: impl Fn(usize) -> f32, mut store: impl FnMut(usize, f32)) {
    // The sum up to a place between two values, by whole sums and a part of the next.
    let mut sums = Vec::with_capacity(line.len() + 1);
    sums.push(0.0f64);
    for &value in line {
        sums.push(sums[sums.len() - 1] + f64::from(value));
    }
    let end = line.len() as f64;
    let sum_to = |place: f64| {
        let whole = (place as usize).min(line.len() - 1);
        sums[whole] + (place - whole as f64) * f64::from(line[whole])
    };
    for i in 0..line.len() {
        let middle = i as f64 + 0.5;
        let half = f64::from(radius(i)).max(0.5);
        let (from, to) = ((middle - half).max(0.0), (middle + half).min(end));
        store(i, ((sum_to(to) - sum_to(from)) / (to - from)) as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_shadows_stay_sharp_and_far_ones_become_soft() {
        let area = [Vec2::ZERO, Vec2::new(2.0, 1.0)];
        let half = |distance: f32| {
            FloorLight::new(area, 201, 0.1, move |p| Reaching { share: f32::from(p.x > 1.0), distance })
        };
        let (near, far) = (half(0.0), half(1.0));
        let point = |x: f32| Vec2::new(x, 0.5);
        assert!((near.at(point(0.97)), near.at(point(1.03))) == (0.0, 1.0));
        assert!(far.at(point(0.97)) > 0.1 && far.at(point(1.03)) < 0.9);
        assert!(far.at(point(0.7)) < 1e-3 && far.at(point(1.3)) > 0.999);
        assert_eq!(far.at(Vec2::splat(9.0)), 1.0);
        assert_eq!(far.at(Vec2::NAN), 1.0);
    }
}
