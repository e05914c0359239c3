//! An open cylinder or cone, of one panel of cloth or several.

use std::f64::consts::TAU;

use glam::{DVec2, dvec2, dvec3};

use super::{GenerateError, MAX_CELLS, check_count, check_length, check_triangles};
use crate::mesh::TriMesh;

/// Room between the panels in the plane, relative to the widest: where they touched, no seam would be seen.
const GAP: f64 = 0.1;

/// An open cylinder around the y axis, from y = 0 to y = `height`, of `rings` rings of `segments`
/// cells of two triangles each, normals outwards. Vertices are numbered ring by ring upwards.
/// Texture coordinates are the tube unrolled, in metres, with the seam at +x. Groups: `top` and
/// `bottom`.
pub fn tube(radius: f32, height: f32, segments: usize, rings: usize) -> Result<TriMesh, GenerateError> {
    panelled_tube([radius; 2], height, [segments, rings], 1)
}

/// A tube as [`tube`] makes it that may widen (radii at the bottom and at the top) and is sewn of equal panels, the
/// first of which begins at +x. Texture coordinates are those of a sewing pattern, in metres: each panel is the unrolled
/// sector of the cone, and they lie beside each other, so that there is a seam between any two.
pub fn panelled_tube(
    radii: [f32; 2],
    height: f32,
    [segments, rings]: [usize; 2],
    panels: usize,
) -> Result<TriMesh, GenerateError> {
    for (argument, radius) in ["radius", "top_radius"].into_iter().zip(radii) {
        check_length(argument, radius)?;
    }
    check_length("height", height)?;
    check_count("segments", segments, 3, MAX_CELLS)?;
    check_count("rings", rings, 1, MAX_CELLS)?;
    check_count("panels", panels, 1, segments)?;
    check_triangles("segments and rings", 2 * segments * rings)?;
    if !segments.is_multiple_of(panels) {
        return Err(GenerateError::Panels { panels, segments });
    }
    let cone = Cone { radii: radii.map(f64::from), height: height.into() };

    let mut positions = Vec::with_capacity(segments * (rings + 1));
    for ring in 0..=rings {
        let up = ring as f64 / rings as f64;
        for segment in 0..segments {
            let (sin, cos) = (TAU * segment as f64 / segments as f64).sin_cos();
            let r = cone.radius(up);
            positions.push(dvec3(r * cos, cone.height * up, r * sin).as_vec3());
        }
    }
    let vertex = |(segment, ring): (usize, usize)| (ring * segments + segment % segments) as u32;
    let per_panel = segments / panels;
    let width = cone.widest(TAU / panels as f64);
    let unrolled = |panel: usize, (segment, ring): (usize, usize)| {
        let from_middle = (segment - panel * per_panel) as f64 / per_panel as f64 - 0.5;
        let place = cone.unrolled(from_middle * TAU / panels as f64, ring as f64 / rings as f64);
        (place + dvec2(width * (0.5 + (1.0 + GAP) * panel as f64), 0.0)).as_vec2()
    };
    let mut triangles = Vec::with_capacity(2 * segments * rings);
    let mut uvs = Vec::with_capacity(2 * segments * rings);
    let mut quads = Vec::with_capacity(segments * rings);
    for ring in 0..rings {
        for segment in 0..segments {
            let (a, b) = ((segment, ring), (segment + 1, ring));
            let (c, d) = ((segment + 1, ring + 1), (segment, ring + 1));
            quads.push([a, d, c, b].map(vertex));
            // From +x towards +z is clockwise seen from above, so outwards is a → d → b.
            for corners in [[a, d, c], [a, c, b]] {
                triangles.push(corners.map(vertex));
                uvs.push(corners.map(|corner| unrolled(segment / per_panel, corner)));
            }
        }
    }
    let circle = |ring: usize| (0..segments).map(|segment| vertex((segment, ring))).collect();
    let groups = [("bottom".to_owned(), circle(0)), ("top".to_owned(), circle(rings))].into();
    Ok(TriMesh { positions, triangles, quads, uvs: Some(uvs), groups, ..TriMesh::default() })
}

/// A piece of a cone, or of a cylinder.
struct Cone {
    /// At the bottom and at the top, metres.
    radii: [f64; 2],
    /// Metres.
    height: f64,
}

impl Cone {
    /// The radius at a share of the height.
    fn radius(&self, up: f64) -> f64 {
        self.radii[0] + (self.radii[1] - self.radii[0]) * up
    }

    /// Metres from the bottom to the top along the cloth.
    fn slant(&self) -> f64 {
        self.height.hypot(self.radii[1] - self.radii[0])
    }

    /// Where a place at an angle from a panel's middle, at a share of the height, lies in the plane; (0, 0) is the
    /// middle of the panel's lower edge. A sector of a cone unrolls into a sector of a plane around its tip, which is
    /// s = r/k away, with angles k = (change of radius)/slant times as large. The tip itself does not occur in what
    /// follows: of a tube that hardly widens it is far away.
    fn unrolled(&self, angle: f64, up: f64) -> DVec2 {
        let k = (self.radii[1] - self.radii[0]) / self.slant();
        let r = self.radius(up);
        // s sin(k·angle) and s (1 − cos(k·angle)) = 2 s sin²(k·angle/2).
        let (along, off) = if k == 0.0 {
            (r * angle, 0.0)
        } else {
            (r / k * (k * angle).sin(), 2.0 * r / k * (0.5 * k * angle).sin().powi(2))
        };
        dvec2(along, self.slant() * up - off)
    }

    /// The width of a panel of this angle in the plane.
    fn widest(&self, angle: f64) -> f64 {
        let k = (self.radii[1] - self.radii[0]).abs() / self.slant();
        // Beyond half a turn in the plane a sector is as wide as its circle.
        let half = (0.5 * angle * k).min(TAU / 4.0);
        let r = self.radii[0].max(self.radii[1]);
        if k == 0.0 { r * angle } else { 2.0 * r / k * half.sin() }
    }
}
