//! What can go wrong in a subcommand, and the exit code it leads to.

use std::io::{self, Write};
use std::process::ExitCode;

use motherlode::Diagnostics;

use crate::{paint, report};

/// Why a subcommand ended early.
#[derive(Debug)]
pub enum Fault {
    /// The person or program that called asked for something that does not exist or does not fit: exit code 2.
    Usage(String),
    /// A match, a file or a test failed: exit code 1.
    Failed(String),
    /// The content has faults: exit code 1.
    Content {
        /// Id of the pack.
        game: String,
        /// Its faults.
        diagnostics: Diagnostics,
    },
    /// Like `Failed`, and everything has been said already.
    Told,
    /// Whoever read the output has gone away, which is no mistake: `lode rules checkers | head`.
    Closed,
}

impl Fault {
    /// Says what went wrong on the standard error stream and returns the exit code.
    pub fn tell(&self) -> ExitCode {
        let mut err = anstream::stderr().lock();
        let red = paint::style("bright_red").bold();
        // Nothing can be done about an error stream that cannot be written to.
        let _ = match self {
            Self::Usage(message) | Self::Failed(message) => writeln!(err, "{red}error{red:#}: {message}"),
            Self::Content { game, diagnostics } => report::draw(&mut err, diagnostics).and_then(|()| {
                let count = report::count(&diagnostics.list);
                writeln!(err, "{red}error{red:#}: `{game}` cannot be played: {count}")
            }),
            Self::Told | Self::Closed => Ok(()),
        };
        match self {
            Self::Closed => ExitCode::SUCCESS,
            Self::Usage(_) => ExitCode::from(2),
            _ => ExitCode::from(1),
        }
    }

    /// A fault of usage.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// A fault of a match, a file or a test.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed(message.into())
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Failed(error.to_string()) }
    }
}

impl From<motherlode::MatchError> for Fault {
    fn from(error: motherlode::MatchError) -> Self {
        Self::Failed(error.to_string())
    }
}
