//! Values per vertex to colour cloth by, 0 to 1.

use std::sync::Arc;

use glam::Vec3;
use muslin::hierarchy;
use muslin::mesh::TriMesh;
use muslin::solver::SolverConfig;
use muslin::{Handle, Simulation};

use super::super::Values;
use super::Stage;

/// The strain and the speed (m/s) that are 1.
const STRAIN: f32 = 0.1;
const SPEED: f32 = 3.0;

impl Stage {
    /// The values of a cloth's shown vertices. None of cloth whose shown mesh is not the one that is simulated, but for speed.
    pub(super) fn values(&mut self, number: usize, values: Values) -> Option<Arc<[f32]>> {
        let cloth = &self.world.cloths()[number].1;
        if cloth.shown_mesh().vertices != cloth.cloth().vertex_count() {
            return None;
        }
        match values {
            Values::None => None,
            Values::Strain => Some(strain(cloth).into()),
            Values::Speed => Some(cloth.velocities().iter().map(|v| (v.length() / SPEED).min(1.0)).collect()),
            Values::Level => {
                let levels = self.sheets[number].levels.get_or_insert_with(|| levels(cloth).into());
                Some(levels.clone())
            }
            Values::Contact => Some(self.contact(number).into()),
        }
    }

    /// How hard each vertex is pushed, in relation to the hardest: contacts have places, and push the vertex next to it.
    fn contact(&self, number: usize) -> Vec<f32> {
        let id = self.world.cloth_ids()[number];
        let cloth = &self.world.cloths()[number].1;
        let places: Vec<Vec3> =
            cloth.places().into_iter().map(|place| (place - self.origin).as_vec3()).collect();
        let mut pushed = vec![0.0; places.len()];
        let cells = Cells::new(&places);
        for touch in self.world.contacts() {
            if touch.cloth != id && touch.with != Handle::Cloth(id) {
                continue;
            }
            if let Some(v) = cells.nearest(&places, (touch.place - self.origin).as_vec3()) {
                pushed[v] += touch.impulse;
            }
        }
        let hardest = pushed.iter().copied().fold(0.0, f32::max);
        if hardest > 0.0 {
            // So that what is pushed little is seen too.
            pushed.iter_mut().for_each(|push| *push = (*push / hardest).sqrt());
        }
        pushed
    }
}

fn strain(cloth: &Simulation) -> Vec<f32> {
    let mut values = vec![0.0f32; cloth.cloth().vertex_count()];
    for (corners, strains) in cloth.cloth().triangles().iter().zip(cloth.triangle_strains()) {
        let largest = strains.iter().fold(0.0, |largest: f32, strain| largest.max(strain.abs()));
        for &v in corners {
            values[v as usize] = values[v as usize].max((largest / STRAIN).min(1.0));
        }
    }
    values
}

/// The coarsest level that each vertex is in: 1 is the coarsest. The hierarchy is built again as the solver builds it.
fn levels(cloth: &Simulation) -> Vec<f32> {
    let count = cloth.cloth().vertex_count();
    let SolverConfig::ShapeMatching(options) = &cloth.settings().solver else { return vec![0.0; count] };
    let mesh = TriMesh::new(cloth.cloth().rest_positions(), cloth.cloth().triangles().to_vec());
    let mut fixed = vec![false; count];
    cloth.cloth().pinned_vertices().for_each(|v| fixed[v as usize] = true);
    let Ok(built) = hierarchy::build(&mesh, &fixed, &options.hierarchy) else { return vec![0.0; count] };
    let levels = built.levels.len();
    let mut values = vec![0.0; count];
    for level in (0..levels).rev() {
        let share = if levels > 1 { 1.0 - level as f32 / (levels - 1) as f32 } else { 0.0 };
        for v in built.finest_vertices(level) {
            values[v as usize] = share;
        }
    }
    values
}

/// Vertices by the cell of a grid in which they are.
struct Cells {
    size: f32,
    all: std::collections::HashMap<[i32; 3], Vec<u32>>,
}

impl Cells {
    fn new(places: &[Vec3]) -> Self {
        let low = places.iter().fold(Vec3::INFINITY, |low, p| low.min(*p));
        let high = places.iter().fold(Vec3::NEG_INFINITY, |high, p| high.max(*p));
        let size = ((high - low).length() / (places.len() as f32).sqrt().max(1.0)).max(1e-6);
        let mut all: std::collections::HashMap<[i32; 3], Vec<u32>> = std::collections::HashMap::new();
        for (v, place) in places.iter().enumerate() {
            all.entry(cell(*place, size)).or_default().push(v as u32);
        }
        Self { size, all }
    }

    fn nearest(&self, places: &[Vec3], place: Vec3) -> Option<usize> {
        let [x, y, z] = cell(place, self.size);
        let near =
            (-1..=1).flat_map(|i| (-1..=1).flat_map(move |j| (-1..=1).map(move |k| [x + i, y + j, z + k])));
        let vertices = near.filter_map(|cell| self.all.get(&cell)).flatten();
        vertices
            .map(|&v| v as usize)
            .min_by(|&a, &b| places[a].distance_squared(place).total_cmp(&places[b].distance_squared(place)))
    }
}

fn cell(place: Vec3, size: f32) -> [i32; 3] {
    (place / size).floor().to_array().map(|x| x as i32)
}
