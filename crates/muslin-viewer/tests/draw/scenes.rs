//! Small sceneries.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use muslin_render::Color;
use muslin_viewer::draw::{Ground, Look, Places, Pose, Scenery, Sheet, Solid, View, Weave};

pub const RED: Color = Color::rgb(190, 40, 40);
pub const BLUE: Color = Color::rgb(40, 60, 190);
pub const FLOOR: Color = Color::rgb(220, 218, 214);

/// Towards the key light where y is up, of no particular length.
pub const TOWARD_LIGHT: Vec3 = Vec3::new(-0.5, 1.0, 0.62);

/// From the front and above.
pub const VIEW: View =
    View { eye: Vec3::new(0.0, 1.6, 3.2), target: Vec3::new(0.0, 0.35, 0.0), up: Vec3::Y, fov_degrees: 30.0 };

/// Red in front, blue at the back, without gloss.
pub fn look() -> Look {
    Look { front: RED, back: BLUE, weave: Weave::Plain, sheen: 0.2, gloss: 0.0, translucency: 0.0 }
}

/// A square of so many cells; `place` is given flat coordinates from -0.5 to 0.5. Its front is where z would be.
pub fn sheet(cells: u32, place: impl Fn(Vec2) -> Vec3) -> Sheet {
    let at = |i: u32| i as f32 / cells as f32 - 0.5;
    let flat: Arc<[Vec2]> =
        (0..=cells).flat_map(|y| (0..=cells).map(move |x| Vec2::new(at(x), at(y)))).collect();
    let cell = |y: u32, x: u32| {
        let a = y * (cells + 1) + x;
        let b = a + cells + 1;
        [[a, a + 1, b], [a + 1, b + 1, b]]
    };
    let triangles = (0..cells).flat_map(|y| (0..cells).flat_map(move |x| cell(y, x))).collect();
    let places = Places::Host(flat.iter().map(|&at| place(at)).collect());
    Sheet { triangles, flat, places, look: look(), values: None }
}

/// A square that hangs upright and shows its front to the camera.
pub fn upright() -> Sheet {
    sheet(12, |at| Vec3::new(at.x, at.y + 0.6, 0.0))
}

/// A box.
pub fn cuboid(size: Vec3, translation: Vec3) -> Solid {
    let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) - 0.5;
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Solid {
        triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        vertices: (0..8).map(|i| size * corner(i)).collect(),
        pose: Pose { rotation: Quat::IDENTITY, translation },
        color: Color::rgb(180, 180, 176),
        is_marked: false,
    }
}

/// Sheets over a ground at height zero.
pub fn scenery(sheets: Vec<Sheet>, solids: Vec<Solid>) -> Scenery {
    let ground = Some(Ground { height: 0.0, color: FLOOR });
    Scenery { up: Vec3::Y, sheets, solids, ground, marks: vec![] }
}
