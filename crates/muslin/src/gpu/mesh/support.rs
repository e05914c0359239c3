//! What there are kernels for, and the names of what there are none for.

use crate::cloth::{BendingForm, BendingModel, Cloth, Damping, Stiffness, Stretch};
use crate::damping::velocity_share;
use crate::hierarchy::Nesting;
use crate::mesh::quads;
use crate::simulation::Settings;
use crate::solver::{Diagonals, Order, PositionBased, ShapeMatching, SolverConfig, Variant};
use crate::{Error, Feature};

const BACK_END: &str = "the GPU back end";

/// A method that there are kernels for.
#[derive(Clone, Copy)]
pub(super) enum Method<'a> {
    ShapeMatching(&'a ShapeMatching),
    PositionBased(&'a PositionBased),
}

impl<'a> Method<'a> {
    /// The method of settings.
    pub fn of(settings: &'a Settings) -> Result<Self, Error> {
        let what = match &settings.solver {
            SolverConfig::ShapeMatching(config) => return Ok(Self::ShapeMatching(config)),
            SolverConfig::PositionBased(config) => return Ok(Self::PositionBased(config)),
            SolverConfig::Impulses(_) => "the method impulses; shape_matching and position_based do",
            SolverConfig::Multilevel(_) => "the method multilevel here: its grid is a solver of its own",
            SolverConfig::RadialMatching(_) => {
                "the method radial_matching; shape_matching and position_based do"
            }
        };
        Err(Error::Unsupported { by: BACK_END, feature: Feature::Method, what })
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

/// Refuses what of a cloth and its settings there are no kernels for.
pub(super) fn check(cloth: &Cloth, settings: &Settings) -> Result<(), Error> {
    Method::of(settings)?.check(cloth)
}

/// Refuses the first of these that is wanted.
fn refuse(by: &'static str, wanted: &[(bool, Feature, &'static str)]) -> Result<(), Error> {
    match wanted.iter().find(|(is_wanted, ..)| *is_wanted) {
        Some(&(_, feature, what)) => Err(Error::Unsupported { by, feature, what }),
        None => Ok(()),
    }
}

fn check_material(cloth: &Cloth) -> Result<(), Error> {
    let material = &cloth.material;
    let (signed, compliant_triangles) = match material.bending_model {
        BendingModel::Triangle(options) => (options.signed, is_compliant(options.stiffness)),
        _ => (false, false),
    };
    let compliant_sticks =
        matches!(material.bending_model, BendingModel::Stick(options) if is_compliant(options.stiffness));
    let dihedral = matches!(material.bending_model, BendingModel::Dihedral(_));
    let explicit = material.quadratic_bending() > 0.0 && material.bending_form == BendingForm::Explicit;
    let physical = matches!(material.stretch, Stretch::Physical { .. });
    let printed = matches!(material.damping, Damping::Printed { coefficient } if coefficient > 0.0);
    let triangles = "triangle_bending with a compliance; with a stiffness it does";
    let sticks = "stick_bending with a compliance; with a stiffness it does";
    refuse(
        BACK_END,
        &[
            (cloth.pressure.is_some(), Feature::Pressure, "pressure"),
            (signed, Feature::TriangleBending, "triangle_bending that is signed"),
            (compliant_triangles, Feature::TriangleBending, triangles),
            (compliant_sticks, Feature::StickBending, sticks),
            (dihedral, Feature::DihedralBending, "dihedral_bending; triangle_bending does"),
            (explicit, Feature::BendingForm, "explicit bending; the position form does"),
            (physical, Feature::PhysicalStretch, "physical stretch stiffness"),
            (printed, Feature::DampingForm, "damping as printed in the paper"),
        ],
    )
}

fn check_shape_matching(config: &ShapeMatching) -> Result<(), Error> {
    let paper = "the paper variant, whose order is gauss_seidel; full_approximation does";
    let order = "the order gauss_seidel; jacobi does, which it takes if none is given";
    refuse(
        "shape matching on the GPU",
        &[
            (config.variant == Variant::Paper, Feature::Variant, paper),
            (config.order == Some(Order::GaussSeidel), Feature::Order, order),
            (config.hierarchy.nesting != Nesting::Nested, Feature::Nesting, "levels that are not nested"),
        ],
    )
}

fn check_position_based(config: &PositionBased, cloth: &Cloth) -> Result<(), Error> {
    config.check()?;
    let compliance = "compliance against stretch (stretch_compliance); stretch_stiffness does";
    let has_diagonals = quads::Diagonals::new(&cloth.topology, &cloth.mesh.quads).is_diagonal.contains(&true);
    let averages_diagonals =
        config.order == Order::Jacobi && has_diagonals && config.diagonals != Diagonals::One;
    let diagonals = "other diagonals than one with the order jacobi; gauss_seidel does";
    refuse(
        "position_based on the GPU",
        &[
            (config.stretch.is_some_and(is_compliant), Feature::StretchCompliance, compliance),
            (averages_diagonals, Feature::Diagonals, diagonals),
        ],
    )
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
