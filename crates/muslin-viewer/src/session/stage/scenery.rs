//! What is seen of a stage at this moment.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use muslin::collision::Shape;
use muslin::mesh::TriMesh;

use super::super::{HeldThing, Picked, ThingKind, Values};
use super::steps::placement;
use super::{SolidBase, Stage};
use crate::draw::{Mark, MarkKind, Places, Pose, Scenery, Sheet, Solid};

/// More marks of a kind are not drawn.
const MOST_MARKS: usize = 600;

/// The width of a piece of a tilted plane, relative to the size of all that is framed.
const SLAB: f32 = 2.0;

impl Stage {
    /// What is seen, with vertices coloured by `values`.
    /// In slow motion it is drawn a share of the way to where it is by now.
    pub fn scenery(&mut self, values: Values, pointed: Option<Picked>, share: f32) -> Scenery {
        self.share = share.clamp(0.0, 1.0);
        self.bend_solids();
        let sheets = (0..self.sheets.len()).map(|number| self.sheet(number, values)).collect();
        let colliders = self.world.colliders().len();
        let is_marked = |number: usize| {
            pointed.is_some_and(|picked| match picked.kind {
                ThingKind::Collider => picked.number == number,
                ThingKind::Body => picked.number + colliders == number,
                ThingKind::Cloth => false,
            })
        };
        let mut solids = Vec::new();
        for (number, base) in self.solids.iter().enumerate().filter(|(_, base)| !base.is_ground) {
            solids.push(match self.slab(number) {
                Some(solid) => Solid { is_marked: is_marked(number), ..solid },
                None => Solid {
                    triangles: base.triangles.clone(),
                    vertices: base.vertices.clone(),
                    pose: self.pose(number),
                    color: base.color,
                    is_marked: is_marked(number),
                },
            });
        }
        Scenery { up: self.up(), sheets, solids, ground: self.ground, marks: self.marks(values, pointed) }
    }

    fn sheet(&mut self, number: usize, values: Values) -> Sheet {
        let values = self.values(number, values);
        let base = &self.sheets[number];
        let places = self.device_places(number).unwrap_or_else(|| {
            let places = self.between(number).unwrap_or_else(|| self.shown(number));
            Places::Host(places.into())
        });
        Sheet {
            triangles: base.triangles.clone(),
            flat: base.flat.clone(),
            places,
            look: base.look.clone(),
            values,
        }
    }

    /// Where a cloth is in the device's memory, if it is there.
    fn device_places(&self, number: usize) -> Option<Places> {
        let elements = self.sheets[number].elements.clone().filter(|_| self.is_drawn_there())?;
        let id = *self.world.cloth_ids().get(number)?;
        let positions = self.world.positions_on_device(id).ok().flatten()?;
        let offset = (positions.origin - self.origin).as_vec3();
        Some(Places::Device { buffer: positions.buffer.clone(), elements, offset })
    }

    /// The vertices of a cloth on the way from one step to the next; `None` where that is not wanted, or not known.
    fn between(&self, number: usize) -> Option<Vec<Vec3>> {
        let cloth = &self.world.cloths()[number].1;
        let is_own = cloth.shown_mesh().vertices == cloth.cloth().vertex_count();
        if self.share >= 1.0 || !is_own || self.is_on_device || self.origin != DVec3::ZERO {
            return None;
        }
        let mut places = vec![[0.0; 3]; cloth.cloth().vertex_count()];
        cloth.positions_between_into(self.share, &mut places).ok()?;
        Some(places.into_iter().map(Vec3::from).collect())
    }

    /// The time that is drawn.
    fn drawn_time(&self) -> f64 {
        self.world.time() - f64::from(1.0 - self.share) * self.world.settings().time_step
    }

    /// The shown vertices of a cloth, as far as they are known here.
    pub(super) fn shown(&self, number: usize) -> Vec<Vec3> {
        let cloth = &self.world.cloths()[number].1;
        let places = cloth.shown_places().unwrap_or_else(|_| cloth.places());
        places.into_iter().map(|place| (place - self.origin).as_vec3()).collect()
    }

    /// The shown vertices of all cloths, as far as they are known here.
    pub(super) fn host_positions(&self) -> Vec<Vec<Vec3>> {
        (0..self.world.cloths().len()).map(|number| self.shown(number)).collect()
    }

    /// Brings the vertices of what bends to where they are now.
    fn bend_solids(&mut self) {
        let now = self.drawn_time();
        for (collider, base) in self.world.colliders().iter().zip(&mut self.solids) {
            if base.time.is_some_and(|time| time != now) {
                let mesh = collider.surface_mesh_from(self.origin, now).unwrap_or_default();
                base.vertices = mesh.positions.into();
                base.time = Some(now);
            }
        }
    }

