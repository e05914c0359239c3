//! Automatic cameras.

use glam::Vec3;
use muslin_render::{Bounds, Camera};

/// Where a point is in the picture, from −1 to 1, and its distance along the line of sight.
fn place(camera: &Camera, point: Vec3, aspect: f32) -> Vec3 {
    let forward = (camera.target - camera.eye).normalize();
    let right = forward.cross(camera.up).normalize();
    let (to, tangent) = (point - camera.eye, (0.5 * camera.fov_degrees).to_radians().tan());
    let depth = to.dot(forward);
    Vec3::new(
        to.dot(right) / (depth * tangent * aspect),
        to.dot(right.cross(forward)) / (depth * tangent),
        depth,
    )
}

#[test]
fn all_points_are_in_the_picture_and_fill_it() {
    let sizes = [Vec3::ONE, Vec3::new(2.0, 0.1, 0.0), Vec3::new(0.0, 3.0, 0.2), Vec3::new(0.01, 0.02, 5.0)];
    for (size, up) in sizes.iter().flat_map(|&s| [(s, Vec3::Y), (s, Vec3::Z), (s, Vec3::new(0.3, -0.2, 2.0))])
    {
        for aspect in [0.5, 4.0 / 3.0, 3.0] {
            let offset = Vec3::new(7.0, -2.0, 0.4);
            let points: Vec<Vec3> = (0..27)
                .map(|i| {
                    let part = Vec3::new((i % 3) as f32, (i / 3 % 3) as f32, (i / 9) as f32);
                    offset + size * part
                })
                .collect();
            let camera = Camera::framing(&Bounds::of(&points), up, aspect);
            let places: Vec<Vec3> = points.iter().map(|&p| place(&camera, p, aspect)).collect();
            let farthest = places.iter().map(|p| p.truncate().abs().max_element()).fold(0.0, f32::max);
            assert!(places.iter().all(|p| p.z > 0.0));
            assert!((0.7..=0.95).contains(&farthest), "{size} {up} {aspect}: {farthest}");
        }
    }
}

#[test]
fn the_shadow_on_the_ground_is_not_cut() {
    let bounds = Bounds::of(&[Vec3::ZERO, Vec3::new(1.0, 1.0, 0.1)]);
    for aspect in [1.0, 4.0 / 3.0] {
        let camera = Camera::framing(&bounds, Vec3::Y, aspect);
        let forward = (camera.target - camera.eye).normalize();
        let right = forward.cross(Vec3::Y).normalize();
        // The light of Light::default, onto a ground a little below.
        let along = 0.62 * right + 0.75 * Vec3::new(forward.x, 0.0, forward.z);
        let ground = 0.08 * (bounds.max - bounds.min).length();
        for corner in [bounds.max, Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::X] {
            let height = corner.y + ground;
            let seen = place(&camera, corner + height * (along - Vec3::Y), aspect).truncate();
            assert!(seen.abs().max_element() <= 1.001, "{corner}: {seen}");
        }
    }
}

#[test]
fn bounds_grow_over_frames_and_ignore_what_is_not_finite() {
    let first = Bounds::of(&[Vec3::ZERO, Vec3::NAN, Vec3::splat(1e20)]);
    let all = first.union(Bounds::of(&[Vec3::ONE, Vec3::NEG_INFINITY]));
    assert_eq!((all.min, all.max), (Vec3::ZERO, Vec3::ONE));
    assert!(Bounds::of(&[Vec3::NAN]).is_empty() && Bounds::default().is_empty() && !all.is_empty());
}

#[test]
fn there_is_a_camera_for_nothing_and_for_nonsense() {
    let one = Bounds::of(&[Vec3::ONE]);
    for bounds in [Bounds::default(), one] {
        for (up, aspect) in [(Vec3::Y, 1.0), (Vec3::ZERO, 0.0), (Vec3::NAN, f32::NAN), (Vec3::Z, -1.0)] {
            let camera = Camera::framing(&bounds, up, aspect);
            assert!(camera.eye.is_finite() && camera.eye.distance(camera.target) > 1e-9, "{camera:?}");
        }
        let down = Camera::framing_from(&bounds, Vec3::Y, Vec3::Y, 1.0);
        assert!(down.eye.is_finite() && down.eye.y > down.target.y);
    }
}
