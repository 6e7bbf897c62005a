//! `lode stdio`: plays a match with a program in any language, one JSON object per line.
//!
//! Direction: command, course, lines, message, observer <- session <- self

mod command;
mod course;
mod lines;
mod message;
mod observer;
mod session;

use std::io::Write;

use motherlode::{Actions, Game, Match};
use motherlode_play::ObservationSpace;
use serde_json::{Value, json};

use crate::balance::expand_seats;
use crate::fault::Fault;
use crate::project::{self, GlobalArgs};
use crate::seats::Seats;
use crate::setup::{SetupArgs, fresh_seed};
use crate::stdio::course::Course;
use crate::stdio::lines::Lines;
use crate::stdio::observer::Observer;
use crate::stdio::session::Session;

/// The text of `lode stdio --help`.
pub const HELP: &str = include_str!("stdio/help.txt");

/// Play from another program, with one JSON object per line
#[derive(Debug, clap::Args)]
#[command(long_about = HELP)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    #[command(flatten)]
    setup: SetupArgs,
    /// Player of each seat: program, or a bot as for --bots of `lode sim`; missing seats are random [default: all program]
    #[arg(long, value_name = "SEAT,SEAT,...")]
    seats: Option<String>,
    /// Player of chance: the seed decides, or the program chooses each result
    #[arg(long, value_name = "WHO", default_value = "seed")]
    chance: ChancePlayer,
    /// Observations of the deciding seat in decisions: by names, as a list of numbers, or none
    #[arg(long, value_name = "WHAT", default_value = "json")]
    observation: ObservationForm,
    /// Send no lines of the transcript
    #[arg(long)]
    no_log: bool,
}

/// The player of chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ChancePlayer {
    Seed,
    Program,
}

/// The form of observations in decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ObservationForm {
    Json,
    Tensor,
    None,
}

impl ObservationForm {
    fn observer(self, game: &Game) -> Observer {
        match self {
            Self::Json => Observer::Json,
            Self::Tensor => Observer::Tensor(Box::new(ObservationSpace::new(game))),
            Self::None => Observer::Nothing,
        }
    }
}

/// Plays matches with the program at the other end of the streams.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.game)?;
    let setup = args.setup.setup(&game, fresh_seed())?;
    let all = vec!["program"; usize::from(setup.players)].join(",");
    let seats = expand_seats(global, &game, args.seats.as_deref().unwrap_or(&all))?;
    let seats = Seats::new(&seats, "program", &game, &setup)?;
    let mut lines = Lines { input: std::io::stdin().lock() };
    let m = if args.no_log { Match::new(&game, &setup) } else { Match::with_transcript(&game, &setup) };
    let course = m.and_then(|m| Course::begin(m, args.chance == ChancePlayer::Program));
    let ended = course.map_err(Fault::from).and_then(|course| {
        let mut session = Session {
            game: &game,
            course,
            actions: Actions::new(&game).ok(),
            seats,
            observer: args.observation.observer(&game),
            undo_points: Vec::new(),
            snapshots: Vec::new(),
            asked: Value::Null,
            rewarded: vec![0.0; usize::from(setup.players)],
            sends_log: !args.no_log,
            out: &mut *out,
        };
        session.play(&mut lines)
    });
    // Tell the program why the match ended early.
    if let Err(fault) = &ended
        && let Some(reason) = fault.reason()
    {
        writeln!(out, "{}", json!({ "type": "error", "reason": reason }))?;
        out.flush()?;
    }
    ended
}
