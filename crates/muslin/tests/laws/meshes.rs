//! Meshes as people bring them: curved, sewn, closed, graded, scanned, with slivers, tiny and huge.
//!
//! All are made here, small and the same in every run, as stand-ins for garments and scans whose licences allow no
//! copies. On the shirt, the creature and the scan named fabrics once exploded in free fall; the others only drifted.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3, vec2, vec3};
use muslin::mesh::{TriMesh, generate};

/// A kind of mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// A rectangle of irregular triangles.
    Irregular,
    /// A disc whose edges shrink towards the middle, to a thirtieth.
    GradedDisc,
    /// A tube that widens, sewn of panels.
    Skirt,
    /// Two panels in the form of a T, sewn at the sides and puffed up, finer at the sleeves.
    Shirt,
    /// Closed, with legs, whose flanks are drawn out.
    Creature,
    /// The same with noise in its vertices: triangles of every shape.
    Scan,
    /// Half a tube of triangles of 1 : 60.
    Slivers,
    /// A skirt of 2 cm.
    Tiny,
    /// A skirt of 50 m.
    Huge,
}

impl Shape {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Shirt,
        Self::Irregular,
        Self::Creature,
        Self::Slivers,
        Self::Skirt,
        Self::Scan,
        Self::GradedDisc,
        Self::Tiny,
        Self::Huge,
    ];

    /// Those that can be laid flat without distortion, which multilevel cloth needs.
    pub const DEVELOPABLE: [Self; 4] = [Self::Irregular, Self::Skirt, Self::Tiny, Self::Huge];

    /// The mesh: some hundred triangles around the origin.
    pub fn mesh(self) -> TriMesh {
        match self {
            Self::Irregular => centred(generate::delaunay_rectangle(1.0, 0.8, 400, 7).unwrap()),
            Self::GradedDisc => graded_disc(),
            Self::Skirt => skirt(1.0),
            Self::Shirt => shirt(),
            Self::Creature => creature(0.0),
            Self::Scan => creature(0.5),
            Self::Slivers => slivers(),
            Self::Tiny => skirt(0.02),
            Self::Huge => skirt(50.0),
        }
    }
}

/// A number between −1 and 1 that depends on nothing but another: the mixing steps of SplitMix64.
pub fn noise(number: usize) -> f32 {
    let mut mixed = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed >> 40) as f32) / (1u32 << 23) as f32 - 1.0
}

/// With its box around the origin.
fn centred(mut mesh: TriMesh) -> TriMesh {
    let (low, high) = mesh.bounds().unwrap();
    mesh.positions.iter_mut().for_each(|p| *p -= 0.5 * (low + high));
    mesh
}

/// A skirt of a height in metres.
fn skirt(height: f32) -> TriMesh {
    centred(generate::panelled_tube([0.4 * height, 0.25 * height], height, [24, 9], 4).unwrap())
}

fn graded_disc() -> TriMesh {
    let mut mesh = generate::disk(0.5, 9).unwrap();
    let (low, high) = mesh.bounds().unwrap();
    let middle = 0.5 * (low + high);
    // With the square of the radius, the inmost of nine rings is an eighty-first of the radius wide, the outmost a fifth.
    mesh.positions.iter_mut().for_each(|p| *p = (*p - middle) * ((*p - middle).length() / 0.5));
    mesh
}

/// Half a tube; cells of 100 mm × 1.6 mm, divided along alternating diagonals.
fn slivers() -> TriMesh {
    let mut mesh = generate::alternating_grid(5, 60, 0.5, 0.1).unwrap();
    let radius = 0.5 / std::f32::consts::PI;
    for p in &mut mesh.positions {
        let (sin, cos) = (p.x / radius).sin_cos();
        *p = vec3(radius * cos, p.y, radius * sin);
    }
    centred(mesh)
}

/// A ball drawn out to four legs and a head, with finer triangles towards the face (1 : 25, by a conformal map of the
/// sphere); the noise is in parts of a mean edge.
fn creature(roughness: f32) -> TriMesh {
    let mut mesh = generate::sphere(0.2, 3).unwrap();
    let face = vec3(0.0, 0.6, 0.8);
    let limbs =
        [vec3(0.5, -0.8, 0.4), vec3(-0.5, -0.8, 0.4), vec3(0.5, -0.8, -0.4), vec3(-0.5, -0.8, -0.4), face];
    for (v, p) in mesh.positions.iter_mut().enumerate() {
        let direction = denser(p.normalize(), face, 5.0);
        let limb = |limb: Vec3| (24.0 * (direction.dot(limb.normalize()) - 1.0)).exp();
        let length = 0.2 + 0.25 * limbs.map(limb).iter().sum::<f32>();
        // The map makes edges as much shorter as it draws directions together.
        let edge = 0.035 / (1.0 + 2.0 * (1.0 + direction.dot(face)));
        let rough = vec3(noise(3 * v), noise(3 * v + 1), noise(3 * v + 2)) * (roughness * edge);
        *p = direction * length + rough;
    }
    mesh.uvs = None;
    mesh
}

