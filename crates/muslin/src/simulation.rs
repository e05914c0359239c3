//! The simulation: a cloth, its state, and the settings under which it moves.

use std::sync::Arc;

use glam::{DVec3, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::bending::explicit::ExplicitBending;
use crate::bending::quadratic::{HingeRest, QuadraticBending, hinge_vertices};
use crate::cloth::tethers::Tethers;
use crate::cloth::{BendingForm, Cloth, check_positions};
use crate::damping::Damper;
use crate::diagnostics::energy::{Energy, Momentum};
use crate::diagnostics::strain::{self, Strain};
use crate::diagnostics::state_hash;
use crate::diagnostics::timings::Timings;
use crate::execution::{Execution, Instructions};
use crate::forces::wind::{Wind, WindForce};
use crate::solver::{Solver, SolverConfig};
use crate::state::{Snapshot, State};

/// Under which conditions a cloth is simulated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Seconds per call of [`Simulation::step`].
    pub time_step: f64,
    /// Into how many steps that is divided. Ten substeps are five times stiffer than ten V-cycles.
    pub substeps: u32,
    /// m/s².
    pub gravity: Vec3,
    /// Air around the cloth; `None` is a vacuum.
    pub wind: Option<Wind>,
    /// The solver.
    pub solver: SolverConfig,
    /// Worker threads; 0 means one per core. The result does not depend on it.
    pub threads: usize,
    /// No particle moves faster than this, m/s. Only collapsed or scrambled starts come near it.
    pub max_speed: f32,
    /// Vector instructions. The result does not depend on them.
    #[serde(skip)]
    pub instructions: Instructions,
}

impl Default for Settings {
    /// 60 frames per second, three substeps each, gravity along −y, no air.
    fn default() -> Self {
        Self {
            time_step: 1.0 / 60.0,
            substeps: 3,
            gravity: Vec3::new(0.0, -9.81, 0.0),
            wind: None,
            solver: SolverConfig::default(),
            threads: 0,
            max_speed: 200.0,
            instructions: Instructions::Best,
        }
    }
}

impl Settings {
    /// Looks for values out of range.
    pub fn check(&self) -> Result<(), Error> {
        let wrong = |field, value, must_be| Err(Error::Setting { field, value, must_be });
        if !(self.time_step.is_finite() && self.time_step > 0.0) {
            return wrong("time_step", self.time_step, "finite and above 0");
        }
        if self.substeps == 0 {
            return wrong("substeps", 0.0, "at least 1");
        }
        if let Some(value) = self.gravity.to_array().into_iter().find(|v| !v.is_finite()) {
            return wrong("gravity", value.into(), "finite");
        }
        if !(self.max_speed.is_finite() && self.max_speed > 0.0) {
            return wrong("max_speed", self.max_speed.into(), "finite and above 0");
        }
        match self.wind.as_ref().and_then(Wind::problem) {
            Some((field, value)) => wrong(field, value.into(), "finite and not negative (gust_size: above 0)"),
            None => Ok(()),
        }
    }
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Seconds since the start.
    pub time: f64,
    /// Steps since the start, substeps counted one by one.
    pub steps: u64,
    /// Time per stage, summed over the substeps.
    pub timings: Timings,
    /// The highest speed of a particle, m/s.
    pub max_speed: f32,
    /// Whether a particle had to be slowed down to [`Settings::max_speed`].
    pub speed_limited: bool,
}

/// How bending enters this simulation.
pub(crate) enum Bending {
    None,
    Position(QuadraticBending),
    Explicit(ExplicitBending),
}

/// A cloth in motion.
pub struct Simulation {
    pub(crate) cloth: Cloth,
    pub(crate) settings: Settings,
    pub(crate) state: State,
    pub(crate) solver: Box<dyn Solver>,
    pub(crate) bending: Bending,
    pub(crate) damper: Damper,
    pub(crate) tethers: Option<Tethers>,
    pub(crate) wind_force: WindForce,
    /// 1/kg, 0 for pinned particles.
    pub(crate) inverse_masses: Vec<f32>,
    pub(crate) pool: Option<Arc<rayon::ThreadPool>>,
    pub(crate) execution: Execution,
}

impl Simulation {
    /// Prepares everything that a step needs: hierarchy, regions, bending, threads.
    pub fn new(cloth: Cloth, settings: Settings) -> Result<Self, Error> {
        settings.check()?;
        let dt = settings.time_step / f64::from(settings.substeps);
        let fixed = cloth.fixed();
        let vertices = cloth.vertex_count();
        let mean_mass = cloth.total_mass() / vertices as f64;
        let relative = |v: usize| if fixed[v] { 0.0 } else { (mean_mass / cloth.masses[v]) as f32 };
        let points: Vec<Vec4> = (0..vertices).map(|v| cloth.start[v].extend(relative(v))).collect();
        let inverse: Vec<f64> = (0..vertices).map(|v| if fixed[v] { 0.0 } else { 1.0 / cloth.masses[v] }).collect();

        let stiffness = f64::from(cloth.material.bending);
        let hinges = &cloth.topology.hinges;
        let bending = match cloth.material.bending_form {
            _ if stiffness == 0.0 || hinges.is_empty() => Bending::None,
            BendingForm::Position => {
                Bending::Position(QuadraticBending::new(&cloth.rest, hinges, stiffness, &cloth.masses, dt))
            }
            BendingForm::Explicit => {
                Bending::Explicit(ExplicitBending::new(&cloth.rest, hinges, stiffness, &inverse, dt)?)
            }
        };
        let (edges, triangles) = (&cloth.topology.edges, &cloth.mesh.triangles);
        let damper = Damper::new(cloth.material.damping, vertices, edges, triangles, dt);
        let (pool, parallel) = thread_pool(settings.threads)?;
        Ok(Self {
            solver: settings.solver.build(&cloth, dt)?,
            state: State {
                previous: points.clone(),
                velocities: vec![Vec4::ZERO; vertices],
                points,
                ..State::default()
            },
            bending,
            damper,
            tethers: cloth.tethers.clone(),
            wind_force: WindForce::new(triangles.len()),
            inverse_masses: inverse.iter().map(|&w| w as f32).collect(),
            execution: Execution { parallel, instructions: settings.instructions },
            pool,
            cloth,
            settings,
        })
    }

