//! Table 1: the time of a bending constraint by triangle, dihedral angle and stick.
//!
//! What is compared with the paper is one projection after the other ([`muslin::solver::projections`]), all three by
//! the same code but for the constraint itself, as the paper's program did it. The order matters more than one would
//! think: row by row, each constraint waits for what the one before has stored, and what is measured is the length of
//! that chain. In independent sets, as solvers go through constraints, it is the work. Both are reported.
//!
//! A simulation projects eight at once; these times stand apart, measured on a large fabric, because a pass over 160
//! takes less than reading a clock.

use std::collections::{HashMap, HashSet};
use std::hint::black_box;
use std::time::Instant;

use glam::Vec3;
use muslin::Settings;
use muslin::Simulation;
use muslin::cloth::{BendingModel, Cloth, TriangleBending};
use muslin::diagnostics::timings::Stage;
use muslin::mesh::TriMesh;
use muslin::solver::projections::{BendOptions, dihedral_angle, distance, triangle_bend};
use muslin::solver::{PositionBased, SolverConfig};

use super::fabric;
use crate::{Error, Options, Progress, Report, median};

/// Passes over the constraints per frame.
const ITERATIONS: u32 = 16;

/// What the paper prints: name, milliseconds per constraint, per frame.
const PRINTED: [(&str, f64, f64); 3] =
    [("triangle", 0.000158, 0.405987), ("dihedral", 0.000503, 1.159640), ("stick", 0.000113, 0.288305)];

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let frames = if options.quick { 100 } else { 20_000 };
    progress("one constraint after the other");
    let mesh = fabric::mesh(fabric::SIDE)?;
    for ((name, average, total), (count, time)) in PRINTED.into_iter().zip(one_by_one(&mesh, frames, true)) {
        let constraints = if name == "dihedral" { 144.0 } else { 160.0 };
        report.row(format!("{name}, constraints"), Some(constraints), count as f64, "");
        report.row(format!("{name}, average"), Some(average), per_constraint(count, time), "ms");
        report.row(format!("{name}, total"), Some(total), time, "ms");
    }
    ratios(report, "");
    for ((name, ..), (count, time)) in PRINTED.into_iter().zip(one_by_one(&mesh, frames, false)) {
        report.row(format!("{name}, average (row by row)"), None, per_constraint(count, time), "ms");
    }
    ratios(report, " (row by row)");
    let (side, steps) = if options.quick { (20, 5) } else { (200, 101) };
    // Not in the paper: what it costs to tell the mirror image apart.
    let signed = TriangleBending { signed: true, ..TriangleBending::default() };
    let signed = ("signed triangle", BendingModel::Triangle(signed));
    for (name, model) in fabric::models().into_iter().chain([signed]) {
        progress(&format!("eight at once: {name}"));
        report.row(format!("{name}, average (eight at once)"), None, swept(model, side, steps)?, "ms");
    }
    ratios(report, " (eight at once)");
    report.note(format!(
        "Other hardware: the paper's times are from a Core2 Duo at 2 GHz (2010); ours are from the machine this ran on, \
         one thread, medians of {frames} frames of {ITERATIONS} iterations over the bending constraints alone, from a \
         crumpled state."
    ));
    report.note(format!(
        "Rows without a remark project one constraint after the other, by the functions of muslin::solver::projections, \
         which differ in nothing but the constraint, in sets of constraints that share no vertex. '(row by row)' is the \
         same in the order of the mesh, where each waits for the one before. '(eight at once)' is the sweep of a simulation, on a fabric of \
         {side} × {side} points: with 160 constraints a pass is shorter than reading the clock."
    ));
    Ok(())
}

fn per_constraint(count: usize, time: f64) -> f64 {
    time / (count as f64 * f64::from(ITERATIONS))
}

/// Rows for how much dearer the other models are than triangles.
fn ratios(report: &mut Report, suffix: &str) {
    for other in ["dihedral", "stick"] {
        let average = |name: &str| report.ours(&format!("{name}, average{suffix}")).unwrap_or(f64::NAN);
        let ours = average(other) / average("triangle");
        let paper = |name: &str| PRINTED.iter().find(|row| row.0 == name).map(|row| row.1);
        let printed = paper(other).zip(paper("triangle")).map(|(a, b)| (1000.0 * a / b).round() / 1000.0);
        let printed = printed.filter(|_| suffix.is_empty());
        report.row(format!("{other} / triangle, average{suffix}"), printed, ours, "");
    }
}

