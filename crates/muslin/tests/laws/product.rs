//! Every solver × fabric × mesh × substeps × levels × back end: the whole product, or a sample of it.

use glam::Vec3;
use muslin::Error;

use crate::case::{Case, Method};
use crate::meshes::Shape;
use crate::open::is_open;

/// The variable that asks for the whole product if it is `all`; `cargo xtask laws` sets it. Else it asks for the part of it
/// whose cases, as they are printed, have all of some values: `MUSLIN_LAWS='FullApproximation substeps:200'`.
const WHOLE: &str = "MUSLIN_LAWS";

/// What a law is held against.
pub struct Product<'a> {
    pub methods: &'a [Method],
    pub fabrics: &'a [&'static str],
    pub shapes: &'a [Shape],
    pub substeps: &'a [u32],
    pub levels: &'a [usize],
    /// How many are tried where the whole is not asked for.
    pub sample: usize,
}

impl Product<'_> {
    /// All combinations, or the sample.
    fn cases(&self) -> Vec<Case> {
        let sizes = [
            self.methods.len(),
            self.shapes.len(),
            self.fabrics.len(),
            self.substeps.len(),
            self.levels.len(),
        ];
        let case = |[method, shape, fabric, substeps, levels]: [usize; 5]| {
            Case {
                method: self.methods[method],
                fabric: self.fabrics[fabric],
                shape: self.shapes[shape],
                substeps: self.substeps[substeps],
                levels: self.levels[levels],
            }
            .normalised()
        };
        let all: usize = sizes.iter().product();
        let mut cases: Vec<Case> = match is_whole() {
            true => (0..all).map(|number| case(digits(number, sizes))).filter(is_wanted).collect(),
            false => (0..self.sample).map(|number| case(spread(number, sizes))).collect(),
        };
        cases.sort();
        cases.dedup();
        cases
    }

    /// Holds a law against all cases, each of which gives a figure or says how the law is broken; combinations that are
    /// refused with a reason are left out.
    pub fn hold(&self, law: &str, check: impl FnMut(&Case) -> Figure) {
        assert_none(law, &self.broken(law, check));
    }

    /// The cases in which a law is broken.
    fn broken(&self, law: &str, mut check: impl FnMut(&Case) -> Figure) -> Vec<String> {
        let (mut tried, mut largest, mut broken) = (0, 0.0f64, Vec::new());
        let mut cases = self.cases();
        if !is_whole() {
            cases.retain(|case| !is_open(law, case));
        }
        for case in &cases {
            let checked = check(case);
            if is_whole() {
                println!("{law} {case:?}: {checked:?}");
            }
            match checked {
                Err(Error::Unsupported { .. } | Error::Charts(_) | Error::Lattice(_)) => continue,
                Err(error) => broken.push(format!("{case:?}: {error}")),
                Ok(Err(how)) => broken.push(format!("{case:?}: {how}")),
                Ok(Ok(figure)) => largest = largest.max(figure),
            }
            tried += 1;
        }
        println!(
            "{law}: {tried} of {} cases, {} broken, else {largest:.3e} at the most",
            cases.len(),
            broken.len()
        );
        assert!(is_whole() || 2 * tried >= cases.len(), "{law}: most cases were refused");
        broken
    }

    /// Holds a law on the CPU (this product), in grids and on a GPU.
    pub fn hold_everywhere(&self, law: &str, check: fn(&Case) -> Figure) {
        let mut broken = self.broken(law, check);
        let substeps = &[1, 3, 16];
        let shapes: Vec<Shape> =
            Shape::DEVELOPABLE.into_iter().filter(|shape| self.shapes.contains(shape)).collect();
        let grids = Product { methods: &[Method::Multilevel], shapes: &shapes, substeps, sample: 3, ..*self };
        broken.extend(grids.broken(&format!("{law}, grids"), check));
        if cfg!(feature = "gpu") {
            let on_gpu = Product { methods: &Method::GPU, substeps, sample: 3, ..*self };
            broken.extend(on_gpu.broken(&format!("{law}, GPU"), check));
        }
        assert_none(law, &broken);
    }
}

/// What a case gives: a figure, or how a law is broken, unless the combination is refused.
pub type Figure = Result<Result<f64, String>, Error>;

fn assert_none(law: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{law}: broken in {} cases\n{}", broken.len(), broken.join("\n"));
}

/// Whether the whole product is asked for, or all of a part.
pub fn is_whole() -> bool {
    std::env::var_os(WHOLE).is_some()
}

/// Whether a case belongs to the part that is asked for.
fn is_wanted(case: &Case) -> bool {
    let wanted = std::env::var(WHOLE).unwrap_or_default().replace(": ", ":");
    let printed = format!("{case:?}").replace(": ", ":");
    let fields: Vec<&str> = printed.split([' ', ',', '"']).collect();
    let has = |word: &str| fields.iter().any(|field| *field == word || field.split(':').nth(1) == Some(word));
    wanted == "all" || wanted.split_whitespace().all(has)
}

/// The digits of a number in mixed bases.
fn digits<const N: usize>(mut number: usize, sizes: [usize; N]) -> [usize; N] {
    sizes.map(|size| {
        let digit = number % size;
        number /= size;
        digit
    })
}

/// A point of a sequence that fills the product evenly: in each factor all values come equally often, and together they
/// avoid each other (Kronecker's sequence with the powers of 1/g, g⁶ = g + 1, which is Roberts's for five dimensions).
fn spread<const N: usize>(number: usize, sizes: [usize; N]) -> [usize; N] {
    const G: f64 = 1.134_724_138_401_519_4;
    let mut share = 1.0;
    sizes.map(|size| {
        share /= G;
        ((0.5 + share * number as f64).fract() * size as f64) as usize
    })
}

/// The unit in the last place of a coordinate: the distance of neighbouring numbers of single precision.
pub fn unit_in_last_place(coordinate: f32) -> f64 {
    let magnitude = coordinate.abs().max(f32::MIN_POSITIVE);
    f64::from(magnitude.next_up()) - f64::from(magnitude)
}

/// Downwards, m/s².
pub const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);
