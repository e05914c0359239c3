//! What holds cloth under a rigid body.
//!
//! Input: contacts of cloth and rigid bodies that push, and cloth that cannot give way: tethers that are taut, and
//! colliders and pins that it lies on. Output: bodies moved off that cloth.
//!
//! A contact alone would move light cloth far and a heavy body hardly at all, and only as many passes as the body
//! is heavier than the cloth in contact would carry it: until then it stretches cloth, or presses it into the
//! floor. So a particle counts as free only as far as it can go where a body pushes it: not further away from a
//! pin than its tether is long (or a little less than it starts, if that is further), and not into what it lies on.
//! What it cannot take, the pin or the collider takes, and the body alone moves. It is stopped in that way, not thrown:
//! `RigidSide::calm` sees to that. Cloth without pins that lies on nothing is free, and no momentum is lost there.

use glam::{DVec3, Vec4};

use super::Collisions;
use super::bodies::Bodies;
use super::body::Body;
use super::contact::Contact;
use super::pairs::Points;
use crate::Simulation;
use crate::cloth::tethers::Tethers;

/// How many groups of pins a particle is tethered to here. A load in the middle of a cloth is carried to all sides,
/// while for the solver the nearest pins are enough.
const GROUPS: usize = 8;

/// How often a direction is projected: tethers to the two sides of a nearly level cloth are nearly opposite, and
/// what both of them stop is found slowly.
const PROJECTIONS: usize = 256;

/// How much of what a tether is stretched a step takes back. With a tenth, a ball of 100 times the cloth's mass pulled
/// it out by up to 2.7 m; with all of it, cloth of a soft solver snapped back and threw a light ball up by 2.5 m.
const RECOVERY: f64 = 0.3;

/// A tether is taut at this part of its length.
const TAUT: f64 = 1.0 - 1e-5;

/// Tethers for cloths that have some, if there are rigid bodies.
pub(super) fn tethers(cloths: &[(String, Simulation)], bodies: usize) -> Vec<Option<Tethers>> {
    let of_cloth = |(_, simulation): &(String, Simulation)| {
        let cloth = simulation.cloth();
        let pinned: Vec<u32> = cloth.pins.iter().map(|pin| pin.vertex).collect();
        let wanted = bodies > 0 && cloth.tethers.is_some();
        wanted.then(|| Tethers::new(&cloth.rest, &cloth.mesh.triangles, &cloth.topology, &pinned, GROUPS))
    };
    cloths.iter().map(of_cloth).collect()
}

/// The cloths whose particles carry rigid bodies.
fn loaded_cloths(bodies: &Bodies, contacts: &[Contact]) -> Vec<usize> {
    let loaded = contacts.iter().filter(|contact| contact.is_loaded());
    let mut cloths: Vec<usize> =
        loaded.flat_map(Contact::cloth_points).map(|point| bodies.body_of(point)).collect();
    cloths.sort_unstable();
    cloths.dedup();
    cloths
}

/// For each tether of a particle the way from the pin at the end of the step, and the longest that it may be: as
/// long as the tether, or a little less than at the start if that is longer.
fn reaches(p: u32, body: &Body, tethers: &Tethers, points: &Points) -> impl Iterator<Item = (DVec3, f64)> {
    let first = body.points.start;
    tethers.of((p - first) as usize).map(move |(pin, length)| {
        let from_pin = |x: &[Vec4]| (x[p as usize] - x[(first + pin) as usize]).truncate().as_dvec3();
        let at_start = from_pin(&points.start).length();
        let length = f64::from(length);
        (from_pin(&points.end), length + (1.0 - RECOVERY) * (at_start - length).max(0.0))
    })
}

