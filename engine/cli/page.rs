//! `lode report`: writes an HTML report of a game's balance, with replays beside it.

use std::io::Write;
use std::path::{Path, PathBuf};

use motherlode::tools::hidden;
use motherlode::{Game, Replay};
use motherlode_check::CheckedGame;
use motherlode_lab::{
    Effects, EffectsReport, Ladder, MixedTable, MixedTableReport, NotableGame, PLAYOUTS, Page, SelfPlay,
    SelfPlayReport, Series, ShownGame, Stakes, StakesReport, page,
};

use crate::balance::default_bot;
use crate::fault::Fault;
use crate::lab::{LabArgs, LabProgress, check_complete, check_failures, check_fork_failures, cost_of};
use crate::number::whole_number;
use crate::output::Output;
use crate::paint;
use crate::project::{GlobalArgs, Project};
use crate::setup::option_flags;

/// Largest page, in bytes.
const LARGEST: usize = 500_000;

/// Write an HTML report of a game's balance
///
/// Each bot plays all seats alone, in the order of --bots; then all bots play together. List the bots from the weakest to the
/// strongest: the report judges the game by the last one.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    lab: LabArgs,
    /// Number of blocks per bot; a block is one seed
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole_number(crate::lab::BLOCKS))]
    blocks: u64,
    /// Approximate number of forks per card and action; 0 for none
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = whole_number(0..=u32::MAX))]
    forks: u32,
    /// Number of games per bot in which playouts estimate who leads at each point
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = whole_number(0..=u64::MAX))]
    follow: u64,
    /// Number of decisions of the last bot whose choices are played on, to measure how much they matter; 0 for none
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = whole_number(0..=1_000_000_u64))]
    decisions: u64,
    /// Add a skill curve: each budget against twice that budget, as in rollout:1..8
    #[arg(long, value_name = "BOT")]
    ladder: Option<String>,
    /// File to write; replays of notable games go beside it
    #[arg(long, value_name = "FILE.html")]
    out: PathBuf,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

/// Plays the games and writes the page.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let (project, id) = Project::locate(global, &args.lab.game)?;
    let CheckedGame { game, images, .. } = project.open(&id)?.1;
    let output = open_output(args)?;
    let series = args.lab.series_by_best(global, &game)?;
    let Results { self_play, mixed_table, effects, stakes, ladder } = play(args, &game, &series)?;
    let stopped = effects.stopped
        || self_play.iter().any(|one| one.stopped)
        || mixed_table.as_ref().is_some_and(|one| one.stopped)
        || stakes.as_ref().is_some_and(|one| one.stopped)
        || ladder.as_ref().is_some_and(|(_, one)| one.stopped);
    let declared = game.declarations();
    let mods: String = global.mods.iter().map(|path| format!(" --mod {}", hidden::path(path))).collect();
    let setup = setup(&mods, &series);
    let (default_bot, is_default_named) = default_bot(global, &game)?;
    let mut found = Page {
        name: declared.name.clone(),
        version: declared.version.clone(),
        text: declared.text.clone(),
        program: format!("lode {}", env!("CARGO_PKG_VERSION")),
        command: command(args, &series, &setup),
        setup,
        mods,
        default_bot,
        is_default_named,
        blocks: args.blocks,
        forks: args.forks,
        stopped,
        self_play,
        mixed_table,
        effects,
        stakes,
        ladder,
        games: Vec::new(),
        faces: motherlode_table::face_popups(&game, &images),
    };
    let mut unsaved = Ok(());
    if let Some(level) = found.best_bot() {
        (found.games, unsaved) = save_notable(args, &alone(&series, &level.bot), level);
    }
    let (games, failures) = found.failures();
    let text = page(&found);
    if text.len() > LARGEST {
        return Err(Fault::failed(format!(
            "the page would have {} bytes, but the limit is {LARGEST}: use fewer bots",
            text.len()
        )));
    }
    output.write_text(&text)?;
    writeln!(out, "bots: {}{}", series.bots.join(", "), args.lab.default_note())?;
    writeln!(out, "wrote {} ({})", hidden::path(&args.out), paint::plural(text.len() as u64, "byte"))?;
    for shown in &found.games {
        writeln!(out, "wrote {}", hidden::path(args.out.with_file_name(&shown.file)))?;
    }
    unsaved?;
    check_failures(&failures, games)?;
    check_fork_failures(&found.effects.failed)?;
    check_complete(stopped)
}

/// Opens the file of the page. Fails if that file or a replay beside it cannot be written.
fn open_output(args: &Args) -> Result<Output, Fault> {
    let output = Output::new(&args.out, args.force)?;
    if !args.out.extension().is_some_and(|ending| ["html", "htm"].iter().any(|one| ending.eq_ignore_ascii_case(one))) {
        let shown = hidden::path(&args.out);
        return Err(Fault::usage(format!("`{shown}` has no HTML extension: end its name in .html")));
    }
    for why in NOTABLE_KINDS {
        Output::new(&replay_path(&args.out, why), args.force)?;
    }
    Ok(output)
}

/// The results behind a page.
struct Results {
    self_play: Vec<SelfPlayReport>,
    mixed_table: Option<MixedTableReport>,
    effects: EffectsReport,
    stakes: Option<StakesReport>,
    ladder: Option<(String, Ladder)>,
}

