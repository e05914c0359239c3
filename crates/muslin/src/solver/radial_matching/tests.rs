//! Goals, momentum, and what a region does not resist.

use glam::{DVec3, Vec3};

use super::region::Region;
use crate::cloth::{Cloth, Damping, Material, TetherChoice};
use crate::mesh::generate;
use crate::solver::{RadialMatching, RadialRegions, RadialUpdate, SolverConfig};
use crate::{Settings, Simulation};

const REST: [DVec3; 3] = [DVec3::ZERO, DVec3::new(0.03, 0.0, 0.0), DVec3::new(0.01, 0.02, 0.005)];
const BENT: [Vec3; 3] =
    [Vec3::new(1.001, 2.0, 0.002), Vec3::new(1.04, 2.01, 0.0), Vec3::new(1.0, 2.021, 0.013)];
const MASSES: [[f64; 3]; 3] = [[1.0; 3], [1.0, 2.5, 0.3], [4.0, 1.0, 1.0]];

fn add<const N: usize>(x: [Vec3; N], changes: [Vec3; N]) -> [Vec3; N] {
    std::array::from_fn(|i| x[i] + changes[i])
}

fn centre<const N: usize>(x: [Vec3; N], shares: [f32; N]) -> DVec3 {
    x.iter().zip(shares).map(|(x, share)| x.as_dvec3() * f64::from(share)).sum()
}

/// The largest relative error of the distances to the centre.
fn error<const N: usize>(region: &Region<N>, x: [Vec3; N]) -> f64 {
    let centre = centre(x, region.shares);
    let off = |i: usize| {
        let rest = f64::from(region.distances[i]);
        if rest == 0.0 { 0.0 } else { (x[i].as_dvec3().distance(centre) / rest - 1.0).abs() }
    };
    (0..N).map(off).fold(0.0, f64::max)
}

#[test]
fn an_edge_has_its_length_after_one_projection() {
    for (masses, free) in [
        ([1.0, 1.0], [true; 2]),
        ([1.0, 7.0], [true; 2]),
        ([f64::INFINITY, 1.0], [false, true]),
        ([2.0, f64::INFINITY], [true, false]),
    ] {
        let region = Region::new([REST[0], REST[1]], masses);
        let before = [BENT[0], BENT[1]];
        let after = add(before, region.correction(before, free));
        assert!((after[0].distance(after[1]) - 0.03).abs() < 1e-6, "{masses:?}: {after:?}");
        for i in 0..2 {
            assert!(free[i] || after[i] == before[i]);
        }
    }
}

/// The goal itself is at the rest distance from the old centre; moving all goals by T keeps the centre.
#[test]
fn goals_are_at_the_rest_distances_from_the_centre() {
    for masses in MASSES {
        let region = Region::new(REST, masses);
        let centre = centre(BENT, region.shares);
        let goals = add(BENT, region.correction(BENT, [true; 3])).map(|goal| goal.as_dvec3());
        // T is the same for all three: it is known from what the first lacks.
        let radial = |i: usize| {
            let spoke = BENT[i].as_dvec3() - centre;
            centre + spoke.normalize() * f64::from(region.distances[i])
        };
        let shift = goals[0] - radial(0);
        for (i, goal) in goals.into_iter().enumerate() {
            assert!((goal - shift - radial(i)).length() < 1e-6, "{masses:?}");
        }
    }
}

#[test]
fn a_triangle_that_kept_its_proportions_is_right_after_one_projection() {
    for masses in MASSES {
        let region = Region::new(REST, masses);
        let grown = REST.map(|x| (1.3 * x).as_vec3() + Vec3::new(0.5, 0.0, 1.0));
        let after = add(grown, region.correction(grown, [true; 3]));
        assert!(error(&region, after) < 1e-5, "{masses:?}: {}", error(&region, after));
    }
}

#[test]
fn with_fixed_corners_the_others_are_right_after_one_projection() {
    for fixed in [[true, false, false], [false, true, true]] {
        let region = Region::new(REST, fixed.map(|fixed| if fixed { f64::INFINITY } else { 1.0 }));
        let changes = region.correction(BENT, fixed.map(|fixed| !fixed));
        let after = add(BENT, changes);
        let centre = centre(after, region.shares);
        for i in 0..3 {
            let distance = after[i].as_dvec3().distance(centre);
            let off = (distance - f64::from(region.distances[i])).abs();
            assert!(if fixed[i] { changes[i] == Vec3::ZERO } else { off < 1e-6 }, "{fixed:?}, {i}: {off}");
        }
    }
}

