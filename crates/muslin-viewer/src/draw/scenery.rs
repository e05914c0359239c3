//! What is drawn: plain data, cheap to clone, made anew by a session whenever something moved.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use muslin_render::Color;

/// All that is to be seen.
#[derive(Clone, Debug)]
pub struct Scenery {
    /// Away from the ground.
    pub up: Vec3,
    /// Cloth: two-sided, smooth, with light passing through.
    pub sheets: Vec<Sheet>,
    /// What cloth collides with: opaque, with sharp edges where it has them.
    pub solids: Vec<Solid>,
    /// An endless floor, or none.
    pub ground: Option<Ground>,
    /// Points drawn on top: pins, contacts, what is held.
    pub marks: Vec<Mark>,
}

/// A cloth. Its triangles never change; a session keeps the `Arc`s, so that they are sent to the GPU once.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Three vertices each, counter-clockwise seen from the front.
    pub triangles: Arc<[[u32; 3]]>,
    /// Flat coordinates of each vertex in metres (texture or rest coordinates), for weaves and textures; may be empty.
    pub flat: Arc<[Vec2]>,
    /// Where the vertices are now.
    pub places: Places,
    /// Colours, weave.
    pub look: Look,
    /// A value per vertex, 0 to 1, shown by a colour map instead of the look: strain, speed, level, contact.
    pub values: Option<Arc<[f32]>>,
}

/// Where vertices are.
#[derive(Clone, Debug)]
pub enum Places {
    /// In memory.
    Host(Arc<[Vec3]>),
    /// In a buffer of the same device, where the simulation left them: a `vec4<f32>` per element, which never leaves the GPU.
    Device {
        /// The buffer.
        buffer: wgpu::Buffer,
        /// The element of each vertex.
        elements: Arc<[u32]>,
        /// What is added to each position: the buffer's origin, from the scenery's.
        offset: Vec3,
    },
}

/// How cloth looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Colour of the front.
    pub front: Color,
    /// Colour of the back.
    pub back: Color,
    /// What is woven or printed.
    pub weave: Weave,
    /// Light caught by standing fibres at flat angles, 0 (none) to 1 (velvet).
    pub sheen: f32,
    /// How narrow highlights are: 0 (wool) to 1 (silk).
    pub gloss: f32,
    /// Which share of the light passes through, 0 to 1.
    pub translucency: f32,
}

/// What is woven into or printed on a cloth.
#[derive(Clone, Debug, PartialEq)]
pub enum Weave {
    /// One colour.
    Plain,
    /// Visible threads over and under each other, so many per metre.
    Threads(f32),
    /// Diagonal ribs, as of denim, so many per metre.
    Twill(f32),
    /// Bands both ways that mix where they cross; the second colour and the period in metres.
    Gingham(Color, f32),
    /// Bands one way; the second colour and the period in metres.
    Stripes(Color, f32),
    /// An image that repeats after so many metres: RGBA, row by row.
    Image {
        /// Pixels across.
        width: u32,
        /// Four bytes per pixel, sRGB.
        pixels: Arc<[u8]>,
        /// After how many metres it repeats.
        period: f32,
    },
}

/// A collider or a rigid body.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Three vertices each, counter-clockwise seen from outside.
    pub triangles: Arc<[[u32; 3]]>,
    /// Vertices in their own frame. Another `Arc` when it has bent.
    pub vertices: Arc<[Vec3]>,
    /// Where that frame is now.
    pub pose: Pose,
    /// Its colour.
    pub color: Color,
    /// Whether it is lit up, because a pointer is over it.
    pub is_marked: bool,
}

/// A place and a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The turn, before the move.
    pub rotation: Quat,
    /// The move.
    pub translation: Vec3,
}

/// An endless floor that fades into the sky.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Its height along `up`.
    pub height: f32,
    /// Its colour.
    pub color: Color,
}

/// A point that is drawn over everything, with a size in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub place: Vec3,
    /// What.
    pub kind: MarkKind,
}

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkKind {
    /// A pinned vertex.
    Pin,
    /// Where cloth touches something.
    Contact,
    /// What a hand holds.
    Hold,
    /// What the pointer is over.
    Pointer,
}

/// What is shown of a scenery, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Edges of triangles over the shading.
    pub wireframe: bool,
    /// Marks.
    pub marks: bool,
    /// A dark surrounding instead of a light one.
    pub dark: bool,
    /// Soft shadows and ambient occlusion. Without them a slow (software) device draws several times as fast.
    pub soft_light: bool,
}
