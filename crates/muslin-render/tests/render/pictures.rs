//! What is in a picture: coverage, depth, sides, shadows, and that nothing strange breaks it.

use glam::{Vec2, Vec3};
use muslin_render::{
    Camera, Color, Ground, Light, Pattern, PatternKind, Picture, RenderMesh, RenderOptions, RenderScene,
    render,
};

const RED: Color = Color::rgb(200, 30, 30);
const BLUE: Color = Color::rgb(30, 30, 200);

/// A square in the plane z = `z`, its front towards +z.
fn square(half: f32, z: f32, front: Color, back: Color) -> RenderMesh {
    let corner = |x: f32, y: f32| Vec3::new(x * half, y * half, z);
    let positions = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    RenderMesh::cloth(positions, vec![[0, 1, 2], [0, 2, 3]], front, back)
}

/// A square at a height, its front upwards.
fn lid(half: f32, height: f32) -> RenderMesh {
    let mut mesh = square(half, 0.0, RED, RED);
    mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x, height, -p.y));
    mesh
}

/// Looks along −z; at z = 0 the picture reaches from −1 to 1.
fn ahead() -> Camera {
    Camera {
        eye: 2.0 * Vec3::Z,
        target: Vec3::ZERO,
        up: Vec3::Y,
        fov_degrees: 2.0 * 0.5f32.atan().to_degrees(),
    }
}

fn small(samples: u32) -> RenderOptions {
    RenderOptions { width: 100, height: 100, samples }
}

fn draw(meshes: Vec<RenderMesh>, camera: &Camera) -> Picture {
    render(&RenderScene { meshes, ..RenderScene::default() }, camera, &small(2)).unwrap()
}

fn is_red([r, g, b]: [u8; 3]) -> bool {
    r / 2 > g.max(b)
}

fn is_blue([r, g, b]: [u8; 3]) -> bool {
    b / 2 > r.max(g)
}

#[test]
fn a_square_covers_its_pixels_and_no_others() {
    for samples in 1..=4 {
        let scene = RenderScene { meshes: vec![square(0.5, 0.0, RED, BLUE)], ..RenderScene::default() };
        let picture = render(&scene, &ahead(), &small(samples)).unwrap();
        let empty = render(&RenderScene::default(), &ahead(), &small(samples)).unwrap();
        for y in 0..100 {
            for x in 0..100 {
                let (pixel, inside) =
                    (picture.pixel(x, y).unwrap(), [x, y].iter().all(|v| (25..75).contains(v)));
                assert_eq!(is_red(pixel), inside, "({x}, {y}): {pixel:?}");
                assert!(inside || Some(pixel) == empty.pixel(x, y), "({x}, {y}): {pixel:?}");
            }
        }
        assert_eq!((picture.pixel(100, 0), picture.pixel(0, 100)), (None, None));
    }
}

#[test]
fn edges_are_blended() {
    // The left edge is in the middle of a column of pixels.
    let mut mesh = square(0.5, 0.0, RED, RED);
    mesh.positions.iter_mut().for_each(|p| p.x += 0.01);
    let picture = draw(vec![mesh], &ahead());
    let green = |x| picture.pixel(x, 50).unwrap()[1];
    assert!(
        green(24) > green(25) + 40 && green(25) > green(26) + 40,
        "{} {} {}",
        green(24),
        green(25),
        green(26)
    );
}

#[test]
fn what_is_nearer_hides_what_is_behind_it_in_any_order() {
    let (near, far) = (square(0.3, 0.5, RED, RED), square(0.8, -0.5, BLUE, BLUE));
    for meshes in [vec![near.clone(), far.clone()], vec![far, near]] {
        let picture = draw(meshes, &ahead());
        assert!(is_red(picture.pixel(50, 50).unwrap()));
        assert!(is_blue(picture.pixel(50, 22).unwrap()));
    }
}

#[test]
fn each_side_has_its_colour() {
    let mesh = square(0.5, 0.0, RED, BLUE);
    let behind = Camera { eye: -2.0 * Vec3::Z, ..ahead() };
    assert!(is_red(draw(vec![mesh.clone()], &ahead()).pixel(50, 50).unwrap()));
    assert!(is_blue(draw(vec![mesh], &behind).pixel(50, 50).unwrap()));
}

#[test]
fn a_pattern_shows_both_colours_where_they_belong() {
    let mut mesh = square(0.5, 0.0, RED, RED);
    let flat: Vec<Vec2> = mesh.positions.iter().map(|p| p.truncate()).collect();
    mesh.pattern = Some(Pattern::over_vertices(PatternKind::Stripes, BLUE, 0.5, &flat, &mesh.triangles));
    let picture = draw(vec![mesh], &ahead());
    // From −0.5 a quarter of a metre of the second colour, then the first, and so on.
    for (x, second) in [(27, true), (35, true), (40, false), (48, false), (52, true), (65, false)] {
        let pixel = picture.pixel(x, 40).unwrap();
        assert_eq!((is_blue(pixel), is_red(pixel)), (second, !second), "{x}: {pixel:?}");
    }
}

/// The brightness of the pixel at a point.
fn brightness(picture: &Picture, camera: &Camera, point: Vec3) -> f32 {
    let forward = (camera.target - camera.eye).normalize();
    let right = forward.cross(camera.up).normalize();
    let (to, scale) = (point - camera.eye, (0.5 * camera.fov_degrees).to_radians().tan());
    let depth = to.dot(forward) * scale;
    let place =
        [to.dot(right) / depth, -to.dot(right.cross(forward)) / depth].map(|v| (50.0 * (1.0 + v)) as u32);
    picture.pixel(place[0], place[1]).unwrap().iter().map(|&v| f32::from(v)).sum()
}

