//! What is read into the caller's memory.

use glam::Vec3;
use muslin::cloth::Cloth;
use muslin::mesh::generate;
use muslin::{Error, Settings, Simulation};

use super::{cases, run};

fn arrays(vectors: &[Vec3]) -> Vec<[f32; 3]> {
    vectors.iter().map(|vector| vector.to_array()).collect()
}

#[test]
fn what_is_read_without_memory_is_what_is_read_with_it() {
    for (name, cloth, settings) in cases() {
        let mut driven = Simulation::new(cloth.pin(5).build().unwrap(), settings).unwrap();
        run(&mut driven, 2);
        let start = driven.positions();
        driven.step().unwrap();
        let mut read = vec![[0.0; 3]; start.len()];
        driven.positions_into(&mut read).unwrap();
        assert_eq!(read, arrays(&driven.positions()), "{name}");
        driven.velocities_into(&mut read).unwrap();
        assert_eq!(read, arrays(&driven.velocities()), "{name}");
        let mut places = vec![[0.0; 3]; start.len()];
        driven.places_into(&mut places).unwrap();
        assert_eq!(places, driven.places().iter().map(|p| p.to_array()).collect::<Vec<_>>(), "{name}");
        driven.positions_between_into(0.0, &mut read).unwrap();
        assert_eq!(read, arrays(&start), "{name}");
        driven.positions_between_into(1.0, &mut read).unwrap();
        assert_eq!(read, arrays(&driven.positions()), "{name}");
        driven.positions_between_into(0.5, &mut read).unwrap();
        for ((between, a), b) in read.iter().zip(&start).zip(driven.positions()) {
            assert!(Vec3::from_array(*between).distance(0.5 * (*a + b)) < 1e-7, "{name}");
        }
        let snapshot = driven.snapshot();
        let mut other = muslin::state::Snapshot::default();
        driven.snapshot_into(&mut other);
        run(&mut driven, 1);
        driven.snapshot_into(&mut other);
        driven.restore(&snapshot).unwrap();
        driven.snapshot_into(&mut other);
        assert!(other == snapshot, "{name}");
    }
}

/// A sphere's normals point from its middle; those of triangles without area are zero.
#[test]
fn normals_are_those_of_the_surface() {
    let mesh = generate::sphere(0.5, 4).unwrap();
    let rest = mesh.positions.clone();
    let mut ball = Simulation::new(Cloth::builder(mesh).build().unwrap(), Settings::default()).unwrap();
    let mut normals = vec![[0.0; 3]; rest.len()];
    ball.normals_into(&mut normals).unwrap();
    for (normal, place) in normals.iter().zip(&rest) {
        let normal = Vec3::from_array(*normal);
        assert!((normal.length() - 1.0).abs() < 1e-6);
        // Triangles around a vertex are symmetric up to the edges of the icosahedron.
        assert!(normal.dot(*place / 0.5) > 0.999, "{normal} at {place}");
    }
    ball.set_state(&vec![Vec3::ONE; rest.len()], &vec![Vec3::ZERO; rest.len()]).unwrap();
    ball.normals_into(&mut normals).unwrap();
    assert!(normals.iter().all(|normal| *normal == [0.0; 3]));
}

#[test]
fn memory_of_another_size_is_refused() {
    let (_, cloth, settings) = cases().swap_remove(0);
    let simulation = Simulation::new(cloth.build().unwrap(), settings).unwrap();
    let mut few = vec![[1.0; 3]; 168];
    for error in [
        simulation.positions_into(&mut few).unwrap_err(),
        simulation.velocities_into(&mut few).unwrap_err(),
        simulation.normals_into(&mut few).unwrap_err(),
        simulation.positions_between_into(0.5, &mut few).unwrap_err(),
    ] {
        assert_eq!(error.to_string(), "the memory to fill: 168 places for 169 vertices");
    }
    assert!(few.iter().all(|value| *value == [1.0; 3]));
    let mut all = vec![[1.0; 3]; 169];
    for share in [-0.1, 1.1, f32::NAN] {
        let error = simulation.positions_between_into(share, &mut all).unwrap_err();
        assert!(matches!(error, Error::Setting { field: "share", .. }));
    }
}

/// A simulation can be a resource of an engine that runs systems on many threads.
#[test]
fn a_simulation_can_be_sent_and_shared() {
    fn check<T: Send + Sync>() {}
    check::<Simulation>();
    check::<Error>();
}
