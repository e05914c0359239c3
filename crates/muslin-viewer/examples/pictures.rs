//! Draws a cloth that was simulated, in several looks: `cargo run -p muslin-viewer --example pictures [FOLDER]`.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use muslin::World;
use muslin::cloth::Cloth;
use muslin::collision::{Collider, CollisionSettings, Shape};
use muslin::mesh::{TriMesh, generate};
use muslin_render::{Color, Picture};
use muslin_viewer::draw::{
    Ground, Look, Mark, MarkKind, Options, Places, Pose, Renderer, Scenery, Sheet, Solid, View, Weave,
};

const BALL: Vec3 = Vec3::new(0.0, 0.3, 0.0);
const RADIUS: f32 = 0.22;

/// A napkin over a ball, after some steps: its mesh when flat, and where it is.
fn drape(cells: usize, steps: usize) -> Result<(TriMesh, Vec<Vec3>), Box<dyn Error>> {
    let mut mesh = generate::grid(cells, cells, 0.9, 0.9)?;
    for p in &mut mesh.positions {
        *p = Vec3::new(p.x - 0.43, 0.6, -(p.y - 0.47));
    }
    let cloth = Cloth::builder(mesh.clone()).build()?;
    let ball = Shape::Sphere { center: BALL, radius: RADIUS };
    let mut world = World::builder()
        .collisions(CollisionSettings::default())
        .cloth("napkin", cloth)
        .collider(Collider::new("ball", ball))
        .collider(Collider::new("floor", Shape::Plane { point: Vec3::ZERO, normal: Vec3::Y }))
        .build()?;
    for _ in 0..steps {
        world.step()?;
    }
    let positions = world.cloth(world.cloth_ids()[0])?.positions();
    Ok((mesh, positions))
}

fn ball() -> Result<Solid, Box<dyn Error>> {
    let mesh = generate::sphere(RADIUS, 4)?;
    Ok(Solid {
        triangles: mesh.triangles.into(),
        vertices: mesh.positions.into(),
        pose: Pose { rotation: Quat::IDENTITY, translation: BALL },
        color: Color::rgb(214, 208, 198),
        is_marked: false,
    })
}

fn save(folder: &Path, name: &str, picture: &Picture) -> Result<(), Box<dyn Error>> {
    std::fs::write(folder.join(format!("{name}.png")), picture.to_png()?)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "out/viewer".to_owned());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let (mesh, positions) = drape(60, 100)?;
    let flat: Arc<[Vec2]> = mesh.positions.iter().map(|p| Vec2::new(p.x, p.z)).collect();
    let look = Look {
        front: Color::rgb(176, 42, 48),
        back: Color::rgb(226, 205, 176),
        weave: Weave::Plain,
        sheen: 0.4,
        gloss: 0.2,
        translucency: 0.15,
    };
    let sheet = Sheet {
        triangles: mesh.triangles.clone().into(),
        flat,
        places: Places::Host(positions.clone().into()),
        look: look.clone(),
        values: None,
    };
    let scenery = Scenery {
        up: Vec3::Y,
        sheets: vec![sheet],
        solids: vec![ball()?],
        ground: Some(Ground { height: 0.0, color: Color::rgb(222, 220, 216) }),
        marks: vec![],
    };
    let view = View {
        eye: Vec3::new(0.9, 0.95, 1.7),
        target: Vec3::new(0.0, 0.22, 0.0),
        up: Vec3::Y,
        fov_degrees: 28.0,
    };
    let options = Options { wireframe: false, marks: true, dark: false, soft_light: true };

    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
    println!("{}", adapter.get_info().name);
    let mut renderer = Renderer::new(&device, &queue);
    let mut take = |name: &str, scenery: &Scenery, options: &Options| {
        let mut pending = renderer.picture(scenery, &view, options, [1280, 720]);
        device.poll(wgpu::PollType::wait_indefinitely())?;
        let picture = pending.try_take().ok_or("the picture did not arrive")?;
        save(folder, name, &picture)
    };
    take("plain", &scenery, &options)?;
    if std::env::args().nth(2).is_some() {
        return Ok(());
    }
    take("plain_hard", &scenery, &Options { soft_light: false, ..options })?;
    take("plain_dark", &scenery, &Options { dark: true, ..options })?;
    take("wire", &scenery, &Options { wireframe: true, ..options })?;

    let weaves = [
        ("threads", Weave::Threads(260.0), look.front),
        ("twill", Weave::Twill(420.0), Color::rgb(52, 74, 116)),
        ("gingham", Weave::Gingham(Color::rgb(190, 40, 46), 0.06), Color::rgb(240, 236, 228)),
        ("stripes", Weave::Stripes(Color::rgb(36, 66, 110), 0.05), Color::rgb(238, 234, 224)),
        ("image", Weave::Image { width: 64, pixels: checks(), period: 0.3 }, look.front),
    ];
    for (name, weave, front) in weaves {
        let mut scenery = scenery.clone();
        scenery.sheets[0].look = Look { weave, front, back: front, ..look.clone() };
        take(name, &scenery, &options)?;
    }
    let mut silk = scenery.clone();
    silk.sheets[0].look = Look {
        front: Color::rgb(64, 116, 108),
        back: Color::rgb(190, 160, 96),
        gloss: 0.9,
        sheen: 0.1,
        ..look
    };
    take("silk", &silk, &options)?;

    let mut shown = scenery.clone();
    let height = positions.iter().map(|p| p.y / 0.55).collect();
    shown.sheets[0].values = Some(height);
    shown.solids[0].is_marked = true;
    let kinds = [MarkKind::Pin, MarkKind::Contact, MarkKind::Hold, MarkKind::Pointer];
    let mark = |(i, p): (usize, &Vec3)| Mark { place: *p, kind: kinds[i % 4] };
    shown.marks = positions.iter().step_by(97).enumerate().map(mark).collect();
    take("values", &shown, &options)?;
    Ok(())
}

/// Pixels of an image.
fn checks() -> Arc<[u8]> {
    let pixel = |i: usize| {
        let (x, y) = ((i % 64) / 8, i / 64 / 8);
        if (x + y) % 2 == 0 { [240, 200, 70, 255] } else { [40, 90, 120, 255] }
    };
    (0..64 * 64).flat_map(pixel).collect()
}
