//! From a scene that was read to one that is simulated and drawn.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use muslin::collision::{ColliderMotion, Shape};
use muslin::gpu::{Gpu, GpuSimulation, multilevel};
use muslin::rigid::RigidShape;
use muslin::{Threads, World};
use muslin_io::scene::{Backend, Scene};
use muslin_render::Bounds as Box3;
use toml_edit::DocumentMut;

use super::super::open::OpenedScene;
use super::super::{Bounds, GpuShare, Thing, ThingKind};
use super::past::Past;
use super::{SheetBase, SolidBase, Stage, looks};
use crate::draw::{Ground, View};

/// How far from the cloth colliders and bodies are still framed, relative to its size.
const ROOM: f32 = 1.5;

/// The least cosine of the angle between a plane's normal and upwards for the plane to be the ground.
const LEVEL: f32 = 0.9999;

/// How a stage is built.
#[derive(Clone, Debug)]
pub struct StageOptions {
    /// Threads that steps run on; 0 means as the scene says.
    pub threads: usize,
    /// What scenes are simulated on whose back end is a GPU.
    pub gpu: Option<GpuShare>,
    /// The most memory for states to rewind to, bytes.
    pub rewind_bytes: usize,
    /// How far back rewinding goes at the most, seconds.
    pub rewind_seconds: f64,
}

impl Stage {
    /// Builds a scene. The error is what to tell a user.
    pub fn new(opened: OpenedScene, options: &StageOptions) -> Result<Self, String> {
        let (mut world, device) = build_world(&opened.scene, options)?;
        if options.threads > 0 {
            let threads = Threads::shared(options.threads)
                .map_err(|error| format!("{} threads cannot be had: {error}", options.threads))?;
            world.set_threads(threads);
        }
        let is_on_device = device.is_some() && !opened.scene.is_multilevel();
        let runs_on = device.unwrap_or_else(|| match world.threads().count() {
            1 => "CPU, 1 thread".to_owned(),
            count => format!("CPU, {count} threads"),
        });
        let origin = world.cloths().first().map_or(DVec3::ZERO, |(_, cloth)| cloth.origin());
        let start = world.save();
        let things = things(&world, &opened);
        let past = Past::new(&world, options.rewind_bytes, options.rewind_seconds);
        let mut stage = Self {
            sheets: sheets(&world, &opened),
            solids: solids(&world, opened.scene.up.direction()),
            bounds: Bounds { center: Vec3::ZERO, radius: 1.0 },
            view: view(&opened.scene, origin),
            things: things.into(),
            notice: None,
            ground: None,
            hands: Vec::new(),
            fan: None,
            own_pins: Vec::new(),
            edition: 0,
            proven: None,
            opened,
            world,
            origin,
            runs_on,
            is_on_device,
            device: is_on_device.then(Default::default),
            start,
            past,
        };
        stage.frame();
        stage.find_elements();
        Ok(stage)
    }

    /// Measures how much there is to see, and puts the ground there.
    fn frame(&mut self) {
        let up = self.up();
        let of_cloths = self.host_positions().iter().fold(Box3::default(), |all, p| all.union(Box3::of(p)));
        let room = ROOM * (of_cloths.max - of_cloths.min).max_element();
        let near = Box3 { min: of_cloths.min - room, max: of_cloths.max + room };
        let mut all = of_cloths;
        for number in 0..self.solids.len() {
            let Some(places) = self.solid_places(number) else { continue };
            let part = Box3::of(&places);
            let part = Box3 { min: part.min.max(near.min), max: part.max.min(near.max) };
            all = if part.is_empty() { all } else { all.union(part) };
        }
        if all.is_empty() {
            return;
        }
        let (middle, radius) = (0.5 * (all.min + all.max), (0.5 * (all.max - all.min).length()).max(1e-3));
        let plane = (0..self.solids.len()).filter(|&i| self.solids[i].is_ground);
        let plane = plane.filter_map(|i| Some(self.plane(i)?.0.dot(up))).reduce(f32::max);
        let lowest = if all.min.dot(up) < all.max.dot(up) { all.min.dot(up) } else { all.max.dot(up) };
        // Cloth that hangs on pins swings down as far as it is large.
        let hangs =
            self.world.cloths().iter().all(|(_, cloth)| cloth.cloth().pinned_vertices().next().is_some());
        let reach = match hangs && self.world.settings().gravity != Vec3::ZERO {
            true => {
                let highest = of_cloths.max.dot(up).max(of_cloths.min.dot(up));
                lowest.min(highest - 1.02 * (of_cloths.max - of_cloths.min).max_element())
            }
            false => lowest,
        };
        let height = plane.unwrap_or(reach - 0.1 * radius);
        self.ground = Some(Ground { height, color: looks::GROUND });
        self.bounds = Bounds { center: middle, radius };
    }