    /// The cloth.
    pub fn cloth(&self) -> &Cloth {
        &self.cloth
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Steps since the start, substeps counted one by one.
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// Triangles per level of the hierarchy, coarsest first.
    pub fn level_triangles(&self) -> Vec<usize> {
        self.solver.level_triangles()
    }

    /// Positions in metres, in the user's numbering.
    pub fn positions(&self) -> Vec<Vec3> {
        self.cloth.permutation.old_to_new.iter().map(|&v| self.state.points[v as usize].truncate()).collect()
    }

    /// Velocities in m/s, in the user's numbering.
    pub fn velocities(&self) -> Vec<Vec3> {
        self.cloth.permutation.old_to_new.iter().map(|&v| self.state.velocities[v as usize].truncate()).collect()
    }

    /// Puts the particles somewhere else, at rest or with velocities. Pinned ones move too.
    pub fn set_state(&mut self, positions: &[Vec3], velocities: &[Vec3]) -> Result<(), Error> {
        check_positions("positions", positions, self.cloth.vertex_count())?;
        check_positions("velocities", velocities, self.cloth.vertex_count())?;
        for (old, &new) in self.cloth.permutation.old_to_new.iter().enumerate() {
            let point = &mut self.state.points[new as usize];
            *point = positions[old].extend(point.w);
            self.state.velocities[new as usize] = velocities[old].extend(0.0);
        }
        Ok(())
    }

    /// A copy of the state, to come back to with [`Simulation::restore`].
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.state.clone())
    }

    /// Goes back to a snapshot of this simulation.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let (theirs, ours) = (snapshot.0.points.len(), self.state.points.len());
        if theirs != ours {
            let problem = format!("it holds {theirs} particles, this cloth has {ours}");
            return Err(Error::State { what: "snapshot", problem });
        }
        self.state.clone_from(&snapshot.0);
        Ok(())
    }

    /// Average, largest and global strain.
    pub fn strain(&self) -> Strain {
        strain::measure(&self.state.points, &self.cloth.rest, &self.cloth.topology.edges, self.settings.gravity)
    }

    /// Per triangle (user's numbering) the principal stretches minus one, larger first.
    pub fn triangle_strains(&self) -> Vec<[f32; 2]> {
        let renamed = self.cloth.permutation.rename(self.cloth.triangles());
        strain::principal_strains(&self.state.points, &self.cloth.rest, &renamed)
    }

    /// Kinetic, gravitational and bending energy.
    pub fn energy(&self) -> Energy {
        let mut energy = Energy::default();
        for (v, mass) in self.cloth.masses.iter().enumerate() {
            let position = self.state.points[v].truncate().as_dvec3();
            let velocity = self.state.velocities[v].truncate().as_dvec3();
            energy.kinetic += 0.5 * mass * velocity.length_squared();
            energy.gravity -= mass * self.settings.gravity.as_dvec3().dot(position);
        }
        if self.cloth.material.bending > 0.0 {
            for hinge in &self.cloth.topology.hinges {
                let vertices = hinge_vertices(hinge);
                let rest = HingeRest::new(vertices.map(|v| self.cloth.rest[v as usize]));
                let now = vertices.map(|v| self.state.points[v as usize].truncate().as_dvec3());
                let bend: DVec3 = now.iter().zip(rest.weights).map(|(&x, k)| x * k).sum();
                let off = bend.length() - rest.rest_bend.abs();
                energy.bending += 0.5 * f64::from(self.cloth.material.bending) * rest.per_area * off * off;
            }
        }
        energy
    }

    /// Linear and angular momentum.
    pub fn momentum(&self) -> Momentum {
        let mut momentum = Momentum::default();
        for (v, &mass) in self.cloth.masses.iter().enumerate() {
            let velocity = self.state.velocities[v].truncate().as_dvec3() * mass;
            momentum.linear += velocity;
            momentum.angular += self.state.points[v].truncate().as_dvec3().cross(velocity);
        }
        momentum
    }

    /// A fingerprint of all positions and velocities: equal exactly if every bit is equal.
    pub fn state_hash(&self) -> u64 {
        state_hash::hash(self.positions().iter().chain(&self.velocities()))
    }
}

/// A pool of the wanted size; none for one thread.
fn thread_pool(threads: usize) -> Result<(Option<Arc<rayon::ThreadPool>>, bool), Error> {
    let wanted = if threads == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { threads };
    if wanted == 1 {
        return Ok((None, false));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(wanted).build();
    let pool = pool.map_err(|e| Error::Threads { threads: wanted, reason: e.to_string() })?;
    Ok((Some(Arc::new(pool)), true))
}
