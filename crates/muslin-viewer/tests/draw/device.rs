//! A device, and pictures from it.

use muslin_render::Picture;
use muslin_viewer::draw::{Options, Renderer, Scenery, View};

/// Soft light in a light surrounding, and nothing else.
pub const OPTIONS: Options = Options { wireframe: false, marks: true, dark: false, soft_light: true };
/// Pixels.
pub const SIZE: [u32; 2] = [240, 160];

/// A device of what a program is sure to have in browsers with WebGL2: no storage buffers, no compute, small textures.
pub fn device() -> (wgpu::Device, wgpu::Queue) {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    // Not OpenGL, to which wgpu would go over without a word.
    descriptor.backends = wgpu::Backends::PRIMARY;
    let instance = wgpu::Instance::new(descriptor);
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    let adapter = adapter.expect("these tests need a GPU or mesa-vulkan-drivers");
    let descriptor = wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits::downlevel_webgl2_defaults(),
        ..Default::default()
    };
    pollster::block_on(adapter.request_device(&descriptor)).expect("a device")
}

/// A renderer on a device of its own.
pub struct Studio {
    pub device: wgpu::Device,
    pub renderer: Renderer,
}

impl Studio {
    pub fn new() -> Self {
        let (device, queue) = device();
        Self { renderer: Renderer::new(&device, &queue), device }
    }

    /// A picture as it would be saved.
    pub fn picture(&mut self, scenery: &Scenery, view: &View, options: &Options) -> Shot {
        let mut pending = self.renderer.picture(scenery, view, options, SIZE);
        self.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        let picture = pending.try_take().expect("it has arrived");
        assert_eq!([picture.width, picture.height], SIZE);
        Shot { picture, view: *view }
    }
}

/// A picture whose places are known.
pub struct Shot {
    pub picture: Picture,
    pub view: View,
}

impl Shot {
    /// Where a point of the scenery is, in pixels.
    pub fn pixel(&self, point: [f32; 3]) -> [u32; 2] {
        let aspect = SIZE[0] as f32 / SIZE[1] as f32;
        let at = self.view.project(point.into(), aspect).expect("in front of the camera");
        [(at.x * SIZE[0] as f32) as u32, (at.y * SIZE[1] as f32) as u32]
    }

    /// The colour of a point of the scenery, 0 to 255.
    pub fn at(&self, point: [f32; 3]) -> [f32; 3] {
        let [x, y] = self.pixel(point);
        self.picture.pixel(x, y).expect("within the picture").map(f32::from)
    }

    /// How bright a point of the scenery is, 0 to 255.
    pub fn brightness(&self, point: [f32; 3]) -> f32 {
        brightness(self.at(point))
    }
}

/// How bright a colour is.
pub fn brightness([red, green, blue]: [f32; 3]) -> f32 {
    0.3 * red + 0.6 * green + 0.1 * blue
}

/// The mean difference of two pictures' bytes, and the largest.
pub fn difference(a: &Picture, b: &Picture) -> (f64, u8) {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let (a, b) = (a.pixels.as_flattened(), b.pixels.as_flattened());
    let all = || a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
    (all().map(f64::from).sum::<f64>() / a.len() as f64, all().max().unwrap_or(0))
}
