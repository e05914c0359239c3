//! What there are kernels for, and the names of what there are none for.

use crate::Error;
use crate::cloth::{BendingForm, BendingModel, Cloth, Damping, Stiffness, Stretch};
use crate::damping::velocity_share;
use crate::hierarchy::Nesting;
use crate::mesh::quads;
use crate::simulation::Settings;
use crate::solver::{Diagonals, Order, PositionBased, ShapeMatching, SolverConfig, Variant};

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
                let feature = "the method impulses; shape_matching and position_based do";
                Err(Error::Unsupported { solver: "the GPU back end", feature })
            }
            SolverConfig::Multilevel(_) => {
                let feature = "the method multilevel here: its grid is a solver of its own";
                Err(Error::Unsupported { solver: "the GPU back end", feature })
            }
            SolverConfig::RadialMatching(_) => {
                let feature = "the method radial_matching; shape_matching and position_based do";
                Err(Error::Unsupported { solver: "the GPU back end", feature })
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

fn check_material(cloth: &Cloth) -> Result<(), Error> {
    let unsupported = |feature| Err(Error::Unsupported { solver: "the GPU back end", feature });
    if cloth.pressure.is_some() {
        return unsupported("pressure");
    }
    let material = &cloth.material;
    match material.bending_model {
        BendingModel::Triangle(options) if options.signed => {
            return unsupported("triangle_bending that is signed");
        }
        BendingModel::Triangle(options) if is_compliant(options.stiffness) => {
            return unsupported("triangle_bending with a compliance; with a stiffness it does");
        }
        BendingModel::Stick(options) if is_compliant(options.stiffness) => {
            return unsupported("stick_bending with a compliance; with a stiffness it does");
        }
        BendingModel::Dihedral(_) => return unsupported("dihedral_bending; triangle_bending does"),
        _ => {}
    }
    if material.quadratic_bending() > 0.0 && material.bending_form == BendingForm::Explicit {
        return unsupported("explicit bending; the position form does");
    }
    if matches!(material.stretch, Stretch::Physical { .. }) {
        return unsupported("physical stretch stiffness");
    }
    match material.damping {
        Damping::Printed { coefficient } if coefficient > 0.0 => {
            unsupported("damping as printed in the paper")
        }
        _ => Ok(()),
    }
}

fn check_shape_matching(config: &ShapeMatching) -> Result<(), Error> {
    let unsupported = |feature| Err(Error::Unsupported { solver: "shape matching on the GPU", feature });
    if config.variant == Variant::Paper {
        return unsupported("the paper variant (its Gauss-Seidel order); gather is the paper's GPU form");
    }
    if config.hierarchy.nesting != Nesting::Nested {
        return unsupported("levels that are not nested");
    }
    Ok(())
}

fn check_position_based(config: &PositionBased, cloth: &Cloth) -> Result<(), Error> {
    config.check()?;
    let unsupported = |feature| Err(Error::Unsupported { solver: "position_based on the GPU", feature });
    if config.stretch.is_some_and(is_compliant) {
        return unsupported("compliance against stretch (stretch_compliance); stretch_stiffness does");
    }
    let has_diagonals = quads::Diagonals::new(&cloth.topology, &cloth.mesh.quads).is_diagonal.contains(&true);
    if config.order == Order::Jacobi && has_diagonals && config.diagonals != Diagonals::One {
        return unsupported("other diagonals than one with the order jacobi; gauss_seidel does");
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
