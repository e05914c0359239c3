//! What holds cloth under a rigid body.
//!
//! Input: contacts of cloth and rigid bodies that push, and cloth that cannot give way: tethers and threads that are taut
//! (`carrier`), and colliders and pins that it lies on. Output: bodies moved off that cloth, and their load spread over it.
//!
//! A contact alone would move light cloth far and a heavy body hardly at all, and only as many passes as the body
//! is heavier than the cloth in contact would carry it: until then it stretches cloth, or presses it into the
//! floor. So a particle goes only where it can when a body pushes it: not further away from a pin than its tether is long, not
//! further from its neighbours than its threads (or a little less than it starts, if that is further), and not into
//! what it lies on. What it cannot take, the pin or the collider takes, and the body alone moves. It is stopped in that way, not
//! thrown: `stop` sees to that. Cloth without pins that lies on nothing is free, and no momentum is lost there.
//!
//! A particle that has a little freedom left moves that way, and not along the push. It was scaled down along the push at
//! first: three per cent of the freedom of a particle are still a thousand times what a heavy body gives way, and it fell
//! through slack cloth, which it drew out to 13 m.

use glam::DVec3;

use super::contact::Contact;
use super::contacts::Contacts;
use super::coupling::Cloths;
use crate::collision::bodies::Bodies;
use crate::collision::points::Points;
use crate::execution::Execution;

/// How often a direction is projected: tethers to the two sides of a nearly level cloth are nearly opposite, and
/// what both of them stop is found slowly.
const PROJECTIONS: usize = 256;

/// Most turns of edges, tethers and contacts under a load.
const MOST_TURNS: usize = 60;

/// Edges may miss their bounds by this fraction before there is another turn.
const GOOD: f64 = 0.005;

/// Cloth whose edges are strained by more than this under a body is overloaded.
const OVERLOADED: f64 = 0.2;

/// A body that contacts have moved by more than this many times what anything moves in the step has run away.
const RUNAWAY: f64 = 4.0;

/// Turns in which cloth may give way before its own taut edges, and not only its tethers, hold a body: until then cloth that is
/// only slow to follow has come along. With 4, a hanging cloth of radial matching took 18 % of the speed of a ball that is a
/// hundred times heavier and only had to push it aside; with 10, 0.7 %, which is what the cloth weighs.
const PATIENCE: usize = 20;

/// A particle that is left with less than this of a push counts as held: its neighbours would hold it.
const LEAST_FREEDOM: f64 = 0.25;

/// The cloths whose particles carry rigid bodies.
fn loaded_cloths(bodies: &Bodies, contacts: &[Contact]) -> Vec<usize> {
    let loaded = contacts.iter().filter(|contact| contact.is_loaded());
    let mut cloths: Vec<usize> =
        loaded.flat_map(Contact::cloth_points).map(|point| bodies.body_of(point)).collect();
    cloths.sort_unstable();
    cloths.dedup();
    cloths
}

/// Holds the particles of cloths that carry rigid bodies at the ends of their tethers.
pub(crate) fn hold_tethers(contacts: &Contacts, bodies: &Bodies, points: &mut Points) {
    for cloth in loaded_cloths(bodies, &contacts.all) {
        if let Some(carrier) = &contacts.carriers[cloth] {
            carrier.hold_tethers(&bodies.all[cloth], points);
        }
    }
}

/// Moves rigid bodies off cloth that cannot give way, and spreads their load over the cloth.
pub(crate) fn carry_bodies(
    contacts: &mut Contacts,
    bodies: &Bodies,
    points: &mut Points,
    execution: Execution,
) {
    for turn in 0..MOST_TURNS {
        let mut settled = true;
        for cloth in loaded_cloths(bodies, &contacts.all) {
            let (body, Some(carrier)) = (&bodies.all[cloth], &contacts.carriers[cloth]) else { continue };
            if !carrier.holds(GOOD, body, points) {
                carrier.hold_edges(body, points);
                carrier.hold_tethers(body, points);
                settled = false;
            }
        }
        if settled {
            return;
        }
        contacts.solve(points, execution);
        support_bodies(contacts, bodies, points, turn >= PATIENCE);
    }
}

