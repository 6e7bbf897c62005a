//! Random cards: lists of existing verbs with random arguments from the declarations. They come into play in every game
//! and never abort one.
//!
//! A mod adds several cards, so that their effects combine. The decks hold little else, so they are played often. Where
//! most values would be meaningless (amounts of counters, zones), the test takes values from the game's own content.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use motherlode::declare::{Attribute, AttributeType, Declarations, Holder, Value, Verb};
use motherlode::{Line, Match, Mod};
use motherlode_fixtures::mod_of;

use super::game_with;
use crate::shipped::Player;
use crate::twins::SplitMix64;

/// Random cards in a game.
const CARDS: usize = 200;
/// Random cards in each mod.
const IN_ONE_MOD: usize = 10;
/// Games to play with each card.
const GAMES: u64 = 50;

/// The kinds and decks for random cards of a game.
struct Place {
    game: &'static str,
    /// Kinds for the cards in rotation, each with its required keys.
    kinds: &'static [(&'static str, &'static str)],
    hooks: &'static [&'static str],
    /// The transcript words before and after the name of a used card.
    used: (&'static str, &'static str),
}

/// Draws verbs and arguments.
struct Cards<'d> {
    d: &'d Declarations,
    chance: SplitMix64,
}

impl<'d> Cards<'d> {
    fn below(&mut self, n: usize) -> usize {
        self.chance.below(n.max(1))
    }

    fn pick<'v, T: ?Sized>(&mut self, all: &[&'v T]) -> Option<&'v T> {
        (!all.is_empty()).then(|| all[self.below(all.len())])
    }

    /// A value of a type, in TOML; `None` if the content has none.
    fn value(&mut self, of: &AttributeType) -> Option<String> {
        Some(match of {
            AttributeType::Integer { min, max } => {
                let span = max.saturating_sub(*min).clamp(0, 99).unsigned_abs() as usize;
                (min + self.below(span + 1) as i32).to_string()
            }
            AttributeType::Boolean => (self.below(2) == 1).to_string(),
            AttributeType::Text(values) => {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                format!("{:?}", self.pick(&values).unwrap_or("any"))
            }
            AttributeType::Id(kind) => {
                let ids: Vec<&str> =
                    self.d.definitions.iter().filter(|one| one.kind == *kind).map(|one| one.id.as_str()).collect();
                format!("{:?}", self.pick(&ids)?)
            }
            AttributeType::List(of, length) => {
                let n = length.unwrap_or_else(|| self.below(3));
                let items: Option<Vec<String>> = (0..n).map(|_| self.value(of)).collect();
                format!("[{}]", items?.join(", "))
            }
            AttributeType::Amounts(_) => {
                let counters = amounts_in_use(self.d);
                let mut items: Vec<String> = Vec::new();
                for _ in 0..=self.below(2) {
                    let (counter, n) = (self.pick(&counters)?, self.below(3) + 1);
                    if !items.iter().any(|item| item.starts_with(&format!("{counter} "))) {
                        items.push(format!("{counter} = {n}"));
                    }
                }
                format!("{{ {} }}", items.join(", "))
            }
            // No verb of these games takes such a name, and a valid name cannot be told from an invalid one.
            AttributeType::CounterName | AttributeType::ZoneName => return None,
        })
    }

    /// A verb with arguments: the short form if it has one, and optional arguments sometimes.
    fn call(&mut self, name: &str, verb: &Verb) -> Option<String> {
        let mut args: Vec<(&String, String)> = Vec::new();
        for (name, arg) in &verb.args {
            if self.is_set(arg) {
                args.push((name, self.value(&arg.of)?));
            }
        }
        let only = verb.only_arg().map(|(name, _)| name);
        Some(match &args[..] {
            [] => format!("\"{name}\""),
            [(arg, value)] if Some(*arg) == only => format!("{{ {name} = {value} }}"),
            _ => {
                let args: Vec<String> = args.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                format!("{{ {name} = {{ {} }} }}", args.join(", "))
            }
        })
    }

    fn is_set(&mut self, arg: &Attribute) -> bool {
        arg.default.is_none() || self.below(2) == 1
    }

    /// One to four verbs, with costs and effects in any order.
    fn list(&mut self) -> String {
        let d = self.d;
        let mut calls = Vec::new();
        let wanted = 1 + self.below(4);
        while calls.len() < wanted {
            let at = self.below(d.verbs.len());
            let Some((name, verb)) = d.verbs.get_index(at) else { continue };
            calls.extend(self.call(name, verb));
        }
        format!("[{}]", calls.join(", "))
    }

    fn card(&mut self, number: usize, keys: &str, place: &Place) -> String {
        let mut card = format!("[random_{number}]\nname = \"Random {number}\"\n{keys}\n");
        for hook in place.hooks {
            let _ = writeln!(card, "{hook} = {}", self.list());
        }
        card
    }
}

