//! What pictures of a run show: cloths, rigid bodies, colliders, the ground, and from where.

use glam::{DVec3, Vec3};
use muslin::collision::{Collider, ColliderMotion, Shape};
use muslin_io::Clip;
use muslin_io::scene::{CameraDescription, Scene};
use muslin_render::{Bounds, Camera, Color, Ground, RenderMesh, RenderScene};

use crate::failure::Failure;

/// Colours of the cloths' two sides, in turn.
const CLOTHS: [(&str, &str); 4] =
    [("#b5473c", "#d9a05b"), ("#3f6f8f", "#9db8c4"), ("#5f7d4f", "#b9c08a"), ("#7a5c8a", "#c7a9c9")];
/// Colours of rigid bodies, in turn.
const BODIES: [&str; 7] = ["#4f7c9b", "#c9a24a", "#6d8f63", "#8a6d9a", "#b5694a", "#d8d0c0", "#4d5560"];
/// The colour of colliders.
const COLLIDER: &str = "#b0aca4";

/// How far from the cloth colliders and bodies are still framed, relative to its size: a large one must not make it
/// small.
const ROOM: f32 = 1.5;
/// The least cosine of the angle between a plane's normal and upwards for the plane to be the ground.
const LEVEL: f32 = 0.9999;
/// The width of a piece of a tilted plane, relative to the size of all that is framed.
const SLAB: f32 = 2.0;

/// All frames of a run, to be drawn: from the clip's origin, near which single precision is enough.
pub struct Stage<'a> {
    scene: &'a Scene,
    clip: &'a dyn Clip,
    colliders: &'a [&'a Collider],
    /// What is framed.
    bounds: Bounds,
    /// From where.
    pub camera: Camera,
}

impl<'a> Stage<'a> {
    /// Measures how much room everything takes in all frames.
    pub fn new(
        scene: &'a Scene,
        clip: &'a dyn Clip,
        colliders: &'a [&'a Collider],
        aspect: f32,
    ) -> Result<Self, Failure> {
        let mut bounds = Bounds::of(&[]);
        let of = |rigid: bool| {
            (0..clip.meshes().len()).filter(move |&m| clip.meshes()[m].rigid.is_some() == rigid)
        };
        for frame in 0..clip.frame_count() {
            for mesh in of(false) {
                bounds = bounds.union(Bounds::of(&clip.positions(mesh, frame).map_err(Failure::run)?));
            }
        }
        let near = grown(bounds, ROOM * (bounds.max - bounds.min).max_element());
        for frame in 0..clip.frame_count() {
            for mesh in of(true) {
                let part = Bounds::of(&clip.positions(mesh, frame).map_err(Failure::run)?);
                let part = common(part, near);
                bounds = if part.is_empty() { bounds } else { bounds.union(part) };
            }
        }
        for collider in colliders {
            let frames = if collider.motion == ColliderMotion::Fixed { 1 } else { clip.frame_count() };
            for frame in 0..frames {
                let mesh =
                    collider.surface_mesh_from(clip.origin(), frame as f64 / clip.fps()).unwrap_or_default();
                let part = common(Bounds::of(&mesh.positions), near);
                bounds = if part.is_empty() { bounds } else { bounds.union(part) };
            }
        }
        let camera = match scene.camera {
            Some(CameraDescription { eye, target, up, fov_degrees }) => {
                let [eye, target] = [eye, target].map(|place| (place - clip.origin()).as_vec3());
                Camera { eye, target, up, fov_degrees }
            }
            None => Camera::framing(&bounds, scene.up.direction(), aspect),
        };
        Ok(Self { scene, clip, colliders, bounds, camera })
    }

    /// Everything that is drawn in a frame.
    pub fn at(&self, frame: usize) -> Result<RenderScene, Failure> {
        let time = frame as f64 / self.clip.fps();
        let color = |text| Color::from_hex(text).unwrap_or(Color([160, 160, 160]));
        let mut meshes = Vec::new();
        let (mut cloths, mut bodies) = (CLOTHS.iter().cycle(), BODIES.iter().cycle());
        for (number, mesh) in self.clip.meshes().iter().enumerate() {
            let (positions, triangles) = (self.clip.positions(number, frame), mesh.triangles.clone());
            let positions = positions.map_err(Failure::run)?;
            meshes.push(if mesh.rigid.is_some() {
                RenderMesh::solid(positions, triangles, color(bodies.next().unwrap_or(&COLLIDER)))
            } else {
                let (front, back) = cloths.next().unwrap_or(&CLOTHS[0]);
                RenderMesh::cloth(positions, triangles, color(front), color(back))
            });
        }
        let mut ground: Option<f32> = None;
        let up = self.scene.up.direction();
        for collider in self.colliders {
            if let Some(mesh) = collider.surface_mesh_from(self.clip.origin(), time) {
                meshes.push(RenderMesh::solid(mesh.positions, mesh.triangles, color(COLLIDER)));
            } else if let Some((point, normal)) = plane(collider, self.clip.origin(), time) {
                if normal.dot(up) > LEVEL {
                    let height = point.dot(up);
                    ground = Some(ground.map_or(height, |other| other.max(height)));
                } else if normal.dot(self.camera.eye - point) > 0.0 {
                    // From behind it would hide everything.
                    meshes.push(self.slab(point, normal, color(COLLIDER)));
                }
            }
        }
        let ground = ground.or_else(|| self.below_everything());
        Ok(RenderScene { meshes, up, ground: ground.map(Ground::at), ..RenderScene::default() })
    }

    /// A height a little below everything that happens.
    fn below_everything(&self) -> Option<f32> {
        let size = (self.bounds.max - self.bounds.min).length();
        (!self.bounds.is_empty()).then(|| self.bounds.min.dot(self.scene.up.direction()) - 0.08 * size)
    }

    /// The piece of a plane next to what is framed.
    fn slab(&self, point: Vec3, normal: Vec3, color: Color) -> RenderMesh {
        let middle = 0.5 * (self.bounds.min + self.bounds.max);
        let middle = middle - (middle - point).dot(normal) * normal;
        let (u, v) = normal.any_orthonormal_pair();
        let [u, v] = [u, v].map(|axis| 0.5 * SLAB * (self.bounds.max - self.bounds.min).length() * axis);
        let positions = vec![middle - u - v, middle + u - v, middle + u + v, middle - u + v];
        RenderMesh::solid(positions, vec![[0, 1, 2], [0, 2, 3]], color)
    }
}

/// A point, from an origin, and the normal of a plane at a time; `None` for other colliders.
fn plane(collider: &Collider, origin: DVec3, time: f64) -> Option<(Vec3, Vec3)> {
    let Shape::Plane { normal, .. } = &collider.shape else { return None };
    let normal = (collider.motion.pose(time).rotation * normal.as_dvec3()).as_vec3();
    Some((*collider.positions_from(origin, time).first()?, normal))
}

/// A box with more room around it.
fn grown(bounds: Bounds, room: f32) -> Bounds {
    Bounds { min: bounds.min - room, max: bounds.max + room }
}

/// What two boxes have in common; may be empty.
fn common(a: Bounds, b: Bounds) -> Bounds {
    Bounds { min: a.min.max(b.min), max: a.max.min(b.max) }
}
