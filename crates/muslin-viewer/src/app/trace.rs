//! Milliseconds by stage of the last steps: frames in, what a graph shows out.

use std::collections::VecDeque;

use crate::session::Frame;

/// How many steps are kept.
const STEPS: usize = 240;

/// Times of stages, step by step.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    names: Vec<&'static str>,
    steps: VecDeque<Vec<f32>>,
    opened: u64,
    number: u64,
    time: f64,
}

impl Trace {
    /// Takes notice of a frame; of another scene, or of an earlier time, it begins anew.
    pub fn add(&mut self, frame: &Frame) {
        if frame.opened != self.opened || frame.clock.time < self.time {
            *self = Self { opened: frame.opened, ..Self::default() };
        }
        let is_step = frame.number != self.number && frame.clock.time > self.time;
        (self.number, self.time) = (frame.number, frame.clock.time);
        if !is_step {
            return;
        }
        let mut step = vec![0.0; self.names.len()];
        for stage in &frame.figures.stages {
            let found = self.names.iter().position(|name| *name == stage.name);
            let number = found.unwrap_or_else(|| {
                self.names.push(stage.name);
                step.push(0.0);
                self.names.len() - 1
            });
            step[number] += stage.ms as f32;
        }
        self.steps.push_back(step);
        self.steps.drain(..self.steps.len().saturating_sub(STEPS));
    }

    /// The stages in the order in which they were first seen.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// Steps, oldest first: milliseconds of each stage; stages that were not known yet are missing at the end.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.steps.iter().map(Vec::as_slice)
    }

    /// The mean milliseconds of a stage over the last steps.
    pub fn mean(&self, stage: usize) -> f32 {
        let sum: f32 = self.steps.iter().filter_map(|step| step.get(stage)).sum();
        sum / self.steps.len().max(1) as f32
    }
}