fn play(args: &Args, game: &Game, series: &Series) -> Result<Results, Fault> {
    let bots = series.bots.len() as u64;
    let rungs = match args.ladder.as_deref() {
        // Climb no rung: this rejects an invalid ladder before the first game.
        Some(spec) => Ladder::climb(series, spec, 0, |_| true)?.rungs.len() as u64,
        None => 0,
    };
    let mixed_cost = if bots > 1 { bots } else { 0 };
    let climbing = args.ladder.as_deref().and_then(motherlode_lab::ladder_specs).unwrap_or_default();
    let cost = cost_of(game, &series.game.1, &[series.bots.as_slice(), &climbing].concat());
    let ends = stage_ends(args, bots, mixed_cost, rungs);
    let mut progress = LabProgress::with_cost(ends.last().copied().unwrap_or_default(), "blocks", cost);
    progress.set_stages(ends);

    let mut done = 0;
    let mut self_play = Vec::new();
    for bot in &series.bots {
        let level =
            SelfPlay { series: alone(series, bot), blocks: args.blocks, followed: args.follow, playouts: PLAYOUTS };
        self_play.push(level.run(|own| progress.done(done + own))?);
        done += args.blocks;
    }
    let mixed_table = if bots > 1 {
        let table = MixedTable { series: series.clone(), blocks: args.blocks };
        Some(table.run(|own| progress.done(done + own * bots))?)
    } else {
        None
    };
    done += args.blocks * mixed_cost;
    // There is at least one bot: the series would have failed otherwise.
    let best = alone(series, series.bots.last().unwrap_or(&String::new()));
    let effects =
        Effects { series: best.clone(), blocks: args.blocks, forks: args.forks, items: Vec::new(), after: None };
    let effects = effects.run(|own| progress.done(done + own))?;
    done += 2 * args.blocks;
    let stakes = match args.decisions {
        0 => None,
        decisions => {
            let stakes = Stakes { series: best, decisions };
            let report = stakes.run(|own| progress.done(done + own))?;
            done += stakes.games();
            Some(report)
        }
    };
    let ladder = match &args.ladder {
        Some(spec) => {
            let climb = Ladder::climb(series, spec, args.blocks, |own| progress.done(done + 2 * own));
            Some((spec.clone(), climb?))
        }
        None => None,
    };
    progress.finish();
    Ok(Results { self_play, mixed_table, effects, stakes, ladder })
}

/// The counts of blocks at which parts of different speed end. Playouts slow down the followed games of each bot.
fn stage_ends(args: &Args, bots: u64, mixed_cost: u64, rungs: u64) -> Vec<u64> {
    let followed = args.follow.min(args.blocks);
    let alone = [followed, args.blocks - followed];
    let parts = (0..bots).flat_map(|_| alone).chain([mixed_cost * args.blocks, args.blocks, args.blocks]);
    let parts = parts.chain([args.decisions.div_ceil(2)]).chain((0..rungs).map(|_| 2 * args.blocks));
    let mut end = 0;
    let ends = parts.filter(|part| *part > 0).map(|part| {
        end += part;
        end
    });
    ends.collect()
}

/// The series with this bot in all seats.
fn alone(series: &Series, bot: &str) -> Series {
    Series { bots: vec![bot.to_owned()], ..series.clone() }
}

/// The kinds of notable games, which also name the replays.
const NOTABLE_KINDS: [&str; 4] = ["closest", "widest", "longest", "comeback"];

fn replay_path(page: &Path, why: &str) -> PathBuf {
    let stem = page.file_stem().and_then(|stem| stem.to_str()).unwrap_or("report");
    page.with_file_name(format!("{stem}-{why}.json"))
}

/// Saves the notable games beside the page. Returns the saved ones and the first error: the page took long to make and is written
/// without the others.
fn save_notable(args: &Args, series: &Series, level: &SelfPlayReport) -> (Vec<ShownGame>, Result<(), Fault>) {
    let (mut games, mut unsaved) = (Vec::new(), Ok(()));
    for (game, trajectory) in &level.notable {
        let path = replay_path(&args.out, &game.why);
        match save(series, game, &path) {
            Ok(()) => {
                let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
                games.push(ShownGame { game: game.clone(), trajectory: trajectory.clone(), file });
            }
            Err(fault) => unsaved = unsaved.and(Err(fault)),
        }
    }
    (games, unsaved)
}

fn save(series: &Series, notable: &NotableGame, file: &Path) -> Result<(), Fault> {
    let Some((setup, answers)) = series.replay(0, notable.block, notable.turn, &mut ())? else {
        return Ok(());
    };
    let failed = |error| Fault::unsaved(file, &error);
    let replay = Replay::retrace(&series.game.0, &setup, &answers).map_err(failed)?;
    Replay { seats: notable.bots.clone(), ..replay }.save(file).map_err(failed)
}

/// The arguments with which other commands play the same games, defaults included.
fn setup(mods: &str, series: &Series) -> String {
    let (game, setup) = &series.game;
    let id = &game.declarations().id;
    let options = option_flags(setup);
    format!("{id}{mods} --players {}{options} --seed {}", setup.players, series.seed)
}

/// The command that makes the page.
fn command(args: &Args, series: &Series, setup: &str) -> String {
    let ladder = args.ladder.as_ref().map(|spec| format!(" --ladder {spec}")).unwrap_or_default();
    let out = args.out.file_name().and_then(|name| name.to_str()).unwrap_or("report.html");
    format!(
        "lode report {setup} --bots {} --blocks {} --forks {} --follow {} --decisions {}{ladder} --out {out}",
        series.bots.join(","),
        args.blocks,
        args.forks,
        args.follow,
        args.decisions,
    )
}
