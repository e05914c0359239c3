//! Moving, turning, renumbering or carrying along the whole scene does so with the result, and doubling all lengths
//! doubles it.
//!
//! Differences are counted in units in the last place of the largest coordinate. A scene that is moved or turned is
//! rounded otherwise in every operation, and what was rounded goes on as a velocity: over n steps some n^1.5 units, which
//! a cloth that buckles enlarges. So runs are short, and bounds say how much more is allowed.

use glam::{Vec3, vec3};

use crate::case::{Case, Method};
use crate::meshes::{Shape, noise};
use crate::open::SENSITIVE;
use crate::product::{Figure, Product, unit_in_last_place};
use crate::rest::FABRICS;
use crate::scene::{Scene, turned};

/// Frames of a run.
const FRAMES: usize = 3;

/// The largest distance between two results in units in the last place of the largest coordinate, and that unit in metres.
fn apart(ours: &[Vec3], expected: &[Vec3]) -> (f64, f64) {
    let coordinate = ours.iter().chain(expected).map(|p| p.abs().max_element()).fold(0.0, f32::max);
    let unit = unit_in_last_place(coordinate);
    let off = |(a, b): (&Vec3, &Vec3)| f64::from((*a - *b).abs().max_element()) / unit;
    let largest =
        ours.iter().zip(expected).map(off).fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a });
    (largest, unit)
}

/// The largest distance between two results, or what is wrong with it.
fn compared(case: &Case, ours: &[Vec3], expected: &[Vec3]) -> Result<f64, String> {
    let (largest, unit) = apart(ours, expected);
    within(largest, unit, allowed(case, unit))
}

fn within(largest: f64, unit: f64, allowed: f64) -> Result<f64, String> {
    match largest <= allowed {
        true => Ok(largest),
        false => Err(format!("off by {largest} units of {unit:.1e} m, allowed are {allowed}")),
    }
}

/// Units of the last place (`unit` metres) that may lie between two runs.
///
/// Rounding makes some n^1.5 of them in n steps, and cloth that buckles more: two hundred times as many,
/// chosen after looking at results and not derived. Where constraints hold up to a tolerance, a unit more or less decides
/// whether another pass is made. Then that share of the cloth's size lies between the places, since all edges of a row across
/// it may be longer by the tolerance or not; and as much between the ways in each frame, since velocities are settled only until
/// they would strain a constraint by the tolerance within 1/60 s.
fn allowed(case: &Case, unit: f64) -> f64 {
    let (low, high) = Scene::thrown(case).mesh.bounds().unwrap();
    let size = f64::from((high - low).max_element());
    let share = if case.method.has_tolerance() { 0.01 * (1 + FRAMES) as f64 } else { 0.0 };
    200.0 * ((FRAMES as u32 * case.substeps) as f64).powf(1.5) + share * size / unit
}

fn hold(law: &str, check: fn(&Case) -> Figure) {
    let (shapes, substeps, levels) = (&Shape::ALL, &[1, 3, 10], &[8, 3, 1]);
    let product = Product { methods: &Method::CPU, fabrics: &FABRICS, shapes, substeps, levels, sample: 24 };
    product.hold_everywhere(law, check);
}

/// The scene begins with coordinates that both places can hold, so that going there rounds nothing. What the rounding of a
/// start does is another matter: held at two points, a skirt of 50 m crumples within three frames, and a start that is
/// rounded to units of the last place gave results 5 to 57 cm apart, at the same place as well as moved.
fn moves(case: &Case) -> Figure {
    let by = vec3(4.0, -2.0, 8.0);
    let scene = Scene::held(case).moved(by).moved(-by);
    let expected: Vec<Vec3> = scene.run(case, FRAMES)?.iter().map(|p| *p + by).collect();
    Ok(compared(case, &scene.moved(by).run(case, FRAMES)?, &expected))
}

fn turns(case: &Case) -> Figure {
    let scene = Scene::held(case);
    let expected: Vec<Vec3> = scene.run(case, FRAMES)?.iter().map(|p| turned(*p)).collect();
    Ok(compared(case, &scene.turned().run(case, FRAMES)?, &expected))
}

