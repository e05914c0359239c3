//! Pictures on their way back from the device.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use muslin_render::Picture;

/// A picture on its way back from the device.
#[derive(Debug)]
pub struct PendingPicture {
    device: wgpu::Device,
    /// `None` once it has been taken, or cannot come.
    buffer: Option<wgpu::Buffer>,
    size: [u32; 2],
    has_arrived: Arc<AtomicBool>,
}

impl PendingPicture {
    /// Of a texture of RGBA bytes.
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue, texture: &wgpu::Texture) -> Self {
        let size = [texture.width(), texture.height()];
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(row(size[0])) * u64::from(size[1]),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row(size[0])),
            rows_per_image: None,
        };
        let into = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), into, texture.size());
        queue.submit([encoder.finish()]);
        let has_arrived = Arc::new(AtomicBool::new(false));
        let arrives = has_arrived.clone();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            arrives.store(result.is_ok(), Ordering::Release);
        });
        Self { device: device.clone(), buffer: Some(buffer), size, has_arrived }
    }

    /// The picture, once it has arrived; once only. Never waits.
    pub fn try_take(&mut self) -> Option<Picture> {
        // What goes wrong here is heard of by the device's handlers.
        let _ = self.device.poll(wgpu::PollType::Poll);
        if !self.has_arrived.load(Ordering::Acquire) {
            return None;
        }
        let buffer = self.buffer.take()?;
        let bytes = buffer.get_mapped_range(..).ok()?;
        let [width, height] = self.size;
        let rows = bytes.chunks_exact(row(width) as usize);
        let pixels = rows.flat_map(|row| row.as_chunks::<4>().0[..width as usize].iter());
        let pixels = pixels.map(|&[r, g, b, _]| [r, g, b]).collect();
        Some(Picture { width, height, pixels })
    }
}

/// Bytes of a row in a buffer, which come in multiples of 256.
fn row(width: u32) -> u32 {
    (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
