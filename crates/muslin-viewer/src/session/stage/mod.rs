//! A scene that is simulated: its world, what is seen of it, what hands do to it, and where it was.
//!
//! ```text
//! OpenedScene ─ build ─► Stage ── step: hands, fan ─► World ─► past, figures
//!                          └───── scenery: sheets, solids, marks
//! ```

mod build;
mod change;
mod device;
mod fan;
mod figures;
mod hands;
pub mod looks;
mod mesh_ray;
mod past;
mod pick;
mod pins;
mod scenery;
mod steps;
mod values;

use std::sync::Arc;

use glam::{DVec3, Vec2, Vec3};
use muslin::{ClothId, World, WorldState};
use muslin_render::Color;

use super::open::OpenedScene;
use super::{Bounds, Fan, Thing};
use crate::draw::{Ground, Look, View};
pub use build::StageOptions;
pub use change::Carried;
pub use figures::Measured;
use hands::Hand;
use past::Past;

/// A scene that is simulated.
pub struct Stage {
    /// What it was built from, with all changes that have taken effect.
    pub opened: OpenedScene,
    /// The simulation.
    pub world: World,
    /// Where the scenery's zero is in the world.
    pub origin: DVec3,
    /// What there is to see at the start.
    pub bounds: Bounds,
    /// From where the scene wants to be seen.
    pub view: Option<View>,
    /// Cloths, colliders and bodies.
    pub things: Arc<[Thing]>,
    /// What computes.
    pub runs_on: String,
    /// What was done that may not be expected, since it was built.
    pub notice: Option<String>,
    sheets: Vec<SheetBase>,
    /// Colliders, then bodies.
    solids: Vec<SolidBase>,
    ground: Option<Ground>,
    /// Whether cloths are on a GPU and drawn from there.
    is_on_device: bool,
    device: Option<device::Device>,
    start: WorldState,
    past: Past,
    hands: Vec<Hand>,
    fan: Option<Fan>,
    /// Pins that were set by hand.
    own_pins: Vec<(ClothId, u32)>,
    /// Greater with every change of settings: states from before have others.
    edition: u64,
    /// With which scene the last step succeeded.
    proven: Option<Box<OpenedScene>>,
}

/// What never changes of a cloth that is drawn.
struct SheetBase {
    triangles: Arc<[[u32; 3]]>,
    flat: Arc<[Vec2]>,
    look: Look,
    /// Of what is on the device.
    elements: Option<Arc<[u32]>>,
    /// The coarsest level of each vertex; made when it is asked for.
    levels: Option<Arc<[f32]>>,
}

/// A collider or body that is drawn.
struct SolidBase {
    triangles: Arc<[[u32; 3]]>,
    /// In its own frame; of one that bends, where it was at `time`.
    vertices: Arc<[Vec3]>,
    color: Color,
    /// From the world's zero to where its own frame begins at rest.
    offset: DVec3,
    /// Of one that bends.
    time: Option<f64>,
    /// Whether it is an endless plane on the ground, which is drawn as such.
    is_ground: bool,
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stage").field("opened", &self.opened.title).finish_non_exhaustive()
    }
}
