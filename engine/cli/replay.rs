//! `lode replay`: shows a recorded match or one of its positions, or verifies it.

use std::io::Write;
use std::path::{Path, PathBuf};

use motherlode::tools::hidden;
use motherlode::{Game, Match, Replay, ReplayError};
use motherlode_table::{Columns, Faces, Text, View};

use crate::divergence::Divergence;
use crate::fault::Fault;
use crate::number::whole_number;
use crate::project::{GlobalArgs, Project};
use crate::setup::describe;
use crate::{paint, play};

/// Show a recorded match or one of its positions, or verify it
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Match to show, saved with --save of another command
    file: PathBuf,
    /// Replay the match and compare the state after each step
    #[arg(long)]
    verify: bool,
    /// Show the full position after K answers
    #[arg(long, value_name = "K", value_parser = whole_number(0..=u32::MAX), conflicts_with = "verify")]
    step: Option<u32>,
    /// Show the history of player N, as JSON lines
    #[arg(long, value_name = "N", value_parser = whole_number(1..=u32::MAX), conflicts_with_all = ["verify", "step"])]
    history: Option<u32>,
}

/// Prints the transcript of the match or a position, or verifies it.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let replay = play::load(&args.file)?;
    let game = Project::find(global)?.load_named(&replay.game)?;
    if args.verify {
        return verify(&game, &replay, (&args.file, global), out);
    }
    if let Some(step) = args.step {
        return show_step(&game, &replay, step as usize, out);
    }
    if let Some(player) = args.history {
        return show_history(&game, &replay, player, out);
    }
    show(&game, &replay, out)
}

fn verify(
    game: &Game,
    replay: &Replay,
    (file, global): (&Path, &GlobalArgs),
    out: &mut dyn Write,
) -> Result<(), Fault> {
    let verified = replay.verify(game).map_err(|error| {
        let advice = match Divergence::of(&error, replay, game) {
            Some(divergence) => Some(play::advice(&divergence, "verify", None, (file, global))),
            None => advice(&error, replay, file, global),
        };
        Fault::failed(advice.map_or_else(|| error.to_string(), |advice| format!("{error}; {advice}")))
    })?;
    let green = paint::style("bright_green");
    writeln!(out, "{green}verified{green:#}: {verified}")?;
    Ok(())
}

/// Advice if a match diverges although the rules have not changed.
fn advice(error: &ReplayError, replay: &Replay, file: &Path, global: &GlobalArgs) -> Option<String> {
    let step = match error {
        ReplayError::Differs { step, .. } | ReplayError::Refused { step, .. } => step.checked_sub(1),
        ReplayError::Outcome { .. } => Some(replay.answers.len()),
        _ => return None,
    };
    let cause = "another version of lode recorded the match, or the file was changed";
    Some(match step {
        Some(step) => {
            let (shown, more) = (hidden::path(file), global.as_flags());
            format!("{cause}: view the last position that matches with `lode replay {shown} --step {step}{more}`")
        }
        None => format!("{cause}: record a new match"),
    })
}

fn show_step(game: &Game, replay: &Replay, step: usize, out: &mut dyn Write) -> Result<(), Fault> {
    let last = replay.answers.len();
    if step > last {
        return Err(Fault::usage(format!("there is no step {step}; the match has {}", paint::plural(last, "answer"))));
    }
    let played = replay.play(game, Some(step)).map_err(|error| Fault::failed(error.to_string()))?;
    writeln!(out, "{}\nstep {step} of {last}", describe(game, &replay.setup))?;
    let faces = Faces::new(game);
    let (text, view) = (Text::new(&faces, paint::width()), View::of(&played, &faces, None));
    writeln!(out, "{}{}", text.heading(view.rounds, view.round, &view.phase.name), text.whole(&view))?;
    for decision in played.pending() {
        let name = paint::seat(game.declarations(), decision.seat);
        writeln!(out, "{name} is asked: {}", decision.text(played.game()))?;
    }
    write!(out, "{}", text.outcome(&played, &[], &Columns::new()))?;
    Ok(())
}

fn show_history(game: &Game, replay: &Replay, player: u32, out: &mut dyn Write) -> Result<(), Fault> {
    let players = u32::from(replay.setup.players);
    if player > players {
        return Err(Fault::usage(format!("there is no player {player}: use 1 to {players}")));
    }
    let mut played = replay.play(game, None).map_err(|error| Fault::failed(error.to_string()))?;
    played.record_history()?;
    for entry in played.history(player as u8 - 1).into_iter().flatten() {
        writeln!(out, "{}", serde_json::json!(entry))?;
    }
    Ok(())
}

fn show(game: &Game, replay: &Replay, out: &mut dyn Write) -> Result<(), Fault> {
    // Reject a match of another version of the game before printing anything.
    replay.play(game, Some(0)).map_err(|error| Fault::failed(error.to_string()))?;
    let mut played = Match::with_transcript(game, &replay.setup)?;
    writeln!(out, "{}", describe(game, &replay.setup))?;
    log(&mut played, 0, out)?;
    for (answer, step) in replay.answers.iter().zip(1..) {
        let answered = played.answer_as(answer.seat, usize::from(answer.index));
        answered.map_err(|error| Fault::failed(format!("step {step}: {error}")))?;
        log(&mut played, step, out)?;
    }
    if played.is_over() {
        let faces = Faces::new(game);
        write!(out, "\n{}", Text::new(&faces, paint::width()).outcome(&played, &[], &Columns::new()))?;
    } else {
        writeln!(out, "\nnot finished; continue with `lode play --resume`")?;
    }
    Ok(())
}

/// Prints the lines of one step, the first with its number. Simultaneous answers appear together after the last one.
fn log(played: &mut Match, step: usize, out: &mut dyn Write) -> Result<(), Fault> {
    let faint = paint::faint();
    let game = played.game().clone();
    for (line, number) in
        played.take_log().into_iter().zip(std::iter::once(step.to_string()).chain(std::iter::repeat(String::new())))
    {
        write!(out, "{faint}{number:>4}{faint:#}  {}", line.text())?;
        match line.seat() {
            Some(seat) => {
                writeln!(out, "{faint} (visible to {} only){faint:#}", paint::seat_name(game.declarations(), seat))?
            }
            None => writeln!(out)?,
        }
    }
    Ok(())
}