impl Collisions {
    /// Holds the particles of cloths that carry rigid bodies at the ends of their tethers.
    pub(super) fn hold_tethers(&mut self) {
        let Self { points, bodies, .. } = self;
        for cloth in loaded_cloths(bodies, &self.contacts) {
            let (body, Some(tethers)) = (&bodies.all[cloth], &self.tethers[cloth]) else { continue };
            for p in body.points.clone() {
                for tether in 0..tethers.count_of((p - body.points.start) as usize) {
                    // Anew for each: the last one may have moved the particle.
                    let Some((away, longest)) = reaches(p, body, tethers, points).nth(tether) else { break };
                    let back = away * (longest / away.length() - 1.0);
                    let end = &mut points.end[p as usize];
                    if end.w > 0.0 && away.length_squared() > longest * longest {
                        *end = (end.truncate().as_dvec3() + back).as_vec3().extend(end.w);
                        points.changed[p as usize] = true;
                    }
                }
            }
        }
    }

    /// Moves rigid bodies off cloth that cannot give way.
    pub(super) fn support_bodies(&mut self) {
        let Self { contacts, points, .. } = self;
        let loaded = contacts.iter().filter(|contact| contact.is_loaded());
        let mut carrying: Vec<u32> = loaded.flat_map(|contact| contact.cloth_points()).collect();
        if carrying.is_empty() {
            return;
        }
        carrying.sort_unstable();
        carrying.dedup();
        let is_carrying = |p: u32| carrying.binary_search(&p).is_ok();
        let mut blocked: Vec<(u32, DVec3)> =
            contacts.iter().flat_map(|c| c.blocked(points)).filter(|(p, _)| is_carrying(*p)).collect();
        for cloth in loaded_cloths(&self.bodies, contacts) {
            let (body, Some(tethers)) = (&self.bodies.all[cloth], &self.tethers[cloth]) else { continue };
            for &p in carrying.iter().filter(|p| body.points.contains(p)) {
                for (away, longest) in reaches(p, body, tethers, points) {
                    let distance = away.length();
                    if distance > TAUT * longest {
                        blocked.push((p, away / distance));
                    }
                }
            }
        }
        if blocked.is_empty() {
            return;
        }
        blocked.sort_by_key(|(p, _)| *p);
        let freedom = |point: u32, direction: DVec3| {
            let from = blocked.partition_point(|(p, _)| *p < point);
            let own = blocked[from..].iter().take_while(|(p, _)| *p == point).map(|(_, blocked)| *blocked);
            free_part(direction, own)
        };
        contacts.iter_mut().for_each(|contact| contact.set_freedom(points, freedom));
        for _ in 0..self.settings.passes {
            for contact in contacts.iter_mut().filter(|contact| contact.is_loaded()) {
                contact.solve(points);
            }
        }
        points.write_rigid();
    }
}

/// How much of a motion is left of what goes nowhere it cannot, from 0 to 1.
fn free_part(direction: DVec3, blocked: impl Iterator<Item = DVec3> + Clone) -> f64 {
    let mut free = direction;
    for _ in 0..PROJECTIONS {
        let before = free;
        for blocked in blocked.clone() {
            free -= blocked * blocked.dot(free).max(0.0);
        }
        if free == before {
            break;
        }
    }
    free.length_squared().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tether_stops_what_goes_along_it_and_two_what_goes_between_them() {
        let along = |angle: f64| DVec3::new(angle.cos(), -angle.sin(), 0.0);
        let part = |direction: DVec3, blocked: &[DVec3]| free_part(direction, blocked.iter().copied());
        assert_eq!(part(DVec3::X, &[]), 1.0);
        assert!(part(DVec3::X, &[DVec3::X]) < 1e-12);
        assert_eq!(part(DVec3::X, &[DVec3::NEG_X]), 1.0);
        assert_eq!(part(DVec3::NEG_Y, &[DVec3::X]), 1.0);
        let both = [along(0.3), along(std::f64::consts::PI - 0.3)];
        assert!(part(DVec3::NEG_Y, &both) < 1e-2, "{}", part(DVec3::NEG_Y, &both));
        assert!(part(DVec3::NEG_Y, &both[..1]) > 0.8);
        assert_eq!(part(DVec3::Y, &both), 1.0);
    }
}
