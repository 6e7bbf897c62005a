//! `lode replay`: a recorded match shown, verified, or stopped at a step.

use std::io::Write;
use std::path::PathBuf;

use motherlode::{Game, Match, Replay};

use crate::fault::Fault;
use crate::project::{Place, Project};
use crate::setup::words;
use crate::{paint, play, render, setup};

/// Arguments of `lode replay`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A match kept by `lode play --save`
    file: PathBuf,
    /// Play it again and compare every step
    #[arg(long)]
    verify: bool,
    /// Show the whole table after this many answers
    #[arg(long, value_name = "K", conflicts_with = "verify")]
    step: Option<usize>,
}

/// Shows the match in words, or what is asked for.
pub fn run(args: &Args, place: &Place, out: &mut dyn Write) -> Result<(), Fault> {
    let replay = play::load(&args.file)?;
    let game = Project::find(place)?.load_named(&replay.game)?;
    if args.verify {
        return verify(&game, &replay, out);
    }
    if let Some(step) = args.step {
        return show_step(&game, &replay, step, out);
    }
    show(&game, &replay, out)
}

fn verify(game: &Game, replay: &Replay, out: &mut dyn Write) -> Result<(), Fault> {
    let verified = replay.verify(game).map_err(|error| Fault::failed(error.to_string()))?;
    let green = paint::style("bright_green");
    writeln!(out, "{green}verified{green:#}: {verified}")?;
    Ok(())
}

fn show_step(game: &Game, replay: &Replay, step: usize, out: &mut dyn Write) -> Result<(), Fault> {
    let last = replay.answers.len();
    if step > last {
        return Err(Fault::usage(format!("there is no step {step}; the match has {}", paint::plural(last, "answer"))));
    }
    let table = replay.play(game, Some(step)).map_err(|error| Fault::failed(error.to_string()))?;
    writeln!(out, "{}\nstep {step} of {last}", words(game, &replay.setup))?;
    writeln!(out, "{}", render::heading(game.declarations(), table.round(), table.phase()))?;
    writeln!(out, "{}", render::observation(game, &table.observe(None)))?;
    for decision in table.pending() {
        let name = paint::seat(game.declarations(), decision.seat);
        writeln!(out, "{name} is asked: {}", decision.text(table.game()))?;
    }
    if let Some(outcome) = table.outcome() {
        write!(out, "{}", render::outcome(game.declarations(), &outcome, &[]))?;
    }
    Ok(())
}

fn show(game: &Game, replay: &Replay, out: &mut dyn Write) -> Result<(), Fault> {
    // Refuses a match of another version of the game before anything is shown.
    replay.play(game, Some(0)).map_err(|error| Fault::failed(error.to_string()))?;
    let mut table = setup::begin(game, &replay.setup)?;
    writeln!(out, "{}", words(game, &replay.setup))?;
    log(&mut table, 0, out)?;
    for (answer, step) in replay.answers.iter().zip(1..) {
        let answered = table.answer_as(answer.seat, usize::from(answer.index));
        answered.map_err(|error| Fault::failed(format!("step {step}: {error}")))?;
        log(&mut table, step, out)?;
    }
    match table.outcome() {
        Some(outcome) => write!(out, "\n{}", render::outcome(game.declarations(), &outcome, &[]))?,
        None => writeln!(out, "\nnot finished; `lode play --resume` goes on")?,
    }
    Ok(())
}

/// The lines of one step, the first one with its number. Sealed answers are told with the last of them.
fn log(table: &mut Match, step: usize, out: &mut dyn Write) -> Result<(), Fault> {
    let faint = paint::faint();
    let game = table.game().clone();
    for (line, number) in
        table.take_log().into_iter().zip(std::iter::once(step.to_string()).chain(std::iter::repeat(String::new())))
    {
        write!(out, "{faint}{number:>4}{faint:#}  {}", line.text())?;
        match line.seat() {
            Some(seat) => {
                writeln!(out, "{faint} (only {} knows){faint:#}", paint::seat_name(game.declarations(), seat))?
            }
            None => writeln!(out)?,
        }
    }
    Ok(())
}
