//! States to go back to: of the last seconds, thinned out so that they fit into so much memory.

use std::collections::VecDeque;

use muslin::{ClothId, HoldId, World, WorldState};

use super::Stage;

/// A state with what belongs to it and is no part of the world.
#[derive(Default)]
struct Kept {
    state: WorldState,
    own_pins: Vec<(ClothId, u32)>,
    hand_pins: Vec<(ClothId, u32)>,
    hand_holds: Vec<(ClothId, HoldId)>,
    edition: u64,
}

/// The states that are kept, oldest first.
pub(super) struct Past {
    kept: VecDeque<Kept>,
    /// Memory to be used again.
    spare: Vec<Kept>,
    /// The most states.
    most: usize,
    /// About what one takes, bytes.
    bytes: usize,
    /// A state is kept after so many steps.
    every: u64,
    /// Steps since the last that was kept.
    since: u64,
}

impl Past {
    pub fn new(world: &World, most_bytes: usize, seconds: f64) -> Self {
        let bytes = size_of_state(world);
        let fit = (most_bytes / bytes).max(2);
        let steps = (seconds / world.settings().time_step).ceil().clamp(1.0, 1e6) as usize;
        let every = steps.div_ceil(fit).max(1) as u64;
        Self {
            kept: VecDeque::new(),
            spare: Vec::new(),
            most: (steps / every as usize + 2).min(fit),
            bytes,
            every,
            since: every,
        }
    }

    /// Bytes of all states.
    pub fn bytes(&self) -> usize {
        (self.kept.len() + self.spare.len()) * self.bytes
    }

    pub fn first(&self) -> Option<f64> {
        self.kept.front().map(|kept| kept.state.time())
    }

    pub fn last(&self) -> Option<f64> {
        self.kept.back().map(|kept| kept.state.time())
    }

    /// Forgets all that is later than a time; how many seconds these were.
    pub fn forget_after(&mut self, time: f64) -> f64 {
        let last = self.last().unwrap_or(time);
        while self.kept.back().is_some_and(|kept| kept.state.time() > time + 1e-9) {
            self.spare.extend(self.kept.pop_back());
        }
        (last - time).max(0.0)
    }

    fn clear(&mut self) {
        self.spare.extend(self.kept.drain(..));
        self.since = self.every;
    }

    /// The state nearest to a time.
    fn nearest(&self, time: f64) -> Option<usize> {
        let off = |kept: &Kept| (kept.state.time() - time).abs();
        (0..self.kept.len()).min_by(|&a, &b| off(&self.kept[a]).total_cmp(&off(&self.kept[b])))
    }
}

/// About how many bytes a state of a world is: positions, velocities, remainders, and what some solvers have besides.
fn size_of_state(world: &World) -> usize {
    let of_cloth = |(_, cloth): &(String, muslin::Simulation)| {
        let fine = cloth.shown_mesh().vertices.saturating_sub(cloth.cloth().vertex_count());
        110 * cloth.cloth().vertex_count() + 40 * fine + 1000
    };
    world.cloths().iter().map(of_cloth).sum::<usize>() + 300 * world.bodies().len() + 1000
}

impl Stage {
    /// The earliest and the latest time that can be gone to.
    pub fn reach(&self) -> [f64; 2] {
        let now = self.world.time();
        [self.past.first().unwrap_or(now).min(now), self.past.last().unwrap_or(now).max(now)]
    }

    /// Bytes of states.
    pub fn past_bytes(&self) -> usize {
        self.past.bytes()
    }

    /// Keeps the present before a step, if it is time for that; what was later is forgotten, so many seconds.
    pub(super) fn keep(&mut self) -> f64 {
        let forgotten = self.past.forget_after(self.world.time());
        self.past.since += 1;
        if self.past.since >= self.past.every && !self.is_on_device {
            self.keep_now();
        }
        forgotten
    }

    fn keep_now(&mut self) {
        let now = self.world.time();
        if self.past.last().is_some_and(|last| (last - now).abs() < 1e-9) {
            return;
        }
        let mut kept = match self.past.spare.pop() {
            Some(kept) => kept,
            None if self.past.kept.len() >= self.past.most => self.past.kept.pop_front().unwrap_or_default(),
            None => Kept::default(),
        };
        self.world.save_into(&mut kept.state);
        kept.own_pins.clone_from(&self.own_pins);
        (kept.hand_pins, kept.hand_holds) = (self.hand_pins(), self.hand_holds());
        kept.edition = self.edition;
        self.past.kept.push_back(kept);
        self.past.since = 0;
    }

    /// Goes to the kept state nearest to a time. Later ones stay until the next step.
    pub fn go_to(&mut self, time: f64) -> Result<(), String> {
        if self.is_on_device {
            return Err("cloth on a GPU can be reset, but not rewound".to_owned());
        }
        // So that there is a way back to the present.
        if self.world.time() > self.past.last().unwrap_or(f64::NEG_INFINITY) {
            self.keep_now();
        }
        let Some(number) = self.past.nearest(time) else {
            return Err("there is nothing to go back to yet".to_owned());
        };
        let kept = std::mem::take(&mut self.past.kept[number]);
        let restored = self.restore(&kept);
        self.past.kept[number] = kept;
        restored
    }

    /// Back to the start, and nothing to rewind to.
    pub fn reset(&mut self) -> Result<(), String> {
        let kept = Kept { state: std::mem::take(&mut self.start), ..Kept::default() };
        let restored = self.restore(&kept);
        self.start = kept.state;
        self.past.clear();
        restored
    }

    fn restore(&mut self, kept: &Kept) -> Result<(), String> {
        self.release_all();
        self.world.restore(&kept.state).map_err(|error| error.to_string())?;
        self.own_pins.clone_from(&kept.own_pins);
        // Hands that held something then do so no more.
        for (cloth, hold) in &kept.hand_holds {
            let _ = self.world.cloth_mut(*cloth).and_then(|cloth| cloth.let_go(*hold));
        }
        for (cloth, vertex) in kept.hand_pins.iter().filter(|pin| !kept.own_pins.contains(pin)) {
            let _ = self.world.cloth_mut(*cloth).and_then(|cloth| cloth.release(*vertex));
        }
        if kept.edition != self.edition {
            self.apply_conditions()?;
        }
        self.was_set();
        Ok(())
    }
}
