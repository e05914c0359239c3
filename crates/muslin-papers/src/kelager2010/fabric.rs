//! The rigid fabric of [Kelager2010]: 10 × 10 points, 1 m wide, and a crumpled state to start from.
//!
//! 160 triples of neighbours along rows and columns, and 144 pairs of adjacent quads (errata 2).

use glam::{Vec3, vec3};
use muslin::cloth::{BendingModel, Cloth, Damping, DihedralBending, Material, StickBending, TriangleBending};
use muslin::mesh::{Topology, TriMesh, generate};
use muslin::solver::{PositionBased, SolverConfig};
use muslin::{Settings, Simulation};

use crate::Error;

/// Points along a side.
pub(super) const SIDE: usize = 10;

/// The three models of table 1, by name.
pub(super) fn models() -> [(&'static str, BendingModel); 3] {
    // The paper's fabric is of quads; both triangles of one stay in a plane only as far as their neighbours keep them.
    let dihedral = DihedralBending { quads: true, ..DihedralBending::default() };
    [
        ("triangle", BendingModel::Triangle(TriangleBending::default())),
        ("dihedral", BendingModel::Dihedral(dihedral)),
        ("stick", BendingModel::Stick(StickBending::default())),
    ]
}

/// A fabric of `side` × `side` points.
pub(super) fn mesh(side: usize) -> Result<TriMesh, Error> {
    Ok(generate::grid(side - 1, side - 1, 1.0, 1.0)?)
}

/// A highly violated state: the fabric pushed together to half its width, in folds that no two rows share. Formulas
/// and not random numbers, so that `scenes/rigid_fabric/make.py` can make the same.
pub(super) fn crumpled(rest: &[Vec3]) -> Vec<Vec3> {
    let fold = |p: &Vec3| {
        let (x, y) = (p.x, p.y);
        vec3(
            0.25 + 0.5 * x + 0.07 * (9.0 * y + 4.0 * x).sin(),
            0.2 + 0.6 * y + 0.07 * (8.0 * x - 5.0 * y).sin(),
            0.12 * (14.0 * x + 3.0 * y).sin() + 0.08 * (11.0 * y - 6.0 * x).cos(),
        )
    };
    rest.iter().map(fold).collect()
}

/// Triples b0, b1, v along rows and columns.
pub(super) fn triples(side: usize) -> Vec<[u32; 3]> {
    let at = |column: usize, row: usize| (row * side + column) as u32;
    let mut triples = Vec::new();
    for line in 0..side {
        for middle in 1..side - 1 {
            triples.push([at(middle - 1, line), at(middle + 1, line), at(middle, line)]);
            triples.push([at(line, middle - 1), at(line, middle + 1), at(line, middle)]);
        }
    }
    triples
}

/// Edges between two quads with the opposite corners of their triangles: x0, x1, x2, x3.
pub(super) fn hinges(mesh: &TriMesh) -> Vec<[u32; 4]> {
    let diagonal = |[a, b]: [u32; 2]| {
        let both = |quad: &[u32; 4]| quad.contains(&a) && quad.contains(&b);
        mesh.quads.iter().filter(|quad| both(quad)).count() == 1
    };
    let hinges = Topology::new(mesh.positions.len(), &mesh.triangles).hinges;
    let inner = hinges.iter().filter(|hinge| !diagonal(hinge.edge));
    inner.map(|hinge| [hinge.edge[0], hinge.edge[1], hinge.opposite[0], hinge.opposite[1]]).collect()
}

/// A material that bends by a model.
pub(super) fn material(bending_model: BendingModel) -> Material {
    Material { bending_model, damping: Damping::None, ..Material::default() }
}

/// A free fabric, weightless, that one step of `iterations` takes from the crumpled state to where they get.
pub(super) fn recovering(mesh: &TriMesh, model: BendingModel, iterations: u32) -> Result<Simulation, Error> {
    let start = crumpled(&mesh.positions);
    let cloth = Cloth::builder(mesh.clone()).material(material(model)).start_positions(start).build()?;
    let solver = SolverConfig::PositionBased(PositionBased { iterations, ..PositionBased::default() });
    let settings = Settings {
        time_step: 1.0 / 60.0,
        substeps: 1,
        gravity: Vec3::ZERO,
        solver,
        threads: 1,
        ..Settings::default()
    };
    Ok(Simulation::new(cloth, settings)?)
}

/// Mean over the triples of how far they are from straight, radians.
pub(super) fn mean_turn(positions: &[Vec3], side: usize) -> f64 {
    let triples = triples(side);
    let turn = |&[b0, b1, v]: &[u32; 3]| {
        let [b0, b1, v] = [b0, b1, v].map(|v| positions[v as usize].as_dvec3());
        (v - b0).angle_between(b1 - v)
    };
    triples.iter().map(turn).sum::<f64>() / triples.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 1 counts 160, 144 and 160, and so does the library.
    #[test]
    fn counts_are_those_of_table_1() {
        let mesh = mesh(SIDE).unwrap();
        let ours = [triples(SIDE).len(), hinges(&mesh).len(), triples(SIDE).len()];
        assert_eq!(ours, [160, 144, 160]);
        for ((_, model), count) in models().into_iter().zip(ours) {
            let cloth = Cloth::builder(mesh.clone()).material(material(model)).build().unwrap();
            assert_eq!(cloth.bending_errors(&mesh.positions).unwrap().len(), count);
        }
    }
}