    /// What is up.
    pub fn up(&self) -> Vec3 {
        self.opened.scene.up.direction()
    }
}

/// The world of a scene, and the device's name if it is on one.
fn build_world(scene: &Scene, options: &StageOptions) -> Result<(World, Option<String>), String> {
    let on_cpu = || scene.build_world().map_err(|error| error.to_string());
    let share = match (scene.solver.backend, &options.gpu) {
        (Backend::Cpu, _) | (Backend::Auto, None) => return Ok((on_cpu()?, None)),
        (Backend::Gpu, None) => {
            return Err(
                "this scene wants to be simulated on a GPU (backend = \"gpu\"), and there is none here; \
                        with backend = \"cpu\" it runs on the processor"
                    .to_owned(),
            );
        }
        (_, Some(share)) => share,
    };
    match (build_on_gpu(scene, share), scene.solver.backend) {
        (Ok(world), _) => Ok((world, Some(format!("GPU, {}", share.name)))),
        (Err(_), Backend::Auto) => Ok((on_cpu()?, None)),
        (Err(problem), _) => Err(problem),
    }
}

fn build_on_gpu(scene: &Scene, share: &GpuShare) -> Result<World, String> {
    scene.check_gpu().map_err(|error| error.to_string())?;
    let gpu = Gpu::from_device(share.device.clone(), share.queue.clone())
        .map_err(|error| format!("{} cannot simulate: {error}", share.name))?;
    if scene.is_multilevel() {
        let world = scene.build_world_with(|cloth, settings| multilevel(&gpu, cloth, settings));
        return world.map_err(|error| error.to_string());
    }
    let first = scene.cloths.first().map(|first| scene.settings(first, Backend::Gpu)).unwrap_or_default();
    let mut world = World::builder().gpu(&gpu).settings(first).collisions(scene.collision.clone());
    for (number, built) in scene.build().map_err(|error| error.to_string())?.into_iter().enumerate() {
        let settings = scene.settings(&scene.cloths[number], Backend::Gpu);
        let simulation = GpuSimulation::new(&gpu, built.cloth, settings)
            .map_err(|error| scene.explain_gpu(number, &error).to_string())?;
        world = world.gpu_simulation(&built.name, simulation);
    }
    world.build().map_err(|error| scene.explain_gpu(0, &error).to_string())
}

fn view(scene: &Scene, origin: DVec3) -> Option<View> {
    scene.camera.map(|camera| View {
        eye: (camera.eye - origin).as_vec3(),
        target: (camera.target - origin).as_vec3(),
        up: camera.up,
        fov_degrees: camera.fov_degrees,
    })
}

/// The names of fabrics, in the order of the cloths: materials do not know them any more.
fn fabrics(text: &str, count: usize) -> Vec<Option<String>> {
    let document: DocumentMut = text.parse().unwrap_or_default();
    let fabric = |i: usize| {
        let cloths = document.get("cloth")?;
        let table = cloths.as_array_of_tables().and_then(|tables| tables.get(i));
        let inline = || cloths.as_array()?.get(i)?.as_inline_table()?.get("fabric")?.as_str();
        let name = table.and_then(|table| table.get("fabric")?.as_str()).or_else(inline);
        name.map(str::to_owned)
    };
    (0..count).map(fabric).collect()
}

fn sheets(world: &World, opened: &OpenedScene) -> Vec<SheetBase> {
    let fabrics = fabrics(&opened.text, world.cloths().len());
    let sheet = |(number, (_, cloth)): (usize, &(String, muslin::Simulation))| {
        let shown = cloth.shown_mesh();
        SheetBase {
            triangles: shown.triangles.into(),
            flat: looks::flat(cloth, &shown).into(),
            look: looks::of_cloth(number, fabrics[number].as_deref()),
            elements: None,
            levels: None,
        }
    };
    world.cloths().iter().enumerate().map(sheet).collect()
}

