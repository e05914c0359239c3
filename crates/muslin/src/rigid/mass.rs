//! Mass, centre and inertia of shapes.
//!
//! Input: a shape, or the closed mesh that bounds it, and how heavy it is. Output: [`MassProperties`]. A mesh is
//! the sum of tetrahedra from one place to its triangles, those that face away counted as negative.

use glam::{DMat3, DVec3};

use super::description::{Mass, RigidShape};
use crate::math::outer;
use crate::mesh::{Topology, TriMesh};

/// What of a body's shape its motion depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MassProperties {
    /// kg.
    pub mass: f64,
    /// In the shape's own coordinates, metres.
    pub center: DVec3,
    /// About the centre, along the shape's own axes, kg·m².
    pub inertia: DMat3,
    pub inverse_inertia: DMat3,
}

impl MassProperties {
    /// For a shape and its surface.
    pub fn new(shape: &RigidShape, surface: &TriMesh, mass: Mass) -> Result<Self, String> {
        // Volume, centre, and second moments about it per volume.
        let (volume, center, moments) = match shape {
            RigidShape::Sphere { radius } => {
                let radius = f64::from(*radius);
                let volume = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
                (volume, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(radius * radius / 5.0)))
            }
            RigidShape::Box { size } => {
                let size = size.as_dvec3();
                (size.element_product(), DVec3::ZERO, DMat3::from_diagonal(size * size / 12.0))
            }
            RigidShape::Convex(_) | RigidShape::Mesh(_) => of_mesh(surface)?,
        };
        let mass = match mass {
            Mass::Density(density) => density * volume,
            Mass::Total(mass) => mass,
        };
        let trace = moments.x_axis.x + moments.y_axis.y + moments.z_axis.z;
        let inertia = (DMat3::from_diagonal(DVec3::splat(trace)) - moments) * mass;
        let inverse_inertia = inertia.inverse();
        if !(mass.is_normal() && mass > 0.0 && inverse_inertia.is_finite()) {
            return Err("its mass or inertia is out of the range of numbers".into());
        }
        Ok(Self { mass, center, inertia, inverse_inertia })
    }
}

/// Volume, centre and second moments per volume about the centre.
fn of_mesh(mesh: &TriMesh) -> Result<(f64, DVec3, DMat3), String> {
    let Some((low, high)) = mesh.bounds() else { return Err("its mesh has no vertices".into()) };
    let (low, high) = (low.as_dvec3(), high.as_dvec3());
    // Near the mesh, so that tetrahedra are not large numbers that cancel.
    let origin = 0.5 * (low + high);
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for t in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(t).map(|p| p - origin);
        let sixfold = a.dot(b.cross(c));
        let sum = a + b + c;
        volume += sixfold / 6.0;
        first += sum * (sixfold / 24.0);
        let squares = [sum, a, b, c].map(outer).into_iter().fold(DMat3::ZERO, |x, y| x + y);
        second += squares * (sixfold / 120.0);
    }
    let enough = 1e-9 * (high - low).length().powi(3);
    if !(volume.is_finite() && volume > enough) {
        return Err("its mesh encloses no volume".into());
    }
    let middle = first / volume;
    Ok((volume, origin + middle, second * (1.0 / volume) - outer(middle)))
}

/// A mesh as the surface of a solid: closed, every triangle facing outwards.
pub(super) fn solid(mesh: &TriMesh) -> Result<TriMesh, String> {
    let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
    if !topology.is_closed() {
        let triangles = |e: usize| topology.edge_triangles.row(e).len();
        let open = (0..topology.edges.len()).find(|&e| triangles(e) != 2);
        return Err(match open {
            None => "its mesh has no triangles".into(),
            Some(e) => {
                let [a, b] = topology.edges[e];
                let count = triangles(e);
                format!(
                    "its mesh is not closed: the edge of vertices {a} and {b} has {count} triangles, not 2; \
                     closing the mesh may help"
                )
            }
        });
    }
    // Neighbours that face the same way pass their edge in opposite directions.
    let mut sides: Vec<[u32; 2]> =
        mesh.triangles.iter().flat_map(|t| (0..3).map(|k| [t[k], t[(k + 1) % 3]])).collect();
    sides.sort_unstable();
    if let Some(twice) = sides.windows(2).find(|pair| pair[0] == pair[1]) {
        let [a, b] = twice[0];
        return Err(format!(
            "its mesh is not closed: the triangles at the edge of vertices {a} and {b} face different ways; \
             repairing the mesh may help"
        ));
    }
    let mut solid = mesh.clone();
    let corner = mesh.positions[mesh.triangles[0][0] as usize].as_dvec3();
    let part = |t: usize| {
        let [a, b, c] = mesh.corners(t).map(|p| p - corner);
        a.dot(b.cross(c))
    };
    if (0..mesh.triangles.len()).map(part).sum::<f64>() < 0.0 {
        solid.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    Ok(solid)
}

#[cfg(test)]
mod tests {
    use glam::{Affine3A, Vec3};

    use super::*;
    use crate::mesh::generate;

    #[test]
    fn a_mesh_has_the_inertia_of_its_shape() {
        let size = Vec3::new(0.2, 0.5, 1.0);
        let shape = RigidShape::Box { size };
        let away = Affine3A::from_translation(Vec3::new(3.0, -2.0, 5.0));
        let mesh = generate::cuboid(size, 3).unwrap().transformed(away);
        let exact = MassProperties::new(&shape, &mesh, Mass::Density(700.0)).unwrap();
        let found =
            MassProperties::new(&RigidShape::Mesh(mesh.clone()), &mesh, Mass::Total(exact.mass)).unwrap();
        assert!((exact.mass - 70.0).abs() < 1e-5, "{}", exact.mass);
        assert!((found.center - DVec3::new(3.0, -2.0, 5.0)).length() < 1e-6);
        assert!((found.inertia - exact.inertia).abs_diff_eq(DMat3::ZERO, 1e-5 * exact.inertia.x_axis.x));
        let ball = RigidShape::Sphere { radius: 0.3 };
        let surface = generate::sphere(0.3, 5).unwrap();
        let exact = MassProperties::new(&ball, &surface, Mass::Total(2.0)).unwrap();
        let found = MassProperties::new(&RigidShape::Convex(vec![]), &surface, Mass::Total(2.0)).unwrap();
        assert!((exact.inertia.x_axis.x - 0.4 * 2.0 * 0.09).abs() < 1e-7);
        assert!((found.inertia.x_axis.x / exact.inertia.x_axis.x - 1.0).abs() < 0.01);
    }

    #[test]
    fn only_what_is_closed_is_solid() {
        let cuboid = generate::cuboid(Vec3::ONE, 1).unwrap();
        let mut inside_out = cuboid.clone();
        inside_out.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        let outward = solid(&inside_out).unwrap();
        assert!(of_mesh(&outward).unwrap().0 > 0.99);
        let mut open = cuboid.clone();
        open.triangles.pop();
        assert!(solid(&open).unwrap_err().contains("not closed: the edge"));
        let mut flipped = cuboid;
        flipped.triangles[0].swap(0, 1);
        assert!(solid(&flipped).unwrap_err().contains("face different ways"));
    }
}
