//! Generates Luau type definitions for editors (luau-lsp): accessors, hooks, and the names of a game as unions of strings.
//!
//! The accessors come from [`ACCESSORS`], the list that the script host and the lints use.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use motherlode::Game;
use motherlode::language::ACCESSORS;
use motherlode_content::declare::{
    AttributeType, Bearer, CAN, Declarations, Event, EventArg, ListenerAction, Pick, PickSource, Times, Verb,
};

/// Type of the function of a listener.
const LISTENER: &str = "(it: It) -> ()";

/// The hooks of a phase: name, type and purpose.
pub const PHASE_TYPES: [(&str, &str, &str); 12] = [
    ("applies", "() -> boolean?", "decides whether the phase is played; `false` skips it"),
    ("start", "() -> ()", "runs before the phase"),
    ("run", "() -> ()", "plays the whole phase if `turns = \"none\"`"),
    ("order", "() -> {number}", "returns the players in turn order, each once; default: clockwise from `first`"),
    ("skip", "(player: number) -> boolean?", "decides whether the turn of this player is skipped"),
    ("begin_turn", "(player: number) -> ()", "runs before the turn of this player; it may ask"),
    ("turn", "(player: number) -> ()", "plays one turn; it may ask"),
    (
        "offer",
        "(player: number) -> ()",
        "lists the choices of the phase's `prompt` with `choice` and the other `choice_` calls",
    ),
    ("act", "(player: number, choice: any) -> ()", "performs the choice; it may ask"),
    ("end_turn", "(player: number) -> ()", "runs after the turn of this player; it may ask"),
    ("resolve", "(token: number) -> ()", "the top of the stack takes effect, if `turns = \"priority\"`; it may ask"),
    ("finish", "() -> ()", "runs after the phase"),
];
/// The hooks of a game: name, type and purpose.
pub const GAME_TYPES: [(&str, &str, &str); 3] = [
    ("setup", "() -> ()", "runs before the first phase"),
    ("finish", "() -> ()", "runs when the game is over, before the outcome is computed"),
    (
        "redeal",
        "(player: number) -> ()",
        "redraws the counters with `redeal = \"hook\"` that this player cannot see, for a bot of this player; must not change anything else",
    ),
];

/// The functions of `reactions.luau` besides those of events and listeners: name, type and purpose.
pub const REACTION_TYPES: [(&str, &str, &str); 1] =
    [("check", "() -> ()", "runs after each event, and after each listener")];

/// Generates the type definitions of one or several games: an editor takes one set of definitions for a whole folder.
///
/// With several games, a name of any of them is valid, and the type names contain the game's id: `Script_checkers_phases`.
#[must_use]
pub fn definitions(games: &[Game]) -> String {
    let all: Vec<&Declarations> = games.iter().map(Game::declarations).collect();
    let names: Vec<&str> = all.iter().map(|d| d.name.as_str()).collect();
    let mut out = format!("-- Types of the scripts of {}, made by `lode schema`. Do not edit.\n\n", names.join(", "));
    let mut union = |name: &str, names: &dyn Fn(&Declarations) -> Vec<String>| {
        let names: BTreeSet<String> = all.iter().flat_map(|d| names(d)).collect();
        let texts: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
        let text = if texts.is_empty() { "never".to_owned() } else { texts.join(" | ") };
        // Writing to a string never fails.
        let _ = writeln!(out, "export type {name} = {text}");
    };
    union("Counter", &|d| d.counters.keys().cloned().collect());
    union("CounterFamily", &|d| d.counter_families.keys().cloned().collect());
    union("Family", &|d| d.counter_families.keys().chain(d.zone_families.keys()).cloned().collect());
    union("Zone", &|d| d.zones.keys().cloned().collect());
    union("Grid", &|d| d.grids.keys().cloned().collect());
    union("Kind", &|d| d.kinds.keys().cloned().collect());
    union("Prompt", &|d| d.prompts.keys().cloned().collect());
    union("Label", &|d| d.prompts.values().flat_map(|prompt| prompt.labels.keys()).cloned().collect());
    union("Text", &|d| d.texts.keys().cloned().collect());
    union("Option", &|d| d.options.keys().cloned().collect());
    union("Verb", &|d| d.verbs.keys().cloned().collect());
    union("Phase", &|d| d.phases.keys().cloned().collect());
    union("Filter", &|d| d.filters.keys().cloned().collect());
    union("Event", &|d| d.events.keys().cloned().collect());
    union("Hook", &|d| d.kinds.values().flat_map(|kind| kind.hooks.keys()).cloned().collect());
    union("HookList", &|d| d.kinds.values().flat_map(|kind| kind.lists.keys()).cloned().collect());
    union("Attribute", &|d| {
        let own = ["name", "text", "copies"].map(str::to_owned);
        d.kinds.values().flat_map(|kind| kind.attributes.keys()).cloned().chain(own).collect()
    });
    out.push_str("-- Number or id of a definition\nexport type Index = number | string\n");
    out.push_str("-- `game`, a player, a token or a cell\nexport type Holder = number\n\n");
    out.push_str("-- The context of a listener or a list of verbs\n");
    let aims = all.iter().flat_map(|d| &d.aims).map(|aim| aim.name.as_str());
    let targets: BTreeSet<&str> = aims.chain(["target"]).collect();
    let targets: String = targets.iter().map(|name| format!(", {name}: any, {name}_player: number?")).collect();
    let _ = writeln!(
        out,
        "export type It = {{ source: number?, player: number, event: {{[string]: any}}, x: number, listener: number{targets} }}\n",
    );
    let _ = writeln!(out, "export type PhaseHooks = {}", table_type(&PHASE_TYPES.map(|(name, of, _)| (name, of))));
    let _ = writeln!(out, "export type Script_game = {}", table_type(&GAME_TYPES.map(|(name, of, _)| (name, of))));
    for d in all {
        let of = if games.len() > 1 { format!("{}_", d.id) } else { String::new() };
        write_hooks(&mut out, d, &of);
    }
    for accessor in ACCESSORS.values() {
        let declared = match accessor.indexed {
            Some(indexed) => {
                format!("declare {}: {} & {}", accessor.name, type_of_call(accessor.signature), type_of_call(indexed))
            }
            None => declare(accessor.signature),
        };
        let _ = writeln!(out, "-- {}\n{declared}", accessor.text);
    }
    write_lib(&mut out, games);
    out
}

