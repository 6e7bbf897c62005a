//! Explains the current values of one token in a recorded match.

use std::io::Write;
use std::path::Path;

use comfy_table::Cell;
use motherlode::Game;
use motherlode::declare::{AttributeType, Declarations, Field, ModifierLayer, Term};
use motherlode::tools::{AppliedChange, ExplainedToken, modifier_text, token_name};
use serde_json::{Value, json};

use crate::fault::Fault;
use crate::format::Format;
use crate::{paint, play};

/// The position: file of the match, number of answers, seat from 0.
pub type Position<'a> = (&'a Path, Option<usize>, Option<u8>);

/// Prints the printed and the current values of a token, with each modifier between them.
pub fn run(
    game: &Game,
    name: &str,
    (file, step, seat): Position<'_>,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), Fault> {
    let replay = play::load(file)?;
    let last = replay.answers.len();
    let step = step.unwrap_or(last);
    if step > last {
        return Err(Fault::usage(format!("there is no step {step}; the match has {}", paint::plural(last, "answer"))));
    }
    let players = replay.setup.players;
    if let Some(seat) = seat.filter(|seat| *seat >= players) {
        return Err(Fault::usage(format!("there is no player {}: use 1 to {players}", seat + 1)));
    }
    let token = find(game, name)?;
    let played = replay.play(game, Some(step)).map_err(|error| Fault::failed(error.to_string()))?;
    let Some(found) = played.explain_token(seat, token) else {
        let who = seat.map_or_else(|| "nobody".to_owned(), |seat| paint::seat(game.declarations(), seat));
        return Err(Fault::failed(format!("{who} does not see the current values of `{name}` at step {step}")));
    };
    let shown = Shown { game, found: &found };
    if format == Format::Json {
        writeln!(out, "{:#}", shown.data(name, step))?;
        return Ok(());
    }
    let (strong, faint) = (paint::strong(), paint::faint());
    let title = token_name(game.declarations(), game.layout(), token);
    writeln!(out, "{strong}{title}{strong:#}  {faint}{name}, step {step} of {last}{faint:#}")?;
    let mut table = paint::plain_table();
    for row in shown.rows() {
        table.add_row(row.map(Cell::new));
    }
    if found.values.is_empty() {
        writeln!(out, "no modifier can change it")?;
    } else {
        writeln!(out, "{}", table.trim_fmt())?;
    }
    Ok(())
}

/// The number of a token by its name: `bear`, `bear#2`, `bear@2`, `bear#2@1`.
fn find(game: &Game, name: &str) -> Result<i32, Fault> {
    let (d, layout) = (game.declarations(), game.layout());
    let (rest, owner) = match name.rsplit_once('@') {
        Some((rest, owner)) => (rest, owner.parse::<i32>().ok()),
        None => (name, None),
    };
    let (id, place) = match rest.rsplit_once('#') {
        Some((id, place)) => (id, place.parse::<usize>().ok()),
        None => (rest, None),
    };
    let tokens = (1..).zip(&layout.tokens).filter(|(_, info)| d.definitions[info.definition].id == id);
    let tokens: Vec<i32> =
        tokens.filter(|(_, info)| owner.is_none_or(|owner| info.owner == owner)).map(|(token, _)| token).collect();
    match (place, tokens.as_slice()) {
        (_, []) => Err(Fault::usage(format!("there is no token `{name}`: write the id of a card, as in `bear#2@1`"))),
        (None, [token]) => Ok(*token),
        (None, several) => {
            let many = several.len();
            Err(Fault::usage(format!("{many} tokens are called `{name}`: use `{id}#1` to `{id}#{many}`")))
        }
        (Some(place), several) => place.checked_sub(1).and_then(|at| several.get(at)).copied().ok_or_else(|| {
            Fault::usage(format!("there is no token `{name}`: use `{id}#1` to `{id}#{}`", several.len()))
        }),
    }
}

/// A token with its names.
struct Shown<'a> {
    game: &'a Game,
    found: &'a ExplainedToken,
}

