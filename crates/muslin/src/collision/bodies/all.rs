//! All bodies of a world together, and what holds between any two of them.

use glam::{DVec3, Vec3, Vec4};

use super::body::{Body, Primitive};
use super::collider::{Collider, Pose, Shape};
use super::rigid::RigidEnd;
use super::sheet::Sheet;
use super::surface::{Between, PairSurface, Side};
use crate::Error;
use crate::collision::Substep;
use crate::collision::detect::bvh::{Aabb, Bvh, MovingBox};
use crate::collision::detect::pairs::Pair;
use crate::collision::points::Points;
use crate::mesh::Topology;
use crate::rigid::MovingBody;

/// Cloths, then colliders, then rigid bodies.
#[derive(Clone, Debug)]
pub(crate) struct Bodies {
    pub all: Vec<Body>,
    pub cloths: usize,
    /// Where colliders and rigid bodies are: a rigid body is a collider of finite mass.
    pub colliders: Vec<ColliderBody>,
    between: Vec<Between>,
}

/// Where a collider is.
#[derive(Clone, Debug)]
pub(crate) struct ColliderBody {
    /// The number of the rigid body that it stands for; its shape is then around the centre of mass.
    pub rigid: Option<usize>,
    /// Points of its shape before any motion.
    pub shape_points: Vec<Vec3>,
    /// At the start and at the end of the step.
    poses: [Pose; 2],
    /// The normals of a plane at the start and at the end of the step.
    pub plane_normals: Option<[DVec3; 2]>,
}

