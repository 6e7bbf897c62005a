//! Explains events, listeners, modifiers, and the modifiers of an attribute.

use motherlode_content::declare::{Declarations, Event, Listener, Location, Modifier, ModifierLayer, Moment};
use motherlode_content::reaction_text::{listener_condition, listener_text, modifier_text};

/// An event, a listener, a modifier or an attribute, with those that act on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedReaction {
    /// Its path: `events.damage`.
    pub path: String,
    /// One line about it: its arguments, or its sentence.
    pub text: String,
    /// Listeners or modifiers, in the order in which they act.
    pub effects: Vec<Effect>,
}

/// A listener of an event, or a modifier of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// When it acts: `before`, `instead`, `on`, or `set`, `add`, `multiply`, `cap`, `floor`.
    pub when: &'static str,
    /// Its name.
    pub name: String,
    /// Its sentence.
    pub text: String,
    /// Its place in the file of the game or of a mod.
    pub place: Location,
}

/// The order of the layers.
const LAYERS: [(ModifierLayer, &str); 5] = [
    (ModifierLayer::Set, "set"),
    (ModifierLayer::Add, "add"),
    (ModifierLayer::Multiply, "multiply"),
    (ModifierLayer::Cap, "cap"),
    (ModifierLayer::Floor, "floor"),
];

/// Explains the events, listeners, modifiers and attributes that a path names: `events.damage`, `damage`, `bear.on.dies`,
/// `king.modifies`, `kinds.creatures.attributes.attack`.
#[must_use]
pub fn reactions(d: &Declarations, path: &str) -> Vec<ExplainedReaction> {
    let is = |section: &str, name: &str| path == name || path.strip_prefix(section).is_some_and(|rest| rest == name);
    let events =
        d.events.iter().enumerate().filter(|(_, (name, _))| is("events.", name) || is("reactions.events.", name));
    let events = events.map(|(index, (name, event))| explain_event(d, index, name, event));
    let listeners =
        d.listeners.iter().filter(|one| is("listeners.", &one.name) || is("reactions.listeners.", &one.name));
    let listeners = listeners.map(|one| ExplainedReaction {
        path: one.name.clone(),
        text: sentence(d, one),
        effects: vec![listener_effect(d, one)],
    });
    let modifiers =
        d.modifiers.iter().filter(|one| is("modifiers.", &one.name) || is("reactions.modifiers.", &one.name));
    let modifiers = modifiers.map(|one| ExplainedReaction {
        path: one.name.clone(),
        text: modifier_text(d, one),
        effects: layers_of(one).map(|layer| modifier_effect(d, one, layer)).collect(),
    });
    let attribute =
        path.rsplit_once(".attributes.").map(|(kind, name)| (kind.rsplit('.').next().unwrap_or(kind), name));
    let attribute =
        attribute.filter(|(kind, name)| d.kinds.get(*kind).is_some_and(|kind| kind.attributes.contains_key(*name)));
    let attributes = attribute.into_iter().map(|(_, name)| explain_attribute(d, path, name));
    events.chain(listeners).chain(modifiers).chain(attributes).collect()
}

/// The sentence of a listener, or its start if a script does the rest.
fn sentence(d: &Declarations, listener: &Listener) -> String {
    let said = listener_text(d, listener);
    if said.is_empty() { format!("{}: a script", listener_condition(d, listener)) } else { said }
}

fn explain_event(d: &Declarations, index: usize, name: &str, event: &Event) -> ExplainedReaction {
    let args: Vec<&str> = event.args.keys().map(String::as_str).collect();
    let of = event.of.and_then(|of| d.events.get_index(of)).map(|(of, _)| format!("a part of `{of}`; "));
    let text = format!(
        "{}arguments: {}",
        of.unwrap_or_default(),
        if args.is_empty() { "none".into() } else { args.join(", ") }
    );
    let is_heard = |listener: &&Listener| {
        listener.event == index || d.events.get_index(listener.event).is_some_and(|(_, heard)| heard.of == Some(index))
    };
    let at = |moment: Moment| d.listeners.iter().filter(move |listener| listener.moment == moment).filter(is_heard);
    let effects = Moment::ALL.into_iter().flat_map(at).map(|listener| listener_effect(d, listener)).collect();
    ExplainedReaction { path: format!("events.{name}"), text, effects }
}

