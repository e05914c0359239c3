//! Hands: what they hold, and how that follows them.
//!
//! Cloth is held softly, by a spring from a point of a triangle. Its stiffness is 2000 N/m for each kilogram of the cloth: all of it
//! hangs 5 mm below the hand, and it follows within a tenth of a second; the library keeps any stiffness stable. A vertex that is
//! pinned, and cloth that knows no holds (multilevel cloth, cloth on a GPU), is led as a pin. Colliders go exactly where they are
//! led, bodies get the velocity that brings them there. Whatever is led goes no faster than a hand does, so that
//! a pointer that jumps tears nothing.

use glam::{DQuat, DVec3, Quat, Vec3};
use muslin::collision::ColliderMotion;
use muslin::{BodyId, ClothId, ColliderId, Error, Hold, HoldId};

use super::super::{HandId, HeldThing, ThingKind};
use super::Stage;
use super::pick::Grip;
use crate::draw::Ray;

/// N/m per kg.
const STIFFNESS: f64 = 2000.0;

/// How fast what is held firmly is led, m/s, and cloth that is held softly.
const FIRM_SPEED: f64 = 4.0;
const SOFT_SPEED: f64 = 12.0;

/// How fast what is held is turned, rad/s.
const TURN_SPEED: f64 = 6.0;

/// A hand.
#[derive(Debug)]
pub(super) struct Hand {
    id: HandId,
    held: Held,
    /// Where the pointer is, in the world.
    place: DVec3,
    /// Where what it holds is led to by now.
    led: DVec3,
    /// Where the camera looks.
    forward: Vec3,
    /// What is still to be turned.
    turn: DQuat,
}

#[derive(Clone, Copy, Debug)]
enum Held {
    Hold { cloth: ClothId, hold: HoldId, grip: Grip },
    Pin { cloth: ClothId, vertex: u32, was_pinned: bool },
    Collider { id: ColliderId, arm: DVec3 },
    Body { id: BodyId, arm: DVec3 },
}

impl Stage {
    /// Takes hold of what a ray meets first.
    pub fn grab(&mut self, id: HandId, ray: &Ray, forward: Vec3) -> Result<(), String> {
        self.release(id)?;
        self.read_back();
        let Some((picked, grip)) = self.pick_closely(ray) else { return Ok(()) };
        let place = self.origin + picked.place.as_dvec3();
        let held = match (picked.kind, grip) {
            (ThingKind::Cloth, Some(grip)) => self.take_cloth(picked.number, grip, place)?,
            (ThingKind::Collider, _) => self.take_collider(picked.number, place)?,
            (ThingKind::Body, _) => {
                let id = self.world.body_ids()[picked.number];
                let arm = self.world.bodies()[picked.number].placement().inverse().transform_point3(place);
                Held::Body { id, arm }
            }
            (ThingKind::Cloth, None) => return Ok(()),
        };
        let forward = forward.normalize_or(ray.direction.normalize_or(Vec3::NEG_Z));
        self.hands.push(Hand { id, held, place, led: place, forward, turn: DQuat::IDENTITY });
        Ok(())
    }

    fn take_cloth(&mut self, number: usize, grip: Grip, place: DVec3) -> Result<Held, String> {
        let cloth = self.world.cloth_ids()[number];
        let simulation = self.world.cloth_mut(cloth).map_err(words)?;
        let vertex = grip.nearest();
        if simulation.is_pinned(vertex) {
            return Ok(Held::Pin { cloth, vertex, was_pinned: true });
        }
        let stiffness = (STIFFNESS * simulation.cloth().total_mass()).clamp(1.0, 1e6) as f32;
        let Grip { vertices, weights } = grip;
        match simulation.hold(Hold { vertices, weights, place, stiffness }) {
            Ok(hold) => Ok(Held::Hold { cloth, hold, grip }),
            Err(Error::Unsupported { .. }) => {
                simulation.pin(vertex).map_err(words)?;
                self.lay_out_anew();
                Ok(Held::Pin { cloth, vertex, was_pinned: false })
            }
            Err(error) => Err(words(error)),
        }
    }

