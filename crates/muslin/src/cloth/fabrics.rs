//! A small table of fabrics.
//!
//! Denim and jersey: Wang, O'Brien, Ramamoorthi 2011, as distributed with ARCSim (denim 11 oz;
//! cotton-polyester interlock), stretch warp/weft and the middle of the bending range. Cotton: the
//! cotton-polyester trousers of the same set. Silk and leather are not in that set: silk has the
//! stretch of its light polyester tablecloth, the median bending of the 618 fabrics of Feng et al. 2022
//! and an estimated density; leather's figures are all estimates.
//! The papers do not give shear in N/m; it is taken as a fifth of the softer stretch for woven
//! fabrics and as a half for knits and leather, which have no threads to turn against each other.

use super::{Damping, Material, Stretch};

/// A fabric by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    /// The name used in scenes.
    pub name: &'static str,
    /// kg/m².
    pub density: f32,
    /// Weft, warp and shear stiffness, N/m.
    pub stretch: [f32; 3],
    /// Bending stiffness, N·m.
    pub bending: f32,
    /// Where the figures come from.
    pub source: &'static str,
}

/// Where threads lock, as a fraction. The measured stiffnesses are those of strains of a few per cent; beyond, woven
/// fabrics stiffen by orders of magnitude and knits some way later. One estimate for all.
const LOCKED: f32 = 0.15;

const WANG: &str = "Wang, O'Brien, Ramamoorthi 2011 (ARCSim data); shear estimated";

/// The fabrics Muslin knows.
pub const FABRICS: [Fabric; 5] = [
    Fabric {
        name: "silk",
        density: 0.08,
        stretch: [2027.0, 2002.0, 400.0],
        bending: 9e-6,
        source: "stretch of a light polyester weave (Wang 2011), median bending of Feng et al. 2022; density estimated",
    },
    Fabric {
        name: "cotton",
        density: 0.220,
        stretch: [2035.0, 2017.0, 403.0],
        bending: 168e-6,
        source: WANG,
    },
    Fabric { name: "denim", density: 0.324, stretch: [1014.0, 205.0, 41.0], bending: 70e-6, source: WANG },
    Fabric {
        name: "leather",
        density: 0.9,
        stretch: [8000.0, 8000.0, 4000.0],
        bending: 1.5e-3,
        source: "estimate for 1 mm garment leather; no measurement in our references",
    },
    Fabric { name: "jersey", density: 0.187, stretch: [34.0, 17.0, 8.5], bending: 23e-6, source: WANG },
];

/// Looks a fabric up by name.
pub fn fabric(name: &str) -> Option<&'static Fabric> {
    FABRICS.iter().find(|fabric| fabric.name == name)
}

impl Fabric {
    /// The fabric as a material with its physical stiffness.
    pub fn material(&self) -> Material {
        let [weft, warp, shear] = self.stretch;
        Material {
            density: self.density,
            stretch: Stretch::Physical { weft, warp, shear },
            strain_limit: Some(LOCKED),
            bending: self.bending,
            damping: Damping::Deformation { rate: 0.5 },
            ..Material::default()
        }
    }
}
