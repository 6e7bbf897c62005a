//! Time of an event, and of reading a current value, beside a call of a plain function; and a game of events beside the same
//! game without them.

use criterion::Criterion;
use motherlode::Game;
use motherlode_fixtures::pack;

use crate::form::Form;
use crate::games::{begin, load, playouts, root, setup};
use crate::subject::{Subject, side_by_side, sure};
use crate::table::{Figures, duration, grouped, verdict};

/// Repetitions in one hook.
const TIMES: u32 = 200;
/// Minimum speed of a game of events, as a multiple of the same game that computes triggers and modifiers in Luau.
const TARGET_OF_GAME: f64 = 5.0;
/// Matches before the measurement.
const WARM_UP: u64 = 300;

const GAME: &str = r#"
name = "Bells"
version = "0.1.0"
text = "Bells ring, for ever."
rounds = 100
players = { min = 2, max = 2 }
[[seats]]
name = "Left"
[[seats]]
name = "Right"
[counters.points]
text = "Points"
per = "player"
min = -1000000000
[zones.field]
text = "Field"
per = "game"
holds = "bells"
[kinds.bells]
text = "Bells"
zone = "field"
active = "field"
[kinds.bells.attributes]
weight = { type = "integer", text = "Weight" }
[outcome]
score = "points"
"#;

const PHASES: &str = r#"
[idle]
name = "Idle"
turns = "around"
prompt = "side"
"#;

const PROMPTS: &str = r#"
[side]
text = "Which side?"
labels = { left = "Left", right = "Right" }
"#;

const BELLS: &str = r#"
[bell]
name = "Bell"
weight = 2
copies = 20
[tower]
name = "Tower"
weight = 9
modifies = [{ of = { kind = "bells", is_not = "this" }, add = { weight = 1 } }]
[tower.on.rings]
where = { bell = "other" }
do = "script"
"#;

const REACTIONS: &str = r#"
[events.rings]
args = { bell = "token", loud = "integer" }
[events.silent]
args = { bell = "token", loud = "integer" }
"#;

/// A game whose hook runs a line of Luau many times.
fn game(line: &str) -> Game {
    let hooks = format!(
        "local function call(event) return event.loud end\n\
         return {{ idle = {{ offer = function() choice(\"left\") choice(\"right\") end, act = function()\n\
         local bell, n = 1, 0 for _ = 1, {TIMES} do {line} end end_phase() end }} }}"
    );
    let content =
        [("game", GAME), ("phases", PHASES), ("prompts", PROMPTS), ("bells", BELLS), ("reactions", REACTIONS)];
    let scripts = [("phases", hooks.as_str()), ("bells", "return { tower = { on_rings = function(it) end } }")];
    sure(Game::load(&pack("bells", &content, &scripts)))
}

/// A subject with its line of Luau, and its target in seconds.
const LINES: [(&str, &str, Option<f64>); 4] = [
    ("a call of a plain function", "n += call({ bell = bell, loud = 1 })", None),
    ("an event that nobody hears", "emit(\"silent\", { bell = bell, loud = 1 })", Some(0.1e-6)),
    ("an event that a token hears", "emit(\"rings\", { bell = bell, loud = 1 })", Some(1.0e-6)),
    ("a current value", "n += attr(bell, \"weight\")", Some(0.02e-6)),
];

fn subjects() -> impl Iterator<Item = (Subject, Option<f64>)> {
    LINES.into_iter().map(|(name, line, target)| {
        let game = game(line);
        let setup = setup(&game, 2, &[]);
        let mut m = begin(&game, &setup);
        let subject = Subject::new(name, move |times| {
            for _ in 0..times {
                if m.is_over() {
                    sure(m.restart(&setup));
                }
                sure(m.answer(0));
            }
            times
        });
        (subject, target)
    })
}

/// The trading card game, as events and modifiers, and as scripts alone. Both play the same matches.
fn trading() -> [Subject; 2] {
    ["trading", "trading_twin"].map(|folder| {
        let game = load(&root().join("tests/fixtures").join(folder), "duel");
        let mut subject = playouts(folder, &game, &setup(&game, 2, &[]));
        // Both have their machine code from then on.
        subject.run(WARM_UP);
        subject
    })
}

pub fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("{TIMES} events"));
    for (mut subject, _) in subjects() {
        subject.bench(&mut group);
    }
    group.finish();
}

pub fn print(form: &Form) {
    let mut table = Figures::new("Events and current values", &["how", "time", "target", ""]);
    for (mut subject, target) in subjects() {
        let seconds = subject.measure(form.budget()).seconds / f64::from(TIMES);
        let met = target.map_or_else(String::new, |target| verdict(seconds <= target));
        table.row([subject.name, duration(seconds), target.map_or_else(String::new, duration), met]);
    }
    table.print();
    let [mut events, mut scripts] = trading();
    let (own, other, share) = side_by_side(&mut events, &mut scripts, form.budget());
    let head = ["decisions a game", "with events, games/s", "in Luau, games/s", "times as fast", "target", ""];
    let mut table = Figures::new("The trading card game, with events and without", &head);
    table.row([
        format!("{:.1}", own.decisions),
        grouped(own.rate()),
        grouped(other.rate()),
        format!("{:.2}", 1.0 / share),
        format!("{TARGET_OF_GAME:.0}"),
        verdict(1.0 / share >= TARGET_OF_GAME),
    ]);
    table.print();
}
