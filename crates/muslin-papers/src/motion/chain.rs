//! An inextensible chain: the exact reference of a cloth that swings from one edge.
//!
//! Input: masses at the ends of links of one length, the first of which is held. Output: their motion in a plane,
//! under gravity and nothing else.
//!
//! Link i has the angle θ_i below the horizontal, along t_i = (cos θ_i, −sin θ_i), across n_i = (−sin θ_i, −cos θ_i), so
//! that d t_i/dt = ω_i n_i. Its tension λ_i pulls the mass at its end back along t_i and the mass at its start forward:
//!
//!   a_i = g + (λ_{i+1} t_{i+1} − λ_i t_i)/m_i,  a_0 = 0
//!
//! The link keeps its length l: t_i·(a_i − a_{i−1}) = −l ω_i². These are as many equations as tensions, each with three
//! of them: a tridiagonal system. What is left of a_i − a_{i−1} turns the link: l dω_i/dt = n_i·(a_i − a_{i−1}). Angles
//! are the whole state, so nothing drifts, and there is nothing to project; Runge-Kutta's classical step does the rest.

/// m/s².
pub const GRAVITY: f64 = 9.81;

/// A chain that hangs from its first point.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Metres.
    link: f64,
    /// Masses of the points after the first, kg. The first is held, and its mass is nowhere here.
    masses: Vec<f64>,
    /// How far each link points below the horizontal, radians.
    angles: Vec<f64>,
    /// rad/s.
    rates: Vec<f64>,
}

/// Energies in joules, those of gravity counted from the point that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainEnergy {
    /// ½ m v².
    pub kinetic: f64,
    /// Work against gravity.
    pub gravity: f64,
}

impl Chain {
    /// A chain of these masses (kg) at the ends of links of one length (metres), straight and at rest at an angle below
    /// the horizontal.
    pub fn straight(link: f64, masses: Vec<f64>, angle: f64) -> Self {
        Self { link, angles: vec![angle; masses.len()], rates: vec![0.0; masses.len()], masses }
    }

    /// A level chain that stands for a cloth of one kilogram: each link's mass is halved between its ends, as a cloth's
    /// triangles hand theirs to their corners. Half a link's mass is held with the first point.
    pub fn level(length: f64, links: usize) -> Self {
        let of_link = 1.0 / links as f64;
        let mut masses = vec![of_link; links];
        if let Some(last) = masses.last_mut() {
            *last = 0.5 * of_link;
        }
        Self::straight(length / links as f64, masses, 0.0)
    }

    /// The angles of the links below the horizontal, radians.
    pub fn angles(&self) -> &[f64] {
        &self.angles
    }

    /// Goes on by `dt` seconds.
    pub fn step(&mut self, dt: f64) {
        let (angles, rates) = (self.angles.clone(), self.rates.clone());
        let at = |offset: f64, slope: &[Vec<f64>; 2]| {
            let moved = |from: &[f64], by: &[f64]| from.iter().zip(by).map(|(x, d)| x + offset * d).collect();
            [moved(&angles, &slope[0]), moved(&rates, &slope[1])]
        };
        let first = self.slope(&angles, &rates);
        let [a, r]: [Vec<f64>; 2] = at(0.5 * dt, &first);
        let second = self.slope(&a, &r);
        let [a, r] = at(0.5 * dt, &second);
        let third = self.slope(&a, &r);
        let [a, r] = at(dt, &third);
        let fourth = self.slope(&a, &r);
        let mean = |k: usize, i: usize| {
            dt / 6.0 * (first[k][i] + 2.0 * second[k][i] + 2.0 * third[k][i] + fourth[k][i])
        };
        for i in 0..self.masses.len() {
            self.angles[i] += mean(0, i);
            self.rates[i] += mean(1, i);
        }
    }

    /// The rates of angles and of rates.
    fn slope(&self, angles: &[f64], rates: &[f64]) -> [Vec<f64>; 2] {
        let links = self.masses.len();
        let along: Vec<[f64; 2]> = angles.iter().map(|angle| [angle.cos(), -angle.sin()]).collect();
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let inverse = |i: usize| 1.0 / self.masses[i];
        // Row i: below λ_{i−1} + diagonal λ_i + above λ_{i+1} = right. Gravity moves all points alike but the held one.
        let below = |i: usize| if i == 0 { 0.0 } else { inverse(i - 1) * dot(along[i], along[i - 1]) };
        let diagonal = |i: usize| -inverse(i) - if i == 0 { 0.0 } else { inverse(i - 1) };
        let above = |i: usize| if i + 1 == links { 0.0 } else { inverse(i) * dot(along[i], along[i + 1]) };
        let right = |i: usize| {
            let fall = if i == 0 { -GRAVITY * along[0][1] } else { 0.0 };
            -self.link * rates[i] * rates[i] - fall
        };
        let tensions = solve_tridiagonal(links, below, diagonal, above, right);
        let pull = |i: usize| [tensions[i] * along[i][0], tensions[i] * along[i][1]];
        let mut turning = Vec::with_capacity(links);
        let mut before = [0.0, 0.0];
        for (i, direction) in along.iter().enumerate() {
            let next = if i + 1 == links { [0.0, 0.0] } else { pull(i + 1) };
            let own = pull(i);
            let now = [(next[0] - own[0]) * inverse(i), (next[1] - own[1]) * inverse(i) - GRAVITY];
            let across = [direction[1], -direction[0]];
            turning.push(dot(across, [now[0] - before[0], now[1] - before[1]]) / self.link);
            before = now;
        }
        [rates.to_vec(), turning]
    }

