//! Why a command did not do what it was asked to, and the exit code that says so.

use std::fmt;
use std::io;

use serde::Serialize;
use serde_json::{Value, json};

/// An error for the user, with what to do about it where that is known.
#[derive(Debug)]
pub struct Failure {
    /// 1: the run failed. 2: bad usage or bad input.
    pub exit_code: u8,
    message: String,
    hint: Option<String>,
    /// Where there is more to say than one message.
    problems: Vec<Problem>,
    /// Whether a JSON document that tells of it has been printed.
    reported: bool,
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug, Serialize)]
struct Problem {
    message: String,
    line: Option<usize>,
    column: Option<usize>,
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
        Self { exit_code, message, hint: None, problems: Vec::new(), reported: false }
    }

    /// Says that a JSON document that tells of it has been printed.
    #[must_use]
    pub fn reported(mut self) -> Self {
        self.reported = true;
        self
    }

    /// What went wrong, in one line: the first problem if there are several.
    pub fn first_problem(&self) -> &str {
        self.problems.first().map_or(&self.message, |problem| &problem.message)
    }

    /// Whether a JSON document that tells of it has been printed.
    pub fn is_reported(&self) -> bool {
        self.reported
    }

    /// As a JSON document.
    pub fn document(&self) -> Value {
        let own =
            || Problem { message: self.message.clone(), line: None, column: None, hint: self.hint.clone() };
        let problems = if self.problems.is_empty() { vec![own()] } else { self.problems.clone() };
        match self.exit_code {
            2 => json!({ "usable": false, "exit_code": 2, "problems": problems }),
            code => json!({ "exit_code": code, "problems": problems }),
        }
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
        let mut failure = Self::input(&error);
        if let muslin_io::ReadError::Parse { source, .. } = &error {
            let (message, line) = (source.message.clone(), source.line);
            failure.problems.push(Problem { message, line, column: None, hint: None });
        }
        failure
    }
}

// A scene that cannot be read or built: nothing has been written yet.
impl From<muslin_io::scene::SceneError> for Failure {
    fn from(error: muslin_io::scene::SceneError) -> Self {
        let problem = |diagnostic: &muslin_io::scene::Diagnostic| Problem {
            message: diagnostic.message.clone(),
            line: Some(diagnostic.line),
            column: Some(diagnostic.column),
            hint: diagnostic.hint.clone(),
        };
        let problems = error.diagnostics().iter().map(problem).collect();
        Self { problems, ..Self::input(error) }
    }
}
