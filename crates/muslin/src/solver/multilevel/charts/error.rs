//! Why a mesh cannot be laid into the plane.

use crate::mesh::MeshError;

/// Why a cloth has no charts. Triangles are in internal numbering.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChartError {
    /// The mesh itself cannot be used.
    #[error(transparent)]
    Mesh(MeshError),
    /// The limit of distortion is not a positive number.
    #[error("the largest distortion accepted is {0}; it must be a number above 0")]
    Limit(f64),
    /// Texture coordinates are wanted and the mesh has none.
    #[error("the mesh has no texture coordinates; give it some, in metres of cloth, or let it be flattened")]
    NoUvs,
    /// A texture coordinate is NaN or infinite.
    #[error("triangle {triangle} has texture coordinates that are not finite")]
    NotFinite {
        /// The triangle.
        triangle: usize,
    },
    /// A triangle has no area, at rest or in the plane.
    #[error("triangle {triangle} has no area in the plane; repair the mesh or its texture coordinates")]
    NoArea {
        /// The triangle.
        triangle: usize,
    },
    /// Texture coordinates fold over within a panel.
    #[error(
        "triangle {triangle} is mirrored against the rest of its panel: the texture coordinates fold over there; \
         cut the panel along the fold or let the mesh be flattened"
    )]
    Mirrored {
        /// The triangle.
        triangle: usize,
    },
    /// A connected part of the rest shape does not lie in a plane.
    #[error(
        "the rest shape is not flat at triangle {triangle}; give texture coordinates or let it be flattened"
    )]
    NotFlat {
        /// The triangle.
        triangle: usize,
    },
    /// A patch has no outline, or handles, or one side only: no plane shape exists.
    #[error(
        "the piece of cloth with triangle {triangle} is closed or has handles: it must be cut open; \
         give texture coordinates, whose seams are the cuts"
    )]
    NotADisk {
        /// A triangle of the patch.
        triangle: usize,
    },
    /// Flattening turned a triangle over.
    #[error(
        "flattening turns triangle {triangle} over: the piece of cloth must be cut further; give texture coordinates"
    )]
    Flipped {
        /// The triangle.
        triangle: usize,
    },
    /// Lengths in the plane differ too much from those at rest.
    #[error(
        "the flat shape distorts triangle {triangle} by {distortion:.3}, more than the {limit} accepted; \
         give texture coordinates in metres of cloth, cut the mesh further, or accept more"
    )]
    Distorted {
        /// The worst triangle.
        triangle: usize,
        /// Its |principal stretch − 1|.
        distortion: f64,
        /// The limit.
        limit: f64,
    },
}

impl ChartError {
    /// The triangle that it is about.
    pub(crate) fn triangle_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Mirrored { triangle }
            | Self::NotFlat { triangle }
            | Self::NotADisk { triangle }
            | Self::Flipped { triangle }
            | Self::Distorted { triangle, .. } => Some(triangle),
            _ => None,
        }
    }
}
