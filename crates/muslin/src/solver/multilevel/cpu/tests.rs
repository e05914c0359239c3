//! The rest shape is a fixed point of each stage, and a step keeps momentum.

use glam::{DVec3, vec3};

use super::*;
use crate::cloth::{Cloth, Damping, Material, TetherChoice, fabric};
use crate::execution::Execution;
use crate::mesh::{TriMesh, generate};
use crate::solver::multilevel::Multilevel;

/// Seconds.
const DT: f64 = 1.0 / 300.0;

/// A skirt of 24 facets and four panels, and a sheet; each also drawn out, so that charts are wrong by 6 %.
fn meshes() -> [TriMesh; 4] {
    let skirt = generate::panelled_tube([0.4, 0.25], 1.0, [24, 9], 4).unwrap();
    let sheet = generate::delaunay_rectangle(1.0, 0.8, 400, 7).unwrap();
    let drawn_out = |mesh: &TriMesh| {
        let mut mesh = mesh.clone();
        mesh.positions.iter_mut().for_each(|p| *p *= vec3(1.0, 1.0625, 0.9375));
        mesh
    };
    [drawn_out(&skirt), skirt, drawn_out(&sheet), sheet]
}

/// All meshes of cloth that is stiff, soft and thick.
fn for_each(check: impl Fn(&Cloth, CpuGrid, &GridStep)) {
    for (mesh, name) in
        meshes().into_iter().flat_map(|mesh| ["stiff", "cotton", "leather"].map(|name| (mesh.clone(), name)))
    {
        let material = fabric(name).map_or(Material::default(), |fabric| fabric.material());
        let material = Material { damping: Damping::None, ..material };
        let cloth = Cloth::builder(mesh).material(material).tethers(TetherChoice::Off).build().unwrap();
        let built = Multilevel { particles: 1500, ..Multilevel::default() }.grid(&cloth).unwrap();
        let grid = CpuGrid::new(Arc::clone(&built.model), &built.state);
        let per_particle = f64::from(material.density) * built.model.lattice.spacing.powi(4);
        let step = GridStep {
            dt: DT as f32,
            fall: Vec3::ZERO,
            smoothing: 0.1,
            farthest: 1e9,
            bounds: 1e9,
            bending: [(f64::from(material.bending) / per_particle * DT * DT) as f32; 2],
            held: &[],
            near: &[],
            iterations: 16,
            execution: Execution::default(),
        };
        check(&cloth, grid, &step);
    }
}

fn farthest(a: &[Vec4], b: &[Vec4]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).truncate().length()).fold(0.0, f32::max)
}

#[test]
fn the_rest_shape_is_a_fixed_point_of_each_stage() {
    for_each(|cloth, mut grid, step| {
        let pairs = grid.projected.iter().zip(&cloth.start);
        let round_trip = pairs.map(|(vertex, start)| vertex.place.distance(*start)).fold(0.0, f32::max);
        assert!(round_trip < 5e-7, "sampled and projected: {round_trip}");
        let rest = grid.points.clone();
        grid.bend(step);
        let bent = farthest(&rest, &grid.points);
        assert!(bent < 5e-8, "bent: {bent}");
        grid.points.clone_from(&rest);
        grid.previous.clone_from(&rest);
        grid.solve(step);
        let solved = farthest(&rest, &grid.points);
        assert!(solved < 5e-7, "solved: {solved}");
    });
}

/// It gained up to 0.2 m/s in a step when charts were rest shapes, coarse masses rounded and springs divided by their own sums.
#[test]
fn a_step_of_thrown_cloth_keeps_its_momentum() {
    for_each(|cloth, mut grid, step| {
        let velocity = |p: &Vec3| 0.2 * vec3(0.3 + p.y, 0.1 - p.x, 0.2 + (9.0 * p.x).sin());
        let velocities: Vec<Vec3> = cloth.start.iter().map(velocity).collect();
        let lattice = &grid.model.lattice;
        let sample = |data: &[Vec3]| lattice.sample(data).iter().map(|value| value.truncate()).collect();
        let state = GridState { velocities: sample(&velocities), ..GridState::at_rest(sample(&cloth.start)) };
        let count = lattice.samples.len() as f64;
        grid.write(&state);
        let mean =
            |grid: &CpuGrid| grid.velocities.iter().map(|v| v.truncate().as_dvec3()).sum::<DVec3>() / count;
        let before = mean(&grid);
        grid.step(step).unwrap();
        let drift = (mean(&grid) - before).length();
        assert!(drift < 5e-5, "{drift} m/s");
    });
}
