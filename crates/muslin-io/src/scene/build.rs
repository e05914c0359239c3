//! From a scene to cloths that can be simulated, with errors led back to the text.

use glam::{Affine3A, Mat3, Vec3};
use muslin::cloth::Cloth;
use muslin::mesh::TriMesh;
use muslin::{Error, Settings};

use super::diagnostic::{Report, SceneError};
use super::mesh::MOST_BYTES;
use super::pins::MOST_POSITIONS;
use super::source::Span;
use super::{ClothDescription, Scene, UpAxis};

/// A cloth of a scene, ready for [`Simulation::new`](muslin::Simulation::new).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BuiltCloth {
    /// As in the scene.
    pub name: String,
    /// The cloth.
    pub cloth: Cloth,
    /// The conditions; one step of them is one frame.
    pub settings: Settings,
}

/// What the cloths that are still to be built may use together.
struct Left {
    /// Of mesh files.
    bytes: u64,
    /// Of pins.
    positions: u64,
}

impl Scene {
    /// Reads or generates the meshes, selects the pins, and builds the cloths.
    pub fn build(&self) -> Result<Vec<BuiltCloth>, SceneError> {
        let mut report = Report::new(&self.source);
        let mut left = Left { bytes: MOST_BYTES, positions: MOST_POSITIONS };
        let build = |(i, cloth)| self.build_cloth(i, cloth, &mut left, &mut report);
        let built: Vec<_> = self.cloths.iter().enumerate().map(build).collect();
        match built.into_iter().collect() {
            Some(cloths) if report.is_empty() => Ok(cloths),
            _ => Err(report.into_error()),
        }
    }

    /// The settings under which a cloth is simulated.
    pub fn settings(&self, cloth: &ClothDescription) -> Settings {
        Settings {
            time_step: 1.0 / self.time.fps,
            substeps: self.time.substeps,
            gravity: self.forces.gravity,
            wind: self.forces.wind,
            solver: cloth.solver.clone(),
            threads: self.solver.threads,
            max_speed: self.solver.max_speed,
            ..Settings::default()
        }
    }

    /// Leads an error of [`Simulation::new`](muslin::Simulation::new) for the cloth with a number
    /// (counted from 0) back to the text of the scene.
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
        let mesh = match cloth.mesh.load(&mut left.bytes) {
            Ok(mesh) => placed(mesh, cloth, self.up),
            Err(problem) => {
                let span = self.source.locate(&format!("cloth.{i}.mesh.{}", problem.path));
                report.error(&span, problem.message);
                return None;
            }
        };
        let mut pins = Vec::new();
        for (j, set) in cloth.pins.iter().enumerate() {
            match set.select(&mesh, &mut left.positions) {
                Ok(selected) => pins.extend(selected),
                // To find each place the text is read again: enough is enough.
                Err(_) if report.has_plenty() => return None,
                Err(problem) => {
                    let span = self.source.locate(&format!("cloth.{i}.pins.{j}.{}", problem.path));
                    report.push(&span, problem.message, problem.hint);
                }
            }
        }
        if !report.is_empty() {
            return None;
        }
        let builder = Cloth::builder(mesh).material(cloth.material).tethers(cloth.tethers);
        let builder = pins.into_iter().fold(builder, |builder, (v, motion)| builder.pin_moving(v, motion));
        match builder.build() {
            Ok(built) => {
                Some(BuiltCloth { name: cloth.name.clone(), cloth: built, settings: self.settings(cloth) })
            }
            Err(error) => {
                let mendable =
                    matches!(error, Error::DegenerateTriangle { .. } | Error::IsolatedVertex { .. });
                let hint = mendable.then(|| "add repair = true to the mesh".to_owned());
                report.push(&self.locate(i, &error), error.to_string(), hint);
                None
            }
        }
    }

    /// The value of the scene that an error is about.
    fn locate(&self, cloth: usize, error: &Error) -> Span {
        let path = match error {
            Error::Mesh(_) | Error::DegenerateTriangle { .. } | Error::IsolatedVertex { .. } => {
                "mesh".to_owned()
            }
            Error::Material(error) => format!("material.{}", error.field),
            Error::NoSuchPin { .. } | Error::NoSuchGroup { .. } | Error::PinMotion { .. } => {
                "pins.0".to_owned()
            }
            Error::UnstableBending(_) => "material.bending_form".to_owned(),
            Error::Setting { field: "time_step", .. } => return self.source.locate("time.fps"),
            Error::Setting { field: "substeps", .. } => return self.source.locate("time.substeps"),
            Error::Setting { field: "max_speed", .. } => return self.source.locate("solver.max_speed"),
            Error::Setting { field, .. } if field.starts_with("solver") => return self.source.locate(field),
            Error::Setting { field, .. } => return self.source.locate(&format!("forces.{field}")),
            Error::Threads { .. } => return self.source.locate("solver.threads"),
            Error::Hierarchy(_) => "solver.levels".to_owned(),
            Error::Unsupported { .. } => {
                let own = self.source.locate(&format!("cloth.{cloth}.solver.variant"));
                let of_scene = self.source.locate("solver.variant");
                let is_word = |span: &Span| self.source.text.get(span.clone()).is_some_and(is_quoted);
                return if is_word(&own) || !is_word(&of_scene) { own } else { of_scene };
            }
            _ => String::new(),
        };
        self.source.locate(&format!("cloth.{cloth}.{path}"))
    }
}

fn is_quoted(text: &str) -> bool {
    text.starts_with(['"', '\''])
}

/// The mesh where it starts: generated ones are made standing along y and turned upright first.
fn placed(mesh: TriMesh, cloth: &ClothDescription, up: UpAxis) -> TriMesh {
    let upright = match up {
        UpAxis::Z if cloth.mesh.source.stands_along_y() => {
            // A quarter turn about x, without rounding.
            Affine3A::from_mat3(Mat3::from_cols(Vec3::X, Vec3::Z, Vec3::NEG_Y))
        }
        _ => Affine3A::IDENTITY,
    };
    mesh.transformed(cloth.transform.affine() * upright)
}
