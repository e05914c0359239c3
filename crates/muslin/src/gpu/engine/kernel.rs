//! A kernel as a row of a table, and a dispatch of it as a line of a schedule.

use std::fmt::Debug;
use std::hash::Hash;

/// Threads of a workgroup, where a kernel has no reason for another number: what every device allows.
pub(crate) const WORKGROUP: u32 = 256;

/// How many of the buffers that a kernel is bound to may be others in every dispatch.
const TURNS: usize = 3;

/// Kernels that work on the same memory.
pub(crate) trait Family: Copy + 'static {
    /// The names of its buffers and of its tables of uniforms.
    type Buffer: Copy + Debug + Eq + Hash + 'static;

    /// How much a dispatch has to do, as far as kernels' [`least_bytes`](Kernel::least_bytes) ask.
    type Work;

    /// The table, in the order of a step.
    const KERNELS: &'static [&'static Kernel<Self>];
}

/// A row of the table.
pub(crate) struct Kernel<F: Family> {
    /// That of its own file, and in reports.
    pub name: &'static str,
    /// What it shares with others first, its own file last.
    pub sources: &'static [&'static str],
    pub entry: Entry,
    /// Binding 0.
    pub uniform: F::Buffer,
    /// Those from 1 on: at most eight, which every WebGPU device allows.
    pub bindings: &'static [Binding<F::Buffer>],
    /// What it must read and write at the least: each array once, neighbours' points once per vertex.
    #[cfg_attr(target_arch = "wasm32", allow(dead_code))] // nothing is timed in browsers
    pub least_bytes: fn(&F::Work) -> u64,
}

/// The last part of a path.
pub(crate) const fn file_name(path: &'static str) -> &'static str {
    let mut start = path.len();
    while start > 0 && path.as_bytes()[start - 1] != b'/' {
        start -= 1;
    }
    path.split_at(start).1
}

/// Writes a table down. A row has the kernel's name in Rust, its file in `shaders/` (whose name is that in reports), who calls
/// it, its uniform, the sources that it shares with others, its bindings, and its least bytes.
macro_rules! kernels {
    ($family:ty: $($kernel:ident $file:literal, $entry:expr, $uniform:expr, [$($source:expr),*],
        $bindings:expr, $least_bytes:expr;)*) => {
        $(pub(super) static $kernel: $crate::gpu::engine::Kernel<$family> = $crate::gpu::engine::Kernel {
            name: $crate::gpu::engine::file_name($file),
            sources: &[$($source,)* include_str!(concat!("shaders/", $file, ".wgsl"))],
            entry: $entry,
            uniform: $uniform,
            bindings: &$bindings,
            least_bytes: $least_bytes,
        };)*

        /// All of them, in the order of a step.
        pub(super) const ALL: &[&$crate::gpu::engine::Kernel<$family>] = &[$(&$kernel),*];
    };
}
pub(crate) use kernels;

/// Who calls a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// The engine: its function `each` for every number below this expression, 256 in a workgroup.
    Each(&'static str),
    /// It has a `main`, whose workgroups take so many items each: threads that work alone, or 1 that all work on.
    Own(u32),
}

/// What a kernel is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binding<B> {
    Read(B),
    Write(B),
    /// The buffer that the dispatch names in this place.
    ReadTurn(usize),
    WriteTurn(usize),
}

impl<B: Copy> Binding<B> {
    pub fn writes(self) -> bool {
        matches!(self, Self::Write(_) | Self::WriteTurn(_))
    }

    /// The buffer that it means in a dispatch.
    pub fn buffer(self, turns: [B; TURNS]) -> B {
        match self {
            Self::Read(buffer) | Self::Write(buffer) => buffer,
            Self::ReadTurn(place) | Self::WriteTurn(place) => turns[place],
        }
    }
}

impl<F: Family> Kernel<F> {
    /// Its source behind a family's constants.
    pub fn source(&self, constants: &str) -> String {
        let entry = match self.entry {
            Entry::Each(count) => format!(
                "\n@compute @workgroup_size({WORKGROUP})\n\
                 fn main(@builtin(global_invocation_id) id: vec3<u32>) {{\n    \
                 if id.x < {count} {{\n        each(id.x);\n    }}\n}}\n"
            ),
            Entry::Own(_) => String::new(),
        };
        [constants, &self.sources.concat(), &entry].concat()
    }

    /// Workgroups for so many items.
    pub fn workgroups(&self, items: u32) -> u32 {
        match self.entry {
            Entry::Each(_) => items.div_ceil(WORKGROUP),
            Entry::Own(per_workgroup) => items.div_ceil(per_workgroup),
        }
    }
}

/// Rows of a table are told apart by where they stand.
impl<F: Family> PartialEq for Kernel<F> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// One line of a schedule.
#[derive(Clone, Copy)]
pub(crate) struct Dispatch<F: Family> {
    pub kernel: &'static Kernel<F>,
    /// The buffers that its bindings mean by places.
    pub turns: [F::Buffer; TURNS],
    /// Which of its table of uniforms.
    pub uniform: usize,
    /// How many there are of what its threads or workgroups take one each.
    pub items: u32,
    /// The level it works on, as the family counts them; for reports.
    #[cfg_attr(target_arch = "wasm32", allow(dead_code))] // nothing is timed in browsers
    pub level: usize,
}

impl<F: Family> Dispatch<F> {
    pub fn workgroups(&self) -> u32 {
        self.kernel.workgroups(self.items)
    }

    /// What its bindings depend on.
    pub(super) fn bound(&self) -> (&'static str, [F::Buffer; TURNS]) {
        (self.kernel.name, self.turns)
    }
}
