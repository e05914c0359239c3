//! Planes: endless, so they are in no box hierarchy, and every condition on them is linear.
//!
//! A plane is a half space. A point that is above it at the end of a step has not gone through it, so
//! nothing continuous is needed.

use std::ops::Range;

use glam::DVec3;

use super::narrow::{Impact, recovered};
use crate::collision::bodies::Bodies;
use crate::collision::bodies::surface::Between;
use crate::collision::points::Points;
use crate::collision::respond::contact::{Contact, Features};

/// A point that ends below a plane, or too close to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneImpact {
    pub point: u32,
    /// The cloth and the plane.
    pub bodies: [u16; 2],
}

/// A plane over a step.
pub(crate) struct Plane<'a> {
    pub bodies: &'a Bodies,
    /// Number of the collider.
    collider: usize,
    /// Origin and normal at the start and at the end.
    start: (DVec3, DVec3),
    pub end: (DVec3, DVec3),
}

/// A particle of cloth, and what holds between it and a plane.
#[derive(Clone, Copy)]
pub(crate) struct Particle<'a> {
    pub point: u32,
    /// The cloth and the plane.
    pub bodies: [u16; 2],
    pub between: &'a Between,
}

impl<'a> Plane<'a> {
    /// All of them.
    pub fn all(bodies: &'a Bodies, points: &'a Points) -> impl Iterator<Item = Self> + use<'a> {
        let colliders = bodies.all[bodies.cloths..].iter().zip(&bodies.colliders).enumerate();
        colliders.filter_map(move |(collider, (body, moving))| {
            let [start, end] = moving.plane_normals?;
            let origin = body.points.start as usize;
            let at = |x: &[glam::Vec4]| x[origin].truncate().as_dvec3();
            Some(Self { bodies, collider, start: (at(&points.start), start), end: (at(&points.end), end) })
        })
    }

    /// All particles of cloth.
    pub fn particles(&self) -> impl Iterator<Item = Particle<'a>> + use<'a> {
        let plane = (self.bodies.cloths + self.collider) as u16;
        let bodies = self.bodies;
        bodies.all[..bodies.cloths].iter().enumerate().flat_map(move |(cloth, body)| {
            let pair = [cloth as u16, plane];
            let between = bodies.between(pair);
            body.points.clone().map(move |point| Particle { point, bodies: pair, between })
        })
    }

    /// Clearance of a particle at the start and at the end, metres.
    pub fn clearance(&self, point: u32, points: &Points) -> [f64; 2] {
        let above =
            |(origin, normal): (DVec3, DVec3), x: glam::Vec4| normal.dot(x.truncate().as_dvec3() - origin);
        [above(self.start, points.start[point as usize]), above(self.end, points.end[point as usize])]
    }

    /// How far the plane moves under a particle, metres.
    pub fn motion(&self, point: u32, points: &Points) -> DVec3 {
        let x = points.start[point as usize].truncate().as_dvec3();
        let foot = x - self.start.1 * self.start.1.dot(x - self.start.0);
        self.bodies.plane_motion(self.collider, foot)
    }

    fn contact(&self, particle: &Particle<'_>, wanted: f64, points: &Points) -> Option<Contact> {
        let Particle { point, bodies, between } = *particle;
        let (origin, normal) = self.end;
        let motion = self.motion(point, points);
        let [start, _] = self.clearance(point, points);
        let distance = [normal.dot(origin) + wanted, wanted - start];
        let features = Features { points: [point; 4], bodies };
        Contact::new(features, [1.0, 0.0, 0.0, 0.0], normal, distance, between, motion, points)
    }
}

/// Contacts of all particles that would end closer to a plane than they should.
pub(crate) fn contacts(bodies: &Bodies, points: &Points, dt: f64, contacts: &mut Vec<Contact>) {
    for plane in Plane::all(bodies, points) {
        for particle in plane.particles() {
            let [start, end] = plane.clearance(particle.point, points);
            let gap = particle.between.gap;
            if start.min(end) < gap {
                let wanted = recovered(bodies, particle.bodies, start, gap, dt);
                contacts.extend(plane.contact(&particle, wanted, points));
            }
        }
    }
}

/// Particles that end below a plane although they did not start there.
pub(crate) fn impacts(bodies: &Bodies, points: &Points, impacts: &mut Vec<Impact>) {
    for plane in Plane::all(bodies, points) {
        for Particle { point, bodies, between } in plane.particles() {
            let [start, end] = plane.clearance(point, points);
            if start > 0.0 && end < between.least_clearance(start) {
                impacts.push(Impact::Plane(PlaneImpact { point, bodies }));
            }
        }
    }
}

impl PlaneImpact {
    /// A contact that keeps the particle above the plane.
    pub fn contact(&self, bodies: &Bodies, points: &Points) -> Option<Contact> {
        let number = usize::from(self.bodies[1]) - bodies.cloths;
        let plane = Plane::all(bodies, points).find(|plane| plane.collider == number)?;
        let between = bodies.between(self.bodies);
        let [start, _] = plane.clearance(self.point, points);
        let wanted = between.clearance_after_impact(start, between.gap);
        let particle = Particle { point: self.point, bodies: self.bodies, between };
        plane.contact(&particle, wanted, points)
    }

    /// The particle and the points that carry the plane.
    pub fn points(&self, bodies: &Bodies) -> (u32, Range<u32>) {
        (self.point, bodies.all[usize::from(self.bodies[1])].points.clone())
    }
}
