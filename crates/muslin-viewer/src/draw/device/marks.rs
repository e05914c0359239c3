//! Marks on the device: an instance each.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::draw::{Mark, MarkKind};

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Instance {
    place: Vec3,
    kind: u32,
}

/// The marks of a picture, in a buffer that grows.
#[derive(Debug, Default)]
pub struct Marks {
    buffer: Option<wgpu::Buffer>,
    count: u32,
}

impl Marks {
    /// Takes the marks of a picture; more than a million are not drawn.
    pub fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, marks: &[Mark]) {
        let instance = |mark: &Mark| Instance { place: mark.place, kind: number(mark.kind) };
        // What matters most is drawn last.
        let mut instances: Vec<Instance> = marks.iter().take(1 << 20).map(instance).collect();
        instances.sort_by_key(|mark| if mark.kind == 1 { 0 } else { mark.kind + 1 });
        self.count = instances.len() as u32;
        let bytes: &[u8] = bytemuck::cast_slice(&instances);
        if bytes.is_empty() {
            return;
        }
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < bytes.len() as u64) {
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("marks"),
                size: (bytes.len() as u64).next_power_of_two(),
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        if let Some(buffer) = &self.buffer {
            queue.write_buffer(buffer, 0, bytes);
        }
    }

    /// The instances and how many there are, if there are any.
    pub fn get(&self) -> Option<(&wgpu::Buffer, u32)> {
        self.buffer.as_ref().filter(|_| self.count > 0).map(|buffer| (buffer, self.count))
    }
}

/// As in `shaders/marks.wgsl`.
fn number(kind: MarkKind) -> u32 {
    match kind {
        MarkKind::Pin => 0,
        MarkKind::Contact => 1,
        MarkKind::Hold => 2,
        MarkKind::Pointer => 3,
    }
}