/// Whether cloth under a rigid body is strained by more than it should ever be.
pub(crate) fn is_overloaded(contacts: &Contacts, bodies: &Bodies, points: &Points) -> bool {
    loaded_cloths(bodies, &contacts.all).into_iter().any(|cloth| {
        let carrier = contacts.carriers[cloth].as_ref();
        carrier.is_some_and(|carrier| carrier.strain(&bodies.all[cloth], points) > OVERLOADED)
    })
}

/// A cloth and a body that its contacts have moved away beyond all reason, by name. At its start a body touched nothing, so
/// back to there, and as far as anything moves towards it, is as far as it ever has to go. Contacts are solved as if they
/// were straight: a body that they turn far in one step, between threads that do not give way, can be pushed in
/// the wrong direction, and then by ever more. Shorter steps turn it less.
pub(crate) fn runaway(
    contacts: &Contacts,
    bodies: &Bodies,
    points: &Points,
    cloths: &dyn Cloths,
    dt: f64,
) -> Option<[String; 2]> {
    // The motion of pins and colliders. Rarely asked for.
    let of_held = || {
        let held = |p: &usize| points.end[*p].w == 0.0 && points.rigid_of(*p as u32).is_none();
        let way = |p: usize| f64::from((points.end[p] - points.start[p]).truncate().length());
        (0..points.end.len()).filter(held).map(way).fold(0.0, f64::max)
    };
    for contact in contacts.all.iter().filter(|contact| contact.is_loaded()) {
        let (Some(hold), Some(p)) = (contact.hold(points), contact.cloth_points().next()) else {
            continue;
        };
        let cloth = bodies.body_of(p);
        let Some(carrier) = &contacts.carriers[cloth] else { continue };
        let first = bodies.all[cloth].points.start;
        let own = contact.cloth_points().map(|p| cloths.velocity(cloth, (p - first) as usize).length());
        let [moved, free] = hold.side.ways(points);
        let reach = carrier.mean_edge() + RUNAWAY * (free + own.fold(0.0, f64::max) * dt);
        if moved > reach && moved > reach + RUNAWAY * of_held() {
            let body = bodies.all[bodies.body_of(hold.side.first_point(points))].name.clone();
            return Some([bodies.all[cloth].name.clone(), body]);
        }
    }
    None
}

/// Moves rigid bodies off cloth that cannot give way: that is at the end of tethers or (`edges`) of its threads.
pub(crate) fn support_bodies(contacts: &mut Contacts, bodies: &Bodies, points: &mut Points, edges: bool) {
    let Contacts { all, carriers, passes, .. } = contacts;
    let loaded = all.iter().filter(|contact| contact.is_loaded());
    let mut carrying: Vec<u32> = loaded.flat_map(|contact| contact.cloth_points()).collect();
    if carrying.is_empty() {
        return;
    }
    carrying.sort_unstable();
    carrying.dedup();
    let is_carrying = |p: u32| carrying.binary_search(&p).is_ok();
    let mut blocked: Vec<(u32, DVec3)> =
        all.iter().flat_map(|c| c.blocked(points)).filter(|(p, _)| is_carrying(*p)).collect();
    for cloth in loaded_cloths(bodies, all) {
        let (body, Some(carrier)) = (&bodies.all[cloth], &carriers[cloth]) else { continue };
        for &p in carrying.iter().filter(|p| body.points.contains(p)) {
            carrier.blocked(p, body, points, edges, &mut blocked);
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
    all.iter_mut().for_each(|contact| contact.set_freedom(points, freedom));
    for _ in 0..*passes {
        for contact in all.iter_mut().filter(|contact| contact.is_loaded()) {
            contact.solve(points);
        }
    }
    points.write_rigid();
}

/// What is left of a motion that goes nowhere it cannot; nothing if that is little.
fn free_part(direction: DVec3, blocked: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
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
    if free.length_squared() < LEAST_FREEDOM { DVec3::ZERO } else { free }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tether_stops_what_goes_along_it_and_two_what_goes_between_them() {
        let along = |angle: f64| DVec3::new(angle.cos(), -angle.sin(), 0.0);
        let part = |direction: DVec3, blocked: &[DVec3]| {
            free_part(direction, blocked.iter().copied()).length_squared()
        };
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
