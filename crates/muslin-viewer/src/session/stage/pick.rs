//! What a ray meets first.

use glam::Vec3;

use super::super::{Picked, ThingKind};
use super::Stage;
use super::mesh_ray::{self, Meeting};
use crate::draw::Ray;

/// A place on a cloth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grip {
    /// The corners of the triangle.
    pub vertices: [u32; 3],
    /// How much of each there is in the place.
    pub weights: [f32; 3],
}

impl Grip {
    /// The vertex that the place is nearest to.
    pub fn nearest(&self) -> u32 {
        let largest = (0..3).fold(0, |best, i| if self.weights[i] > self.weights[best] { i } else { best });
        self.vertices[largest]
    }
}

impl Stage {
    /// What a ray meets first.
    pub fn pick(&mut self, ray: &Ray) -> Option<Picked> {
        let (picked, _) = self.pick_closely(ray)?;
        Some(picked)
    }

    /// The same, with where on a cloth that is.
    pub(super) fn pick_closely(&mut self, ray: &Ray) -> Option<(Picked, Option<Grip>)> {
        if !(ray.origin.is_finite() && ray.direction.is_finite() && ray.direction != Vec3::ZERO) {
            return None;
        }
        let mut nearest: Option<(f32, Picked, Option<Grip>)> = None;
        let mut offer = |far: f32, picked: Picked, grip: Option<Grip>| {
            if nearest.as_ref().is_none_or(|(other, ..)| far < *other) {
                nearest = Some((far, picked, grip));
            }
        };
        for number in 0..self.world.cloths().len() {
            if let Some((far, grip)) = self.pick_cloth(number, ray) {
                let (place, vertex) = (ray.origin + far * ray.direction, Some(grip.nearest()));
                offer(far, Picked { kind: ThingKind::Cloth, number, place, vertex }, Some(grip));
            }
        }
        let colliders = self.world.colliders().len();
        for number in 0..self.solids.len() {
            let Some(met) = self.pick_solid(number, ray) else { continue };
            let (kind, own) = match number.checked_sub(colliders) {
                None => (ThingKind::Collider, number),
                Some(body) => (ThingKind::Body, body),
            };
            let place = ray.origin + met.far * ray.direction;
            offer(met.far, Picked { kind, number: own, place, vertex: None }, None);
        }
        nearest.map(|(_, picked, grip)| (picked, grip))
    }

    /// On the mesh that is simulated, which of multilevel cloth is not the one that is drawn: what is held is a vertex of it.
    fn pick_cloth(&self, number: usize, ray: &Ray) -> Option<(f32, Grip)> {
        let cloth = &self.world.cloths()[number].1;
        let positions: Vec<Vec3> =
            cloth.places().into_iter().map(|place| (place - self.origin).as_vec3()).collect();
        let met = mesh_ray::first(ray, &positions, cloth.cloth().triangles())?;
        let vertices = cloth.cloth().triangles()[met.triangle];
        Some((met.far, Grip { vertices, weights: met.weights }))
    }

    /// In the solid's own frame. Planes are not met: the floor is not to be carried away.
    fn pick_solid(&mut self, number: usize, ray: &Ray) -> Option<Meeting> {
        if self.solids[number].triangles.is_empty() {
            return None;
        }
        let pose = self.pose(number);
        let back = pose.rotation.inverse();
        let own = Ray { origin: back * (ray.origin - pose.translation), direction: back * ray.direction };
        mesh_ray::first(&own, &self.vertices_of(number), &self.solids[number].triangles)
    }
}
