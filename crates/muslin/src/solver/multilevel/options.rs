//! Options of multilevel cloth.

use super::charts::Parameterisation;
use crate::Error;
use crate::solver::Order;

/// Averaged corrections overshoot with more than this.
const MOST_OVER_RELAXATION: f32 = 2.0;

/// In which order which level is relaxed, where [`Multilevel::plan`] does not say (\[Schmitt2013\] §5.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Scheme {
    /// [`Order::Jacobi`] on all: one pass per iteration.
    Jacobi,
    /// [`Order::GaussSeidel`] on all, in eight independent sets one after the other: fewer iterations, but eight passes each.
    GaussSeidel,
    /// Gauss-Seidel on the smallest levels, which a GPU relaxes in one go, Jacobi on the others.
    #[default]
    Combined,
}

/// What is done on one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct LevelChoice {
    /// In which order.
    pub relaxation: Order,
    /// How many of them per pass through the levels.
    pub iterations: u32,
}

/// Options of the solver: a coarse mesh (the cloth's own) that collides, a fine grid of particles that folds.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Multilevel {
    /// Metres between particles of the grid; `None` leaves it to `particles`.
    pub spacing: Option<f64>,
    /// About how many particles the grid gets, if `spacing` does not say.
    pub particles: u32,
    /// Where the flat shape of the cloth comes from.
    pub parameterisation: Parameterisation,
    /// The largest distortion of a triangle that is accepted: |principal stretch − 1| of the map into the plane.
    pub most_distortion: f64,
    /// At most so many levels, the finest included.
    pub levels: u32,
    /// No level has fewer particles than this along its longer side.
    pub coarsest: u32,
    /// Which iteration on which level.
    pub scheme: Scheme,
    /// What is done on single levels, the coarsest first; the last entry is the finest. Empty: as `scheme` and
    /// the numbers below say.
    pub plan: Vec<LevelChoice>,
    /// Iterations on the finest level. `None`: as many as hold the strain limit, found from step to step.
    pub iterations: Option<u32>,
    /// The most that are tried for it.
    pub most_iterations: u32,
    /// Iterations on each coarser level.
    pub level_iterations: u32,
    /// Passes from the coarsest to the finest level per substep.
    pub cycles: u32,
    /// Factor on averaged corrections (Jacobi).
    pub over_relaxation: f32,
    /// The strain along threads that must not be exceeded, as a fraction. For cloth without a measured stiffness it
    /// only says how long to iterate; cloth with one is elastic up to here.
    pub strain_limit: f32,
    /// Share of a compression that an iteration on the finest level undoes.
    pub compression: f32,
    /// How many of the finest level's iterations (at most half) undo compression; the others only limit stretch.
    pub compression_passes: u32,
    /// Share of a shear that an iteration undoes, for cloth without a measured stiffness.
    pub shear: f32,
    /// Bending stiffness along weft and warp in N·m, if it is not the material's in both.
    pub bending: Option<[f32; 2]>,
    /// Bending passes per substep.
    pub bending_passes: u32,
    /// Let the CPU collide the coarse mesh of the last substep while the grid computes the next: contacts are felt
    /// one substep later. Pays on a GPU.
    pub overlap: bool,
}

impl Default for Multilevel {
    fn default() -> Self {
        Self {
            spacing: None,
            particles: 40_000,
            parameterisation: Parameterisation::Auto,
            most_distortion: 0.1,
            levels: 12,
            coarsest: 4,
            scheme: Scheme::Combined,
            plan: Vec::new(),
            iterations: None,
            most_iterations: 64,
            level_iterations: 8,
            cycles: 1,
            over_relaxation: 1.9,
            strain_limit: 0.1,
            compression: 1.0,
            compression_passes: 4,
            shear: 1.0,
            bending: None,
            bending_passes: 1,
            overlap: false,
        }
    }
}

impl Multilevel {
    /// Looks for options out of range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let wrong = |field, value: f64, must_be| Err(Error::Setting { field, value, must_be });
        let least_one = [
            ("solver.particles", self.particles),
            ("solver.levels", self.levels),
            ("solver.most_iterations", self.most_iterations),
            ("solver.cycles", self.cycles),
            ("solver.iterations", self.iterations.unwrap_or(1)),
        ];
        if let Some((field, _)) = least_one.into_iter().find(|&(_, value)| value == 0) {
            return wrong(field, 0.0, "at least 1");
        }
        if self.coarsest < 2 {
            return wrong("solver.coarsest", self.coarsest.into(), "at least 2");
        }
        if let Some(spacing) = self.spacing.filter(|s| !(s.is_finite() && *s > 0.0)) {
            return wrong("solver.spacing", spacing, "finite and above 0");
        }
        if !(self.over_relaxation > 0.0 && self.over_relaxation < MOST_OVER_RELAXATION) {
            return wrong("solver.over_relaxation", self.over_relaxation.into(), "above 0 and below 2");
        }
        if !(self.most_distortion > 0.0 && self.most_distortion.is_finite()) {
            return wrong("solver.most_distortion", self.most_distortion, "finite and above 0");
        }
        if !(self.strain_limit.is_finite() && self.strain_limit > 0.0) {
            return wrong("solver.strain_limit", self.strain_limit.into(), "finite and above 0");
        }
        for (field, share) in [("solver.compression", self.compression), ("solver.shear", self.shear)] {
            if !(0.0..=1.0).contains(&share) {
                return wrong(field, share.into(), "between 0 and 1");
            }
        }
        let negative = |stiffness: &f32| !(stiffness.is_finite() && *stiffness >= 0.0);
        match self.bending.iter().flatten().find(|stiffness| negative(stiffness)) {
            Some(&value) => wrong("solver.bending", value.into(), "finite and not negative"),
            None => Ok(()),
        }
    }

    /// What is done on a level of so many texels, counted from the finest; `None` for what `plan` does not name.
    pub(super) fn choice(&self, from_finest: usize, texels: usize) -> LevelChoice {
        let named = self.plan.len().checked_sub(from_finest + 1).map(|place| self.plan[place]);
        let relaxation = match self.scheme {
            Scheme::Jacobi => Order::Jacobi,
            Scheme::GaussSeidel => Order::GaussSeidel,
            Scheme::Combined if texels <= SMALL_LEVEL => Order::GaussSeidel,
            Scheme::Combined => Order::Jacobi,
        };
        named.unwrap_or(LevelChoice { relaxation, iterations: self.level_iterations })
    }
}

/// Levels of at most so many texels fit into the memory of one workgroup (16 KiB, 16 bytes each).
pub(crate) const SMALL_LEVEL: usize = 1024;
