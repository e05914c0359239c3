//! Everything that can be wrong with what a user gives, in one type.

use crate::bending::explicit::UnstableBending;
use crate::cloth::MaterialError;
use crate::feature::Feature;
use crate::hierarchy::HierarchyError;
use crate::mesh::MeshError;
use crate::mesh::generate::GenerateError;
use crate::solver::multilevel::{ChartError, LatticeError};
use crate::world::{Handle, Intersection};

/// Why a cloth or a simulation cannot be built, or a step not be taken.
///
/// Element numbers are the user's own.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A mesh cannot be generated so.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// The mesh is unusable.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A triangle has (nearly) no area at rest.
    #[error("triangle {triangle} has no area at rest; repairing the mesh drops such triangles")]
    DegenerateTriangle {
        /// The triangle.
        triangle: usize,
    },
    /// A vertex belongs to no triangle, so it has no mass.
    #[error("vertex {vertex} belongs to no triangle; repairing the mesh drops such vertices")]
    IsolatedVertex {
        /// The vertex.
        vertex: usize,
    },
    /// The cloth is too small or too large for single precision.
    #[error("the cloth is {size} m large, but must be between 0.1 mm and 100 km; are the units metres?")]
    Size {
        /// Its largest extent, metres.
        size: f32,
    },
    /// Pressure in cloth that is not closed.
    #[error("pressure needs cloth that is closed: {problem}")]
    NotClosed {
        /// What is wrong.
        problem: String,
    },
    /// The GPU failed, or there is none.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] crate::gpu::GpuError),
    /// A material value is out of range.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A pin names a vertex that does not exist.
    #[error("a pin names vertex {vertex}, but there are only {vertices} vertices")]
    NoSuchPin {
        /// The index given.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A pin names a group that the mesh does not have.
    #[error("a pin names the group '{group}', but the mesh has no such group (it has: {known})")]
    NoSuchGroup {
        /// The name given.
        group: String,
        /// The groups there are.
        known: String,
    },
    /// A vertex that does not exist.
    #[error("there is no vertex {vertex}: there are only {vertices} vertices")]
    NoSuchVertex {
        /// The index given.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A vertex that would have to be pinned.
    #[error("vertex {vertex} is not pinned")]
    NotPinned {
        /// The vertex.
        vertex: u32,
    },
    /// A hold that does not exist, or has been let go.
    #[error("there is no hold {hold}: it has been let go, or is of another cloth")]
    NoSuchHold {
        /// Its number.
        hold: u32,
    },
    /// What is asked for at a vertex makes no sense.
    #[error("{field} at vertex {vertex}: {problem}")]
    AtVertex {
        /// The vertex.
        vertex: u32,
        /// What was given.
        field: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The motion of a pin makes no sense.
    #[error("the motion of the pin at vertex {vertex}: {problem}")]
    PinMotion {
        /// The pinned vertex.
        vertex: u32,
        /// What is wrong.
        problem: String,
    },
    /// Positions or velocities of the wrong count or not finite.
    #[error("{what}: {problem}")]
    State {
        /// Which array.
        what: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// A setting is out of range.
    #[error("{field} is {value}, but must be {must_be}")]
    Setting {
        /// The field's name.
        field: &'static str,
        /// The value given.
        value: f64,
        /// What it must be.
        must_be: &'static str,
    },
    /// A combination that a solver does not offer, there or anywhere.
    #[error("{by} does not support {what}")]
    Unsupported {
        /// The solver, variant or engine that refuses, in words.
        by: &'static str,
        /// What was asked of it.
        feature: Feature,
        /// The same in words, with what it does instead.
        what: &'static str,
    },
    /// The cloth cannot be laid into the plane.
    #[error(transparent)]
    Charts(#[from] ChartError),
    /// The cloth cannot be covered with a grid.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
    /// The hierarchy cannot be built.
    #[error(transparent)]
    Hierarchy(#[from] HierarchyError),
    /// Explicit bending would blow up.
    #[error(transparent)]
    UnstableBending(#[from] UnstableBending),
    /// The worker threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// A collider that cannot be used.
    #[error("the collider '{name}': {problem}")]
    Collider {
        /// Its name.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A rigid body that cannot be used, or that a step has lost.
    #[error("the rigid body '{name}': {problem}")]
    Body {
        /// Its name.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A pair names neither a cloth nor a collider nor a rigid body.
    #[error("there is no cloth, collider or rigid body named '{name}'")]
    NoSuchBody {
        /// The name given.
        name: String,
    },
    /// Cloths of one world with different steps.
    #[error("the cloth '{cloth}' has another {field} than the first one")]
    UnequalSettings {
        /// The cloth's name.
        cloth: String,
        /// What differs.
        field: &'static str,
    },
    /// Cloth starts intersecting itself, other cloth, or a collider.
    #[error(
        "{} intersections at the start: {}; collision.start = \"ignore\" or \"untangle\" goes on in spite of \
         them",
        found.len(),
        first_of(found)
    )]
    StartsIntersecting {
        /// All of them.
        found: Vec<Intersection>,
    },
    /// Two bodies of one world with the same name.
    #[error("two cloths, colliders or rigid bodies are called '{name}'")]
    SameName {
        /// The name.
        name: String,
    },
    /// Two bodies could not be kept apart. The positions are those before the step.
    #[error(
        "step {step} (at {time:.4} s): '{first}' and '{second}' could not be kept apart, although the step was \
         divided by {divisions}; the step was undone"
    )]
    Unresolved {
        /// The number of the step of the whole world, from 1: substeps do not count.
        step: u64,
        /// When the step began, seconds.
        time: f64,
        /// A body.
        first: String,
        /// The other, or the same.
        second: String,
        /// Into how many parts the step was divided.
        divisions: u32,
    },
    /// Two bodies, or two parts of a cloth, are close to each other in so many places that there would not be memory for all of
    /// them. If that happens in a step, the positions are those before it.
    #[error("{}", crowded(first, second, 1e3 * edge, 1e3 * gap))]
    Crowded {
        /// A body.
        first: String,
        /// The other, or the same.
        second: String,
        /// The mean length of the first one's edges at rest, metres.
        edge: f64,
        /// What is to be kept free between the two, metres.
        gap: f64,
    },
    /// A handle names nothing that is in a world.
    #[error("{0} is not in this world: it was removed, or belongs to another")]
    NoSuch(Handle),
    /// What has to be told from the present state of a cloth, which is on a GPU.
    #[error("{what} needs the present state of the cloth, which is on the GPU: read it back first")]
    NotReadBack {
        /// What was asked for.
        what: &'static str,
    },
    /// What went wrong with one cloth of a world.
    #[error("cloth '{cloth}': {error}")]
    InCloth {
        /// Its name.
        cloth: String,
        /// What went wrong.
        error: Box<Error>,
    },
    /// A particle's position became non-finite or left all bounds, and holding it did not help. The positions are
    /// those before the step.
    #[error("step {step}: vertex {vertex} went astray (not finite, or out of bounds); the step was undone")]
    Diverged {
        /// The step's number, from 1: substeps do not count.
        step: u64,
        /// The first such vertex.
        vertex: usize,
    },
}

/// The message, with lengths in millimetres.
fn crowded(first: &str, second: &str, edge: f64, gap: f64) -> String {
    let (between, help) = match first == second {
        true => ("its layers".to_owned(), ", a coarser mesh or collision.self = false"),
        false => (format!("it and '{second}'"), " or a coarser mesh"),
    };
    format!(
        "the edges of '{first}' are {edge:.3} mm long on average, and {gap:.3} mm are kept free between {between}: too many \
         triangles are that near to each other at once; are the lengths metres? A smaller thickness{help} would help"
    )
}

/// The first few intersections, in words.
fn first_of(found: &[Intersection]) -> String {
    let named: Vec<String> = found.iter().take(3).map(Intersection::to_string).collect();
    format!("{}{}", named.join(", "), if found.len() > 3 { ", …" } else { "" })
}
