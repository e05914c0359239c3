//! The renderer: a scene and a camera in, a picture out.
//!
//! ```text
//! surface (normals, refined) ─► depth maps ─► light from the sky per vertex, light on the floor
//! bands of rows: which triangle each sample sees ─► one shading per smooth patch and pixel
//! ```
//!
//! Light is gathered from depth maps seen from many directions instead of random rays: no noise,
//! and every stage is the same for any number of threads.

mod band;
mod clip;
mod depth_map;
mod floor_light;
mod ground;
mod key_light;
mod pattern;
mod refine;
mod scan;
mod shade;
mod sky_light;
mod surface;
mod view;

use rayon::prelude::*;

use crate::picture::check_size;
use crate::{Camera, Picture, RenderError, RenderScene};
use band::Bands;
use shade::Shader;
use surface::Surface;
use view::View;

/// The most samples along a side of a pixel.
const MOST_SAMPLES: u32 = 4;

/// How large and how fine a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Samples along each side of a pixel, 1 to 4: 3 is 9 samples per pixel.
    pub samples: u32,
}

impl Default for RenderOptions {
    /// 960 × 720 pixels of 3 × 3 samples.
    fn default() -> Self {
        Self { width: 960, height: 720, samples: 3 }
    }
}

impl RenderOptions {
    /// Width over height.
    pub fn aspect(&self) -> f32 {
        self.width as f32 / self.height.max(1) as f32
    }

    fn check(&self) -> Result<(), RenderError> {
        check_size(self.width, self.height)?;
        if !(1..=MOST_SAMPLES).contains(&self.samples) {
            return Err(RenderError::Samples { samples: self.samples, most: MOST_SAMPLES });
        }
        Ok(())
    }
}

/// Draws a scene.
///
/// Triangles at points that are not finite are left out; an empty scene is a picture of the
/// background.
pub fn render(scene: &RenderScene, camera: &Camera, options: &RenderOptions) -> Result<Picture, RenderError> {
    options.check()?;
    let view = View::new(camera, options)?;
    let surface = Surface::new(scene)?;
    let shader = Shader::new(scene, &surface, &view)?;
    let bands = Bands::new(&surface, &view);

    let (width, height) = (options.width, options.height);
    let mut pixels = vec![[0u8; 3]; width as usize * height as usize];
    pixels
        .par_chunks_mut(width as usize * band::ROWS)
        .enumerate()
        .for_each(|(band, rows)| bands.draw(band, &shader, rows));
    Ok(Picture { width, height, pixels })
}
