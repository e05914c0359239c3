//! Reproduces the tables and figures of the papers that Muslin implements.
//!
//! An [`Item`] is one table or figure. [`reproduce`] simulates it and returns a [`Report`]: the
//! paper's figures beside ours, notes on what differs, and plots. `docs/papers/` holds the results
//! and what to make of them.

mod anonymous;
mod bender2009;
mod bender2013;
#[cfg_attr(not(feature = "gpu"), path = "no_gpu.rs")]
mod gpu;
mod kelager2010;
pub mod motion;
mod report;
mod schmitt2013;

use std::sync::LazyLock;

pub use gpu::{Gpu, KernelTime};
pub use report::{Report, Row};

/// How an item is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// A small version that takes seconds. It shows that everything runs; where its model is
    /// smaller than the paper's, the report leaves out the paper's figures.
    pub quick: bool,
    /// Worker threads; 0 means one per core. Only times depend on it.
    pub threads: usize,
    /// Where to simulate, if not on the CPU. Only some items can: see [`Item::gpu`].
    pub gpu: Option<&'a Gpu>,
}

/// A table or figure that can be reproduced.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// `<paper>-<table or figure>`, the name on the command line.
    pub name: &'static str,
    /// What it shows, in one line.
    pub description: &'static str,
    /// Roughly how long the full version takes on two cores, seconds.
    pub seconds: u32,
    /// Whether it can be run on a GPU too.
    pub gpu: bool,
    /// How its paper is cited.
    paper: &'static str,
    run: Run,
}

/// Where an item can be run.
const CPU: bool = false;
const CPU_OR_GPU: bool = true;

/// Writes down the items of a paper: where they can be run, name, seconds, function, description.
macro_rules! items_of {
    ($paper:ident: $($place:ident $name:literal, $seconds:literal s, $run:expr, $description:literal;)*) => {
        /// The items, in the paper's order.
        pub(crate) const ITEMS: &[$crate::Item] = &[$($crate::Item {
            name: $name,
            description: $description,
            seconds: $seconds,
            gpu: $crate::$place,
            paper: $paper,
            run: $run,
        }),*];
    };
}
pub(crate) use items_of;

/// Runs an item: fills its report, and tells now and then what it is doing.
type Run = fn(&Options, Progress, &mut Report) -> Result<(), Error>;

/// Hears what an item is doing.
type Progress<'a> = &'a mut dyn FnMut(&str);

/// Why an item could not be reproduced.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no item of this name.
    #[error("there is no item '{name}' (there are: {known})")]
    NoSuchItem {
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The item cannot be run on a GPU.
    #[error("'{name}' runs on the CPU only")]
    CpuOnly {
        /// The item's name.
        name: &'static str,
    },
    /// The model's mesh could not be generated.
    #[error(transparent)]
    Mesh(#[from] muslin::mesh::generate::GenerateError),
    /// The simulation failed.
    #[error(transparent)]
    Simulation(#[from] muslin::Error),
    /// A picture could not be drawn.
    #[error("a picture could not be drawn: {0}")]
    Picture(String),
}

impl From<muslin_render::RenderError> for Error {
    fn from(error: muslin_render::RenderError) -> Self {
        Self::Picture(error.to_string())
    }
}

/// All items, in the order of the papers; then what no paper has.
pub fn items() -> &'static [Item] {
    static ALL: LazyLock<Vec<Item>> = LazyLock::new(|| {
        let (first, second) = (bender2013::ITEMS, bender2009::ITEMS);
        [first, second, kelager2010::ITEMS, anonymous::ITEMS, schmitt2013::ITEMS, motion::ITEMS].concat()
    });
    &ALL
}

/// Reproduces the item of this name.
pub fn reproduce(name: &str, options: &Options) -> Result<Report, Error> {
    reproduce_with_progress(name, options, &mut |_| ())
}

/// Reproduces the item of this name and tells `progress` what it is doing, a line at a time.
pub fn reproduce_with_progress(
    name: &str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Report, Error> {
    let Some(item) = items().iter().find(|item| item.name == name) else {
        let known: Vec<&str> = items().iter().map(|item| item.name).collect();
        return Err(Error::NoSuchItem { name: name.into(), known: known.join(", ") });
    };
    if options.gpu.is_some() && !item.gpu {
        return Err(Error::CpuOnly { name: item.name });
    }
    let mut report = Report::new(item.name, item.paper);
    (item.run)(options, progress, &mut report)?;
    Ok(report)
}

/// The middle value. Not a number where there are none.
fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