/// Turns a signature such as `get(holder: Holder): number` into a declaration.
fn declare(signature: &str) -> String {
    let Some((_, rest)) = signature.split_once('(') else { return format!("declare {signature}") };
    let typed = signature.replace("...any", "...: any");
    if !rest.contains("): ") && rest.ends_with(')') {
        format!("declare function {typed}: ()")
    } else {
        format!("declare function {typed}")
    }
}

/// Turns `get(holder: Holder): number` into a type: `((holder: Holder) -> number)`.
fn type_of_call(signature: &str) -> String {
    let inside = signature.split_once('(').map_or("", |(_, rest)| rest);
    let (parameters, result) = inside.rsplit_once(')').unwrap_or((inside, ""));
    let result = result.trim_start_matches(": ");
    format!("(({parameters}) -> {})", if result.is_empty() { "()" } else { result })
}

fn table_type(types: &[(&str, &str)]) -> String {
    let fields: Vec<String> = types.iter().map(|(name, of)| format!("    {name}: ({of})?,\n")).collect();
    format!("{{\n{}}}", fields.concat())
}

/// Writes the type that each script of a game returns, for `return { ... } :: Script_phases`. `game`: part of the type names.
fn write_hooks(out: &mut String, d: &Declarations, game: &str) {
    let phases: Vec<(&str, &str)> = d.phases.keys().map(|name| (name.as_str(), "PhaseHooks")).collect();
    let _ = writeln!(out, "export type Script_{game}phases = {}", table_type(&phases));
    let verbs: Vec<(&str, String)> = d
        .verbs
        .iter()
        .filter(|(_, verb)| !verb.standard)
        .map(|(name, verb)| (name.as_str(), verb_type(verb)))
        .collect();
    let verbs: Vec<(&str, &str)> = verbs.iter().map(|(name, of)| (*name, of.as_str())).collect();
    let _ = writeln!(out, "export type Script_{game}verbs = {}", table_type(&verbs));
    let _ = writeln!(out, "export type Script_{game}reactions = {}", reactions_type(d));
    for (name, kind) in &d.kinds {
        let functions: Vec<(String, String)> = kind
            .hooks
            .iter()
            .flat_map(|(hook, args)| {
                let args: String = args.iter().map(|arg| format!(", {arg}: any")).collect();
                [
                    (hook.clone(), format!("(token: number{args}) -> ...any")),
                    (format!("{CAN}{hook}"), format!("(token: number{args}) -> boolean?")),
                ]
            })
            .chain(scripted_listeners(d, name))
            .collect();
        let functions: Vec<(&str, &str)> = functions.iter().map(|(hook, of)| (hook.as_str(), of.as_str())).collect();
        let _ = writeln!(out, "export type Hooks_{game}{name} = {}", table_type(&functions));
        let of = format!("Hooks_{game}{name}");
        let definitions = d.definitions[kind.first..kind.first + kind.len].iter();
        let definitions: Vec<(&str, &str)> = definitions.map(|one| (one.id.as_str(), of.as_str())).collect();
        let _ = writeln!(out, "export type Script_{game}{name} = {}", table_type(&definitions));
    }
    out.push('\n');
}

