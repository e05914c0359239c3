//! What can be asked for and is not done by every solver on every back end.

/// Something that a cloth, a material or a solver's options can ask for, and that may be
/// [refused](crate::Error::Unsupported).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// A solver as a whole.
    Method,
    /// A variant of shape matching.
    Variant,
    /// A cycle of shape matching.
    Cycle,
    /// An order in which regions or constraints are gone through.
    Order,
    /// Levels that are not nested.
    Nesting,
    /// A factor on corrections.
    OverRelaxation,
    /// Diagonals of quads that keep their length.
    Diagonals,
    /// A compliance of edges as an option of the solver.
    StretchCompliance,
    /// A linear system instead of iterations.
    LinearSystem,
    /// Stretch stiffness in N/m.
    PhysicalStretch,
    /// Bending constraints of triangles.
    TriangleBending,
    /// Bending constraints of hinges.
    DihedralBending,
    /// Bending constraints of sticks.
    StickBending,
    /// A form of quadratic bending.
    BendingForm,
    /// A form of damping.
    DampingForm,
    /// Closed cloth that holds a volume.
    Pressure,
    /// Vertices that go along with a collider or a rigid body.
    Attachment,
    /// Points of cloth that are held softly.
    Hold,
    /// Colliders.
    Collider,
    /// Rigid bodies.
    Body,
    /// Collisions of cloth with itself.
    SelfCollision,
}

impl Feature {
    /// The option that asks for it, as scenes call it, from a cloth's point of view.
    pub fn option(self) -> &'static str {
        match self {
            Self::Method => "solver.method",
            Self::Variant => "solver.variant",
            Self::Cycle => "solver.cycle",
            Self::Order => "solver.order",
            Self::Nesting => "solver.nesting",
            Self::OverRelaxation => "solver.over_relaxation",
            Self::Diagonals => "solver.diagonals",
            Self::StretchCompliance => "solver.stretch_compliance",
            Self::LinearSystem => "solver.resolution",
            Self::PhysicalStretch => "material.stretch",
            Self::TriangleBending => "material.triangle_bending",
            Self::DihedralBending => "material.dihedral_bending",
            Self::StickBending => "material.stick_bending",
            Self::BendingForm => "material.bending_form",
            Self::DampingForm => "material.damping_form",
            Self::Pressure => "pressure",
            Self::Attachment => "attach",
            Self::Hold => "hold",
            Self::Collider => "collider",
            Self::Body => "body",
            Self::SelfCollision => "collision.self",
        }
    }
}
