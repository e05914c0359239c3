//! `mesh` of a cloth or collider: a file, or a generator with its arguments.

mod schema;

use std::path::PathBuf;

use glam::Vec3;
use muslin::mesh::generate::{self, GenerateError};
use muslin::mesh::{TriMesh, repair};

use super::Context;
use super::schema::table::Table;
use crate::files::Reading;
use schema::NAMES;
pub(in crate::scene) use schema::SCHEMA;

/// The largest mesh files of a scene, with those that they refer to, all together, in bytes.
pub(in crate::scene) const MOST_BYTES: u64 = 512 << 20;

/// The most triangles that the generators of a scene make, all together.
pub(in crate::scene) const MOST_TRIANGLES: u64 = 4_000_000;

/// Where a mesh comes from. Lengths in metres.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the arguments are those of muslin::mesh::generate")]
pub enum MeshSource {
    /// A file, by its real path.
    File { path: PathBuf },
    /// [`generate::grid`].
    Grid { columns: usize, rows: usize, width: f32, height: f32 },
    /// [`generate::alternating_grid`].
    AlternatingGrid { columns: usize, rows: usize, width: f32, height: f32 },
    /// [`generate::delaunay_rectangle`].
    Delaunay { width: f32, height: f32, triangles: usize, seed: u64 },
    /// [`generate::disk`].
    Disk { radius: f32, rings: usize },
    /// [`generate::panelled_tube`].
    Tube { radii: [f32; 2], height: f32, segments: usize, rings: usize, panels: usize },
    /// [`generate::sphere`].
    Sphere { radius: f32, subdivisions: usize },
    /// [`generate::cuboid`].
    Box { size: Vec3, subdivisions: usize },
    /// [`generate::plant`].
    Plant { height: f32, leaves: usize, cells: usize },
}

/// A mesh and whether to mend it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Where it comes from.
    pub source: MeshSource,
    /// Whether it goes through [`repair`](muslin::mesh::repair).
    pub repair: bool,
    /// Whether that closes it too, as far as it can.
    pub close: bool,
}

/// Why there is no mesh.
pub(in crate::scene) struct MeshProblem {
    /// The key within `mesh` that is to blame, as a path.
    pub path: String,
    pub message: String,
}

impl Mesh {
    pub(in crate::scene) fn read(table: &Table<'_>, context: &mut Context<'_>) -> Option<Self> {
        let source = match table.text("file") {
            Some(text) => MeshSource::File { path: context.mesh_file(text, &table.span_of("file"))? },
            None => {
                let name = NAMES.iter().find(|name| table.has(name))?;
                let source = read_generator(name, &table.table(name)?)?;
                context.count_triangles(source.triangles(), &table.span_of(name))?;
                source
            }
        };
        let flag = |name: &str| table.flag(name).unwrap_or(false);
        Some(Self { source, repair: flag("repair") || flag("close"), close: flag("close") })
    }

    /// Reads or generates the mesh, in the generator's own coordinates (y up). What is read is taken off
    /// what may be.
    pub(in crate::scene) fn load(&self, files: &mut Reading) -> Result<TriMesh, MeshProblem> {
        let mesh = self.source.load(files)?;
        if !self.repair {
            return Ok(mesh);
        }
        let options = repair::RepairOptions { close: self.close, ..repair::RepairOptions::default() };
        let mended = repair::repair(&mesh, &options);
        mended
            .map(|(mesh, _)| mesh)
            .map_err(|e| MeshProblem { path: "repair".into(), message: e.to_string() })
    }
}

