//! Measures the renderer alone: `cargo run -p muslin-viewer --example draw_speed [CELLS [FRAMES]]`; a cloth has 2 × CELLS² triangles.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use glam::{Vec2, Vec3};
use muslin_render::Color;
use muslin_viewer::draw::{Ground, Look, Options, Places, Renderer, Scenery, Sheet, View, Weave};
use wgpu::util::DeviceExt;

/// A cloth that waves.
fn places(cells: usize, time: f32) -> Vec<Vec3> {
    let at = |i: usize| i as f32 / cells as f32 - 0.5;
    let place = |y: usize, x: usize| {
        let (x, y) = (at(x), at(y));
        Vec3::new(1.6 * x, 0.5 + 0.1 * (9.0 * x + 4.0 * y + time).sin() * (1.0 - y), 1.2 * y)
    };
    (0..=cells).flat_map(|y| (0..=cells).map(move |x| place(y, x))).collect()
}

fn triangles(cells: usize) -> Arc<[[u32; 3]]> {
    let cell = |y: usize, x: usize| {
        let a = (y * (cells + 1) + x) as u32;
        let b = a + cells as u32 + 1;
        [[a, b, a + 1], [a + 1, b, b + 1]]
    };
    (0..cells).flat_map(|y| (0..cells).flat_map(move |x| cell(y, x))).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|n| n.parse::<usize>());
    let cells = numbers.next().transpose()?.unwrap_or(100);
    let frames = numbers.next().transpose()?.unwrap_or(30);
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::PRIMARY;
    let instance = wgpu::Instance::new(descriptor);
    let wanted = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..Default::default()
    };
    let adapter = pollster::block_on(instance.request_adapter(&wanted))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
    println!("{}, {} triangles, 1280 x 720", adapter.get_info().name, 2 * cells * cells);

    let start = places(cells, 0.0);
    let look = Look {
        front: Color::rgb(176, 42, 48),
        back: Color::rgb(226, 205, 176),
        weave: Weave::Threads(300.0),
        sheen: 0.4,
        gloss: 0.3,
        translucency: 0.15,
    };
    let sheet = Sheet {
        triangles: triangles(cells),
        flat: start.iter().map(|p| Vec2::new(p.x, p.z)).collect(),
        places: Places::Host(start.clone().into()),
        look,
        values: None,
    };
    let ground = Some(Ground { height: 0.0, color: Color::rgb(222, 220, 216) });
    let mut scenery = Scenery { up: Vec3::Y, sheets: vec![sheet], solids: vec![], ground, marks: vec![] };
    let view = View {
        eye: Vec3::new(0.9, 1.4, 2.2),
        target: Vec3::new(0.0, 0.4, 0.0),
        up: Vec3::Y,
        fov_degrees: 35.0,
    };
    let moments: Vec<Arc<[Vec3]>> = (0..4).map(|i| places(cells, 0.3 * i as f32).into()).collect();
    let elements: Vec<[f32; 4]> = start.iter().map(|p| [p.x, p.y, p.z, 0.0]).collect();
    let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("simulated"),
        contents: bytemuck::cast_slice(&elements),
        usage: wgpu::BufferUsages::COPY_SRC,
    });
    let on_device =
        Places::Device { buffer, elements: (0..start.len() as u32).collect(), offset: Vec3::ZERO };

    // Of all threads, which a software device has: what it takes while the machine is busy otherwise. In ticks of 10 ms, on Linux.
    let cpu = || -> Option<f64> {
        let text = std::fs::read_to_string("/proc/self/stat").ok()?;
        let mut fields = text.rsplit(')').next()?.split_whitespace().skip(11);
        Some(10.0 * (fields.next()?.parse::<f64>().ok()? + fields.next()?.parse::<f64>().ok()?))
    };
    let mut renderer = Renderer::new(&device, &queue);
    for (soft_light, wireframe, is_on_device) in
        [(false, false, false), (false, true, false), (true, false, false), (true, false, true)]
    {
        let options = Options { wireframe, marks: true, dark: false, soft_light };
        let mut times = Vec::new();
        let mut cpu_before = None;
        for frame in 0..frames + 2 {
            if frame == 2 {
                cpu_before = cpu();
            }
            scenery.sheets[0].places =
                if is_on_device { on_device.clone() } else { Places::Host(moments[frame % 4].clone()) };
            let begin = Instant::now();
            renderer.draw(&scenery, &view, &options, [1280, 720]);
            let encoded = begin.elapsed();
            device.poll(wgpu::PollType::wait_indefinitely())?;
            times.push((begin.elapsed().as_secs_f64() * 1e3, encoded.as_secs_f64() * 1e3));
        }
        let cpu = cpu().zip(cpu_before).map_or(f64::NAN, |(after, before)| (after - before) / frames as f64);
        let first = times[0].0;
        times.drain(..2);
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (all, host) = times[times.len() / 2];
        let from = if is_on_device { "device" } else { "host" };
        println!(
            "soft light {soft_light}, wireframe {wireframe}, positions from the {from}: {all:.2} ms \
             ({host:.2} until submitted; all threads {cpu:.0} ms; first {first:.0} ms)"
        );
    }
    Ok(())
}