/// Σ µ Δ = 0 and Σ µ r × Δ = 0, to the rounding of positions of 2 m.
#[test]
fn a_region_keeps_linear_and_angular_momentum() {
    for masses in MASSES {
        let region = Region::new(REST, masses);
        let changes = region.correction(BENT, [true; 3]).map(|change| change.as_dvec3());
        let share = |i: usize| f64::from(region.shares[i]);
        let linear: DVec3 = (0..3).map(|i| changes[i] * share(i)).sum();
        let centre = centre(BENT, region.shares);
        let angular: DVec3 = (0..3).map(|i| (BENT[i].as_dvec3() - centre).cross(changes[i]) * share(i)).sum();
        assert!(changes[0].length() > 1e-3, "there is something to do");
        assert!(linear.length() < 1e-9, "{masses:?}: {linear}");
        assert!(angular.length() < 2e-8 * 0.03, "{masses:?}: {angular}");
    }
}

/// Errata 1 says that a shear that keeps the distances is not resisted. Of a free triangle there is none: sheared
/// by a tenth, it finds its way back.
#[test]
fn a_sheared_free_triangle_comes_back_to_its_shape() {
    for masses in MASSES {
        let region = Region::new(REST, masses);
        let mut x = REST.map(|x| DVec3::new(x.x + 0.1 * x.y, x.y, x.z).as_vec3());
        assert!(error(&region, x) > 0.01, "a shear changes the distances");
        for _ in 0..200 {
            x = add(x, region.correction(x, [true; 3]));
        }
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let (now, rest) = (x[i].distance(x[j]), REST[i].distance(REST[j]) as f32);
            assert!((now / rest - 1.0).abs() < 1e-4, "{masses:?}, side {i}{j}: {now} {rest}");
        }
    }
}

/// With a fixed corner there is: the angle at it may be anything.
#[test]
fn a_shear_around_a_fixed_corner_meets_no_resistance() {
    let region = Region::new(REST, [f64::INFINITY, 1.0, 1.0]);
    let turn = glam::Quat::from_rotation_z(0.7);
    let x = REST.map(|x| x.as_vec3());
    let opened = [x[0], x[1], turn * x[2]];
    for change in region.correction(opened, [false, true, true]) {
        assert!(change.length() < 1e-8, "{change}");
    }
}

#[test]
fn points_without_a_direction_are_left_alone_and_nothing_is_lost() {
    let region = Region::new(REST, [1.0; 3]);
    let nowhere = region.correction([Vec3::ONE; 3], [true; 3]);
    assert_eq!(nowhere, [Vec3::ZERO; 3]);
    // The first corner lies in the centre of the two others.
    let line = region.correction([Vec3::ZERO, Vec3::X, -Vec3::X], [true; 3]);
    assert!(line.iter().all(|change| change.is_finite()), "{line:?}");
}

fn simulation(config: RadialMatching, columns: usize, pinned: bool, settings: Settings) -> Simulation {
    let mesh = generate::grid(columns, columns, 0.1, 0.1).unwrap();
    let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
    let mut builder = Cloth::builder(mesh).material(material).tethers(TetherChoice::Off);
    if pinned {
        builder = builder.pin_group("top");
    }
    let solver = SolverConfig::RadialMatching(config);
    let settings = Settings { time_step: 1e-3, substeps: 1, solver, ..settings };
    Simulation::new(builder.build().unwrap(), settings).unwrap()
}

/// A deformed start: every region has something to do.
fn deform(simulation: &mut Simulation) {
    let positions: Vec<Vec3> =
        simulation.positions().iter().map(|p| Vec3::new(1.05 * p.x, p.y + 0.1 * p.x, p.x * p.y)).collect();
    let velocities = vec![Vec3::ZERO; positions.len()];
    simulation.set_state(&positions, &velocities).unwrap();
}