fn solids(world: &World, up: Vec3) -> Vec<SolidBase> {
    let colliders = world.colliders().iter().map(|collider| {
        let of_mesh = if let Shape::Mesh(mesh) = &collider.shape { mesh.origin } else { DVec3::ZERO };
        let offset = collider.origin + of_mesh;
        let at_rest = muslin::collision::Collider { motion: ColliderMotion::Fixed, ..collider.clone() };
        let mesh = at_rest.surface_mesh_from(offset, 0.0).unwrap_or_default();
        let is_ground = match &collider.shape {
            Shape::Plane { normal, .. } => normal.dot(up) > LEVEL,
            _ => false,
        };
        SolidBase {
            triangles: mesh.triangles.into(),
            vertices: mesh.positions.into(),
            color: looks::COLLIDER,
            offset,
            time: matches!(collider.motion, ColliderMotion::Sequence { .. }).then_some(f64::NAN),
            is_ground,
        }
    });
    let bodies = world.bodies().iter().enumerate().map(|(number, body)| {
        let mesh = body.surface_mesh();
        SolidBase {
            triangles: mesh.triangles.as_slice().into(),
            vertices: mesh.positions.as_slice().into(),
            color: looks::of_body(number),
            offset: DVec3::ZERO,
            time: None,
            is_ground: false,
        }
    });
    colliders.chain(bodies).collect()
}

fn things(world: &World, opened: &OpenedScene) -> Vec<Thing> {
    let fabrics = fabrics(&opened.text, world.cloths().len());
    let cloths = world.cloths().iter().zip(fabrics).map(|((name, cloth), fabric)| {
        let triangles = grouped(cloth.cloth().triangles().len());
        let fabric = fabric.unwrap_or_else(|| format!("{} kg/m²", cloth.cloth().material().density));
        let about = format!("{triangles} triangles, {fabric}, {}", method(&cloth.settings().solver));
        Thing { kind: ThingKind::Cloth, name: name.clone(), about }
    });
    let colliders = world.colliders().iter().map(|collider| {
        let about = match &collider.shape {
            Shape::Plane { .. } => "a plane".to_owned(),
            Shape::Sphere { radius, .. } => format!("a ball of {radius} m radius"),
            Shape::Capsule { radius, .. } => format!("a capsule of {radius} m radius"),
            Shape::Mesh(mesh) => format!("{} triangles", grouped(mesh.triangles.len())),
            _ => String::new(),
        };
        Thing { kind: ThingKind::Collider, name: collider.name.clone(), about }
    });
    let bodies = world.bodies().iter().map(|body| {
        let what = match &body.description().shape {
            RigidShape::Sphere { .. } => "a ball".to_owned(),
            RigidShape::Box { .. } => "a box".to_owned(),
            _ => format!("{} triangles", grouped(body.surface_mesh().triangles.len())),
        };
        let about = format!("{what}, {:.3} kg", body.mass());
        Thing { kind: ThingKind::Body, name: body.name().to_owned(), about }
    });
    cloths.chain(colliders).chain(bodies).collect()
}

/// The name of a method, in words.
fn method(solver: &muslin::solver::SolverConfig) -> &'static str {
    use muslin::solver::SolverConfig;
    match solver {
        SolverConfig::ShapeMatching(_) => "shape matching",
        SolverConfig::RadialMatching(_) => "radial shape matching",
        SolverConfig::PositionBased(_) => "position-based dynamics",
        SolverConfig::Impulses(_) => "impulses",
        SolverConfig::Multilevel(_) => "multilevel cloth",
        _ => "another solver",
    }
}

/// A number with its digits in groups of three.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Stage {
    /// Where the vertices of cloths on a device are in its buffers.
    pub(super) fn find_elements(&mut self) {
        if !self.is_on_device {
            return;
        }
        for (id, sheet) in self.world.cloth_ids().iter().zip(&mut self.sheets) {
            let positions = self.world.positions_on_device(*id).ok().flatten();
            sheet.elements = positions.map(|positions| positions.places().collect::<Vec<u32>>().into());
        }
    }

    /// The same `Arc`s as those of a stage that this one replaces, where they are equal: what is on the GPU stays there.
    pub fn share_with(&mut self, other: &Self) {
        for (own, other) in self.sheets.iter_mut().zip(&other.sheets) {
            share(&mut own.triangles, &other.triangles);
            share(&mut own.flat, &other.flat);
        }
        for (own, other) in self.solids.iter_mut().zip(&other.solids) {
            share(&mut own.triangles, &other.triangles);
            share(&mut own.vertices, &other.vertices);
        }
    }
}

fn share<T: PartialEq>(own: &mut Arc<[T]>, other: &Arc<[T]>) {
    if own == other {
        *own = other.clone();
    }
}