    fn take_collider(&mut self, number: usize, place: DVec3) -> Result<Held, String> {
        let collider = &self.world.colliders()[number];
        if matches!(collider.motion, ColliderMotion::Sequence { .. }) {
            return Err(format!(
                "{} moves vertex by vertex as its files say, and cannot be dragged",
                collider.name
            ));
        }
        let id = self.world.collider_ids()[number];
        let pose = self.world.collider_pose(id).map_err(words)?;
        let arm = pose.rotation.inverse() * (place - self.solids[number].offset - pose.translation);
        Ok(Held::Collider { id, arm })
    }

    /// Drags what a hand holds to where a ray meets the hand's plane.
    pub fn drag(&mut self, id: HandId, ray: &Ray, away: f32) {
        let origin = self.origin;
        let Some(hand) = self.hands.iter_mut().find(|hand| hand.id == id) else { return };
        let through = (hand.place - origin).as_vec3() + away * hand.forward;
        let across = ray.direction.dot(hand.forward);
        let far = (through - ray.origin).dot(hand.forward) / across;
        let place = ray.origin + far * ray.direction;
        // Rays that lead away from the plane, or along it, meet it nowhere.
        if across > 0.0
            && far > 0.0
            && place.is_finite()
            && place.length() < 1e4 * self.bounds.radius.max(1.0)
        {
            hand.place = origin + place.as_dvec3();
        }
    }

    /// Turns a collider or body that a hand holds.
    pub fn turn(&mut self, id: HandId, axis: Vec3, angle: f32) {
        let Some(hand) = self.hands.iter_mut().find(|hand| hand.id == id) else { return };
        if let (Some(axis), true) = (axis.try_normalize(), angle.is_finite()) {
            hand.turn = Quat::from_axis_angle(axis, angle).as_dquat() * hand.turn;
        }
    }

    /// Lets go; cloth and bodies keep the velocity that they have.
    pub fn release(&mut self, id: HandId) -> Result<(), String> {
        let Some(number) = self.hands.iter().position(|hand| hand.id == id) else { return Ok(()) };
        let hand = self.hands.remove(number);
        self.let_go(hand.held).map_err(words)
    }