/// Draws a direction towards a pole: stereographic projection from the pole's opposite, divided by a factor.
fn denser(direction: Vec3, pole: Vec3, factor: f32) -> Vec3 {
    let up = direction.dot(pole);
    let across = direction - up * pole;
    // The square of the tangent of half the angle to the pole.
    let tangent_sq = (1.0 - up) / (1.0 + up).max(1e-6) / (factor * factor);
    let cos = (1.0 - tangent_sq) / (1.0 + tangent_sq);
    (cos * pole + (1.0 - cos * cos).max(0.0).sqrt() * across.normalize_or_zero()).normalize()
}

/// Columns (half of them) and rows of the shirt's lattice.
const HALF: i32 = 9;
const ROWS: i32 = 13;

/// Two panels in the form of a T with graded, jittered cells; hem, cuffs and neck are open, the rest of the outline is sewn.
fn shirt() -> TriMesh {
    // Across, lattice lines lie closer towards the cuffs, upwards closer towards the shoulders: 1 : 10 and 1 : 5.
    let line = |i: i32| 0.6 * (1.0 - (1.0 - i.abs() as f32 / HALF as f32).powf(1.8)) * i.signum() as f32;
    let row = |j: i32| 0.7 * (1.0 - (1.0 - j as f32 / ROWS as f32).powf(1.6));
    let is_cell = |i: i32, j: i32| {
        (-HALF..HALF).contains(&i) && (0..ROWS).contains(&j) && (j >= 8 || (-4..4).contains(&i))
    };
    let node_cells =
        |i: i32, j: i32| [(i - 1, j - 1), (i, j - 1), (i - 1, j), (i, j)].map(|(i, j)| is_cell(i, j));
    let is_inner = |i: i32, j: i32| node_cells(i, j) == [true; 4];
    let is_open = |i: i32, j: i32| {
        (j == 0 && i.abs() < 4) || (i.abs() == HALF && j > 8 && j < ROWS) || (j == ROWS && i.abs() < 2)
    };
    let nodes: Vec<(i32, i32)> = (0..=ROWS)
        .flat_map(|j| (-HALF..=HALF).map(move |i| (i, j)))
        .filter(|&(i, j)| node_cells(i, j).contains(&true))
        .collect();
    let height = puff(&nodes, is_inner, is_open);
    let mut mesh = TriMesh::default();
    let mut flat: Vec<Vec2> = Vec::new();
    let mut vertex = BTreeMap::new();
    for (number, &(i, j)) in nodes.iter().enumerate() {
        let jitter = if is_inner(i, j) { vec2(noise(2 * number), noise(2 * number + 1)) } else { Vec2::ZERO };
        let room = vec2(line((i + 1).min(HALF)) - line(i), row((j + 1).min(ROWS)) - row(j));
        let room = room.min(vec2(line(i) - line((i - 1).max(-HALF)), row(j) - row((j - 1).max(0))));
        let place = vec2(line(i), row(j)) + 0.4 * room.abs() * jitter;
        let sides: &[f32] = if is_inner(i, j) || is_open(i, j) { &[1.0, -1.0] } else { &[0.0] };
        for (side, sign) in sides.iter().enumerate() {
            vertex.insert((i, j, side), mesh.positions.len() as u32);
            mesh.positions.push(place.extend(sign * height[number]));
            flat.push(place);
        }
    }
    let mut uvs = Vec::new();
    for (side, &(i, j)) in [0, 1].into_iter().flat_map(|side| nodes.iter().map(move |node| (side, node))) {
        if !is_cell(i, j) {
            continue;
        }
        let corner = |i, j| vertex.get(&(i, j, side)).copied().unwrap_or_else(|| vertex[&(i, j, 0)]);
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        let halves = if noise((100 * j + i + 5000) as usize) > 0.0 {
            [[a, b, c], [a, c, d]]
        } else {
            [[a, b, d], [b, c, d]]
        };
        for [a, b, c] in halves {
            let corners = if side == 0 { [a, b, c] } else { [a, c, b] };
            mesh.triangles.push(corners);
            uvs.push(corners.map(|v| flat[v as usize] + vec2(1.5 * side as f32, 0.0)));
        }
    }
    mesh.uvs = Some(uvs);
    centred(mesh)
}

/// How far the panels stand off the middle at each node, metres: the root of a membrane under pressure that is held where
/// it is sewn, which makes them round.
fn puff(
    nodes: &[(i32, i32)],
    is_inner: impl Fn(i32, i32) -> bool,
    is_open: impl Fn(i32, i32) -> bool,
) -> Vec<f32> {
    let place: BTreeMap<(i32, i32), usize> = nodes.iter().copied().zip(0..).collect();
    let mut pressed = vec![0.0f32; nodes.len()];
    for _ in 0..200 {
        for (number, &(i, j)) in nodes.iter().enumerate() {
            if is_inner(i, j) || is_open(i, j) {
                let around = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)];
                let found: Vec<f32> =
                    around.iter().filter_map(|near| place.get(near)).map(|&n| pressed[n]).collect();
                pressed[number] = (found.iter().sum::<f32>() + 1.0) / found.len() as f32;
            }
        }
    }
    let highest = pressed.iter().copied().fold(0.0, f32::max);
    pressed.iter().map(|h| 0.13 * (h / highest).sqrt()).collect()
}
