//! Options of the impulse solver.

use crate::Error;
use crate::cloth::Cloth;

/// Allowed strains below this are better reached by the linear system.
const SMALL_TOLERANCE: f64 = 0.005;

/// The same for cloth of this many particles and more, in steps longer than this (seconds).
const MIDDLE_TOLERANCE: f64 = 0.03;
const LARGE_CLOTH: usize = 2500;
const LONG_STEP: f64 = 0.02;

/// The same for meshes without quads. All edges of their triangles are constraints, about as many as particles have
/// coordinates, so the system is nearly singular, and has to be factorised many times in a step.
const SMALL_TOLERANCE_OF_TRIANGLES: f64 = 5e-4;

/// In shorter substeps (seconds) a few passes are enough, and cycles over the hierarchy only do harm: their corrections do
/// not get smaller with the step. At 64 substeps of 1/60 s they threw the cloth about. Deciding it step by step was
/// tried: a cloth that goes from one to the other loses a third of its energy in a second.
const SHORT_STEP: f64 = 0.002;

/// How the dependencies between constraints are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum ImpulseDirections {
    /// Those of edges at the start of a step, as in the paper: angular momentum is conserved exactly. Edges that turn
    /// by more than 60° within a step take their direction at its end. Cloth that hangs straight between static
    /// particles cannot be held this way.
    Start,
    /// Those of edges at the end of a step: every constraint can be satisfied.
    End,
    /// `Start` for cloth that neither has static particles nor collides with colliders, whose momentum nothing else
    /// changes; `End` for all others: over a ball, triangles did not come to rest along `Start`.
    #[default]
    Auto,
}

/// From where the iterative method begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum ImpulseStart {
    /// From where particles would go without constraints, as in the paper.
    Preview,
    /// From there by two cycles of multi-resolution shape matching \[Bender2013\], whose coarse levels carry in one pass
    /// over the whole cloth what impulses hand on from edge to edge. They keep no momentum.
    Hierarchy,
    /// `Hierarchy` where it is faster: for cloth with static particles, at tolerances of half a per cent and more, in
    /// substeps of 2 ms and more.
    #[default]
    Auto,
}

/// A spring with a damper beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct SpringDamper {
    /// N/m.
    pub stiffness: f32,
    /// N·s/m.
    pub damping: f32,
}

/// Options of the solver.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
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
    /// From where the iterative method begins.
    pub start: ImpulseStart,
    /// How much of the last step's corrections a step begins with, from 0 to 0.5. Cloth at rest then needs fewer passes
    /// (0.5: a fourth at 1 %), and cloth that swings loses less energy; with more than 0.5 it gains some.
    pub warm_start: f64,
    /// Factor on each impulse of the iterative method; 1 is the paper's, more (below 2) takes fewer passes. `None` is 1.7, and
    /// at tolerances below half a per cent Young's 2/(1 + sin(π/2n)) for n particles a side: 230 instead of 814 passes on
    /// 50 × 50 particles at 0.01 %. With larger tolerances passes end before that pays.
    pub over_relaxation: Option<f64>,
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
            start: ImpulseStart::Auto,
            warm_start: 0.0,
            over_relaxation: None,
            shear: None,
            bending: SpringDamper::default(),
        }
    }
}

impl Impulses {
    /// The method that `Auto` stands for in steps of `dt` seconds, by tolerance, size, step and mesh. Chosen once, by what was
    /// measured (`docs/papers/bender2009.md`), never by the clock: the two methods do not give the same pose.
    ///
    /// On quads passes get more with the size and with a smaller tolerance, factorisations hardly: so the linear system is
    /// faster at small tolerances, and on large cloth in long steps at a per cent too. At 10 % a few passes are enough for
    /// any size, and in steps of 1/60 s and less at a per cent.
    pub(crate) fn resolved_method(&self, cloth: &Cloth, dt: f64) -> ImpulseMethod {
        let limit = if cloth.mesh.quads.is_empty() {
            SMALL_TOLERANCE_OF_TRIANGLES
        } else if cloth.vertex_count() >= LARGE_CLOTH && dt > LONG_STEP {
            MIDDLE_TOLERANCE
        } else {
            SMALL_TOLERANCE
        };
        match self.method {
            ImpulseMethod::Auto if self.tolerance < limit => ImpulseMethod::LinearSystem,
            ImpulseMethod::Auto => ImpulseMethod::Iterative,
            chosen => chosen,
        }
    }

    /// The factor on impulses for a cloth.
    pub(crate) fn resolved_over_relaxation(&self, cloth: &Cloth) -> f64 {
        self.over_relaxation.unwrap_or_else(|| match self.tolerance < SMALL_TOLERANCE {
            true => young(cloth),
            false => 1.7,
        })
    }

    /// The start that `Auto` stands for in steps of `dt` seconds.
    pub(crate) fn resolved_start(&self, cloth: &Cloth, dt: f64) -> ImpulseStart {
        match self.start {
            ImpulseStart::Auto => {
                let iterates = self.resolved_method(cloth, dt) == ImpulseMethod::Iterative;
                let pays = iterates
                    && dt >= SHORT_STEP
                    && self.tolerance >= SMALL_TOLERANCE
                    && !cloth.pins.is_empty();
                if pays { ImpulseStart::Hierarchy } else { ImpulseStart::Preview }
            }
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
        if let Some(factor) = self.over_relaxation.filter(|factor| !(*factor > 0.0 && *factor < 2.0)) {
            return wrong("solver.over_relaxation", factor, "above 0 and below 2");
        }
        if !(0.0..=0.5).contains(&self.warm_start) {
            return wrong("solver.warm_start", self.warm_start, "between 0 and 0.5");
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

/// Particles along a side, if the cloth were a square.
pub(super) fn side(cloth: &Cloth) -> f64 {
    (cloth.vertex_count() as f64).sqrt()
}

/// The over-relaxation that takes the fewest passes at small tolerances. Gauss-Seidel over a row of n particles that is held
/// at one end and free at the other converges like cos²(π/2n) per pass, and Young's factor for that is 2/(1 + sin(π/2n)).
pub(super) fn young(cloth: &Cloth) -> f64 {
    2.0 / (1.0 + (std::f64::consts::FRAC_PI_2 / side(cloth)).sin())
}
