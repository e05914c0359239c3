//! Images that are printed on cloth.

use glam::Vec4;

/// An image on the device, with smaller and smaller versions for the distance. One grey pixel if `pixels` are not rows of `width`.
pub fn image(device: &wgpu::Device, queue: &wgpu::Queue, width: u32, pixels: &[u8]) -> wgpu::TextureView {
    let most = device.limits().max_texture_dimension_2d;
    let row = 4 * width as usize;
    let fits = row > 0 && !pixels.is_empty() && pixels.len() % row == 0;
    let height = if fits { pixels.len() / row } else { 0 };
    let mut level = if fits && height < 1 << 24 {
        Level { width, height: height as u32, pixels: pixels.to_vec() }
    } else {
        Level { width: 1, height: 1, pixels: vec![128, 128, 128, 255] }
    };
    while level.width.max(level.height) > most {
        level = level.halved();
    }
    let count = level.width.max(level.height).ilog2() + 1;
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("image"),
        size: level.extent(),
        mip_level_count: count,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for mip_level in 0..count {
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * level.width),
            rows_per_image: None,
        };
        let part = wgpu::TexelCopyTextureInfo {
            texture: &texture,
            mip_level,
            origin: wgpu::Origin3d::ZERO,
            aspect: wgpu::TextureAspect::All,
        };
        queue.write_texture(part, &level.pixels, layout, level.extent());
        level = level.halved();
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// An image of RGBA bytes, sRGB.
struct Level {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Level {
    fn extent(&self) -> wgpu::Extent3d {
        wgpu::Extent3d { width: self.width, height: self.height, depth_or_array_layers: 1 }
    }

    /// Half as wide and high. Pixels are averaged as amounts of light, with a square for the curve of sRGB.
    fn halved(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let at = |x: u32, y: u32| {
            let (x, y) = (x.min(self.width - 1) as usize, y.min(self.height - 1) as usize);
            let first = 4 * (y * self.width as usize + x);
            let v = Vec4::from_array([0, 1, 2, 3].map(|i| f32::from(self.pixels[first + i])));
            v * v
        };
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (2 * x, 2 * y))).flat_map(|(x, y)| {
            let sum = at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1);
            (0.25 * sum).to_array().map(|v| v.sqrt().round() as u8)
        });
        Self { width, height, pixels: pixels.collect() }
    }
}