/// The type that `reactions.luau` returns.
fn reactions_type(d: &Declarations) -> String {
    let of_arg = |of: EventArg| match of {
        EventArg::Integer | EventArg::Token | EventArg::Player => "number",
        EventArg::Zone => "Zone",
        EventArg::Counter => "Counter",
        EventArg::Phase => "Phase",
    };
    let action = |(name, event): (&String, &Event)| {
        let args: Vec<String> = event.args.iter().map(|(arg, of)| format!("{arg}: {}?", of_arg(*of))).collect();
        (name.clone(), format!("(event: {{ {} }}) -> ()", args.join(", ")))
    };
    let events = d.events.iter().filter(|(_, event)| event.may_be_emitted()).map(action);
    let named = d.listeners.iter().filter(|listener| !matches!(listener.bearer, Bearer::Definition(_)));
    let scripted = named.filter_map(|listener| match &listener.action {
        ListenerAction::Script(name) => Some((name.clone(), LISTENER.to_owned())),
        _ => None,
    });
    let given = REACTION_TYPES.map(|(name, of, _)| (name.to_owned(), of.to_owned()));
    let all: Vec<(String, String)> = events.chain(scripted).chain(given).collect();
    table_type(&all.iter().map(|(name, of)| (name.as_str(), of.as_str())).collect::<Vec<_>>())
}

/// The functions of listeners of a kind's definitions, each with its type.
fn scripted_listeners(d: &Declarations, kind: &str) -> BTreeMap<String, String> {
    let kind = d.kinds.get_index_of(kind);
    let of_kind =
        |bearer: Bearer| matches!(bearer, Bearer::Definition(index) if Some(d.definitions[index].kind) == kind);
    let own = d.listeners.iter().filter(|listener| of_kind(listener.bearer));
    let scripted = own.filter_map(|listener| match &listener.action {
        ListenerAction::Script(name) => Some((name.clone(), LISTENER.to_owned())),
        _ => None,
    });
    scripted.collect()
}

fn verb_type(verb: &Verb) -> String {
    let args: Vec<String> = verb.args.iter().map(|(name, arg)| format!("{name}: {}", type_of(&arg.of))).collect();
    let args = args.join(", ");
    let picks: Vec<String> =
        verb.picks.list.iter().map(|(name, pick)| format!("{name}: {}, ", type_of_pick(pick))).collect();
    let takes = |chosen: usize| format!("(player: number, {}args: {{ {args} }}, it: It)", picks[..chosen].concat());
    let mut parts = vec![format!("can: ({} -> boolean?)?", takes(0))];
    parts.extend(verb.picks.list.iter().enumerate().map(|(place, (name, pick))| {
        let is_list = pick.source == Some(PickSource::Script);
        format!("{name}: ({} -> any)?", takes(place + usize::from(!is_list)))
    }));
    if verb.picks.times != Times::Once {
        parts.push(format!("finish: ({} -> ())?", takes(0)));
    }
    let run = format!("{} -> ...any", takes(picks.len()));
    format!("({run}) | {{ {}, run: ({run})? }}", parts.join(", "))
}

/// The type of what is chosen: a number, or the key of a label.
fn type_of_pick(pick: &Pick) -> &'static str {
    match (&pick.source, pick.labels.is_empty()) {
        (Some(_), true) => "number",
        (Some(_), false) => "any",
        (None, _) => "string",
    }
}

fn type_of(of: &AttributeType) -> String {
    match of {
        AttributeType::Integer { .. } => "number".to_owned(),
        AttributeType::Boolean => "boolean".to_owned(),
        AttributeType::Text(_) | AttributeType::Id(_) => "string".to_owned(),
        AttributeType::List(of, _) => format!("{{{}}}", type_of(of)),
        AttributeType::Amounts(_) => "{[string]: number}".to_owned(),
        AttributeType::CounterName => "Counter".to_owned(),
        AttributeType::ZoneName => "Zone".to_owned(),
    }
}

