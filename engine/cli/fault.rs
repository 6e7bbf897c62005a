//! Errors of subcommands and their exit codes.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use motherlode::tools::hidden;
use motherlode::{Diagnostics, ReplayError};
use motherlode_files::reason;
use motherlode_lab::LabError;
use motherlode_play::SimulationError;

use crate::terminal::Terminal;
use crate::{paint, report};

/// The reason that a subcommand ended early.
#[derive(Debug)]
pub enum Fault {
    /// The arguments are invalid: exit code 2.
    Usage(String),
    /// A match, a file or a test failed: exit code 1.
    Failed(String),
    /// The content has errors: exit code 1.
    Content {
        /// Id of the pack.
        game: String,
        /// Its faults.
        diagnostics: Diagnostics,
    },
    /// A question to which the games gave no answer: exit code 3.
    Undecided(String),
    /// Like `Failed`, but already reported.
    Reported,
    /// The reader of the output has closed it, which is not a failure: `lode rules checkers | head`.
    Closed,
}

impl Fault {
    /// Prints the error to the standard error stream and returns the exit code.
    pub fn report(&self) -> ExitCode {
        let mut err = Terminal::new(anstream::stderr().lock());
        let (red, yellow) = (paint::style("bright_red").bold(), paint::style("bright_yellow").bold());
        // Ignore an error of the error stream, which cannot be reported anywhere.
        let _ = match self {
            Self::Usage(message) | Self::Failed(message) => writeln!(err, "{red}error{red:#}: {message}"),
            Self::Undecided(message) => writeln!(err, "{yellow}undecided{yellow:#}: {message}"),
            Self::Content { game, diagnostics } => report::draw(&mut err, diagnostics).and_then(|()| {
                let count = report::count(&diagnostics.list);
                writeln!(err, "{red}error{red:#}: `{game}` cannot be played: {count}")
            }),
            Self::Reported | Self::Closed => Ok(()),
        };
        match self {
            Self::Closed => ExitCode::SUCCESS,
            Self::Usage(_) => ExitCode::from(2),
            Self::Undecided(_) => ExitCode::from(3),
            _ => ExitCode::from(1),
        }
    }

    /// The error in one line; `None` if there is nothing to report.
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Usage(message) | Self::Failed(message) | Self::Undecided(message) => Some(message.clone()),
            Self::Content { game, diagnostics } => {
                Some(format!("`{game}` cannot be played: {}", report::count(&diagnostics.list)))
            }
            Self::Reported | Self::Closed => None,
        }
    }

    /// The error for a file that cannot be written, with a remedy.
    pub fn unwritten(path: &Path, error: &io::Error) -> Self {
        Self::failed(format!("cannot write `{}`: {}{}", hidden::path(path), reason(error), remedy(error)))
    }

    /// The error for a recorded match that cannot be written, with a remedy.
    pub fn unsaved(path: &Path, error: &ReplayError) -> Self {
        match error {
            ReplayError::Io(error) => Self::unwritten(path, error),
            error => Self::failed(format!("cannot write `{}`: {error}", hidden::path(path))),
        }
    }

    /// An error of usage.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// A failed match, file or test.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed(message.into())
    }
}

/// The end of a message about a file that cannot be written: how to fix it.
pub fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "; name a file in a writable folder",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; free space there, or name a file on another disk"
        }
        _ => "",
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Failed(reason(&error)) }
    }
}

impl From<motherlode::MatchError> for Fault {
    fn from(error: motherlode::MatchError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<LabError> for Fault {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Bot(_) | LabError::Bots(_) | LabError::Ladder(_) | LabError::Opening { .. } => {
                Self::Usage(error.to_string())
            }
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl From<SimulationError> for Fault {
    fn from(error: SimulationError) -> Self {
        match error {
            SimulationError::Bot(_) | SimulationError::Bots { .. } | SimulationError::Prompt { .. } => {
                Self::Usage(error.to_string())
            }
            _ => Self::Failed(error.to_string()),
        }
    }
}
