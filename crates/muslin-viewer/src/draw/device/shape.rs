//! What stays of a surface while it moves: triangles, and who is in whose ring.

use std::sync::{Arc, OnceLock};

use glam::Vec3;
use wgpu::TextureFormat;
use wgpu::util::DeviceExt;

use super::kept::Same;
use super::rows::Rows;
use crate::draw::Places;
use crate::draw::smooth::Rings;

/// What a shape was made of.
#[derive(Clone, Debug)]
pub struct ShapeKey {
    pub triangles: Arc<[[u32; 3]]>,
    /// The element of each vertex, if positions come from the device.
    pub elements: Option<Arc<[u32]>>,
    /// How many vertices there are.
    pub count: usize,
    /// Whether it is a solid: it has edges where it is bent sharply.
    pub is_solid: bool,
}

impl ShapeKey {
    /// Of triangles whose vertices are somewhere.
    pub fn new(triangles: &Arc<[[u32; 3]]>, places: &Places, is_solid: bool) -> Self {
        let (elements, count) = match places {
            Places::Host(places) => (None, places.len()),
            Places::Device { elements, .. } => (Some(elements.clone()), elements.len()),
        };
        Self { triangles: triangles.clone(), elements, count, is_solid }
    }
}

impl Same for ShapeKey {
    fn same(&self, other: &Self) -> bool {
        self.triangles.same(&other.triangles)
            && self.elements.same(&other.elements)
            && (self.count, self.is_solid) == (other.count, other.is_solid)
    }
}

/// A shape on the device.
#[derive(Debug)]
pub struct Shape {
    /// Three vertices of each triangle.
    pub indices: wgpu::Buffer,
    /// How many indices.
    pub index_count: u32,
    /// How many vertices are drawn: of a solid, more than it has where it has edges.
    pub vertex_count: usize,
    /// How many elements of positions there are.
    pub elements: usize,
    /// Of each vertex its element and its ring.
    pub rings: Rows,
    /// Of each triangle in a ring the other two.
    pub pairs: Rows,
    triangles: Vec<[u32; 3]>,
    corners: OnceLock<Option<Rows>>,
}

impl Shape {
    /// `None` if there is nothing to draw, or more than the device can. `places` are where vertices were first seen.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, key: &ShapeKey, places: &Places) -> Option<Self> {
        let rings = rings(key, places);
        let count = rings.triangles.len();
        let most = device.limits().max_buffer_size;
        if count == 0 || 12 * count as u64 > most || 8 * rings.vertices.len() as u64 > most {
            return None;
        }
        let indices = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("triangles"),
            contents: bytemuck::cast_slice(&rings.triangles),
            usage: wgpu::BufferUsages::INDEX,
        });
        let elements = rings.vertices.iter().map(|v| v[0] as usize + 1).max().unwrap_or(0);
        Some(Self {
            indices,
            index_count: u32::try_from(3 * count).ok()?,
            vertex_count: rings.vertices.len(),
            elements,
            rings: Rows::of(device, queue, "rings", &rings.vertices, TextureFormat::Rgba32Uint)?,
            pairs: Rows::of(device, queue, "pairs", &rings.pairs, TextureFormat::Rg32Uint)?,
            triangles: rings.triangles,
            corners: OnceLock::new(),
        })
    }

    /// The vertex of each corner as an array, for wireframes; made when it is first asked for.
    pub fn corners(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> Option<&Rows> {
        let corners = self.triangles.as_flattened();
        let make = || Rows::of(device, queue, "corners", corners, TextureFormat::R32Uint);
        self.corners.get_or_init(make).as_ref()
    }
}

/// Triangles with vertices that do not exist are left out.
fn rings(key: &ShapeKey, places: &Places) -> Rings {
    let exists = |t: &&[u32; 3]| t.iter().all(|&v| (v as usize) < key.count);
    let triangles: Vec<[u32; 3]> = key.triangles.iter().filter(exists).copied().collect();
    match places {
        Places::Host(places) if key.is_solid => Rings::of_solid(triangles, places),
        Places::Host(places) => {
            let bits = |place: Vec3| place.to_array().map(f32::to_bits);
            Rings::of_sheet(triangles, key.count, |v| v, |v| bits(places[v as usize]))
        }
        Places::Device { elements, .. } => {
            let element = |v: u32| elements[v as usize];
            Rings::of_sheet(triangles, key.count, element, element)
        }
    }
}
