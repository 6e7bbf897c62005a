//! The first decisions of a few random games of every setup, then whole games: a quick test of the scripts of a game.

use motherlode::declare::{OptionDecl, OptionValue};
use motherlode::{Game, Match, MatchError, Setup};

use crate::bots::bot::Bot as _;
use crate::bots::random::Random;
use crate::bots::reuse::restart;
use crate::seeds::mix;

/// Games of each setup, with the seeds 1, 2 ...
const GAMES: u32 = 3;
/// Answers of one game.
const DECISIONS: u32 = 50;
/// Setups of one game; a game with thousands of option values would take too long.
const MAX_SETUPS: usize = 120;
/// Values that are tried of an option with a range.
const MAX_NUMBERS: i64 = 5;
/// Script steps of the games that are played to the end, one of each setup, shared evenly.
const WHOLE_STEPS: i64 = 2_000_000;
/// Script steps of the further games, and their number. They begin only if no game has failed. If one game in fifty
/// fails, this many find it in 98 % of the cases.
const MORE_STEPS: i64 = 12_000_000;
const MORE_GAMES: usize = 200;
/// Script steps of all beginnings, shared evenly. Hostile scripts take at most a few times as many: one decision has its own
/// budget.
const STEPS: i64 = 16_000_000;
/// Failed games after which no other begins.
const MAX_FAILED: u32 = 20;

/// The steps that one of several games may take.
#[derive(Debug, Clone, Copy)]
enum Share {
    /// An even share of what is left: every game is played.
    Even,
    /// All that is left: games come to their end, as many as fit.
    Rest,
}

/// A fault in the beginnings of a game.
#[derive(Debug, Clone)]
pub struct BeginningFault {
    /// The error of the first game that failed here.
    pub error: MatchError,
    /// Setup and seed of this game. Random bots reproduce it.
    pub setup: Setup,
    /// Number of games that failed here.
    pub games: u32,
}

/// Results of [`play_beginnings`].
#[derive(Debug, Clone, Default)]
pub struct Beginnings {
    /// Number of games that began.
    pub games: u32,
    /// Number of games that came to their end.
    pub ended: u32,
    /// One fault for each line of a script that fails, in the order of discovery.
    pub faults: Vec<BeginningFault>,
    /// Whether some game has asked a player.
    pub has_asked: bool,
    /// Script steps of all games, without failed ones.
    pub steps: i64,
}

/// Plays the first decisions of a few games of every setup with random bots, then one game of each setup to its end,
/// as far as its share of the steps allows, and then more of them, in which rare faults show.
///
/// Every number of players occurs, and every value of every option (of a large range: some). Counts bound the work, so
/// the result depends on the game alone.
#[must_use]
pub fn play_beginnings(game: &Game) -> Beginnings {
    let setups = setups(game);
    let of_seed = |seed: u32| setups.iter().map(move |setup| Setup { seed: u64::from(seed), ..setup.clone() });
    let mut found = Beginnings::default();
    found.play(game, (1..=GAMES).flat_map(of_seed).collect(), DECISIONS, (STEPS, Share::Even));
    // A game that fails at its beginning needs no end.
    if found.faults.is_empty() {
        found.play(game, of_seed(GAMES + 1).collect(), u32::MAX, (WHOLE_STEPS, Share::Even));
    }
    // Rare faults: more whole games, in turn of all setups.
    if found.faults.is_empty() {
        // Games of one seed draw the same, so each has its own.
        let more = setups.iter().cycle().zip(u64::from(GAMES) + 2..).take(MORE_GAMES);
        let more = more.map(|(setup, seed)| Setup { seed, ..setup.clone() });
        found.play(game, more.collect(), u32::MAX, (MORE_STEPS, Share::Rest));
    }
    found
}

