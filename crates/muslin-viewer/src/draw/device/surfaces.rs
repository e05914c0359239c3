//! All surfaces of a picture: what is new is sent to the device, what is gone is forgotten.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};
use muslin_render::{Bounds, Color};
use wgpu::util::DeviceExt;

use super::image::image;
use super::kept::{Kept, Same};
use super::layouts::Layouts;
use super::pipelines::{Pattern, Pipelines};
use super::rows::Rows;
use super::shape::{Shape, ShapeKey};
use super::surface::{Looks, Maker, Surface};
use crate::draw::frame::linear;
use crate::draw::{Places, Scenery, Sheet, Solid, Weave};

/// What is to be drawn, of cloth and solids alike.
struct Wanted {
    key: ShapeKey,
    places: Places,
    looks: Looks,
    pattern: Pattern,
    flat: Option<Arc<[Vec2]>>,
    values: Option<Arc<[f32]>>,
    image: Option<(Arc<[u8]>, u32)>,
}

/// A surface with its arrays per vertex.
#[derive(Debug)]
pub struct Drawn {
    key: ShapeKey,
    pub surface: Surface,
    pub flat: wgpu::Buffer,
    pub values: wgpu::Buffer,
    pub pattern: Pattern,
    pose: Mat4,
}

/// All surfaces.
#[derive(Debug)]
pub struct Surfaces {
    drawn: Vec<Drawn>,
    shapes: Kept<ShapeKey, Option<Arc<Shape>>>,
    flats: Kept<Arc<[Vec2]>, wgpu::Buffer>,
    values: Kept<Arc<[f32]>, wgpu::Buffer>,
    images: Kept<Arc<[u8]>, wgpu::TextureView>,
    sampler: wgpu::Sampler,
    no_image: wgpu::TextureView,
    no_corners: Rows,
    /// Zeros for what has no flat coordinates or values.
    nothing: wgpu::Buffer,
    padded: Vec<[f32; 4]>,
}

impl Surfaces {
    /// None yet.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("print"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            anisotropy_clamp: 8,
            ..Default::default()
        });
        Self {
            drawn: Vec::new(),
            shapes: Kept::default(),
            flats: Kept::default(),
            values: Kept::default(),
            images: Kept::default(),
            sampler,
            no_image: image(device, queue, 1, &[255; 4]),
            no_corners: Rows::small(device, queue, "no corners", &[0_u32], wgpu::TextureFormat::R32Uint),
            nothing: array(device, "nothing", &[0_u64; 1024], 1024),
            padded: Vec::new(),
        }
    }

    /// What is to be drawn, in its place after `encoder`.
    pub fn update(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        (layouts, pipelines): (&Layouts, &Pipelines),
        scenery: &Scenery,
        wireframe: bool,
    ) {
        let wanted = scenery.sheets.iter().map(of_sheet).chain(scenery.solids.iter().map(of_solid));
        let mut old: Vec<Option<Drawn>> = std::mem::take(&mut self.drawn).into_iter().map(Some).collect();
        for wanted in wanted {
            // The surface of the same shape, or a new one.
            let known = old.iter_mut().find(|d| d.as_ref().is_some_and(|d| d.key.same(&wanted.key)));
            let make = || Shape::new(device, queue, &wanted.key, &wanted.places).map(Arc::new);
            let Some(shape) = self.shapes.get(&wanted.key, make) else { continue };
            let image = wanted.image.as_ref().map_or_else(
                || self.no_image.clone(),
                |(pixels, width)| self.images.get(pixels, || image(device, queue, *width, pixels)),
            );
            let count = shape.vertex_count;
            self.need(device, count);
            let nothing = &self.nothing;
            let flat = wanted.flat.as_ref().map(|f| self.flats.get(f, || array(device, "flat", f, count)));
            let values = wanted.values.as_ref();
            let values = values.map(|v| self.values.get(v, || array(device, "values", v, count)));
            let (flat, values) = [flat, values].map(|b| b.unwrap_or_else(|| nothing.clone())).into();
            let maker =
                Maker { device, queue, layouts, sampler: &self.sampler, no_corners: &self.no_corners };
            let surface = match known.and_then(Option::take) {
                Some(known) => Some(known.surface),
                None => Surface::new(maker, shape, image.clone()),
            };
            let Some(mut surface) = surface else { continue };
            surface.look(maker, wanted.looks, image, wireframe);
            surface.place(queue, encoder, pipelines, &wanted.places, &mut self.padded);
            let (key, pattern, pose) = (wanted.key, wanted.pattern, wanted.looks.pose);
            self.drawn.push(Drawn { key, surface, flat, values, pattern, pose });
        }
        self.age();
    }

    /// What is drawn.
    pub fn iter(&self) -> impl Iterator<Item = &Drawn> {
        self.drawn.iter()
    }

    /// The box around all; `None` if something of it is known to the device alone.
    pub fn bounds(&self) -> Option<Bounds> {
        self.drawn.iter().try_fold(Bounds::default(), |all, drawn| {
            let own = drawn.surface.bounds?;
            if own.is_empty() {
                return Some(all);
            }
            let corner = |i: usize| {
                let pick = |bit: usize, low: f32, high: f32| if i >> bit & 1 == 0 { low } else { high };
                let [a, b] = [own.min, own.max];
                drawn.pose.transform_point3(Vec3::new(
                    pick(0, a.x, b.x),
                    pick(1, a.y, b.y),
                    pick(2, a.z, b.z),
                ))
            };
            Some(all.union(Bounds::of(&std::array::from_fn::<_, 8, _>(corner))))
        })
    }

    /// As many zeros as there are vertices.
    fn need(&mut self, device: &wgpu::Device, count: usize) {
        if self.nothing.size() < 8 * count as u64 {
            self.nothing = array(device, "nothing", &[] as &[u64], count.next_power_of_two());
        }
    }

    fn age(&mut self) {
        self.shapes.age();
        self.flats.age();
        self.values.age();
        self.images.age();
    }
}

