//! Time of a decision that changes nothing.

use criterion::Criterion;
use motherlode::Game;

use crate::form::Form;
use crate::games::{begin, from_texts, setup};
use crate::subject::{Subject, sure};
use crate::table::{Figures, duration, verdict};

/// Maximum seconds of a decision with declared choices.
const TARGET: f64 = 0.3e-6;
/// Maximum seconds of a question in the middle of a hook.
const TARGET_IN_HOOK: f64 = 0.4e-6;
/// Decisions of one match: few enough for its budget of steps, so many that starts do not count.
const DECISIONS: u64 = 1_000_000;

const GAME: &str = r#"
name = "Idle"
version = "0.1.0"
text = "Nothing happens, for ever."
players = { min = 2, max = 2, default = 2 }
[[seats]]
name = "Left"
[[seats]]
name = "Right"
[grids.spots]
text = "Spots"
shape = "square"
columns = 2
rows = 1
[counters.taken]
text = "Taken"
per = "spots"
max = 1
[counters.points]
text = "Points"
per = "player"
[outcome]
score = "points"
"#;

const PROMPTS: &str = r#"
[spot]
text = "Which spot?"
choices = "spots"
[side]
text = "Which side?"
labels = { left = "Left", right = "Right" }
"#;

/// Game with declared choices; its only hook is `act`.
fn declared() -> Game {
    let phases = r#"
[idle]
name = "Idle"
turns = "around"
prompt = "spot"
offer = { cells = "taken", equals = 0 }
"#;
    from_texts("idle", GAME, phases, PROMPTS, "return { idle = { act = function(player, spot) end } }")
}

/// Game in which one hook lists the choices and another performs one.
fn offered() -> Game {
    let phases = r#"
[idle]
name = "Idle"
turns = "around"
prompt = "side"
"#;
    let hooks = r#"return { idle = {
    offer = function(player) choice("left") choice("right") end,
    act = function(player, side) end,
} }"#;
    from_texts("idle", GAME, phases, PROMPTS, hooks)
}

/// Game in which a hook asks.
fn asked() -> Game {
    let phases = r#"
[idle]
name = "Idle"
turns = "around"
"#;
    let hooks = r#"local SIDES = { "left", "right" }
return { idle = { turn = function(player) choose(player, "side", SIDES) end } }"#;
    from_texts("idle", GAME, phases, PROMPTS, hooks)
}

fn decisions(name: &str, game: &Game) -> Subject {
    let setup = setup(game, 2, &[]);
    let mut m = begin(game, &setup);
    assert_eq!(m.choices().len(), 2, "an empty decision has two choices");
    let mut made = 0;
    Subject::new(name, move |times| {
        for _ in 0..times {
            if made == DECISIONS {
                sure(m.restart(&setup));
                made = 0;
            }
            sure(m.answer((made % 2) as usize));
            made += 1;
        }
        times
    })
}

/// Subjects with their targets, in seconds; one has none.
fn subjects() -> [(Subject, Option<f64>); 3] {
    [
        (decisions("declared choices, one hook", &declared()), Some(TARGET)),
        (decisions("choices listed by a hook, another acts", &offered()), None),
        (decisions("a hook that asks midway", &asked()), Some(TARGET_IN_HOOK)),
    ]
}

pub fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("empty decision");
    for (mut subject, _) in subjects() {
        subject.bench(&mut group);
    }
    group.finish();
}

pub fn print(form: &Form) {
    let mut table = Figures::new("An empty decision: two choices, nothing done", &["how", "time", "target", ""]);
    for (mut subject, target) in subjects() {
        let figure = subject.measure(form.budget());
        let met = target.map_or_else(String::new, |target| verdict(figure.seconds <= target));
        let target = target.map_or_else(String::new, duration);
        table.row([subject.name, duration(figure.seconds), target, met]);
    }
    table.print();
}
