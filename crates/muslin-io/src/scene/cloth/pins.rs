//! `[[cloth.pins]]`: which particles are held, and how they move.

use glam::{DVec3, Vec3};
use muslin::cloth::{Keyframe, PinMotion};
use muslin::mesh::TriMesh;

use crate::scene::Context;
use crate::scene::motion::{KEYFRAMES_KEY, Motion, PIVOT_KEY};
use crate::scene::schema::table::Table;
use crate::scene::schema::{Choice, Key, Kind, Need, Schema, key};
use crate::scene::text::hint::nearest;
use crate::scene::text::source::quoted;

/// The most vertices that one list names.
const MOST_VERTICES: usize = 1_000_000;

/// The most positions that the pins of a scene take, all together: one for each vertex at rest, and
/// for each vertex that moves one per keyframe, after turns were cut into pieces.
pub(in crate::scene) const MOST_POSITIONS: u64 = 8_000_000;

const INSTEAD: Need = Need::Otherwise("");

const BOX: Schema = Schema::new(
    "pins.box",
    "All vertices in a box, its faces included (within a millionth of the cloth's size).",
    &[
        key("min", "m", Kind::VECTOR, Need::Required, "The corner with the smallest coordinates."),
        key("max", "m", Kind::VECTOR, Need::Required, "The corner with the largest coordinates."),
    ],
);
const SPHERE: Schema = Schema::new(
    "pins.sphere",
    "All vertices in a sphere.",
    &[
        key("center", "m", Kind::VECTOR, Need::Required, "Its centre."),
        key("radius", "m", Kind::LENGTH, Need::Required, "Its radius."),
    ],
);
const VERTICES: Kind = Kind::List { of: &Kind::COUNT, least: 1, most: MOST_VERTICES };

const KEYS: &[Key] = &[
    key("vertices", "", VERTICES, INSTEAD, "These vertices, counted from 0."),
    key("group", "", Kind::Text, INSTEAD, "The vertices of a named group of the mesh."),
    key("box", "", Kind::Table(&BOX), INSTEAD, "The vertices in a box."),
    key("sphere", "", Kind::Table(&SPHERE), INSTEAD, "The vertices in a sphere."),
    key("nearest", "m", Kind::VECTOR, INSTEAD, "The one vertex nearest to a point."),
    KEYFRAMES_KEY,
    PIVOT_KEY,
];

pub(in crate::scene) const SCHEMA: Schema = Schema::new(
    "[[cloth.pins]]",
    "Vertices that are held. Places are those at the start, after the `transform`; a vertex that is selected \
     twice follows the later table.",
    KEYS,
)
.choosing(&[Choice { keys: &["vertices", "group", "box", "sphere", "nearest"], required: true }]);

/// Which vertices are held.
#[derive(Clone, Debug, PartialEq)]
pub enum PinSelector {
    /// These, counted from 0.
    Vertices(Vec<u32>),
    /// A named group of the mesh.
    Group(String),
    /// Those in a box, metres.
    Box {
        /// The corner with the smallest coordinates.
        min: DVec3,
        /// The corner with the largest coordinates.
        max: DVec3,
    },
    /// Those in a sphere, metres.
    Sphere {
        /// Its centre.
        center: DVec3,
        /// Its radius.
        radius: f32,
    },
    /// The one nearest to a point, metres.
    Nearest(DVec3),
}

/// Vertices that are held, and how they move.
#[derive(Clone, Debug, PartialEq)]
pub struct Pins {
    /// Which vertices.
    pub selector: PinSelector,
    /// How they move; `None` is not at all.
    pub motion: Option<Motion>,
}

/// Why pins cannot be used.
pub(in crate::scene) struct PinProblem {
    /// The key to blame, as a path within the table of the pins.
    pub path: String,
    pub message: String,
    pub hint: Option<String>,
}

fn problem(path: impl Into<String>, message: String, hint: impl Into<Option<String>>) -> PinProblem {
    PinProblem { path: path.into(), message, hint: hint.into() }
}

impl Pins {
    pub(in crate::scene) fn read(table: &Table<'_>, context: &mut Context<'_>) -> Option<Self> {
        let report = &mut context.report;
        let motion = if table.has("keyframes") { Some(Motion::read(table, report)?) } else { None };
        if motion.is_none() && table.has("pivot") {
            report.error(&table.span_of("pivot"), "a pivot has no meaning without keyframes");
        }
        let selector = if let Some(vertices) = table.counts("vertices") {
            PinSelector::Vertices(vertices)
        } else if let Some(group) = table.text("group") {
            PinSelector::Group(group.to_owned())
        } else if let Some(table) = table.table("box") {
            let (min, max) = (table.vector_f64("min")?, table.vector_f64("max")?);
            if !min.cmple(max).all() {
                report.error(&table.span_of("max"), "max must not lie below min in any direction");
                return None;
            }
            PinSelector::Box { min, max }
        } else if let Some(table) = table.table("sphere") {
            PinSelector::Sphere { center: table.vector_f64("center")?, radius: table.real("radius")? }
        } else {
            PinSelector::Nearest(table.vector_f64("nearest")?)
        };
        Some(Self { selector, motion })
    }

