//! A session as its user sees it: natively a thread around an [`Engine`], else the engine itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use web_time::Instant;

use super::engine::{Engine, words_of};
use super::{Command, Frame, SavedFile, SessionOptions, Source};

/// Without a thread: the most steps per picture, and how long they may take together, seconds.
const MOST_STEPS: u32 = 8;
const BUDGET: f64 = 0.025;

/// What is shown, and files that were asked for.
struct Shown {
    frame: Mutex<Arc<Frame>>,
    saved: Mutex<Vec<SavedFile>>,
    /// What is called when one of them is another.
    wake: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shown").finish_non_exhaustive()
    }
}

impl Shown {
    fn show(&self, engine: &mut Engine) {
        let saved = engine.take_saved();
        let is_news = !saved.is_empty() || engine.is_dirty();
        if !saved.is_empty() {
            self.saved.lock().unwrap_or_else(PoisonError::into_inner).extend(saved);
        }
        if engine.is_dirty() {
            let frame = engine.publish_shared();
            *self.frame.lock().unwrap_or_else(PoisonError::into_inner) = frame;
        }
        if let Some(wake) = self.wake.get().filter(|_| is_news) {
            wake();
        }
    }
}

/// A session: opened once, asked for things, and looked at.
#[derive(Debug)]
pub struct Session {
    shown: Arc<Shown>,
    commands: Sender<Command>,
    /// Where no thread has it.
    here: Option<Here>,
}

struct Here {
    engine: Engine,
    commands: Receiver<Command>,
}

impl std::fmt::Debug for Here {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Here").finish_non_exhaustive()
    }
}

impl Session {
    /// Begins to open a source. What comes of it is seen in frames.
    pub fn open(source: Source, mut options: SessionOptions) -> Self {
        options.has_thread &= cfg!(not(target_arch = "wasm32"));
        let has_thread = options.has_thread;
        let mut engine = Engine::new(source, options);
        let frame = engine.publish_shared();
        let shown =
            Arc::new(Shown { frame: Mutex::new(frame), saved: Mutex::default(), wake: OnceLock::new() });
        let (sender, receiver) = channel();
        let here = Here { engine, commands: receiver };
        let here = if has_thread { on_a_thread(here, shown.clone()) } else { Some(here) };
        Self { shown, commands: sender, here }
    }

    /// Asks for something. Never waits.
    pub fn send(&self, command: Command) {
        // A thread that has ended has said so in its last frame.
        let _ = self.commands.send(command);
    }

    /// The latest moment. Never waits for a step.
    pub fn frame(&self) -> Arc<Frame> {
        self.shown.frame.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Has a function called after each frame and file that is new, from whatever thread made it: a window sleeps until then. Only the
    /// first one is taken.
    pub fn wake_by(&self, wake: impl Fn() + Send + Sync + 'static) {
        let _ = self.shown.wake.set(Box::new(wake));
    }

    /// Lets so many seconds pass where no thread does: in a page, once per picture. Elsewhere it does nothing.
    pub fn advance(&mut self, seconds: f64) {
        let Some(Here { engine, commands }) = &mut self.here else { return };
        obey(engine, commands.try_iter());
        guarded(engine, |engine| engine.advance(seconds, MOST_STEPS, BUDGET));
        self.shown.show(engine);
    }

    /// Files that were asked for and are made since the last call.
    pub fn take_saved(&self) -> Vec<SavedFile> {
        std::mem::take(&mut *self.shown.saved.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Moves the engine to a thread of its own, which ends with the session; gives it back if there is none to be had.
fn on_a_thread(here: Here, shown: Arc<Shown>) -> Option<Here> {
    let cell = Arc::new(Mutex::new(Some(here)));
    let theirs = cell.clone();
    let spawned = std::thread::Builder::new().name("muslin-session".to_owned()).spawn(move || {
        let here = theirs.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(here) = here {
            run(here, &shown);
        }
    });
    match spawned {
        Ok(_) => None,
        Err(_) => cell.lock().unwrap_or_else(PoisonError::into_inner).take(),
    }
}

fn run(Here { mut engine, commands }: Here, shown: &Shown) {
    let mut last = Instant::now();
    loop {
        let first = match commands.recv_timeout(Duration::from_secs_f64(engine.wait())) {
            Ok(command) => Some(command),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        obey(&mut engine, first.into_iter().chain(commands.try_iter()));
        let now = Instant::now();
        let seconds = (now - last).as_secs_f64();
        last = now;
        // One step, and then what was asked for meanwhile.
        guarded(&mut engine, |engine| engine.advance(seconds, 1, 0.0));
        shown.show(&mut engine);
    }
}

/// Hands commands on; of several places of the pointer one after the other only the last.
fn obey(engine: &mut Engine, commands: impl Iterator<Item = Command>) {
    let mut point = None;
    for command in commands {
        match command {
            Command::Point(_) => point = Some(command),
            command => guarded(engine, |engine| engine.handle(command)),
        }
    }
    if let Some(point) = point {
        guarded(engine, |engine| engine.handle(point));
    }
}

/// Lets nothing that goes wrong within end the session.
fn guarded(engine: &mut Engine, work: impl FnOnce(&mut Engine)) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(engine))) {
        engine.fail(words_of(&*panic));
    }
}