/// Answers up to so many decisions as the bot `random` does in a game with this seed.
fn play_beginning(m: &mut Match, decisions: u32, steps: i64) -> Result<(), MatchError> {
    let seed = m.setup().seed;
    let mut bots: Vec<Random> =
        (0..m.setup().players).map(|seat| Random::new(mix(seed, u64::from(seat) + 1))).collect();
    for _ in 0..decisions {
        let Some(decision) = m.decision().filter(|_| m.steps() <= steps) else { break };
        let choice = bots[usize::from(decision.seat)].choose(m, decision)?;
        m.answer(choice)?;
    }
    Ok(())
}

impl Beginnings {
    /// Plays a game of each setup up to so many decisions; all games together take about so many steps.
    fn play(&mut self, game: &Game, setups: Vec<Setup>, decisions: u32, (steps, share): (i64, Share)) {
        let end = self.steps + steps;
        let mut rest = i64::try_from(setups.len()).unwrap_or(i64::MAX);
        let mut earlier = None;
        for setup in setups {
            let failed: u32 = self.faults.iter().map(|fault| fault.games).sum();
            if self.steps > end || failed >= MAX_FAILED {
                return;
            }
            let share = match share {
                Share::Even => (end - self.steps) / rest,
                Share::Rest => end - self.steps,
            };
            rest -= 1;
            self.games += 1;
            match restart(&mut earlier, game, &setup) {
                Ok(m) => {
                    self.has_asked |= m.decision().is_some() || !m.automatic().is_empty();
                    match play_beginning(m, decisions, share) {
                        Ok(()) => self.ended += u32::from(m.decision().is_none()),
                        // The limits of a whole match are no fault of its beginning.
                        Err(MatchError::Steps(_) | MatchError::Halted) => {}
                        Err(error) => self.add(error, setup),
                    }
                    self.steps += m.steps();
                }
                Err(MatchError::Halted) => return,
                Err(error) => self.add(error, setup),
            }
        }
    }

    fn add(&mut self, error: MatchError, setup: Setup) {
        match self.faults.iter_mut().find(|fault| is_same(&fault.error, &error)) {
            Some(fault) => fault.games += 1,
            None => self.faults.push(BeginningFault { error, setup, games: 1 }),
        }
    }
}

