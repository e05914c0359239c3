//! Holds tables of kernels against their shaders, for the tests of families, and the engine's own.

use std::fs;
use std::path::PathBuf;

use super::bandwidth::Copying;
use super::{Entry, Family, Gpu, GpuOptions, Kernel, WORKGROUP};

/// A kernel as naga reads it.
pub(crate) fn parse<F: Family>(kernel: &Kernel<F>, constants: &str) -> naga::Module {
    let source = kernel.source(constants);
    naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|e| panic!("{}: {}", kernel.name, e.emit_to_string(&source)))
}

/// Kernels are valid within plain WebGPU, declare what the table binds them to, and have workgroups as it says.
pub(crate) fn check_table<F: Family>(constants: &str) {
    for kernel in F::KERNELS {
        let (name, module) = (kernel.name, parse(kernel, constants));
        let mut validator = naga::valid::Validator::new(
            naga::valid::ValidationFlags::all(),
            naga::valid::Capabilities::empty(), // nothing beyond plain WebGPU
        );
        validator.validate(&module).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let mut declared = Vec::new();
        for (_, variable) in module.global_variables.iter() {
            let at = variable.binding.as_ref().map(|binding| binding.binding);
            match variable.space {
                naga::AddressSpace::Storage { access } => {
                    declared.push((at.unwrap(), access.contains(naga::StorageAccess::STORE)));
                }
                naga::AddressSpace::Uniform => assert_eq!(at, Some(0), "{name}"),
                _ => {}
            }
        }
        declared.sort_unstable();
        let bound: Vec<(u32, bool)> =
            (1..).zip(kernel.bindings).map(|(at, binding)| (at, binding.writes())).collect();
        assert_eq!(declared, bound, "{name}");
        assert!(bound.len() <= 8, "{name}: WebGPU guarantees 8 storage buffers");
        let [main] = module.entry_points.as_slice() else { panic!("{name}: one entry point") };
        let expected = match kernel.entry {
            Entry::Each(_) => WORKGROUP,
            Entry::Own(1) => main.workgroup_size[0], // its own affair
            Entry::Own(threads) => threads,
        };
        assert_eq!((main.name.as_str(), main.workgroup_size), ("main", [expected, 1, 1]), "{name}");
    }
}

/// The shaders of a folder of `gpu`: names without ending, and texts.
fn shaders(folder: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut folders =
        vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/gpu").join(folder).join("shaders")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => all.push((
                    path.file_stem().unwrap().to_string_lossy().into_owned(),
                    fs::read_to_string(&path).unwrap(),
                )),
            }
        }
    }
    all
}

/// A kernel's own file has its name, no two kernels have the same, and no file is left over.
pub(crate) fn check_files<F: Family>(folder: &str) {
    let files = shaders(folder);
    for (number, kernel) in F::KERNELS.iter().enumerate() {
        let own = files.iter().find(|(name, _)| name == kernel.name).map(|(_, text)| text.as_str());
        assert_eq!(own, kernel.sources.last().copied(), "{}", kernel.name);
        assert!(F::KERNELS[..number].iter().all(|other| other.name != kernel.name), "{}", kernel.name);
    }
    for (name, text) in &files {
        let uses = |kernel: &&Kernel<F>| kernel.sources.iter().any(|source| source.contains(text));
        assert!(F::KERNELS.iter().any(uses), "{folder}/shaders/{name}.wgsl is in no kernel");
    }
}

#[test]
fn shaders_are_short_and_no_two_have_the_same_name() {
    let mut all = ["engine", "mesh", "grid"].map(shaders).concat();
    all.sort_unstable();
    for pair in all.windows(2) {
        assert_ne!(pair[0].0, pair[1].0);
    }
    for (name, text) in &all {
        let lines = text.lines().count();
        assert!(lines <= 150, "{name}.wgsl has {lines} lines");
    }
}

#[test]
fn the_yardstick_is_a_table_like_any_other() {
    check_table::<Copying>("");
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

/// The members of a structure with their offsets, and its size; without what only fills it up.
pub(crate) fn layout(module: &naga::Module, name: &str) -> (Vec<(String, u32)>, u32) {
    let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name));
    match found.map(|(_, ty)| &ty.inner) {
        Some(naga::TypeInner::Struct { members, span }) => {
            let member = |m: &naga::StructMember| (m.name.clone().unwrap_or_default(), m.offset);
            let named = members.iter().map(member).filter(|(name, _)| !name.starts_with("padding"));
            (named.collect(), *span)
        }
        other => panic!("{name}: {other:?}"),
    }
}

macro_rules! offsets {
    ($type:ty: $($field:ident),*) => {
        (vec![$((stringify!($field).to_owned(), std::mem::offset_of!($type, $field) as u32)),*], size_of::<$type>() as u32)
    };
}
pub(crate) use offsets;