fn explain_attribute(d: &Declarations, path: &str, name: &str) -> ExplainedReaction {
    let read = d.read_attributes.get_index_of(name);
    let changes = |layer: ModifierLayer, modifier: &Modifier| {
        modifier.changes.iter().any(|(of, attribute, _)| *of == layer && Some(*attribute) == read)
    };
    let of = |(layer, when): (ModifierLayer, &'static str)| {
        d.modifiers.iter().filter(move |one| changes(layer, one)).map(move |one| modifier_effect(d, one, when))
    };
    let effects: Vec<Effect> = LAYERS.into_iter().flat_map(of).collect();
    let text = if effects.is_empty() { "no modifier changes it" } else { "modifiers change it in this order" };
    ExplainedReaction { path: path.to_owned(), text: text.to_owned(), effects }
}

fn layers_of(modifier: &Modifier) -> impl Iterator<Item = &'static str> {
    let has = |layer: ModifierLayer| modifier.changes.iter().any(|(of, ..)| *of == layer);
    LAYERS.into_iter().filter(move |(layer, _)| has(*layer)).map(|(_, when)| when)
}

fn listener_effect(d: &Declarations, listener: &Listener) -> Effect {
    let (name, place) = (listener.name.clone(), listener.place.clone());
    Effect { when: listener.moment.word(), name, text: sentence(d, listener), place }
}

fn modifier_effect(d: &Declarations, modifier: &Modifier, when: &'static str) -> Effect {
    Effect { when, name: modifier.name.clone(), text: modifier_text(d, modifier), place: modifier.place.clone() }
}

#[cfg(test)]
mod tests {
    use motherlode::Game;

    use super::*;

    #[test]
    fn events_and_attributes_name_all_that_acts() {
        let game = "name = \"Duel\"\nversion = \"1.0.0\"\ntext = \"Two fight.\"\nplayers = { min = 2, max = 2 }\n\
            seats = [{ name = \"Ann\" }, { name = \"Bob\" }]\ncounters.life = { per = \"player\" }\noutcome.score = \"life\"\n\
            zones.deck = { per = \"player\", holds = \"cards\" }\nzones.field = { per = \"player\", holds = \"cards\" }\n\
            kinds.cards.zone = \"deck\"\nkinds.cards.per = \"player\"\n\
            kinds.cards.attributes.attack = { type = \"integer\", default = 1 }\n";
        let cards = "[king]\nname = \"King\"\nmodifies = [{ of = \"other\", add = { attack = 1 } }]\n\
            [king.on.leaves]\nwhere = { token = \"other\" }\ndo = [{ gain = { life = 1 } }]\n\
            [wall]\nname = \"Wall\"\nmodifies = [{ set = { attack = 0 } }]\n";
        let reactions = "[events.leaves]\ntext = \"When a card leaves\"\nof = \"move\"\nwhere = { from = \"field\" }\n";
        let content =
            [("game", game), ("cards", cards), ("reactions", reactions), ("phases", "[turn]\nturns = \"once\"\n")];
        let script = "return { turn = { turn = function() end } }";
        let pack = motherlode_fixtures::pack("duel", &content, &[("phases", script)]);
        let game = Game::load(&pack).unwrap_or_else(|faults| panic!("{faults}"));
        let found = |path: &str| -> Vec<String> {
            let all = super::reactions(game.declarations(), path);
            let effect = |one: &Effect| format!("{} {}: {}", one.when, one.name, one.text);
            all.iter().flat_map(|one| std::iter::once(one.text.clone()).chain(one.effects.iter().map(effect))).collect()
        };
        let listener = "When a card leaves, if the token is another one: take 1 life.";
        for (path, expected) in [("leaves", "a part of `move`; "), ("events.move", "")] {
            let args = format!("{expected}arguments: token, from, to, player");
            assert_eq!(found(path), [args, format!("on king.on.leaves: {listener}")]);
        }
        assert_eq!(found("king.on.leaves")[0], listener);
        let attack = found("kinds.cards.attributes.attack");
        assert!(attack[1].starts_with("set wall") && attack[2].starts_with("add king"), "{attack:?}");
        assert!(found("nothing").is_empty());
    }
}
