//! What there are kernels for, and the names of what there are none for.

use crate::cloth::{BendingForm, BendingModel, Cloth, Damping, Stiffness, Stretch};
use crate::damping::velocity_share;
use crate::hierarchy::Nesting;
use crate::mesh::quads;
use crate::simulation::Settings;
use crate::solver::{Diagonals, Order, PositionBased, ShapeMatching, SolverConfig, Variant};
use crate::{Error, Feature};

/// A method that there are kernels for.
#[derive(Clone, Copy)]
pub(super) enum Method<'a> {
    ShapeMatching(&'a ShapeMatching),
    PositionBased(&'a PositionBased),
}

impl<'a> Method<'a> {
    /// The method of settings.
    pub fn of(settings: &'a Settings) -> Result<Self, Error> {
        match &settings.solver {
            SolverConfig::ShapeMatching(config) => Ok(Self::ShapeMatching(config)),
            SolverConfig::PositionBased(config) => Ok(Self::PositionBased(config)),
            SolverConfig::Impulses(_) => {
                refused(Feature::Method, "the method impulses; shape_matching and position_based do")
            }
            SolverConfig::Multilevel(_) => {
                refused(Feature::Method, "the method multilevel here: its grid is a solver of its own")
            }
            SolverConfig::RadialMatching(_) => {
                refused(Feature::Method, "the method radial_matching; shape_matching and position_based do")
            }
        }
    }

    /// How often a step goes through bending, tethers and the solver.
    pub fn rounds(self) -> u32 {
        match self {
            Self::ShapeMatching(_) => 1,
            Self::PositionBased(config) => config.iterations,
        }
    }

    /// Factor on what constraints that are gathered ask for.
    pub fn over_relaxation(self) -> f32 {
        match self {
            Self::ShapeMatching(_) => 1.0,
            Self::PositionBased(config) => config.over_relaxation,
        }
    }

    /// Refuses what only the CPU can do.
    pub fn check(self, cloth: &Cloth) -> Result<(), Error> {
        check_material(cloth)?;
        match self {
            Self::ShapeMatching(config) => check_shape_matching(config),
            Self::PositionBased(config) => check_position_based(config, cloth),
        }
    }
}

fn refused<T>(feature: Feature, what: &'static str) -> Result<T, Error> {
    Err(Error::Unsupported { by: "the GPU back end", feature, what })
}

fn check_material(cloth: &Cloth) -> Result<(), Error> {
    if cloth.pressure.is_some() {
        return refused(Feature::Pressure, "pressure");
    }
    let material = &cloth.material;
    match material.bending_model {
        BendingModel::Triangle(options) if options.signed => {
            return refused(Feature::TriangleBending, "triangle_bending that is signed");
        }
        BendingModel::Triangle(options) if is_compliant(options.stiffness) => {
            return refused(
                Feature::TriangleBending,
                "triangle_bending with a compliance; with a stiffness it does",
            );
        }
        BendingModel::Stick(options) if is_compliant(options.stiffness) => {
            return refused(
                Feature::StickBending,
                "stick_bending with a compliance; with a stiffness it does",
            );
        }
        BendingModel::Dihedral(_) => {
            return refused(Feature::DihedralBending, "dihedral_bending; triangle_bending does");
        }
        _ => {}
    }
    if material.quadratic_bending() > 0.0 && material.bending_form == BendingForm::Explicit {
        return refused(Feature::BendingForm, "explicit bending; the position form does");
    }
    if matches!(material.stretch, Stretch::Physical { .. }) {
        return refused(Feature::PhysicalStretch, "physical stretch stiffness");
    }
    match material.damping {
        Damping::Printed { coefficient } if coefficient > 0.0 => {
            refused(Feature::DampingForm, "damping as printed in the paper")
        }
        _ => Ok(()),
    }
}

fn check_shape_matching(config: &ShapeMatching) -> Result<(), Error> {
    let by = "shape matching on the GPU";
    if config.variant == Variant::Paper {
        let what = "the paper variant, whose order is gauss_seidel; full_approximation does";
        return Err(Error::Unsupported { by, feature: Feature::Variant, what });
    }
    if config.order == Some(Order::GaussSeidel) {
        let what = "the order gauss_seidel; jacobi does, which it takes if none is given";
        return Err(Error::Unsupported { by, feature: Feature::Order, what });
    }
    if config.hierarchy.nesting != Nesting::Nested {
        let what = "levels that are not nested";
        return Err(Error::Unsupported { by, feature: Feature::Nesting, what });
    }
    Ok(())
}

fn check_position_based(config: &PositionBased, cloth: &Cloth) -> Result<(), Error> {
    config.check()?;
    let by = "position_based on the GPU";
    if config.stretch.is_some_and(is_compliant) {
        let what = "compliance against stretch (stretch_compliance); stretch_stiffness does";
        return Err(Error::Unsupported { by, feature: Feature::StretchCompliance, what });
    }
    let has_diagonals = quads::Diagonals::new(&cloth.topology, &cloth.mesh.quads).is_diagonal.contains(&true);
    if config.order == Order::Jacobi && has_diagonals && config.diagonals != Diagonals::One {
        let what = "other diagonals than one with the order jacobi; gauss_seidel does";
        return Err(Error::Unsupported { by, feature: Feature::Diagonals, what });
    }
    Ok(())
}

fn is_compliant(stiffness: Stiffness) -> bool {
    matches!(stiffness, Stiffness::Compliance(_))
}

/// Share of an edge's relative velocity that a step of `dt` seconds takes.
pub(super) fn damping_share(cloth: &Cloth, dt: f64) -> f32 {
    match cloth.material.damping {
        Damping::Deformation { rate } => velocity_share(rate, dt) as f32,
        Damping::Printed { .. } | Damping::None => 0.0,
    }
}
