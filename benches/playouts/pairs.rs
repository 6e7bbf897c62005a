//! Random playouts of the engine and of its twin: the same game written by hand in Rust.

use std::time::Duration;

use criterion::Criterion;

use crate::form::Form;
use crate::games::{CHANCE, load, own_root, playouts, root, setup, shipped};
use crate::subject::{Subject, side_by_side, sure};
use crate::table::{Figures, grouped, verdict};
use crate::twins::{Atacama, ConnectFour, Krysis, Maps, Photon, SplitMix64, Twin, atacama, krysis, photon};

/// One game, played by the engine and by its twin.
pub struct Pair {
    pub name: String,
    engine: Subject,
    twin: Subject,
    /// Maximum time of the engine, as a multiple of the twin's.
    target: f64,
}

/// Number of games that both sides play before the measurement, to compare their decisions.
const COMPARED: u64 = 50;

impl Pair {
    /// Checks first that both sides play the same games: otherwise the twin is no baseline.
    fn new(name: String, target: f64, sides: impl Fn() -> (Subject, Subject)) -> Self {
        let (mut engine, mut twin) = sides();
        assert_eq!(engine.run(COMPARED), twin.run(COMPARED), "{name}: engine and twin play different games");
        let (engine, twin) = sides();
        Self { name, engine, twin, target }
    }

    pub fn connect_four() -> Self {
        let game = load(&own_root(), "connect_four");
        Self::new("connect four".to_owned(), 5.0, || {
            let twin = twin_playouts(ConnectFour::new(0));
            (playouts("engine", &game, &setup(&game, 2, &[])), twin)
        })
    }

    pub fn atacama(players: u8, target: f64) -> Self {
        let (game, maps) = (shipped("atacama"), sure(Maps::open(root())));
        Self::new(format!("atacama, {players} players"), target, || {
            let rules = atacama::Setup { players: players.into(), ..atacama::Setup::default() };
            let twin = twin_playouts(Atacama::new(rules, &maps, 0));
            (playouts("engine", &game, &setup(&game, players, &[])), twin)
        })
    }

    pub fn photon(players: u8, target: f64) -> Self {
        let game = shipped("photon");
        Self::new(format!("photon, {players} players"), target, || {
            let rules = photon::Setup { players: players.into(), ..photon::Setup::default() };
            let twin = twin_playouts(Photon::new(rules, 0));
            (playouts("engine", &game, &setup(&game, players, &[])), twin)
        })
    }

    pub fn krysis(players: u8, target: f64) -> Self {
        let game = shipped("krysis");
        Self::new(format!("krysis, {players} players"), target, || {
            let rules = krysis::Setup { players: players.into(), ..krysis::Setup::default() };
            let twin = twin_playouts(Krysis::new(rules, 0));
            (playouts("engine", &game, &setup(&game, players, &[])), twin)
        })
    }

    /// Time of the engine as a multiple of the twin's.
    pub fn slower(&mut self, budget: Duration) -> f64 {
        side_by_side(&mut self.engine, &mut self.twin, budget).2
    }

    fn all() -> [Self; 10] {
        [
            Self::connect_four(),
            Self::atacama(2, 5.0),
            Self::atacama(3, 5.0),
            Self::atacama(4, 5.0),
            Self::photon(4, 7.0),
            Self::photon(2, 7.0),
            Self::photon(6, 7.0),
            Self::krysis(4, 8.0),
            Self::krysis(2, 8.0),
            Self::krysis(3, 8.0),
        ]
    }
}

/// Random playouts of a twin, with seeds from 0.
fn twin_playouts(mut twin: impl Twin + 'static) -> Subject {
    let mut chance = SplitMix64::new(CHANCE);
    let mut seed = 0;
    Subject::new("twin", move |games| {
        let mut decisions = 0;
        for _ in 0..games {
            twin.reset(seed);
            decisions += u64::from(twin.playout(&mut chance));
            seed += 1;
        }
        decisions
    })
}

pub fn bench(criterion: &mut Criterion) {
    for mut pair in Pair::all() {
        let mut group = criterion.benchmark_group(format!("playout: {}", pair.name));
        pair.engine.bench(&mut group);
        pair.twin.bench(&mut group);
        group.finish();
    }
}

pub fn print(form: &Form) {
    let mut table = Figures::new(
        "Random playouts, engine and twin alternately",
        &[
            "game",
            "decisions a game",
            "engine games/s",
            "twin games/s",
            "times slower",
            "engine decisions/s",
            "target",
            "",
        ],
    );
    for mut pair in Pair::all() {
        let (engine, twin, slower) = side_by_side(&mut pair.engine, &mut pair.twin, form.budget());
        table.row([
            pair.name,
            format!("{:.1}", engine.decisions),
            grouped(engine.rate()),
            grouped(twin.rate()),
            format!("{slower:.1}"),
            grouped(engine.decisions_per_second()),
            format!("{:.0}", pair.target),
            verdict(slower <= pair.target),
        ]);
    }
    table.print();
}
