//! Values that hold where a text says nothing of them and the schema neither: those of the fabric, of the world.

use muslin::cloth::{Damping, Stretch};
use muslin::rigid::Mass;
use muslin_io::scene::Scene;

use super::SettingValue;

/// What holds at a path; `None` if the schema knows better, or there is no value.
pub fn value(scene: &Scene, path: &[&str]) -> Option<SettingValue> {
    match *path {
        ["forces", "gravity"] => {
            Some(SettingValue::Vector(scene.forces.gravity.as_dvec3().to_array().map(short)))
        }
        ["cloth", number, "material", ref rest @ ..] => {
            of_material(&scene.cloths.get(number.parse::<usize>().ok()?)?.material, rest)
        }
        ["body", number, "mass"] => match scene.bodies.get(number.parse::<usize>().ok()?)?.mass {
            Mass::Total(mass) => Some(SettingValue::Number(mass)),
            Mass::Density(_) => None,
        },
        ["body", number, "density"] => match scene.bodies.get(number.parse::<usize>().ok()?)?.mass {
            Mass::Density(density) => Some(SettingValue::Number(density)),
            Mass::Total(_) => None,
        },
        _ => None,
    }
}

fn of_material(material: &muslin::cloth::Material, path: &[&str]) -> Option<SettingValue> {
    let number = |value: f32| Some(SettingValue::Number(short(value.into())));
    match (path, material.stretch) {
        (["density"], _) => number(material.density),
        (["bending"], _) => number(material.bending),
        (["strain_limit"], _) => material.strain_limit.and_then(number),
        (["thickness"], _) => number(material.surface.thickness),
        (["friction"], _) => number(material.surface.friction),
        (["static_friction"], _) => material.surface.static_friction.and_then(number),
        (["contact_stiffness"], _) => number(material.surface.stiffness),
        (["damping"], _) => match material.damping {
            Damping::None => number(0.0),
            Damping::Deformation { rate } => number(rate),
            Damping::Printed { coefficient } => number(coefficient),
        },
        (["stretch", "alpha"], Stretch::Coefficients { alpha, .. }) => number(alpha),
        (["stretch", "beta"], Stretch::Coefficients { beta, .. }) => number(beta),
        (["stretch", "weft"], Stretch::Physical { weft, .. }) => number(weft),
        (["stretch", "warp"], Stretch::Physical { warp, .. }) => number(warp),
        (["stretch", "shear"], Stretch::Physical { shear, .. }) => number(shear),
        _ => None,
    }
}

/// A number in single precision with the digits that it has there: 0.22, not 0.2199999988079071.
fn short(number: f64) -> f64 {
    (number as f32).to_string().parse().unwrap_or(number)
}
