//! From a scene to a world that can be simulated, with errors led back to the text.

mod collider;
mod fingerprint;
mod locate;
mod start;

use glam::{Affine3A, Mat3, Vec3};
use muslin::cloth::Cloth;
use muslin::mesh::TriMesh;
use muslin::rigid::RigidBody;
use muslin::solver::SolverConfig;
use muslin::solver::multilevel::snapped;
use muslin::{Error, Settings, Simulation, World, collision};

use super::cloth::pins::MOST_POSITIONS;
use super::mesh::MOST_BYTES;
use super::solver::backend::Backend;
use super::text::diagnostic::{Report, SceneError};
use super::text::source::Span;
use super::{ClothDescription, Mesh, MeshSource, Scene, Transform, UpAxis};
use crate::files::Reading;

/// A cloth of a scene, ready for [`Simulation::new`](muslin::Simulation::new).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BuiltCloth {
    /// As in the scene.
    pub name: String,
    /// The cloth.
    pub cloth: Cloth,
    /// The conditions on the CPU; one step of them is one frame.
    pub settings: Settings,
}

/// What the cloths, colliders and bodies that are still to be built may use together.
struct Left {
    /// Mesh files, and how many bytes of them.
    files: Reading,
    /// Positions of pins.
    positions: u64,
}

impl Left {
    fn all(scene: &Scene) -> Self {
        let files = Reading { bytes_left: MOST_BYTES, memory: scene.files.clone() };
        Self { files, positions: MOST_POSITIONS }
    }
}

impl Scene {
    /// Reads or generates the meshes, selects the pins, and builds the cloths.
    pub fn build(&self) -> Result<Vec<BuiltCloth>, SceneError> {
        let mut report = Report::new(&self.source);
        self.cloths_of_world(&mut Left::all(self), &mut report).ok_or_else(|| report.into_error())
    }

    /// Reads or generates the meshes of the colliders, puts them where they start, and builds the
    /// colliders.
    pub fn build_colliders(&self) -> Result<Vec<collision::Collider>, SceneError> {
        let mut report = Report::new(&self.source);
        self.colliders_of_world(&mut Left::all(self), &mut report).ok_or_else(|| report.into_error())
    }

    /// Reads or generates the meshes of the rigid bodies, and puts the bodies where they start.
    pub fn build_bodies(&self) -> Result<Vec<RigidBody>, SceneError> {
        let mut report = Report::new(&self.source);
        self.bodies_of_world(&mut Left::all(self), &mut report).ok_or_else(|| report.into_error())
    }

    /// Builds cloths, colliders and bodies and puts them together, ready to be stepped.
    pub fn build_world(&self) -> Result<World, SceneError> {
        self.build_world_with(Simulation::new)
    }

    /// As [`Scene::build_world`], with simulations made by `simulate`: on a GPU, say.
    pub fn build_world_with(
        &self,
        simulate: impl Fn(Cloth, Settings) -> Result<Simulation, Error>,
    ) -> Result<World, SceneError> {
        let mut report = Report::new(&self.source);
        // All are built before any is missed, so that all errors are reported.
        let mut left = Left::all(self);
        let cloths = self.cloths_of_world(&mut left, &mut report);
        let colliders = self.colliders_of_world(&mut left, &mut report);
        let bodies = self.bodies_of_world(&mut left, &mut report);
        let (Some(cloths), Some(colliders), Some(bodies)) = (cloths, colliders, bodies) else {
            return Err(report.into_error());
        };
        let mut world = World::builder().collisions(self.collision.clone());
        if let Some(first) = self.cloths.first() {
            world = world.settings(self.settings(first, Backend::Cpu));
        }
        for (i, built) in cloths.into_iter().enumerate() {
            let simulation =
                simulate(built.cloth, built.settings).map_err(|error| self.explain(i, &error))?;
            world = world.simulation(&built.name, simulation);
        }
        let world = colliders.into_iter().fold(world, |world, collider| world.collider(collider));
        let world = bodies.into_iter().fold(world, |world, body| world.body(body));
        world.build().map_err(|error| self.explain(0, &error))
    }

    fn cloths_of_world(&self, left: &mut Left, report: &mut Report<'_>) -> Option<Vec<BuiltCloth>> {
        let build = |(i, cloth)| self.build_cloth(i, cloth, left, report);
        let built: Vec<_> = self.cloths.iter().enumerate().map(build).collect();
        built.into_iter().collect()
    }

    fn colliders_of_world(
        &self,
        left: &mut Left,
        report: &mut Report<'_>,
    ) -> Option<Vec<collision::Collider>> {
        let build = |(i, collider): (usize, &super::Collider)| {
            let built = collider.build(self.up, self.time.fps, &mut left.files);
            let place = |path: &str| self.source.locate(&format!("collider.{i}.{path}"));
            built.map_err(|problem| report.error(&place(&problem.path), problem.message)).ok()
        };
        let built: Vec<_> = self.colliders.iter().enumerate().map(build).collect();
        built.into_iter().collect()
    }

    fn bodies_of_world(&self, left: &mut Left, report: &mut Report<'_>) -> Option<Vec<RigidBody>> {
        let build = |(i, body): (usize, &super::BodyDescription)| {
            let place = |path: &str| self.source.locate(&format!("body.{i}.{path}"));
            let built = body.build(self.up, &mut left.files);
            built.map_err(|problem| report.error(&place(&problem.path), problem.message)).ok()
        };
        let built: Vec<_> = self.bodies.iter().enumerate().map(build).collect();
        built.into_iter().collect()
    }

