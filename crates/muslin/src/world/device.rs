//! A world whose cloths are on a GPU.
//!
//! The host's copies of the cloths are where they always are, and are driven as on the CPU; here are the parts on the device, in the
//! same order. A step is queued and not waited for. What is read, of cloths and in reports and events, is of the state that
//! was last read back.

use super::World;
use super::WorldReport;
use super::builder::{Member, WorldBuilder};
use super::handles::ClothId;
use super::members::Start;
use crate::gpu::{DeviceCloth, DevicePositions, Gpu, GpuSimulation};
use crate::simulation::Simulation;
use crate::{Error, Feature};

const BACK_END: &str = "a world on the GPU";

/// The cloths of a world on a device.
pub(super) struct OnGpu {
    gpu: Gpu,
    /// In the order of the world's.
    cloths: Vec<DeviceCloth>,
    /// The part of a cloth that is being added and has one already.
    coming: Option<DeviceCloth>,
}

impl WorldBuilder {
    /// Has all cloths on a GPU. [`World::step`] queues there and does not wait; what is read is of the last
    /// [`World::read_back`]. Nothing collides there yet: cloths pass through themselves and each other, and there are no
    /// colliders, rigid bodies and attachments. What is asked of them is refused, so `self_collisions` has to be set to false.
    pub fn gpu(mut self, gpu: &Gpu) -> Self {
        self.gpu = Some(gpu.clone());
        self
    }

    /// A cloth under settings of its own that is on a GPU already. In a world that is not, it goes on on the CPU.
    pub fn gpu_simulation(mut self, name: &str, simulation: GpuSimulation) -> Self {
        self.cloths.push((name.to_owned(), Member::OnGpu(Box::new(simulation))));
        self
    }

    /// As [`WorldBuilder::build`], on the GPU.
    pub(super) fn build_on_gpu(self) -> Result<World, Error> {
        let Self { settings, collisions, threads, cloths, colliders, bodies, gpu } = self;
        let is_self_colliding = collisions.self_collisions;
        let start = Start {
            settings,
            threads,
            collisions,
            cloths: Vec::new(),
            colliders: Vec::new(),
            bodies: Vec::new(),
        };
        let mut world = World::start(start)?;
        world.device = gpu.map(|gpu| OnGpu { gpu, cloths: Vec::new(), coming: None });
        if is_self_colliding {
            world.refuse_on_device(Feature::SelfCollision)?;
        }
        for (name, member) in cloths {
            match member {
                Member::Cloth(cloth) => world.add_cloth(&name, *cloth)?,
                Member::Simulation(simulation) => world.add_simulation(&name, *simulation)?,
                Member::OnGpu(simulation) => world.add_gpu_simulation(&name, *simulation)?,
            };
        }
        colliders.into_iter().try_for_each(|collider| world.add_collider(collider).map(|_| ()))?;
        bodies.into_iter().try_for_each(|body| world.add_body(body).map(|_| ()))?;
        Ok(world)
    }
}

/// Of worlds on a GPU. The others are always read back, and have nothing to wait for.
impl World {
    /// Adds a cloth that is on a GPU already, under settings of its own, to a world that is
    /// ([`WorldBuilder::gpu`]). Its time becomes the world's. It is read back for that.
    pub fn add_gpu_simulation(&mut self, name: &str, simulation: GpuSimulation) -> Result<ClothId, Error> {
        let Some(device) = &mut self.device else {
            let what = "cloths on a GPU; build it with one, or add what into_simulation makes of it";
            return Err(Error::Unsupported { by: "a world on the CPU", feature: Feature::Method, what });
        };
        let (mut host, mut coming) = simulation.into_parts();
        coming.catch_up(&mut host)?;
        device.coming = Some(coming);
        let added = self.add_simulation(name, host);
        // It is still there if the cloth was refused.
        self.device.iter_mut().for_each(|device| device.coming = None);
        added
    }

    /// Whether everything that is read of the cloths is of now: not if steps have been queued since the last read-back.
    pub fn is_read_back(&self) -> bool {
        self.cloths.iter().all(|(_, cloth)| cloth.check_read("").is_ok())
    }

