//! Which model resists bending, with its options. The models themselves are in `bending/`, a file each.

use super::MaterialError;

/// How strongly a constraint is enforced.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Stiffness {
    /// k between 0 (not at all) and 1 (as far as the solver gets): the fraction of an isolated constraint's error
    /// that a step undoes, whatever the number of iterations (\[Kelager2010\] eq. 6). What comes out depends on
    /// step and mesh.
    Fraction(f32),
    /// The inverse of a spring constant (XPBD): with enough iterations the same at every step size. Its unit is
    /// m/N for constraints on lengths and 1/(N·m) for those on angles.
    Compliance(f32),
}

impl Default for Stiffness {
    fn default() -> Self {
        Self::Fraction(1.0)
    }
}

impl Stiffness {
    /// What the value must be, if it is not that.
    pub(crate) fn problem(self) -> Option<(f32, &'static str)> {
        match self {
            Self::Fraction(k) => (!(0.0..=1.0).contains(&k)).then_some((k, "between 0 and 1")),
            Self::Compliance(c) => (!(c.is_finite() && c >= 0.0)).then_some((c, "finite and not negative")),
        }
    }

    /// Whether it asks for no resistance at all.
    pub(crate) fn is_none(self) -> bool {
        self == Self::Fraction(0.0)
    }
}

/// Between which vertices constraints are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Placement {
    /// For each vertex between those neighbours that lie most nearly opposite each other (\[Kelager2010\] Fig. 6).
    #[default]
    Rings,
    /// For each inner edge between the tips of its two triangles, the vertex being the middle of the edge.
    Edges,
}

/// Triangle bending \[Kelager2010\]: a vertex keeps its distance from the centroid of itself and two others.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct TriangleBending {
    /// How strongly; a compliance is in m/N.
    pub stiffness: Stiffness,
    /// κ, metres: what is added to the distance at rest of all constraints; more bends more. Can be animated by
    /// [`ClothBuilder::kappa`](super::ClothBuilder::kappa).
    pub kappa: f32,
    /// Only what is flatter than at rest is corrected (eq. 4), so that cloth may bend further freely.
    pub inequality: bool,
    /// Tell the rest shape from its mirror image, which the paper's form does not: the height of the vertex over its
    /// base counts, not its distance. What is flat at rest has the side to which κ bends it outwards.
    pub signed: bool,
    /// Where constraints are made.
    pub placement: Placement,
    /// Where the mesh knows its quads, neighbours are those along the quads' edges.
    pub quads: bool,
    /// The generalised mass as printed in eq. 8, which is exact only for equal masses. For comparisons;
    /// signed bends do not know it.
    pub printed_masses: bool,
}

impl Default for TriangleBending {
    fn default() -> Self {
        Self {
            stiffness: Stiffness::default(),
            kappa: 0.0,
            inequality: false,
            signed: false,
            placement: Placement::Rings,
            quads: true,
            printed_masses: false,
        }
    }
}

/// Dihedral bending (Müller et al. 2006): two triangles over an edge keep their angle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct DihedralBending {
    /// How strongly; a compliance is in 1/(N·m).
    pub stiffness: Stiffness,
    /// Tell the rest shape from its mirror image. Without, the angle is that of the printed arc cosine.
    pub signed: bool,
    /// Where the mesh knows its quads, leave their diagonals out, as in \[Kelager2010\] Table 1. Quads may then
    /// fold along them.
    pub quads: bool,
}

impl Default for DihedralBending {
    fn default() -> Self {
        Self { stiffness: Stiffness::default(), signed: true, quads: false }
    }
}

/// Sticks: vertices two edges apart keep their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct StickBending {
    /// How strongly; a compliance is in m/N.
    pub stiffness: Stiffness,
    /// Between which vertices.
    pub placement: Placement,
    /// Where the mesh knows its quads, neighbours are those along the quads' edges.
    pub quads: bool,
}

impl Default for StickBending {
    fn default() -> Self {
        Self { stiffness: Stiffness::default(), placement: Placement::Rings, quads: true }
    }
}

/// What resists bending.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum BendingModel {
    /// A physical stiffness: [`Material::bending`](super::Material::bending), in the form of
    /// [`Material::bending_form`](super::Material::bending_form).
    #[default]
    Quadratic,
    /// Triangle bending.
    Triangle(TriangleBending),
    /// Dihedral angles.
    Dihedral(DihedralBending),
    /// Sticks.
    Stick(StickBending),
}

impl BendingModel {
    /// Looks for values out of range.
    pub(super) fn check(&self) -> Result<(), MaterialError> {
        let (field, stiffness) = match self {
            Self::Quadratic => return Ok(()),
            Self::Triangle(options) => ("triangle_bending", options.stiffness),
            Self::Dihedral(options) => ("dihedral_bending", options.stiffness),
            Self::Stick(options) => ("stick_bending", options.stiffness),
        };
        if let Some((value, must_be)) = stiffness.problem() {
            return Err(MaterialError { field, value, must_be });
        }
        match self {
            Self::Triangle(TriangleBending { kappa, .. }) if !(kappa.is_finite() && *kappa >= 0.0) => {
                let (field, value) = ("triangle_bending.kappa", *kappa);
                Err(MaterialError { field, value, must_be: "finite and not negative" })
            }
            _ => Ok(()),
        }
    }
}