    /// The vertices selected on a mesh that stands where it starts, each with its motion; takes
    /// their positions from those that are left to the scene.
    pub(in crate::scene) fn select(
        &self,
        mesh: &TriMesh,
        positions_left: &mut u64,
    ) -> Result<Vec<(u32, PinMotion)>, PinProblem> {
        let vertices = self.selector.vertices(mesh)?;
        let each = self.motion.as_ref().map_or(1.0, Motion::pose_count);
        // Saturates, should the product not fit.
        let positions = (each * vertices.len() as f64) as u64;
        let Some(left) = positions_left.checked_sub(positions) else {
            let message = format!(
                "{} pins with {each} positions each (a turn counts one per 2°) are too many; \
                 the limit for all pins of a scene is {MOST_POSITIONS}",
                vertices.len(),
            );
            return Err(problem(if self.motion.is_some() { "keyframes" } else { "" }, message, None));
        };
        *positions_left = left;
        let Some(motion) = &self.motion else {
            return Ok(vertices.into_iter().map(|vertex| (vertex, PinMotion::Fixed)).collect());
        };
        let sum: DVec3 = vertices.iter().map(|&vertex| mesh.positions[vertex as usize].as_dvec3()).sum();
        let poses = motion.poses(mesh.origin + sum / vertices.len() as f64);
        let path = |vertex: u32| {
            let keyframe = |pose: &crate::scene::motion::Pose| Keyframe {
                time: pose.time,
                position: pose.apply(mesh.place(vertex)),
            };
            PinMotion::Keyframes(poses.iter().map(keyframe).collect())
        };
        Ok(vertices.into_iter().map(|vertex| (vertex, path(vertex))).collect())
    }
}

impl PinSelector {
    /// At least one vertex.
    fn vertices(&self, mesh: &TriMesh) -> Result<Vec<u32>, PinProblem> {
        // A vertex on the face of a box must not be lost to the rounding of a transform.
        let slack = mesh.bounds().map_or(0.0, |(low, high)| 1e-6 * low.distance(high));
        let within = |inside: &dyn Fn(Vec3) -> bool, name: &str| {
            let chosen = |&v: &u32| inside(mesh.positions[v as usize]);
            let vertices: Vec<u32> = (0..mesh.positions.len() as u32).filter(chosen).collect();
            if vertices.is_empty() { Err(empty(name, mesh)) } else { Ok(vertices) }
        };
        let from_origin = |place: &DVec3| (*place - mesh.origin).as_vec3();
        match self {
            Self::Vertices(vertices) => {
                match vertices.iter().position(|&v| v as usize >= mesh.positions.len()) {
                    Some(i) => {
                        let count = mesh.positions.len();
                        let message = format!("there is no vertex {}: the mesh has {count}", vertices[i]);
                        let hint = format!("they are counted from 0 to {}", count.saturating_sub(1));
                        Err(problem(format!("vertices.{i}"), message, hint))
                    }
                    None => Ok(vertices.clone()),
                }
            }
            Self::Group(name) => group(name, mesh),
            Self::Box { min, max } => {
                let (min, max) = (from_origin(min) - slack, from_origin(max) + slack);
                within(&|p: Vec3| min.cmple(p).all() && p.cmple(max).all(), "box")
            }
            Self::Sphere { center, radius } => {
                let center = from_origin(center);
                within(&|p: Vec3| p.distance(center) <= *radius + slack, "sphere")
            }
            Self::Nearest(point) => {
                let vertex = mesh.nearest_vertex(from_origin(point)).ok_or_else(|| empty("nearest", mesh))?;
                Ok(vec![vertex])
            }
        }
    }
}

fn group(name: &str, mesh: &TriMesh) -> Result<Vec<u32>, PinProblem> {
    let known = || mesh.groups.keys().map(String::as_str);
    match mesh.groups.get(name) {
        Some(vertices) if !vertices.is_empty() => Ok(vertices.clone()),
        Some(_) => Err(problem("group", format!("the group {} is empty", quoted(name)), None)),
        None => {
            let hint = match nearest(name, known()) {
                Some(near) => format!("did you mean {}?", quoted(near)),
                None if mesh.groups.is_empty() => {
                    "this mesh has no groups; use vertices, box or sphere".into()
                }
                None => {
                    format!("its groups are {}", known().take(20).map(quoted).collect::<Vec<_>>().join(", "))
                }
            };
            Err(problem("group", format!("the mesh has no group {}", quoted(name)), hint))
        }
    }
}

fn empty(name: &str, mesh: &TriMesh) -> PinProblem {
    let hint = mesh.bounds().map(|(low, high)| {
        let shown = |p: Vec3| {
            let p = mesh.origin + p.as_dvec3();
            format!("[{:.3}, {:.3}, {:.3}]", p.x, p.y, p.z)
        };
        format!("at the start the cloth reaches from {} to {}", shown(low), shown(high))
    });
    problem(name, format!("no vertex lies in this {name}"), hint)
}
