//! The wish to stop: Ctrl-C, or the end of the session (SIGTERM).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

/// The exit code of programs that end at once because of Ctrl-C.
const INTERRUPTED: i32 = 130;

/// A flag that is raised once the user wants the run to stop.
#[derive(Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Listens to signals. The first one raises the flag; the second ends the program at once, which does no
    /// harm either, because files are written whole or not at all.
    pub fn listen(&self) -> Result<(), Failure> {
        let flag = Arc::clone(&self.0);
        let handler = move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        };
        ctrlc::set_handler(handler)
            .map_err(|error| Failure::run(format!("cannot listen for Ctrl-C: {error}")))
    }

    /// Whether the run is to stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
