//! Bending by constraints: triangle, dihedral, sticks. Made once, projected every round.

use glam::Vec3;

use super::dihedral::{DihedralAngle, rest_angle};
use super::hinges::hinge_vertices;
use super::placement::RestShape;
use super::signed::{BorderBend, SignedRings, signed_edge_rest};
use super::stick::{rest_length, sticks};
use super::triangle::{SCALE, TriangleBend, edge_rest, edge_vertices, ring_rest};
use crate::cloth::{
    BendingModel, Cloth, DihedralBending, Placement, StickBending, Stiffness, TriangleBending,
};
use crate::execution::Execution;
use crate::solver::constraint::length::Distance;
use crate::solver::constraint::{Constraint, ConstraintList, Constraints, Enforcement, Passes};
use crate::state::Point;

/// The constraints of a cloth as plain data, for every back end.
pub(crate) enum BendingList {
    Rings(TriangleBend, ConstraintList<3, 1>),
    /// Inner bends, and those along borders.
    SignedRings(TriangleBend, ConstraintList<5, 2>, ConstraintList<4, 2>),
    Edges(TriangleBend, ConstraintList<4, 2>),
    Dihedral(DihedralAngle, ConstraintList<4, 1>),
    Sticks(ConstraintList<2, 1>),
}

/// The constraints of a cloth, ready to be projected.
#[derive(Clone, Debug)]
pub(crate) enum ConstraintBending {
    Rings(Constraints<TriangleBend, 3, 1>),
    SignedRings(Constraints<TriangleBend, 5, 2>, Constraints<BorderBend, 4, 2>),
    Edges(Constraints<TriangleBend, 4, 2>),
    Dihedral(Constraints<DihedralAngle, 4, 1>),
    Sticks(Constraints<Distance, 2, 1>),
}

impl BendingList {
    /// The constraints of a cloth's bending model; none if it is quadratic, or has no stiffness.
    pub fn new(cloth: &Cloth, enforcement: Enforcement) -> Option<Self> {
        match cloth.material.bending_model {
            BendingModel::Triangle(options) if !options.stiffness.is_none() => {
                Some(Self::triangle(cloth, options, enforcement))
            }
            BendingModel::Dihedral(options) if !options.stiffness.is_none() => {
                Some(Self::dihedral(cloth, options, enforcement))
            }
            BendingModel::Stick(options) if !options.stiffness.is_none() => {
                Some(Self::stick(cloth, options, enforcement))
            }
            _ => None,
        }
    }

    fn triangle(cloth: &Cloth, options: TriangleBending, enforcement: Enforcement) -> Self {
        let TriangleBending { kappa, inequality, signed, printed_masses, .. } = options;
        let kind = TriangleBend { kappa, inequality, printed_masses, signed };
        let shape = rest_shape(cloth, options.quads);
        let stiffness = match options.stiffness {
            Stiffness::Compliance(compliance) => Stiffness::Compliance(compliance * SCALE * SCALE),
            fraction => fraction,
        };
        if options.placement == Placement::Edges {
            let hinges = shape.hinges();
            let rest_of = if signed { signed_edge_rest } else { edge_rest };
            let rest = hinges.iter().map(|hinge| rest_of(&cloth.rest, hinge)).collect();
            let vertices = hinges.iter().map(edge_vertices).collect();
            return Self::Edges(kind, ConstraintList::uniform(vertices, rest, stiffness, enforcement));
        }
        let bends = shape.rings();
        if signed {
            let SignedRings { inner, inner_rest, border, border_rest } =
                SignedRings::new(&cloth.rest, &bends);
            let inner = ConstraintList::uniform(inner, inner_rest, stiffness, enforcement);
            let border = ConstraintList::uniform(border, border_rest, stiffness, enforcement);
            return Self::SignedRings(kind, inner, border);
        }
        let rest = bends.iter().map(|bend| ring_rest(&cloth.rest, bend)).collect();
        let vertices = bends.iter().map(|bend| [bend.base[0], bend.base[1], bend.tip]).collect();
        Self::Rings(kind, ConstraintList::uniform(vertices, rest, stiffness, enforcement))
    }

    fn dihedral(cloth: &Cloth, options: DihedralBending, enforcement: Enforcement) -> Self {
        let hinges = rest_shape(cloth, options.quads).hinges();
        let vertices: Vec<[u32; 4]> = hinges.iter().map(hinge_vertices).collect();
        let rest = vertices.iter().map(|vs| [rest_angle(vs.map(|v| cloth.rest[v as usize]))]).collect();
        let list = ConstraintList::uniform(vertices, rest, options.stiffness, enforcement);
        Self::Dihedral(DihedralAngle { signed: options.signed }, list)
    }

