//! What can be wrong with a mesh, each kind with the elements concerned and their place.

use std::fmt;

use glam::Vec3;

/// The kinds of [`MeshIssue`], in the order in which reports list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum IssueKind {
    /// There is nothing to simulate.
    NoTriangles,
    /// Not one entry of texture coordinates per triangle.
    UvCount,
    /// A group names a vertex that does not exist.
    GroupIndexOutOfRange,
    /// A triangle names a vertex that does not exist.
    IndexOutOfRange,
    /// A position is NaN or infinite.
    NonFiniteVertex,
    /// A triangle names a vertex twice or has no area.
    DegenerateTriangle,
    /// Several vertices at exactly the same place.
    DuplicateVertices,
    /// A triangle over the same three vertices as an earlier one.
    DuplicateTriangle,
    /// More than two triangles share an edge.
    NonManifoldEdge,
    /// The triangles around a vertex form more than one fan.
    NonManifoldVertex,
    /// Several triangles run through an edge in the same direction.
    InconsistentOrientation,
    /// A triangle much longer than it is high.
    SliverTriangle,
    /// A vertex that no triangle names.
    IsolatedVertex,
}

impl IssueKind {
    /// Whether a mesh with such an issue cannot be simulated: an index or a number that cannot be
    /// used, a triangle without a rest shape, or a vertex without a mass. Everything else only makes
    /// the cloth behave oddly (seams that come apart, edges that do not bend).
    pub fn is_fatal(self) -> bool {
        self <= Self::DegenerateTriangle || self == Self::IsolatedVertex
    }

    /// The kind in words, for one or for several.
    pub fn words(self, several: bool) -> &'static str {
        let (one, many) = match self {
            Self::NoTriangles => ("mesh without triangles", "meshes without triangles"),
            Self::UvCount => ("wrong count of texture coordinates", "wrong counts of texture coordinates"),
            Self::GroupIndexOutOfRange => ("group index out of range", "group indices out of range"),
            Self::IndexOutOfRange => ("index out of range", "indices out of range"),
            Self::NonFiniteVertex => ("vertex not finite", "vertices not finite"),
            Self::DegenerateTriangle => ("degenerate triangle", "degenerate triangles"),
            Self::DuplicateVertices => ("place with several vertices", "places with several vertices"),
            Self::DuplicateTriangle => ("duplicate triangle", "duplicate triangles"),
            Self::NonManifoldEdge => ("non-manifold edge", "non-manifold edges"),
            Self::NonManifoldVertex => ("non-manifold vertex", "non-manifold vertices"),
            Self::InconsistentOrientation => {
                ("inconsistently oriented edge", "inconsistently oriented edges")
            }
            Self::SliverTriangle => ("sliver triangle", "sliver triangles"),
            Self::IsolatedVertex => ("isolated vertex", "isolated vertices"),
        };
        if several { many } else { one }
    }
}

impl fmt::Display for IssueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words(false))
    }
}

/// One thing that is wrong with a mesh. Indices are the user's own; `position` is in metres, the
/// centre of the element concerned.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // the fields are described once, here and at the variant
pub enum MeshIssue {
    /// There is nothing to simulate.
    NoTriangles,
    /// There are `uvs` entries of texture coordinates for `triangles` triangles.
    UvCount { uvs: usize, triangles: usize },
    /// `group` names `vertex`, which does not exist.
    GroupIndexOutOfRange { group: String, vertex: u32 },
    /// `triangle` names `vertex`, which does not exist; the place is that of a valid corner.
    IndexOutOfRange { triangle: u32, vertex: u32, position: Option<Vec3> },
    /// The position of `vertex` is NaN or infinite.
    NonFiniteVertex { vertex: u32, position: Vec3 },
    /// `triangle` names a vertex twice or has no area worth the name
    /// ([`DEGENERATE_RATIO`](super::DEGENERATE_RATIO)).
    DegenerateTriangle { triangle: u32, corners: [u32; 3], position: Vec3 },
    /// All these vertices (ascending, at least two) are at exactly the same place.
    DuplicateVertices { vertices: Vec<u32>, position: Vec3 },
    /// `triangle` has the same three vertices as the earlier `original`.
    DuplicateTriangle { triangle: u32, original: u32, position: Vec3 },
    /// All these triangles (at least three) share `edge`.
    NonManifoldEdge { edge: [u32; 2], triangles: Vec<u32>, position: Vec3 },
    /// The triangles around `vertex` form `fans` fans that touch only there.
    NonManifoldVertex { vertex: u32, fans: usize, position: Vec3 },
    /// All these triangles (at least two) run through `edge` in the given direction.
    InconsistentOrientation { edge: [u32; 2], triangles: Vec<u32>, position: Vec3 },
    /// The height of `triangle` is only `ratio` of its longest edge, less than
    /// [`SLIVER_RATIO`](super::SLIVER_RATIO).
    SliverTriangle { triangle: u32, corners: [u32; 3], ratio: f64, position: Vec3 },
    /// No triangle names `vertex`.
    IsolatedVertex { vertex: u32, position: Vec3 },
}

