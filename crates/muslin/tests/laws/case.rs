//! One combination of solver, back end, fabric, mesh, substeps and levels.

use muslin::cloth::{Cloth, ClothBuilder, Damping, Material, Stretch, TetherChoice, fabric};
use muslin::hierarchy::HierarchyOptions;
use muslin::mesh::TriMesh;
use muslin::solver::{
    Cycle, ImpulseMethod, Impulses, Multilevel, Order, PositionBased, RadialMatching, ShapeMatching,
    SolverConfig,
};
use muslin::{Error, Settings};

use crate::meshes::Shape;
use crate::motion::Moving;

/// A solver on a back end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    FullApproximation,
    Sawtooth,
    Gather,
    Paper,
    PositionBased,
    Averaged,
    Radial,
    Impulses,
    LinearSystem,
    Multilevel,
    GpuShapeMatching,
    GpuGather,
    GpuPositionBased,
    GpuMultilevel,
}

impl Method {
    /// Those of the CPU that work on any mesh. Not `Paper`, which is as printed: its coarse levels do not have curved rest
    /// shapes as their fixed points, and it gains energy.
    pub const CPU: [Self; 8] = [
        Self::FullApproximation,
        Self::PositionBased,
        Self::Sawtooth,
        Self::Impulses,
        Self::Gather,
        Self::Averaged,
        Self::LinearSystem,
        Self::Radial,
    ];

    /// Those of the GPU that work on any mesh.
    pub const GPU: [Self; 3] = [Self::GpuShapeMatching, Self::GpuPositionBased, Self::GpuGather];

    /// Whether constraints hold up to a tolerance only.
    pub fn has_tolerance(self) -> bool {
        matches!(self, Self::Impulses | Self::LinearSystem)
    }

    /// Whether it runs on a GPU.
    pub fn on_gpu(self) -> bool {
        Self::GPU.contains(&self) || self == Self::GpuMultilevel
    }

    /// Whether there are levels of which a number can be asked for.
    fn has_levels(self) -> bool {
        use Method::*;
        matches!(self, FullApproximation | Sawtooth | Gather | Paper | GpuShapeMatching | GpuGather)
    }

    /// Whether stretch stiffness can be given in N/m; others know coefficients only.
    fn takes_physical_stretch(self) -> bool {
        use Method::*;
        matches!(
            self,
            FullApproximation
                | Sawtooth
                | PositionBased
                | Averaged
                | Impulses
                | LinearSystem
                | Multilevel
                | GpuMultilevel
        )
    }

    /// The solver with so many levels.
    fn solver(self, levels: usize) -> SolverConfig {
        let hierarchy = HierarchyOptions { levels, ..HierarchyOptions::default() };
        let matching = |form: ShapeMatching, cycle| {
            let hierarchy = hierarchy.clone();
            SolverConfig::ShapeMatching(ShapeMatching { cycle, hierarchy, ..form })
        };
        let impulses = |method| SolverConfig::Impulses(Impulses { method, ..Impulses::default() });
        match self {
            Self::FullApproximation => matching(ShapeMatching::default(), Cycle::V),
            Self::Sawtooth => matching(ShapeMatching::default(), Cycle::Sawtooth),
            Self::Gather | Self::GpuGather => matching(ShapeMatching::averaged(), Cycle::V),
            Self::Paper => matching(ShapeMatching::paper(), Cycle::V),
            Self::GpuShapeMatching => {
                let hierarchy = HierarchyOptions { levels, ..ShapeMatching::for_gpu().hierarchy };
                SolverConfig::ShapeMatching(ShapeMatching { hierarchy, ..ShapeMatching::for_gpu() })
            }
            Self::PositionBased => SolverConfig::PositionBased(PositionBased::default()),
            Self::Averaged => SolverConfig::PositionBased(PositionBased {
                order: Order::Jacobi,
                ..PositionBased::default()
            }),
            Self::GpuPositionBased => SolverConfig::PositionBased(PositionBased::for_gpu()),
            Self::Radial => SolverConfig::RadialMatching(RadialMatching::default()),
            Self::Impulses => impulses(ImpulseMethod::Iterative),
            Self::LinearSystem => impulses(ImpulseMethod::LinearSystem),
            Self::Multilevel | Self::GpuMultilevel => {
                SolverConfig::Multilevel(Multilevel { particles: 1500, ..Multilevel::default() })
            }
        }
    }
}

/// One element of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    pub method: Method,
    /// A fabric by name; `stiff` is cloth as stiff as the solver can.
    pub fabric: &'static str,
    pub shape: Shape,
    /// Substeps of a frame of 1/60 s.
    pub substeps: u32,
    pub levels: usize,
}

impl Case {
    /// The fabric, as far as the solver takes it.
    pub fn material(&self) -> Material {
        let material = fabric(self.fabric).map_or(Material::default(), |fabric| fabric.material());
        match self.method.takes_physical_stretch() {
            true => material,
            false => Material { stretch: Stretch::STIFF, ..material },
        }
    }

    /// The same without damping.
    pub fn undamped(&self) -> Material {
        Material { damping: Damping::None, ..self.material() }
    }

    /// A cloth of a mesh, without pins and tethers.
    pub fn builder(&self, mesh: TriMesh) -> ClothBuilder {
        Cloth::builder(mesh).material(self.material()).tethers(TetherChoice::Off)
    }

    /// 60 frames per second in a vacuum, on one thread: tests run side by side.
    pub fn settings(&self) -> Settings {
        let solver = self.method.solver(self.levels);
        Settings { substeps: self.substeps, solver, threads: 1, wind: None, ..Settings::default() }
    }

    /// The cloth at its rest shape, free, ready to be moved.
    pub fn free(&self) -> Result<Moving, Error> {
        Moving::new(self, self.builder(self.shape.mesh()), self.settings())
    }

    /// The same for combinations between which there is no difference.
    pub fn normalised(self) -> Self {
        Self { levels: if self.method.has_levels() { self.levels } else { 1 }, ..self }
    }
}
