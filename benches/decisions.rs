//! The time of a bot's decisions: mean, median, 99th percentile and maximum.
//!
//! `cargo bench --bench decisions -- [GAME ...]` prints milliseconds of processor time for `learned` in all seats.
//! `--bot=search:32+learned` takes another bot, `--games=N` another number of games, after as many that warm up.

use std::env;
use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;
use motherlode::{Decision, Game, Match, MatchError, Pack};
use motherlode_play::{Bot, Table, bot};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let args: Vec<String> = env::args().skip(1).collect();
    let value_of = |option: &str| args.iter().find_map(|arg| arg.strip_prefix(option));
    let spec = value_of("--bot=").unwrap_or("learned");
    let games = value_of("--games=").map_or(20, |games| games.parse().expect("a number of games is a number"));
    let shipped = sure(motherlode::find_packs(root));
    let mut named: Vec<&String> = args.iter().filter(|arg| !arg.starts_with('-')).collect();
    if named.is_empty() {
        named = shipped.iter().collect();
    }
    println!("{:16} {:>9} {:>9} {:>9} {:>9} {:>9}", spec, "decisions", "mean ms", "median", "p99", "max");
    for id in named {
        let folder = if shipped.contains(id) { root.to_owned() } else { root.join("benches/packs") };
        let game = sure(Pack::open(&folder, id).and_then(|pack| Game::load(&pack)));
        let mut times = times(&game, spec, games);
        times.sort_unstable();
        let milliseconds: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
        let of = |place: usize| milliseconds.get(place).copied().unwrap_or_default();
        let mean = milliseconds.iter().sum::<f64>() / milliseconds.len().max(1) as f64;
        let (median, p99) = (of(times.len() / 2), of(times.len() * 99 / 100));
        let most = of(times.len().saturating_sub(1));
        println!("{id:16} {:>9} {mean:>9.3} {median:>9.3} {p99:>9.3} {most:>9.3}", times.len());
    }
}

/// The time of each decision in some games, after as many games that warm up.
fn times(game: &Game, spec: &str, games: u64) -> Vec<Duration> {
    let setup = sure(game.setup(None, &[], 1));
    let mut table = Table::new(game, &setup);
    let timed = |_| Timed { bot: sure(bot(spec, game, 0)), times: Vec::new() };
    let mut bots: Vec<Timed> = (0..setup.players).map(timed).collect();
    for seed in 0..2 * games {
        if seed == games {
            bots.iter_mut().for_each(|bot| bot.times.clear());
        }
        let row = table.play(seed, seed, &mut bots, &mut ());
        assert_eq!(row.aborted, None, "a game was aborted");
    }
    bots.into_iter().flat_map(|bot| bot.times).collect()
}

/// A bot with the time of each of its decisions.
struct Timed {
    bot: Box<dyn Bot>,
    times: Vec<Duration>,
}

impl Bot for Timed {
    fn name(&self) -> &str {
        self.bot.name()
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        // The clock of the other benches advances in steps of milliseconds.
        let begin = ThreadTime::now();
        let chosen = self.bot.choose(m, d);
        self.times.push(begin.elapsed());
        chosen
    }

    fn reseed(&mut self, seed: u64) {
        self.bot.reseed(seed);
    }
}

fn sure<T, E: Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}
