//! The collision scenes of the gallery, shortened: nothing may pass through anything at any frame, counted
//! independently of the code that is to prevent it. `cargo xtask soak` runs them at full length.

mod trial;

use muslin::solver::SolverConfig;
use muslin_io::scene::{Backend, MeshSource, Scene};
use trial::{SCENES, Trial, read};

/// The part of a scene's triangles and of its frames. From the starts the cloths reach what they collide with.
const TRIANGLES: f64 = 0.5;
const FRAMES: f64 = 0.4;

/// Runs the beginning of a scene. Strains are printed, not held against the scene's check, which is for its end.
fn nothing_passes_through_anything(name: &str) {
    let mut scene = read(name).unwrap_or_else(|error| panic!("{error}"));
    coarsen(&mut scene, TRIANGLES);
    let trial = Trial::run(&scene, (f64::from(scene.time.frames) * FRAMES) as usize, 1);
    println!(
        "{name}: {} triangles, {} frames, strain {:.4} (edge {:.2}, global {:.4}), {:.2} m/s (mean {:.3}), {} contacts, {:.1} ms a step",
        trial.triangles,
        trial.frames,
        trial.strain_average,
        trial.strain_max_edge,
        trial.strain_global,
        trial.speeds[0],
        trial.speeds[1],
        trial.contacts,
        trial.median_milliseconds(),
    );
    assert_eq!(trial.failure, None, "{name}");
    assert_eq!(trial.intersection_count(), 0, "{name}: {:?}", trial.intersections);
    assert!(trial.contacts > 0, "{name}: nothing has touched anything");
    assert!(trial.strain_average < 0.1, "{name}: the cloth is torn apart");
}

/// Fewer triangles in generated cloth: a share of them, for short tests.
fn coarsen(scene: &mut Scene, share: f64) {
    let length = |count: usize| ((count as f64 * share.sqrt()).round() as usize).max(3);
    for cloth in &mut scene.cloths {
        match &mut cloth.mesh.source {
            MeshSource::Delaunay { triangles, .. } => {
                *triangles = (*triangles as f64 * share) as usize / 2 * 2
            }
            MeshSource::Disk { rings, .. } => *rings = length(*rings),
            MeshSource::Tube { segments, rings, panels, .. } => {
                (*segments, *rings) = (length(*segments).next_multiple_of(*panels), length(*rings));
            }
            _ => {}
        }
        if let SolverConfig::Multilevel(options) = cloth.solver.on_mut(Backend::Cpu) {
            options.particles = (f64::from(options.particles) * share) as u32;
        }
    }
}

macro_rules! scenes {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            nothing_passes_through_anything(stringify!($name));
        })*

        #[test]
        fn every_scene_is_tested() {
            assert_eq!(SCENES, [$(stringify!($name)),*]);
        }
    };
}

scenes! { bending bodies dragon floor_fold funnel garment_walk hammock inextensible_ball multilevel_ball multilevel_skirt skirt_turning sphere_drape stack tablecloth twist }

#[test]
fn every_scene_of_the_gallery_that_checks_for_intersections_is_listed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let checks = std::fs::read_to_string(&path).unwrap().contains("\nself_intersections = 0\n");
            assert_eq!(SCENES.contains(&name.as_str()), checks, "{name}");
        }
    }
}
