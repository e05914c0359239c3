//! Mouse and fingers on the picture: events in, commands to the session and moves of the camera out.
//!
//! Events are taken one by one in their order, not from the state at the end of a picture: on a slow machine a press, a move and a
//! release arrive together.

use egui::{Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, TouchPhase};
use glam::{Vec2, Vec3};

use super::hit;
use super::orbit::Orbit;
use crate::draw::{Ray, View};
use crate::session::{Command, Fan, Frame, HandId};

/// The mouse's hand; fingers have those after it.
const MOUSE: HandId = HandId(0);
/// Radians per height of the picture.
const TURN: f32 = 3.5;
/// The part of the distance to the target that a line of the wheel moves what is held.
const AWAY: f32 = 0.04;

/// What events are seen against.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The picture in the window.
    pub picture: Rect,
    /// From where it is seen.
    pub view: View,
    /// What is seen.
    pub frame: &'a Frame,
    /// Whether moves turn what is held.
    pub turns: bool,
    /// Whether the wheel is the fan's.
    pub has_fan: bool,
}

/// What fingers and the mouse do.
#[derive(Clone, Debug, Default)]
pub struct Hands {
    mouse: Option<(PointerButton, Use)>,
    fingers: Vec<Finger>,
    hover: Option<Pos2>,
    last: Pos2,
    pointed: Option<Ray>,
    fan: Option<Fan>,
    /// Speed of the fan's air, m/s.
    fan_speed: Option<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Use {
    Holds,
    Turns,
    Pans,
}

#[derive(Clone, Copy, Debug)]
struct Finger {
    id: u64,
    holds: bool,
    at: Pos2,
}

impl Finger {
    fn hand(&self) -> HandId {
        HandId(self.id.wrapping_add(MOUSE.0 + 1))
    }
}

impl Place<'_> {
    fn ray(&self, at: Pos2) -> Ray {
        let share = (at - self.picture.min) / self.picture.size();
        self.view.ray(Vec2::new(share.x, share.y), self.picture.aspect_ratio())
    }

    /// A move as a share of the picture's height.
    fn share(&self, by: egui::Vec2) -> Vec2 {
        Vec2::new(by.x, by.y) / self.picture.height().max(1.0)
    }

    fn is_held(&self, at: Pos2) -> bool {
        let frame = self.frame;
        let ray = self.ray(at);
        let is_met = hit::hit(&frame.scenery, &ray).is_some();
        let is_pointed = hit::is_blind(&frame.scenery) && frame.pointed.is_some();
        !frame.clock.is_recording && (is_met || is_pointed)
    }
}

impl Hands {
    /// Takes the events of a picture. `is_free` says whether a press at a place is one on the picture, not on a panel over it.
    pub fn take(
        &mut self,
        events: &[Event],
        place: &Place<'_>,
        orbit: &mut Orbit,
        is_free: &dyn Fn(Pos2) -> bool,
    ) -> Vec<Command> {
        let mut commands = Vec::new();
        // Browsers and window systems send moves of a mouse for the first finger, too.
        let by_touch = !self.fingers.is_empty() || events.iter().any(|e| matches!(e, Event::Touch { .. }));
        for event in events {
            match event {
                Event::Touch { id, phase, pos, .. } => {
                    self.touch(id.0, *phase, *pos, place, orbit, is_free, &mut commands);
                }
                Event::MouseWheel { unit, delta, .. } => {
                    let lines = match unit {
                        MouseWheelUnit::Point => delta.y / 50.0,
                        MouseWheelUnit::Line => delta.y,
                        MouseWheelUnit::Page => 10.0 * delta.y,
                    };
                    if is_free(self.last) {
                        self.wheel(lines, place, orbit, &mut commands);
                    }
                }
                Event::Zoom(factor) if is_free(self.last) => orbit.zoom(1.0 / factor),
                Event::WindowFocused(false) => self.let_go(&mut commands),
                _ if by_touch => self.hover = None,
                Event::PointerMoved(to) => self.moved(*to, place, orbit, is_free, &mut commands),
                Event::PointerButton { pos, button, pressed, modifiers } => {
                    self.moved(*pos, place, orbit, is_free, &mut commands);
                    if !pressed {
                        self.released(*button, *modifiers, &mut commands);
                    } else if is_free(*pos) {
                        self.pressed(*pos, *button, *modifiers, place, &mut commands);
                    }
                }
                Event::PointerGone => self.hover = None,
                _ => {}
            }
        }
        self.point(place, &mut commands);
        commands
    }

