//! Faults in random games, as diagnostics.

use std::sync::Arc;

use motherlode::{Diagnostic, Diagnostics, Game, MatchError, SourceFile};
use motherlode_content::source::line_span;
use motherlode_play::{BeginningFault, play_beginnings};

use crate::paint;
use crate::project::GlobalArgs;
use crate::setup::option_flags;

/// Plays random games of every setup. `None`: none fails.
pub fn check(game: &Game, global: &GlobalArgs) -> Option<Diagnostics> {
    let found = play_beginnings(game);
    let d = game.declarations();
    if found.faults.is_empty() {
        let message = "no random game asks a player a question";
        let help = "list choices with `choice` in the hook `offer` of a phase, or ask with `choose` in `turn`";
        let fault = Diagnostic::of_file("no-decision", d.game_file(), message).as_warning().with_help(help);
        return (!found.has_asked).then(|| Diagnostics { list: vec![fault], ..Diagnostics::default() });
    }
    let sources: Vec<SourceFile> =
        d.all_scripts().map(|script| SourceFile { path: script.path.clone(), text: script.source.clone() }).collect();
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
        return Diagnostic::of_file("fails-in-play", game.declarations().game_file(), error.to_string())
            .with_help(help);
    };
    let verb = fault.verb.as_ref().map(|verb| format!("{verb}; in ")).unwrap_or_default();
    let player = fault.player.map(|player| format!(", player {player}")).unwrap_or_default();
    let message = format!("{} (in {verb}`{}`{player})", fault.message, fault.hook);
    let found = Diagnostic::of_file("fails-in-play", &fault.file, message).with_help(help);
    match sources.iter().find(|source| source.path == fault.file) {
        Some(source) => {
            let ((start, end), column) = line_span(&source.text, fault.line);
            Diagnostic { line: fault.line, column, start, end, ..found }
        }
        None => Diagnostic { line: fault.line, ..found },
    }
}
