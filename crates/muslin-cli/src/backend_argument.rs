//! `--backend`: the words of scenes on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use muslin_io::scene::Backend;

const CPU: (Backend, &str) = (Backend::Cpu, "The processor");
const GPU: (Backend, &str) = (Backend::Gpu, "The graphics processor");
const AUTO: (Backend, &str) = (
    Backend::Auto,
    "The graphics processor if there is a real one that can do all of the scene, else the processor",
);

/// One of the back ends of scenes.
pub fn any() -> impl TypedValueParser<Value = Backend> {
    one_of(&[CPU, GPU, AUTO])
}

/// The processor or the graphics processor, where nobody chooses for the user.
pub fn cpu_or_gpu() -> impl TypedValueParser<Value = Backend> {
    one_of(&[CPU, GPU])
}

fn one_of(choices: &'static [(Backend, &'static str)]) -> impl TypedValueParser<Value = Backend> {
    let words = choices.iter().map(|(backend, help)| PossibleValue::new(backend.name()).help(*help));
    let backend = |word: String| choices.iter().find(|(backend, _)| backend.name() == word);
    PossibleValuesParser::new(words).map(move |word| backend(word).map_or(Backend::Cpu, |choice| choice.0))
}