/// Whether two errors are the same fault: the same line fails, if they have one. Their messages may name different
/// players and numbers.
fn is_same(one: &MatchError, other: &MatchError) -> bool {
    match (one, other) {
        (MatchError::Script(one), MatchError::Script(other)) => (&one.file, one.line) == (&other.file, other.line),
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

/// The setups to try: each number of players with the default options, then each other value of each option alone.
fn setups(game: &Game) -> Vec<Setup> {
    let d = game.declarations();
    let of_players = (d.players.min..=d.players.max).filter_map(|players| game.setup(Some(players), &[], 0).ok());
    let of_options = d.options.iter().flat_map(|(name, option)| {
        let is_allowed = option.players.is_empty() || option.players.contains(&d.players.default);
        let players = if is_allowed { d.players.default } else { option.players[0] };
        let setup = game.setup(Some(players), &[], 0).ok();
        let others = values(option).into_iter().filter(|value| *value != option.default);
        others.filter_map(move |value| {
            let mut setup = setup.clone()?;
            setup.options.insert(name.clone(), value);
            Some(setup)
        })
    });
    of_players.chain(of_options).take(MAX_SETUPS).collect()
}

/// The values of an option; of a large range, values from the smallest to the largest.
fn values(option: &OptionDecl) -> Vec<OptionValue> {
    match (&option.default, option.range) {
        (OptionValue::Bool(_), _) => vec![OptionValue::Bool(false), OptionValue::Bool(true)],
        (OptionValue::Name(_), _) => option.values.keys().cloned().map(OptionValue::Name).collect(),
        (OptionValue::Integer(_), None) => Vec::new(),
        (OptionValue::Integer(_), Some((min, max))) => {
            let (min, wide) = (i64::from(min), i64::from(max) - i64::from(min));
            let numbers = if wide < MAX_NUMBERS { wide + 1 } else { MAX_NUMBERS };
            let number = |nth: i64| min + if numbers > 1 { wide * nth / (numbers - 1) } else { 0 };
            (0..numbers).filter_map(|nth| i32::try_from(number(nth)).ok()).map(OptionValue::Integer).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use motherlode_fixtures::pack;

    use super::*;

    /// A game with four options and this hook `act`.
    fn demo(act: &str) -> Game {
        let game = "name = \"Demo\"\nversion = \"1.0.0\"\nplayers = { min = 1, max = 2 }\nrounds = 1\n\
            seats = [{ name = \"Ann\" }, { name = \"Bob\" }]\n\
            counters.won = { per = \"player\" }\noutcome = { score = \"won\" }\n\
            options.calm = { text = \"Calm\", default = true }\n\
            options.duel = { text = \"Duel\", default = false, players = [2] }\n\
            options.size = { text = \"Size\", default = 3, min = 1, max = 9 }\n\
            options.map = { text = \"Map\", default = \"sea\", values = { sea = \"Sea\", land = \"Land\" } }\n";
        let phases = "[play]\nturns = \"once\"\nprompt = \"pick\"\n";
        let prompts = "[pick]\ntext = \"Pick.\"\nlabels = { done = \"Done\", more = \"More\" }\n";
        let offer = "offer = function() choice('done') choice('more') end";
        let script = format!("return {{ play = {{ {offer}, act = function(player) {act} end }} }}");
        let content = [("game", game), ("phases", phases), ("prompts", prompts)];
        let pack = pack("demo", &content, &[("phases", script.as_str())]);
        Game::load(&pack).unwrap_or_else(|faults| panic!("{faults}"))
    }

    #[test]
    fn every_number_of_players_and_every_option_value_is_tried() {
        let game = demo("");
        let shown = |setup: &Setup| {
            let options: Vec<String> = setup.options.values().map(ToString::to_string).collect();
            format!("{} {}", setup.players, options.join(" "))
        };
        let shown: Vec<String> = setups(&game).iter().map(shown).collect();
        let expected = [
            "1 true false 3 sea",
            "2 true false 3 sea",
            "1 false false 3 sea",
            "2 true true 3 sea",
            "1 true false 1 sea",
            "1 true false 5 sea",
            "1 true false 7 sea",
            "1 true false 9 sea",
            "1 true false 3 land",
        ];
        assert_eq!(shown, expected);
        let found = play_beginnings(&game);
        assert!(found.games == 36 + MORE_GAMES as u32 && found.has_asked && found.faults.is_empty(), "{found:?}");
        assert_eq!(found.ended, found.games, "the games are short");
    }

    #[test]
    fn a_fault_is_found_once_with_the_setup_of_its_first_game() {
        let found = play_beginnings(&demo("if option('duel') then error('player ' .. player .. ' fell') end"));
        let [fault] = &found.faults[..] else { panic!("{:?}", found.faults) };
        assert!(fault.error.to_string().contains("player 1 fell"), "{}", fault.error);
        assert_eq!((fault.setup.players, fault.setup.seed, fault.games), (2, 1, 3));
        assert_eq!(fault.setup.options["duel"], OptionValue::Bool(true));
    }

    #[test]
    fn a_fault_at_the_end_of_a_long_game_is_found() {
        let act = "for i = 1, 80 do choice('done') choice('more') ask(player, 'pick') end error('late')";
        let found = play_beginnings(&demo(act));
        let [fault] = &found.faults[..] else { panic!("{:?}", found.faults) };
        assert!(fault.error.to_string().contains("late") && fault.setup.seed == u64::from(GAMES) + 1, "{fault:?}");
    }

    #[test]
    fn a_rare_fault_is_found() {
        let found = play_beginnings(&demo("if random(60) == 60 then error('rare') end"));
        let [fault] = &found.faults[..] else { panic!("{:?}", found.faults) };
        assert!(fault.error.to_string().contains("rare"), "{found:?}");
    }

    #[test]
    fn a_game_that_fails_in_all_setups_ends_early() {
        let found = play_beginnings(&demo("while true do end"));
        assert_eq!((found.faults.len(), found.games), (1, MAX_FAILED), "{found:?}");
    }
}
