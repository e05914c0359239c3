//! How many steps are due: real time times speed, in steps of one length, and no more than the machine can take.

use std::collections::VecDeque;

/// Over how much real time it is measured how fast the scene goes, seconds.
const WINDOW: f64 = 1.0;

/// What the machine is behind by is forgotten beyond this, seconds of real time: the scene slows down and nothing piles up.
const MOST_BEHIND: f64 = 0.1;

/// Below this part of the speed that is asked for the scene counts as slow.
const SLOW: f64 = 0.92;

/// The pace of a scene.
#[derive(Debug)]
pub struct Pace {
    speed: f64,
    /// Seconds of the scene that are due.
    due: f64,
    /// Real seconds, and seconds of the scene in them.
    window: VecDeque<[f64; 2]>,
    /// Their sums.
    sums: [f64; 2],
}

impl Default for Pace {
    fn default() -> Self {
        Self { speed: 1.0, due: 0.0, window: VecDeque::new(), sums: [0.0; 2] }
    }
}

impl Pace {
    /// Seconds of the scene per second that are asked for.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Asks for another speed; nonsense changes nothing.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.clamp(0.05, 4.0);
            self.forget();
        }
    }

    /// Lets so much real time pass while steps have this length.
    pub fn pass(&mut self, seconds: f64, step: f64) {
        self.due = (self.due + seconds * self.speed).min((MOST_BEHIND * self.speed).max(2.0 * step));
        self.record(seconds, 0.0);
    }

    /// Whether a step is due; then it is taken.
    pub fn take(&mut self, step: f64) -> bool {
        // A picture of a sixtieth of a second is a step of as much, whatever is rounded.
        let is_due = self.due >= step * (1.0 - 1e-6);
        if is_due {
            self.due = (self.due - step).max(0.0);
            self.record(0.0, step);
        }
        is_due
    }

    /// Real seconds until a step is due.
    pub fn wait(&self, step: f64) -> f64 {
        (step - self.due).max(0.0) / self.speed
    }

    /// Owes nothing, and has measured nothing yet.
    pub fn forget(&mut self) {
        self.due = 0.0;
        self.window.clear();
        self.sums = [0.0; 2];
    }

    /// Seconds of the scene per second that there are; nothing measured yet counts as what is asked for.
    pub fn factor(&self) -> f64 {
        if self.sums[0] < 0.2 * WINDOW { self.speed } else { self.sums[1] / self.sums[0] }
    }

    /// Whether the machine cannot keep up.
    pub fn is_slow(&self) -> bool {
        self.sums[0] >= 0.5 * WINDOW && self.factor() < SLOW * self.speed
    }

    fn record(&mut self, seconds: f64, scene: f64) {
        self.window.push_back([seconds, scene]);
        self.sums = [self.sums[0] + seconds, self.sums[1] + scene];
        while self.sums[0] > WINDOW
            && let Some([seconds, scene]) = self.window.pop_front()
        {
            self.sums = [self.sums[0] - seconds, self.sums[1] - scene];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_steps_are_due_as_time_has_passed() {
        let mut pace = Pace::default();
        let mut steps = 0;
        for _ in 0..144 {
            pace.pass(1.0 / 144.0, 1.0 / 60.0);
            steps += usize::from(pace.take(1.0 / 60.0));
        }
        assert!((59..=60).contains(&steps), "{steps}");
        assert!(!pace.is_slow() && (pace.factor() - 1.0).abs() < 0.05, "{}", pace.factor());
        pace.set_speed(0.25);
        let steps: usize = (0..60)
            .map(|_| {
                pace.pass(1.0 / 60.0, 1.0 / 60.0);
                usize::from(pace.take(1.0 / 60.0))
            })
            .sum();
        assert_eq!(steps, 15);
    }

    #[test]
    fn who_is_too_slow_forgets_what_is_due_and_says_so() {
        let mut pace = Pace::default();
        for _ in 0..40 {
            // A step that takes six times its length.
            pace.pass(0.1, 1.0 / 60.0);
            assert!(pace.take(1.0 / 60.0));
        }
        assert!(pace.is_slow());
        assert!((pace.factor() - 1.0 / 6.0).abs() < 0.03, "{}", pace.factor());
        let left = (0..100).take_while(|_| pace.take(1.0 / 60.0)).count();
        assert!(left <= 6, "{left} steps were left over");
    }
}