impl Bodies {
    /// Numbers the points of all bodies, cloth first; of their gaps a part is kept.
    pub fn new(
        sheets: &[Sheet<'_>],
        colliders: &[Collider],
        rigid: &[MovingBody],
        own: &[PairSurface],
        kept: f64,
    ) -> Result<(Self, Points), Error> {
        let mut all: Vec<Body> = Vec::new();
        let mut points = Points::default();
        for sheet in sheets {
            all.push(sheet.body(points.start.len() as u32));
            points.rest.extend_from_slice(&sheet.rest);
            points.start.resize(points.rest.len(), Vec4::ZERO);
        }
        let mut collider_bodies = Vec::new();
        colliders.iter().try_for_each(Collider::check)?;
        let bodies: Vec<Collider> = rigid.iter().map(|body| body.as_collider(false)).collect();
        let bodies = bodies.iter().enumerate().map(|(number, body)| (body, Some(number)));
        for (collider, rigid_number) in colliders.iter().map(|collider| (collider, None)).chain(bodies) {
            let first = points.start.len() as u32;
            all.push(collider_body(collider, first));
            let shape_points = collider.shape.points();
            points.start.extend(shape_points.iter().map(|p| p.extend(0.0)));
            let poses = [Pose::IDENTITY; 2];
            if let Some(number) = rigid_number {
                points.rigid.push(RigidEnd::new(&rigid[number], first));
            }
            let (rigid, plane_normals) = (rigid_number, None);
            collider_bodies.push(ColliderBody { rigid, shape_points, poses, plane_normals });
        }
        for pair in own {
            if let Some(name) = pair.between.iter().find(|name| !all.iter().any(|body| body.name == **name)) {
                return Err(Error::NoSuchBody { name: name.clone() });
            }
        }
        points.end = points.start.clone();
        points.changed = vec![false; points.start.len()];
        points.recovered = vec![Vec3::ZERO; points.start.len()];
        let mut between = table(&all, own);
        between.iter_mut().for_each(|between| between.gap *= kept);
        for body in &mut all {
            body.bvh = Bvh::new(&rest_boxes(body, &points));
        }
        let mut bodies = Self { all, cloths: sheets.len(), colliders: collider_bodies, between };
        bodies.update_reach();
        Ok((bodies, points))
    }

    /// Boxes reach half the largest gap to any body.
    fn update_reach(&mut self) {
        let count = self.all.len();
        for (a, body) in self.all.iter_mut().enumerate() {
            let row = &self.between[a * count..(a + 1) * count];
            body.reach = (0.5 * row.iter().map(|between| between.gap).fold(0.0, f64::max)) as f32;
        }
    }

    /// What holds between two bodies.
    pub fn between(&self, [a, b]: [u16; 2]) -> &Between {
        &self.between[usize::from(a) * self.all.len() + usize::from(b)]
    }

    /// The gap that a cloth keeps to itself, metres.
    pub fn own_gap(&self, cloth: usize) -> f32 {
        self.between([cloth as u16; 2]).gap as f32
    }

    /// The density of the lighter cloth of two bodies, kg/m².
    pub fn density(&self, [a, b]: [u16; 2]) -> f64 {
        self.all[usize::from(a)].density.min(self.all[usize::from(b)].density)
    }

    /// What two bodies are called.
    pub fn names(&self, pair: [u16; 2]) -> [String; 2] {
        pair.map(|body| self.all[usize::from(body)].name.clone())
    }

    /// The body that a point belongs to.
    pub fn body_of(&self, point: u32) -> usize {
        self.all.partition_point(|body| body.points.end <= point)
    }

    /// An error if two bodies are close to each other in too many places.
    pub fn refuse_crowd(&self, crowded: Option<[u16; 2]>, points: &Points) -> Result<(), Error> {
        let Some(pair) = crowded else { return Ok(()) };
        let bodies = pair.map(|body| &self.all[usize::from(body)]);
        let (edge, gap) = (mean_edge(bodies[0], points), self.between(pair).gap);
        let [first, second] = self.names(pair);
        Err(Error::Crowded { first, second, edge, gap })
    }

    /// Puts colliders where they start and end. Rigid bodies have been put into the points before.
    pub fn place(&mut self, substep: &Substep, points: &mut Points) {
        let Substep { times, origin, colliders } = *substep;
        for (number, (body, placed)) in self.all[self.cloths..].iter().zip(&mut self.colliders).enumerate() {
            let range = body.range();
            if let Some(number) = placed.rigid {
                placed.poses = points.rigid[number].poses();
                continue;
            }
            let ColliderBody { shape_points, poses, plane_normals, .. } = placed;
            let collider = &colliders[number];
            for (time, array) in times.into_iter().zip([&mut points.start, &mut points.end]) {
                let now = collider.points_at(shape_points, origin, time);
                for (to, p) in array[range.clone()].iter_mut().zip(now) {
                    *to = p.extend(0.0);
                }
            }
            *poses = times.map(|time| collider.pose_from(origin, time));
            if let Shape::Plane { normal, .. } = &collider.shape {
                *plane_normals = Some(poses.map(|pose| pose.rotation * normal.as_dvec3()));
            }
        }
    }

    /// How far the surface of a turning round collider moves along itself at a contact, beyond the
    /// motion of its points, metres; with the sign that [`Contact`](crate::collision::respond::contact::Contact) needs.
    pub fn surface_motion(&self, pair: &Pair, weights: [f64; 4], normal: DVec3, points: &Points) -> DVec3 {
        for (body, first, sign) in [(pair.bodies[0], true, -1.0), (pair.bodies[1], false, 1.0)] {
            let Some(number) = usize::from(body).checked_sub(self.cloths) else { continue };
            let radius = f64::from(self.all[usize::from(body)].side.radius);
            // For a rigid body the contact itself looks after that: it changes while contacts push.
            if radius == 0.0
                || self.colliders[number].rigid.is_some()
                || self.colliders[number].poses[0] == self.colliders[number].poses[1]
            {
                continue;
            }
            let (start, end) = (points.starts(pair.points), points.ends(pair.points));
            // The collider's own points are the first one or two, or the last two.
            let own = |i: &usize| {
                let p = pair.points[*i];
                self.all[usize::from(body)].points.contains(&p)
            };
            let side: f64 = if first { 1.0 } else { -1.0 };
            let at = |x: &[DVec3; 4]| -> DVec3 { (0..4).filter(own).map(|i| x[i] * weights[i] * side).sum() };
            let (middle, moved) = (at(&start), at(&end) - at(&start));
            let surface = middle - normal * (radius * side);
            let [from, to] = self.colliders[number].poses;
            return (to.apply(from.undo(surface)) - surface - moved) * sign;
        }
        DVec3::ZERO
    }

    /// How far the surface of a plane moves at a place during the step.
    pub fn plane_motion(&self, collider: usize, place: DVec3) -> DVec3 {
        let [from, to] = self.colliders[collider].poses;
        to.apply(from.undo(place)) - place
    }
}

/// The mean length of the edges of a body at rest, metres.
fn mean_edge(body: &Body, points: &Points) -> f64 {
    let place = |p: u32| points.rest.get(p as usize).map_or(points.start[p as usize], |p| p.extend(0.0));
    let length = |[a, b]: [u32; 2]| f64::from((place(a) - place(b)).truncate().length());
    let lengths = || body.primitives.iter().flat_map(Primitive::edges).map(length);
    lengths().sum::<f64>() / lengths().count().max(1) as f64
}

/// Boxes from which a body's tree is built: of the rest shape. A tree from where the body is in the first
/// step would give pairs in another order, and so other bits, in a run that is resumed.
fn rest_boxes(body: &Body, points: &Points) -> Vec<MovingBox> {
    let rest = |p: u32| points.rest.get(p as usize).map_or(points.start[p as usize], |p| p.extend(0.0));
    let around = |primitive: &Primitive| {
        let [a, b, c] = primitive.corners.map(rest);
        MovingBox::still(Aabb { min: a.min(b).min(c), max: a.max(b).max(c) })
    };
    body.primitives.iter().map(around).collect()
}

fn collider_body(collider: &Collider, first: u32) -> Body {
    let surface = collider.surface;
    let side = Side { surface, offset: surface.thickness, radius: collider.shape.radius() };
    let count = collider.shape.points().len() as u32;
    match &collider.shape {
        Shape::Plane { .. } => Body::empty(&collider.name, first..first + count, side),
        Shape::Sphere { .. } | Shape::Capsule { .. } => {
            Body::round(&collider.name, first..first + count, side)
        }
        Shape::Mesh(mesh) => {
            let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
            let (name, vertices) = (&collider.name, mesh.positions.len());
            let mut body = Body::of_triangles(name, first, vertices, &mesh.triangles, &topology, false, side);
            body.point_primitives = topology.vertex_triangles;
            body
        }
    }
}

fn table(bodies: &[Body], own: &[PairSurface]) -> Vec<Between> {
    let mut values = Vec::with_capacity(bodies.len() * bodies.len());
    for a in bodies {
        for b in bodies {
            let is_own = |pair: &&PairSurface| {
                let [x, y] = &pair.between;
                (*x == a.name && *y == b.name) || (*x == b.name && *y == a.name)
            };
            values.push(Between::new(&a.side, &b.side, own.iter().find(is_own)));
        }
    }
    values
}
