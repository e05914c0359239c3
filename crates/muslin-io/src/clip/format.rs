//! The formats in which a clip can be written.

use std::fmt;
use std::str::FromStr;

/// A format of animation files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClipFormat {
    /// A Wavefront OBJ file per frame, all meshes in it.
    Obj,
    /// A binary PLY file per frame and mesh.
    Ply,
    /// A PC2 point cache per mesh.
    Pc2,
    /// An MDD point cache per mesh.
    Mdd,
    /// One binary glTF file, a morph target per frame. For short clips.
    Glb,
    /// One USD file as text (`.usda`), with time samples of the points.
    Usd,
    /// A VTK PolyData file (`.vtp`) per frame and mesh, and a `.pvd` index for ParaView.
    Vtk,
    /// A NumPy archive per mesh.
    Npz,
}

/// A word that names no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown animation format '{0}'; known are obj, ply, pc2, mdd, glb, usd, vtk and npz")]
pub struct UnknownClipFormat(pub String);

impl ClipFormat {
    /// All formats.
    pub const ALL: [Self; 8] =
        [Self::Obj, Self::Ply, Self::Pc2, Self::Mdd, Self::Glb, Self::Usd, Self::Vtk, Self::Npz];

    /// Whether there is a file per frame, which can be written as soon as the frame is known.
    pub fn is_sequence(self) -> bool {
        matches!(self, Self::Obj | Self::Ply | Self::Vtk)
    }

    /// Whether one file holds all meshes of a clip; otherwise each has its own.
    pub fn holds_several_meshes(self) -> bool {
        matches!(self, Self::Obj | Self::Glb | Self::Usd)
    }

    /// The extension of the files with positions, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Usd => "usda",
            Self::Vtk => "vtp",
            _ => self.name(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Pc2 => "pc2",
            Self::Mdd => "mdd",
            Self::Glb => "glb",
            Self::Usd => "usd",
            Self::Vtk => "vtk",
            Self::Npz => "npz",
        }
    }
}

impl fmt::Display for ClipFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ClipFormat {
    type Err = UnknownClipFormat;

    /// Takes the name or the extension of a format, in any case.
    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let matches = |format: &Self| {
            word.eq_ignore_ascii_case(format.name()) || word.eq_ignore_ascii_case(format.extension())
        };
        Self::ALL.into_iter().find(matches).ok_or_else(|| UnknownClipFormat(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for format in ClipFormat::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
            assert_eq!(format.extension().to_uppercase().parse(), Ok(format));
        }
        assert_eq!("abc".parse::<ClipFormat>(), Err(UnknownClipFormat("abc".into())));
    }
}
