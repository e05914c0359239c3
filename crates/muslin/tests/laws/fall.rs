//! A free cloth falls by ½ g t², whatever the step and however high it is.

use muslin::{Error, Settings};

use crate::case::{Case, Method};
use crate::meshes::Shape;
use crate::motion::{Moving, centre};
use crate::product::{Figure, Product, is_whole};

/// Metres above the origin.
const HEIGHTS: [f32; 4] = [0.0, 10.0, 100.0, 1000.0];

/// Substeps that stand for steps of 10 µs.
const SHORTEST: u32 = 2000;

/// How far the fall is off, as a fraction, after a time that makes it long against a unit in the last place at 1 km
/// (0.06 mm, of which the mean of hundreds of particles sees a tenth): 2 mm with steps of 10 µs, 0.2 m with 0.1 ms, else 1.2 m.
fn off(case: &Case, height: f32) -> Result<f64, Error> {
    let (frame, frames) = match case.substeps {
        SHORTEST => (0.02, 1),
        500.. => (0.05, 4),
        _ => (0.05, 10),
    };
    let mut mesh = case.shape.mesh();
    mesh.positions.iter_mut().for_each(|p| p.y += height);
    let settings = Settings { time_step: frame, ..case.settings() };
    let mut cloth = Moving::new(case, case.builder(mesh), settings)?;
    let start = centre(cloth.now()?).y;
    cloth.run(frames)?;
    let time = frame * frames as f64;
    let fall = start - centre(cloth.now()?).y;
    Ok((fall / (0.5 * 9.81 * time * time) - 1.0).abs())
}

/// Tries one height after the other, or all in the whole product.
fn falls_as_it_should() -> impl FnMut(&Case) -> Figure {
    let mut number = 0;
    move |case| {
        number += 1;
        let allowed = if case.substeps < SHORTEST { 1e-3 } else { 1e-2 };
        let heights = if is_whole() { HEIGHTS.to_vec() } else { vec![HEIGHTS[number % HEIGHTS.len()]] };
        let mut worst = 0.0f64;
        for height in heights {
            let off = off(case, height)?;
            if off.is_nan() || off > allowed {
                return Ok(Err(format!(
                    "from {height} m it falls by {:.3} % too far or not far enough",
                    100.0 * off
                )));
            }
            worst = worst.max(off / allowed);
        }
        Ok(Ok(worst))
    }
}

const SHAPES: [Shape; 4] = [Shape::Irregular, Shape::Shirt, Shape::Skirt, Shape::Huge];

#[test]
fn free_fall_is_half_g_t_squared() {
    let product = Product {
        methods: &Method::CPU,
        fabrics: &["cotton", "stiff"],
        shapes: &SHAPES,
        substeps: &[1, 5, 50, 500, SHORTEST],
        levels: &[8],
        sample: 30,
    };
    product.hold("free fall", falls_as_it_should());
}

/// Flat cloth only: curved cloth is moved by the printed levels.
#[test]
fn free_fall_is_half_g_t_squared_in_the_paper() {
    let product = Product {
        methods: &[Method::Paper],
        fabrics: &["cotton", "stiff"],
        shapes: &[Shape::Irregular],
        substeps: &[1, 5, 50, 500],
        levels: &[8],
        sample: 4,
    };
    product.hold("free fall, paper", falls_as_it_should());
}

#[test]
fn free_fall_is_half_g_t_squared_in_grids() {
    let product = Product {
        methods: &[Method::Multilevel],
        fabrics: &["cotton", "stiff"],
        shapes: &Shape::DEVELOPABLE[..2],
        substeps: &[1, 5, 50, 500],
        levels: &[1],
        sample: 4,
    };
    product.hold("free fall, grids", falls_as_it_should());
}

#[cfg(feature = "gpu")]
#[test]
fn free_fall_is_half_g_t_squared_on_a_gpu() {
    let product = Product {
        methods: &Method::GPU,
        fabrics: &["stiff"],
        shapes: &SHAPES[..3],
        substeps: &[1, 5, 50],
        levels: &[8],
        sample: 6,
    };
    product.hold("free fall, GPU", falls_as_it_should());
}
