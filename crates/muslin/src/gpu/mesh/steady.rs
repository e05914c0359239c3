//! A loop of moving a pin, stepping, reading back and copying positions out takes no memory of ours.
//!
//! wgpu takes memory of its own in every submission, also of this thread. So two things are compared: the loop, and the calls to wgpu
//! that the loop comes to with nothing around them.

use std::sync::{Arc, Mutex};

use glam::DVec3;

use super::DeviceCloth;
use super::memory::{Buffer, NO_STATUS};
use super::read_back::state_bytes;
use super::recorder::Told;
use crate::cloth::Cloth;
use crate::collision::CollisionSettings;
use crate::gpu::{Gpu, GpuOptions};
use crate::mesh::generate;
use crate::simulation::{Settings, Simulation};
use crate::world::World;

const CELLS: usize = 10;
const STEPS: u64 = 30;

fn cloth() -> Cloth {
    Cloth::builder(generate::grid(CELLS, CELLS, 1.0, 1.0).unwrap()).pin(0).pin(5).build().unwrap()
}

/// What a round takes: the least of many, because wgpu's and the allocator's own stores grow now and then.
fn least(mut round: impl FnMut()) -> (u64, u64) {
    (0..10).for_each(|_| round());
    let used = (0..STEPS).map(|_| allocation_counter::measure(&mut round));
    used.map(|used| (used.count_total, used.bytes_total)).min().unwrap_or_default()
}

/// A step and a read-back as calls to wgpu.
fn bare(gpu: &Gpu, mut host: Simulation) -> (u64, u64) {
    let mut cloth = DeviceCloth::new(gpu, &mut host).unwrap();
    cloth.prepare(&mut host).unwrap();
    let DeviceCloth { engine, schedule, lists, .. } = &mut cloth;
    let substeps = host.settings().substeps as usize;
    let bytes = state_bytes(host.cloth().vertex_count() as u32);
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
    let staging = gpu.buffer("bare", bytes, usage);
    let (mut turn, said) = (0, Arc::new(Mutex::new(0u64)));
    least(|| {
        let memory = &engine.memory;
        memory.write_uniforms_by(Buffer::Steps, &lists.steps, &mut lists.bytes);
        memory.write(Buffer::Pins, &lists.pins);
        // No more than dispatches that are bound already are recorded, and that is all that this does.
        let substep = |number| schedule.substep(turn + number, number, Told::default());
        let encoder = engine.encode((0..substeps).flat_map(substep));
        turn += substeps;
        gpu.queue.submit([encoder.finish()]);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let (points, part) =
            (&memory[schedule.starts[turn % 2]], (bytes - size_of_val(&NO_STATUS) as u64) / 3);
        encoder.copy_buffer_to_buffer(points, 0, &staging, 0, part);
        encoder.copy_buffer_to_buffer(&memory[Buffer::Travel], 0, &staging, part, 2 * part);
        encoder.copy_buffer_to_buffer(&memory[Buffer::Status], 0, &staging, 3 * part, bytes - 3 * part);
        encoder.copy_buffer_to_buffer(
            &memory[Buffer::NoStatus],
            0,
            &memory[Buffer::Status],
            0,
            bytes - 3 * part,
        );
        let submission = gpu.queue.submit([encoder.finish()]);
        let (told, number) = (Arc::clone(&said), turn as u64);
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // As much as it is told there.
            assert!(result.is_ok() && number > *told.lock().unwrap());
        });
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        gpu.device.poll(wait).unwrap();
        drop(staging.get_mapped_range(..).unwrap());
        staging.unmap();
    })
}

#[test]
fn a_steady_loop_takes_no_memory_beside_that_of_wgpu() {
    let gpu = Gpu::new(&GpuOptions::default()).unwrap();
    let bare = bare(&gpu, Simulation::at_start(cloth(), Settings::default()).unwrap());
    let collisions = CollisionSettings { self_collisions: false, ..CollisionSettings::default() };
    let builder = World::builder().gpu(&gpu).collisions(collisions).cloth("cloth", cloth());
    let mut world = builder.build().unwrap();
    let id = world.cloth_ids()[0];
    let mut shown = vec![[0.0; 3]; cloth().vertex_count()];
    let mut z = 0.0;
    let whole = least(|| {
        z += 1e-4;
        world.cloth_mut(id).unwrap().move_pin(0, DVec3::new(0.0, 0.0, z)).unwrap();
        world.step().unwrap();
        world.read_back().unwrap();
        world.cloth(id).unwrap().positions_into(&mut shown).unwrap();
    });
    println!("allocations and bytes of a step: {whole:?}, of them wgpu's {bare:?}");
    // Bytes are not compared: wgpu's lists are a little longer or shorter, depending on what it has freed in between.
    assert!(whole.0 <= bare.0, "{whole:?} allocations and bytes, of them wgpu's {bare:?}");
}

/// The parts of that loop that do not call wgpu.
#[test]
fn moving_a_pin_preparing_a_step_and_taking_a_state_over_take_no_memory() {
    let gpu = Gpu::new(&GpuOptions::default()).unwrap();
    let mut host = Simulation::at_start(cloth(), Settings::default()).unwrap();
    let mut cloth = DeviceCloth::new(&gpu, &mut host).unwrap();
    let mut shown = vec![[0.0; 3]; host.cloth().vertex_count()];
    let arrived = vec![0u8; state_bytes(host.cloth().vertex_count() as u32) as usize];
    let mut counts = [u64::MAX; 2];
    for step in 0..3 {
        let before = allocation_counter::measure(|| {
            host.move_pin(0, DVec3::new(0.0, 0.0, 1e-4 * f64::from(step))).unwrap();
            host.add_force(20, glam::Vec3::X).unwrap();
            host.push(21, glam::Vec3::X).unwrap();
            host.set_gravity(glam::Vec3::NEG_Y * f64::from(step) as f32).unwrap();
            cloth.prepare(&mut host).unwrap();
        });
        cloth.submit(&mut host).unwrap();
        cloth.read_back(&mut host).unwrap();
        let now = host.now();
        let after = allocation_counter::measure(|| {
            cloth.receive(&mut host, &arrived, now);
            host.positions_into(&mut shown).unwrap();
        });
        counts = [before.count_total, after.count_total];
    }
    assert_eq!(counts, [0, 0]);
}
