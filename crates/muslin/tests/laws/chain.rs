//! A chain in steps of first order whose constraints are solved exactly: what a swing loses by its step alone.
//!
//! Each step moves points by their velocities (symplectic Euler), puts them where all links have their length again, with the
//! least change in the metric of the masses, and takes velocities from where they went. Solvers of this form can lose less only by
//! not holding their constraints.

/// Links.
const LINKS: usize = 40;
const GRAVITY: f64 = 9.81;

/// What a level chain of a length (metres) that is let go has lost after so many seconds, in units of M g L/2.
pub fn loss(length: f64, seconds: f64, step: f64) -> f64 {
    let link = length / LINKS as f64;
    // The last point stands for half a link.
    let inverse = |i: usize| if i == LINKS { 2.0 } else { 1.0 };
    let mut places: Vec<[f64; 2]> = (0..=LINKS).map(|i| [i as f64 * link, 0.0]).collect();
    let mut velocities = vec![[0.0; 2]; LINKS + 1];
    // As Muslin's, velocities are those of the middle of a step: the first falls by half of what the others gain.
    let mut gained = 0.5 * GRAVITY * step;
    for _ in 0..(seconds / step).round() as usize {
        let before = places.clone();
        for (place, velocity) in places.iter_mut().zip(&mut velocities).skip(1) {
            velocity[1] -= gained;
            *place = [place[0] + step * velocity[0], place[1] + step * velocity[1]];
        }
        gained = GRAVITY * step;
        project(&mut places, link, inverse);
        for i in 1..=LINKS {
            velocities[i] = [0, 1].map(|k| (places[i][k] - before[i][k]) / step);
        }
    }
    let (mut energy, mut mass) = (0.0, 0.0);
    for i in 1..=LINKS {
        let m = 1.0 / inverse(i);
        let [u, v] = velocities[i];
        energy += m * (0.5 * (u * u + v * v) + GRAVITY * places[i][1]);
        mass += m;
    }
    -energy / (mass * GRAVITY * 0.5 * length)
}

/// Newton's method for all links at once; the first point is held.
fn project(places: &mut [[f64; 2]], link: f64, inverse: impl Fn(usize) -> f64) {
    for _ in 0..50 {
        let along: Vec<[f64; 2]> =
            places.windows(2).map(|p| [p[1][0] - p[0][0], p[1][1] - p[0][1]]).collect();
        let lengths: Vec<f64> = along.iter().map(|d| d[0].hypot(d[1])).collect();
        let n = |i: usize| [along[i][0] / lengths[i], along[i][1] / lengths[i]];
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let w = |i: usize| if i == 0 { 0.0 } else { inverse(i) };
        // Row i: (w_i + w_{i+1}) λ_i − w_i n_{i−1}·n_i λ_{i−1} − w_{i+1} n_i·n_{i+1} λ_{i+1} = stretch, by elimination.
        let (mut diagonal, mut right) = (vec![0.0; LINKS], vec![0.0; LINKS]);
        for i in 0..LINKS {
            (diagonal[i], right[i]) = (w(i) + w(i + 1), lengths[i] - link);
            if i > 0 {
                let beside = -w(i) * dot(n(i - 1), n(i));
                let factor = beside / diagonal[i - 1];
                diagonal[i] -= factor * beside;
                right[i] -= factor * right[i - 1];
            }
        }
        let mut next = 0.0;
        for i in (0..LINKS).rev() {
            let beside = if i + 1 < LINKS { -w(i + 1) * dot(n(i), n(i + 1)) } else { 0.0 };
            next = (right[i] - beside * next) / diagonal[i];
            let [x, y] = n(i).map(|n| next * n);
            places[i] = [places[i][0] + w(i) * x, places[i][1] + w(i) * y];
            places[i + 1] = [places[i + 1][0] - w(i + 1) * x, places[i + 1][1] - w(i + 1) * y];
        }
        if lengths.iter().all(|length| (length - link).abs() < 1e-10) {
            return;
        }
    }
}

/// First order: half the step loses half, until the end of the chain whips.
#[test]
fn the_loss_of_the_chain_goes_with_the_step() {
    for substeps in [1, 3, 10, 30, 100] {
        println!(
            "2 m, {substeps} substeps: {:.3} in a second",
            loss(2.0, 1.0, 1.0 / 60.0 / f64::from(substeps))
        );
    }
    let [long, short] = [16, 32].map(|steps| loss(1.0, 0.3, 1.0 / 60.0 / f64::from(steps)));
    assert!(long > 0.0 && (1.9..2.1).contains(&(long / short)), "{long} {short}");
}
