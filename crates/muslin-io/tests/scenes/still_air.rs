//! Scenes have air, so that cloth comes to rest like cloth; `air = false` is a vacuum.

use std::path::Path;

use muslin_io::scene::{ReadOptions, Scene};

/// A square metre, held along one edge and released from level.
const SCENE: &str = "
[[cloth]]
name = \"square\"
mesh.delaunay = { width = 1.0, height = 1.0, triangles = 1000 }
transform = { rotate = { axis = [1.0, 0.0, 0.0], degrees = 90.0 }, translate = [-0.5, 2.0, -1.0] }
pins = [{ group = \"top\" }]
";

/// How far the centre of mass and the free edge swing to each side within each of the first seconds, metres.
fn swings(forces: &str, seconds: usize) -> Vec<[f32; 2]> {
    let text = format!("{forces}\n{SCENE}");
    let scene = Scene::parse(&text, "scene.toml", Path::new("."), &ReadOptions::default()).unwrap();
    let mut world = scene.build_world().unwrap();
    let start = world.cloths()[0].1.positions();
    // The edge that is not held is where z is lowest.
    let hem: Vec<usize> = (0..start.len()).filter(|&v| start[v].z < -0.999).collect();
    let half_range = |places: &[f32]| {
        let (low, high) = places.iter().fold((f32::MAX, f32::MIN), |(l, h), &z| (l.min(z), h.max(z)));
        0.5 * (high - low)
    };
    let second = |_| {
        let (mut means, mut hems) = (Vec::new(), Vec::new());
        for _ in 0..60 {
            world.step().unwrap();
            let now = world.cloths()[0].1.positions();
            means.push(now.iter().map(|p| p.z).sum::<f32>() / now.len() as f32);
            hems.push(hem.iter().map(|&v| now[v].z).sum::<f32>() / hem.len() as f32);
        }
        [half_range(&means), half_range(&hems)]
    };
    (0..seconds).map(second).collect()
}

#[test]
fn cloth_released_from_level_comes_to_rest_in_air_and_not_in_a_vacuum() {
    let air = swings("", 6);
    let vacuum = swings("forces.air = false", 6);
    println!("in air {air:.3?}\nwithout {vacuum:.3?}");
    let (air, vacuum) = (air[5], vacuum[5]);
    assert!(air[0] < 0.05 && air[1] < 0.05, "centre and free edge swing by {air:?} m");
    assert!(vacuum[0] > 0.15 && vacuum[1] > 0.3, "without air by {vacuum:?} m");
}
