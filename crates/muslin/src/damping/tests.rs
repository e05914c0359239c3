//! What damping does to velocities, without a simulation around it.

use glam::{DVec3, Vec3, Vec4};

use super::Pieces;
use crate::execution::{Execution, Threads};
use crate::mesh::Topology;
use crate::mesh::generate::delaunay_rectangle;

/// Two sheets that do not touch, bent, of uneven masses, in no order of pieces.
fn sheets(pinned: impl Fn(Vec3) -> bool) -> (Topology, Vec<Vec4>) {
    let sheet = delaunay_rectangle(1.0, 1.5, 2500, 3).unwrap();
    let count = sheet.positions.len();
    let (even, odd) = (|v: u32| 2 * v, |v: u32| 2 * v + 1);
    let triangles: Vec<[u32; 3]> = sheet.triangles.iter().flat_map(|t| [t.map(even), t.map(odd)]).collect();
    let points = (0..2 * count).map(|v| {
        let flat = sheet.positions[v / 2];
        let place = Vec3::new(flat.x, flat.y, 0.2 * (3.0 * flat.y).sin()) + Vec3::X * (3.0 * (v % 2) as f32);
        place.extend(if pinned(flat) { 0.0 } else { 0.5 + (v % 5) as f32 * 0.25 })
    });
    (Topology::new(2 * count, &triangles), points.collect())
}

fn rigid(point: Vec4, centre: Vec3, velocity: Vec3, rotation: Vec3) -> Vec4 {
    (velocity + rotation.cross(point.truncate() - centre)).extend(0.0)
}

/// Velocities without any order, up to about 1 m/s.
fn wild(v: usize) -> Vec4 {
    let noise = |k: u32| (f64::from((v as u32).wrapping_mul(k) % 1009) / 504.5 - 1.0) as f32;
    Vec4::new(noise(7919), noise(104_729), noise(1_299_709), 0.0)
}

/// Linear and angular momentum of the first or the second sheet, and its kinetic energy.
fn totals(points: &[Vec4], velocities: &[Vec4], sheet: usize) -> (DVec3, DVec3, f64) {
    let own = points.iter().zip(velocities).skip(sheet).step_by(2).filter(|(point, _)| point.w > 0.0);
    own.fold((DVec3::ZERO, DVec3::ZERO, 0.0), |(linear, angular, energy), (point, velocity)| {
        let velocity = velocity.truncate().as_dvec3();
        let momentum = velocity / f64::from(point.w);
        let moment = point.truncate().as_dvec3().cross(momentum);
        (linear + momentum, angular + moment, energy + 0.5 * momentum.dot(velocity))
    })
}

#[test]
fn rigid_motion_of_each_piece_is_not_damped() {
    let (topology, points) = sheets(|_| false);
    let motions = [(Vec3::new(1.0, -9.0, 0.5), Vec3::new(3.0, 1.0, -2.0)), (Vec3::Z * 4.0, Vec3::Y * -6.0)];
    let of = |v: usize| rigid(points[v], Vec3::splat(0.4), motions[v % 2].0, motions[v % 2].1);
    let before: Vec<Vec4> = (0..points.len()).map(of).collect();
    let mut after = before.clone();
    Pieces::new(&topology).approach(&points, &mut after, 1.0, Execution::default());
    let change = before.iter().zip(&after).map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max);
    // Speeds of 20 m/s have units in the last place of 2e-6.
    assert!(change < 8e-6, "{change}");
}

#[test]
fn momentum_stays_and_energy_falls() {
    let (topology, points) = sheets(|_| false);
    let before: Vec<Vec4> = (0..points.len()).map(wild).collect();
    for share in [0.01, 0.5, 1.0] {
        let mut after = before.clone();
        Pieces::new(&topology).approach(&points, &mut after, share, Execution::default());
        for sheet in [0, 1] {
            let (one, other) = (totals(&points, &before, sheet), totals(&points, &after, sheet));
            let masses: f64 =
                points.iter().skip(sheet).step_by(2).map(|point| 1.0 / f64::from(point.w)).sum();
            // Each velocity is rounded to 6e-8 of 1 m/s at most, places reach to 5 m.
            assert!((one.0 - other.0).length() < 6e-8 * masses, "{share}: {}", one.0 - other.0);
            assert!((one.1 - other.1).length() < 3e-7 * masses, "{share}: {}", one.1 - other.1);
            assert!(other.2 < one.2, "{share}: {} J, then {}", one.2, other.2);
        }
    }
}

#[test]
fn pinned_cloth_turns_about_its_pins_and_nothing_else_is_rigid() {
    let (topology, points) = sheets(|flat| flat.y > 1.499);
    let line = Vec3::new(0.0, 1.5, points.iter().find(|point| point.w == 0.0).unwrap().z);
    let turning = |v: usize| rigid(points[v], line, Vec3::ZERO, Vec3::X * 2.0);
    let sideways = |v: usize| if points[v].w > 0.0 { Vec4::X } else { Vec4::ZERO };
    let left = |of: &dyn Fn(usize) -> Vec4| {
        let mut velocities: Vec<Vec4> = (0..points.len()).map(of).collect();
        let before = totals(&points, &velocities, 0).2;
        Pieces::new(&topology).approach(&points, &mut velocities, 1.0, Execution::default());
        totals(&points, &velocities, 0).2 / before
    };
    assert!((left(&turning) - 1.0).abs() < 1e-6, "{}", left(&turning));
    // Pins weigh a thousand times the rest. They give way by a thousandth, and turn by 12 · 0.75 thousandths: the
    // moment of the sheet, 0.75 M, over that of its metre of pins, 1000 M/12. That is 1.4 cm/s at the lower edge.
    assert!(left(&sideways) < 2e-4, "{}", left(&sideways));
}

#[test]
fn threads_change_no_bit() {
    let (topology, points) = sheets(|flat| flat.x < 0.1 && flat.y > 1.4);
    let damped = |threads: &Threads| {
        let mut velocities: Vec<Vec4> = (0..points.len()).map(wild).collect();
        let execution = Execution { threads, ..Execution::default() };
        Pieces::new(&topology).approach(&points, &mut velocities, 0.3, execution);
        velocities
    };
    let one = damped(&Threads::one());
    for threads in [2, 3, 7] {
        assert_eq!(damped(&Threads::shared(threads).unwrap()), one, "{threads} threads");
    }
}

#[test]
fn points_and_lines_have_motions_too() {
    let topology = Topology::new(4, &[[1, 2, 3]]);
    let points: Vec<Vec4> = (0..4).map(|v| Vec4::new(v as f32, 0.0, 0.0, 1.0)).collect();
    let before: Vec<Vec4> =
        points.iter().map(|&point| rigid(point, Vec3::X, Vec3::Y, Vec3::Z * 2.0)).collect();
    let mut after = before.clone();
    Pieces::new(&topology).approach(&points, &mut after, 1.0, Execution::default());
    assert!(before.iter().zip(&after).all(|(a, b)| (*a - *b).length() < 1e-5), "{after:?}");
}
