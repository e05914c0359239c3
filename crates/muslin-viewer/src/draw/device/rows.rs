//! Arrays as textures, for devices whose shaders read no storage buffers: values laid into rows, one texel each.

use bytemuck::Pod;

/// Texels in a row; as in shaders (`ROW_BITS`). No device allows less.
pub const ROW: u32 = 2048;

/// An array in a texture.
#[derive(Debug)]
pub struct Rows {
    pub texture: wgpu::Texture,
    pub view: wgpu::TextureView,
    count: u32,
}

impl Rows {
    /// Room for so many values; `None` if the device has no textures of that size.
    pub fn new(
        device: &wgpu::Device,
        label: &str,
        count: usize,
        format: wgpu::TextureFormat,
        usage: wgpu::TextureUsages,
    ) -> Option<Self> {
        let most = device.limits().max_texture_dimension_2d as usize * ROW as usize;
        let count = u32::try_from(count).ok().filter(|&count| count as usize <= most)?;
        Some(Self::make(device, label, count, format, usage))
    }

    fn make(
        device: &wgpu::Device,
        label: &str,
        count: u32,
        format: wgpu::TextureFormat,
        usage: wgpu::TextureUsages,
    ) -> Self {
        let (width, height) = (count.clamp(1, ROW), count.div_ceil(ROW).max(1));
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some(label),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: usage | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { texture, view, count }
    }

    /// An array of these values, each as large as a texel.
    pub fn of<T: Pod>(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        label: &str,
        values: &[T],
        format: wgpu::TextureFormat,
    ) -> Option<Self> {
        let rows = Self::new(device, label, values.len(), format, wgpu::TextureUsages::COPY_DST)?;
        rows.write(queue, values);
        Some(rows)
    }

    /// A few values, for which every device has room.
    pub fn small<T: Pod>(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        label: &str,
        values: &[T],
        format: wgpu::TextureFormat,
    ) -> Self {
        let values = &values[..values.len().min(ROW as usize)];
        let rows = Self::make(device, label, values.len() as u32, format, wgpu::TextureUsages::COPY_DST);
        rows.write(queue, values);
        rows
    }

    /// Writes values from the beginning; what does not fit is left out.
    pub fn write<T: Pod>(&self, queue: &wgpu::Queue, values: &[T]) {
        for (y, width, height) in self.blocks(values.len()) {
            let first = (y * ROW) as usize;
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(width * size_of::<T>() as u32),
                rows_per_image: None,
            };
            let part = bytemuck::cast_slice(&values[first..first + (width * height) as usize]);
            queue.write_texture(self.part(y), part, layout, extent(width, height));
        }
    }

    /// Copies texels from the beginning of a buffer of the device.
    pub fn copy(&self, encoder: &mut wgpu::CommandEncoder, buffer: &wgpu::Buffer, texel: u32) {
        for (y, width, height) in self.blocks((buffer.size() / u64::from(texel)) as usize) {
            let layout = wgpu::TexelCopyBufferLayout {
                offset: u64::from(y * ROW) * u64::from(texel),
                bytes_per_row: (height > 1).then_some(ROW * texel),
                rows_per_image: None,
            };
            let source = wgpu::TexelCopyBufferInfo { buffer, layout };
            encoder.copy_buffer_to_texture(source, self.part(y), extent(width, height));
        }
    }

    /// The full rows of the first values, and the rest of them: the first row, how many texels and how many rows.
    fn blocks(&self, count: usize) -> impl Iterator<Item = (u32, u32, u32)> {
        let count = u32::try_from(count).unwrap_or(u32::MAX).min(self.count);
        let full = count / ROW;
        [(0, ROW, full), (full, count % ROW, 1)].into_iter().filter(|&(_, width, height)| width * height > 0)
    }

    fn part(&self, y: u32) -> wgpu::TexelCopyTextureInfo<'_> {
        let origin = wgpu::Origin3d { x: 0, y, z: 0 };
        wgpu::TexelCopyTextureInfo {
            texture: &self.texture,
            mip_level: 0,
            origin,
            aspect: wgpu::TextureAspect::All,
        }
    }
}

fn extent(width: u32, height: u32) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}
