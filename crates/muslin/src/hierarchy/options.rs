//! What to build, and what can be wrong with the request.

use crate::mesh::MeshError;

/// How the vertices of a level lie to those of the next finer one (\[Bender2013\] figure 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Nesting {
    /// Every coarse vertex is a fine vertex too.
    #[default]
    Nested,
    /// A coarse vertex lies at the weighted mean of the fine vertices around it.
    NonNested,
}

/// What hierarchy to build.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct HierarchyOptions {
    /// How many levels, the finest (the mesh itself) included; at least one.
    pub levels: usize,
    /// The fraction of the triangles that goes from each level to the next coarser one, strictly
    /// between 0 and 1.
    pub removal: f64,
    /// No level gets fewer triangles than this, however many are asked for. Corrections of a handful of
    /// huge triangles move everything at once, and can feed a swinging cloth.
    pub fewest_triangles: usize,
    /// Whether coarse vertices coincide with fine ones.
    pub nesting: Nesting,
}

impl Default for HierarchyOptions {
    /// Eight nested levels, each with half the triangles of the next finer one, or as many as the
    /// mesh allows. The paper uses five; coarse levels cost next to nothing, and on 20,000 triangles
    /// three more halve the strain.
    fn default() -> Self {
        Self { levels: 8, removal: 0.5, fewest_triangles: 1, nesting: Nesting::Nested }
    }
}

impl HierarchyOptions {
    /// Checks the numbers.
    pub fn check(&self) -> Result<(), HierarchyError> {
        if self.levels == 0 {
            return Err(HierarchyError::NoLevels);
        }
        if !(self.removal > 0.0 && self.removal < 1.0) {
            return Err(HierarchyError::Removal(self.removal));
        }
        Ok(())
    }
}

/// Why no hierarchy can be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HierarchyError {
    /// The finest level counts as one.
    #[error("levels is 0, but the mesh itself already makes 1")]
    NoLevels,
    /// The fraction of triangles to remove makes no sense.
    #[error("removal is {0}, but it is the fraction of triangles removed per level: between 0 and 1")]
    Removal(f64),
    /// There is not one entry per vertex that says whether it is fixed.
    #[error("{fixed} entries that tell fixed vertices for {vertices} vertices")]
    FixedCount {
        /// Entries given.
        fixed: usize,
        /// Vertices of the mesh.
        vertices: usize,
    },
    /// The mesh cannot be used.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}
