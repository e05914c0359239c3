//! A finished picture.

use crate::RenderError;

/// The most pixels along a side.
pub(crate) const MAX_SIDE: u32 = 8192;

/// Pixels as sRGB bytes, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `width` × `height` pixels: red, green, blue.
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// The picture as a PNG file.
    pub fn to_png(&self) -> Result<Vec<u8>, RenderError> {
        self.check()?;
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(file)
    }

    /// Pixel (x, y), or `None` outside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let inside = x < self.width && y < self.height;
        inside.then(|| self.pixels.get(y as usize * self.width as usize + x as usize).copied()).flatten()
    }

    pub(crate) fn check(&self) -> Result<(), RenderError> {
        let (width, height, pixels) = (self.width, self.height, self.pixels.len());
        check_size(width, height)?;
        if pixels != width as usize * height as usize {
            return Err(RenderError::PixelCount { pixels, width, height });
        }
        Ok(())
    }
}

pub(crate) fn check_size(width: u32, height: u32) -> Result<(), RenderError> {
    if (1..=MAX_SIDE).contains(&width) && (1..=MAX_SIDE).contains(&height) {
        return Ok(());
    }
    Err(RenderError::Size { width, height, most: MAX_SIDE })
}
