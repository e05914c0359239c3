//! Rigid bodies in impact zones.
//!
//! Input: a zone, its bodies and its rigid motion. Output: the bodies moved with it, and momenta such that the
//! zone has as much as before. A finite turn of many points has not quite the momentum that it was found from, and
//! positions of cloth are rounded: the heaviest body takes up the difference, where nothing in the zone is held.

use glam::{DVec3, Vec4};

use super::impact_zone::{ImpactZones, RigidMotion};
use crate::collision::bodies::rigid::{Place, RigidEnd};
use crate::collision::points::Points;

impl ImpactZones {
    /// Moves the bodies of a zone whose cloth has been moved.
    pub(crate) fn move_bodies(
        &self,
        zone: &[u32],
        bodies: &[usize],
        motion: &RigidMotion,
        points: &mut Points,
    ) {
        for &body in bodies {
            let Place { center, rotation } = points.rigid[body].start;
            let rotation = (motion.rotation * rotation).normalize();
            points.rigid[body].put(Place { center: motion.apply(center), rotation });
        }
        let inverse_mass = |p: u32| points.end[p as usize].w;
        let held = zone.iter().any(|&p| inverse_mass(p) == 0.0 && points.rigid_of(p).is_none());
        let heaviest =
            bodies.iter().copied().reduce(|a, b| match points.rigid[b].mass > points.rigid[a].mass {
                true => b,
                false => a,
            });
        let (false, Some(heaviest)) = (held, heaviest) else { return };
        let cloth: Vec<u32> = zone.iter().copied().filter(|&p| inverse_mass(p) > 0.0).collect();
        let reference = points.rigid[heaviest].reference;
        let total = |ends: &[Vec4], rigid: &[RigidEnd]| {
            let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
            for &p in &cloth {
                let start = points.start[p as usize];
                let moved = (ends[p as usize].truncate().as_dvec3() - start.truncate().as_dvec3())
                    / f64::from(inverse_mass(p));
                linear += moved;
                angular += (start.truncate().as_dvec3() - reference).cross(moved);
            }
            for &body in bodies {
                linear += rigid[body].momentum;
                angular += rigid[body].spin_about(reference);
            }
            (linear, angular)
        };
        let (before, after) = (total(&self.free_end, &self.free_rigid), total(&points.end, &points.rigid));
        let body = &mut points.rigid[heaviest];
        body.momentum += before.0 - after.0;
        body.spin += before.1 - after.1;
    }
}
