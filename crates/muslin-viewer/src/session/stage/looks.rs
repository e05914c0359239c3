//! How cloths and solids look: a palette, and what a fabric's name says.

use glam::{Vec2, Vec3};
use muslin::{ShownMesh, Simulation};
use muslin_render::Color;

use crate::draw::{Look, Weave};

/// Fronts and backs of cloths, in turn.
const CLOTHS: [(Color, Color); 8] = [
    (Color::rgb(181, 71, 60), Color::rgb(217, 160, 91)),
    (Color::rgb(63, 111, 143), Color::rgb(157, 184, 196)),
    (Color::rgb(95, 125, 79), Color::rgb(185, 192, 138)),
    (Color::rgb(122, 92, 138), Color::rgb(199, 169, 201)),
    (Color::rgb(201, 152, 62), Color::rgb(232, 208, 160)),
    (Color::rgb(52, 128, 122), Color::rgb(160, 204, 194)),
    (Color::rgb(196, 106, 126), Color::rgb(230, 184, 190)),
    (Color::rgb(84, 90, 112), Color::rgb(170, 174, 188)),
];

/// Rigid bodies, in turn.
const BODIES: [Color; 7] = [
    Color::rgb(79, 124, 155),
    Color::rgb(201, 162, 74),
    Color::rgb(109, 143, 99),
    Color::rgb(138, 109, 154),
    Color::rgb(181, 105, 74),
    Color::rgb(216, 208, 192),
    Color::rgb(77, 85, 96),
];

/// Colliders.
pub const COLLIDER: Color = Color::rgb(190, 186, 178);

/// The floor.
pub const GROUND: Color = Color::rgb(222, 220, 216);

/// The colour of a body.
pub fn of_body(number: usize) -> Color {
    BODIES[number % BODIES.len()]
}

/// The look of a cloth; `fabric` as the scene names it.
pub fn of_cloth(number: usize, fabric: Option<&str>) -> Look {
    let (front, back) = CLOTHS[number % CLOTHS.len()];
    let look = |weave, sheen, gloss, translucency| Look { front, back, weave, sheen, gloss, translucency };
    match fabric {
        Some("silk") => look(Weave::Plain, 0.25, 0.85, 0.3),
        Some("denim") => Look {
            front: Color::rgb(52, 74, 116),
            back: Color::rgb(150, 164, 190),
            ..look(Weave::Twill(600.0), 0.1, 0.1, 0.03)
        },
        Some("leather") => Look {
            front: Color::rgb(104, 64, 42),
            back: Color::rgb(166, 130, 100),
            ..look(Weave::Plain, 0.05, 0.55, 0.0)
        },
        Some("jersey") => look(Weave::Threads(500.0), 0.55, 0.05, 0.12),
        Some("cotton") => look(Weave::Threads(700.0), 0.3, 0.15, 0.18),
        _ => look(Weave::Gingham(back, 0.06), 0.3, 0.2, 0.18),
    }
}

/// Flat coordinates of a cloth's shown vertices in metres: its texture coordinates, scaled so that edges have about the length that
/// they have at rest; without any the rest shape, seen along its thinnest direction.
pub fn flat(cloth: &Simulation, shown: &ShownMesh<'_>) -> Vec<Vec2> {
    let rest = cloth.cloth().rest_positions();
    let is_own = shown.triangles.as_ptr() == cloth.cloth().triangles().as_ptr();
    if let Some(uvs) = shown.uvs {
        let mut flat = vec![Vec2::ZERO; shown.vertices];
        for (corners, uvs) in shown.triangles.iter().zip(uvs) {
            for (&v, uv) in corners.iter().zip(uvs) {
                flat[v as usize] = *uv;
            }
        }
        let scale = if is_own { metres_per_unit(&rest, shown.triangles, uvs) } else { 1.0 };
        flat.iter_mut().for_each(|uv| *uv *= scale);
        return flat;
    }
    if !is_own {
        return Vec::new();
    }
    let low = rest.iter().fold(Vec3::INFINITY, |low, p| low.min(*p));
    let high = rest.iter().fold(Vec3::NEG_INFINITY, |high, p| high.max(*p));
    let size = high - low;
    let thin = size.min_position();
    let (a, b) = ((thin + 1) % 3, (thin + 2) % 3);
    rest.iter().map(|p| Vec2::new(p[a] - low[a], p[b] - low[b])).collect()
}

/// How many metres a unit of texture coordinates is, over all triangles.
fn metres_per_unit(rest: &[Vec3], triangles: &[[u32; 3]], uvs: &[[Vec2; 3]]) -> f32 {
    let (mut areas, mut flat_areas) = (0.0, 0.0);
    for (corners, uv) in triangles.iter().zip(uvs) {
        let [a, b, c] = corners.map(|v| rest[v as usize]);
        areas += (b - a).cross(c - a).length();
        flat_areas += (uv[1] - uv[0]).perp_dot(uv[2] - uv[0]).abs();
    }
    if flat_areas > 0.0 { (areas / flat_areas).sqrt() } else { 1.0 }
}