impl Shown<'_> {
    fn d(&self) -> &Declarations {
        self.game.declarations()
    }

    fn attribute(&self, attribute: usize) -> &str {
        self.d().read_attributes.get_index(attribute).map_or("", |(name, _)| name.as_str())
    }

    /// A value in words: `true` and `false` for a switch.
    fn value(&self, attribute: usize, value: i32) -> String {
        let name = self.attribute(attribute);
        let mut declared = self.d().kinds.values().filter_map(|kind| kind.attributes.get(name));
        let is_switch = declared.any(|one| one.of == AttributeType::Boolean);
        if is_switch { (value != 0).to_string() } else { value.to_string() }
    }

    fn rows(&self) -> Vec<[String; 5]> {
        let mut rows = Vec::new();
        for &(attribute, printed, current) in &self.found.values {
            let row = |what: &str, value: i32| {
                [self.attribute(attribute).to_owned(), what.to_owned(), self.value(attribute, value)]
            };
            let plain = |[name, what, value]: [String; 3]| [name, what, value, String::new(), String::new()];
            rows.push(plain(row("printed", printed)));
            for change in self.found.changes.iter().filter(|change| change.attribute == attribute) {
                let [name, what, value] = row(&self.change(change), change.value);
                rows.push([name, what, value, self.source(change), self.duration(change)]);
            }
            rows.push(plain(row("current", current)));
        }
        rows
    }

    /// The layer with its number: `add 1`.
    fn change(&self, change: &AppliedChange) -> String {
        let number = self.value(change.attribute, change.number);
        format!("{} {number}", layer(change.layer))
    }

    /// The modifier, and the card that has it: `king.modifies (Goblin king)`.
    fn source(&self, change: &AppliedChange) -> String {
        let name = &self.d().modifiers[change.modifier].name;
        match change.source {
            0 => name.clone(),
            token => format!("{name} ({})", token_name(self.d(), self.game.layout(), token)),
        }
    }

    /// The end of a change: that of the counters that it reads, or that of its modifier.
    fn duration(&self, change: &AppliedChange) -> String {
        let d = self.d();
        let formulas = d.modifiers[change.modifier].changes.iter().map(|(_, _, formula)| formula);
        let terms = formulas.flat_map(|formula| &formula.terms);
        let mut counters = terms.filter_map(|(_, term)| match term {
            Term::Read(_, Field::Counter(counter)) => d.counters.get_index(*counter),
            _ => None,
        });
        counters
            .find_map(|(_, counter)| {
                let event = counter.until.and_then(|event| d.events.get_index(event));
                let zone = || counter.within.first().and_then(|zone| d.zones.get_index(*zone));
                let until = event.map(|(event, _)| format!("until {event}"));
                until.or_else(|| zone().map(|(zone, _)| format!("while it is in {zone}")))
            })
            .unwrap_or_else(|| modifier_text(d, &d.modifiers[change.modifier]))
    }

    fn data(&self, name: &str, step: usize) -> Value {
        let changes = |attribute: usize| -> Vec<Value> {
            let of_attribute = self.found.changes.iter().filter(move |change| change.attribute == attribute);
            let change = |change: &AppliedChange| {
                let modifier = &self.d().modifiers[change.modifier];
                json!({
                    "layer": layer(change.layer), "number": change.number, "value": change.value,
                    "modifier": modifier.name, "token": (change.source > 0).then_some(change.source),
                    "duration": self.duration(change), "file": modifier.place.file, "line": modifier.place.line,
                })
            };
            of_attribute.map(change).collect()
        };
        let values = self.found.values.iter().map(|&(attribute, printed, current)| {
            let name = self.attribute(attribute);
            json!({ "attribute": name, "printed": printed, "changes": changes(attribute), "current": current })
        });
        json!({ "token": name, "step": step, "values": values.collect::<Vec<_>>() })
    }
}

/// A layer as content writes it.
fn layer(layer: ModifierLayer) -> &'static str {
    match layer {
        ModifierLayer::Set => "set",
        ModifierLayer::Add => "add",
        ModifierLayer::Multiply => "multiply",
        ModifierLayer::Cap => "cap",
        ModifierLayer::Floor => "floor",
    }
}
