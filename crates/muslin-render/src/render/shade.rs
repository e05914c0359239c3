//! The colour of what is seen at a place in the picture.

use glam::{Vec2, Vec3, Vec4};

use super::band::{NOTHING, Sample};
use super::ground::Floor;
use super::key_light::{self, KeyLight};
use super::pattern;
use super::sky_light::SkyLight;
use super::surface::{Surface, Triangle};
use super::view::View;
use crate::{Light, RenderError, RenderMesh, RenderScene};

/// How much of the light that a fold keeps away comes back from the fold itself.
const BOUNCE: f32 = 0.45;
/// Width and strength of the soft highlight.
const HIGHLIGHT_POWER: i32 = 14;
const HIGHLIGHT: f32 = 0.07;
/// Light above this is compressed, so that bright cloth keeps its shading.
const KNEE: f32 = 0.72;

/// Everything that the colour of a place depends on.
pub(super) struct Shader<'a> {
    pub view: &'a View,
    surface: &'a Surface,
    /// Whether a triangle is seen from behind.
    back: Vec<bool>,
    meshes: &'a [RenderMesh],
    /// Front, back and pattern of each mesh as amounts of light.
    colors: Vec<[Vec3; 3]>,
    key: KeyLight,
    key_color: Vec3,
    ambient: f32,
    /// Light from the sky on the front and back of each vertex, and the hidden share.
    sky: Vec<[Vec4; 2]>,
    floor: Option<Floor>,
    background: [Vec3; 2],
    up: Vec3,
}

/// A point of the surface that is seen.
struct Hit {
    point: Vec3,
    /// The normal of unit length, towards the eye.
    normal: Vec3,
    /// From the point to the eye, of unit length.
    to_eye: Vec3,
    /// Light from the sky on this side and on the other, and the hidden share.
    sky: [Vec4; 2],
    color: Vec3,
    translucency: f32,
    sheen: f32,
}

impl<'a> Shader<'a> {
    pub fn new(scene: &'a RenderScene, surface: &'a Surface, view: &'a View) -> Result<Self, RenderError> {
        let up = scene
            .up
            .try_normalize()
            .ok_or(RenderError::Scene("the scene's up direction is zero or not finite"))?;
        let light = &scene.light;
        let numbers = [light.strength, light.ambient, light.radius_degrees];
        if !numbers.iter().all(|v| (0.0..=80.0).contains(v)) {
            return Err(RenderError::Scene(
                "strength, ambient and radius_degrees of the light must be from 0 to 80",
            ));
        }
        let over_shoulder = || Light::over_shoulder(view.right, view.forward, up);
        let toward = light.toward.unwrap_or_else(over_shoulder).try_normalize();
        let toward =
            toward.ok_or(RenderError::Scene("the direction towards the light is zero or not finite"))?;
        if scene.ground.is_some_and(|g| !g.height.is_finite()) {
            return Err(RenderError::Scene("the height of the ground is not finite"));
        }

        let key = KeyLight::new(surface, toward, light.radius_degrees, view.detail(key_light::SIZE));
        let sky = SkyLight::new(surface, up);
        let on_floor = [light.ambient, light.strength * toward.dot(up).max(0.0)];
        let floor = scene
            .ground
            .map(|ground| Floor::new(&ground, surface, view, (&sky, on_floor[0]), (&key, on_floor[1])));
        let colors = |m: &RenderMesh| {
            [m.front, m.back, m.pattern.as_ref().map_or(m.front, |p| p.color)].map(|c| c.linear())
        };
        let back = surface.triangles.iter().map(|t| {
            let [a, b, c] = t.vertices.map(|v| surface.positions[v as usize]);
            (b - a).cross(c - a).dot(view.eye - a) < 0.0
        });
        Ok(Self {
            view,
            surface,
            back: back.collect(),
            meshes: &scene.meshes,
            colors: scene.meshes.iter().map(colors).collect(),
            key,
            key_color: light.strength * light.color.linear(),
            ambient: light.ambient,
            sky: sky.on_vertices(surface),
            floor,
            background: [scene.background.horizon.linear(), scene.background.top.linear()],
            up,
        })
    }

    /// The colour where no triangle is seen.
    pub fn behind(&self, place: Vec2) -> Vec3 {
        let ray = self.view.ray(place);
        let height = ray.dot(self.up) / ray.length();
        let [horizon, top] = self.background;
        let rise = ((height + 0.1) / 0.4).clamp(0.0, 1.0);
        let background = horizon.lerp(top, rise * rise * (3.0 - 2.0 * rise));
        let hit = self.floor.as_ref().and_then(|floor| Some((floor, floor.hit(self.view.eye, ray)?)));
        hit.map_or(background, |(floor, point)| floor.color(point, background))
    }

    /// Whether two samples see so nearly the same that they share a shading: neighbours on a
    /// smooth surface, from the same side.
    pub fn alike(&self, first: u32, second: u32) -> bool {
        if first == second || first == NOTHING || second == NOTHING {
            return first == second;
        }
        let (first, second) = (first as usize, second as usize);
        let [a, b] = [first, second].map(|t| &self.surface.triangles[t].vertices);
        self.back[first] == self.back[second] && a.iter().any(|v| b.contains(v))
    }