/// Cloth is put in an order of its own, so on a CPU not a bit differs.
fn is_renumbered(case: &Case) -> Figure {
    let scene = Scene::held(case);
    let expected = scene.run(case, FRAMES)?;
    let (scene, new) = scene.renumbered();
    let ours = scene.run(case, FRAMES)?;
    let ours: Vec<Vec3> = new.iter().map(|&v| ours[v as usize]).collect();
    let (largest, unit) = apart(&ours, &expected);
    Ok(within(largest, unit, if case.method.on_gpu() { allowed(case, unit) } else { 0.0 }))
}

fn is_carried(case: &Case) -> Figure {
    let by = vec3(3.0, -1.0, 2.0);
    let scene = Scene::thrown(case);
    let way = by * (FRAMES as f32 / 60.0);
    let expected: Vec<Vec3> = scene.run(case, FRAMES)?.iter().map(|p| *p + way).collect();
    Ok(compared(case, &scene.carried(by).run(case, FRAMES)?, &expected))
}

fn doubles(case: &Case) -> Figure {
    let scene = Scene::held(case);
    let expected: Vec<Vec3> = scene.run(case, FRAMES)?.iter().map(|p| *p * 2.0).collect();
    Ok(compared(case, &scene.doubled().run(case, FRAMES)?, &expected))
}

/// All of a small product, as part of the sample: what was broken once.
fn hold_all(law: &str, methods: &[Method], shapes: &[Shape], check: fn(&Case) -> Figure) {
    let product = Product {
        methods,
        fabrics: &["cotton", "leather", "stiff"],
        shapes,
        substeps: &[1],
        levels: &[1],
        sample: 60,
    };
    product.hold(law, check);
}

/// Skirts and slivers are made of quads, whose diagonals impulses leave alone. The law lost them once, not the solver.
#[test]
fn renumbered_quads_are_the_same_quads() {
    let shapes = [Shape::Skirt, Shape::Slivers, Shape::Huge];
    hold_all("renumbered quads", &[Method::Impulses, Method::LinearSystem], &shapes, is_renumbered);
}

/// Passes that set out from where a solution of the linear system had made strains worse took particles 5 to 30 cm away, by
/// chance.
#[test]
fn a_constant_velocity_does_not_change_a_nearly_singular_system() {
    hold_all(
        "carried, nearly singular",
        &[Method::LinearSystem],
        &[Shape::Shirt, Shape::Creature],
        is_carried,
    );
}

/// What differed by up to 0.57 m was not moved otherwise, but had begun otherwise.
#[test]
fn moving_a_huge_scene_moves_the_result() {
    let methods = [Method::FullApproximation, Method::Sawtooth, Method::PositionBased, Method::Gather];
    hold_all("moved, huge", &methods, &[Shape::Huge], moves);
}

/// Half a unit in the last place more or less at the start is worse than what is excused.
#[test]
fn what_is_sensitive_is_so_in_place() {
    for (law, case) in SENSITIVE {
        let scene = if law == "carried" { Scene::thrown(&case) } else { Scene::held(&case) };
        let expected = scene.run(&case, FRAMES).unwrap();
        let (_, unit) = apart(&expected, &expected);
        let (allowed, places) = (allowed(&case, unit), scene.mesh.positions.len());
        let off = |seed: usize| {
            let half = |number: usize| 0.5 * unit as f32 * noise(3 * places * seed + number).signum();
            let mut other = scene.clone();
            for (v, p) in other.mesh.positions.iter_mut().enumerate() {
                *p += vec3(half(3 * v), half(3 * v + 1), half(3 * v + 2));
            }
            apart(&other.run(&case, FRAMES).unwrap(), &expected).0
        };
        let largest = (1..9).map(off).fold(0.0, f64::max);
        println!("{law} {case:?}: off by {largest} units in place, {allowed} are allowed");
        assert!(largest > allowed, "{law} {case:?}: off by {largest} units only, so this is no excuse");
    }
}

#[test]
fn moving_the_scene_moves_the_result() {
    hold("moved", moves);
}

#[test]
fn turning_the_scene_turns_the_result() {
    hold("turned", turns);
}

#[test]
fn renumbering_the_scene_renumbers_the_result() {
    hold("renumbered", is_renumbered);
}

#[test]
fn a_constant_velocity_changes_nothing() {
    hold("carried", is_carried);
}

#[test]
fn doubling_all_lengths_doubles_the_result() {
    hold("doubled", doubles);
}
