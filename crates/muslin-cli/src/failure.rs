//! Why a command did not do what it was asked to, and the exit code that says so.

use std::fmt;
use std::io;

/// An error for the user, with what to do about it where that is known.
#[derive(Debug)]
pub struct Failure {
    /// 1: the run failed. 2: bad usage or bad input.
    pub exit_code: u8,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// Bad usage or bad input; nothing was written.
    pub fn input(message: impl fmt::Display) -> Self {
        Self::new(2, &message.to_string())
    }

    /// The run failed.
    pub fn run(message: impl fmt::Display) -> Self {
        Self::new(1, &message.to_string())
    }

    /// Diagnostics of scenes say "error: " themselves, because there can be several: not twice.
    fn new(exit_code: u8, message: &str) -> Self {
        let message = message.strip_prefix("error: ").unwrap_or(message).to_owned();
        Self { exit_code, message, hint: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

// The scenes of this program are its own, so whatever the engine refuses is a failed run.
impl From<muslin::Error> for Failure {
    fn from(error: muslin::Error) -> Self {
        Self::run(error)
    }
}

impl From<muslin_io::WriteError> for Failure {
    fn from(error: muslin_io::WriteError) -> Self {
        Self::run(error)
    }
}

// What cannot be read, or not be written in that format, is bad input; a disk that is full is not.
impl From<muslin_io::ConvertError> for Failure {
    fn from(error: muslin_io::ConvertError) -> Self {
        match error {
            muslin_io::ConvertError::Write(error) if error.source.kind() != io::ErrorKind::InvalidInput => {
                Self::run(error)
            }
            error => Self::input(error),
        }
    }
}

// A file that cannot be read is bad input: nothing has been done yet.
impl From<muslin_io::ReadError> for Failure {
    fn from(error: muslin_io::ReadError) -> Self {
        Self::input(error)
    }
}

// A scene that cannot be read or built: nothing has been written yet.
impl From<muslin_io::scene::SceneError> for Failure {
    fn from(error: muslin_io::scene::SceneError) -> Self {
        Self::input(error)
    }
}
