//! Phases.

use indexmap::IndexMap;

use super::declare::{Counter, Holder, Phase, Turns, When};
use super::names::{COUNTER, Names, PROMPT, check_name, label_of};
use super::read::Table;

/// Most times a phase is played in a row.
const MAX_TIMES: i32 = 1000;

/// Reads `phases.toml`.
pub(crate) fn read(root: Table<'_>, names: &Names, counters: &IndexMap<String, Counter>) -> IndexMap<String, Phase> {
    let mut phases = IndexMap::new();
    for (key, table) in root.children("phase") {
        check_name(&key, "phase");
        let mut phase = Phase { name: label_of(key.text), times: 1, place: key.place(), ..Phase::default() };
        if let Some(table) = table {
            read_one(table, &mut phase, names, counters);
        }
        phases.insert(key.text.to_owned(), phase);
    }
    if phases.is_empty() {
        root.fault("empty", "there is no phase", None);
    }
    phases
}

fn read_one(table: Table<'_>, phase: &mut Phase, names: &Names, counters: &IndexMap<String, Counter>) {
    if let Some(name) = table.text("name") {
        phase.name = name;
    }
    phase.text = table.text("text").unwrap_or_default();
    let when = [("setup", When::Setup), ("round", When::Round), ("end", When::End)];
    phase.when = table.word("when", &when).unwrap_or_default();
    phase.turns = table
        .word(
            "turns",
            &[
                ("none", Turns::None),
                ("once", Turns::Once),
                ("passes", Turns::Passes),
                ("around", Turns::Around),
                ("sealed", Turns::Sealed),
            ],
        )
        .unwrap_or_default();
    if let Some(node) = table.get("prompt") {
        phase.prompt = node.reference(&PROMPT, &names.prompts);
    }
    if let Some(node) = table.get("first") {
        phase.first = node.reference(&COUNTER, &names.counters);
        let counter = phase.first.and_then(|index| counters.get_index(index));
        if let Some((name, _)) = counter.filter(|(_, counter)| counter.per != Holder::Game) {
            let message = format!("counter `{name}` as {} does not belong to the game", node.what);
            node.fault("wrong-holder", message, Some("its `per` must be `game`".to_owned()));
        }
    }
    phase.times = table.integer("times", 1..=MAX_TIMES).and_then(|times| u16::try_from(times).ok()).unwrap_or(1);
    table.finish();
}
