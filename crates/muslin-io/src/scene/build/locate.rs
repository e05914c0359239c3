//! Where in a scene's text an error of the library belongs.

use muslin::Error;
use muslin::solver::multilevel::LatticeError;

use crate::scene::Scene;
use crate::scene::text::source::Span;

impl Scene {
    /// The value of the scene that an error is about.
    pub(in crate::scene) fn locate(&self, cloth: usize, error: &Error) -> Span {
        let path = match error {
            Error::Mesh(_) | Error::DegenerateTriangle { .. } | Error::IsolatedVertex { .. } => {
                "mesh".to_owned()
            }
            Error::Material(error) => format!("material.{}", material_key(error.field)),
            Error::NoSuchPin { .. } | Error::NoSuchGroup { .. } | Error::PinMotion { .. } => {
                "pins.0".to_owned()
            }
            Error::NotClosed { .. } => "pressure".to_owned(),
            Error::UnstableBending(_) => "material.bending_form".to_owned(),
            Error::Setting { field: "time_step", .. } => return self.source.locate("time.fps"),
            Error::Setting { field: "substeps", .. } => return self.source.locate("time.substeps"),
            Error::Setting { field: "max_speed", .. } => return self.source.locate("solver.max_speed"),
            Error::Setting { field, .. } if field.starts_with("solver") => {
                return self.option(cloth, &[field]);
            }
            Error::Setting { field, .. } => return self.source.locate(&format!("forces.{field}")),
            Error::Collider { name, .. } | Error::UnequalSettings { cloth: name, .. } => {
                return self.body(name);
            }
            Error::Body { name, problem } => {
                let number = self.bodies.iter().position(|body| body.name == *name);
                return number.map_or(0..0, |i| self.source.locate(&self.path_of_body(i, problem)));
            }
            Error::Unresolved { first, .. } | Error::Crowded { first, .. } => return self.body(first),
            Error::NoSuchBody { name } => return self.contact(name),
            Error::Threads { .. } => return self.source.locate("solver.threads"),
            Error::Hierarchy(_) => "solver.levels".to_owned(),
            Error::Charts(_) | Error::Lattice(LatticeError::Overlap { .. }) => {
                return self.option(cloth, &["solver.parameterisation", "mesh"]);
            }
            Error::Lattice(_) => {
                return self.option(cloth, &["solver.spacing", "solver.particles", "solver.method"]);
            }
            Error::Unsupported { feature, .. } => {
                return self.option(cloth, &[feature.option(), "solver.method"]);
            }
            _ => String::new(),
        };
        self.source.locate(&format!("cloth.{cloth}.{path}"))
    }

    /// The first of some options of a cloth that is given: its own, or that of the scene; else the cloth.
    pub(in crate::scene) fn option(&self, cloth: usize, keys: &[&str]) -> Span {
        let own = |key: &&str| self.value(&format!("cloth.{cloth}.{key}"));
        let given = keys.iter().find_map(|key| own(key).or_else(|| self.value(key)));
        given.unwrap_or_else(|| self.source.locate(&format!("cloth.{cloth}")))
    }

    /// The table of a cloth, or the shape of a collider or rigid body, by name.
    fn body(&self, name: &str) -> Span {
        let cloth = self.cloths.iter().position(|cloth| cloth.name == name);
        let collider = self.colliders.iter().position(|collider| collider.name == name);
        let body = self.bodies.iter().position(|body| body.name == name);
        self.source.locate(&match (cloth, collider, body) {
            (Some(i), ..) => format!("cloth.{i}"),
            (None, Some(i), _) => format!("collider.{i}.{}", self.colliders[i].shape.key()),
            (None, None, Some(i)) => format!("body.{i}.{}", self.bodies[i].shape.key()),
            (None, None, None) => String::new(),
        })
    }

    /// Where a contact names a body.
    fn contact(&self, name: &str) -> Span {
        let names = self.collision.pairs.iter().map(|pair| &pair.between);
        let place = |(i, names): (usize, &[String; 2])| Some((i, names.iter().position(|n| n == name)?));
        let place = names.enumerate().find_map(place);
        self.source.locate(&place.map_or(String::new(), |(i, j)| format!("contact.{i}.between.{j}")))
    }
}

/// The key of a material that the library calls by this field's name.
fn material_key(field: &str) -> &str {
    match field {
        "surface.stiffness" => "contact_stiffness",
        _ => field.strip_prefix("surface.").unwrap_or(field),
    }
}