    /// Kinetic energy and that of gravity.
    pub fn energy(&self) -> ChainEnergy {
        let mut energy = ChainEnergy { kinetic: 0.0, gravity: 0.0 };
        let (mut height, mut velocity) = (0.0, [0.0, 0.0]);
        for ((angle, rate), mass) in self.angles.iter().zip(&self.rates).zip(&self.masses) {
            height -= self.link * angle.sin();
            velocity[0] -= self.link * rate * angle.sin();
            velocity[1] -= self.link * rate * angle.cos();
            energy.kinetic += 0.5 * mass * (velocity[0] * velocity[0] + velocity[1] * velocity[1]);
            energy.gravity += mass * GRAVITY * height;
        }
        energy
    }
}

/// Thomas's algorithm: a system whose rows have a diagonal and a neighbour on each side.
fn solve_tridiagonal(
    rows: usize,
    below: impl Fn(usize) -> f64,
    diagonal: impl Fn(usize) -> f64,
    above: impl Fn(usize) -> f64,
    right: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let (mut factors, mut solution) = (vec![0.0; rows], vec![0.0; rows]);
    let (mut factor, mut value) = (0.0, 0.0);
    for i in 0..rows {
        let pivot = diagonal(i) - below(i) * factor;
        value = (right(i) - below(i) * value) / pivot;
        factor = above(i) / pivot;
        (factors[i], solution[i]) = (factor, value);
    }
    for i in (0..rows.saturating_sub(1)).rev() {
        solution[i] -= factors[i] * solution[i + 1];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, TAU};

    /// Seconds until the first link is vertical for the second time, coming from the same side as first: a period.
    fn period(mut chain: Chain, dt: f64) -> f64 {
        let mut crossings = Vec::new();
        let mut time = 0.0;
        while crossings.len() < 3 {
            let before = chain.angles()[0] - FRAC_PI_2;
            chain.step(dt);
            time += dt;
            let after = chain.angles()[0] - FRAC_PI_2;
            if before * after < 0.0 {
                crossings.push(time - dt * after / (after - before));
            }
        }
        crossings[2] - crossings[0]
    }

    /// T = 2π √(l/g), and the next term of its series in the amplitude, 1/16.
    #[test]
    fn one_link_is_a_pendulum() {
        for (length, amplitude) in [(0.5, 0.01), (2.0, 0.2)] {
            let swing = period(Chain::straight(length, vec![0.3], FRAC_PI_2 - amplitude), 1e-4);
            let small = TAU * (length / GRAVITY).sqrt();
            let series = small * (1.0 + amplitude * amplitude / 16.0);
            // The term after it is 11/3072 of the fourth power: 6e-6 here.
            assert!((swing / series - 1.0).abs() < 1e-5, "{length} m: {swing} instead of {series} s");
        }
    }

    /// The lowest mode of a heavy chain has the shape J0(j √(1 − s)) and ω = (j/2) √(g/L), with j = 2.404826 the first
    /// root of J0. A start in that shape swings at that frequency.
    #[test]
    fn a_hanging_chain_swings_in_its_lowest_mode() {
        const ROOT: f64 = 2.404_825_557_695_773;
        let bessel = |x: f64| {
            let (mut term, mut sum) = (1.0, 1.0);
            for k in 1..20 {
                term *= -0.25 * x * x / f64::from(k * k);
                sum += term;
            }
            sum
        };
        let links = 100;
        let mut chain = Chain::level(2.0, links);
        let shape = |s: usize| 1e-3 * bessel(ROOT * (1.0 - s as f64 / links as f64).sqrt());
        for (i, angle) in chain.angles.iter_mut().enumerate() {
            *angle = FRAC_PI_2 - (shape(i + 1) - shape(i)) / chain.link;
        }
        let expected = TAU / (0.5 * ROOT * (GRAVITY / 2.0).sqrt());
        let swing = period(chain, 1e-4);
        // Links in place of a rope: an error of the order of 1/links² or less.
        assert!((swing / expected - 1.0).abs() < 1e-3, "{swing} instead of {expected} s");
    }

    #[test]
    fn energy_stays_while_a_level_chain_falls_and_whips() {
        let mut chain = Chain::level(2.0, 40);
        assert_eq!(chain.energy(), ChainEnergy { kinetic: 0.0, gravity: 0.0 });
        let mut worst = 0.0f64;
        let mut deepest = 0.0f64;
        for _ in 0..20_000 {
            chain.step(1e-4);
            let ChainEnergy { kinetic, gravity } = chain.energy();
            worst = worst.max((kinetic + gravity).abs());
            deepest = deepest.min(gravity);
        }
        // All that the fall sets free is 9.81 J.
        assert!(deepest < -8.0 && worst < 1e-4, "{deepest} {worst}");
    }
}