    fn let_go(&mut self, held: Held) -> Result<(), Error> {
        match held {
            Held::Hold { cloth, hold, .. } => self.world.cloth_mut(cloth)?.let_go(hold),
            Held::Pin { cloth, vertex, was_pinned: false } => {
                self.world.cloth_mut(cloth)?.release(vertex)?;
                self.lay_out_anew();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Lets go with a pin where the hand is.
    pub fn release_pinned(&mut self, id: HandId) -> Result<(), String> {
        let Some(number) = self.hands.iter().position(|hand| hand.id == id) else { return Ok(()) };
        let hand = self.hands.remove(number);
        match hand.held {
            Held::Hold { cloth, grip, .. } => {
                self.let_go(hand.held).map_err(words)?;
                self.world.cloth_mut(cloth).and_then(|own| own.pin(grip.nearest())).map_err(words)?;
                self.own_pins.push((cloth, grip.nearest()));
            }
            Held::Pin { cloth, vertex, was_pinned: false } => self.own_pins.push((cloth, vertex)),
            held => self.let_go(held).map_err(words)?,
        }
        Ok(())
    }

    /// Lets go of everything.
    pub(super) fn release_all(&mut self) {
        for hand in std::mem::take(&mut self.hands) {
            // What cannot be let go is not there any more.
            let _ = self.let_go(hand.held);
        }
    }

    /// Pins that hands lead, which nobody asked to stay.
    pub(super) fn hand_pins(&self) -> Vec<(ClothId, u32)> {
        let pin = |hand: &Hand| match hand.held {
            Held::Pin { cloth, vertex, was_pinned: false } => Some((cloth, vertex)),
            _ => None,
        };
        self.hands.iter().filter_map(pin).collect()
    }

    /// Holds of hands.
    pub(super) fn hand_holds(&self) -> Vec<(ClothId, HoldId)> {
        let hold = |hand: &Hand| match hand.held {
            Held::Hold { cloth, hold, .. } => Some((cloth, hold)),
            _ => None,
        };
        self.hands.iter().filter_map(hold).collect()
    }

    /// Leads what is held during the next step.
    pub(super) fn lead(&mut self) -> Result<(), String> {
        let dt = self.world.settings().time_step;
        let mut hands = std::mem::take(&mut self.hands);
        let led = hands.iter_mut().try_for_each(|hand| self.lead_one(hand, dt));
        self.hands = hands;
        led.map_err(words)
    }

    fn lead_one(&mut self, hand: &mut Hand, dt: f64) -> Result<(), Error> {
        let speed = if matches!(hand.held, Held::Hold { .. }) { SOFT_SPEED } else { FIRM_SPEED };
        hand.led = hand.led.move_towards(hand.place, speed * dt);
        let angle = hand.turn.to_axis_angle();
        let part = DQuat::from_axis_angle(angle.0, angle.1.clamp(-TURN_SPEED * dt, TURN_SPEED * dt));
        match hand.held {
            Held::Hold { cloth, hold, .. } => self.world.cloth_mut(cloth)?.move_hold(hold, hand.led)?,
            Held::Pin { cloth, vertex, .. } => self.world.cloth_mut(cloth)?.move_pin(vertex, hand.led)?,
            Held::Collider { id, arm } => {
                let offset = self.collider_offset(id);
                let rotation = (part * self.world.collider_pose(id)?.rotation).normalize();
                self.world.move_collider(id, hand.led - offset - rotation * arm, rotation)?;
            }
            Held::Body { id, arm } => {
                let body = self.world.body(id)?;
                let place = body.placement().transform_point3(arm);
                let angular = part.to_scaled_axis() / dt;
                let velocity = (hand.led - place) / dt - angular.cross(place - body.center());
                // What gravity adds during the step is taken off before.
                let n = f64::from(self.world.settings().substeps);
                let fall = self.world.settings().gravity.as_dvec3() * (dt * 0.5 * (n + 1.0) / n);
                self.world.set_body_velocity(id, velocity - fall, angular)?;
            }
        }
        hand.turn = (part.inverse() * hand.turn).normalize();
        Ok(())
    }

    fn collider_offset(&self, id: ColliderId) -> DVec3 {
        let number = self.world.collider_ids().iter().position(|other| *other == id);
        number.map_or(DVec3::ZERO, |number| self.solids[number].offset)
    }

    /// What a hand holds, as a user sees it.
    pub(super) fn held_by(&self, hand: &Hand) -> Option<HeldThing> {
        let number_of_cloth = |id| self.world.cloth_ids().iter().position(|other| *other == id);
        let (kind, number, place) = match hand.held {
            Held::Hold { cloth, grip, .. } => {
                let place = self.world.cloth(cloth).ok()?.place_in(grip.vertices, grip.weights).ok()?;
                (ThingKind::Cloth, number_of_cloth(cloth)?, place)
            }
            Held::Pin { cloth, vertex, .. } => {
                let place = self.world.cloth(cloth).ok()?.place(vertex).ok()?;
                (ThingKind::Cloth, number_of_cloth(cloth)?, place)
            }
            Held::Collider { id, arm } => {
                let pose = self.world.collider_pose(id).ok()?;
                let number = self.world.collider_ids().iter().position(|other| *other == id)?;
                (
                    ThingKind::Collider,
                    number,
                    pose.rotation * arm + pose.translation + self.collider_offset(id),
                )
            }
            Held::Body { id, arm } => {
                let number = self.world.body_ids().iter().position(|other| *other == id)?;
                (ThingKind::Body, number, self.world.body(id).ok()?.placement().transform_point3(arm))
            }
        };
        let near = |place: DVec3| (place - self.origin).as_vec3();
        Some(HeldThing { hand: hand.id, kind, number, hand_place: near(hand.place), place: near(place) })
    }
}

fn words(error: Error) -> String {
    error.to_string()
}
