//! The verdict on a new value: matches of its bot against random play, a search and the old value.

use std::io::Write;
use std::path::{Path, PathBuf};

use comfy_table::Cell;
use motherlode::{Game, Setup};
use motherlode_lab::{Arena, Estimate, Objective, Series, Standing};
use motherlode_play::{Failures, Value};
use serde::Serialize;

use crate::fault::Fault;
use crate::lab::{LabProgress, STOP, draw, judged_cells, number_cell};
use crate::paint::{self, right};

/// The rival that a value must beat.
const LEAST: &str = "random";
const SEARCH: &str = "search:100";
/// Games against the search, as a part of those against others: a search takes long.
const SEARCH_PART: u64 = 4;
/// Derives the seed of the matches, so that they are no games of the training.
const VERDICT: u64 = 0x7665_7264_6963_7400;

/// Matches of new values.
pub struct Verdict<'a> {
    pub game: &'a Game,
    pub setup: &'a Setup,
    /// Numbers of players.
    pub players: Vec<u8>,
    /// Games against each rival.
    pub games: u64,
    pub threads: usize,
}

/// The result of the new value against one rival.
#[derive(Debug, Clone, Serialize)]
pub struct VerdictRow {
    pub players: u8,
    pub rival: &'static str,
    pub games: u64,
    pub objective: Objective,
    /// The quantity of the objective.
    pub result: Option<Estimate>,
    /// The lead over the rival, if players compete by score or margin.
    pub lead: Option<Estimate>,
    /// The result of an equal bot.
    pub even: f64,
    /// Whether the interval is above even.
    pub is_better: bool,
}

impl Verdict<'_> {
    /// Plays the matches; `text` is the new value, and `old` the file that it would replace.
    pub fn play(&self, text: &str, old: &Path) -> Result<(Vec<VerdictRow>, Failures), Fault> {
        let folder = tempfile::tempdir()?;
        let save = |name: &str, text: &str| -> Result<PathBuf, Fault> {
            let path = folder.path().join(name);
            std::fs::write(&path, text)?;
            Ok(path)
        };
        let of = |path: &Path| format!("learned:{}", path.display());
        let new = of(&save("new.value", text)?);
        let mut rivals =
            vec![(LEAST, LEAST.to_owned(), self.games), (SEARCH, SEARCH.to_owned(), self.games.div_ceil(SEARCH_PART))];
        let old = std::fs::read_to_string(old).ok().or_else(|| self.game.learned().map(str::to_owned));
        // An old value that does not fit the game any more is no rival.
        if let Some(old) = old.filter(|old| Value::read(self.game, old).is_ok()) {
            rivals.push(("old value", of(&save("old.value", &old)?), self.games));
        }
        let mut ends = Vec::new();
        for rival in self.players.iter().flat_map(|_| &rivals) {
            ends.push(ends.last().unwrap_or(&0) + self.blocks(rival.2));
        }
        let mut bar = LabProgress::new(ends.last().copied().unwrap_or(0), "blocks");
        bar.set_stages(ends);
        let (mut rows, mut failures, mut before) = (Vec::new(), Failures::default(), 0);
        for &players in &self.players {
            for (name, rival, games) in &rivals {
                let blocks = self.blocks(*games);
                let row =
                    self.meet(players, (name, &new, rival), blocks, &mut failures, |done| bar.done(before + done));
                rows.extend(row?);
                before += blocks;
            }
        }
        bar.finish();
        Ok((rows, failures))
    }

    /// Blocks of two games; the bootstrap needs two.
    fn blocks(&self, games: u64) -> u64 {
        games.div_ceil(2).max(2)
    }

    /// The new value against one rival; `None` if stopped.
    fn meet(
        &self,
        players: u8,
        (name, new, rival): (&'static str, &str, &str),
        blocks: u64,
        failures: &mut Failures,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<Option<VerdictRow>, Fault> {
        let outcome = &self.game.declarations().outcome;
        let objective = Objective::of(outcome);
        let setup = Setup { players, ..self.setup.clone() };
        let seed = self.setup.seed ^ VERDICT;
        let mut arena = |bots: &[&str]| {
            let bots = bots.iter().map(|&bot| bot.to_owned()).collect();
            let game = (self.game.clone(), setup.clone());
            let series = Series { game, others: Vec::new(), bots, seed, threads: self.threads, halt: Some(&STOP) };
            Arena { series, blocks, until: None }.run(&mut progress)
        };
        let judged = |standing: &Standing| match objective {
            Objective::WinShare => standing.share.or(standing.score),
            Objective::Margin => standing.margin.or(standing.score),
            _ => standing.score,
        };
        let report = if outcome.shared { arena(&[new])? } else { arena(&[new, rival])? };
        failures.append(&report.failures);
        let (result, lead) = (judged(&report.bots[0]), report.bots[0].lead);
        let (measured, even) = match lead {
            Some(_) => (lead, 0.0),
            None if !outcome.shared && players > 1 => (result, report.even),
            // Bots that never meet are compared by their own games.
            None if outcome.shared => {
                (result, arena(&[rival])?.bots.first().and_then(judged).map_or(0.0, |of| of.value))
            }
            None => (result, judged(&report.bots[1]).map_or(0.0, |of| of.value)),
        };
        let is_better = measured.is_some_and(|of| match objective {
            Objective::LeastScore if lead.is_none() => of.interval.high < even,
            _ => of.interval.low > even,
        });
        let row = VerdictRow { players, rival: name, games: report.games, objective, result, lead, even, is_better };
        Ok(Some(row).filter(|_| !report.stopped))
    }
}

/// Prints the rows.
pub fn print(out: &mut dyn Write, rows: &[VerdictRow]) -> Result<(), Fault> {
    let Some(first) = rows.first() else { return Ok(()) };
    let by_lead = rows.iter().any(|row| row.lead.is_some());
    let mut table = paint::table();
    let mut header = vec![Cell::new("against"), right("players"), right("games"), right(first.objective.name())];
    header.extend([right("95 % interval"), right(if by_lead { "lead" } else { "even" }), Cell::new("")]);
    table.set_header(header);
    for row in rows {
        let mut cells = vec![Cell::new(row.rival), right(row.players), right(row.games)];
        cells.extend(judged_cells(row.objective, row.result));
        let even = if row.objective.is_share() { paint::percent(row.even) } else { format!("{:.1}", row.even) };
        cells.push(if by_lead { number_cell(row.lead) } else { right(even) });
        cells.push(Cell::new(if row.is_better { "better" } else { "" }));
        table.add_row(cells);
    }
    draw(out, table)
}

/// The rows in which the value is not better than random play.
pub fn faults(rows: &[VerdictRow]) -> impl Iterator<Item = &VerdictRow> {
    rows.iter().filter(|row| row.rival == LEAST && !row.is_better)
}
