//! Worlds on the GPU: what is read when, states to come back to, what is refused, and devices that belong to a program.
#![cfg(feature = "gpu")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::{DQuat, DVec3, Vec3};
use muslin::cloth::{Cloth, Curve};
use muslin::collision::{Collider, CollisionSettings, Shape};
use muslin::gpu::{Gpu, GpuError, GpuSimulation, wgpu};
use muslin::mesh::generate;
use muslin::solver::{Impulses, SolverConfig};
use muslin::{
    Anchor, ClothId, Error, Event, Feature, FixedStep, Hold, Settings, Simulation, Strength, World,
};

use super::gpu_driven::{gpu, hanging, settings, world_of};

fn on_gpu() -> (World, ClothId) {
    world_of(hanging(), settings(), Some(&gpu()))
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step().unwrap();
    }
}

fn hash(world: &mut World, id: ClothId) -> u64 {
    world.read_back().unwrap();
    world.cloth(id).unwrap().state_hash()
}

#[test]
fn what_is_read_is_of_the_last_read_back_and_both_ways_of_it_are_the_same() {
    let (mut world, id) = on_gpu();
    assert!(world.is_read_back());
    steps(&mut world, 3);
    assert!(!world.is_read_back() && (world.time() - 0.03).abs() < 1e-12);
    assert_eq!(world.cloth(id).unwrap().time(), 0.0);
    world.begin_read_back().unwrap();
    steps(&mut world, 1);
    while !world.try_read_back().unwrap() {}
    assert!(!world.is_read_back(), "a step has been queued since");
    assert!((world.cloth(id).unwrap().time() - 0.03).abs() < 1e-12);
    let third = world.cloth(id).unwrap().positions();
    let report = world.read_back().unwrap();
    assert!((report.cloths[0].time - 0.04).abs() < 1e-12);
    assert!(world.is_read_back() && !world.try_read_back().unwrap(), "there is nothing to wait for");
    // Between the last two states that were read.
    let mut shown = vec![[0.0; 3]; third.len()];
    let cloth = world.cloth(id).unwrap();
    for (share, expected) in [(0.0, third), (1.0, cloth.positions())] {
        cloth.positions_between_into(share, &mut shown).unwrap();
        assert!(shown.iter().zip(&expected).all(|(a, b)| Vec3::from_array(*a).distance(*b) < 1e-6));
    }
    let mut clock = FixedStep::new();
    assert_eq!(clock.advance(0.025, &world), 2);
}

#[test]
fn a_saved_world_goes_on_with_the_same_bits_also_with_other_pins_and_pushes_that_wait() {
    let (mut world, id) = on_gpu();
    steps(&mut world, 4);
    world.cloth_mut(id).unwrap().pin(80).unwrap();
    steps(&mut world, 2);
    world.read_back().unwrap();
    world.cloth_mut(id).unwrap().push(70, Vec3::new(0.0, 0.0, 2e-3)).unwrap();
    world.cloth_mut(id).unwrap().add_force(60, Vec3::new(0.0, 0.0, 0.1)).unwrap();
    world.set_gravity(Vec3::new(1.0, -8.0, 0.0)).unwrap();
    world.cloth_mut(id).unwrap().move_pin(80, DVec3::new(0.5, 0.6, 0.1)).unwrap();
    let saved = world.save();
    steps(&mut world, 5);
    let expected = hash(&mut world, id);
    world.cloth_mut(id).unwrap().release(80).unwrap();
    world.set_gravity(Vec3::ZERO).unwrap();
    let new = world.add_cloth("another", hanging()).unwrap();
    steps(&mut world, 3);
    world.restore(&saved).unwrap();
    assert!((world.time() - saved.time()).abs() < 1e-15 && world.cloth(new).is_err());
    steps(&mut world, 5);
    assert_eq!(hash(&mut world, id), expected);
    // What is not known cannot be saved.
    steps(&mut world, 1);
    let not_known = world.save();
    assert!(matches!(world.restore(&not_known), Err(Error::NotReadBack { .. })));
}

