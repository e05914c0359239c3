//! Time: steps that are due, what they took, playback.

use web_time::Instant;

use super::super::Sample;
use super::{Content, Engine};

/// Samples that are kept for graphs.
const MOST_SAMPLES: usize = 600;

/// Figures are taken after so many seconds of steps at the least: they take about as long as a part of one.
const MEASURED_EVERY: f64 = 0.05;

impl Engine {
    /// Lets so many seconds pass: at most so many steps, and after the first no more than begin within `budget` seconds.
    pub fn advance(&mut self, seconds: f64, most_steps: u32, budget: f64) {
        let seconds = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        self.work();
        self.watch_files(seconds);
        let begin = Instant::now();
        if let Content::Playback(_) = self.content {
            self.play(seconds);
            return;
        }
        let Content::Stage(stage) = &self.content else { return };
        let step = stage.world.settings().time_step;
        if self.is_playing {
            self.pace.pass(seconds, step);
        }
        for number in 0..most_steps {
            if number > 0 && begin.elapsed().as_secs_f64() > budget {
                break;
            }
            if !self.is_ready() {
                break;
            }
            let is_asked = self.steps_asked > 0;
            self.steps_asked = self.steps_asked.saturating_sub(1);
            if !(is_asked || self.is_playing && self.pace.take(step)) {
                break;
            }
            self.step();
        }
    }

    fn is_ready(&self) -> bool {
        if let Content::Stage(stage) = &self.content { stage.is_ready() } else { true }
    }

    /// Seconds until there is something to be done.
    pub fn wait(&self) -> f64 {
        let step = match &self.content {
            Content::Stage(stage) => stage.world.settings().time_step,
            Content::Playback(playback) => playback.step(),
            Content::Nothing => return 0.05,
        };
        if !self.is_ready() {
            // A GPU has work enough for a moment.
            return 0.001;
        }
        match (self.steps_asked > 0, self.is_playing) {
            (true, _) => 0.0,
            (_, true) => self.pace.wait(step).min(0.05),
            _ => 0.05,
        }
    }

    fn step(&mut self) {
        self.is_dirty = true;
        let Content::Stage(stage) = &mut self.content else { return };
        let result = stage.step();
        if let Some(notice) = stage.notice.take() {
            self.notice = Some(notice);
        }
        match result {
            Ok(stepped) => {
                self.is_carried = false;
                let [steps, spent] = self.unmeasured;
                self.unmeasured = [steps + 1.0, spent + stepped.seconds];
                if stepped.forgotten > 1e-6 {
                    if stepped.forgotten > 0.05 {
                        let notice = format!("{:.1} s after this were forgotten", stepped.forgotten);
                        self.notice = Some(notice);
                    }
                    let now = self.now();
                    self.history.retain(|sample| sample.time <= now);
                }
                if self.since_measured() >= MEASURED_EVERY || self.history.len() < 8 {
                    self.measure();
                }
            }
            Err(problem) if self.is_carried => {
                self.is_carried = false;
                let reset = stage.begin_anew();
                self.notice = Some(format!(
                    "it begins at the start, because from where it was it cannot go on: {problem}"
                ));
                if let Err(problem) = reset {
                    self.fail(problem);
                }
            }
            Err(problem) => {
                let is_undone = problem.ends_with("the change was undone");
                let opened = stage.opened.clone();
                if is_undone {
                    self.want(opened);
                    self.problem = Some(problem);
                } else {
                    self.fail(problem);
                }
            }
        }
    }

    /// Seconds of the scene.
    pub(super) fn now(&self) -> f64 {
        match &self.content {
            Content::Stage(stage) => stage.world.time(),
            Content::Playback(playback) => playback.time,
            Content::Nothing => 0.0,
        }
    }

    fn since_measured(&self) -> f64 {
        self.history.last().map_or(f64::INFINITY, |last: &Sample| (self.now() - last.time).abs())
    }

    /// Takes figures of now.
    pub(super) fn measure(&mut self) {
        let Content::Stage(stage) = &self.content else { return };
        let [steps, spent] = self.unmeasured;
        let step_ms = if steps > 0.0 { 1e3 * spent / steps } else { self.measured.figures.step_ms };
        self.measured = stage.measure(step_ms);
        if steps > 0.0 {
            self.history.push(self.measured.sample);
            let surplus = self.history.len().saturating_sub(MOST_SAMPLES);
            self.history.drain(..surplus);
        }
        self.unmeasured = [0.0; 2];
    }

    /// Goes on in a recording.
    fn play(&mut self, seconds: f64) {
        let Content::Playback(playback) = &mut self.content else { return };
        let (step, last) = (playback.step(), playback.last());
        let mut time = playback.time;
        if self.steps_asked > 0 {
            // From the start of the frame that is shown.
            time = ((time / step + 1e-6).floor() + f64::from(self.steps_asked)) * step;
            self.steps_asked = 0;
        } else if self.is_playing {
            time += seconds * self.pace.speed();
        } else {
            return;
        }
        if time > last {
            match self.repeats && self.is_playing {
                true => time = 0.0,
                false => self.is_playing = false,
            }
        }
        self.is_dirty = true;
        if let Err(problem) = playback.go_to(time) {
            self.fail(problem);
        }
    }
}