    /// The colour of a triangle, seen by samples of a pixel that are [alike](Self::alike).
    pub fn triangle(&self, number: u32, samples: &[Sample]) -> Vec3 {
        let middle = samples.iter().map(|s| s.place).sum::<Vec2>() / samples.len() as f32;
        let triangle = &self.surface.triangles[number as usize];
        let corners = triangle.vertices.map(|v| v as usize);
        let ray = self.view.ray(middle);
        let (points, weights) = self.meet(triangle, ray);
        let point = mix(points, weights);
        let below =
            self.floor.as_ref().is_some_and(|f| f.hides(point) && f.hit(self.view.eye, ray).is_some());
        if below {
            return self.behind(middle);
        }

        let to_eye = -ray.normalize();
        let back = self.back[number as usize];
        let normal = mix(corners.map(|v| self.surface.normals[v]), weights).normalize_or(to_eye);
        let normal = facing(if back { -normal } else { normal }, to_eye);
        let [front_sky, back_sky] = [0, 1].map(|side| mix(corners.map(|v| self.sky[v][side]), weights));
        let sky = if back { [back_sky, front_sky] } else { [front_sky, back_sky] };
        let mesh = &self.meshes[triangle.mesh as usize];
        let color = self.color(triangle.mesh as usize, back, samples);
        let (translucency, sheen) = (mesh.translucency.clamp(0.0, 1.0), mesh.sheen.clamp(0.0, 1.0));
        compress(self.light(&Hit { point, normal, to_eye, sky, color, translucency, sheen }))
    }

    /// The mean colour of a mesh over samples. Patterns are finer than light, so that every sample
    /// counts.
    fn color(&self, mesh: usize, back: bool, samples: &[Sample]) -> Vec3 {
        let [front, rear, second] = self.colors[mesh];
        let plain = if back { rear } else { front };
        let Some(pattern) = &self.meshes[mesh].pattern else { return plain };
        let share_at = |sample: &Sample| {
            let triangle = &self.surface.triangles[sample.triangle as usize];
            let (_, weights) = self.meet(triangle, self.view.ray(sample.place));
            pattern::share(pattern, mix(triangle.coordinates, weights))
        };
        plain.lerp(second, samples.iter().map(share_at).sum::<f32>() / samples.len() as f32)
    }

    /// Light that leaves a point towards the eye.
    fn light(&self, hit: &Hit) -> Vec3 {
        let toward = self.key.toward;
        let facing_light = hit.normal.dot(toward);
        let key = self.key_color * self.key.reaching(hit.point, hit.normal);
        let sky = |side: Vec4| self.ambient * (side.truncate() + BOUNCE * side.w * hit.color);
        let reflected = key * facing_light.max(0.0) + sky(hit.sky[0]);
        let transmitted = key * (-facing_light).max(0.0) + sky(hit.sky[1]);
        let t = hit.translucency;
        let diffuse = hit.color * (reflected * (1.0 - 0.5 * t) + transmitted * t);

        let grazing = (1.0 - hit.normal.dot(hit.to_eye)).clamp(0.0, 1.0);
        let rim = grazing * grazing * grazing * hit.sheen;
        let fibres = hit.color.lerp(Vec3::ONE, 0.15);
        let half = (toward + hit.to_eye).normalize_or(toward);
        let highlight = hit.normal.dot(half).max(0.0).powi(HIGHLIGHT_POWER) * facing_light.clamp(0.0, 1.0);
        diffuse
            + rim * 0.5 * fibres * reflected
            + HIGHLIGHT * highlight * key * hit.color.lerp(Vec3::ONE, 0.5)
    }

    /// The corners of a triangle, and their weights where a ray from the eye meets it, or next to
    /// there. Differences are taken first: products of the distances themselves would lose small
    /// triangles in rounding.
    fn meet(&self, triangle: &Triangle, ray: Vec3) -> ([Vec3; 3], [f32; 3]) {
        let points = triangle.vertices.map(|v| self.surface.positions[v as usize]);
        let (along, across) = (points[1] - points[0], points[2] - points[0]);
        let (from, normal) = (self.view.eye - points[0], ray.cross(across));
        let inverse = 1.0 / along.dot(normal);
        let second = from.dot(normal) * inverse;
        let third = ray.dot(from.cross(along)) * inverse;
        if !(second.is_finite() && third.is_finite()) {
            // Seen edge-on.
            return (points, [1.0 / 3.0; 3]);
        }
        let weights = [1.0 - second - third, second, third].map(|w| w.clamp(0.0, 1.0));
        let sum = weights[0] + weights[1] + weights[2];
        (points, weights.map(|w| w / sum))
    }
}

fn mix<T: Copy + std::ops::Mul<f32, Output = T> + std::ops::Add<Output = T>>(
    [a, b, c]: [T; 3],
    w: [f32; 3],
) -> T {
    a * w[0] + b * w[1] + c * w[2]
}

/// A smooth normal may point away from the eye at an outline; it is bent back to be seen edge-on.
fn facing(normal: Vec3, to_eye: Vec3) -> Vec3 {
    let away = normal.dot(to_eye).min(0.0);
    (normal - 1.001 * away * to_eye).normalize_or(to_eye)
}

fn compress(light: Vec3) -> Vec3 {
    let room = 1.0 - KNEE;
    Vec3::from(
        light
            .to_array()
            .map(|v| if v <= KNEE { v } else { KNEE + room * (1.0 - (-(v - KNEE) / room).exp()) }),
    )
}
