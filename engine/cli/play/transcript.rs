//! Prints the transcript of a match line by line, under headings for rounds and phases.

use std::collections::BTreeSet;
use std::io::Write;

use motherlode::{Game, Line, Setup};
use motherlode_table::{SETUP, Text, phase_heading, rounds};

use crate::fault::Fault;
use crate::paint;

/// The transcript of a match, and how much of it each person has seen.
pub struct TranscriptPrinter {
    log: Vec<Line>,
    /// By seat: number of lines whose private parts it has seen, if several people share the terminal.
    private_until: Vec<usize>,
    /// Round and phase of the last heading.
    heading: Option<(i32, usize)>,
    /// Phases whose text has been shown.
    met: BTreeSet<usize>,
    /// Number of rounds, if it is declared.
    rounds: Option<i32>,
}

impl TranscriptPrinter {
    pub fn new(game: &Game, setup: &Setup) -> Self {
        Self {
            log: Vec::new(),
            private_until: vec![0; usize::from(setup.players)],
            heading: None,
            met: BTreeSet::new(),
            rounds: rounds(game, &setup.options),
        }
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.log.len()
    }

    /// The lines from an index on.
    pub fn since(&self, from: usize) -> &[Line] {
        self.log.get(from..).unwrap_or_default()
    }

    /// Adds lines without printing them.
    pub fn keep(&mut self, lines: Vec<Line>) {
        self.log.extend(lines);
    }

    /// Keeps only the first lines.
    pub fn truncate(&mut self, lines: usize) {
        self.log.truncate(lines);
        self.private_until.iter_mut().for_each(|shown| *shown = (*shown).min(lines));
        self.heading = None;
    }

    /// Prints a heading unless it is already the last one. Prints the text of each phase once.
    pub fn heading(
        &mut self,
        game: &Game,
        text: &Text<'_>,
        at: (i32, usize),
        out: &mut dyn Write,
    ) -> Result<(), Fault> {
        let d = game.declarations();
        let Some((_, phase)) = d.phases.get_index(at.1) else { return Ok(()) };
        let name_of = |at: (i32, usize)| phase_heading(d, at.0, at.1);
        let name = name_of(at);
        // For players, phases with the same name are one phase.
        let before = self.heading.replace(at);
        if before.is_some_and(|before| before.0 == at.0 && name_of(before) == name) {
            return Ok(());
        }
        write!(out, "\n{}", text.heading(self.rounds, at.0, name))?;
        if name != SETUP && self.met.insert(at.1) && !phase.text.is_empty() {
            let faint = paint::faint();
            for line in paint::wrapped(&phase.text, paint::width()) {
                writeln!(out, "{faint}{line}{faint:#}")?;
            }
        }
        Ok(())
    }

    /// Prints a line and adds it. With several people, a private line waits for its reader.
    pub fn print(
        &mut self,
        game: &Game,
        text: &Text<'_>,
        line: Line,
        alone: bool,
        out: &mut dyn Write,
    ) -> Result<(), Fault> {
        if let Some(said) = if alone { Some(line.text()) } else { line.public() } {
            self.heading(game, text, (line.round(), line.phase_index()), out)?;
            let faint = paint::faint();
            for part in paint::wrapped(said, paint::width()) {
                if line.is_answer() {
                    writeln!(out, "{faint}{part}{faint:#}")?;
                } else {
                    writeln!(out, "{part}")?;
                }
            }
        }
        self.log.push(line);
        Ok(())
    }

    /// Prints the new lines that only this seat may read.
    pub fn print_private(&mut self, seat: u8, out: &mut dyn Write) -> Result<(), Fault> {
        let shown = std::mem::replace(&mut self.private_until[usize::from(seat)], self.log.len());
        let own = |line: &&Line| line.seat() == Some(seat) && line.public().is_none();
        for line in self.log.iter().skip(shown).filter(own) {
            writeln!(out, "{}", line.text())?;
        }
        Ok(())
    }

    /// Whether any line is private.
    pub fn has_secrets(&self) -> bool {
        self.log.iter().any(|line| line.seat().is_some())
    }

    /// Prints all lines that a seat may read.
    pub fn print_all(&mut self, game: &Game, text: &Text<'_>, seat: u8, out: &mut dyn Write) -> Result<(), Fault> {
        if self.log.is_empty() {
            writeln!(out, "nothing has happened yet")?;
        }
        let mut heading = None;
        let mut last = None;
        for line in &self.log {
            let Some(said) = line.seen_by(seat) else { continue };
            let at = (line.round(), phase_heading(game.declarations(), line.round(), line.phase_index()));
            if heading.replace(at) != Some(at) {
                write!(out, "{}", text.heading(self.rounds, at.0, at.1))?;
                last = Some((at.0, line.phase_index()));
            }
            writeln!(out, "{said}")?;
        }
        // The next line follows the end of the log, under its heading.
        self.heading = last.or(self.heading);
        Ok(())
    }
}
