//! Options of the impulse solver.

use serde::{Deserialize, Serialize};

use crate::Error;

/// How the dependencies between constraints are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImpulseMethod {
    /// One constraint after the other (§3.4.1): costs what the tolerance asks for, can be interrupted.
    Iterative,
    /// All at once by a sparse Cholesky factorisation (§3.4.2): for small tolerances. Runs on one thread.
    LinearSystem,
    /// Whichever is faster for this cloth and tolerance.
    #[default]
    Auto,
}

/// Along which directions impulses act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImpulseDirections {
    /// Those of edges at the start of a step, as in the paper: angular momentum is conserved exactly. Edges that turn
    /// by more than 60° within a step take their direction at its end. Cloth that hangs straight between static
    /// particles cannot be held this way.
    Start,
    /// Those of edges at the end of a step: every constraint can be satisfied.
    End,
    /// `Start` for cloth without static particles, whose momentum nothing else changes, `End` for all others.
    #[default]
    Auto,
}

/// A spring with a damper beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpringDamper {
    /// N/m.
    pub stiffness: f32,
    /// N·s/m.
    pub damping: f32,
}

/// Options of the solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Impulses {
    /// How constraints are satisfied.
    pub method: ImpulseMethod,
    /// The allowed strain of an edge, in either direction, as a fraction: 0.01 is one per cent.
    pub tolerance: f64,
    /// The iterative method makes at most this many passes over all constraints per substep. Fewer than it takes
    /// leave more strain than allowed, and a state as valid as any.
    pub iterations: u32,
    /// Whether velocities are corrected too, so that they do not strain the cloth in the next step.
    pub velocity_impulses: bool,
    /// Along which directions impulses act.
    pub directions: ImpulseDirections,
    /// Factor on each impulse of the iterative method; 1 is the paper's, more (below 2) takes fewer passes: 1.7 a fifth
    /// on 40 × 40 particles at 0.01 %.
    pub over_relaxation: f64,
    /// Springs along one diagonal of each quad. `None` is what the material says about shear.
    pub shear: Option<SpringDamper>,
    /// Springs between particles two edges apart, besides the bending model of the material.
    pub bending: SpringDamper,
}

impl Default for Impulses {
    fn default() -> Self {
        Self {
            method: ImpulseMethod::Auto,
            tolerance: 0.01,
            iterations: 10_000,
            velocity_impulses: true,
            directions: ImpulseDirections::Auto,
            over_relaxation: 1.7,
            shear: None,
            bending: SpringDamper::default(),
        }
    }
}

impl Impulses {
    /// The method that `Auto` stands for.
    ///
    /// Measured with 40 × 40 and 50 × 50 particles at 1/30 s on one core: at 1 % and below the linear system is faster
    /// and gets further; at 10 % the iterative method needs tens of passes only, for less than a factorisation.
    pub(crate) fn resolved_method(&self) -> ImpulseMethod {
        match self.method {
            ImpulseMethod::Auto if self.tolerance < 0.05 => ImpulseMethod::LinearSystem,
            ImpulseMethod::Auto => ImpulseMethod::Iterative,
            chosen => chosen,
        }
    }

    /// Looks for options out of range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let wrong = |field, value: f64, must_be| Err(Error::Setting { field, value, must_be });
        // Below this, positions a thousand edges from the origin are rounded to more even in double precision.
        if !(1e-12..=1.0).contains(&self.tolerance) {
            return wrong("solver.tolerance", self.tolerance, "between 1e-12 and 1");
        }
        if self.iterations == 0 {
            return wrong("solver.iterations", 0.0, "at least 1");
        }
        if !(self.over_relaxation > 0.0 && self.over_relaxation < 2.0) {
            return wrong("solver.over_relaxation", self.over_relaxation, "above 0 and below 2");
        }
        let shear = self.shear.unwrap_or_default();
        for (field, value) in [
            ("solver.shear.stiffness", shear.stiffness),
            ("solver.shear.damping", shear.damping),
            ("solver.bending.stiffness", self.bending.stiffness),
            ("solver.bending.damping", self.bending.damping),
        ] {
            if !(value.is_finite() && value >= 0.0) {
                return wrong(field, value.into(), "finite and not negative");
            }
        }
        Ok(())
    }
}
