//! What can only be checked from within: that kernels are valid, within WebGPU's default limits, that their
//! structures are laid out as Rust's, and that levels may be worked on together.

use super::kernels::{EDGES, FINISH, GATHERED, SMALL_LEVELS};
use super::memory::STATUS_WORDS;
use super::model::{Length, Model};
use super::small_levels::SmallSizes;
use super::uniforms::{LevelUniform, SmallLevel, StepUniform};
use super::{GpuSimulation, Kernel, Meshes};
use crate::Settings;
use crate::cloth::{
    BendingModel, Cloth, DihedralBending, Material, StickBending, Stiffness, TriangleBending,
};
use crate::gpu::engine::tests::{check_files, check_table, layout, offsets, parse};
use crate::gpu::{Gpu, GpuOptions};
use crate::mesh::generate;
use crate::solver::{Cycle, PositionBased, RadialMatching, ShapeMatching, SolverConfig};

/// What every WebGPU device allows: 256 threads and 16 KiB.
const SMALL: SmallSizes = SmallSizes { threads: 256, total: 682, largest: 341 };

#[test]
fn kernels_are_valid_and_declare_what_they_are_bound_to() {
    check_table::<Meshes>(&SMALL.constants());
    check_files::<Meshes>("mesh");
}

/// Levels in one dispatch do what they do in dispatches of their own, which tests compare with the CPU.
#[test]
fn small_levels_in_one_dispatch_are_the_same() {
    let gpu = Gpu::new(&GpuOptions::default()).unwrap();
    let mesh = generate::grid(48, 48, 1.0, 1.0).unwrap();
    let cloth = Cloth::builder(mesh).pin(0).pin(48).build().unwrap();
    let run = |cycle, small| {
        let mut solver = ShapeMatching { cycle, ..ShapeMatching::for_gpu() };
        solver.hierarchy.fewest_triangles = 20;
        let settings = Settings { solver: SolverConfig::ShapeMatching(solver), ..Settings::default() };
        let mut simulation = GpuSimulation::with_small_levels(&gpu, cloth.clone(), settings, small).unwrap();
        (0..5).for_each(|_| simulation.step().unwrap());
        (simulation.dispatches(), simulation.read_back().unwrap().positions())
    };
    for cycle in [Cycle::Sawtooth, Cycle::V] {
        let (few, together) = run(cycle, SMALL);
        let (many, apart) = run(cycle, SmallSizes { threads: 256, total: 0, largest: 0 });
        assert!(few < many, "{few} {many}");
        let farthest = together.iter().zip(&apart).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(farthest < 1e-5, "{cycle:?}: {farthest} m");
    }
}

#[test]
fn structures_are_laid_out_as_the_shaders_see_them() {
    let of = |kernel: Kernel, name: &str| layout(&parse(kernel, &SMALL.constants()), name);
    let level = offsets!(LevelUniform: first, count, only_stretched, alpha, beta, coarse_in_back, tethers);
    assert_eq!(of(&EDGES, "Level"), level);
    let step = offsets!(StepUniform: gained, dt, air_velocity, gust_speed, gust_phase, per_gust_size, vertices,
        first_pin, max_speed, bounds, damping, air_density, drag, lift, seed, kept, first_push, pushes);
    assert_eq!(of(&FINISH, "Step"), step);
    let small = offsets!(SmallLevel: first, count, offset, only_stretched, beta, down, up);
    assert_eq!(of(&SMALL_LEVELS, "SmallLevel"), small);
    let length = offsets!(Length: vertices, coefficients, shares, rest, fraction, per_kappa, one_sided);
    assert_eq!(of(&GATHERED, "Length"), length);
    assert_eq!(of(&FINISH, "Status").1 as usize, STATUS_WORDS * size_of::<u32>());
}

#[test]
fn what_only_the_cpu_can_do_is_refused_without_a_device() {
    let cloth = |material: Material, pressure: Option<f32>| {
        let builder = Cloth::builder(generate::sphere(0.5, 2).unwrap()).material(material);
        pressure.map_or(builder.clone(), |pressure| builder.pressure(pressure)).build().unwrap()
    };
    let refusal = |cloth: &Cloth, solver: SolverConfig| {
        let settings = Settings { solver, ..Settings::default() };
        Model::new(cloth, &settings).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let plain = cloth(Material::default(), None);
    assert_eq!(refusal(&plain, SolverConfig::default()), "");
    let position_based =
        |stretch| SolverConfig::PositionBased(PositionBased { stretch, ..Default::default() });
    assert_eq!(refusal(&plain, position_based(None)), "");
    assert!(
        refusal(&plain, position_based(Some(Stiffness::Compliance(1e-3)))).contains("stretch_compliance")
    );
    let radial_matching = SolverConfig::RadialMatching(RadialMatching::default());
    assert!(refusal(&plain, radial_matching).contains("radial_matching"));
    assert!(refusal(&cloth(Material::default(), Some(1.0)), SolverConfig::default()).contains("pressure"));
    let compliant = Stiffness::Compliance(1e-3);
    for (model, name) in [
        (BendingModel::Triangle(TriangleBending { signed: true, ..Default::default() }), "triangle_bending"),
        (
            BendingModel::Triangle(TriangleBending { stiffness: compliant, ..Default::default() }),
            "triangle_bending",
        ),
        (BendingModel::Dihedral(DihedralBending::default()), "dihedral_bending"),
        (BendingModel::Stick(StickBending { stiffness: compliant, ..Default::default() }), "stick_bending"),
    ] {
        let cloth = cloth(Material { bending_model: model, ..Material::default() }, None);
        assert!(refusal(&cloth, SolverConfig::default()).contains(name));
    }
}