/// Number of constraints and milliseconds per frame of the three models, in independent sets or row by row.
fn one_by_one(mesh: &TriMesh, frames: usize, in_sets: bool) -> [(usize, f64); 3] {
    let start = fabric::crumpled(&mesh.positions);
    let (triples, hinges) = (fabric::triples(fabric::SIDE), fabric::hinges(mesh));
    let length = |[b0, b1, _]: &[u32; 3]| mesh.positions[*b0 as usize].distance(mesh.positions[*b1 as usize]);
    // A flat rest shape: heights and angles are zero. They are read like any other.
    let mut bends: Vec<([u32; 3], f32)> = triples.iter().map(|&triple| (triple, 0.0)).collect();
    let mut angles: Vec<([u32; 4], f32)> = hinges.iter().map(|&hinge| (hinge, 0.0)).collect();
    let mut sticks: Vec<([u32; 2], f32)> = triples.iter().map(|t| ([t[0], t[1]], length(t))).collect();
    if in_sets {
        sort_into_sets(&mut bends);
        sort_into_sets(&mut angles);
        sort_into_sets(&mut sticks);
    }
    [
        (bends.len(), time(&start, frames, |points, masses| triangle_pass(points, masses, &bends))),
        (angles.len(), time(&start, frames, |points, masses| dihedral_pass(points, masses, &angles))),
        (sticks.len(), time(&start, frames, |points, masses| stick_pass(points, masses, &sticks))),
    ]
}

/// Puts constraints that share no vertex next to each other: greedy colours.
fn sort_into_sets<const N: usize>(constraints: &mut [([u32; N], f32)]) {
    let mut sets: Vec<HashSet<u32>> = Vec::new();
    let mut set_of = HashMap::new();
    for (vertices, _) in constraints.iter() {
        let free = |set: &HashSet<u32>| vertices.iter().all(|v| !set.contains(v));
        let set = sets.iter().position(free).unwrap_or(sets.len());
        if set == sets.len() {
            sets.push(HashSet::new());
        }
        sets[set].extend(vertices);
        set_of.insert(*vertices, set);
    }
    constraints.sort_by_key(|(vertices, _)| set_of[vertices]);
}

/// Milliseconds per frame, the median.
fn time(start: &[Vec3], frames: usize, mut pass: impl FnMut(&mut [Vec3], &[f32])) -> f64 {
    let inverse_masses = vec![1.0; start.len()];
    let mut frame = || {
        let mut points = black_box(start.to_vec());
        let begin = Instant::now();
        for _ in 0..ITERATIONS {
            pass(&mut points, &inverse_masses);
        }
        let time = 1e3 * begin.elapsed().as_secs_f64();
        black_box(points);
        time
    };
    median((0..frames).map(|_| frame()))
}

/// One pass over triangle bends. This and the next two are never inlined, so that callgrind can count their
/// instructions.
#[inline(never)]
fn triangle_pass(points: &mut [Vec3], inverse_masses: &[f32], bends: &[([u32; 3], f32)]) {
    let options = BendOptions::default();
    for &(vertices, height) in bends {
        let (x, w) = gathered(points, inverse_masses, vertices);
        scatter(points, vertices, triangle_bend(x, w, height, options, 1.0));
    }
}

#[inline(never)]
fn dihedral_pass(points: &mut [Vec3], inverse_masses: &[f32], hinges: &[([u32; 4], f32)]) {
    for &(vertices, angle) in hinges {
        let (x, w) = gathered(points, inverse_masses, vertices);
        scatter(points, vertices, dihedral_angle(x, w, angle, true, 1.0));
    }
}

#[inline(never)]
fn stick_pass(points: &mut [Vec3], inverse_masses: &[f32], sticks: &[([u32; 2], f32)]) {
    for &(vertices, length) in sticks {
        let (x, w) = gathered(points, inverse_masses, vertices);
        scatter(points, vertices, distance(x, w, length, 1.0));
    }
}

#[inline(always)]
fn gathered<const N: usize>(points: &[Vec3], masses: &[f32], vertices: [u32; N]) -> ([Vec3; N], [f32; N]) {
    (vertices.map(|v| points[v as usize]), vertices.map(|v| masses[v as usize]))
}

#[inline(always)]
fn scatter<const N: usize>(points: &mut [Vec3], vertices: [u32; N], moved: [Vec3; N]) {
    for (v, place) in vertices.into_iter().zip(moved) {
        points[v as usize] = place;
    }
}

/// Milliseconds per constraint and pass of a simulation's own bending stage.
fn swept(model: BendingModel, side: usize, steps: usize) -> Result<f64, Error> {
    let mesh = fabric::mesh(side)?;
    let start = fabric::crumpled(&mesh.positions);
    let builder = Cloth::builder(mesh.clone()).material(fabric::material(model)).start_positions(start);
    let cloth = builder.build()?;
    let count = cloth.bending_errors(&mesh.positions)?.len();
    let solver =
        SolverConfig::PositionBased(PositionBased { iterations: ITERATIONS, ..PositionBased::default() });
    let settings = Settings { solver, substeps: 1, threads: 1, ..Settings::default() };
    let mut simulation = Simulation::new(cloth, settings)?;
    let mut times = Vec::with_capacity(steps);
    for _ in 0..steps {
        let bending = simulation.step()?.timings.get(Stage::Bending);
        times.push(1e3 * bending.as_secs_f64() / (count as f64 * f64::from(ITERATIONS)));
    }
    Ok(median(times))
}