#[test]
fn a_free_cloth_keeps_its_momentum_with_every_kind_of_region_and_update() {
    for regions in [RadialRegions::Triangles, RadialRegions::Edges, RadialRegions::Both] {
        for update in [RadialUpdate::Impulses, RadialUpdate::Positions] {
            let settings = Settings { gravity: Vec3::ZERO, ..Settings::default() };
            let mut simulation = simulation(RadialMatching { regions, update }, 9, false, settings);
            deform(&mut simulation);
            let mass = simulation.cloth().total_mass();
            let mut speed = 0.0f64;
            for _ in 0..100 {
                simulation.step().unwrap();
                speed = speed.max((2.0 * simulation.energy().kinetic / mass).sqrt());
            }
            let momentum = simulation.momentum();
            let (linear, angular) = (momentum.linear.length() / mass, momentum.angular.length() / mass);
            println!("{regions:?} {update:?}: {linear:.1e} m/s, {angular:.1e} m²/s, fastest {speed:.2} m/s");
            // Shares, 1/|R| and positions are rounded to 6e-8 of themselves, in each of a hundred steps.
            assert!(speed > 0.1, "{regions:?} {update:?}: it moves");
            assert!(linear < 1e-4 * speed, "{regions:?} {update:?}: {linear} {speed}");
            // Corrections are free of torque where they are measured: with positions that is x*, not the start.
            let bound = if update == RadialUpdate::Impulses { 1e-4 } else { 1e-2 };
            assert!(angular < bound * speed * 0.1, "{regions:?} {update:?}: {angular} {speed}");
        }
    }
}

/// The identity of the module's text: an impulse Δ(x*)/h before the integration is a correction of x*.
#[test]
fn impulses_measured_at_the_prediction_are_corrections_of_positions() {
    let config = |update| RadialMatching { regions: RadialRegions::Triangles, update };
    let mut positions = simulation(config(RadialUpdate::Positions), 5, true, Settings::default());
    deform(&mut positions);
    // The prediction by hand, and Δ(x*) from a step of impulses that starts there.
    let (start, gravity, h) = (positions.positions(), Settings::default().gravity, 1e-3);
    let still = vec![Vec3::ZERO; start.len()];
    let pins: Vec<u32> = positions.cloth().pinned_vertices().collect();
    let fixed = |v: usize| pins.contains(&(v as u32));
    let predicted: Vec<Vec3> =
        (0..start.len()).map(|v| if fixed(v) { start[v] } else { start[v] + gravity * h * h }).collect();
    let weightless = Settings { gravity: Vec3::ZERO, ..Settings::default() };
    let mut impulses = simulation(config(RadialUpdate::Impulses), 5, true, weightless);
    impulses.set_state(&predicted, &still).unwrap();
    impulses.step().unwrap();
    positions.step().unwrap();
    for (a, b) in positions.positions().iter().zip(impulses.positions()) {
        assert!((*a - b).length() < 2e-8, "{a} {b}");
    }
}

/// One edge on a pin, pulled to twice its length: impulses swing for ever, positions are right at once.
#[test]
fn impulses_oscillate_where_positions_do_not() {
    let longest = |update| {
        let settings = Settings { gravity: Vec3::ZERO, ..Settings::default() };
        let config = RadialMatching { regions: RadialRegions::Edges, update };
        let mut simulation = simulation(config, 1, true, settings);
        let stretched: Vec<Vec3> =
            simulation.positions().iter().map(|p| Vec3::new(p.x, 0.1 + 1.1 * (p.y - 0.1), 0.0)).collect();
        simulation.set_state(&stretched, &[Vec3::ZERO; 4]).unwrap();
        let mut largest = 0.0f64;
        for step in 0..400 {
            simulation.step().unwrap();
            if step >= 350 {
                largest = largest.max(simulation.strain().max_edge);
            }
        }
        largest
    };
    let (impulses, positions) = (longest(RadialUpdate::Impulses), longest(RadialUpdate::Positions));
    assert!(impulses > 0.02 && positions < 1e-3, "{impulses} {positions}");
}

#[test]
fn threads_do_not_change_the_bits() {
    for update in [RadialUpdate::Impulses, RadialUpdate::Positions] {
        let hash = |threads| {
            let settings = Settings { threads, ..Settings::default() };
            let config = RadialMatching { regions: RadialRegions::Both, update };
            let mut simulation = simulation(config, 70, true, settings);
            deform(&mut simulation);
            for _ in 0..50 {
                simulation.step().unwrap();
            }
            simulation.state_hash()
        };
        assert_eq!(hash(1), hash(2), "{update:?}");
        assert_eq!(hash(1), hash(7), "{update:?}");
    }
}
