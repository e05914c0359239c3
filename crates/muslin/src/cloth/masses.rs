//! Masses of particles from the density of the cloth.

use crate::mesh::TriMesh;

/// [Bender2013] eq. 1: each particle gets a third of the mass of its triangles, in kg.
pub(crate) fn lumped_masses(mesh: &TriMesh, density: f64) -> Vec<f64> {
    let mut masses = vec![0.0; mesh.positions.len()];
    for (t, corners) in mesh.triangles.iter().enumerate() {
        let share = density * mesh.area(t) / 3.0;
        for &v in corners {
            masses[v as usize] += share;
        }
    }
    masses
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_triangle_shares_its_mass_among_its_corners() {
        let mesh = TriMesh::new(vec![Vec3::ZERO, Vec3::X * 2.0, Vec3::Y * 3.0], vec![[0, 1, 2]]);
        let masses = lumped_masses(&mesh, 0.2);
        assert!(masses.iter().all(|m| (m - 0.2).abs() < 1e-12));
    }
}
