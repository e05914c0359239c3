//! What computes a scene, and what of a scene only the CPU can do.

use muslin::Error;
use muslin::solver::SolverConfig;
use serde::{Deserialize, Serialize};

use crate::scene::text::diagnostic::{Report, SceneError};
use crate::scene::text::source::Span;
use crate::scene::{ClothDescription, Scene};

/// The words of scene files.
pub(in crate::scene) const BACKENDS: [(&str, Backend); 3] =
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

impl Scene {
    /// Whether all cloth is multilevel cloth, whose grid can be on a GPU while its coarse mesh collides on the CPU.
    pub fn is_multilevel(&self) -> bool {
        self.cloths.iter().all(|cloth| matches!(cloth.solver.on(Backend::Cpu), SolverConfig::Multilevel(_)))
    }

    /// Refuses what no cloth but [multilevel](Scene::is_multilevel) cloth could do on the GPU: to collide with something
    /// or with itself.
    ///
    /// What a single cloth can do there is the engine's to say: see [`Scene::explain_gpu`].
    pub fn check_gpu(&self) -> Result<(), SceneError> {
        let mut report = Report::new(&self.source);
        if self.is_multilevel() {
            return Ok(());
        }
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
        let key = feature.option();
        let own = |key: &str| format!("cloth.{cloth}.{key}");
        let name = self.cloths.get(cloth).map_or("cloth", |cloth: &ClothDescription| cloth.name.as_str());
        // A cloth's own options come first, then those of the scene, or of a fabric.
        let found = [own(key), key.to_owned(), own("fabric")].iter().find_map(|path| self.value(path));
        let span = found.unwrap_or_else(|| self.source.locate(&own(key)));
        let message = format!("{key} of cloth '{name}': {error}");
        report.error_with_hint(&span, message, "use backend = \"cpu\"");
        report.into_error()
    }

    /// Where a value stands, if it is given.
    pub(in crate::scene) fn value(&self, path: &str) -> Option<Span> {
        let around = path.rsplit_once('.').map_or(0..0, |(table, _)| self.source.locate(table));
        let span = self.source.locate(path);
        (span != around && !span.is_empty()).then_some(span)
    }

    /// Where a value stands; if it is not given, where the GPU is asked for.
    fn value_or_backend(&self, path: &str) -> Span {
        self.value(path).unwrap_or_else(|| self.source.locate("solver.backend"))
    }
}