fn read_generator(name: &str, table: &Table<'_>) -> Option<MeshSource> {
    let width = || table.real("width").unwrap_or(1.0);
    let height = || table.real("height").unwrap_or(1.0);
    Some(match name {
        "grid" | "alternating_grid" => {
            let (columns, rows) = (table.count("columns")?, table.count("rows")?);
            let (width, height) = (width(), height());
            match name {
                "grid" => MeshSource::Grid { columns, rows, width, height },
                _ => MeshSource::AlternatingGrid { columns, rows, width, height },
            }
        }
        "delaunay" => MeshSource::Delaunay {
            width: width(),
            height: height(),
            triangles: table.count("triangles")?,
            seed: table.count("seed").unwrap_or(1),
        },
        "disk" => MeshSource::Disk { radius: table.real("radius")?, rings: table.count("rings")? },
        "plant" => MeshSource::Plant {
            height: height(),
            leaves: table.count("leaves")?,
            cells: table.count("cells")?,
        },
        "tube" => MeshSource::Tube {
            radii: [table.real("radius")?, table.real("top_radius").or_else(|| table.real("radius"))?],
            height: table.real("height")?,
            segments: table.count("segments")?,
            rings: table.count("rings")?,
            panels: table.count("panels").unwrap_or(1),
        },
        "sphere" => {
            MeshSource::Sphere { radius: table.real("radius")?, subdivisions: table.count("subdivisions")? }
        }
        "box" => MeshSource::Box {
            size: table.vector("size")?,
            subdivisions: table.count("subdivisions").unwrap_or(1),
        },
        _ => return None,
    })
}

impl MeshSource {
    /// How many triangles it will have; 0 for a file.
    fn triangles(&self) -> u64 {
        match *self {
            Self::File { .. } => 0,
            Self::Grid { columns, rows, .. } | Self::AlternatingGrid { columns, rows, .. } => {
                2 * columns as u64 * rows as u64
            }
            Self::Delaunay { triangles, .. } => triangles as u64,
            Self::Disk { rings, .. } => 6 * (rings as u64).pow(2),
            Self::Tube { segments, rings, .. } => 2 * segments as u64 * rings as u64,
            Self::Sphere { subdivisions, .. } => 20 << (2 * subdivisions).min(50),
            Self::Box { subdivisions, .. } => 12 * (subdivisions as u64).pow(2),
            Self::Plant { leaves, cells, .. } => 24 * leaves.max(cells) as u64 + (leaves * 4 * cells) as u64,
        }
    }

    /// Whether it is made standing along y; files, spheres and boxes are in the axes of the scene.
    pub(in crate::scene) fn stands_along_y(&self) -> bool {
        !matches!(self, Self::File { .. } | Self::Sphere { .. } | Self::Box { .. })
    }

    fn load(&self, files: &mut Reading) -> Result<TriMesh, MeshProblem> {
        let (name, mesh) = match *self {
            Self::File { ref path } => {
                let problem = |message: String| MeshProblem { path: "file".into(), message };
                return files.mesh(path).map_err(|error| problem(error.to_string()));
            }
            Self::Grid { columns, rows, width, height } => {
                ("grid", generate::grid(columns, rows, width, height))
            }
            Self::AlternatingGrid { columns, rows, width, height } => {
                ("alternating_grid", generate::alternating_grid(columns, rows, width, height))
            }
            Self::Delaunay { width, height, triangles, seed } => {
                ("delaunay", generate::delaunay_rectangle(width, height, triangles, seed))
            }
            Self::Disk { radius, rings } => ("disk", generate::disk(radius, rings)),
            Self::Tube { radii, height, segments, rings, panels } => {
                ("tube", generate::panelled_tube(radii, height, [segments, rings], panels))
            }
            Self::Sphere { radius, subdivisions } => ("sphere", generate::sphere(radius, subdivisions)),
            Self::Box { size, subdivisions } => ("box", generate::cuboid(size, subdivisions)),
            Self::Plant { height, leaves, cells } => ("plant", generate::plant(height, leaves, cells)),
        };
        mesh.map_err(|error| {
            let argument = match &error {
                GenerateError::Length { argument, .. } | GenerateError::Count { argument, .. } => argument,
                GenerateError::Panels { .. } => "panels",
                _ => "",
            };
            MeshProblem { path: format!("{name}.{argument}"), message: error.to_string() }
        })
    }
}
