//! Faults in random games, as diagnostics.

use std::sync::Arc;

use motherlode::declare::Location;
use motherlode::{Diagnostic, Diagnostics, Game, MatchError, Mod, Pack, SourceFile};
use motherlode_content::source::{line_span, word_span};
use motherlode_play::{BeginningFault, play_beginnings};

use crate::paint;
use crate::project::GlobalArgs;
use crate::setup::option_flags;

/// Plays random games of every setup. `None`: none fails.
pub fn check(game: &Game, pack: &Pack, global: &GlobalArgs) -> Option<Diagnostics> {
    let found = play_beginnings(game);
    let d = game.declarations();
    if found.faults.is_empty() {
        let message = "no random game asks a player a question";
        let help = "list choices with `choice` in the hook `offer` of a phase, or ask with `choose` in `turn`";
        let fault = Diagnostic::of_file("no-decision", d.game_file(), message).as_warning().with_help(help);
        return (!found.has_asked).then(|| Diagnostics { list: vec![fault], ..Diagnostics::default() });
    }
    let scripts = d.all_scripts().map(|script| SourceFile { path: script.path.clone(), text: script.source.clone() });
    let content = pack.files.iter().chain(pack.mods().iter().flat_map(Mod::files)).cloned();
    let sources: Vec<SourceFile> = scripts.chain(content.filter(|file| file.path.ends_with(".toml"))).collect();
    let list = found.faults.iter().map(|fault| diagnostic(game, fault, &sources, &global.as_flags())).collect();
    Some(Diagnostics { list, sources: Arc::new(sources) })
}

fn diagnostic(game: &Game, fault: &BeginningFault, sources: &[SourceFile], flags: &str) -> Diagnostic {
    let BeginningFault { error, setup, games } = fault;
    let id = &game.declarations().id;
    let (players, options) = (setup.players, option_flags(setup));
    let games = paint::plural(*games, "random game");
    let fails = if fault.games == 1 { "fails" } else { "fail" };
    let help = format!(
        "{games} {fails} here; reproduce with `lode play {id}{flags} --players {players}{options} --seats random --seed {}`",
        setup.seed
    );
    let MatchError::Script(fault) = error else {
        let found = Diagnostic::of_file("fails-in-play", "", error.to_string()).with_help(help);
        return at(found, place_of(game, error, sources), sources);
    };
    let player = fault.player.map(|player| format!(", player {player}")).unwrap_or_default();
    let message = format!("{} ({}`{}`{player})", fault.message, fault.way(), fault.hook);
    let found = Diagnostic::of_file("fails-in-play", &fault.file, message).with_help(help);
    match sources.iter().find(|source| source.path == fault.file) {
        Some(source) => {
            let ((start, end), column) = line_span(&source.text, fault.line);
            Diagnostic { line: fault.line, column, start, end, ..found }
        }
        None => Diagnostic { line: fault.line, ..found },
    }
}

/// The declaration to blame for an error that is in no script.
fn place_of(game: &Game, error: &MatchError, sources: &[SourceFile]) -> Location {
    let d = game.declarations();
    let key = match error {
        MatchError::Endless { phase: Some(phase), .. } => match d.phases.get_index(*phase) {
            Some((_, phase)) => return phase.place.clone(),
            None => "phases",
        },
        MatchError::Endless { .. } => "rounds",
        MatchError::Scores(_) => "outcome",
        _ => "name",
    };
    let file = d.game_file();
    let text = sources.iter().find(|source| source.path == file).map_or("", |source| source.text.as_str());
    let begins = |line: &str, key: &str| {
        let rest = line.trim_start_matches('[').strip_prefix(key)?;
        rest.starts_with([']', '.', ' ', '=']).then(|| line.len() - line.trim_start_matches('[').len())
    };
    let line_of =
        |key: &str| text.lines().zip(1..).find_map(|(line, number)| Some((number, begins(line, key)? as u32 + 1)));
    let (line, column) = line_of(key).or_else(|| line_of("name")).unwrap_or((1, 1));
    Location { file, line, column }
}

/// A fault at a declaration.
fn at(found: Diagnostic, place: Location, sources: &[SourceFile]) -> Diagnostic {
    let Location { file, line, column } = place;
    let source = sources.iter().find(|source| source.path == file);
    let (start, end) = source.map_or((0, 0), |source| word_span(&source.text, line, column));
    Diagnostic { file, line, column, start, end, ..found }
}
