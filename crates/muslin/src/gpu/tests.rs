//! What can only be checked from within: that kernels are valid, within WebGPU's default limits, that their
//! structures are laid out as Rust's, and that levels may be worked on together.

use std::mem::offset_of;

use super::buffers::STATUS_WORDS;
use super::kernel::{Kernel, SmallSizes};
use super::lengths::Length;
use super::model::Model;
use super::uniforms::{LevelUniform, SmallLevel, StepUniform};
use super::{Gpu, GpuOptions, GpuSimulation};
use crate::Settings;
use crate::cloth::{
    BendingModel, Cloth, DihedralBending, Material, StickBending, Stiffness, TriangleBending,
};
use crate::mesh::generate;
use crate::solver::{Cycle, PositionBased, RadialMatching, ShapeMatching, SolverConfig};

/// What every WebGPU device allows: 256 threads and 16 KiB.
const SMALL: SmallSizes = SmallSizes { threads: 256, total: 682, largest: 341 };

fn parse(kernel: Kernel) -> naga::Module {
    naga::front::wgsl::parse_str(&kernel.source(SMALL))
        .unwrap_or_else(|e| panic!("{}: {}", kernel.name(), e.emit_to_string(&kernel.source(SMALL))))
}

#[test]
fn kernels_are_valid_and_declare_what_they_are_bound_to() {
    for kernel in Kernel::ALL {
        let module = parse(kernel);
        let mut validator = naga::valid::Validator::new(
            naga::valid::ValidationFlags::all(),
            naga::valid::Capabilities::empty(), // nothing beyond plain WebGPU
        );
        validator.validate(&module).unwrap_or_else(|e| panic!("{}: {e:?}", kernel.name()));
        let bindings = kernel.bindings();
        assert!(bindings.len() <= 8, "{}: WebGPU guarantees 8 storage buffers", kernel.name());
        for (i, binding) in bindings.iter().enumerate() {
            let bound = module.global_variables.iter().find_map(|(_, variable)| {
                let at = variable.binding.as_ref()?;
                (at.binding == i as u32 + 1).then_some(variable.space)
            });
            let access = match bound {
                Some(naga::AddressSpace::Storage { access }) => access,
                other => panic!("{}: binding {} is {other:?}", kernel.name(), i + 1),
            };
            let writes = access.contains(naga::StorageAccess::STORE);
            assert_eq!(writes, binding.writes(), "{}: {binding:?}", kernel.name());
        }
        let storage = |space: &naga::AddressSpace| matches!(space, naga::AddressSpace::Storage { .. });
        let declared = module.global_variables.iter().filter(|(_, v)| storage(&v.space)).count();
        assert_eq!(declared, bindings.len(), "{}", kernel.name());
    }
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
fn a_limit_that_is_too_small_is_named() {
    let gpu = Gpu::new(&GpuOptions { browser_limits: true, ..GpuOptions::default() }).unwrap();
    let error = gpu.need_for_kernels(Some(100_000)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the GPU's limit maxComputeWorkgroupsPerDimension is 65535, but this cloth needs 100000"
    );
}

/// The members of a structure with their offsets, and its size.
pub(super) fn layout(module: &naga::Module, name: &str) -> (Vec<(String, u32)>, u32) {
    let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name));
    match found.map(|(_, ty)| &ty.inner) {
        Some(naga::TypeInner::Struct { members, span }) => {
            let member = |m: &naga::StructMember| (m.name.clone().unwrap_or_default(), m.offset);
            (members.iter().map(member).collect(), *span)
        }
        other => panic!("{name}: {other:?}"),
    }
}

macro_rules! offsets {
    ($type:ty: $($field:ident),*) => {
        vec![$((stringify!($field).to_owned(), offset_of!($type, $field) as u32)),*]
    };
}
pub(super) use offsets;

#[test]
fn structures_are_laid_out_as_the_shaders_see_them() {
    let (level, size) = layout(&parse(Kernel::Edges), "Level");
    let ours =
        offsets!(LevelUniform: first, count, only_stretched, padding, alpha, beta, coarse_in_back, tethers);
    assert_eq!((level, size), (ours, size_of::<LevelUniform>() as u32));

    let (step, size) = layout(&parse(Kernel::Finish), "Step");
    let ours = offsets!(StepUniform: gained, dt, air_velocity, gust_speed, gust_phase, per_gust_size, vertices,
        first_pin, max_speed, bounds, damping, air_density, drag, lift, seed, kept);
    let named: Vec<_> = step.into_iter().filter(|(name, _)| !name.starts_with("padding")).collect();
    assert_eq!((named, size), (ours, size_of::<StepUniform>() as u32));

    let (small, size) = layout(&parse(Kernel::Tail), "SmallLevel");
    let ours = offsets!(SmallLevel: first, count, offset, only_stretched, beta, down, up, padding);
    assert_eq!((small, size), (ours, size_of::<SmallLevel>() as u32));

    let (length, size) = layout(&parse(Kernel::Gathered), "Length");
    let ours = offsets!(Length: vertices, coefficients, shares, rest, fraction, per_kappa, one_sided);
    assert_eq!((length, size), (ours, size_of::<Length>() as u32));

    let (_, size) = layout(&parse(Kernel::Finish), "Status");
    assert_eq!(size as usize, STATUS_WORDS * size_of::<u32>());
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
