//! The methods of `t`, in the one list behind the sandbox and the reference.

use mlua::{Lua, Value};

use super::case::{Args, Case};
use super::{checks, definitions, events, steps};

/// The implementation of a method.
pub(super) type Run = fn(&mut Case, &Lua, &Args) -> Result<Value, String>;

/// A method of `t`.
pub(super) struct Method {
    /// Typed signature, for example `set(holder: Holder, counter: Counter, value: any)`.
    signature: &'static str,
    /// Description for the reference.
    text: &'static str,
    pub(super) run: Run,
}

impl Method {
    pub(super) fn name(&self) -> &'static str {
        name(self.signature)
    }
}

/// The method name in a signature.
pub(super) fn name(signature: &str) -> &str {
    signature.split('(').next().unwrap_or(signature)
}

const fn method(signature: &'static str, text: &'static str, run: Run) -> Method {
    Method { signature, text, run }
}

/// Signature and description of every method, in the order in which a test uses them.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    STEPS.iter().chain(&CHECKS).map(|method| (method.signature, method.text)).chain([ERROR])
}

/// The methods that act or read.
pub(super) const STEPS: [Method; 21] = [
    method(
        "setup(of: { players: number?, seed: number?, options: { [Option]: any }?, auto: boolean? }?)",
        "starts a new match; defaults: the game's usual number of players, seed 1, default options; `auto = false` asks every question, also one \
         with a single choice",
        steps::setup,
    ),
    method(
        "set(holder: Holder, counter: Counter, value: any)",
        "sets a counter to a number or to the name of a value; the holder is a player, `game`, a token or a cell by name",
        steps::set,
    ),
    method(
        "put(zone: Zone, player: number?, tokens: {Token})",
        "fills the zone with exactly these tokens, bottom first, taken from wherever they are free",
        steps::put,
    ),
    method("turn_up(token: Token)", "turns a token face up", steps::turn_up),
    method("turn_down(token: Token)", "turns a token face down", steps::turn_down),
    method("show(token: Token, player: number)", "lets the player see the token", steps::show),
    method(
        "go(phase: Phase, at: { round: number?, first: number? }?)",
        "starts this phase now; `first` is the player who begins",
        steps::go,
    ),
    method(
        "random(results: { number | {Token} })",
        "fixes the next random results: a number for `random`, a list for a shuffle (the tokens on top afterwards, bottom first; `{}` for \
        any order)",
        steps::random,
    ),
    method(
        "answer(player: number, choice: any)",
        "answers the player's pending decision by the id, the text or the full token name (`mine#2@1`) of a choice; a test may also answer or skip a question with a \
          single choice, which is answered automatically",
        steps::answer,
    ),
    method(
        "play_on(decisions: number): number",
        "answers up to this many decisions with the first choice; returns how many there were",
        steps::play_on,
    ),
    method(
        "play_at_random(decisions: number, seed: number): number",
        "like `play_on`, with random choices",
        steps::play_at_random,
    ),
    method(
        "offered(player: number): {string}?",
        "ids of the player's choices; nil if the player is not asked",
        steps::offered,
    ),
    method("left()", "allows decisions to be open at the end of the test", steps::left),
    method("state(holder: Holder, counter: Counter): number", "value of a counter", steps::state),
    method("value(token: Token, attribute: Attribute): any", "current value of an attribute of a token", events::value),
    method(
        "cell(cell: string, player: number?, grid: Grid?): number",
        "number of a cell by its name, for choices and calls; on the player's own grid if every player has one",
        steps::cell,
    ),
    method(
        "seen(player: number, zone: Zone, of: number?): {string}?",
        "the player's view of a zone: ids, or \"?\" for hidden tokens; nil if even their number is hidden",
        steps::seen,
    ),
    method("ids(kind: Kind): {string}", "ids of all definitions of a kind", definitions::ids),
    method(
        "each(kind: Kind): {string}",
        "like `ids`, for a loop that tests each definition; in `lode watch` only the changed ones",
        definitions::each,
    ),
    method("attr(kind: Kind, id: string, attribute: Attribute): any", "attribute of a definition", definitions::attr),
    method(
        "verbs(kind: Kind, id: string, hook: string): { { verb: string, args: { [string]: any } } }?",
        "the verbs of a definition's hook, in order; nil if it is missing or a script",
        definitions::verbs,
    ),
];

/// The methods that assert something; every test needs one.
pub(super) const CHECKS: [Method; 15] = [
    method("expect(holder: Holder, counter: Counter, value: any)", "the counter has this value", checks::expect),
    method(
        "choices(player: number, ids: {any})",
        "exactly these choices are offered, in any order, duplicates included",
        checks::choices,
    ),
    method("offers(player: number, choice: any)", "this choice is offered", checks::offers),
    method("refuses(player: number, choice: any)", "this choice is not offered", checks::refuses),
    method(
        "why(player: number, choice: any, reason: string)",
        "this choice is not offered, and the reason that the player may ask for contains the text",
        checks::why,
    ),
    method(
        "zone(zone: Zone, player: number?, ids: {string})",
        "the zone holds exactly tokens with these ids, bottom first",
        checks::zone,
    ),
    method("count(zone: Zone, player: number?, n: number)", "the zone holds this many tokens", checks::count),
    method("prompt(player: number, prompt: Prompt)", "the player is asked this prompt", checks::prompt),
    method("phase(phase: Phase)", "the match is in this phase", checks::phase),
    method("round(n: number)", "the match is in this round", checks::round),
    method(
        "told(text: string, times: number?)",
        "this many lines of the transcript since `t.setup` contain the text; without `times`, at least one",
        checks::told,
    ),
    method(
        "emitted(event: Event, args: { [string]: any }?, times: number?)",
        "the event, or the part of one, happened this often with these arguments since `t.setup`; without `times`, at least once",
        events::emitted,
    ),
    method(
        "current(token: Token, attribute: Attribute, value: any)",
        "the attribute of the token has this current value",
        events::current,
    ),
    method(
        "over(with: { ranks: {number}?, scores: {number}?, teams: {number}?, won: boolean?, rounds: number?, reason: string? }?)",
        "the game is over with this outcome; the reason is the text in `texts.toml`; `won` is for cooperative games",
        checks::over,
    ),
    method(
        "equal(got: any, expected: any, what: string?)",
        "two values are equal; `what` names them in the failure",
        checks::equal,
    ),
];

/// Not in the lists, because it calls back.
const ERROR: (&str, &str) =
    ("error(text: string, f: () -> ())", "the function fails with a message that contains this text");
