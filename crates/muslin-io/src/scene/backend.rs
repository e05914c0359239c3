//! What computes a scene, and what of a scene only the CPU can do.

use muslin::Error;
use serde::{Deserialize, Serialize};

use super::diagnostic::{Report, SceneError};
use super::source::Span;
use super::{ClothDescription, Scene};

/// The words of scene files.
pub(super) const BACKENDS: [(&str, Backend); 3] =
    [("cpu", Backend::Cpu), ("gpu", Backend::Gpu), ("auto", Backend::Auto)];

/// What computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// The processor.
    #[default]
    Cpu,
    /// The graphics processor, or nothing.
    Gpu,
    /// The graphics processor if there is a real one and it can do all of the scene, else the processor.
    Auto,
}

impl Backend {
    /// Its word in scene files and reports.
    pub fn name(self) -> &'static str {
        BACKENDS.iter().find(|(_, backend)| *backend == self).map_or("cpu", |(name, _)| name)
    }
}

/// Words in what the GPU engine says it cannot do, and the key of a cloth that they are about.
const ABOUT: [(&str, &str); 12] = [
    ("method", "solver.method"),
    ("pressure", "pressure"),
    ("triangle_bending", "material.triangle_bending"),
    ("dihedral_bending", "material.dihedral_bending"),
    ("stick_bending", "material.stick_bending"),
    ("diagonals", "solver.diagonals"),
    ("stretch_compliance", "solver.stretch_compliance"),
    ("variant", "solver.variant"),
    ("nested", "solver.nesting"),
    ("stretch", "material.stretch"),
    ("bending", "material.bending_form"),
    ("damping", "material.damping_form"),
];

impl Scene {
    /// Refuses what no cloth could do on the GPU: to collide with something or with itself.
    ///
    /// What a single cloth can do there is the engine's to say: see [`Scene::explain_gpu`].
    pub fn check_gpu(&self) -> Result<(), SceneError> {
        let mut report = Report::new(&self.source);
        if !self.colliders.is_empty() {
            let hint = "use backend = \"cpu\", or leave the colliders out";
            let message = "collider: the GPU back end has no colliders";
            report.error_with_hint(&self.source.locate("collider.0"), message, hint);
        }
        if !self.bodies.is_empty() {
            let hint = "use backend = \"cpu\", or leave the bodies out";
            let message = "body: the GPU back end has no rigid bodies";
            report.error_with_hint(&self.source.locate("body.0"), message, hint);
        }
        if self.collision.self_collisions {
            let hint = "use backend = \"cpu\", or set self = false in [collision]";
            let message = "collision.self: the GPU back end has no collisions of cloth with itself";
            report.error_with_hint(&self.value_or_backend("collision.self"), message, hint);
        }
        if report.is_empty() { Ok(()) } else { Err(report.into_error()) }
    }

    /// As [`Scene::explain`] for an error of the GPU engine: leads it back to the key that it is about.
    pub fn explain_gpu(&self, cloth: usize, error: &Error) -> SceneError {
        let Error::Unsupported { feature, .. } = error else { return self.explain(cloth, error) };
        let mut report = Report::new(&self.source);
        // After a semicolon stands what it can do instead.
        let refused = feature.split(';').next().unwrap_or(feature);
        let key = ABOUT.iter().find(|(word, _)| refused.contains(word)).map(|(_, key)| *key);
        let own = |key: &str| format!("cloth.{cloth}.{key}");
        let name = self.cloths.get(cloth).map_or("cloth", |cloth: &ClothDescription| cloth.name.as_str());
        let (span, message) = match key {
            Some(key) => {
                // A cloth's own options come first, then those of the scene, or of a fabric.
                let paths = [own(key), key.to_owned(), own("fabric")];
                let found = paths.iter().find_map(|path| self.value(path));
                let span = found.unwrap_or_else(|| self.source.locate(&own(key)));
                (span, format!("{key} of cloth '{name}': {error}"))
            }
            None => (self.source.locate(&own("")), format!("cloth '{name}': {error}")),
        };
        report.error_with_hint(&span, message, "use backend = \"cpu\"");
        report.into_error()
    }

    /// Where a value stands, if it is given.
    pub(super) fn value(&self, path: &str) -> Option<Span> {
        let around = path.rsplit_once('.').map_or(0..0, |(table, _)| self.source.locate(table));
        let span = self.source.locate(path);
        (span != around && !span.is_empty()).then_some(span)
    }

    /// Where a value stands; if it is not given, where the GPU is asked for.
    fn value_or_backend(&self, path: &str) -> Span {
        self.value(path).unwrap_or_else(|| self.source.locate("solver.backend"))
    }
}
