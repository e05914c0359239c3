//! A loop of moving a pin, stepping, reading back and copying positions out takes no memory of ours.
//!
//! wgpu takes memory of its own in every submission, also of this thread, and not always as much: the whole loop of ten cells a side
//! took 179 allocations on a software adapter, and the same calls to wgpu with nothing around them 178 to 180. So what does not
//! call wgpu is measured here, and that is nothing at all.

use glam::DVec3;

use super::DeviceCloth;
use super::read_back::state_bytes;
use crate::cloth::Cloth;
use crate::gpu::{Gpu, GpuOptions};
use crate::mesh::generate;
use crate::simulation::{Settings, Simulation};

const CELLS: usize = 10;

fn cloth() -> Cloth {
    Cloth::builder(generate::grid(CELLS, CELLS, 1.0, 1.0).unwrap()).pin(0).pin(5).build().unwrap()
}

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
