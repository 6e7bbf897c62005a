//! The engine's features, each in a pack of a few lines.

use std::collections::BTreeSet;

use motherlode::{ChoiceItem, Game, Match, MatchError, Outcome, Pack, SourceFile};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

mod choices;
mod explained;
mod explicit;
mod families;
mod grids;
mod lib;
mod looking;
mod phases;
mod positions;
mod purchases;
mod questions;
mod refusals;
mod scores;
mod together;
mod transcript;
mod verbs;
mod wording;
mod zones;

/// A pack in pieces. Missing pieces are empty.
#[derive(Default, Clone, Copy)]
struct Pieces<'a> {
    game: &'a str,
    phases: &'a str,
    prompts: &'a str,
    texts: &'a str,
    verbs: &'a str,
    cards: &'a str,
    /// Files of scripts: `phases`, `verbs`, `cards`, `game`, `lib`.
    phases_luau: &'a str,
    verbs_luau: &'a str,
    cards_luau: &'a str,
    game_luau: &'a str,
    lib_luau: &'a str,
}

const HEAD: &str = r#"
name = "Pieces"
version = "1.0.0"
text = "A game for one test."
players = { min = 1, max = 4, default = 2 }
[[seats]]
name = "Ada"
[[seats]]
name = "Bob"
[[seats]]
name = "Cy"
[[seats]]
name = "Di"
[counters.gold]
text = "Gold"
per = "player"
start = 3
max = 100
[counters.log]
text = "Digits that tell what happened in what order"
per = "game"
max = 2000000000
[outcome]
score = "gold"
"#;

const PROMPTS: &str = r#"
[pick]
text = "{player}, pick."
auto = false
labels = { done = "Done", more = "More", pass = "Pass" }
[whom]
text = "Whom?"
choices = "player"
auto = false
[sure]
text = "Sure?"
labels = { yes = "Yes", no = "No" }
"#;

const CARDS: &str = r#"
[red]
name = "Red"
copies = 3
[blue]
name = "Blue"
copies = 2
"#;

/// A kind of cards and a deck of it.
const DECK: &str = r#"
[kinds.cards]
text = "Cards"
zone = "deck"
[zones.deck]
per = "game"
text = "Deck"
holds = "cards"
visible = "count"
"#;