    /// The settings under which a cloth is simulated on a back end.
    pub fn settings(&self, cloth: &ClothDescription, backend: Backend) -> Settings {
        Settings {
            time_step: 1.0 / self.time.fps,
            substeps: self.time.substeps,
            gravity: self.forces.gravity,
            wind: self.forces.wind,
            solver: cloth.solver.on(backend).clone(),
            threads: self.solver.threads,
            max_speed: self.solver.max_speed,
            ..Settings::default()
        }
    }

    /// Leads an error of [`Simulation::new`] for the cloth with a number (counted from 0), or of a
    /// [`World`] whatever the number, back to the text of the scene.
    pub fn explain(&self, cloth: usize, error: &Error) -> SceneError {
        let mut report = Report::new(&self.source);
        report.error(&self.locate(cloth, error), error.to_string());
        report.into_error()
    }

    fn build_cloth(
        &self,
        i: usize,
        cloth: &ClothDescription,
        left: &mut Left,
        report: &mut Report<'_>,
    ) -> Option<BuiltCloth> {
        let mesh = match cloth.mesh.load(&mut left.files) {
            Ok(mesh) => cloth.transform.place(mesh, upright(&cloth.mesh.source, self.up)),
            Err(problem) => {
                let span = self.source.locate(&format!("cloth.{i}.mesh.{}", problem.path));
                report.error(&span, problem.message);
                return None;
            }
        };
        let mesh = match self.snapped(i, cloth, mesh) {
            Ok(mesh) => mesh,
            Err((span, message)) => {
                report.error(&span, message);
                return None;
            }
        };
        let start = match start::shape(cloth, &mesh, self.up, &mut left.files) {
            Ok(start) => start,
            Err(message) => {
                report.error(&self.source.locate(&format!("cloth.{i}.start")), message);
                return None;
            }
        };
        let (mut pins, mut wrong) = (Vec::new(), false);
        for (j, set) in cloth.pins.iter().enumerate() {
            match set.select(start.as_ref().unwrap_or(&mesh), &mut left.positions) {
                Ok(selected) => pins.extend(selected),
                // To find each place the text is read again: enough is enough.
                Err(_) if report.has_plenty() => return None,
                Err(problem) => {
                    wrong = true;
                    let span = self.source.locate(&format!("cloth.{i}.pins.{j}.{}", problem.path));
                    report.push(&span, problem.message, problem.hint);
                }
            }
        }
        if wrong {
            return None;
        }
        let mut builder = Cloth::builder(mesh).material(cloth.material).tethers(cloth.tethers);
        if let Some(start) = start {
            builder = builder.start_positions(start.positions);
        }
        if let Some(kappa) = &cloth.kappa {
            builder = builder.kappa(kappa.clone());
        }
        if let Some(pressure) = &cloth.pressure {
            builder = builder.pressure(pressure.clone());
        }
        let builder = pins.into_iter().fold(builder, |builder, (v, motion)| builder.pin_moving(v, motion));
        match builder.build() {
            Ok(built) => Some(BuiltCloth {
                name: cloth.name.clone(),
                cloth: built,
                settings: self.settings(cloth, Backend::Cpu),
            }),
            Err(error) => {
                let (span, message, hint) = self.blame(i, cloth, &error);
                report.push(&span, message, hint);
                None
            }
        }
    }

    /// The placed mesh of a cloth, snapped to its grid if that is wanted; otherwise what is wrong, and where.
    fn snapped(&self, i: usize, cloth: &ClothDescription, mesh: TriMesh) -> Result<TriMesh, (Span, String)> {
        let SolverConfig::Multilevel(options) = cloth.solver.on(Backend::Cpu) else { return Ok(mesh) };
        if !cloth.snap {
            return Ok(mesh);
        }
        if cloth.start.is_some() {
            let message =
                "with snap vertices of the mesh are moved, but those of start would stay".to_owned();
            return Err((self.option(i, &["solver.snap"]), message));
        }
        snapped(&mesh, options).map_err(|error| (self.locate(i, &error), error.to_string()))
    }

    /// What to say of a cloth that could not be built. The mesh is read and built again in other ways: a
    /// hint that does not help is worse than none.
    fn blame(&self, i: usize, cloth: &ClothDescription, error: &Error) -> (Span, String, Option<String>) {
        let asis = (self.locate(i, error), error.to_string(), None);
        let flat = matches!(error, Error::DegenerateTriangle { .. });
        if !flat && !matches!(error, Error::IsolatedVertex { .. } | Error::Size { .. }) {
            return asis;
        }
        let builds = |mesh: &Mesh, transform: &Transform| {
            let placed = mesh.load(&mut Left::all(self).files).map(|loaded| {
                let mesh = transform.place(loaded, upright(&mesh.source, self.up));
                Cloth::builder(mesh).build().is_ok()
            });
            placed.unwrap_or(false)
        };
        if builds(&cloth.mesh, &Transform::default()) {
            let span = self.source.locate(&format!("cloth.{i}.transform.scale"));
            return match flat {
                true => (span, "this scale leaves triangles without area".to_owned(), None),
                false => (span, asis.1, None),
            };
        }
        let repaired = Mesh { repair: true, ..cloth.mesh.clone() };
        let mends = !cloth.mesh.repair && builds(&repaired, &cloth.transform);
        (asis.0, asis.1, mends.then(|| "add repair = true to the mesh".to_owned()))
    }
}

/// What turns a mesh upright: generated ones are made standing along y.
pub(super) fn upright(source: &MeshSource, up: UpAxis) -> Affine3A {
    match up {
        UpAxis::Z if source.stands_along_y() => {
            // A quarter turn about x, without rounding.
            Affine3A::from_mat3(Mat3::from_cols(Vec3::X, Vec3::Z, Vec3::NEG_Y))
        }
        _ => Affine3A::IDENTITY,
    }
}
