//! What is drawn.

use glam::{Vec2, Vec3};

use crate::{Bounds, Color};

/// What is drawn: surfaces, ground, light and background.
#[derive(Clone, Debug)]
pub struct RenderScene {
    /// The surfaces.
    pub meshes: Vec<RenderMesh>,
    /// Away from the ground; need not have unit length.
    pub up: Vec3,
    /// An endless floor that fades into the background, or none.
    pub ground: Option<Ground>,
    /// Where the light comes from.
    pub light: Light,
    /// What is behind everything.
    pub background: Background,
}

impl Default for RenderScene {
    /// Nothing but a background, y upwards.
    fn default() -> Self {
        Self {
            meshes: Vec::new(),
            up: Vec3::Y,
            ground: None,
            light: Light::default(),
            background: Background::default(),
        }
    }
}

impl RenderScene {
    /// The box around all drawable points.
    pub fn bounds(&self) -> Bounds {
        self.meshes.iter().fold(Bounds::default(), |all, mesh| all.union(Bounds::of(&mesh.positions)))
    }
}

/// A surface of triangles: a cloth, or the body it lies on.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderMesh {
    /// Points in metres. Triangles at points that are not finite are not drawn.
    pub positions: Vec<Vec3>,
    /// Three indices each, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// Colour of the front.
    pub front: Color,
    /// Colour of the back.
    pub back: Color,
    /// A second colour woven in.
    pub pattern: Option<Pattern>,
    /// Which share of the light passes through, 0 to 1.
    pub translucency: f32,
    /// Light caught by standing fibres where the surface is seen at a flat angle, 0 to 1.
    pub sheen: f32,
    /// Edges sharper than this stay sharp in the shading; 180 makes everything smooth.
    pub crease_degrees: f32,
}

impl RenderMesh {
    /// A cloth: smooth, with some light passing through, and a colour for each side.
    pub fn cloth(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, front: Color, back: Color) -> Self {
        let (pattern, translucency, sheen, crease_degrees) = (None, 0.18, 0.35, 180.0);
        Self { positions, triangles, front, back, pattern, translucency, sheen, crease_degrees }
    }

    /// A body: opaque, matt, with sharp edges where it has them.
    pub fn solid(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, color: Color) -> Self {
        let smooth = Self::cloth(positions, triangles, color, color);
        Self { translucency: 0.0, sheen: 0.1, crease_degrees: 40.0, ..smooth }
    }

    /// The same with a pattern.
    pub fn with_pattern(self, pattern: Pattern) -> Self {
        Self { pattern: Some(pattern), ..self }
    }
}

/// A second colour woven into a cloth, which shows how it is deformed.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Where the second colour goes.
    pub kind: PatternKind,
    /// The second colour.
    pub color: Color,
    /// After which length the pattern repeats, in the unit of the coordinates.
    pub period: f32,
    /// Flat coordinates of each triangle's corners: texture coordinates, or rest positions in metres.
    pub coordinates: Vec<[Vec2; 3]>,
}

impl Pattern {
    /// A pattern over coordinates per vertex. Triangles that name a vertex without coordinates get
    /// none of the pattern.
    pub fn over_vertices(
        kind: PatternKind,
        color: Color,
        period: f32,
        coordinates: &[Vec2],
        triangles: &[[u32; 3]],
    ) -> Self {
        let at = |v: u32| coordinates.get(v as usize).copied().unwrap_or(Vec2::NAN);
        Self { kind, color, period, coordinates: triangles.iter().map(|t| t.map(at)).collect() }
    }
}

/// Where the second colour of a [`Pattern`] goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PatternKind {
    /// Bands along the second coordinate, half of the width.
    Stripes,
    /// Bands both ways that mix where they cross, as coloured warp and weft do.
    Gingham,
    /// Thin lines both ways.
    Grid,
}

/// An endless floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// How high it lies along [`RenderScene::up`], in metres.
    pub height: f32,
    /// Its colour where nothing shades it.
    pub color: Color,
}

impl Ground {
    /// A ground of the default colour.
    pub fn at(height: f32) -> Self {
        Self { height, color: Color::rgb(222, 220, 216) }
    }
}

/// The main light, and the light of the sky around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Towards the main light; `None` is over the left shoulder of whoever looks.
    pub toward: Option<Vec3>,
    /// Colour of the main light.
    pub color: Color,
    /// Strength of the main light.
    pub strength: f32,
    /// Strength of the light from all around.
    pub ambient: f32,
    /// Half the angle under which the main light is seen: how soft its shadows are.
    pub radius_degrees: f32,
}

impl Default for Light {
    fn default() -> Self {
        let color = Color::rgb(255, 246, 232);
        Self { toward: None, color, strength: 0.95, ambient: 0.5, radius_degrees: 3.5 }
    }
}

impl Light {
    /// Towards the light over the left shoulder of whoever looks `forward`; not of length one.
    pub(crate) fn over_shoulder(right: Vec3, forward: Vec3, up: Vec3) -> Vec3 {
        up - 0.62 * right - 0.75 * forward.reject_from_normalized(up)
    }
}

/// Colours behind everything, blended by the height of the line of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Background {
    /// Far above the horizon.
    pub top: Color,
    /// At the horizon and below it.
    pub horizon: Color,
}

impl Default for Background {
    fn default() -> Self {
        Self { top: Color::rgb(178, 194, 210), horizon: Color::rgb(232, 233, 232) }
    }
}
