//! Moving, turning, renumbering or carrying along the whole scene does so with the result, and doubling all lengths
//! doubles it.
//!
//! Differences are counted in units in the last place of the largest coordinate. A scene that is moved or turned is
//! rounded otherwise in every operation, and what was rounded goes on as a velocity: over n steps some n^1.5 units, which
//! a cloth that buckles enlarges. So runs are short, and bounds say how much more is allowed.

use glam::{Vec3, vec3};

use crate::case::{Case, Method};
use crate::meshes::Shape;
use crate::product::{Figure, Product, unit_in_last_place};
use crate::rest::FABRICS;
use crate::scene::{Scene, turned};

/// Frames of a run.
const FRAMES: usize = 3;

/// The largest distance between two results in units in the last place of the largest coordinate, or what is wrong.
fn compared(ours: &[Vec3], expected: &[Vec3], allowed: f64) -> Result<f64, String> {
    let coordinate = ours.iter().chain(expected).map(|p| p.abs().max_element()).fold(0.0, f32::max);
    let unit = unit_in_last_place(coordinate);
    let off = |(a, b): (&Vec3, &Vec3)| f64::from((*a - *b).abs().max_element()) / unit;
    let largest =
        ours.iter().zip(expected).map(off).fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a });
    match largest <= allowed {
        true => Ok(largest),
        false => Err(format!("off by {largest} units of {unit:.1e} m, allowed are {allowed}")),
    }
}

/// Units of the last place at a coordinate that may lie between two runs.
///
/// Rounding makes some n^1.5 of them in n steps, and cloth that buckles more: two hundred times as many,
/// chosen after looking at results and not derived. Where constraints hold up to a tolerance, a unit more or less decides
/// whether another pass is made. Then that share of the cloth's size, which has about the size of its largest coordinate,
/// lies between the places; and as much between the ways in each frame, since velocities are settled only until they would
/// strain a constraint by the tolerance within 1/60 s.
fn allowed(case: &Case) -> f64 {
    let share = if case.method.has_tolerance() { 0.01 * (1 + FRAMES) as f64 } else { 0.0 };
    200.0 * ((FRAMES as u32 * case.substeps) as f64).powf(1.5) + share * 2f64.powi(23)
}

fn hold(law: &str, check: fn(&Case) -> Figure) {
    let (shapes, substeps, levels) = (&Shape::ALL, &[1, 3, 10], &[8, 3, 1]);
    let product = Product { methods: &Method::CPU, fabrics: &FABRICS, shapes, substeps, levels, sample: 24 };
    product.hold_everywhere(law, check);
}

fn moves(case: &Case) -> Figure {
    let by = vec3(4.0, -2.0, 8.0);
    let scene = Scene::held(case);
    let expected: Vec<Vec3> = scene.run(case, FRAMES)?.iter().map(|p| *p + by).collect();
    // There the rest shape is rounded too, once per edge: some twenty edges across the cloth.
    Ok(compared(&scene.moved(by).run(case, FRAMES)?, &expected, 20.0 * allowed(case)))
}

fn turns(case: &Case) -> Figure {
    let scene = Scene::held(case);
    let expected: Vec<Vec3> = scene.run(case, FRAMES)?.iter().map(|p| turned(*p)).collect();
    Ok(compared(&scene.turned().run(case, FRAMES)?, &expected, allowed(case)))
}

fn is_renumbered(case: &Case) -> Figure {
    let scene = Scene::held(case);
    let expected = scene.run(case, FRAMES)?;
    let (scene, new) = scene.renumbered();
    let ours = scene.run(case, FRAMES)?;
    let ours: Vec<Vec3> = new.iter().map(|&v| ours[v as usize]).collect();
    Ok(compared(&ours, &expected, allowed(case)))
}

fn is_carried(case: &Case) -> Figure {
    let by = vec3(3.0, -1.0, 2.0);
    let scene = Scene::thrown(case);
    let way = by * (FRAMES as f32 / 60.0);
    let expected: Vec<Vec3> = scene.run(case, FRAMES)?.iter().map(|p| *p + way).collect();
    Ok(compared(&scene.carried(by).run(case, FRAMES)?, &expected, allowed(case)))
}

fn doubles(case: &Case) -> Figure {
    let scene = Scene::held(case);
    let expected: Vec<Vec3> = scene.run(case, FRAMES)?.iter().map(|p| *p * 2.0).collect();
    Ok(compared(&scene.doubled().run(case, FRAMES)?, &expected, allowed(case)))
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