/// Writes the type of `lib`.
fn write_lib(out: &mut String, games: &[Game]) {
    // A function that a mod wraps occurs in two layers: a set removes the duplicate.
    let mut names = BTreeSet::new();
    for game in games {
        let libs = game.declarations().scripts_of("lib");
        let own = game.functions().iter().filter(|function| libs.iter().any(|lib| lib.path == function.file));
        names.extend(own.map(|function| function.name.as_str()));
    }
    if names.is_empty() {
        return;
    }
    let fields: Vec<String> = names.iter().map(|name| format!("    {name}: (...any) -> ...any,\n")).collect();
    let _ = writeln!(out, "-- Functions of lib.luau\ndeclare lib: {{\n{}}}", fields.concat());
}

#[cfg(test)]
mod tests {
    use super::*;
    use motherlode::language::{EVENT_HOOKS, GAME_HOOKS, PHASE_HOOKS};
    use motherlode_fixtures::pack;

    fn game() -> Game {
        let game = "name = 'G'\nversion = '1.0.0'\nplayers = { min = 1, max = 1 }\nseats = [{ name = 'A' }]\n\
                    outcome = { score = 'gold' }\n[counters.gold]\nper = 'player'\n[kinds.cards.hooks]\nplay = ['player']\n";
        let content = [
            ("game", game),
            ("phases", "[one]\n"),
            ("cards", "[ace]\nname = 'Ace'\n[ace.on.quake]\ndo = 'script'\n"),
            (
                "reactions",
                "[events.quake]\nargs = { player = 'player', zone = 'zone' }\n[listeners.alarm]\non = 'quake'\ndo = 'script'\n",
            ),
            ("verbs", "[dig]\ntext = ''\nargs = { n = { type = 'integer' } }\n"),
        ];
        let scripts = [
            ("verbs", "return { dig = function(player, args) lib.twice(args.n) end }"),
            ("reactions", "return { quake = function(event) end, alarm = function(it) end }"),
            ("lib", "return { twice = function(n) return n * 2 end }"),
            ("cards", "return { ace = { on_quake = function(it) end } }"),
            ("phases", "return { one = { run = function() gain(1, 'gold', 1) end } }"),
        ];
        Game::load(&pack("g", &content, &scripts)).unwrap_or_else(|faults| panic!("{faults}"))
    }

    #[test]
    fn every_accessor_and_every_hook_is_defined() {
        let text = definitions(&[game()]);
        for accessor in ACCESSORS.keys() {
            let defined = [format!("declare function {accessor}("), format!("declare {accessor}: ")];
            assert!(defined.iter().any(|line| text.contains(line)), "{accessor}");
        }
        assert_eq!(PHASE_TYPES.map(|(name, ..)| name), PHASE_HOOKS);
        assert_eq!(GAME_TYPES.map(|(name, ..)| name), GAME_HOOKS);
        assert_eq!(REACTION_TYPES.map(|(name, ..)| name), EVENT_HOOKS);
        for line in [
            "export type Counter = \"gold\"",
            "declare set: ((holder: Holder, counter: Counter, value: number) -> ()) & \
             ((holder: Holder, family: CounterFamily, index: Index, value: number) -> ())",
            "    ace: (Hooks_cards)?,",
            "    play: ((token: number, player: any) -> ...any)?,",
            "    can_play: ((token: number, player: any) -> boolean?)?,",
            "    dig: (((player: number, args: { n: number }, it: It) -> ...any) | { can: ",
            "export type Script_reactions = {",
            "    quake: ((event: { player: number?, zone: Zone? }) -> ())?,",
            "    alarm: ((it: It) -> ())?,",
            "    on_quake: ((it: It) -> ())?,",
            "    twice: (...any) -> ...any,",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }

    #[test]
    fn the_definitions_are_luau() {
        // `declare` works only in definition files, so compile the declarations as functions and variables.
        let mut source = String::new();
        for line in definitions(&[game()]).lines() {
            if let Some(function) = line.strip_prefix("declare function ") {
                let _ = writeln!(source, "local function {function} return nil :: any end");
            } else if let Some(variable) = line.strip_prefix("declare ") {
                let _ = writeln!(source, "local {variable}");
            } else {
                let _ = writeln!(source, "{line}");
            }
        }
        mlua::chunk::Compiler::new().compile(&source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    }
}