    fn stick(cloth: &Cloth, options: StickBending, enforcement: Enforcement) -> Self {
        let shape = rest_shape(cloth, options.quads);
        let vertices = match options.placement {
            Placement::Rings => sticks(shape.rings().iter().map(|bend| bend.base), &cloth.topology),
            Placement::Edges => sticks(shape.hinges().iter().map(|hinge| hinge.opposite), &cloth.topology),
        };
        let rest = vertices.iter().map(|&pair| rest_length(&cloth.rest, pair)).collect();
        Self::Sticks(ConstraintList::uniform(vertices, rest, options.stiffness, enforcement))
    }

    /// Arranges the constraints over `vertices` vertices.
    pub fn arrange(self, vertices: usize, passes: Passes) -> ConstraintBending {
        match self {
            Self::Rings(kind, list) => {
                ConstraintBending::Rings(Constraints::new(kind, vertices, list, passes))
            }
            Self::SignedRings(kind, inner, border) => ConstraintBending::SignedRings(
                Constraints::new(kind, vertices, inner, passes),
                Constraints::new(BorderBend(kind), vertices, border, passes),
            ),
            Self::Edges(kind, list) => {
                ConstraintBending::Edges(Constraints::new(kind, vertices, list, passes))
            }
            Self::Dihedral(kind, list) => {
                ConstraintBending::Dihedral(Constraints::new(kind, vertices, list, passes))
            }
            Self::Sticks(list) => {
                ConstraintBending::Sticks(Constraints::new(Distance, vertices, list, passes))
            }
        }
    }

    /// C of every constraint at positions (internal order): metres, or radians.
    pub fn errors(&self, positions: &[Vec3]) -> Vec<f32> {
        let in_metres = |errors: Vec<f32>| errors.into_iter().map(|error| error / SCALE).collect();
        match self {
            Self::Rings(kind, list) => in_metres(errors(*kind, list, positions)),
            Self::SignedRings(kind, inner, border) => {
                let mut all = errors(*kind, inner, positions);
                all.extend(errors(BorderBend(*kind), border, positions));
                in_metres(all)
            }
            Self::Edges(kind, list) => in_metres(errors(*kind, list, positions)),
            Self::Dihedral(kind, list) => errors(*kind, list, positions),
            Self::Sticks(list) => errors(Distance, list, positions),
        }
    }
}

fn rest_shape(cloth: &Cloth, quads: bool) -> RestShape<'_> {
    RestShape { positions: &cloth.rest, mesh: &cloth.mesh, topology: &cloth.topology, quads }
}

fn errors<C: Constraint<N, K>, const N: usize, const K: usize>(
    kind: C,
    list: &ConstraintList<N, K>,
    positions: &[Vec3],
) -> Vec<f32> {
    let error = |(vertices, rest): (&[u32; N], &[f32; K])| {
        kind.evaluate(vertices.map(|v| positions[v as usize].into()), [1.0; N], *rest).value
    };
    list.vertices.iter().zip(&list.rest).map(error).collect()
}

impl ConstraintBending {
    /// κ from now on, metres; only triangle bending has it.
    pub fn set_kappa(&mut self, kappa: f32) {
        match self {
            Self::Rings(constraints) => constraints.kind_mut().kappa = kappa,
            Self::SignedRings(inner, border) => {
                inner.kind_mut().kappa = kappa;
                border.kind_mut().0.kappa = kappa;
            }
            Self::Edges(constraints) => constraints.kind_mut().kappa = kappa,
            Self::Dihedral(_) | Self::Sticks(_) => {}
        }
    }

    /// One pass over all constraints; `first` of the step.
    pub fn project<P: Point>(&mut self, first: bool, points: &mut [P], execution: Execution) {
        match self {
            Self::Rings(constraints) => constraints.project(first, points, execution),
            Self::SignedRings(inner, border) => {
                inner.project(first, points, execution);
                border.project(first, points, execution);
            }
            Self::Edges(constraints) => constraints.project(first, points, execution),
            Self::Dihedral(constraints) => constraints.project(first, points, execution),
            Self::Sticks(constraints) => constraints.project(first, points, execution),
        }
    }
}