/// Player counters that the content names in amounts.
fn amounts_in_use(d: &Declarations) -> Vec<&str> {
    let attributes = d.definitions.iter().flat_map(|one| &one.attributes);
    let args = d.definitions.iter().flat_map(|one| one.verbs.values().flatten()).flat_map(|call| call.args.values());
    let mut names: Vec<&str> = attributes
        .chain(args)
        .filter_map(|value| match value {
            Value::Map(map) => Some(map.keys().map(String::as_str)),
            _ => None,
        })
        .flatten()
        .filter(|name| d.counters.get(*name).is_some_and(|counter| counter.per == Holder::Player))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Plays a random game and marks the cards in its transcript.
fn play(m: &mut Match, seed: u64, place: &Place, used: &[AtomicUsize]) {
    m.set_logging(true);
    let mut player = Player::new(seed);
    while !m.is_over() {
        let index = player.choose(m.choices());
        m.answer(index).unwrap_or_else(|error| panic!("{error}"));
    }
    for line in m.take_log().iter().filter_map(Line::public) {
        let Some((_, rest)) = line.split_once(place.used.0) else { continue };
        let number = rest.split_once(place.used.1).and_then(|(name, _)| name.strip_prefix("Random ")?.parse().ok());
        if let Some(card) = number.and_then(|number: usize| used.get(number)) {
            card.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Makes all cards of a game, and plays with them on two threads.
fn play_with_random_cards(place: &Place, base: &[Mod], more: fn(&[usize]) -> Vec<(&'static str, String)>) {
    let own = game_with(place.game, base.to_vec());
    let mut cards = Cards { d: own.declarations(), chance: SplitMix64::new(12) };
    let batches: Vec<(usize, Mod)> = (0..CARDS)
        .step_by(IN_ONE_MOD)
        .map(|first| {
            let numbers: Vec<usize> = (first..CARDS.min(first + IN_ONE_MOD)).collect();
            let mut files = more(&numbers);
            for (at, (kind, keys)) in place.kinds.iter().enumerate() {
                let own = numbers.iter().filter(|number| *number % place.kinds.len() == at);
                let text: String = own.map(|number| cards.card(*number, keys, place)).collect();
                files.push((kind, text));
            }
            let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
            (first, mod_of("random", place.game, &files, &[]))
        })
        .collect();
    let used: Vec<AtomicUsize> = (0..CARDS).map(|_| AtomicUsize::new(0)).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((first, batch)) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mods = base.iter().chain([batch]).cloned().collect();
                    let game = game_with(place.game, mods);
                    let players = &game.declarations().players;
                    let setup = |seed: u64| {
                        let seats = players.min + (seed % u64::from(players.max - players.min + 1)) as u8;
                        game.setup(Some(seats), &[], seed + *first as u64 * GAMES).unwrap()
                    };
                    let mut m = Match::new(&game, &setup(0)).unwrap();
                    for seed in 0..GAMES {
                        m.restart(&setup(seed)).unwrap();
                        play(&mut m, seed, place, &used);
                    }
                }
            });
        }
    });
    // Some have costs that hardly anybody can pay.
    let never: Vec<usize> = (0..CARDS).filter(|number| used[*number].load(Ordering::Relaxed) == 0).collect();
    assert!(never.len() * 6 <= CARDS, "{}: {} cards were never used: {never:?}", place.game, never.len());
}