    /// Where the pointer is over the picture, as a ray.
    pub fn ray(&self, place: &Place<'_>) -> Option<Ray> {
        self.hover.map(|at| place.ray(at))
    }

    /// Whether the mouse or a finger does something.
    pub fn is_busy(&self) -> bool {
        self.mouse.is_some() || !self.fingers.is_empty()
    }

    /// The speed of the fan, m/s.
    pub fn fan_speed(&self) -> f32 {
        self.fan_speed.unwrap_or(6.0)
    }

    fn pressed(
        &mut self,
        at: Pos2,
        button: PointerButton,
        modifiers: Modifiers,
        place: &Place<'_>,
        commands: &mut Vec<Command>,
    ) {
        if self.mouse.is_some() {
            return;
        }
        let held = match button {
            PointerButton::Primary if place.is_held(at) => {
                let forward = place.view.forward();
                commands.push(Command::Grab { hand: MOUSE, ray: place.ray(at), forward });
                Use::Holds
            }
            PointerButton::Primary => Use::Turns,
            PointerButton::Secondary if !modifiers.shift => Use::Turns,
            _ => Use::Pans,
        };
        self.mouse = Some((button, held));
    }

    fn released(&mut self, button: PointerButton, modifiers: Modifiers, commands: &mut Vec<Command>) {
        let Some((_, held)) = self.mouse.take_if(|(pressed, _)| *pressed == button) else { return };
        match held {
            Use::Holds if modifiers.shift => commands.push(Command::ReleasePinned { hand: MOUSE }),
            Use::Holds => commands.push(Command::Release { hand: MOUSE }),
            Use::Turns | Use::Pans => {}
        }
    }

    fn moved(
        &mut self,
        to: Pos2,
        place: &Place<'_>,
        orbit: &mut Orbit,
        is_free: &dyn Fn(Pos2) -> bool,
        commands: &mut Vec<Command>,
    ) {
        let by = place.share(to - self.last);
        self.last = to;
        self.hover = is_free(to).then_some(to);
        match self.mouse {
            _ if by == Vec2::ZERO => {}
            Some((_, Use::Holds)) if place.turns => {
                let view = place.view;
                let right = view.forward().cross(view.up).normalize_or(Vec3::X);
                let turns = [(view.up.normalize_or(Vec3::Y), by.x), (right, by.y)];
                commands.extend(
                    turns.into_iter().filter(|(_, angle)| *angle != 0.0).map(|(axis, angle)| Command::Turn {
                        hand: MOUSE,
                        axis,
                        angle: TURN * angle,
                    }),
                );
            }
            Some((_, Use::Holds)) => {
                commands.push(Command::Drag { hand: MOUSE, ray: place.ray(to), away: 0.0 });
            }
            Some((_, Use::Turns)) => orbit.turn(TURN * by),
            Some((_, Use::Pans)) => orbit.pan(by),
            None => {}
        }
    }

    fn wheel(&mut self, lines: f32, place: &Place<'_>, orbit: &mut Orbit, commands: &mut Vec<Command>) {
        if let Some((_, Use::Holds)) = self.mouse {
            let away = AWAY * lines * orbit.distance();
            commands.push(Command::Drag { hand: MOUSE, ray: place.ray(self.last), away });
        } else if place.has_fan {
            self.fan_speed = Some((self.fan_speed() + lines).clamp(1.0, 20.0));
        } else {
            orbit.zoom((-0.15 * lines).exp());
        }
    }

