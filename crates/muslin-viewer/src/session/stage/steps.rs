//! A step: hands and fan first, then the world; and what is done if it fails.

use web_time::Instant;

use super::Stage;

/// What a step was.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stepped {
    /// Seconds that it took.
    pub seconds: f64,
    /// Seconds of the scene that were later than it, and are forgotten.
    pub forgotten: f64,
}

impl Stage {
    /// Takes a step. The error is what to tell a user; then the world is as it was before.
    pub fn step(&mut self) -> Result<Stepped, String> {
        let forgotten = self.keep();
        self.lead()?;
        self.blow();
        let begin = Instant::now();
        let result = self.world.step().map(drop);
        let seconds = begin.elapsed().as_secs_f64();
        match result {
            Ok(()) => {
                self.proven = None;
                let seconds = self.queued().unwrap_or(seconds);
                Ok(Stepped { seconds, forgotten })
            }
            Err(error) => self.step_otherwise(error.to_string()).map(|()| Stepped { seconds, forgotten }),
        }
    }

    /// After a step that failed: without what has changed since the last one that did not, and without hands, which may have
    /// closed through cloth.
    fn step_otherwise(&mut self, problem: String) -> Result<(), String> {
        if let Some(proven) = self.proven.take() {
            let refused = std::mem::replace(&mut self.opened, *proven);
            self.edition += 1;
            self.apply_conditions()?;
            if self.world.step().is_ok() {
                return Err(format!("{problem}; the change was undone"));
            }
            self.opened = refused;
            self.apply_conditions()?;
        }
        if !self.hands.is_empty() {
            self.stop_colliders();
            self.release_all();
            if self.world.step().is_ok() {
                self.notice = Some(format!("let go: {problem}"));
                return Ok(());
            }
        }
        Err(problem)
    }

    /// Lets colliders that hands lead stay where they are.
    fn stop_colliders(&mut self) {
        for held in self.held().iter().filter(|held| held.kind == super::super::ThingKind::Collider) {
            let Some(&id) = self.world.collider_ids().get(held.number) else { continue };
            if let Ok(pose) = self.world.collider_pose(id) {
                // Where it is, it may stay.
                let _ = self.world.move_collider(id, pose.translation, pose.rotation);
            }
        }
    }
}
