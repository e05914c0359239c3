//! A cloth laid out on a device: what does not change from step to step, made once, and once more when something has changed
//! that it is made of.

use super::Dispatch;
use super::Meshes;
use super::memory::{Room, memory};
use super::model::Model;
use super::recorder::Schedule;
use super::small_levels::SmallSizes;
use super::support::Method;
use crate::Error;
use crate::cloth::Cloth;
use crate::gpu::Gpu;
use crate::gpu::engine::{Memory, WORKGROUP};
use crate::simulation::Settings;
use crate::solver::Facts;

/// A cloth laid out.
pub(super) struct Layout {
    pub model: Model,
    pub schedule: Schedule,
    pub memory: Memory<Meshes>,
}

impl Layout {
    /// Lays a cloth out for steps of `settings`, and says what there is to know about it.
    pub fn new(
        gpu: &Gpu,
        cloth: &Cloth,
        settings: &Settings,
        small: SmallSizes,
    ) -> Result<(Self, Facts), Error> {
        let model = Model::new(cloth, settings)?;
        let level_triangles = model.levels.iter().map(|level| level.triangles as usize).collect();
        let schedule = Schedule::new(&model, Method::of(settings)?, small);
        // A force may act at every vertex.
        let pushes = model.finest().count.div_ceil(WORKGROUP);
        let workgroups = schedule.lists[0].iter().map(|dispatch| dispatch.workgroups());
        gpu.need_for_kernels(workgroups.chain([pushes]).max())?;
        let steps = settings.substeps as usize;
        let room = Room {
            small_levels: &schedule.small_levels,
            passes: &schedule.uniforms,
            steps,
            pin_places: cloth.pins.len() * steps,
        };
        let memory = memory(gpu, &model, &room)?;
        Ok((Self { model, schedule, memory }, Facts::new(level_triangles)))
    }
}

impl Schedule {
    /// Everything that may be dispatched.
    pub fn all(&self) -> impl Iterator<Item = &Dispatch> + Clone {
        self.lists.iter().flatten()
    }
}
