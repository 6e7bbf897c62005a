//! `lode report`: the balance of a game as one file of HTML, with replays beside it.

use std::io::Write;
use std::path::{Path, PathBuf};

use motherlode::Replay;
use motherlode_lab::{Arena, ArenaReport, Effects, Ladder, Notable, Page, Series, Shown, page};

use crate::fault::Fault;
use crate::lab::{LabArgs, Steps, ended};
use crate::output::Output;
use crate::project::GlobalArgs;
use crate::setup::options;
use crate::{paint, project};

/// Largest page, in bytes.
const LARGEST: usize = 500_000;

/// Arguments of `lode report`. Each of the bots plays alone in all seats, from the weakest to the best.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    lab: LabArgs,
    /// Number of blocks for each of the bots: a block is one seed
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..))]
    blocks: u64,
    /// How often each card and action is forked, about
    #[arg(long, value_name = "N", default_value_t = 60)]
    forks: u32,
    /// Add a skill curve: every budget against twice as much, as in rollout:1..8
    #[arg(long, value_name = "BOT")]
    ladder: Option<String>,
    /// The page; replays of games worth looking at are written beside it
    #[arg(long, value_name = "FILE.html")]
    out: PathBuf,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

/// Plays, and writes the page.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.lab.game)?;
    let output = Output::new(&args.out, args.force)?;
    let series = args.lab.series(global, &game)?;
    let alone = |bot: &String| Series { bots: vec![bot.clone()], ..series.clone() };
    let rungs = args.ladder.as_deref().and_then(motherlode_lab::doubled).map_or(0, |specs| specs.len() as u64 - 1);
    let mut steps = Steps::new(args.blocks * (series.bots.len() as u64 + 2 + rungs), "blocks");
    let mut done = 0;
    let mut arenas = Vec::new();
    for bot in &series.bots {
        let arena = Arena { series: alone(bot), blocks: args.blocks, until: None };
        arenas.push(arena.run(|own| steps.done(done + own))?);
        done += args.blocks;
    }
    // There is at least one bot: the series would have failed otherwise.
    let best = alone(series.bots.last().unwrap_or(&String::new()));
    let effects = Effects { series: best.clone(), blocks: args.blocks, forks: args.forks };
    let effects = effects.run(|own| steps.done(done + own))?;
    done += 2 * args.blocks;
    let ladder = match &args.ladder {
        Some(spec) => Some(Ladder::climb(&series, spec, args.blocks, |own| steps.done(done + own))?),
        None => None,
    };
    steps.finish();
    let stopped =
        effects.stopped || arenas.iter().any(|arena| arena.stopped) || ladder.as_ref().is_some_and(|one| one.stopped);
    let games = match arenas.last() {
        Some(arena) => shown(args, &best, arena)?,
        None => Vec::new(),
    };
    let name = game.declarations().name.clone();
    let text = page(&Page { name, command: command(args, &series), arenas, effects, ladder, games });
    if text.len() > LARGEST {
        return Err(Fault::failed(format!("the page would have {} bytes; at most {LARGEST} are allowed", text.len())));
    }
    output.write(|file| file.write_all(text.as_bytes()))?;
    writeln!(out, "wrote {} ({})", args.out.display(), paint::plural(text.len() as u64, "byte"))?;
    ended(stopped)
}

/// Games worth looking at, saved beside the page.
fn shown(args: &Args, series: &Series, arena: &ArenaReport) -> Result<Vec<Shown>, Fault> {
    let one = |notable: &Notable| {
        let Notable { why, scores, rounds, .. } = notable.clone();
        let stem = args.out.file_stem().and_then(|stem| stem.to_str()).unwrap_or("report");
        let file = args.out.with_file_name(format!("{stem}-{why}.json"));
        save(series, notable, &file)?;
        let file = file.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let command = format!("lode replay {}", file.as_deref().unwrap_or_default());
        Ok(Shown { why, scores, rounds, command, file })
    };
    arena.notable.iter().map(one).collect()
}

fn save(series: &Series, notable: &Notable, file: &Path) -> Result<(), Fault> {
    let Some((setup, answers)) = series.again(0, notable.block, notable.turn, &mut ())? else {
        return Ok(());
    };
    let failed = |error| Fault::failed(format!("cannot save `{}`: {error}", file.display()));
    let replay = Replay::retrace(&series.game.0, &setup, &answers).map_err(failed)?;
    Replay { seats: notable.bots.clone(), ..replay }.save(file).map_err(failed)
}

/// The command that makes the page, with what was not said.
fn command(args: &Args, series: &Series) -> String {
    let (game, setup) = &series.game;
    let id = &game.declarations().id;
    let options = options(setup);
    let ladder = args.ladder.as_ref().map(|spec| format!(" --ladder {spec}")).unwrap_or_default();
    let out = args.out.file_name().and_then(|name| name.to_str()).unwrap_or("report.html");
    format!(
        "lode report {id} --players {}{options} --seed {} --bots {} --blocks {} --forks {}{ladder} --out {out}",
        setup.players,
        series.seed,
        series.bots.join(","),
        args.blocks,
        args.forks,
    )
}
