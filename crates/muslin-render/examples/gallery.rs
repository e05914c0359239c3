//! Simulates and draws a few cloths: `cargo run --release --example gallery -- DIR`.
//!
//! The pictures are to be looked at: folds must read, nothing may be noisy.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use glam::{Affine3A, Vec2, Vec3};
use muslin::cloth::{Cloth, Material};
use muslin::forces::wind::Wind;
use muslin::mesh::TriMesh;
use muslin::mesh::generate::{cuboid, delaunay_rectangle, grid, sphere, tube};
use muslin::{Settings, Simulation};
use muslin_render::{
    Bounds, Camera, Color, GifWriter, Ground, Pattern, PatternKind, RenderMesh, RenderOptions, RenderScene,
    render,
};

const RED: Color = Color::rgb(196, 48, 43);
const CREAM: Color = Color::rgb(236, 222, 196);
const BLUE: Color = Color::rgb(44, 92, 150);
const WOOD: Color = Color::rgb(120, 92, 66);

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let folder =
        std::env::args_os().nth(1).map_or(std::env::temp_dir().join("muslin-gallery"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    flag(&folder)?;
    handkerchief(&folder)?;
    drape(&folder)?;
    println!("pictures are in {}", folder.display());
    Ok(())
}

/// Draws a scene, writes it as a PNG, and says how long drawing took.
fn write(folder: &Path, name: &str, scene: &RenderScene, camera: &Camera) -> Outcome<()> {
    let start = Instant::now();
    let picture = render(scene, camera, &RenderOptions::default())?;
    let triangles: usize = scene.meshes.iter().map(|m| m.triangles.len()).sum();
    println!("{name}: {triangles} triangles, {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    std::fs::write(folder.join(format!("{name}.png")), picture.to_png()?)?;
    Ok(())
}

fn cloth_mesh(simulation: &Simulation, front: Color, back: Color) -> RenderMesh {
    RenderMesh::cloth(simulation.positions(), simulation.cloth().triangles().to_vec(), front, back)
}

fn rest_coordinates(mesh: &TriMesh) -> Vec<Vec2> {
    mesh.positions.iter().map(|p| p.truncate()).collect()
}

/// A flag in gusty wind, as a picture and as an animation.
fn flag(folder: &Path) -> Outcome<()> {
    let mesh = delaunay_rectangle(1.2, 0.8, 5_000, 1)?;
    let rest = rest_coordinates(&mesh);
    let material = Material { bending: 1.7e-4, ..Material::default() };
    let cloth = Cloth::builder(mesh).material(material).pin_group("left").build()?;
    let wind = Wind { gust_size: 0.6, ..Wind::blowing(Vec3::new(5.0, 0.0, 1.5)) };
    let mut simulation = Simulation::new(cloth, Settings { wind: Some(wind), ..Settings::default() })?;
    let edge = rest.iter().fold(Vec2::MAX, |low, &p| low.min(p));
    let pole = tube(0.014, 2.1, 24, 40)?.transformed(Affine3A::from_translation(Vec3::new(
        edge.x - 0.016,
        edge.y - 1.2,
        0.0,
    )));
    let pole = RenderMesh::solid(pole.positions, pole.triangles, Color::rgb(150, 150, 155));
    let ground = Some(Ground::at(edge.y - 1.2));
    let mut scene = RenderScene { ground, ..RenderScene::default() };
    let small = RenderOptions { width: 640, height: 480, samples: 2 };
    let mut gif = GifWriter::new(Vec::new(), small.width, small.height)?;
    let mut camera = None;
    for frame in 0..240 {
        simulation.step()?;
        scene.meshes = vec![cloth_mesh(&simulation, RED, CREAM), pole.clone()];
        if frame % 2 == 0 {
            let camera =
                camera.get_or_insert_with(|| Camera::framing(&scene.bounds(), Vec3::Y, small.aspect()));
            gif.add(&render(&scene, camera, &small)?, 1.0 / 30.0)?;
        }
    }
    std::fs::write(folder.join("flag.gif"), gif.finish()?)?;
    let camera = Camera::framing(&Bounds::of(&scene.meshes[0].positions), Vec3::Y, 4.0 / 3.0);
    write(folder, "flag", &scene, &camera)?;
    let stripes =
        Pattern::over_vertices(PatternKind::Stripes, CREAM, 0.2, &rest, simulation.cloth().triangles());
    scene.meshes[0].pattern = Some(stripes);
    write(folder, "flag-striped", &scene, &Camera::framing(&scene.bounds(), Vec3::Y, 4.0 / 3.0))
}

/// A cloth that starts horizontal and hangs from two corners.
fn handkerchief(folder: &Path) -> Outcome<()> {
    let flat = grid(100, 100, 1.0, 1.0)?;
    let rest = rest_coordinates(&flat);
    let mesh = flat.transformed(Affine3A::from_rotation_x(-std::f32::consts::FRAC_PI_2));
    let (low, high) = mesh.bounds().ok_or("no points")?;
    let corners = [low, Vec3::new(high.x, low.y, low.z)].map(|c| mesh.nearest_vertex(c));
    // The corners are closer than the cloth is wide, or it would hang without folds.
    let closer = |p: &Vec3| Vec3::new(0.82 * p.x, 0.01 * (9.0 * p.x).sin() * (5.0 * p.z).cos(), p.z);
    let start = mesh.positions.iter().map(closer).collect();
    let cloth = Cloth::builder(mesh).start_positions(start).pin_all(corners.into_iter().flatten()).build()?;
    let wind = Wind { gusts: 0.0, ..Wind::blowing(Vec3::ZERO) };
    let mut simulation = Simulation::new(cloth, Settings { wind: Some(wind), ..Settings::default() })?;
    for step in 1..=180 {
        simulation.step()?;
        if step % 60 == 0 {
            let mut mesh = cloth_mesh(&simulation, BLUE, CREAM);
            let gingham = Pattern::over_vertices(PatternKind::Gingham, CREAM, 0.1, &rest, &mesh.triangles);
            mesh.pattern = (step == 120).then_some(gingham);
            let scene =
                RenderScene { meshes: vec![mesh], ground: Some(Ground::at(-1.3)), ..Default::default() };
            let camera = Camera::framing(&scene.bounds(), Vec3::Y, 4.0 / 3.0);
            write(folder, &format!("handkerchief-{step}"), &scene, &camera)?;
        }
    }
    Ok(())
}

/// A shape like a cloth draped over a ball that stands on a table; z upwards.
fn drape(folder: &Path) -> Outcome<()> {
    let flat = grid(100, 100, 1.6, 1.6)?;
    let (low, high) = flat.bounds().ok_or("no points")?;
    let center = 0.5 * (low + high);
    let rest = rest_coordinates(&flat);
    let positions = flat.positions.iter().map(|&p| draped(p - center)).collect();
    let pattern =
        Pattern::over_vertices(PatternKind::Grid, Color::rgb(90, 60, 50), 0.16, &rest, &flat.triangles);
    let cloth =
        RenderMesh::cloth(positions, flat.triangles, Color::rgb(214, 158, 62), RED).with_pattern(pattern);
    let ball = sphere(0.1, 4)?.transformed(Affine3A::from_translation(Vec3::new(0.75, -0.62, 0.1)));
    let block =
        cuboid(Vec3::splat(0.2), 1)?.transformed(Affine3A::from_translation(Vec3::new(-0.85, -0.5, 0.1)));
    let meshes = vec![
        cloth,
        RenderMesh::solid(ball.positions, ball.triangles, WOOD),
        RenderMesh::solid(block.positions, block.triangles, BLUE),
    ];
    let scene = RenderScene { meshes, up: Vec3::Z, ground: Some(Ground::at(0.0)), ..RenderScene::default() };
    write(folder, "drape", &scene, &Camera::framing(&scene.bounds(), Vec3::Z, 4.0 / 3.0))
}

/// Over the ball, then down in folds, then out on the table.
fn draped(p: Vec3) -> Vec3 {
    let (radius, distance) = (0.32, p.truncate().length());
    let direction = p.truncate().normalize_or_zero();
    let angle = (distance / radius).min(1.9);
    let rest = (distance - 1.9 * radius).max(0.0);
    let around = direction.y.atan2(direction.x);
    let fold = 0.045 * (9.0 * around).sin() * (distance / 0.5 - 0.6).clamp(0.0, 1.0);
    let out = radius * angle.sin() + fold + 0.18 * rest * (1.0 + (9.0 * around).sin());
    let height = (radius * angle.cos() + radius - 0.8 * rest + 0.05).max(0.004 + 0.01 * (fold * 20.0).abs());
    (direction * out.max(0.0)).extend(height)
}
