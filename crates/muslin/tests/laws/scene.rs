//! A cloth that is thrown, possibly held, as a scene that can be moved, turned, renumbered and made larger.

use glam::{Vec2, Vec3, Vec3Swizzles, vec3};
use muslin::cloth::{Material, Stretch};
use muslin::mesh::TriMesh;
use muslin::{Error, Settings};

use crate::case::Case;
use crate::meshes::noise;
use crate::motion::Moving;
use crate::product::GRAVITY;

/// Everything that a law may change.
#[derive(Clone)]
pub struct Scene {
    pub mesh: TriMesh,
    pub velocities: Vec<Vec3>,
    pub pins: Vec<u32>,
    pub gravity: Vec3,
    pub material: Material,
    pub settings: Settings,
}

impl Scene {
    /// A cloth that spins and has a wave in its velocities (a fifth of its size per second), so that every region has
    /// something to do; without damping. Gravity is that of cloth of 1 m, or the tiny one would be whirled about.
    pub fn thrown(case: &Case) -> Self {
        let mut mesh = case.shape.mesh();
        // Nothing is as wide as it is deep: the longest axis must not be a matter of rounding.
        mesh.positions.iter_mut().for_each(|p| *p *= vec3(1.0, 1.0625, 0.9375));
        let (low, high) = mesh.bounds().unwrap();
        let size = (high - low).max_element();
        let velocity = |p: &Vec3| {
            let p = *p / size;
            0.2 * size * (vec3(0.3, 0.1, 0.2) + vec3(p.y, -p.x, (9.0 * p.x).sin()))
        };
        let velocities = mesh.positions.iter().map(velocity).collect();
        mesh.uvs = Some(mesh.uvs.take().unwrap_or_else(|| along_x(&mesh)));
        let (material, settings) = (case.undamped(), case.settings());
        Self { mesh, velocities, pins: Vec::new(), gravity: GRAVITY * size, material, settings }
    }

    /// The same, held at its first and last vertex.
    pub fn held(case: &Case) -> Self {
        let scene = Self::thrown(case);
        Self { pins: vec![0, scene.mesh.positions.len() as u32 - 1], ..scene }
    }

    /// Positions after so many frames.
    pub fn run(&self, case: &Case, frames: usize) -> Result<Vec<Vec3>, Error> {
        let builder =
            case.builder(self.mesh.clone()).material(self.material).pin_all(self.pins.iter().copied());
        let settings = Settings { gravity: self.gravity, ..self.settings.clone() };
        let mut cloth = Moving::new(case, builder, settings)?;
        cloth.set_state(&self.mesh.positions, &self.velocities)?;
        cloth.run(frames)?;
        Ok(cloth.now()?.positions())
    }

    /// Everything elsewhere.
    #[must_use]
    pub fn moved(mut self, by: Vec3) -> Self {
        self.mesh.positions.iter_mut().for_each(|p| *p += by);
        self
    }

    /// Everything with other velocities.
    #[must_use]
    pub fn carried(mut self, by: Vec3) -> Self {
        self.velocities.iter_mut().for_each(|v| *v += by);
        self
    }

    /// Everything turned by a third around (1, 1, 1). That only renames the axes, and keeps the order in which vertices are
    /// sorted along them. Other turns change that order, and with it what a sweep of Gauss and Seidel arrives at.
    #[must_use]
    pub fn turned(mut self) -> Self {
        self.mesh.positions.iter_mut().for_each(|p| *p = turned(*p));
        self.velocities.iter_mut().for_each(|v| *v = turned(*v));
        self.gravity = turned(self.gravity);
        self
    }

    /// The same in another numbering of vertices and triangles; with the new number of each vertex.
    #[must_use]
    pub fn renumbered(mut self) -> (Self, Vec<u32>) {
        let shuffled = |count: usize, seed: usize| {
            let mut order: Vec<u32> = (0..count as u32).collect();
            order.sort_by(|&a, &b| noise(a as usize + seed).total_cmp(&noise(b as usize + seed)));
            order
        };
        let old = shuffled(self.mesh.positions.len(), 0);
        let mut new = vec![0; old.len()];
        old.iter().zip(0..).for_each(|(&old, number)| new[old as usize] = number);
        let pick = |values: &[Vec3]| old.iter().map(|&v| values[v as usize]).collect();
        self.velocities = pick(&self.velocities);
        self.pins.iter_mut().for_each(|pin| *pin = new[*pin as usize]);
        let triangles = shuffled(self.mesh.triangles.len(), 1_000_000);
        let renamed = |t: &u32| self.mesh.triangles[*t as usize].map(|v| new[v as usize]);
        let uvs = self.mesh.uvs.map(|uvs| triangles.iter().map(|&t| uvs[t as usize]).collect());
        let quads = shuffled(self.mesh.quads.len(), 2_000_000);
        let quads = quads.iter().map(|&q| self.mesh.quads[q as usize].map(|v| new[v as usize])).collect();
        self.mesh = TriMesh {
            uvs,
            quads,
            ..TriMesh::new(pick(&self.mesh.positions), triangles.iter().map(renamed).collect())
        };
        (self, new)
    }

    /// All lengths twice as long. Masses (per area) then grow by four and accelerations by two, so forces by eight:
    /// stretch stiffness (force per length) by four, and bending stiffness (force × length) by sixteen.
    #[must_use]
    pub fn doubled(mut self) -> Self {
        self.mesh.positions.iter_mut().for_each(|p| *p *= 2.0);
        self.velocities.iter_mut().for_each(|v| *v *= 2.0);
        self.mesh.uvs.iter_mut().flatten().flatten().for_each(|uv| *uv *= 2.0);
        self.gravity *= 2.0;
        self.settings.max_speed *= 2.0;
        self.settings.bounds *= 2.0;
        self.material.bending *= 16.0;
        if let Stretch::Physical { weft, warp, shear } = &mut self.material.stretch {
            [weft, warp, shear].into_iter().for_each(|stiffness| *stiffness *= 4.0);
        }
        self
    }
}

/// A vector as [`Scene::turned`] turns it.
pub fn turned(v: Vec3) -> Vec3 {
    v.zxy()
}

/// Texture coordinates for a mesh without: what cloth takes in their place (the x axis laid into each triangle, or z), so
/// that threads turn with the scene.
fn along_x(mesh: &TriMesh) -> Vec<[Vec2; 3]> {
    let laid = |t: usize| {
        let corners = mesh.corners(t);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
        let axis = if normal.x.abs() < 0.9 { glam::DVec3::X } else { glam::DVec3::Z };
        let weft = axis.reject_from(normal).normalize();
        corners.map(|p| glam::dvec2(p.dot(weft), p.dot(normal.cross(weft))).as_vec2())
    };
    (0..mesh.triangles.len()).map(laid).collect()
}
