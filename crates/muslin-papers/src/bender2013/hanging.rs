//! The cloth of table 3 and figure 7: 5 m × 5 m, pinned at its two upper corners, hanging at rest.
//!
//! Input: step, levels, variant. Output: average and maximum strain at rest, in per cent.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::hierarchy::HierarchyOptions;
use muslin::mesh::{TriMesh, generate};
use muslin::solver::{ShapeMatching, SolverConfig};
use muslin::{Settings, Simulation};

use super::Form;
use crate::Error;

/// Side of the cloth, m.
const SIDE: f32 = 5.0;

/// What remains of the velocities after each step. A state of rest is a fixed point of the step
/// with zero velocity whatever this is, but there is more than one: a planar start stays planar
/// only until a triangle collapses, whose tilted rest frame then pushes the cloth out of the plane.
/// With 0.98 that happens at steps of 5 ms already; with 0.95 the cloth comes to rest more gently.
/// Strain is proportional to the square of the step, so the slowest oscillation takes about as
/// many *steps* whatever their length, and one factor suits all.
const KEEP: f32 = 0.95;

/// Strain is averaged over the last steps of each window: where a few triangles near the pins
/// never come to rest, a single step would be a matter of luck.
const WINDOW: usize = 100;
const AVERAGED: usize = 20;

/// At rest if the average strain differs by less than this fraction from that of the window before.
const SETTLED: f64 = 1e-4;

/// The cloth's mesh.
pub(super) fn mesh(triangles: usize) -> Result<TriMesh, Error> {
    Ok(generate::delaunay_rectangle(SIDE, SIDE, triangles, 1)?)
}

/// What is varied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hanging {
    pub variant: Form,
    /// Whether 1D regions are used.
    pub edges: bool,
    pub levels: usize,
    /// Seconds.
    pub time_step: f64,
}

/// The cloth at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtRest {
    /// Mean over edges of |l − l0|/l0, per cent.
    pub average: f64,
    /// Lowest point below the pins over the side, minus 1, per cent.
    pub maximum: f64,
    pub steps: usize,
    /// The last relative change of the average strain over a window.
    pub change: f64,
    /// The highest speed in the last step, m/s.
    pub speed: f32,
    /// How far the cloth has left the plane in which it started, m.
    pub out_of_plane: f32,
}

impl Hanging {
    fn simulation(&self, mesh: &TriMesh, threads: usize) -> Result<Simulation, Error> {
        let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
        let corners = [Vec3::new(0.0, SIDE, 0.0), Vec3::new(SIDE, SIDE, 0.0)];
        let pins = corners.iter().filter_map(|&corner| mesh.nearest_vertex(corner));
        let builder = Cloth::builder(mesh.clone()).material(material).pin_all(pins);
        let cloth = builder.tethers(TetherChoice::Off).build()?;
        let hierarchy = HierarchyOptions { levels: self.levels, ..HierarchyOptions::default() };
        let Self { variant, edges, time_step, .. } = *self;
        let solver = ShapeMatching { edges, hierarchy, ..variant.options() };
        let solver = SolverConfig::ShapeMatching(solver);
        let settings = Settings { time_step, substeps: 1, solver, threads, ..Settings::default() };
        Ok(Simulation::new(cloth, settings)?)
    }

    /// Lets the cloth come to rest, for at most `most_steps`.
    pub fn relax(&self, mesh: &TriMesh, threads: usize, most_steps: usize) -> Result<AtRest, Error> {
        let mut simulation = self.simulation(mesh, threads)?;
        let (mut before, mut steps) = (f64::MAX, 0);
        loop {
            let (mut average, mut maximum, mut speed) = (0.0, 0.0, 0.0);
            for step in 0..WINDOW {
                speed = simulation.step()?.max_speed;
                slow_down(&mut simulation)?;
                if step >= WINDOW - AVERAGED {
                    let strain = simulation.strain();
                    average += 100.0 * strain.average / AVERAGED as f64;
                    maximum += 100.0 * strain.global.unwrap_or(0.0) / AVERAGED as f64;
                }
            }
            steps += WINDOW;
            let change = (average / before - 1.0).abs();
            if change < SETTLED || steps >= most_steps {
                let out_of_plane = simulation.positions().iter().fold(0.0, |far: f32, p| far.max(p.z.abs()));
                return Ok(AtRest { average, maximum, steps, change, speed, out_of_plane });
            }
            before = average;
        }
    }
}

impl AtRest {
    pub fn is_settled(&self) -> bool {
        self.change < SETTLED
    }

    /// What a reader should know about how much this state is at rest, if anything.
    pub fn remark(&self) -> Option<String> {
        let Self { steps, speed, out_of_plane, .. } = self;
        let mut remarks = Vec::new();
        if !self.is_settled() {
            let change = 100.0 * self.change;
            remarks.push(format!(
                "not settled after {steps} steps (average strain changes by {change:.2} % of itself per {WINDOW} steps)"
            ));
        }
        if *speed > 0.1 {
            remarks.push(format!("points keep moving at up to {speed:.1} m/s"));
        }
        if *out_of_plane > 1e-3 {
            remarks.push(format!("the cloth has left its plane by up to {out_of_plane:.2} m"));
        }
        (!remarks.is_empty()).then(|| remarks.join("; "))
    }
}

fn slow_down(simulation: &mut Simulation) -> Result<(), Error> {
    let mut velocities = simulation.velocities();
    velocities.iter_mut().for_each(|velocity| *velocity *= KEEP);
    let positions = simulation.positions();
    Ok(simulation.set_state(&positions, &velocities)?)
}