#[test]
fn what_only_the_cpu_does_is_refused_by_name_and_changes_nothing() {
    let of = |error: Option<Error>| match error {
        Some(Error::Unsupported { feature, .. }) => Some(feature),
        other => panic!("{other:?}"),
    };
    let builder = || World::builder().gpu(&gpu()).settings(settings()).cloth("cloth", hanging());
    let error = builder().build().err();
    assert!(error.as_ref().unwrap().to_string().contains("self_collisions = false"));
    assert_eq!(of(error), Some(Feature::SelfCollision));
    let (mut world, id) = on_gpu();
    let ball = || Collider::new("ball", Shape::Sphere { center: Vec3::ZERO, radius: 0.1 });
    assert_eq!(of(world.add_collider(ball()).err()), Some(Feature::Collider));
    let collisions = CollisionSettings { self_collisions: false, ..CollisionSettings::default() };
    let with_ball = builder().collisions(collisions).collider(ball()).build();
    assert_eq!(of(with_ball.err()), Some(Feature::Collider));
    let mut elsewhere = World::builder().collider(ball()).build().unwrap();
    let anchor = Anchor::Collider(elsewhere.collider_ids()[0]);
    assert_eq!(of(world.attach(id, &[3], anchor, Strength::Weld).err()), Some(Feature::Attachment));
    let simulation = GpuSimulation::new(&gpu(), hanging(), settings()).unwrap();
    assert_eq!(of(elsewhere.add_gpu_simulation("cloth", simulation).err()), Some(Feature::Method));
    steps(&mut world, 2);
    let cloth = world.cloth_mut(id).unwrap();
    assert_eq!(of(cloth.hold(Hold::vertex(3, DVec3::ZERO, 1.0)).err()), Some(Feature::Hold));
    assert_eq!(
        of(cloth.set_solver(SolverConfig::Impulses(Impulses::default())).err()),
        Some(Feature::Method)
    );
    let closed = Cloth::builder(generate::sphere(0.2, 2).unwrap()).build().unwrap();
    let mut ball = GpuSimulation::new(&gpu(), closed, settings()).unwrap();
    assert_eq!(of(ball.set_pressure(Some(Curve::from(1.0))).err()), Some(Feature::Pressure));
    ball.step().unwrap();
    let error = cloth.teleport(DQuat::IDENTITY, DVec3::X);
    assert_eq!(error, Err(Error::NotReadBack { what: "a teleport" }));
    assert!(matches!(cloth.step(), Err(Error::State { .. })), "its world steps it");
    let mut other = on_gpu();
    steps(&mut other.0, 2);
    assert_eq!(hash(&mut world, id), hash(&mut other.0, other.1));
}

#[test]
fn cloths_come_and_go_and_a_lost_device_leaves_them_to_the_cpu() {
    let gpu = gpu();
    let (mut world, first) = world_of(hanging(), settings(), Some(&gpu));
    steps(&mut world, 2);
    let mut simulation = GpuSimulation::new(&gpu, hanging(), settings()).unwrap();
    (0..2).for_each(|_| simulation.step().unwrap()); // its time is the world's
    let second = world.add_gpu_simulation("second", simulation).unwrap();
    let on_cpu = Simulation::new(hanging(), settings()).unwrap();
    let third = world.add_simulation("third", on_cpu).unwrap();
    steps(&mut world, 2);
    let mut removed = world.remove_cloth(first).unwrap();
    assert!((removed.time() - 0.04).abs() < 1e-12);
    removed.step().unwrap();
    world.read_back().unwrap();
    let (time, kept) = (world.time(), world.cloth(second).unwrap().snapshot());
    gpu.break_for_test();
    let error = (0..3).find_map(|_| world.step().map(drop).and_then(|()| world.read_back().map(drop)).err());
    assert!(matches!(error, Some(Error::Gpu(GpuError::Lost { .. }))), "{error:?}");
    assert_eq!(world.cloth(second).unwrap().snapshot(), kept);
    assert!(world.positions_on_device(third).unwrap().is_some());
    world.leave_gpu();
    assert_eq!((world.time(), world.gpu().is_none()), (time, true));
    // They collide from now on, and hang in the same place.
    world.remove_cloth(third).unwrap();
    steps(&mut world, 1);
    assert_eq!(world.cloth(second).unwrap().steps(), kept.steps + 2);
}

