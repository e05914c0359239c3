//! Cloth that is held stops rigid bodies, and does not throw them.
//!
//! Input: contacts that have pushed rigid bodies, where everything ends. Output: momenta of the bodies.
//!
//! Contacts move a body as far as it takes for nothing to pass through anything and for no thread to be longer than it can
//! be. Of these pushes only those stop the body that take away what it moves towards the cloth. The rest makes up for
//! cloth that was drawn out in earlier steps, or lies in the way where a solver has put it: divided by a short step that
//! would be a throw (a ball of 1,000 times the cloth's mass left at 166 m/s). Where pins or colliders hold the cloth they take
//! it up; so after a contact a body moves away from the cloth at no more than the highest of
//!
//! - what it moved at before (it was leaving anyway),
//! - the speed of the pins (a hammock that is lifted lifts what lies in it),
//! - the speed after an inelastic impact of the cloth's particles there, with the velocity that they came with.
//!
//! Each of these is a speed that something has, and no multiple of it: impacts so bounded take energy and give none.
//! Elastic cloth (of a measured stiffness) has more to give: of it only the pushes that its threads could not take are treated so.
//! Cloth that nothing holds keeps all its pushes, because it has them from the body: momentum is kept there.

use glam::DVec3;

use super::contact::Hold;
use super::contacts::Contacts;
use super::coupling::Cloths;
use super::rigid_side::RigidSide;
use crate::collision::bodies::Bodies;
use crate::collision::points::Points;

/// How often contacts are gone through: what one takes back may be what another needs.
const PASSES: usize = 16;

/// Before and after friction is taken back.
const ROUNDS: usize = 2;

/// Takes out of the momenta of bodies what would throw them, after a substep of `dt` seconds.
pub(crate) fn without_throwing(
    contacts: &Contacts,
    bodies: &Bodies,
    points: &mut Points,
    cloths: &dyn Cloths,
    dt: f64,
) {
    let Contacts { all, carriers, .. } = contacts;
    let speed = |point: u32| match bodies.body_of(point) {
        cloth if cloth < bodies.cloths => {
            cloths.velocity(cloth, (point - bodies.all[cloth].points.start) as usize)
        }
        _ => DVec3::ZERO,
    };
    let mut holds = Vec::new();
    for (number, contact) in all.iter().enumerate() {
        let Some(hold) = contact.hold(points) else { continue };
        let cloth = contact.cloth_points().map(|point| bodies.body_of(point)).next();
        let carrier = cloth.and_then(|cloth| Some((cloth, carriers.get(cloth)?.as_ref()?)));
        let pins =
            carrier.map(|(cloth, carrier)| carrier.pins_along(hold.outward, &bodies.all[cloth], points));
        // Elastic cloth is a trampoline: what it pushes by its own stiffness is a force.
        let held = if carrier.is_some_and(|(_, carrier)| !carrier.is_elastic) { 1.0 } else { hold.held };
        if held > 0.0 {
            let allowed = allowed(&hold, pins.unwrap_or(0.0), speed, dt, points);
            holds.push((number, allowed, hold.push * held, 0.0));
        }
    }
    for round in 0..ROUNDS {
        for _ in 0..PASSES {
            for (number, allowed, most, taken) in &mut holds {
                let Some(hold) = all[*number].hold(points) else { continue };
                let leaving = hold.side.motion_along(hold.outward, false, points);
                let more = (leaving - *allowed) / hold.side.mobility_along(hold.outward, points);
                let back = (*taken + more).clamp(0.0, *most);
                if back != *taken {
                    hold.side.take_back(hold.outward * (back - *taken), points);
                    *taken = back;
                }
            }
        }
        for (number, _, _, taken) in holds.iter().filter(|_| round == 0) {
            // Friction belongs to its push.
            let Some(hold) = all[*number].hold(points) else { continue };
            hold.side.take_drag_back(hold.drag * (*taken / hold.push), points);
        }
    }
}
/// How far a body may move away from cloth in the step, metres.
fn allowed(hold: &Hold, pins: f64, speed: impl Fn(u32) -> DVec3, dt: f64, points: &Points) -> f64 {
    let free = hold.side.motion_along(hold.outward, true, points);
    let cloth: DVec3 =
        (0..4).filter(|&i| hold.weights[i] > 0.0).map(|i| speed(hold.points[i]) * hold.weights[i]).sum();
    let approach = hold.outward.dot(cloth) * dt - free;
    let of_body = hold.side.mobility_along(hold.outward, points);
    let struck = free + approach.max(0.0) * of_body / (of_body + hold.of_cloth);
    pins.max(struck)
}

impl RigidSide {
    /// The part of a push along the normal that cloth cannot take, from 0 to 1.
    pub fn held(&self, weights: [f64; 4]) -> f64 {
        (0..4).map(|i| weights[i].abs() * (1.0 - self.free[i].length_squared())).sum()
    }

    /// From the contact towards the body, of length one.
    pub fn outward(&self, normal: DVec3) -> DVec3 {
        normal * self.sign
    }

    /// The motion of the body's surface along a direction in the step, metres, if nothing had touched it (`free`) or as it
    /// is now.
    pub fn motion_along(&self, outward: DVec3, free: bool, points: &Points) -> f64 {
        let body = &points.rigid[self.body];
        let arm = body.end.apply(self.surface) - body.end.center;
        let (momentum, spin) = body.momentum_about_center(free);
        outward.dot(momentum / body.mass + (body.inverse_inertia * spin).cross(arm))
    }

    /// The motion of the body's surface along a direction per push along it, 1/kg.
    pub fn mobility_along(&self, outward: DVec3, points: &Points) -> f64 {
        let body = &points.rigid[self.body];
        outward.dot(body.mobility(body.end.apply(self.surface) - body.end.center) * outward)
    }

    /// How far the body's centre moves in the step, and how far it would have moved, metres.
    pub fn ways(&self, points: &Points) -> [f64; 2] {
        let body = &points.rigid[self.body];
        let (momentum, _) = body.momentum_about_center(true);
        [body.end.center.distance(body.start.center), momentum.length() / body.mass]
    }

    /// The number of the first of the body's points.
    pub fn first_point(&self, points: &Points) -> u32 {
        points.rigid[self.body].points.start
    }

    /// Takes a part of a drag out of the body's momentum.
    pub fn take_drag_back(&self, drag: DVec3, points: &mut Points) {
        points.rigid[self.body].book(drag * -self.sign, self.arm);
    }

    /// Takes a push along a direction out of the body's momentum.
    pub fn take_back(&self, push: DVec3, points: &mut Points) {
        let body = &mut points.rigid[self.body];
        body.book(-push, body.end.apply(self.surface) - body.reference);
    }
}
