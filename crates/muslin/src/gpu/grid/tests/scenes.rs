//! Grids for tests, built by hand: masks, pins, seams, and a coarse mesh that is only a list of vertices.

use glam::{Vec3, Vec4, vec3};

use crate::Error;
use crate::execution::Execution;
use crate::solver::Near;
use crate::solver::Order;
use crate::solver::multilevel::bounds::held::Held;
use crate::solver::multilevel::bounds::tethers::{TETHERS, Tether};
use crate::solver::multilevel::constraints::relax::Rule;
use crate::solver::multilevel::cycle::LevelPlan;
use crate::solver::multilevel::grid::{Grid, GridModel, GridState, GridStep, VertexMove};
use crate::solver::multilevel::lattice::{Lattice, NEIGHBOURS, Sample, Stencil, Stencils, Stitch};
use crate::solver::multilevel::levels::{PARENTS_SHIFT, levels};

/// Metres between neighbours.
pub(super) const SPACING: f32 = 0.02;
/// Seconds of a step.
pub(super) const DT: f32 = 1.0 / 60.0;
/// Vertices of the coarse mesh.
const VERTICES: u32 = 9;
const JACOBI: Order = Order::Jacobi;

/// Straight to the two nearest held particles.
fn tethers(lattice: &Lattice, held: &[u32]) -> Vec<[Tether; TETHERS]> {
    let of_texel = |texel: usize| {
        let away =
            |&other: &u32| lattice.spacing * lattice.centre(texel as u32).distance(lattice.centre(other));
        let mut all: Vec<Tether> =
            held.iter().map(|other| Tether { texel: *other, length: away(other) as f32 }).collect();
        all.sort_by(|a, b| a.length.total_cmp(&b.length));
        std::array::from_fn(|k| all.get(k).copied().unwrap_or(Tether::NONE))
    };
    if held.is_empty() { Vec::new() } else { (0..lattice.coverage.len()).map(of_texel).collect() }
}

/// A grid and how it is stepped.
#[derive(Clone)]
pub(super) struct Scene {
    pub model: GridModel,
    pub state: GridState,
    pub bending: [f32; 2],
    pub smoothing: f32,
    pub iterations: u32,
    pub has_moves: bool,
    /// Metres that held particles go per step.
    pub led: Vec3,
    /// What is near the coarse mesh.
    pub near: Vec<Near>,
}

impl Scene {
    /// A grid where a mask says so; held particles at these columns and rows.
    pub fn new(size: [usize; 2], mask: impl Fn(usize, usize) -> bool, held: &[[usize; 2]]) -> Self {
        let lattice = lattice(size, mask);
        let held: Vec<u32> = held.iter().map(|[column, row]| (row * size[0] + column) as u32).collect();
        let levels = levels(&lattice, 8, 4);
        let weight = |(texel, &coverage): (usize, &f32)| {
            let is_free = coverage > 0.0 && !held.contains(&(texel as u32));
            if is_free { 1.0 / coverage } else { 0.0 }
        };
        let model = GridModel {
            weights: lattice.coverage.iter().enumerate().map(weight).collect(),
            stitches: vec![Vec::new(); levels.len()],
            held: held
                .iter()
                .map(|&texel| Held { texel, vertices: [0; 3], weights: [1.0, 0.0, 0.0] })
                .collect(),
            tethers: tethers(&lattice, &held),
            projection: projection(&lattice),
            plans: levels.iter().enumerate().map(|(n, level)| plan(n, level.stride)).collect(),
            cycles: 1,
            bending_passes: 2,
            levels,
            lattice,
        };
        let state = crumpled(&model.lattice);
        let led = Vec3::ZERO;
        Self {
            model,
            state,
            bending: [0.0; 2],
            smoothing: 0.0,
            iterations: 6,
            has_moves: false,
            led,
            near: Vec::new(),
        }
    }

    /// A whole rectangle between its upper corners.
    pub fn square(size: usize) -> Self {
        Self::new([size, size], |_, _| true, &[[0, size - 1], [size - 1, size - 1]])
    }

    /// A disk with a hole.
    pub fn disk() -> Self {
        let mask = |column: usize, row: usize| {
            let at = |x: f32, y: f32| (column as f32 - x).hypot(row as f32 - y);
            at(20.0, 18.5) < 18.3 && at(24.0, 16.0) > 5.2
        };
        Self::new([41, 38], mask, &[[10, 30], [30, 30]])
    }

