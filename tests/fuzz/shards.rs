//! Shards of runs. Impossible shards are refused, and accepted ones add up to a report.

use motherlode::Game;
use motherlode_lab::{Arena, Compare, Effects, Hypotheses, Series};
use motherlode_play::{Experiment, Sheet, SheetFormat, Simulation};
use serde_json::Value;

use super::driver::{Outcomes, Target, fuzz};
use super::mangle::{change, mangle};
use crate::cli::program::packs;
use crate::shipped::{load, root};
use crate::twins::SplitMix64;

struct Shards {
    runs: Vec<Box<dyn Run>>,
}

/// A run with genuine shards.
trait Run {
    fn lines(&self) -> &[String];

    /// Merges a shard with genuine ones, and optionally makes the report.
    fn merge(&self, line: &str, report: bool, seen: &mut Outcomes) -> Result<(), String>;
}

struct PlayedRun<E: Experiment> {
    experiment: E,
    lines: Vec<String>,
    pieces: Vec<E::Piece>,
}

fn played<E: Experiment + 'static>(experiment: E) -> Box<dyn Run>
where
    E::Error: std::fmt::Debug,
{
    let (mut lines, mut pieces) = (Vec::new(), Vec::new());
    let report = experiment.perform(&mut |_, piece| {
        lines.push(serde_json::to_string(piece).unwrap());
        pieces.push(serde_json::from_str(lines.last().unwrap()).unwrap());
        std::ops::ControlFlow::Continue(())
    });
    report.unwrap();
    Box::new(PlayedRun { experiment, lines, pieces })
}

impl<E: Experiment> Run for PlayedRun<E>
where
    E::Error: std::fmt::Debug,
{
    fn lines(&self) -> &[String] {
        &self.lines
    }

    fn merge(&self, line: &str, report: bool, seen: &mut Outcomes) -> Result<(), String> {
        let piece: E::Piece = match serde_json::from_str(line) {
            Ok(piece) => piece,
            Err(error) => {
                seen.outcome(&error.to_string());
                return Ok(());
            }
        };
        let experiment = &self.experiment;
        if !experiment.is_possible(&piece) {
            seen.outcome("impossible");
            return Ok(());
        }
        let mut sum = experiment.begin();
        for piece in [&piece, &self.pieces[0], &piece] {
            if experiment.add(&mut sum, piece).is_break() {
                break;
            }
        }
        let _ = (experiment.remark(&sum), experiment.plan(&sum), experiment.alike(&self.pieces[0], &piece));
        let columns = experiment.columns();
        let rows = experiment.rows(&piece);
        seen.outcome(&format!("{} rows", "x".repeat(rows.len().min(20))));
        let wide = rows.iter().find(|row| row.len() != columns.len());
        if wide.is_some() {
            return Err(format!("a row of another width: {wide:?}"));
        }
        if report {
            seen.outcome(if experiment.report(sum, false).is_ok() { "a report" } else { "no report" });
            for format in [SheetFormat::Csv, SheetFormat::Parquet] {
                let mut sheet = Sheet::new(Vec::new(), format, columns.clone()).map_err(|error| error.to_string())?;
                rows.iter().try_for_each(|row| sheet.write(row.clone())).map_err(|error| error.to_string())?;
                sheet.finish().map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}

impl Target for Shards {
    const NAME: &'static str = "shards";
    const GENES: std::ops::Range<usize> = 2..6;
    const INPUTS: u64 = 3000;

    fn new() -> Self {
        let random = || vec!["random".to_owned(), "first".to_owned()];
        let simulation = |game: &Game, players, answers: &[&str], decisions| Simulation {
            games: 3,
            threads: 1,
            answers: answers.iter().map(|prompt| (*prompt).to_owned()).collect(),
            decisions,
            ..Simulation::new(game, game.setup(Some(players), &[], 1).unwrap())
        };
        let series = |game: &Game, other: bool| {
            let version = (game.clone(), game.setup(Some(2), &[], 1).unwrap());
            let others = other.then(|| version.clone()).into_iter().collect();
            Series { others, ..Series::new(version, random(), 1) }
        };
        let (harvest, stumble, krysis) =
            (load(&packs(), "harvest"), load(&packs(), "stumble"), load(root(), "krysis").interpreted());
        let until = Some(Hypotheses { h0: 0.5, h1: 0.7 });
        let runs = vec![
            played(simulation(&harvest, 2, &["bid"], false)),
            played(simulation(&harvest, 2, &[], true)),
            played(simulation(&stumble, 1, &[], false)),
            played(simulation(&krysis, 4, &[], false)),
            played(Arena { series: series(&harvest, false), blocks: 3, until: None }),
            played(Arena { series: series(&krysis, false), blocks: 2, until }),
            played(Compare { series: series(&harvest, true), blocks: 3, matters: 0.05, until: false }),
            played(Effects { series: series(&harvest, false), blocks: 3, forks: 4, items: vec![], after: None }),
        ];
        Self { runs }
    }

    fn run(&mut self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let (&first, rest) = genes.split_first().expect("an input has a gene");
        let run = &self.runs[first as usize % self.runs.len()];
        let line = |number: usize| &run.lines()[number % run.lines().len()];
        let mut text = line(first as usize >> 8).clone();
        for &gene in rest {
            let mut random = SplitMix64::new(u64::from(gene));
            text = match serde_json::from_str::<Value>(&text) {
                Ok(mut value) if random.below(8) > 0 => {
                    change(&mut value, &mut random);
                    value.to_string()
                }
                _ => mangle(&text, line(random.below(100)), &mut random),
            };
        }
        let done = run.merge(&text, rest.first().is_none_or(|gene| gene % 128 == 0), seen);
        seen.execution();
        done
    }
}

#[test]
fn shards_are_refused_or_add_up() {
    fuzz::<Shards>();
}