    /// Waits for the queued steps and brings the states of all cloths back, or of none: then the error says why, and they are
    /// those that were read before. Tells events.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_back(&mut self) -> Result<&WorldReport, Error> {
        let Self { device, cloths, .. } = self;
        let Some(device) = device else { return Ok(&self.report) };
        for ((_, host), cloth) in cloths.iter_mut().zip(&mut device.cloths) {
            cloth.ask_for_present(host)?;
        }
        device.cloths.iter().try_for_each(|cloth| cloth.wait_for_read_back())?;
        self.try_read_back()?;
        Ok(&self.report)
    }

    /// Queues copies of all states as they will be after the steps queued so far. One at a time: while they are on their way,
    /// nothing is queued.
    pub fn begin_read_back(&mut self) -> Result<(), Error> {
        let Self { device, cloths, .. } = self;
        let devices = device.iter_mut().flat_map(|device| &mut device.cloths);
        cloths.iter_mut().zip(devices).try_for_each(|((_, host), cloth)| cloth.begin_read_back(host))
    }

    /// Brings the states that were asked for, if all have arrived; whether they have.
    pub fn try_read_back(&mut self) -> Result<bool, Error> {
        let Self { device, cloths, .. } = self;
        let Some(device) = device else { return Ok(true) };
        // All are looked at before one is taken over.
        for ((_, host), cloth) in cloths.iter().zip(&mut device.cloths) {
            if !cloth.has_arrived(host)? {
                return Ok(false);
            }
        }
        self.take_read_back()?;
        Ok(true)
    }

    /// Goes on on the CPU, from the states that were last read back, where the device was lost, say. Solvers are built before the
    /// next step; cloths collide with each other from then on.
    pub fn leave_gpu(&mut self) {
        if self.device.take().is_none() {
            return;
        }
        for (_, cloth) in &mut self.cloths {
            cloth.come_back(self.threads.clone());
        }
        self.set_out_of_date();
    }

    /// The GPU that the cloths are on, if they are.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.device.as_ref().map(|device| &device.gpu)
    }

    /// Where the particles of a cloth are in the device's memory, for a renderer that shares the device; `None` on the CPU.
    pub fn positions_on_device(&self, id: ClothId) -> Result<Option<DevicePositions<'_>>, Error> {
        let number = self.cloth_ids.number(id)?;
        let cloth = self.device.as_ref().and_then(|device| device.cloths.get(number));
        Ok(cloth.map(|cloth| cloth.positions_on_device(&self.cloths[number].1)))
    }

    /// Queues a step of all cloths, or of none.
    pub(super) fn step_on_device(&mut self) -> Result<&WorldReport, Error> {
        let time = self.time();
        if let Some((name, _)) = self.cloths.iter().find(|(_, cloth)| cloth.now().time != time) {
            return Err(Error::UnequalSettings { cloth: name.clone(), field: "time" });
        }
        let end = self.next_time();
        let Self { device, cloths, .. } = self;
        let Some(device) = device else { return Ok(&self.report) };
        for ((name, host), cloth) in cloths.iter_mut().zip(&mut device.cloths) {
            cloth.prepare(host).map_err(|error| in_cloth(name, error))?;
        }
        for ((name, host), cloth) in cloths.iter_mut().zip(&mut device.cloths) {
            cloth.submit(host).map_err(|error| in_cloth(name, error))?;
        }
        self.clock = end;
        Ok(&self.report)
    }

    /// Takes over what has arrived of all cloths, and tells of it.
    fn take_read_back(&mut self) -> Result<(), Error> {
        let Self { device, cloths, report, events, .. } = self;
        let Some(device) = device else { return Ok(()) };
        report.clear(cloths.len());
        events.clear();
        for (((_, host), cloth), report) in cloths.iter_mut().zip(&mut device.cloths).zip(&mut report.cloths)
        {
            cloth.try_read_back(host)?;
            let happened = cloth.report();
            (report.time, report.steps) = (host.time(), host.steps());
            report.speed_limited = happened.speed_limited > 0;
            report.quarantined.extend(happened.first_contained);
            report.contained = happened.contained;
        }
        self.report.intersections = self.collision_settings.count_intersections.then(|| self.intersections());
        self.tell_events();
        Ok(())
    }

    /// Refuses what there are no kernels for, if the cloths are on a GPU.
    pub(super) fn refuse_on_device(&self, feature: Feature) -> Result<(), Error> {
        let what = match feature {
            _ if self.device.is_none() => return Ok(()),
            Feature::SelfCollision => {
                "collisions: cloths pass through themselves and each other there; say so with self_collisions = false"
            }
            Feature::Collider => "colliders",
            Feature::Body => "rigid bodies",
            _ => "attachments; pin vertices and move them instead",
        };
        Err(Error::Unsupported { by: BACK_END, feature, what })
    }

    /// Lays a cloth that is being added out on the device, if the others are there.
    pub(super) fn lay_out(&mut self, name: &str, host: &mut Simulation) -> Result<(), Error> {
        let Some(device) = &mut self.device else { return Ok(()) };
        let cloth = match device.coming.take() {
            Some(cloth) => {
                host.is_at(host.state.time);
                cloth
            }
            None => DeviceCloth::new(&device.gpu, host).map_err(|error| in_cloth(name, error))?,
        };
        device.cloths.push(cloth);
        Ok(())
    }

    /// Reads a cloth back that is being removed; its host's copy goes on on the CPU.
    pub(super) fn take_off_device(&mut self, number: usize) -> Result<(), Error> {
        let threads = self.threads.clone();
        let Some(device) = &mut self.device else { return Ok(()) };
        let host = &mut self.cloths[number].1;
        #[cfg(not(target_arch = "wasm32"))]
        device.cloths[number].read_back(host)?;
        #[cfg(target_arch = "wasm32")]
        host.check_read("removing a cloth")?;
        device.cloths.remove(number);
        host.come_back(threads);
        Ok(())
    }
}

/// Names the cloth, unless it is the device that failed, for all of them.
fn in_cloth(cloth: &str, error: Error) -> Error {
    match error {
        Error::Gpu(error) => Error::Gpu(error),
        error => Error::InCloth { cloth: cloth.to_owned(), error: Box::new(error) },
    }
}
