//! Scenes, cameras and sizes that no picture can be made of.

use glam::Vec3;
use muslin_render::{
    Camera, Color, Ground, Light, Pattern, PatternKind, RenderError, RenderMesh, RenderOptions, RenderScene,
    render,
};

const RED: Color = Color::rgb(200, 30, 30);
const BLUE: Color = Color::rgb(30, 30, 200);

fn square() -> RenderMesh {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y];
    RenderMesh::cloth(positions, vec![[0, 1, 2], [0, 2, 3]], RED, BLUE)
}

fn camera() -> Camera {
    Camera { eye: 2.0 * Vec3::Z, target: Vec3::ZERO, up: Vec3::Y, fov_degrees: 50.0 }
}

fn small(samples: u32) -> RenderOptions {
    RenderOptions { width: 10, height: 10, samples }
}

#[test]
fn impossible_wishes_are_refused() {
    let scene = RenderScene { meshes: vec![square()], ..RenderScene::default() };
    let options = |width, height, samples| RenderOptions { width, height, samples };
    for wrong in [options(0, 9, 1), options(9, 0, 1), options(9, 8193, 1)] {
        assert!(matches!(render(&scene, &camera(), &wrong), Err(RenderError::Size { .. })));
    }
    for samples in [0, 5] {
        assert!(matches!(
            render(&scene, &camera(), &options(9, 9, samples)),
            Err(RenderError::Samples { .. })
        ));
    }
    let cameras = [
        Camera { eye: Vec3::NAN, ..camera() },
        Camera { eye: Vec3::ZERO, ..camera() },
        Camera { fov_degrees: 0.0, ..camera() },
        Camera { fov_degrees: f32::NAN, ..camera() },
    ];
    for camera in cameras {
        assert!(matches!(render(&scene, &camera, &small(1)), Err(RenderError::Camera(_))));
    }
    let mut broken = scene.clone();
    broken.meshes[0].triangles.push([0, 1, 9]);
    let error = render(&broken, &camera(), &small(1)).unwrap_err();
    assert_eq!(error.to_string(), "mesh 0: triangle 2 names vertex 9, but there are only 4 vertices");
    let mut broken = scene.clone();
    let pattern = Pattern { kind: PatternKind::Grid, color: BLUE, period: 0.1, coordinates: vec![] };
    broken.meshes[0].pattern = Some(pattern);
    assert!(matches!(render(&broken, &camera(), &small(1)), Err(RenderError::PatternCount { .. })));
    let broken = [
        RenderScene { up: Vec3::ZERO, ..scene.clone() },
        RenderScene { ground: Some(Ground::at(f32::NAN)), ..scene.clone() },
        RenderScene { light: Light { strength: -1.0, ..Light::default() }, ..scene.clone() },
        RenderScene { light: Light { toward: Some(Vec3::NAN), ..Light::default() }, ..scene },
    ];
    for scene in broken {
        assert!(matches!(render(&scene, &camera(), &small(1)), Err(RenderError::Scene(_))));
    }
}
