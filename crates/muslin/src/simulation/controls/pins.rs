//! Pins: added, moved and released.
//!
//! Which vertices are pinned decides what a solver is made of: levels keep them, tethers begin at them. So a change makes that
//! stale, and it is prepared anew before the next step (`prepare`). How a pin moves is read in every substep and costs nothing.

use glam::{DVec3, Vec3};

use super::finite_place;
use crate::Error;
use crate::cloth::{Keyframe, Pin, PinMotion};
use crate::simulation::Simulation;
use crate::solver::Motion;

impl Simulation {
    /// Holds a vertex where it is, from now on. A pin that moves stops.
    pub fn pin(&mut self, vertex: u32) -> Result<(), Error> {
        self.pin_all(&[vertex])
    }

    /// Holds several vertices where they are.
    pub fn pin_all(&mut self, vertices: &[u32]) -> Result<(), Error> {
        vertices.iter().try_for_each(|&vertex| self.internal(vertex).map(|_| ()))?;
        for &vertex in vertices {
            let vertex = self.internal(vertex)?;
            match self.pin_of(vertex) {
                Ok(pin) => self.cloth.pins[pin].motion = PinMotion::Fixed,
                Err(pin) => {
                    self.cloth.pins.insert(pin, Pin { vertex, motion: PinMotion::Fixed });
                    if self.settings.solver.motion() != Motion::OfSolver {
                        self.stop(vertex as usize);
                    }
                    self.pins_changed();
                }
            }
        }
        Ok(())
    }

    /// Moves a pinned vertex: evenly, so that it is there (in the world, metres) at the end of the next step, and stays.
    pub fn move_pin(&mut self, vertex: u32, place: DVec3) -> Result<(), Error> {
        finite_place(vertex, "the place of the pin", place)?;
        let pin = self.existing_pin(vertex)?;
        let [from, to] = self.next_step_from(self.place_of_pin(self.cloth.pins[pin].vertex), place);
        // The same memory in every step.
        match &mut self.cloth.pins[pin].motion {
            PinMotion::Keyframes(keys) => {
                keys.clear();
                keys.extend([from, to]);
            }
            motion @ PinMotion::Fixed => *motion = PinMotion::Keyframes(vec![from, to]),
        }
        Ok(())
    }

    /// Lets a pinned vertex move so from now on.
    pub fn set_pin_motion(&mut self, vertex: u32, motion: PinMotion) -> Result<(), Error> {
        if let Some(problem) = motion.problem() {
            return Err(Error::PinMotion { vertex, problem });
        }
        let pin = self.existing_pin(vertex)?;
        self.cloth.pins[pin].motion = motion;
        Ok(())
    }

    /// Leads a pinned vertex to a place in the next substep, whatever its motion says.
    pub(crate) fn lead_pin(&mut self, vertex: u32, place: DVec3) {
        if let Some(&internal) = self.cloth.permutation.old_to_new.get(vertex as usize) {
            self.led.push((internal, place));
        }
    }

    /// Lets a pinned vertex go. It goes on with the velocity that its pin gave it.
    pub fn release(&mut self, vertex: u32) -> Result<(), Error> {
        self.release_all(&[vertex])
    }

    /// Lets several pinned vertices go.
    pub fn release_all(&mut self, vertices: &[u32]) -> Result<(), Error> {
        vertices.iter().try_for_each(|&vertex| self.existing_pin(vertex).map(|_| ()))?;
        for &vertex in vertices {
            // Somebody may name one twice.
            let Ok(pin) = self.existing_pin(vertex) else { continue };
            let internal = self.cloth.pins.remove(pin).vertex as usize;
            if self.settings.solver.motion() == Motion::Symplectic {
                // Velocities of what is free are those of the middle of the last substep, and will be given what gravity
                // adds since. Pinned, it is as fast now as it was then.
                let gained = 0.5 * self.now().last_step * self.settings.gravity.as_dvec3();
                self.change_velocity(internal, -gained - self.forces.pushes.to_all.as_dvec3());
            }
            self.pins_changed();
        }
        Ok(())
    }

    /// Whether a vertex is pinned. One that does not exist is not.
    pub fn is_pinned(&self, vertex: u32) -> bool {
        self.existing_pin(vertex).is_ok()
    }

    fn pins_changed(&mut self) {
        self.stale = true;
        self.notice.pins = true;
    }

    /// Where an internal vertex is among the pins, or where it would be.
    fn pin_of(&self, internal: u32) -> Result<usize, usize> {
        self.cloth.pins.binary_search_by_key(&internal, |pin| pin.vertex)
    }

    fn existing_pin(&self, vertex: u32) -> Result<usize, Error> {
        self.pin_of(self.internal(vertex)?).map_err(|_| Error::NotPinned { vertex })
    }

    /// Where an internal vertex is in the world.
    pub(in crate::simulation) fn place_of(&self, internal: u32) -> DVec3 {
        self.state.origin + self.state.position(internal as usize)
    }

    /// From one place at the start of the next step to another at its end.
    pub(super) fn next_step_from(&self, from: DVec3, to: DVec3) -> [Keyframe; 2] {
        let start = self.now().time;
        let mut end = start;
        // As the clock of a step goes, so that it is there at the end and not a rounding before.
        (0..self.settings.substeps).for_each(|_| end += self.substep_length());
        [Keyframe { time: start, position: from }, Keyframe { time: end, position: to }]
    }

    /// Adds to the velocities of all that is not pinned.
    pub(in crate::simulation) fn add_velocity(&mut self, by: Vec3) {
        if self.ahead.is_some() {
            self.forces.pushes.to_all += by;
            return;
        }
        let (pins, state) = (&self.cloth.pins, &mut self.state);
        let mut pins = pins.iter().map(|pin| pin.vertex as usize).peekable();
        for v in 0..state.points.len() {
            if pins.next_if_eq(&v).is_none() {
                state.set_velocity(v, state.velocity(v) + by.as_dvec3());
            }
        }
    }
}