impl MeshIssue {
    /// The kind of the issue.
    pub fn kind(&self) -> IssueKind {
        match self {
            Self::NoTriangles => IssueKind::NoTriangles,
            Self::UvCount { .. } => IssueKind::UvCount,
            Self::GroupIndexOutOfRange { .. } => IssueKind::GroupIndexOutOfRange,
            Self::IndexOutOfRange { .. } => IssueKind::IndexOutOfRange,
            Self::NonFiniteVertex { .. } => IssueKind::NonFiniteVertex,
            Self::DegenerateTriangle { .. } => IssueKind::DegenerateTriangle,
            Self::DuplicateVertices { .. } => IssueKind::DuplicateVertices,
            Self::DuplicateTriangle { .. } => IssueKind::DuplicateTriangle,
            Self::NonManifoldEdge { .. } => IssueKind::NonManifoldEdge,
            Self::NonManifoldVertex { .. } => IssueKind::NonManifoldVertex,
            Self::InconsistentOrientation { .. } => IssueKind::InconsistentOrientation,
            Self::SliverTriangle { .. } => IssueKind::SliverTriangle,
            Self::IsolatedVertex { .. } => IssueKind::IsolatedVertex,
        }
    }

    /// Whether the mesh cannot be simulated because of it.
    pub fn is_fatal(&self) -> bool {
        self.kind().is_fatal()
    }

    /// Where it is, if it has a place.
    pub fn position(&self) -> Option<Vec3> {
        match self {
            Self::NoTriangles | Self::UvCount { .. } | Self::GroupIndexOutOfRange { .. } => None,
            Self::IndexOutOfRange { position, .. } => *position,
            Self::NonFiniteVertex { position, .. }
            | Self::DegenerateTriangle { position, .. }
            | Self::DuplicateVertices { position, .. }
            | Self::DuplicateTriangle { position, .. }
            | Self::NonManifoldEdge { position, .. }
            | Self::NonManifoldVertex { position, .. }
            | Self::InconsistentOrientation { position, .. }
            | Self::SliverTriangle { position, .. }
            | Self::IsolatedVertex { position, .. } => Some(*position),
        }
    }
}

/// At most this many indices of one issue are written out.
const SHOWN_INDICES: usize = 6;

/// `1, 2, 3, … (12 in all)`
struct List<'a>(&'a [u32]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, index) in self.0.iter().take(SHOWN_INDICES).enumerate() {
            write!(f, "{}{index}", if k == 0 { "" } else { ", " })?;
        }
        if self.0.len() > SHOWN_INDICES {
            write!(f, ", … ({} in all)", self.0.len())?;
        }
        Ok(())
    }
}

impl fmt::Display for MeshIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTriangles => write!(f, "the mesh has no triangles")?,
            Self::UvCount { uvs, triangles } => {
                write!(f, "{uvs} entries of texture coordinates for {triangles} triangles")?
            }
            Self::GroupIndexOutOfRange { group, vertex } => {
                write!(f, "group '{group}' names vertex {vertex}")?
            }
            Self::IndexOutOfRange { triangle, vertex, .. } => {
                write!(f, "triangle {triangle} names vertex {vertex}")?
            }
            Self::NonFiniteVertex { vertex, .. } | Self::IsolatedVertex { vertex, .. } => {
                write!(f, "vertex {vertex}")?
            }
            Self::DegenerateTriangle { triangle, corners, .. } => {
                write!(f, "triangle {triangle} (vertices {})", List(corners))?
            }
            Self::DuplicateVertices { vertices, .. } => write!(f, "vertices {}", List(vertices))?,
            Self::DuplicateTriangle { triangle, original, .. } => {
                write!(f, "triangle {triangle} repeats triangle {original}")?
            }
            Self::NonManifoldEdge { edge: [a, b], triangles, .. } => {
                write!(f, "edge {a}–{b} of triangles {}", List(triangles))?
            }
            Self::NonManifoldVertex { vertex, fans, .. } => write!(f, "vertex {vertex} joins {fans} fans")?,
            Self::InconsistentOrientation { edge: [a, b], triangles, .. } => {
                write!(f, "edge {a}→{b} of triangles {}", List(triangles))?
            }
            Self::SliverTriangle { triangle, corners, ratio, .. } => {
                write!(f, "triangle {triangle} (vertices {}), height/length {ratio:.1e}", List(corners))?
            }
        }
        match self.position() {
            Some(p) => write!(f, " at ({}, {}, {})", p.x, p.y, p.z),
            None => Ok(()),
        }
    }
}
