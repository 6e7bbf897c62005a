//! Decisions a second of every shipped game in each of its variants.

use motherlode::Game;
use motherlode::declare::OptionValue;

use crate::form::Form;
use crate::games::{playouts, setup, shipped, shipped_ids};
use crate::table::{Figures, grouped};

/// Options of a setup: name and value.
type Options = Vec<(String, String)>;

/// Lists variants: the plain game, each switch alone, and all switches together. Numeric options keep their defaults.
fn variants(game: &Game, players: u8) -> Vec<Options> {
    let mut switches = Options::new();
    for (name, option) in &game.declarations().options {
        let values: Vec<String> = match &option.default {
            OptionValue::Bool(default) => vec![(!default).to_string()],
            OptionValue::Name(default) => option.values.keys().filter(|v| *v != default).cloned().collect(),
            OptionValue::Integer(_) => Vec::new(),
        };
        // Some options depend on the number of players.
        let here = |value: &String| game.setup(Some(players), &[(name.clone(), value.clone())], 0).is_ok();
        switches.extend(values.into_iter().filter(here).map(|value| (name.clone(), value)));
    }
    let mut list = vec![Options::new()];
    list.extend(switches.iter().map(|switch| vec![switch.clone()]));
    let mut together = switches.clone();
    together.dedup_by(|a, b| a.0 == b.0);
    if together.len() > 1 {
        list.push(together);
    }
    list
}

pub fn print(form: &Form) {
    let mut table =
        Figures::new("Random playouts of the shipped games", &["game", "decisions a game", "games/s", "decisions/s"]);
    for id in shipped_ids() {
        let game = shipped(&id);
        let range = &game.declarations().players;
        for players in range.min..=range.max {
            for options in variants(&game, players) {
                let mut name = format!("{id}, {players} players");
                for (option, value) in &options {
                    name.push_str(&format!(", {option}={value}"));
                }
                let figure = playouts("", &game, &setup(&game, players, &options)).measure(form.budget());
                table.row([
                    name,
                    format!("{:.1}", figure.decisions),
                    grouped(figure.rate()),
                    grouped(figure.decisions_per_second()),
                ]);
            }
        }
    }
    table.print();
}
