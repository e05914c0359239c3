//! Forces on single triangles, gusts, and what is booked.

use super::*;
use crate::mesh::Topology;
use crate::mesh::generate::delaunay_rectangle;

/// The force on a triangle of half a square metre in the x-y plane.
fn push(wind: &Wind, relative: Vec3, dt_per_mass: f32) -> Vec3 {
    super::push(wind, V3::from(Vec3::Z), relative.into(), dt_per_mass).into()
}

#[test]
fn a_triangle_square_to_the_wind_feels_pure_drag() {
    let wind = Wind::default();
    let force = push(&wind, Vec3::new(0.0, 0.0, 4.0), 0.0);
    let expected = 0.5 * 1.225 * 16.0 * 0.5 * 1.2;
    assert!((force - Vec3::new(0.0, 0.0, expected)).length() < 1e-4);
    assert_eq!(push(&wind, Vec3::X * 4.0, 0.0), Vec3::ZERO);
}

#[test]
fn lift_is_across_the_wind() {
    let wind = Wind { drag: 0.0, ..Wind::default() };
    let relative = Vec3::new(1.0, 0.0, 1.0);
    assert!(push(&wind, relative, 0.0).dot(relative).abs() < 1e-6);
}

#[test]
fn light_cloth_never_overtakes_the_wind() {
    let force = push(&Wind::default(), Vec3::Z * 30.0, 1e4);
    assert!(force.length() * 1e4 <= 30.0);
}

#[test]
fn gusts_are_bounded_smooth_and_repeatable() {
    let wind = Wind::blowing(Vec3::X * 5.0);
    for i in 0..200 {
        let place = Vec3::new(i as f32 * 0.1, 0.3, -0.2);
        let v = wind.velocity_at(place.as_dvec3(), 1.0);
        assert!((v - wind.velocity).abs().max_element() <= 0.33 * 5.0 + 1e-5);
        assert!((v - wind.velocity_at((place + Vec3::splat(1e-3)).as_dvec3(), 1.0)).length() < 0.05);
        assert_eq!(v, wind.velocity_at(place.as_dvec3(), 1.0));
    }
}

/// What a world books is what the cloth got.
#[test]
fn the_impulse_is_the_change_of_momentum() {
    let mesh = delaunay_rectangle(1.0, 1.0, 300, 5).unwrap();
    let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
    let bent = |p: &Vec3| (*p + Vec3::Z * 0.3 * (4.0 * p.x).sin()).extend(1.0);
    let points: Vec<Vec4> = mesh.positions.iter().map(bent).collect();
    let masses: Vec<f32> = (0..points.len()).map(|v| 1e-4 * (1 + v % 3) as f32).collect();
    let inverse: Vec<f32> = masses.iter().map(|mass| 1.0 / mass).collect();
    let before: Vec<Vec4> = points.iter().map(|p| Vec4::new(p.y, -p.x, 2.0 * p.y, 0.0)).collect();
    let mut state = State { points, velocities: before.clone(), ..State::default() };
    let mut force = WindForce::new(&mesh.triangles, &inverse);
    let wind = Wind::blowing(Vec3::new(2.0, 1.0, -3.0));
    force.apply(&wind, &topology.vertex_triangles, &mut state, 0.01, Execution::default());
    let mut change = Momentum::default();
    for (v, mass) in masses.iter().enumerate() {
        let linear = (state.velocities[v] - before[v]).truncate().as_dvec3() * f64::from(*mass);
        change = change + Momentum { linear, angular: state.points[v].truncate().as_dvec3().cross(linear) };
    }
    let impulse = force.impulse(&mesh.triangles, &state.points, f64::from(0.01f32));
    let off = impulse - change;
    assert!(impulse.linear.length() > 1e-3 && impulse.angular.length() > 1e-4, "{impulse:?}");
    assert!(off.linear.length() < 1e-6 * impulse.linear.length(), "{off:?} of {impulse:?}");
    assert!(off.angular.length() < 1e-5 * impulse.angular.length(), "{off:?} of {impulse:?}");
}