#[test]
fn shadows_fall_below_what_throws_them() {
    let camera = Camera {
        eye: Vec3::new(0.0, 1.5, 4.0),
        target: Vec3::new(0.0, 0.3, 0.0),
        up: Vec3::Y,
        fov_degrees: 40.0,
    };
    let light = Light { toward: Some(Vec3::Y), ..Light::default() };
    let scene =
        |meshes| RenderScene { meshes, light, ground: Some(Ground::at(0.0)), ..RenderScene::default() };
    let picture = |meshes| render(&scene(meshes), &camera, &small(2)).unwrap();
    // Points without triangles, so that both scenes have the same bounds.
    let points = vec![Vec3::new(-0.9, 0.5, -1.0), Vec3::new(0.9, 1.0, 0.3)];
    let marks = || vec![RenderMesh::cloth(points.clone(), vec![], RED, RED)];
    let open = picture(marks());
    let shaded = picture([marks(), vec![lid(0.3, 1.0)]].concat());
    let at = |p: &Picture, x: f32, z: f32| brightness(p, &camera, Vec3::new(x, 0.0, z));
    assert!(at(&shaded, 0.0, 0.0) < 0.8 * at(&open, 0.0, 0.0));
    for (x, z) in [(0.9, 0.0), (-0.9, 0.0), (0.0, 1.2)] {
        let change = at(&shaded, x, z) / at(&open, x, z);
        assert!((0.93..=1.01).contains(&change), "({x}, {z}): {change}");
    }
    // On a surface too.
    let table = picture(vec![lid(0.8, 0.2), lid(0.3, 1.0)]);
    let on_table = |x: f32| brightness(&table, &camera, Vec3::new(x, 0.2, 0.2));
    assert!(on_table(0.0) < 0.8 * on_table(0.65), "{} {}", on_table(0.0), on_table(0.65));
}

#[test]
fn an_even_surface_does_not_shade_itself() {
    let light = Light { toward: Some(Vec3::new(0.9, 0.2, 0.4)), ..Light::default() };
    let scene = RenderScene { meshes: vec![square(0.8, 0.0, RED, RED)], light, ..RenderScene::default() };
    let picture = render(&scene, &ahead(), &small(2)).unwrap();
    let row: Vec<u8> = (12..88).map(|x| picture.pixel(x, 30).unwrap()[0]).collect();
    assert!(row.windows(2).all(|p| p[0].abs_diff(p[1]) <= 2), "{row:?}");
}

#[test]
fn points_that_are_not_finite_are_left_out() {
    let mut mesh = square(0.5, 0.0, RED, RED);
    mesh.positions.extend([Vec3::NAN, Vec3::INFINITY, Vec3::splat(1e30), Vec3::ZERO]);
    let whole = draw(vec![mesh.clone()], &ahead());
    mesh.triangles.extend([[0, 1, 4], [0, 5, 2], [6, 1, 2], [7, 7, 7], [0, 0, 1]]);
    assert_eq!(draw(vec![mesh], &ahead()), whole);
    let nothing = RenderMesh::cloth(vec![Vec3::NAN; 3], vec![[0, 1, 2]], RED, RED);
    let empty = RenderMesh::cloth(vec![], vec![], RED, RED);
    assert_eq!(draw(vec![nothing, empty], &ahead()), draw(vec![], &ahead()));
}

#[test]
fn a_camera_inside_the_scene_sees_a_part_of_it() {
    for eye in [Vec3::new(0.1, 0.05, 0.02), Vec3::new(0.0, 0.0, 1e-4), Vec3::new(0.3, 0.3, 0.0)] {
        let scene = RenderScene {
            meshes: vec![square(0.5, 0.0, RED, BLUE), lid(5.0, -0.1)],
            ground: Some(Ground::at(-0.2)),
            ..RenderScene::default()
        };
        let camera = Camera { eye, target: Vec3::new(-0.2, -0.1, -0.3), up: Vec3::Y, fov_degrees: 90.0 };
        let picture = render(&scene, &camera, &small(1)).unwrap();
        assert!(picture.pixels.iter().filter(|&&p| is_red(p)).count() > 100);
    }
}

/// A cloth in waves.
fn waves() -> RenderMesh {
    let n = 40;
    let at = |i: u32| i as f32 / n as f32;
    let points = (0..=n).flat_map(|j| (0..=n).map(move |i| (at(i), at(j))));
    let flat: Vec<Vec2> = points.map(|(x, y)| Vec2::new(x, y)).collect();
    let positions = flat.iter().map(|p| Vec3::new(p.x, p.y, 0.1 * (14.0 * p.x + 3.0 * p.y).sin())).collect();
    let cells = (0..n).flat_map(|j| (0..n).map(move |i| j * (n + 1) + i));
    let triangles: Vec<[u32; 3]> =
        cells.flat_map(|a| [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]).collect();
    let pattern = Pattern::over_vertices(PatternKind::Gingham, BLUE, 0.1, &flat, &triangles);
    RenderMesh::cloth(positions, triangles, RED, BLUE).with_pattern(pattern)
}

#[test]
fn the_picture_does_not_depend_on_the_number_of_threads() {
    let meshes = vec![waves(), lid(0.4, 1.2)];
    let scene = RenderScene { meshes, ground: Some(Ground::at(-0.1)), ..RenderScene::default() };
    let camera = Camera::framing(&scene.bounds(), scene.up, 1.0);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| render(&scene, &camera, &small(3)).unwrap())
    };
    let one = with(1);
    assert!(one.pixels.iter().any(|&p| is_red(p)));
    for threads in [2, 7] {
        assert!(one == with(threads), "{threads} threads draw another picture than one");
    }
}