impl Pieces<'_> {
    fn pack(&self) -> Pack {
        let game = if self.game.contains("name =") && self.game.contains("players =") {
            self.game.to_owned()
        } else {
            // Plain keys must precede the first table.
            let (keys, tables) = self.game.split_at(self.game.find('[').unwrap_or(self.game.len()));
            let (name, rest) = HEAD.split_once("[[seats]]").unwrap();
            let outcome = if tables.contains("[outcome]") { rest.split_once("[outcome]").unwrap().0 } else { rest };
            format!("{name}{keys}\n[[seats]]{outcome}\n{tables}")
        };
        let mut files = vec![("content/pieces/game.toml".to_owned(), game)];
        let prompts = format!("{PROMPTS}{}", self.prompts);
        let cards = if self.cards.is_empty() && self.game.contains("[kinds.cards]") { CARDS } else { self.cards };
        for (path, text) in [
            ("content/pieces/phases.toml", self.phases),
            ("content/pieces/prompts.toml", prompts.as_str()),
            ("content/pieces/texts.toml", self.texts),
            ("content/pieces/verbs.toml", self.verbs),
            ("content/pieces/cards.toml", cards),
            ("scripts/pieces/phases.luau", self.phases_luau),
            ("scripts/pieces/verbs.luau", self.verbs_luau),
            ("scripts/pieces/cards.luau", self.cards_luau),
            ("scripts/pieces/game.luau", self.game_luau),
            ("scripts/pieces/lib.luau", self.lib_luau),
        ] {
            if !text.is_empty() {
                files.push((path.to_owned(), text.to_owned()));
            }
        }
        Pack::from_files("pieces", files)
    }

    fn game(&self) -> Game {
        Game::load(&self.pack()).unwrap_or_else(|faults| panic!("{faults}"))
    }

    fn play(&self, players: u8) -> Match {
        self.play_with(players, &[])
    }

    fn play_with(&self, players: u8, options: &[(&str, &str)]) -> Match {
        let game = self.game();
        let options: Vec<(String, String)> = options.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
        Match::new(&game, &game.setup(Some(players), &options, 5).unwrap()).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// Index of a named counter or zone.
fn counter(m: &Match, name: &str) -> usize {
    m.game().declarations().counters.get_index_of(name).unwrap()
}

fn value(m: &Match, name: &str, holder: i32) -> i32 {
    m.counter(holder, counter(m, name)).unwrap()
}

fn ids(m: &Match, zone: &str, holder: i32) -> Vec<String> {
    let index = m.game().declarations().zones.get_index_of(zone).unwrap();
    let layout = m.game().layout();
    let id = |token: i32| m.game().declarations().definitions[layout.tokens[token as usize - 1].definition].id.clone();
    m.zone(index, holder).unwrap().into_iter().map(id).collect()
}

fn choices(m: &Match) -> Vec<String> {
    m.choices().iter().map(|&raw| m.describe(raw).id).collect()
}

fn seat(m: &Match) -> u8 {
    m.decision().expect("somebody is asked").seat
}

/// Answers with the choice of this id. It first proves that the match can be suspended at this decision: a restored
/// snapshot, a fork and a second snapshot of both give the same position.
fn answer(m: &mut Match, id: &str) {
    let index = choices(m).iter().position(|choice| choice == id);
    let index = index.unwrap_or_else(|| panic!("no choice {id} among {:?}", choices(m)));
    let before = (m.state().hash(), m.decision(), m.choices().to_vec(), m.round());
    let snapshot = m.snapshot();
    let mut fork = m.fork().unwrap();
    m.answer(index).unwrap();
    let after = (m.state().hash(), m.decision(), m.choices().to_vec(), m.round());
    m.restore(&snapshot).unwrap();
    assert_eq!((m.state().hash(), m.decision(), m.choices().to_vec(), m.round()), before, "put back");
    m.answer(index).unwrap();
    assert_eq!((m.state().hash(), m.decision(), m.choices().to_vec(), m.round()), after, "continued");
    assert_eq!((fork.state().hash(), fork.decision(), fork.choices().to_vec(), fork.round()), before, "forked");
    fork.answer(index).unwrap();
    assert_eq!((fork.state().hash(), fork.decision(), fork.choices().to_vec(), fork.round()), after, "fork continued");
    assert_eq!(fork.observe(None), m.observe(None));
}

fn outcome(m: &Match) -> Outcome {
    m.outcome().expect("the match is over")
}

fn error(pieces: &Pieces<'_>, players: u8) -> String {
    let game = pieces.game();
    match Match::new(&game, &game.setup(Some(players), &[], 5).unwrap()) {
        Ok(_) => panic!("this should fail"),
        Err(error) => error.to_string(),
    }
}

fn seen(m: &Match, seat: Option<u8>) -> Value {
    serde_json::to_value(m.observe(seat)).unwrap()
}

/// A match that runs one script and then asks, so that the test can read the position.
fn after_run(game: &str, run: &str) -> Match {
    let script =
        format!("return {{ p = {{ run = function()\n{run}\nchoose(1, \"pick\", {{ \"done\", \"more\" }})\nend }} }}");
    Pieces { game, phases: "[p]\nname = \"P\"\n", phases_luau: &script, ..Pieces::default() }.play(2)
}

/// One zone of each visibility.
const ZONES: &str = r#"
[kinds.cards]
text = "Cards"
[zones.public]
per = "game"
text = "Public"
holds = "cards"
[zones.owner]
text = "Owner"
per = "player"
holds = "cards"
visible = "owner"
[zones.secret]
text = "Secret"
per = "player"
holds = "cards"
visible = "secret"
[zones.count]
per = "game"
text = "Count"
holds = "cards"
visible = "count"
[zones.nobody]
per = "game"
text = "Nobody"
holds = "cards"
visible = "nobody"
[zones.face]
per = "game"
text = "Face"
holds = "cards"
visible = "face"
"#;

/// A script function that appends one digit to the game's counter `log`.
const NOTE: &str = "local function note(n) set(game, \"log\", get(game, \"log\") * 10 + n) end\n";

fn in_phases(phases: &str, script: &str) -> Match {
    in_phases_of(3, phases, script)
}

fn in_phases_of(players: u8, phases: &str, script: &str) -> Match {
    let script = format!("{NOTE}return {{ {script} }}");
    let first = "[counters.starter]\ntext = \"Starter\"\nper = \"game\"\nstart = 2\nmin = 1\nmax = 4\n";
    Pieces { game: first, phases, phases_luau: &script, ..Pieces::default() }.play(players)
}
