//! What is measured of a swing: when it is lowest, how far it comes back, and what became of its energy.

use serde::Serialize;

/// One moment of a swing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Seconds.
    pub time: f64,
    /// Height of the centre of mass, in metres above where it started.
    pub height: f64,
    /// Above that at the start, in units of M g L/2: what the fall of the whole cloth sets free.
    pub energy: f64,
}

/// A swing, moment by moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// In the order of time, from the start on.
    pub moments: Vec<Moment>,
}

/// The figures of a swing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// When the centre of mass is lowest for the first time, seconds; none if it never turns round.
    pub lowest_s: Option<f64>,
    /// What it regains after that of the height that it fell, as a fraction.
    pub rebound: Option<f64>,
    /// Energy lost at one second, in M g L/2; none of a shorter run.
    pub loss_1s: Option<f64>,
    /// The largest energy above that of the start, in M g L/2.
    pub gain: f64,
}

/// A swing has turned round when it has gone back by this part of the way: a flutter is no turn.
const TURNED: f64 = 0.05;

impl Course {
    /// The figures.
    pub fn figures(&self) -> Figures {
        let lowest = self.turn(0, |height| -height, 0.0);
        let rebound = lowest.map(|(at, _)| {
            let (start, low) = (self.moments[0].height, self.moments[at].height);
            // Where the run ends before the cloth turns again, the rebound is as far as it got.
            let turned = self.turn(at, |height| height, TURNED * (start - low));
            let end = turned.map_or(self.moments.len(), |(at, _)| at + 1);
            let highest = self.moments[at..end].iter().fold(low, |most, moment| most.max(moment.height));
            (highest - low) / (start - low)
        });
        let gain = self.moments.iter().fold(0.0, |most: f64, moment| most.max(moment.energy));
        let loss_1s = self.energy_at(1.0).map(|energy| -energy);
        Figures { lowest_s: lowest.map(|(_, time)| time), rebound, loss_1s, gain }
    }

    /// Where the way up (by `upwards` of the height) from moment `from` on turns round, by more than `least` and a part
    /// of the way: the moment, and the time between moments, of the parabola through it and its neighbours.
    fn turn(&self, from: usize, upwards: impl Fn(f64) -> f64, least: f64) -> Option<(usize, f64)> {
        let way = |i: usize| upwards(self.moments[i].height);
        let mut most = from;
        for i in from..self.moments.len() {
            if way(i) > way(most) {
                most = i;
            }
            let back = way(most) - way(i);
            if most > from && back > least.max(TURNED * (way(most) - way(from))) {
                let [a, b, c] = [most - 1, most, most + 1].map(way);
                let apart = self.moments[most + 1].time - self.moments[most].time;
                let shift = 0.5 * (a - c) / (a - 2.0 * b + c);
                return Some((most, self.moments[most].time + apart * shift));
            }
        }
        None
    }

    fn energy_at(&self, time: f64) -> Option<f64> {
        let after = self.moments.iter().position(|moment| moment.time >= time - 1e-9)?;
        Some(self.moments[after].energy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turns_of_a_damped_oscillation_are_found_between_moments() {
        let moment = |i: u32| {
            let time = f64::from(i) / 60.0;
            let height = -1.0 + (-0.1 * time).exp() * (2.0 * time).cos() + 1e-3 * (200.0 * time).sin();
            Moment { time, height, energy: 0.05 * time.sin() - 0.01 * time }
        };
        let course = Course { moments: (0..600).map(moment).collect() };
        let figures = course.figures();
        // The undisturbed curve turns at tan 2t = −0.05; the flutter of 1 mm shifts it a little.
        let turn = 0.5 * (std::f64::consts::PI - 0.05f64.atan());
        assert!((figures.lowest_s.unwrap() - turn).abs() < 0.01, "{figures:?}");
        let [low, high] = [0.1 * turn, 0.2 * turn].map(|decay| (-decay).exp());
        let ratio = (high + low) / (1.0 + low);
        assert!((figures.rebound.unwrap() - ratio).abs() < 0.01, "{figures:?} {ratio}");
        assert!((figures.loss_1s.unwrap() - (0.01 - 0.05 * 1f64.sin())).abs() < 1e-12);
        assert!((figures.gain - 0.0366).abs() < 2e-3, "{figures:?}");
    }

    #[test]
    fn what_only_falls_has_no_lowest_point() {
        let moments =
            (0..90).map(|i| Moment { time: f64::from(i) / 60.0, height: -f64::from(i), energy: -1.0 });
        let figures = Course { moments: moments.collect() }.figures();
        assert_eq!((figures.lowest_s, figures.rebound, figures.loss_1s), (None, None, Some(1.0)));
        assert_eq!(figures.gain, 0.0);
    }
}