    /// Where the frame of a solid is.
    pub(super) fn pose(&self, number: usize) -> Pose {
        let base = &self.solids[number];
        let (rotation, translation) = match self.world.collider_ids().get(number) {
            // What bends is counted from the scenery's zero.
            Some(_) if base.time.is_some() => {
                return Pose { rotation: glam::Quat::IDENTITY, translation: Vec3::ZERO };
            }
            Some(_) => {
                let pose = self.world.colliders()[number].motion.pose(self.drawn_time());
                (pose.rotation, pose.translation + base.offset)
            }
            None => {
                let own = number - self.world.colliders().len();
                let (rotation, translation) = placement(&self.world.bodies()[own]);
                match self.bodies_before.get(own) {
                    Some((before, from)) if self.share < 1.0 => {
                        let share = f64::from(self.share);
                        (before.slerp(rotation, share), from.lerp(translation, share))
                    }
                    _ => (rotation, translation),
                }
            }
        };
        Pose { rotation: rotation.as_quat(), translation: (translation - self.origin).as_vec3() }
    }

    /// The vertices of a solid where they are now; `None` of a plane.
    pub(super) fn solid_places(&mut self, number: usize) -> Option<Vec<Vec3>> {
        self.bend_solids();
        let base: &SolidBase = self.solids.get(number)?;
        if base.triangles.is_empty() {
            return None;
        }
        let pose = self.pose(number);
        Some(base.vertices.iter().map(|p| pose.rotation * *p + pose.translation).collect())
    }

    /// A point and the normal of a plane, in the scenery.
    pub(super) fn plane(&self, number: usize) -> Option<(Vec3, Vec3)> {
        let collider = self.world.colliders().get(number)?;
        let Shape::Plane { normal, .. } = &collider.shape else { return None };
        let time = self.world.time();
        let normal = (collider.motion.pose(time).rotation * normal.as_dvec3()).as_vec3();
        Some((*collider.positions_from(self.origin, time).first()?, normal))
    }

    /// The piece of a tilted plane next to what is framed.
    fn slab(&self, number: usize) -> Option<Solid> {
        let (point, normal) = self.plane(number)?;
        let middle = self.bounds.center - (self.bounds.center - point).dot(normal) * normal;
        let (u, v) = normal.any_orthonormal_pair();
        let [u, v] = [u, v].map(|axis| SLAB * self.bounds.radius * axis);
        let corners = [middle - u - v, middle + u - v, middle + u + v, middle - u + v];
        Some(Solid {
            triangles: [[0, 1, 2], [0, 2, 3]].into(),
            vertices: corners.into(),
            pose: Pose { rotation: glam::Quat::IDENTITY, translation: Vec3::ZERO },
            color: self.solids[number].color,
            is_marked: false,
        })
    }

    fn marks(&self, values: Values, pointed: Option<Picked>) -> Vec<Mark> {
        let mut marks = Vec::new();
        let near = |place: DVec3| (place - self.origin).as_vec3();
        for (_, cloth) in self.world.cloths() {
            let pins = cloth.cloth().pinned_vertices().filter_map(|vertex| cloth.place(vertex).ok());
            marks.extend(pins.take(MOST_MARKS).map(|place| Mark { place: near(place), kind: MarkKind::Pin }));
        }
        // There are hundreds on a dress: who wants to see them asks for their colours.
        let most = if values == Values::Contact { MOST_MARKS } else { 0 };
        let touches = self.world.contacts().take(most);
        marks.extend(touches.map(|touch| Mark { place: near(touch.place), kind: MarkKind::Contact }));
        marks.extend(self.held().iter().map(|held| Mark { place: held.place, kind: MarkKind::Hold }));
        marks.extend(pointed.map(|picked| Mark { place: picked.place, kind: MarkKind::Pointer }));
        marks
    }

    /// What hands hold.
    pub fn held(&self) -> Vec<HeldThing> {
        self.hands.iter().filter_map(|hand| self.held_by(hand)).collect()
    }

    /// The fan.
    pub fn fan(&self) -> Option<super::Fan> {
        self.fan
    }

    /// The vertices of a solid in its own frame.
    pub(super) fn vertices_of(&self, number: usize) -> Arc<[Vec3]> {
        self.solids[number].vertices.clone()
    }

    /// The names and present meshes of all cloths, colliders (but planes) and bodies, from the scenery's zero.
    pub fn present(&mut self) -> Vec<(String, TriMesh)> {
        self.read_back();
        self.share = 1.0;
        let origin = self.origin;
        let with_origin = |mesh: TriMesh| TriMesh { origin, ..mesh };
        let mut meshes = Vec::new();
        for (number, (name, cloth)) in self.world.cloths().iter().enumerate() {
            let shown = cloth.shown_mesh();
            let mut mesh = TriMesh::new(self.shown(number), shown.triangles.to_vec());
            mesh.uvs = shown.uvs.map(<[_]>::to_vec);
            meshes.push((name.clone(), with_origin(mesh)));
        }
        for number in 0..self.solids.len() {
            if let Some(places) = self.solid_places(number) {
                let mesh = TriMesh::new(places, self.solids[number].triangles.to_vec());
                let name = self.things[self.sheets.len() + number].name.clone();
                meshes.push((name, with_origin(mesh)));
            }
        }
        meshes
    }
}
