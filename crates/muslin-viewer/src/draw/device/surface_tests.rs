//! Vertices as the pass over them leaves them, read back.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::*;
use crate::draw::device::image::image;
use crate::draw::device::kept::Kept;
use crate::draw::device::shape::ShapeKey;

fn device() -> (wgpu::Device, wgpu::Queue) {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::PRIMARY;
    let instance = wgpu::Instance::new(descriptor);
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    let adapter = adapter.expect("these tests need a GPU or mesa-vulkan-drivers");
    pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default())).expect("a device")
}

/// The texels of vertices, as `vertices.wgsl` packs them: place, normal, bulge.
fn unpacked([x, y, z, rest]: [u32; 4]) -> (Vec3, Vec3, f32) {
    let at = Vec2::new((rest & 4095) as f32, (rest >> 12 & 4095) as f32) / 2047.5 - 1.0;
    let up = 1.0 - at.x.abs() - at.y.abs();
    let below = (-up).max(0.0);
    let normal = Vec3::new(at.x - below.copysign(at.x), at.y - below.copysign(at.y), up);
    let place = Vec3::new(f32::from_bits(x), f32::from_bits(y), f32::from_bits(z));
    (place, normal.normalize(), ((rest >> 24) as f32 / 8.0 - 26.0).exp2())
}

/// The vertices of a cloth.
fn vertices(triangles: &[[u32; 3]], places: Vec<Vec3>) -> Vec<(Vec3, Vec3, f32)> {
    let (device, queue) = device();
    let layouts = Layouts::new(&device);
    let pipelines = Pipelines::new(&device, &layouts);
    let places = Places::Host(places.into());
    let key = ShapeKey::new(&triangles.into(), &places, false);
    let shape = Kept::default().get(&key, || Shape::new(&device, &queue, &key, &places).map(Arc::new)).unwrap();
    let no_corners = Rows::small(&device, &queue, "none", &[0_u32], wgpu::TextureFormat::R32Uint);
    let sampler = device.create_sampler(&wgpu::SamplerDescriptor::default());
    let make = Maker {
        device: &device,
        queue: &queue,
        layouts: &layouts,
        sampler: &sampler,
        no_corners: &no_corners,
    };
    let mut surface = Surface::new(make, shape, image(&device, &queue, 1, &[255; 4])).unwrap();
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    surface.place(&queue, &mut encoder, &pipelines, &places, &mut Vec::new());
    let size = surface.vertices.texture.size();
    let row = (16 * size.width).next_multiple_of(256);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * size.height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    let into = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(surface.vertices.texture.as_image_copy(), into, size);
    queue.submit([encoder.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let bytes = buffer.get_mapped_range(..).unwrap();
    let texels: Vec<u32> = bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)).collect();
    let rows = texels.chunks((row / 4) as usize).flat_map(|r| &r.as_chunks::<4>().0[..size.width as usize]);
    rows.take(surface.shape.vertex_count).map(|&texel| unpacked(texel)).collect()
}

#[test]
fn normals_of_a_sphere_are_exact_to_a_tenth_of_a_degree() {
    // 2,562 vertices: more than a row.
    let mesh = muslin::mesh::generate::sphere(0.4, 4).unwrap();
    let center = Vec3::new(0.3, 1.0, -2.0);
    let places: Vec<Vec3> = mesh.positions.iter().map(|p| *p + center).collect();
    let found = vertices(&mesh.triangles, places.clone());
    assert_eq!(found.len(), places.len());
    let edge = mesh.triangles.iter().map(|t| {
        let [a, b] = [t[0], t[1]].map(|v| places[v as usize]);
        a.distance(b)
    });
    let edge = edge.sum::<f32>() / mesh.triangles.len() as f32;
    for ((place, normal, bulge), expected) in found.iter().zip(&places) {
        assert_eq!(place, expected);
        let angle = normal.angle_between(*expected - center).to_degrees();
        assert!(angle < 0.1, "{angle}");
        // Neighbours at a distance d on a sphere are d² / 2r below the tangent plane.
        let sagitta = edge * edge / 0.8;
        assert!((0.6..1.6).contains(&(bulge / sagitta)), "{bulge} instead of {sagitta}");
    }
}

#[test]
fn normals_are_smooth_over_a_seam() {
    // A tube whose first and last column are at the same places.
    let (columns, rows) = (24, 4);
    let at = |i: u32| {
        let (sin, cos) = ((i % columns) as f32 / columns as f32 * TAU).sin_cos();
        Vec3::new(cos, 0.0, -sin)
    };
    let places: Vec<Vec3> = (0..=rows)
        .flat_map(|y| (0..=columns).map(move |x| at(x) + 0.3 * y as f32 * Vec3::Y))
        .collect();
    let cell = |y: u32, x: u32| {
        let a = y * (columns + 1) + x;
        let b = a + columns + 1;
        [[a, a + 1, b], [a + 1, b + 1, b]]
    };
    let triangles: Vec<[u32; 3]> =
        (0..rows).flat_map(|y| (0..columns).flat_map(move |x| cell(y, x))).collect();
    let found = vertices(&triangles, places);
    for y in 1..rows {
        let row = &found[(y * (columns + 1)) as usize..][..=columns as usize];
        for (x, (_, normal, _)) in row.iter().enumerate() {
            let angle = normal.angle_between(at(x as u32)).to_degrees();
            assert!(angle < 0.1, "column {x}: {angle}");
        }
        assert_eq!(row[0], row[columns as usize]);
    }
}