#[test]
fn what_happened_on_the_device_is_told_when_it_is_read_back() {
    let settings = Settings { bounds: 2.0, max_speed: 1e6, ..settings() };
    let (mut world, id) = world_of(hanging(), settings, Some(&gpu()));
    world.watch_strain(Some(0.2)).unwrap();
    let mass = world.cloth(id).unwrap().cloth().masses()[40] as f32;
    world.cloth_mut(id).unwrap().push(40, Vec3::Z * 1e5 * mass).unwrap();
    steps(&mut world, 2);
    // Pins that change have the state read in passing: nothing that happened is lost by it.
    world.cloth_mut(id).unwrap().pin(100).unwrap();
    steps(&mut world, 1);
    assert!(world.events().is_empty());
    let report = world.read_back().unwrap();
    assert!(report.cloths[0].contained > 0);
    let quarantined = |event: &Event| matches!(event, Event::Quarantined { cloth, .. } if *cloth == id);
    assert!(world.events().iter().any(quarantined), "{:?}", world.events());
}

/// A device as a renderer opens it.
fn opened(limits: wgpu::Limits) -> (wgpu::Device, wgpu::Queue) {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter =
        pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).unwrap();
    let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
    pollster::block_on(adapter.request_device(&descriptor)).unwrap()
}

#[test]
fn a_renderer_s_device_is_shared_and_its_handlers_stay_its_own() {
    let (device, queue) = opened(wgpu::Limits::default());
    let [errors, losses] = [(); 2].map(|()| Arc::new(AtomicU32::new(0)));
    let [wrong, lost] = [&errors, &losses].map(Arc::clone);
    device.on_uncaptured_error(Arc::new(move |_| {
        wrong.fetch_add(1, Ordering::SeqCst);
    }));
    device.set_device_lost_callback(move |_, _| {
        lost.fetch_add(1, Ordering::SeqCst);
    });
    let gpu = Gpu::from_device(device.clone(), queue.clone()).unwrap();
    let (mut world, id) = world_of(hanging(), settings(), Some(&gpu));
    steps(&mut world, 3);
    // As a renderer would: on its own queue, without reading back.
    let shown = world.positions_on_device(id).unwrap().unwrap();
    let places: Vec<u32> = shown.places().collect();
    let (bytes, origin) = (16 * places.len() as u64, shown.origin);
    assert!(shown.buffer.usage().contains(wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE));
    let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
    let descriptor = wgpu::BufferDescriptor { label: None, size: bytes, usage, mapped_at_creation: false };
    let copy = device.create_buffer(&descriptor);
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(shown.buffer, 0, &copy, 0, bytes);
    queue.submit([encoder.finish()]);
    copy.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let seen = copy.get_mapped_range(..).unwrap().to_vec();
    world.read_back().unwrap();
    for (place, expected) in places.iter().zip(world.cloth(id).unwrap().places()) {
        let number = |k: usize| {
            let at = 16 * *place as usize + 4 * k;
            f64::from(f32::from_le_bytes(seen[at..at + 4].try_into().unwrap()))
        };
        assert_eq!(origin + DVec3::new(number(0), number(1), number(2)), expected);
    }
    let (mut own, same) = on_gpu();
    steps(&mut own, 3);
    assert_eq!(hash(&mut own, same), hash(&mut world, id));
    // Errors of the program's go where they always did, ours do not.
    assert_eq!(errors.load(Ordering::SeqCst), 0);
    let nonsense = wgpu::BufferDescriptor { usage: wgpu::BufferUsages::empty(), ..descriptor };
    let _ = device.create_buffer(&nonsense);
    assert_eq!(errors.load(Ordering::SeqCst), 1);
    gpu.break_for_test();
    let error = (0..3).find_map(|_| world.step().map(drop).and_then(|()| world.read_back().map(drop)).err());
    assert!(matches!(error, Some(Error::Gpu(GpuError::Lost { .. }))), "{error:?}");
    assert_eq!((errors.load(Ordering::SeqCst), losses.load(Ordering::SeqCst)), (1, 1));
}

#[test]
fn a_device_without_what_kernels_need_is_refused_by_the_name_of_the_limit() {
    let (device, queue) = opened(wgpu::Limits::downlevel_defaults());
    let error = Gpu::from_device(device, queue).err();
    let expected = GpuError::Limit { limit: "maxStorageBuffersPerShaderStage", needed: 8, available: 4 };
    assert_eq!(error, Some(expected));
}
