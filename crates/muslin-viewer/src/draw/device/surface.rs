//! A surface on the device: where it is now, how it looks, and how it is drawn.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};
use muslin_render::Bounds;

use super::layouts::{Layouts, bind};
use super::pipelines::{Pipelines, VERTEX};
use super::rows::Rows;
use super::shape::Shape;
use crate::draw::Places;

/// `Surface` in `shaders/surface.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Looks {
    pub pose: Mat4,
    pub front: Vec3,
    pub sheen: f32,
    pub back: Vec3,
    pub gloss: f32,
    pub second: Vec3,
    pub translucency: f32,
    pub scale: f32,
    pub is_marked: u32,
    pub unused: [u32; 2],
}

/// `Spread` in `shaders/vertices.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Spread {
    offset: Vec3,
    count: u32,
}

/// A surface.
#[derive(Debug)]
pub struct Surface {
    pub shape: Arc<Shape>,
    /// The box around positions of the host.
    pub bounds: Option<Bounds>,
    /// What is bound to draw it.
    pub bound: wgpu::BindGroup,
    /// Whether `bound` has the corners that a wireframe needs.
    pub is_wired: bool,
    image: wgpu::TextureView,
    looks: wgpu::Buffer,
    known_looks: Option<Looks>,
    /// Positions, and a texel of each vertex made of them.
    places: Rows,
    vertices: Rows,
    spread: wgpu::Buffer,
    spreading: wgpu::BindGroup,
    /// The host's positions that `vertices` were made of.
    known: Option<Arc<[Vec3]>>,
}

/// What surfaces are made with.
#[derive(Clone, Copy, Debug)]
pub struct Maker<'a> {
    pub device: &'a wgpu::Device,
    pub queue: &'a wgpu::Queue,
    pub layouts: &'a Layouts,
    pub sampler: &'a wgpu::Sampler,
    /// An array that is bound where no wireframe is drawn.
    pub no_corners: &'a Rows,
}

impl Maker<'_> {
    fn uniform<T>(&self, label: &str) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: size_of::<T>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    /// What is bound to draw a surface.
    fn bound(
        &self,
        looks: &wgpu::Buffer,
        vertices: &Rows,
        image: &wgpu::TextureView,
        corners: Option<&Rows>,
    ) -> wgpu::BindGroup {
        let corners = corners.unwrap_or(self.no_corners);
        let resources = [
            looks.as_entire_binding(),
            wgpu::BindingResource::TextureView(&vertices.view),
            wgpu::BindingResource::TextureView(image),
            wgpu::BindingResource::Sampler(self.sampler),
            wgpu::BindingResource::TextureView(&corners.view),
        ];
        bind(self.device, "surface", &self.layouts.surface, &resources)
    }
}

impl Surface {
    /// A surface of a shape, nowhere yet; `None` if the device cannot hold it.
    pub fn new(make: Maker<'_>, shape: Arc<Shape>, image: wgpu::TextureView) -> Option<Self> {
        let usage = wgpu::TextureUsages::COPY_DST;
        let format = wgpu::TextureFormat::Rgba32Float;
        let places = Rows::new(make.device, "places", shape.elements, format, usage)?;
        // Tests read it back.
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let vertices = Rows::new(make.device, "vertices", shape.vertex_count, VERTEX, usage)?;
        let (looks, spread) = (make.uniform::<Looks>("looks"), make.uniform::<Spread>("spread"));
        let resources = [
            spread.as_entire_binding(),
            wgpu::BindingResource::TextureView(&places.view),
            wgpu::BindingResource::TextureView(&shape.rings.view),
            wgpu::BindingResource::TextureView(&shape.pairs.view),
        ];
        let spreading = bind(make.device, "vertices", &make.layouts.vertices, &resources);
        let bound = make.bound(&looks, &vertices, &image, None);
        let (bounds, known, known_looks, is_wired) = (None, None, None, false);
        Some(Self {
            shape,
            bounds,
            bound,
            is_wired,
            image,
            looks,
            known_looks,
            places,
            vertices,
            spread,
            spreading,
            known,
        })
    }

    /// Takes other looks, another image, or corners for a wireframe.
    pub fn look(&mut self, make: Maker<'_>, looks: Looks, image: wgpu::TextureView, wired: bool) {
        if self.known_looks != Some(looks) {
            make.queue.write_buffer(&self.looks, 0, bytemuck::bytes_of(&looks));
            self.known_looks = Some(looks);
        }
        let wire = wired && !self.is_wired;
        if wire || self.image != image {
            self.is_wired |= wire;
            let corners = if self.is_wired { self.shape.corners(make.device, make.queue) } else { None };
            self.is_wired = corners.is_some();
            self.bound = make.bound(&self.looks, &self.vertices, &image, corners);
            self.image = image;
        }
    }

    /// Puts vertices where they are now. What has not moved since is not touched.
    pub fn place(
        &mut self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &Pipelines,
        places: &Places,
        padded: &mut Vec<[f32; 4]>,
    ) {
        let mut spread = Spread { offset: Vec3::ZERO, count: self.shape.vertex_count as u32 };
        match places {
            Places::Host(places) => {
                if self.known.as_ref().is_some_and(|known| Arc::ptr_eq(known, places)) {
                    return;
                }
                padded.clear();
                padded.extend(places.iter().map(|p| [p.x, p.y, p.z, 0.0]));
                self.places.write(queue, padded);
                self.bounds = Some(Bounds::of(places));
                self.known = Some(places.clone());
            }
            Places::Device { buffer, offset, .. } => {
                self.places.copy(encoder, buffer, 16);
                spread.offset = *offset;
                (self.known, self.bounds) = (None, None);
            }
        }
        queue.write_buffer(&self.spread, 0, bytemuck::bytes_of(&spread));
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("vertices"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.vertices.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&pipelines.vertices);
        pass.set_bind_group(0, &self.spreading, &[]);
        pass.draw(0..3, 0..1);
    }

    /// Draws its triangles.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(1, &self.bound, &[]);
        pass.set_index_buffer(self.shape.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..self.shape.index_count, 0, 0..1);
    }

    /// Draws its wireframe, if it has one.
    pub fn draw_wire(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.is_wired {
            pass.set_bind_group(1, &self.bound, &[]);
            pass.draw(0..self.shape.index_count, 0..1);
        }
    }
}

#[cfg(test)]
#[path = "surface_tests.rs"]
mod tests;