/// A vertex buffer of so many values; what is missing is zero.
fn array<T: bytemuck::Pod>(device: &wgpu::Device, label: &str, values: &[T], count: usize) -> wgpu::Buffer {
    let mut values = values[..values.len().min(count)].to_vec();
    values.resize(count.max(1), T::zeroed());
    device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some(label),
        contents: bytemuck::cast_slice(&values),
        usage: wgpu::BufferUsages::VERTEX,
    })
}

fn of_sheet(sheet: &Sheet) -> Wanted {
    let look = &sheet.look;
    let none = Color::rgb(0, 0, 0);
    let (weave, second, scale) = match look.weave {
        Weave::Plain => (0, none, 1.0),
        Weave::Threads(per_metre) => (1, none, per_metre),
        Weave::Twill(per_metre) => (2, none, per_metre),
        Weave::Gingham(color, period) => (3, color, 1.0 / period.max(1e-6)),
        Weave::Stripes(color, period) => (4, color, 1.0 / period.max(1e-6)),
        Weave::Image { period, .. } => (5, none, 1.0 / period.max(1e-6)),
    };
    let image = match &look.weave {
        Weave::Image { width, pixels, .. } => Some((pixels.clone(), *width)),
        _ => None,
    };
    let share = |v: f32| v.clamp(0.0, 1.0);
    let has_flat = sheet.flat.len() >= 3;
    let looks = Looks {
        pose: Mat4::IDENTITY,
        front: linear(look.front),
        sheen: share(look.sheen),
        back: linear(look.back),
        gloss: share(look.gloss),
        second: linear(second),
        translucency: share(look.translucency),
        scale,
        is_marked: 0,
        unused: [0; 2],
    };
    let pattern = match (&sheet.values, has_flat) {
        (Some(_), _) => Pattern::Values,
        (None, true) => Pattern::Weave(weave),
        (None, false) => Pattern::Weave(0),
    };
    Wanted {
        key: ShapeKey::new(&sheet.triangles, &sheet.places, false),
        places: sheet.places.clone(),
        looks,
        pattern,
        flat: has_flat.then(|| sheet.flat.clone()),
        values: sheet.values.clone(),
        image,
    }
}

fn of_solid(solid: &Solid) -> Wanted {
    let color = linear(solid.color);
    let looks = Looks {
        pose: Mat4::from_rotation_translation(solid.pose.rotation.normalize(), solid.pose.translation),
        front: color,
        sheen: 0.08,
        back: color,
        gloss: 0.35,
        second: Vec3::ZERO,
        translucency: 0.0,
        scale: 1.0,
        is_marked: u32::from(solid.is_marked),
        unused: [0; 2],
    };
    let places = Places::Host(solid.vertices.clone());
    let key = ShapeKey::new(&solid.triangles, &places, true);
    Wanted { key, places, looks, pattern: Pattern::Weave(0), flat: None, values: None, image: None }
}