    /// Two panels, sewn along the first one's last and the other's first column, on all levels.
    pub fn sewn() -> Self {
        let (end, begin) = (32, 36);
        let size = [69, 33];
        let mut scene = Self::new(size, |column, _| column <= end || column >= begin, &[[0, 32], [68, 32]]);
        // They lie one on the other's border.
        let shifted = |(texel, place): (usize, &mut Vec3)| {
            if texel % size[0] >= begin {
                place.x -= (begin - end) as f32 * 1.02 * SPACING;
            }
        };
        scene.state.points.iter_mut().enumerate().for_each(shifted);
        for (level, stitches) in scene.model.levels.iter().zip(&mut scene.model.stitches) {
            let [columns, rows] = level.size;
            let at = |row: usize, column: usize, fraction: f32| Stencil {
                texel: (row * columns + column) as u32,
                fractions: [fraction, 0.25],
                lift: 0.0,
            };
            let [last, first] = [end, begin].map(|column| column / level.stride);
            // Where the coarse panels have their columns at the seam still.
            if end % level.stride == 0 && begin % level.stride == 0 && last > 0 {
                let stitch =
                    |row: usize| Stitch { sides: [at(row, last - 1, 1.0), at(row, first, 0.125)], gap: 0.0 };
                stitches.extend((0..rows - 1).map(stitch));
            }
        }
        scene
    }

    /// Measured cloth: with springs on all levels.
    pub fn elastic(mut self) -> Self {
        for (plan, level) in self.model.plans.iter_mut().zip(&self.model.levels) {
            plan.springs = Some([9e5, 4e5, 1e5].map(|rate| rate / (level.stride * level.stride) as f64));
        }
        self
    }

    /// With a rest shape that is not the chart: folded, with seams that gape and vertices above the cloth.
    pub fn folded(mut self) -> Self {
        let noise = |n: usize| ((n + 1) as f32 * 0.618).fract() - 0.5;
        for level in &mut self.model.levels {
            let planned =
                |k: usize| SPACING * level.stride as f32 * if k < 2 { 1.0 } else { std::f32::consts::SQRT_2 };
            let length = |index: usize, k: usize| planned(k) * (1.0 + 0.06 * noise(4 * index + k));
            level.lengths = (0..level.codes.len()).map(|n| std::array::from_fn(|k| length(n, k))).collect();
        }
        let finest = &mut self.model.levels[0];
        let bend = |n: usize| 0.1 * SPACING * (0.5 + noise(n));
        finest.bends = (0..finest.codes.len()).map(|n| [bend(2 * n), bend(2 * n + 1)]).collect();
        let gapes = |(n, stitch): (usize, &mut Stitch)| stitch.gap = 0.3 * SPACING * (0.5 + noise(n));
        self.model.stitches[0].iter_mut().enumerate().for_each(gapes);
        let lifted = |(n, stencil): (usize, &mut Stencil)| stencil.lift = 0.4 * SPACING * noise(n);
        self.model.projection.all.iter_mut().enumerate().for_each(lifted);
        self
    }

    /// The finest level alone, which has no parents.
    pub fn of_one_level(mut self) -> Self {
        self.model.levels[0].codes.iter_mut().for_each(|code| *code &= !(0xffff << PARENTS_SHIFT));
        self.model.levels.truncate(1);
        self.model.plans.truncate(1);
        self.model.stitches.truncate(1);
        self
    }

    /// The state at the start with every free particle elsewhere by up to so many metres, differently for each seed.
    pub fn shaken(&self, metres: f32, seed: usize) -> GridState {
        let mut state = self.state.clone();
        for (texel, point) in
            state.points.iter_mut().enumerate().filter(|(n, _)| self.model.weights[*n] > 0.0)
        {
            let noise = |k: usize| (((texel + 1) * (k + 7919 + 31 * seed)) as f32 * 0.618).fract() - 0.5;
            *point += metres * vec3(noise(1), noise(2), noise(3));
        }
        state
    }

    /// With planes that some of the particles are behind.
    pub fn beside_planes(mut self) -> Self {
        let near = |n: u32| match n % 3 {
            0 => Near::default(),
            n => Near {
                plane: Vec4::new(0.6, 0.8, 0.0, 0.2 + 0.1 * n as f32),
                before: Vec4::new(0.8, 0.6, 0.0, 0.15 + 0.1 * n as f32),
                friction: Vec4::new(0.1 * n as f32, 0.15 * n as f32, 0.0, 0.0),
                moved: SPACING * Vec4::new(0.1 * n as f32, 0.3, -0.2, 0.0),
            },
        };
        self.near = (0..VERTICES).map(near).collect();
        self
    }

    /// With this iteration on levels from one on, and that on finer ones.
    pub fn relaxed_by(mut self, relaxation: Order, from: usize) -> Self {
        self.model.plans[from..].iter_mut().for_each(|plan| plan.relaxation = relaxation);
        self
    }

    /// What the coarse mesh hands on before a step.
    pub fn moves(&self, number: usize) -> Vec<VertexMove> {
        let turned = |n: u32| 0.7 * n as f32 + 0.3 * number as f32;
        let moved = |n: u32| VertexMove {
            offset: 0.1 * SPACING * Vec4::new(turned(n).sin(), turned(n).cos(), 0.5, 7.0),
            push: 3.0 * SPACING * Vec4::new(turned(n).cos(), -0.5, turned(n).sin(), 7.0),
        };
        (0..VERTICES).map(moved).collect()
    }

