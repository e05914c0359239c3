//! Calls in any order on a driven world: what a program might do, wise or not, and what must hold whatever it does.
//!
//! Input: bytes, which name calls and their arguments; a property test draws them, a fuzzer finds them. Some arguments are senseless
//! on purpose: then the call is an error and nothing has changed.

use muslin::cloth::{Cloth, FABRICS};
use muslin::collision::{Collider, Shape};
use muslin::forces::wind::Wind;
use muslin::glam::{DQuat, DVec3, Vec3};
use muslin::mesh::generate;
use muslin::rigid::{RigidBody, RigidShape};
use muslin::solver::{Impulses, PositionBased, RadialMatching, ShapeMatching, SolverConfig};
use muslin::{
    Anchor, AttachmentId, BodyId, ClothId, ColliderId, Error, Hold, HoldId, Settings, Strength, World,
};

/// More of a kind than this are not added: tests are to be quick.
const MOST: usize = 3;

/// Seconds of a step.
const STEPS: [f64; 4] = [0.005, 0.02, 0.0005, 0.00002];

/// Where single precision would be too coarse for cloth: its digits are 8 mm apart there.
const FAR: DVec3 = DVec3::new(100_000.0, 1_000.0, -100_000.0);

/// A world that bytes drive.
pub struct Driven<'a> {
    bytes: &'a [u8],
    world: World,
    /// Seconds of a step.
    step: f64,
    /// Where in the world all of it is.
    place: DVec3,
    /// Whether cloths are closed and curved.
    is_curved: bool,
    /// Names are never used twice.
    named: u32,
    holds: Vec<(ClothId, HoldId)>,
    attachments: Vec<AttachmentId>,
    /// Whether to say what is called: with `MUSLIN_ALOUD` set.
    aloud: bool,
    /// Steps that were taken.
    pub steps: usize,
    /// Calls that were refused.
    pub refused: usize,
}

/// Plays all calls that bytes name.
///
/// # Panics
/// If anything does not hold that must.
pub fn play(bytes: &[u8]) -> (usize, usize) {
    let mut driven = Driven::new(bytes);
    while !driven.bytes.is_empty() {
        driven.call();
    }
    (driven.steps, driven.refused)
}

impl<'a> Driven<'a> {
    /// The first byte says on which ground: how long steps are, where in the world, on how many threads, of which meshes.
    fn new(bytes: &'a [u8]) -> Self {
        let (ground, bytes) = bytes.split_first().map_or((0, bytes), |(first, rest)| (*first, rest));
        let step = STEPS[usize::from(ground & 3)];
        let place = if ground & 4 == 0 { DVec3::ZERO } else { FAR };
        let threads = if ground & 8 == 0 { 1 } else { 3 };
        let is_curved = ground & 16 != 0;
        let settings = Settings { time_step: step, threads, ..crate::settings() };
        let world = World::builder().settings(settings).build().expect("an empty world");
        let aloud = std::env::var_os("MUSLIN_ALOUD").is_some();
        let (holds, attachments) = (Vec::new(), Vec::new());
        Self {
            bytes,
            world,
            step,
            place,
            is_curved,
            named: 0,
            holds,
            attachments,
            aloud,
            steps: 0,
            refused: 0,
        }
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first
    }

    /// From −1 to 1; one in 256 is no number.
    fn number(&mut self) -> f64 {
        match self.byte() {
            255 => f64::NAN,
            byte => f64::from(byte) / 127.0 - 1.0,
        }
    }

    fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number()) * size
    }

    fn rotation(&mut self) -> DQuat {
        match self.vector(1.5) {
            // Not of length one.
            axis if axis.x > 1.4 => DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0),
            axis => DQuat::from_scaled_axis(axis),
        }
    }

    fn name(&mut self) -> String {
        self.named += 1;
        // Now and then one that is taken.
        format!("{}", if self.byte() == 0 { 1 } else { self.named })
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let byte = usize::from(self.byte());
        (!all.is_empty()).then(|| all[byte % all.len()])
    }

    fn cloth(&mut self) -> Option<ClothId> {
        let all = self.world.cloth_ids().to_vec();
        self.pick(&all)
    }

    fn collider(&mut self) -> Option<ColliderId> {
        let all = self.world.collider_ids().to_vec();
        self.pick(&all)
    }

    fn body(&mut self) -> Option<BodyId> {
        let all = self.world.body_ids().to_vec();
        self.pick(&all)
    }

    /// A vertex, rarely of no cloth.
    fn vertex(&mut self) -> u32 {
        u32::from(self.byte()) % 40
    }

    /// One call.
    fn call(&mut self) {
        let kind = self.byte() % 32;
        let result = match kind {
            0 | 1 => self.add_cloth(),
            2 => self.add_collider(),
            3 => self.add_body(),
            4 => self.remove(),
            5..=8 => self.pins(),
            9 | 10 => self.holds(),
            11 => self.attach(),
            12 => self.detach(),
            13 | 14 => self.lead_collider(),
            15 => self.drive_body(),
            16 | 17 => self.push(),
            18 => self.conditions(),
            19 => self.material(),
            20 => self.teleport(),
            21 | 22 => self.rewind(),
            _ => {
                self.step();
                Ok(())
            }
        };
        if self.aloud {
            eprintln!("call {kind}, {} s: {result:?}", self.world.time());
        }
        self.refused += usize::from(result.is_err());
    }

    fn add_cloth(&mut self) -> Result<(), Error> {
        let (place, kind, name) = (self.vector(0.5), self.byte(), self.name());
        if self.world.cloth_ids().len() >= MOST {
            return Ok(());
        }
        let mut mesh =
            if self.is_curved { generate::sphere(0.2, 1)? } else { generate::grid(5, 5, 0.4, 0.4)? };
        let upright = |p: Vec3| if self.is_curved { p } else { Vec3::new(p.x, 0.0, p.y) };
        mesh.positions.iter_mut().for_each(|p| *p = upright(*p) + place.as_vec3());
        mesh.origin = self.place;
        let mut cloth = Cloth::builder(mesh);
        if kind & 1 == 1 {
            cloth = cloth.pin(0);
        }
        if kind & 2 == 2 {
            cloth = cloth.material(FABRICS[usize::from(kind >> 2) % FABRICS.len()].material());
        }
        self.world.add_cloth(&name, cloth.build()?).map(|_| ())
    }

    fn add_collider(&mut self) -> Result<(), Error> {
        let (place, kind, name) = (self.vector(0.6).as_vec3(), self.byte(), self.name());
        if self.world.collider_ids().len() >= MOST {
            return Ok(());
        }
        let shape = match kind % 4 {
            0 => Shape::Sphere { center: place, radius: 0.1 },
            1 => Shape::Capsule { from: place, to: place + 0.2 * Vec3::X, radius: 0.05 },
            2 => Shape::cuboid(place, Vec3::splat(0.15)),
            _ => Shape::Plane { point: place - Vec3::Y, normal: Vec3::Y },
        };
        let origin = self.place;
        self.world.add_collider(Collider { origin, ..Collider::new(&name, shape) }).map(|_| ())
    }

    fn add_body(&mut self) -> Result<(), Error> {
        let (place, name) = (self.vector(0.6), self.name());
        if self.world.body_ids().len() >= MOST {
            return Ok(());
        }
        let ball = RigidBody::new(&name, RigidShape::Sphere { radius: 0.08 });
        self.world.add_body(ball.at(self.place + place)).map(|_| ())
    }

    fn remove(&mut self) -> Result<(), Error> {
        match self.byte() % 3 {
            0 => self.cloth().map_or(Ok(()), |id| self.world.remove_cloth(id).map(|_| ())),
            1 => self.collider().map_or(Ok(()), |id| self.world.remove_collider(id).map(|_| ())),
            _ => self.body().map_or(Ok(()), |id| self.world.remove_body(id).map(|_| ())),
        }
    }

    fn pins(&mut self) -> Result<(), Error> {
        let (Some(id), vertex, kind) = (self.cloth(), self.vertex(), self.byte() % 4) else { return Ok(()) };
        let way = self.vector(0.05);
        let cloth = self.world.cloth_mut(id)?;
        match kind {
            0 | 1 => cloth.pin(vertex),
            2 => {
                let place = cloth.place(vertex)? + way;
                cloth.move_pin(vertex, place)
            }
            _ => cloth.release(vertex),
        }
    }

    fn holds(&mut self) -> Result<(), Error> {
        let (Some(id), kind) = (self.cloth(), self.byte() % 4) else { return Ok(()) };
        let vertices = [self.vertex(), self.vertex(), self.vertex()];
        let (way, stiffness, at) = (self.vector(0.1), 10f64.powf(4.0 * self.number()) as f32, self.place);
        let cloth = self.world.cloth_mut(id)?;
        match kind {
            0 | 1 => {
                let place = cloth.place(vertices[0])? + way;
                let hold = cloth.hold(Hold { vertices, weights: [0.5, 0.25, 0.25], place, stiffness })?;
                self.holds.push((id, hold));
            }
            2 => {
                for &(_, hold) in self.holds.iter().filter(|(of, _)| *of == id) {
                    cloth.move_hold(hold, at + way)?;
                }
            }
            _ => {
                if let Some((of, hold)) = self.holds.pop() {
                    self.world.cloth_mut(of)?.let_go(hold)?;
                }
            }
        }
        Ok(())
    }

    fn attach(&mut self) -> Result<(), Error> {
        let vertices = [self.vertex(), self.vertex()];
        let strength = if self.byte().is_multiple_of(2) { Strength::Weld } else { Strength::Soft(100.0) };
        let to_body = self.byte().is_multiple_of(2);
        let anchor = match to_body {
            true => self.body().map(Anchor::Body),
            false => self.collider().map(Anchor::Collider),
        };
        let (Some(cloth), Some(anchor)) = (self.cloth(), anchor) else { return Ok(()) };
        let id = self.world.attach(cloth, &vertices, anchor, strength)?;
        self.attachments.push(id);
        Ok(())
    }

    fn detach(&mut self) -> Result<(), Error> {
        self.attachments.pop().map_or(Ok(()), |id| self.world.detach(id))
    }

    fn lead_collider(&mut self) -> Result<(), Error> {
        let (Some(id), kind, way) = (self.collider(), self.byte() % 4, self.vector(0.1)) else {
            return Ok(());
        };
        let rotation = self.rotation();
        match kind {
            0 | 1 => {
                let place = self.world.collider_pose(id)?.translation + way;
                self.world.move_collider(id, place, rotation)
            }
            2 => self.world.set_collider_velocity(id, 5.0 * way, 2.0 * way),
            _ => {
                let points = self.world.collider(id)?.positions_from(self.place, self.world.time());
                let bent: Vec<Vec3> = points.iter().map(|p| *p * 1.1 + 0.2 * way.as_vec3()).collect();
                self.world.deform_collider(id, &bent)
            }
        }
    }

    fn drive_body(&mut self) -> Result<(), Error> {
        let (Some(id), kind, vector) = (self.body(), self.byte() % 3, self.vector(1.0)) else {
            return Ok(());
        };
        match kind {
            0 => self.world.push_body(id, vector, self.place),
            1 => self.world.set_body_velocity(id, vector, 3.0 * vector),
            _ => {
                let rotation = self.rotation();
                self.world.teleport_body(id, self.place + vector, rotation)
            }
        }
    }

    fn push(&mut self) -> Result<(), Error> {
        let (Some(id), vertex, push) = (self.cloth(), self.vertex(), self.vector(1.0).as_vec3()) else {
            return Ok(());
        };
        let kind = self.byte() % 2;
        let cloth = self.world.cloth_mut(id)?;
        if kind == 0 { cloth.push(vertex, 0.01 * push) } else { cloth.add_force(vertex, push) }
    }

    fn conditions(&mut self) -> Result<(), Error> {
        let (kind, vector) = (self.byte() % 4, self.vector(10.0).as_vec3());
        match kind {
            0 => self.world.set_gravity(vector),
            1 => self.world.set_wind(Some(Wind::blowing(vector))),
            2 => self.world.set_wind(None),
            _ => {
                let substeps = u32::from(self.byte() % 4);
                self.world.set_steps(self.step, substeps)
            }
        }
    }

    fn material(&mut self) -> Result<(), Error> {
        let (Some(id), kind) = (self.cloth(), self.byte()) else { return Ok(()) };
        let cloth = self.world.cloth_mut(id)?;
        match kind % 8 {
            0 => cloth.set_solver(SolverConfig::ShapeMatching(ShapeMatching::default())),
            1 => cloth.set_solver(SolverConfig::PositionBased(PositionBased::default())),
            2 => cloth.set_solver(SolverConfig::RadialMatching(RadialMatching::default())),
            3 => cloth.set_solver(SolverConfig::Impulses(Impulses::default())),
            _ => cloth.set_material(FABRICS[usize::from(kind) % FABRICS.len()].material()),
        }
    }

    fn teleport(&mut self) -> Result<(), Error> {
        let (kind, rotation, by) = (self.byte() % 2, self.rotation(), self.vector(0.5));
        if kind == 0 {
            let Some(id) = self.cloth() else { return Ok(()) };
            // About the middle of things: x ↦ p + R (x − p) + b.
            let by = self.place - rotation * self.place + by;
            return self.world.cloth_mut(id)?.teleport(rotation, by);
        }
        let Some(id) = self.collider() else { return Ok(()) };
        self.world.teleport_collider(id, by, rotation)
    }

    /// Goes on from a saved state twice: the same happens.
    fn rewind(&mut self) -> Result<(), Error> {
        let steps = 1 + self.byte() % 3;
        let saved = self.world.save();
        let before = self.hashes();
        let first = self.go_on(steps);
        assert_eq!(self.world.restore(&saved), Ok(()), "a state that was just saved");
        assert!(self.hashes() == before, "a restored world is what was saved");
        assert!(self.go_on(steps) == first, "the same bits after going back");
        self.steps += 2 * usize::from(steps);
        Ok(())
    }

    fn go_on(&mut self, steps: u8) -> (Vec<u64>, Option<Error>) {
        let error = (0..steps).find_map(|_| self.world.step().err());
        (self.hashes(), error)
    }

    /// All bits of where everything is and how fast, as places in the world: from where these are counted may change.
    fn hashes(&self) -> Vec<u64> {
        let mut bits = Vec::new();
        for (_, cloth) in self.world.cloths() {
            bits.extend(cloth.places().iter().flat_map(|place| place.to_array()).map(f64::to_bits));
            bits.extend(cloth.velocities().iter().flat_map(|v| v.to_array()).map(|x| u64::from(x.to_bits())));
        }
        for body in self.world.bodies() {
            let state = body.state();
            let numbers = body.center().to_array().into_iter().chain(state.velocity.to_array());
            bits.extend(numbers.chain(state.rotation.to_array()).map(f64::to_bits));
        }
        bits
    }

    /// A step: what it promises holds, or it is an error and nothing has moved.
    fn step(&mut self) {
        let before = self.hashes();
        let result = self.world.step().map(|report| report.cloths.len());
        self.steps += 1;
        match result {
            Ok(_) => {
                let positions = self.world.cloths().iter().flat_map(|(_, cloth)| cloth.positions());
                assert!(positions.into_iter().all(|p| p.is_finite()), "positions are numbers");
                let speeds = self.world.cloths().iter().flat_map(|(_, cloth)| cloth.velocities());
                assert!(speeds.into_iter().all(|v| v.is_finite()), "velocities are numbers");
                let found = self.world.find_intersections();
                assert!(found.is_empty(), "nothing passes through anything: {found:?}");
            }
            Err(error) => {
                self.refused += 1;
                assert!(self.hashes() == before, "after an error all is as before it: {error}");
            }
        }
    }
}
