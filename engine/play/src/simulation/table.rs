//! Plays games with bots, one after the other, each as a row.

use motherlode::{Decision, Game, Match, Setup};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::{Bot, random_index};
use crate::bots::playout::DECISION_LIMIT;
use crate::bots::reuse::restart;
use crate::seeds::mix;
use crate::simulation::rows::GameRow;

/// Observes a game without changing it.
pub trait Watch {
    /// A bot has chosen; the match has not received the answer yet.
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        let _ = (m, decision, choice);
    }

    /// The match has accepted the answer.
    fn accepted(&mut self, m: &Match) {
        let _ = m;
    }

    /// The game has ended without a failure.
    fn ended(&mut self, m: &Match) {
        let _ = m;
    }
}

/// The observer that does nothing.
impl Watch for () {}

/// Plays games of one setup, one after the other. Each thread has its own.
#[derive(Debug)]
pub struct Table {
    game: Game,
    setup: Setup,
    /// The match of the previous game.
    earlier: Option<Match>,
    opening: u32,
    is_cut: bool,
}

/// Derives the seed of random openings from the seed of a game. Small numbers, from 1, seed the bots.
const OPENING: u64 = 0x6f70_656e_696e_6721;

impl Table {
    /// A table for games of this setup, whose seed is unused.
    #[must_use]
    pub fn new(game: &Game, setup: &Setup) -> Self {
        Self { game: game.clone(), setup: setup.clone(), earlier: None, opening: 0, is_cut: false }
    }

    /// The same table; in its games, this many first answers are random. They depend only on the seed of the game.
    #[must_use]
    pub fn with_opening(mut self, answers: u32) -> Self {
        self.opening = answers;
        self
    }

    /// The setup of the last game.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Plays the game with this seed. Bot `i` plays seat `i` and is seeded with [`mix`]`(seed, i + 1)`, so a game
    /// depends only on its seed and its bots, not on earlier games.
    pub fn play<B: Bot>(&mut self, index: u64, seed: u64, bots: &mut [B], watch: &mut dyn Watch) -> GameRow {
        self.setup.seed = seed;
        for (bot, number) in bots.iter_mut().zip(1..) {
            bot.reseed(mix(seed, number));
        }
        let mut row = GameRow {
            index,
            seed,
            players: self.setup.players,
            rounds: 0,
            decisions: 0,
            aborted: None,
            scores: Vec::new(),
            unit: 0,
            ranks: Vec::new(),
            teams: Vec::new(),
            won: None,
            reason: String::new(),
            answers: Vec::new(),
        };
        let opening = self.opening;
        match restart(&mut self.earlier, &self.game, &self.setup) {
            Err(error) => row.aborted = Some(error.to_string()),
            Ok(m) => {
                let opened = open(m, opening, watch, &mut row.decisions);
                row.aborted = opened.and_then(|()| play_out(m, bots, watch, &mut row.decisions)).err();
                row.rounds = m.round();
                match (&row.aborted, m.outcome()) {
                    (None, Some(outcome)) => {
                        row.rounds = outcome.rounds;
                        row.scores = outcome.scores;
                        row.unit = outcome.unit;
                        row.ranks = outcome.ranks;
                        row.teams = outcome.teams;
                        row.won = outcome.won;
                        row.reason = outcome.reason;
                        watch.ended(m);
                    }
                    (None, None) => row.aborted = Some("the match is over but has no outcome".to_owned()),
                    (Some(_), _) => {}
                }
                if row.aborted.is_some() {
                    row.answers = m.answers().to_vec();
                }
            }
        }
        self.is_cut = row.aborted.is_some() && self.game.is_halted();
        row
    }

    /// Whether the last game was halted before its end; its row must then be ignored.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The last match, in its final position.
    #[must_use]
    pub fn last(&self) -> Option<&Match> {
        self.earlier.as_ref()
    }
}

/// Plays random answers of an opening.
fn open(m: &mut Match, answers: u32, watch: &mut dyn Watch, decisions: &mut u32) -> Result<(), String> {
    let mut generator = Pcg64Mcg::seed_from_u64(mix(m.setup().seed, OPENING));
    for _ in 0..answers {
        let Some(decision) = m.decision() else { break };
        let choice = random_index(m.choices().len(), &mut generator);
        watch.chosen(m, decision, choice);
        m.answer(choice).map_err(|error| error.to_string())?;
        watch.accepted(m);
        *decisions += 1;
    }
    Ok(())
}

/// Plays a match to its end with one bot per seat; `decisions` counts the answers.
///
/// # Errors
/// The reason why the match did not end.
pub fn play_out<B: Bot>(
    m: &mut Match,
    bots: &mut [B],
    watch: &mut dyn Watch,
    decisions: &mut u32,
) -> Result<(), String> {
    while let Some(decision) = m.decision() {
        if *decisions == DECISION_LIMIT {
            return Err(format!("more than {DECISION_LIMIT} decisions"));
        }
        let bot =
            bots.get_mut(usize::from(decision.seat)).ok_or_else(|| format!("seat {} has no bot", decision.seat))?;
        let choice = bot.choose(m, decision).map_err(|error| error.to_string())?;
        watch.chosen(m, decision, choice);
        m.answer(choice).map_err(|error| error.to_string())?;
        watch.accepted(m);
        *decisions += 1;
    }
    Ok(())
}
