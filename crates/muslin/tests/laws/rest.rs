//! A cloth at its rest shape in free fall keeps it.

use crate::case::{Case, Method};
use crate::meshes::Shape;
use crate::motion::Edges;
use crate::product::{Figure, Product};

/// Strains below this are none.
const STRAIN: f64 = 1e-4;

/// The same of a method: those that hold a tolerance, and do nothing below it, may leave that.
pub fn none(case: &Case) -> f64 {
    if case.method.has_tolerance() { 0.01 } else { STRAIN }
}

/// Rounded positions strain edges by a unit in the last place at each end; solvers that undo it may be wrong by as much
/// again.
pub const UNITS: f64 = 4.0;

/// All named fabrics, those that exploded first.
pub const FABRICS: [&str; 6] = ["cotton", "denim", "silk", "stiff", "leather", "jersey"];

/// The largest edge strain after half a second of free fall, in parts of what is allowed.
fn keeps_its_shape(case: &Case) -> Figure {
    let mut cloth = case.free()?;
    let before = cloth.now()?.positions();
    let edges = Edges::of(cloth.now()?);
    if let Err(error) = cloth.run(30) {
        return Ok(Err(error.to_string()));
    }
    let (share, [a, b], strain) = edges.worst(&cloth.now()?.positions(), &before, none(case), UNITS);
    Ok(if share <= 1.0 {
        Ok(share)
    } else {
        Err(format!("edge {a} {b} is strained by {:.4} %", 100.0 * strain))
    })
}

#[test]
fn rest_shape_in_free_fall_keeps_it() {
    let product = Product {
        methods: &Method::CPU,
        fabrics: &FABRICS,
        shapes: &Shape::ALL,
        substeps: &[5, 1, 20, 60, 200],
        levels: &[8, 1, 3],
        sample: 60,
    };
    product.hold("rest shape in free fall", keeps_its_shape);
}

/// The default solver with the fabrics that every new user takes, on every mesh: no sample.
#[test]
fn rest_shape_in_free_fall_keeps_it_by_default() {
    let product = Product {
        methods: &[Method::FullApproximation],
        fabrics: &["cotton"],
        shapes: &Shape::ALL,
        substeps: &[5],
        levels: &[8],
        sample: 40,
    };
    product.hold("rest shape in free fall by default", keeps_its_shape);
}

#[test]
fn rest_shape_in_free_fall_keeps_it_in_grids() {
    let product = Product {
        methods: &[Method::Multilevel],
        fabrics: &FABRICS,
        shapes: &Shape::DEVELOPABLE,
        substeps: &[2, 5, 20],
        levels: &[1],
        sample: 4,
    };
    product.hold("rest shape in free fall, grids", keeps_its_shape);
}

#[cfg(feature = "gpu")]
#[test]
fn rest_shape_in_free_fall_keeps_it_on_a_gpu() {
    let product = Product {
        methods: &Method::GPU,
        fabrics: &FABRICS,
        shapes: &Shape::ALL,
        substeps: &[5, 1, 20],
        levels: &[8, 3],
        sample: 6,
    };
    product.hold("rest shape in free fall, GPU", keeps_its_shape);
}