    #[expect(clippy::too_many_arguments)] // what an event of a finger has, and what it is seen against
    fn touch(
        &mut self,
        id: u64,
        phase: TouchPhase,
        at: Pos2,
        place: &Place<'_>,
        orbit: &mut Orbit,
        is_free: &dyn Fn(Pos2) -> bool,
        commands: &mut Vec<Command>,
    ) {
        match phase {
            TouchPhase::Start if is_free(at) => {
                // A browser has told of a mouse's press at the same place, in a picture of its own before this one.
                self.let_mouse_go(commands);
                let finger = Finger { id, holds: place.is_held(at), at };
                if finger.holds {
                    let forward = place.view.forward();
                    commands.push(Command::Grab { hand: finger.hand(), ray: place.ray(at), forward });
                }
                self.fingers.retain(|other| other.id != id);
                self.fingers.push(finger);
            }
            TouchPhase::Start => {}
            TouchPhase::Move => self.finger_moved(id, at, place, orbit, commands),
            TouchPhase::End | TouchPhase::Cancel => {
                let lifted = self.fingers.extract_if(.., |finger| finger.id == id);
                let held = lifted.filter(|finger| finger.holds);
                commands.extend(held.map(|finger| Command::Release { hand: finger.hand() }));
            }
        }
    }

    fn finger_moved(
        &mut self,
        id: u64,
        to: Pos2,
        place: &Place<'_>,
        orbit: &mut Orbit,
        commands: &mut Vec<Command>,
    ) {
        let Some(number) = self.fingers.iter().position(|finger| finger.id == id) else { return };
        let finger = self.fingers[number];
        self.fingers[number].at = to;
        let by = place.share(to - finger.at);
        let other = self.fingers.iter().find(|other| other.id != id && !other.holds);
        match other {
            _ if finger.holds => {
                commands.push(Command::Drag { hand: finger.hand(), ray: place.ray(to), away: 0.0 });
            }
            Some(other) => {
                let (before, after) = (finger.at.distance(other.at), to.distance(other.at));
                orbit.zoom(before.max(10.0) / after.max(10.0));
                orbit.pan(0.5 * by);
            }
            None => orbit.turn(TURN * by),
        }
    }

    fn let_mouse_go(&mut self, commands: &mut Vec<Command>) {
        if let Some((_, Use::Holds)) = self.mouse.take() {
            commands.push(Command::Release { hand: MOUSE });
        }
    }

    /// Lets go of everything.
    fn let_go(&mut self, commands: &mut Vec<Command>) {
        self.let_mouse_go(commands);
        let held = self.fingers.drain(..).filter(|finger| finger.holds);
        commands.extend(held.map(|finger| Command::Release { hand: finger.hand() }));
    }

    /// Tells where the pointer is and where the fan stands, if that is news.
    fn point(&mut self, place: &Place<'_>, commands: &mut Vec<Command>) {
        let pointed = self.ray(place).filter(|_| !self.is_busy() && !place.frame.clock.is_recording);
        if pointed != self.pointed && !self.is_busy() {
            self.pointed = pointed;
            commands.push(Command::Point(pointed));
        }
        let fan = self.ray(place).filter(|_| place.has_fan).map(|ray| self.fan_at(&ray, place));
        if fan != self.fan {
            self.fan = fan;
            commands.push(Command::Fan(fan));
        }
    }

    /// A fan that stands on a line of sight, before what is looked at.
    fn fan_at(&self, ray: &Ray, place: &Place<'_>) -> Fan {
        let radius = place.frame.bounds.radius;
        let direction = ray.direction.normalize_or(Vec3::NEG_Z);
        let depth = (place.view.target - place.view.eye).dot(direction);
        let before = (depth - 0.9 * radius).max(0.1 * depth);
        Fan {
            place: ray.origin + before * direction,
            direction,
            speed: self.fan_speed(),
            radius: 0.25 * radius,
        }
    }
}

#[cfg(test)]
mod tests;
