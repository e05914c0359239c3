//! What the cloth is made of.

use super::BendingModel;
use crate::collision::Surface;

/// Resistance to stretch and shear.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Stretch {
    /// The papers' coefficients, from 0 (none) to 1 (as stiff as the solver can): the fraction of
    /// each region's deformation that is undone per pass. What comes out depends on step, mesh and
    /// levels.
    Coefficients {
        /// α of \[Bender2013\] eq. 12, for triangles.
        alpha: f32,
        /// β of eq. 15, for edges.
        beta: f32,
    },
    /// Physical stiffness in N/m (force per width and unit strain), along the x axis of the
    /// texture coordinates (weft), their y axis (warp), and in shear. As steps become smaller the
    /// result converges to one and the same cloth, whatever the mesh and the number of levels.
    Physical {
        /// N/m along the weft (u).
        weft: f32,
        /// N/m along the warp (v).
        warp: f32,
        /// N/m in shear: shear force per width and shear angle.
        shear: f32,
    },
}

impl Stretch {
    /// As stiff as the solver can.
    pub const STIFF: Stretch = Stretch::Coefficients { alpha: 1.0, beta: 1.0 };
}

/// How bending resistance enters a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum BendingForm {
    /// As a correction of positions with the right compliance: stable for every stiffness and step.
    #[default]
    Position,
    /// As explicit forces, as in \[Bender2013\] §4.4: refused at set-up where it would blow up.
    Explicit,
}

/// How velocities are damped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Damping {
    /// Not at all.
    #[default]
    None,
    /// Deformation decays, rigid motion of connected cloth does not: the amplitude of every oscillation falls with
    /// e^(−rate t), the same for every mesh and step size, and momentum is kept. A rigid motion of pinned cloth is one
    /// that its pins take part in.
    Deformation {
        /// 1/s.
        rate: f32,
    },
    /// Per triangle, as printed in \[Bender2013\] eq. 20: k_d in 1/m² and per step, so it depends on
    /// mesh and step and changes the momentum. For reproductions.
    Printed {
        /// k_d of eq. 20.
        coefficient: f32,
    },
}

/// The material of a cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Material {
    /// kg/m².
    pub density: f32,
    /// Resistance to stretch and shear.
    pub stretch: Stretch,
    /// The largest strain of an edge, as a fraction: threads lock. Only for shape matching with a physical stiffness;
    /// `None` lets edges stretch as their stiffness does.
    pub strain_limit: Option<f32>,
    /// Bending stiffness in N·m.
    pub bending: f32,
    /// How the quadratic model enters a step.
    pub bending_form: BendingForm,
    /// What resists bending. All but the quadratic model have a stiffness of their own and leave `bending` aside.
    pub bending_model: BendingModel,
    /// Damping.
    pub damping: Damping,
    /// Thickness and friction.
    pub surface: Surface,
}

impl Default for Material {
    /// A stiff light cotton: 0.2 kg/m², does not stretch, bends at 10 µN·m.
    fn default() -> Self {
        Self {
            density: 0.2,
            stretch: Stretch::STIFF,
            strain_limit: None,
            bending: 1e-5,
            bending_form: BendingForm::Position,
            bending_model: BendingModel::Quadratic,
            damping: Damping::Deformation { rate: 0.5 },
            surface: Surface::CLOTH,
        }
    }
}

/// A material value out of range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("material.{field} is {value}, but must be {must_be}")]
pub struct MaterialError {
    /// The field's name.
    pub field: &'static str,
    /// The value given.
    pub value: f32,
    /// What it must be.
    pub must_be: &'static str,
}

impl Material {
    /// The stiffness of the quadratic model in N·m, 0 where another model is chosen.
    pub(crate) fn quadratic_bending(&self) -> f64 {
        match self.bending_model {
            BendingModel::Quadratic => self.bending.into(),
            _ => 0.0,
        }
    }

    /// Looks for values out of range.
    pub fn check(&self) -> Result<(), MaterialError> {
        let positive = |field, value: f32| match value.is_finite() && value > 0.0 {
            true => Ok(()),
            false => Err(MaterialError { field, value, must_be: "finite and above 0" }),
        };
        let not_negative = |field, value: f32| match value.is_finite() && value >= 0.0 {
            true => Ok(()),
            false => Err(MaterialError { field, value, must_be: "finite and not negative" }),
        };
        let fraction = |field, value: f32| match (0.0..=1.0).contains(&value) {
            true => Ok(()),
            false => Err(MaterialError { field, value, must_be: "between 0 and 1" }),
        };
        positive("density", self.density)?;
        not_negative("bending", self.bending)?;
        self.bending_model.check()?;
        match self.stretch {
            Stretch::Coefficients { alpha, beta } => {
                fraction("stretch.alpha", alpha)?;
                fraction("stretch.beta", beta)?;
            }
            Stretch::Physical { weft, warp, shear } => {
                positive("stretch.weft", weft)?;
                positive("stretch.warp", warp)?;
                not_negative("stretch.shear", shear)?;
            }
        }
        if let Some(limit) = self.strain_limit
            && !(limit > 0.0 && limit < 1.0)
        {
            let must_be = "above 0 and below 1";
            return Err(MaterialError { field: "strain_limit", value: limit, must_be });
        }
        self.surface.check()?;
        match self.damping {
            Damping::None => Ok(()),
            Damping::Deformation { rate } => not_negative("damping.rate", rate),
            Damping::Printed { coefficient } => not_negative("damping.coefficient", coefficient),
        }
    }
}