#[test]
fn random_machines_of_miners_lagoon_play() {
    let place = Place {
        game: "miners_lagoon",
        kinds: &[("equipment", "copies = 3\ncost = 1\nvp = 1")],
        hooks: &["operate"],
        used: ("set a miner to the ", "."),
    };
    play_with_random_cards(&place, &[], |_| Vec::new());
}

#[test]
fn random_cards_of_imperial_miners_play() {
    let place = Place {
        game: "imperial_miners",
        kinds: &[
            ("mine_level_1", "copies = 9\ncarts = [\"left\"]"),
            ("mine_level_2", "copies = 9\ncarts = [\"left\"]"),
            ("mine_level_3", "copies = 9\ncarts = [\"left\"]\ncost = 0"),
        ],
        hooks: &["first", "second"],
        used: (" activates ", "."),
    };
    play_with_random_cards(&place, &[], |_| Vec::new());
}

/// A mod that lets Krysis actions be lists of verbs.
fn krysis_with_verbs() -> Mod {
    let game = "[kinds.actions.hooks]\nuse = [\"player\"]\n";
    let verbs = "[dig]\ntext = \"Take up to {n:white crystal|white crystals} from the supply.\"\n\
                 args = { n = { type = \"integer\", min = 1, max = 9 } }\n\
                 [burn]\ntext = \"Give {n:white crystal|white crystals} of your campsite back.\"\ncost = true\n\
                 args = { n = { type = \"integer\", min = 1, max = 9 } }\n\
                 [study]\ntext = \"Score {n} VP{relics| for every relic in your campsite|}.\"\n\
                 args = { n = { type = \"integer\", min = 0, max = 9 }, relics = { type = \"boolean\", default = false } }\n";
    let verbs_luau = r#"return {
        dig = {
            can = function() return get(game, "supply.white") > 0 end,
            run = function(player, args)
                local n = math.min(args.n, get(game, "supply.white"))
                pay(game, "supply.white", n)
                gain(player, "camp.white", n)
                log("random_digs", player, n)
            end,
        },
        burn = {
            can = function(player, args) return has(player, "camp.white", args.n) end,
            run = function(player, args)
                pay(player, "camp.white", args.n)
                gain(game, "supply.white", args.n)
            end,
        },
        study = function(player, args)
            gain_up_to(player, "vp", args.n * (if args.relics then count("camp_relics", player) else 1))
        end,
    }"#;
    let phases = r#"
    local function is_random(action)
        return type(action) == "string" and string.find(action, "^random_") ~= nil
    end
    return {
        action = {
            offer = wrap(function(original, player)
                original(player)
                for _, action in defs("actions") do
                    if is_random(action) and can_run_def("actions", action, "use", player) then
                        choice(action)
                    end
                end
            end),
            act = wrap(function(original, player, chosen)
                if is_random(chosen) then
                    log("random_used", player, number_of("actions", chosen))
                    run_def("actions", chosen, "use", player)
                else
                    original(player, chosen)
                end
            end),
        },
    }"#;
    let texts = "random_used = \"{1:player} do this: {2:actions}!\"\nrandom_digs = \"{1:player} dig {2}.\"\n";
    let content = [("game", game), ("verbs", verbs), ("texts", texts)];
    mod_of("with_verbs", "krysis", &content, &[("verbs", verbs_luau), ("phases", phases)])
}

#[test]
fn random_actions_of_krysis_play() {
    let place = Place { game: "krysis", kinds: &[("actions", "")], hooks: &["use"], used: (" do this: ", "!") };
    play_with_random_cards(&place, &[krysis_with_verbs()], |numbers| {
        // A choice needs a label in its prompt.
        let labels: String = numbers.iter().map(|number| format!("random_{number} = \"Random {number}\"\n")).collect();
        vec![("prompts", format!("[action.labels]\n{labels}"))]
    });
}
