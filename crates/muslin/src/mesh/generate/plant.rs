//! A plant: a stalk with leaves, for bending that keeps a shape ([Kelager2010] Fig. 1).

use std::f64::consts::{PI, TAU};

use glam::{DVec3, dvec3};

use super::{GenerateError, check_count, check_length};
use crate::mesh::TriMesh;

/// Sides of the stalk.
const SIDES: usize = 6;

/// Radius of the stalk at its foot and at its top, in parts of its height.
const RADII: [f64; 2] = [0.025, 0.01];

/// Length and width of a leaf, in parts of the height.
const LEAF: [f64; 2] = [0.5, 0.14];

/// How steeply a leaf leaves the stalk and ends, radians above the horizon.
const SLOPES: [f64; 2] = [1.0, -0.7];

/// Where the lowest leaf is, in parts of the height.
const LOWEST: f64 = 0.3;

/// A plant that stands on the origin: a stalk of six sides, `height` metres high, and `leaves` curved leaves of `cells`
/// cells from stalk to tip. The first edge of a leaf is one of the stalk's, which so belongs to three triangles: for
/// position-based dynamics, and not for the levels of shape matching. No texture coordinates. Groups: `bottom` (the
/// foot of the stalk) and `tips`.
pub fn plant(height: f32, leaves: usize, cells: usize) -> Result<TriMesh, GenerateError> {
    check_length("height", height)?;
    check_count("leaves", leaves, 1, 256)?;
    check_count("cells", cells, 2, 256)?;
    let height = f64::from(height);
    // Two rings per leaf at the least, so that no two leaves share an edge.
    let rings = (2 * leaves).max(2 * cells);
    let mut plant = Plant { positions: Vec::new(), mesh: TriMesh::default() };
    plant.stalk(height, rings);
    let mut tips = Vec::with_capacity(leaves);
    for leaf in 0..leaves {
        let part = LOWEST + (1.0 - LOWEST) * (leaf as f64 + 0.5) / leaves as f64;
        let ring = ((part * rings as f64) as usize).min(rings);
        // Two sides on from leaf to leaf, and one more each time round.
        let side = (2 * leaf + leaf / 3) % SIDES;
        tips.push(plant.leaf(height, ring, side, cells));
    }
    let Plant { positions, mut mesh } = plant;
    mesh.positions = positions.iter().map(|p| p.as_vec3()).collect();
    mesh.groups = [("bottom".to_owned(), (0..SIDES as u32).collect()), ("tips".to_owned(), tips)].into();
    Ok(mesh)
}

struct Plant {
    positions: Vec<DVec3>,
    mesh: TriMesh,
}

impl Plant {
    fn stalk(&mut self, height: f64, rings: usize) {
        for ring in 0..=rings {
            let part = ring as f64 / rings as f64;
            let radius = height * (RADII[0] + part * (RADII[1] - RADII[0]));
            for side in 0..SIDES {
                self.positions.push(outwards(side as f64) * radius + DVec3::Y * (height * part));
            }
        }
        for (ring, side) in (0..rings).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
            let [a, b] = [at(ring, side), at(ring, side + 1)];
            let [c, d] = [at(ring + 1, side + 1), at(ring + 1, side)];
            // From side to side is clockwise seen from above, so outwards is a → d → b.
            self.cell([a, d, c, b]);
        }
    }

    /// Grows a leaf from an edge of the stalk; its tip.
    fn leaf(&mut self, height: f64, ring: usize, side: usize, cells: usize) -> u32 {
        let [a, b] = [at(ring, side), at(ring, side + 1)];
        let foot = 0.5 * (self.positions[a as usize] + self.positions[b as usize]);
        let forwards = outwards(side as f64 + 0.5);
        let sideways = dvec3(-forwards.z, 0.0, forwards.x);
        let [length, width] = LEAF.map(|part| part * height);
        // An arc: its slope changes evenly from the first to the last.
        let turn = SLOPES[1] - SLOPES[0];
        let along = |t: f64| {
            let slope = SLOPES[0] + turn * t;
            let out = (slope.sin() - SLOPES[0].sin()) / turn;
            let up = (SLOPES[0].cos() - slope.cos()) / turn;
            foot + length * (out * forwards + up * DVec3::Y)
        };
        let mut row: Option<[u32; 3]> = None;
        for i in 1..cells {
            let t = i as f64 / cells as f64;
            let half = 0.5 * width * (PI * t.powf(0.8)).sin();
            let next = [-half, 0.0, half].map(|reach| self.vertex(along(t) + sideways * reach));
            match row {
                None => self.mesh.triangles.extend([
                    [a, b, next[1]],
                    [a, next[1], next[0]],
                    [b, next[2], next[1]],
                ]),
                Some([left, middle, right]) => {
                    self.cell([left, middle, next[1], next[0]]);
                    self.cell([middle, right, next[2], next[1]]);
                }
            }
            row = Some(next);
        }
        let tip = self.vertex(along(1.0));
        let [left, middle, right] = row.unwrap_or_default();
        self.mesh.triangles.extend([[left, middle, tip], [middle, right, tip]]);
        tip
    }

    fn vertex(&mut self, position: DVec3) -> u32 {
        self.positions.push(position);
        self.positions.len() as u32 - 1
    }

    fn cell(&mut self, quad: [u32; 4]) {
        let [a, b, c, d] = quad;
        self.mesh.quads.push(quad);
        self.mesh.triangles.extend([[a, b, c], [a, c, d]]);
    }
}

/// A vertex of the stalk.
fn at(ring: usize, side: usize) -> u32 {
    (ring * SIDES + side % SIDES) as u32
}

fn outwards(side: f64) -> DVec3 {
    let (sin, cos) = (TAU * side / SIDES as f64).sin_cos();
    dvec3(cos, 0.0, sin)
}
