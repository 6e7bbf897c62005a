//! The bot `policy:FILE.onnx`: a network from another program chooses.

use std::path::Path;

use motherlode::tools::hidden;
use motherlode::{ActionList, Actions, Decision, Game, Match, MatchError};

use super::bot::Bot;
use super::form::BotForm;
use crate::bots::bot::all_choices;
use crate::names_hash::names_hash;
use crate::observation::ObservationSpace;
use crate::onnx::Network;

/// The first word of its spec.
pub const WORD: &str = "policy";

/// The form of its spec.
pub fn form() -> BotForm {
    BotForm::new("policy:FILE.onnx", "takes the action that a network rates highest; see Python", "")
}

/// Hash of the names of all actions and of all numbers of an observation: what the numbers of a network mean.
pub fn names_of(actions: &Actions, observations: &ObservationSpace) -> String {
    let parts = observations.parts().iter();
    let observed = parts.flat_map(|part| [&part.name].into_iter().chain(&part.columns).map(String::as_str));
    names_hash((0..actions.len()).filter_map(|action| actions.name(action)).chain(observed))
}

/// Chooses the action with the highest number of a network.
pub struct NetworkBot {
    name: String,
    network: Network,
    actions: Actions,
    observations: ObservationSpace,
    seen: Vec<f32>,
    rated: Vec<f32>,
    list: ActionList,
}

impl NetworkBot {
    /// Reads the network of a file for a game; the error is a message.
    pub fn open(name: &str, path: &Path, game: &Game) -> Result<Self, String> {
        let (actions, observations) = (Actions::new(game)?, ObservationSpace::new(game));
        let network = Network::open(path, observations.len(), actions.len())?;
        network
            .purpose()
            .check_game(&game.declarations().id, &names_of(&actions, &observations))
            .map_err(|why| format!("`{}`: {why}", hidden::path(path)))?;
        let seen = vec![0.0; observations.len()];
        Ok(Self {
            name: name.to_owned(),
            network,
            actions,
            observations,
            seen,
            rated: Vec::new(),
            list: ActionList::default(),
        })
    }
}

impl Bot for NetworkBot {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        self.choose_among(m, d, &all_choices(m))
    }

    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        self.network.purpose().check(m.setup()).map_err(MatchError::Position)?;
        self.observations.write(m, d.seat, &mut self.seen);
        self.network.run(&self.seen, &mut self.rated).map_err(MatchError::Position)?;
        self.actions.list(m, &mut self.list);
        let rating = |&choice: &usize| {
            let action = self.list.actions.get(choice).copied().flatten();
            action.and_then(|action| self.rated.get(action as usize)).copied()
        };
        if among.iter().filter_map(rating).any(f32::is_nan) {
            let message = "the network rates a legal action as NaN: its training may have diverged";
            return Err(MatchError::Position(message.to_owned()));
        }
        // The first of equals.
        let mut best = (among.first().copied().unwrap_or(0), f32::NEG_INFINITY);
        for choice in among {
            if let Some(rated) = rating(choice).filter(|&rated| rated > best.1) {
                best = (*choice, rated);
            }
        }
        Ok(best.0)
    }

    fn reseed(&mut self, _: u64) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onnx::tests::{constant, model_of, node};
    use motherlode::Match;
    use prost::Message as _;
    use tract_onnx::pb::StringStringEntryProto;

    #[test]
    fn the_highest_legal_action_is_taken() {
        let game = crate::samples::noughts();
        let (actions, observations) = (Actions::new(&game).unwrap(), ObservationSpace::new(&game));
        let (wide, count) = (observations.len(), actions.len());
        // Ratings that ignore the observation: the later the action, the higher.
        let ratings: Vec<f32> = (0..count).map(|action| action as f32).collect();
        let weights = constant("w", &[wide as i64, count as i64], &vec![0.0; wide * count]);
        let bias = constant("b", &[count as i64], &ratings);
        let network = model_of(wide as i64, vec![node("Gemm", &["x", "w", "b"], "y")], vec![weights, bias]);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), network.encode_to_vec()).unwrap();
        let mut bot = NetworkBot::open("policy", file.path(), &game).unwrap();
        let mut m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
        while let Some(decision) = m.decision() {
            let legal = actions.of(&m, decision.seat).unwrap();
            let index = bot.choose(&m, decision).unwrap();
            assert_eq!(legal[index], legal.iter().copied().max().unwrap());
            let among: Vec<usize> = (0..legal.len() - usize::from(legal.len() > 1)).collect();
            assert!(among.contains(&bot.choose_among(&m, decision, &among).unwrap()));
            m.answer(index).unwrap();
        }
    }

    #[test]
    fn a_network_plays_only_for_its_purpose() {
        let game = crate::samples::noughts();
        let (wide, count) = (ObservationSpace::new(&game).len(), Actions::new(&game).unwrap().len());
        let weights = constant("w", &[wide as i64, count as i64], &vec![0.0; wide * count]);
        let file = tempfile::NamedTempFile::new().unwrap();
        let open = |purpose: &str| {
            let mut network = model_of(wide as i64, vec![node("MatMul", &["x", "w"], "y")], vec![weights.clone()]);
            let entry = StringStringEntryProto { key: "motherlode".to_owned(), value: purpose.to_owned() };
            network.metadata_props.push(entry);
            std::fs::write(file.path(), network.encode_to_vec()).unwrap();
            NetworkBot::open("policy", file.path(), &game)
        };
        let refusal = |purpose: &str| open(purpose).err().unwrap();
        let id = &game.declarations().id;
        let told = refusal(r#"{"game": "chess"}"#);
        assert!(told.ends_with(&format!("the network was trained for `chess`, not for `{id}`")), "{told}");
        let told = refusal(r#"{"names": "0123"}"#);
        assert!(
            told.ends_with("the network was trained with other content or mods of `noughts`: train it anew"),
            "{told}"
        );
        let names = names_of(&Actions::new(&game).unwrap(), &ObservationSpace::new(&game));
        assert!(open(&format!(r#"{{"names": "{names}"}}"#)).is_ok());
        assert!(refusal("{").contains("the metadata `motherlode` of the file are damaged"));
        let m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
        let play = |purpose: &str| open(purpose).unwrap().choose(&m, m.decision().unwrap()).map_err(|e| e.to_string());
        let fitting = format!(r#"{{"game": "{id}", "players": [2, 3], "options": {{"other": true}}}}"#);
        assert!(play(&fitting).is_ok() && play("{}").is_ok());
        assert_eq!(play(r#"{"players": [3]}"#).unwrap_err(), "the network was trained for 3 players, not for 2");
    }

    #[test]
    fn ratings_that_are_no_numbers_end_the_match() {
        let game = crate::samples::noughts();
        let (wide, count) = (ObservationSpace::new(&game).len(), Actions::new(&game).unwrap().len());
        let weights = constant("w", &[wide as i64, count as i64], &vec![f32::NAN; wide * count]);
        let network = model_of(wide as i64, vec![node("MatMul", &["x", "w"], "y")], vec![weights]);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), network.encode_to_vec()).unwrap();
        let mut bot = NetworkBot::open("policy", file.path(), &game).unwrap();
        let m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
        let error = bot.choose(&m, m.decision().unwrap()).unwrap_err();
        assert!(error.to_string().contains("rates a legal action as NaN"), "{error}");
    }
}
