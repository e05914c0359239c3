//! Cloths on a GPU: no more steps are queued than it keeps up with, positions stay there, and figures are read back now and then.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use web_time::Instant;

use super::Stage;

/// Steps that may be under way: one that is being computed, and one to go on with.
const MOST_UNDER_WAY: u32 = 2;

/// Figures are of a state that was asked for after so many seconds.
const READ_EVERY: f64 = 0.2;

/// What is under way on a device.
#[derive(Debug)]
pub(super) struct Device {
    under_way: Arc<AtomicU32>,
    /// What the last step took, from being queued to being done, nanoseconds.
    spent: Arc<AtomicU64>,
    /// When a state was asked for, and whether it has arrived.
    asked: Option<(Instant, bool)>,
    /// Whether cloths may be laid out anew with the next step: other pins, another material.
    is_stale: bool,
    /// Whether another state was set, which reaches the device with the next step: until then it is drawn from here.
    is_set: bool,
}

impl Default for Device {
    fn default() -> Self {
        Self { under_way: Arc::default(), spent: Arc::default(), asked: None, is_stale: true, is_set: false }
    }
}

impl Stage {
    /// Whether another step can be taken: on a GPU not while it is behind.
    pub fn is_ready(&self) -> bool {
        let Some(device) = self.device.as_ref().filter(|_| self.is_on_device) else { return true };
        if device.under_way.load(Ordering::Acquire) < MOST_UNDER_WAY {
            return true;
        }
        if let Some(gpu) = self.world.gpu() {
            // If it is lost, the next step says so.
            let _ = gpu.device().poll(wgpu::PollType::Poll);
        }
        device.under_way.load(Ordering::Acquire) < MOST_UNDER_WAY
    }

    /// Cloths may be laid out anew on the device with the next step.
    pub(super) fn lay_out_anew(&mut self) {
        if let Some(device) = &mut self.device {
            device.is_stale = true;
        }
    }

    /// Another state was set, which the device will have with the next step.
    pub(super) fn was_set(&mut self) {
        if let Some(device) = &mut self.device {
            (device.is_set, device.is_stale) = (true, true);
        }
    }

    /// Whether the device has what is to be drawn.
    pub(super) fn is_drawn_there(&self) -> bool {
        self.device.as_ref().is_some_and(|device| !device.is_set)
    }

    /// After a step was queued: counts it, asks for figures, and looks where vertices are. What it took, as far as that is known.
    pub(super) fn queued(&mut self) -> Option<f64> {
        if !self.is_on_device {
            return None;
        }
        let device = self.device.get_or_insert_default();
        device.is_set = false;
        let (under_way, spent) = (device.under_way.clone(), device.spent.clone());
        under_way.fetch_add(1, Ordering::AcqRel);
        let begin = Instant::now();
        let (is_stale, last) = (std::mem::take(&mut device.is_stale), device.spent.load(Ordering::Acquire));
        if let Some(gpu) = self.world.gpu() {
            gpu.queue().on_submitted_work_done(move || {
                spent.store(begin.elapsed().as_nanos() as u64, Ordering::Release);
                under_way.fetch_sub(1, Ordering::AcqRel);
            });
        }
        if is_stale {
            self.find_elements();
        }
        self.read_now_and_then();
        Some(last as f64 * 1e-9)
    }

    /// Brings states for figures, contacts and pointers, without waiting. What fails is said by the next step.
    fn read_now_and_then(&mut self) {
        let Some(device) = &mut self.device else { return };
        match device.asked {
            Some((_, false)) => {
                if !matches!(self.world.try_read_back(), Ok(false)) {
                    device.asked = device.asked.map(|(when, _)| (when, true));
                }
            }
            Some((when, true)) if when.elapsed().as_secs_f64() < READ_EVERY => {}
            _ => {
                device.asked = Some((Instant::now(), self.world.begin_read_back().is_err()));
            }
        }
    }

    /// Where a user grabs and pins, positions have to be those of now.
    pub(super) fn read_back(&mut self) {
        #[cfg(not(target_arch = "wasm32"))]
        if self.is_on_device {
            // If it fails, what was known last is all there is; the next step says why.
            let _ = self.world.read_back();
            self.device.get_or_insert_default().asked = None;
        }
    }
}