    /// Where held particles are after a step.
    pub fn held(&self, number: usize) -> Vec<Vec3> {
        let place = |held: &Held| self.state.points[held.texel as usize] + (number + 1) as f32 * self.led;
        self.model.held.iter().map(place).collect()
    }

    /// Lets a grid take a step; what it is told changes with the step's number.
    pub fn step(&self, number: usize, grid: &mut dyn Grid) -> Result<(), Error> {
        if self.has_moves {
            grid.hand_on(&self.moves(number))?;
        }
        grid.step(&self.told(&self.held(number)))
    }

    /// What a step is told.
    pub fn told<'a>(&'a self, held: &'a [Vec3]) -> GridStep<'a> {
        GridStep {
            dt: DT,
            fall: vec3(0.0, -9.81 / 3600.0, 0.0),
            smoothing: self.smoothing,
            farthest: 2.0 * SPACING,
            bounds: 100.0,
            bending: self.bending,
            held,
            near: &self.near,
            iterations: self.iterations,
            execution: Execution::default(),
        }
    }
}

fn lattice(size: [usize; 2], mask: impl Fn(usize, usize) -> bool) -> Lattice {
    let is_there = |column: isize, row: isize| {
        let inside = column >= 0 && row >= 0 && column < size[0] as isize && row < size[1] as isize;
        inside && mask(column as usize, row as usize)
    };
    let mut lattice = Lattice { spacing: f64::from(SPACING), size, ..Lattice::default() };
    for texel in 0..size[0] * size[1] {
        let [column, row] = [texel % size[0], texel / size[0]].map(|n| n as isize);
        let covered = is_there(column, row);
        let link = |k: usize| {
            let [x, y] = NEIGHBOURS[k];
            u8::from(covered && is_there(column + x, row + y)) << k
        };
        lattice.links.push((0..8).map(link).sum());
        // Particles of different masses.
        lattice.coverage.push(if covered { 0.5 + 0.5 * ((texel % 7) as f32 / 6.0) } else { 0.0 });
        if covered {
            let n = texel as u32;
            let vertices = [n, 5 * n + 1, 7 * n + 2].map(|n| n % VERTICES);
            lattice.samples.push(Sample { texel: n, triangle: 0, vertices, weights: [0.5, 0.8, -0.3] });
        }
    }
    lattice
}

/// Vertices that read the grid somewhere, from one place or from two.
fn projection(lattice: &Lattice) -> Stencils {
    let is_whole = |texel: &usize| lattice.links[*texel] & 0b1_0011 == 0b1_0011;
    let whole: Vec<usize> = (0..lattice.links.len()).filter(is_whole).collect();
    let mut stencils = Stencils::new();
    for vertex in 0..VERTICES as usize {
        for n in 0..1 + vertex % 2 {
            let texel = whole[(131 * vertex + 57 * n) % whole.len()] as u32;
            stencils.all.push(Stencil {
                texel,
                fractions: [0.3 + 0.2 * n as f32, 1.4 - 0.2 * vertex as f32],
                lift: 0.0,
            });
        }
        stencils.end_row();
    }
    stencils
}

fn plan(level: usize, stride: usize) -> LevelPlan {
    let rule = Rule {
        spacing: SPACING * stride as f32,
        stretch: [1.0, 0.9, 0.7],
        compression: if level == 0 { 0.8 } else { 0.0 },
        slack: if level == 0 { 0.0 } else { 0.01 },
        over_relaxation: 1.3,
    };
    LevelPlan { relaxation: JACOBI, iterations: 3, rule, compression_passes: 3, springs: None }
}

/// A grid in which no edge has its rest length, so that all constraints have something to do.
fn crumpled(lattice: &Lattice) -> GridState {
    let mut state = GridState::default();
    let mut random = fastrand::Rng::with_seed(1);
    let mut random = || random.f32() - 0.5;
    for (texel, &coverage) in lattice.coverage.iter().enumerate() {
        let [column, row] = [texel % lattice.size[0], texel / lattice.size[0]].map(|n| n as f32);
        let place = 1.02 * SPACING * vec3(column, 0.9 * row, 2.0 * (0.4 * column).sin());
        let place = place + 0.1 * SPACING * vec3(random(), random(), random());
        let velocity = 3.0 * SPACING * vec3(random(), random(), random());
        let is_there = coverage > 0.0;
        state.points.push(if is_there { place } else { Vec3::ZERO });
        state.velocities.push(if is_there { velocity } else { Vec3::ZERO });
        state.remainders.push(Vec3::ZERO);
    }
    state
}
