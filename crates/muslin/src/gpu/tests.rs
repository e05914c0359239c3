//! What can be checked of the kernels without a GPU: that they are valid, within WebGPU's default limits,
//! and that their structures are laid out as Rust's.

use std::mem::offset_of;

use super::buffers::STATUS_WORDS;
use super::kernel::{Kernel, SmallSizes};
use super::model::Model;
use super::uniforms::{LevelUniform, SmallLevel, StepUniform};
use crate::Settings;
use crate::cloth::{BendingModel, Cloth, DihedralBending, Material, StickBending, TriangleBending};
use crate::mesh::generate;
use crate::solver::{PositionBased, SolverConfig};

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

#[test]
fn other_methods_than_shape_matching_are_refused() {
    let mesh = generate::grid(2, 2, 1.0, 1.0).unwrap();
    let cloth = Cloth::builder(mesh).build().unwrap();
    let solver = SolverConfig::RadialMatching(Default::default());
    let settings = Settings { solver, ..Default::default() };
    let error = Model::new(&cloth, &settings).err();
    assert!(matches!(error, Some(crate::Error::Unsupported { .. })), "{error:?}");
}

/// The members of a structure with their offsets, and its size.
fn layout(module: &naga::Module, name: &str) -> (Vec<(String, u32)>, u32) {
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

#[test]
fn structures_are_laid_out_as_the_shaders_see_them() {
    let (level, size) = layout(&parse(Kernel::Edges), "Level");
    let ours =
        offsets!(LevelUniform: first, count, only_stretched, inject, alpha, beta, coarse_in_back, tethers);
    assert_eq!((level, size), (ours, size_of::<LevelUniform>() as u32));

    let (step, size) = layout(&parse(Kernel::Finish), "Step");
    let ours = offsets!(StepUniform: gravity, dt, air_velocity, gust_speed, gust_phase, per_gust_size, vertices,
        first_pin, max_speed, bounds, damping, air_density, drag, lift, seed, kept);
    let named: Vec<_> = step.into_iter().filter(|(name, _)| !name.starts_with("padding")).collect();
    assert_eq!((named, size), (ours, size_of::<StepUniform>() as u32));

    let (small, size) = layout(&parse(Kernel::Tail), "SmallLevel");
    let ours = offsets!(SmallLevel: first, count, offset, only_stretched, beta, down, up, padding);
    assert_eq!((small, size), (ours, size_of::<SmallLevel>() as u32));

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
    let position_based = SolverConfig::PositionBased(PositionBased::default());
    assert!(refusal(&plain, position_based).contains("position_based"));
    assert!(refusal(&cloth(Material::default(), Some(1.0)), SolverConfig::default()).contains("pressure"));
    for (model, name) in [
        (BendingModel::Triangle(TriangleBending::default()), "triangle_bending"),
        (BendingModel::Dihedral(DihedralBending::default()), "dihedral_bending"),
        (BendingModel::Stick(StickBending::default()), "stick_bending"),
    ] {
        let cloth = cloth(Material { bending_model: model, ..Material::default() }, None);
        assert!(refusal(&cloth, SolverConfig::default()).contains(name));
    }
}
