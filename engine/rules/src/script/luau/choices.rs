//! Writes the functions of verbs that declare choices, as Luau code for each verb: the loops over candidates are part of
//! the hottest code, where a call costs more than a test.
//!
//! A choice is declared once. Its candidates are those of its source that its function in verbs.luau permits, and after
//! which each later choice has a candidate. So `can` asks whether the first choice has one, and `run` lists them all.

use std::fmt::Write;

use mlua::Function;
use mlua::chunk::ChunkMode;

use crate::script::luau::facts::with_facts;
use crate::script::luau::layers::LayeredFunctions;
use crate::script::luau::loader::Loader;
use motherlode_content::declare::{
    Declarations, Holder, Pick, PickSource, ShownValue, Times, Upto, Value, Verb, VerbCall,
};

/// Name of the function that runs once after a verb that repeats.
pub const FINISH: &str = "finish";

/// The name under which another function of a verb than `run` is stored.
pub(super) fn part_of(verb: &str, part: &str) -> String {
    format!("{verb}.{part}")
}

impl Loader<'_> {
    /// Returns `can` and `run` of a verb with choices, from the functions of its script.
    pub(super) fn choosing(
        &mut self,
        (name, verb): (&str, &Verb),
        functions: &LayeredFunctions,
        can: Option<Function>,
        run: Option<Function>,
    ) -> mlua::Result<(Function, Function)> {
        let lua = self.vm.lua().clone();
        let (wheres, args) = (lua.create_table()?, lua.create_table()?);
        let mut has_where = Vec::new();
        for (place, pick) in (1..).zip(verb.picks.list.keys()) {
            let permits = function_of(functions, name, pick);
            has_where.push(permits.is_some() || self.reasons);
            wheres.raw_set(place, permits)?;
        }
        let mut computed = Vec::new();
        for (label, call) in &verb.stands_for {
            let value = self.args(&Value::Map(call.args.clone()))?;
            computed.extend(value.is_function().then_some(label.as_str()));
            args.raw_set(label.as_str(), value)?;
        }
        let finish = function_of(functions, name, FINISH);
        // The functions take the context in any case, though no part may need it.
        if !self.tests_context((name, verb), functions) {
            self.plain_functions.insert(part_of(name, "can"));
            let acts = takes_context(run.as_ref(), verb.picks.list.len()) || takes_context(finish.as_ref(), 0);
            if !acts && verb.stands_for.is_empty() {
                self.plain_functions.insert(name.to_owned());
            }
        }
        let writer = Writer { d: self.d, verb, has_where, computed };
        let code = writer.code(can.is_some(), run.is_some(), finish.is_some());
        let compile = || self.compiler().compile(with_facts(&code));
        let code = self.parts.own(&format!("choices of {name}"), !self.is_slow(), compile)?;
        let chunk = lua.load(&code[..]).set_name("=engine/choices.luau").set_mode(ChunkMode::Binary).into_function()?;
        let explained = self.explained_choices(verb, wheres, &args, can)?;
        let (wheres, can) = (&explained.wheres, explained.can.clone());
        args.set_readonly(true);
        wheres.set_readonly(true);
        let (possible, perform) = chunk.call((&explained.shared, wheres, args, can, run, finish))?;
        Ok((explained.complete(possible)?, perform))
    }

    /// Whether the test of a verb needs the context of the list in which the verb stands.
    fn tests_context(&self, (name, verb): (&str, &Verb), functions: &LayeredFunctions) -> bool {
        let of_pick = |(place, (pick_name, pick)): (usize, (&String, &Pick))| {
            let chosen = place + usize::from(pick.source != Some(PickSource::Script));
            matches!(pick.source, Some(PickSource::Filter(_)))
                || takes_context(function_of(functions, name, pick_name).as_ref(), chosen)
        };
        takes_context(function_of(functions, name, "can").as_ref(), 0)
            || verb.picks.list.iter().enumerate().any(of_pick)
            || verb.stands_for.values().any(|call| {
                let is_computed = call.args.values().any(|value| matches!(value, Value::Formula(_)));
                let other = self.d.verbs.get(&call.verb).filter(|other| other.stands_for.is_empty());
                is_computed || other.is_none_or(|other| self.tests_context((&call.verb, other), functions))
            })
    }
}

/// Writes the code of one verb. `c1`, `c2` and `c3` are its choices, `x` is a candidate.
struct Writer<'a> {
    d: &'a Declarations,
    verb: &'a Verb,
    /// By place: whether the choice has a function in the script.
    has_where: Vec<bool>,
    /// Labels whose verbs have formulas in their arguments.
    computed: Vec<&'a str>,
}

impl Writer<'_> {
    fn picks(&self) -> impl DoubleEndedIterator<Item = (usize, &Pick)> + ExactSizeIterator {
        self.verb.picks.list.values().enumerate()
    }

    fn has_same(&self) -> bool {
        self.picks().any(|(_, pick)| pick.same.is_some())
    }

    /// The whole chunk: it returns `can` and `run` of the verb.
    fn code(&self, has_can: bool, has_run: bool, has_finish: bool) -> String {
        let mut out = String::from(
            "local T, W, ARGS, can, run, finish = ... \
             local S, O = T.__S, T.__O \
             local readi32, writei32, type = buffer.readi32, buffer.writei32, type \
             local ask, choice_other, unpack_label, tokens_where = T.__ask, T.__choice_other, T.__unpack_label, T.__tokens_where \
             local CAN, VERB, LABEL, PLAYERS = T.__CAN_VERB, T.__VERB, T.__LABEL, T.__PLAYERS\n",
        );
        for (place, pick) in self.picks() {
            let n = place + 1;
            let _ = writeln!(out, "local W{n}, P{n} = W[{n}], T.__PROMPT[{:?}]", name(&self.d.prompts, pick.prompt));
            let _ = writeln!(out, "{}", self.table_of(n, pick));
        }
        for (place, pick) in self.picks().rev() {
            out += &self.finder(place, pick, has_can && place == 0);
        }
        let made = if self.has_same() { "local m1, m2, m3 = {}, {}, {}\n" } else { "" };
        let times = match &self.verb.picks.times {
            Times::Once => "1".to_owned(),
            Times::Number(times) => times.to_string(),
            Times::Argument(name) => format!("args[{name:?}]"),
        };
        let _ = writeln!(out, "local function perform(player, args, it)\n{made}for time = 1, {times} do");
        for (place, pick) in self.picks() {
            out += &self.question(place, pick);
        }
        if has_run {
            let _ = writeln!(out, "run(player, {}args, it)", chosen(self.picks().len()));
        }
        out += "end\n";
        if has_finish {
            out += "finish(player, args, it)\n";
        }
        out += "end\nreturn find1, perform\n";
        out
    }

    /// A local table through which the source of a choice is read.
    fn table_of(&self, n: usize, pick: &Pick) -> String {
        match pick.source {
            Some(PickSource::Zone(zone)) => format!("local Z{n} = T.__Z[{:?}]", name(&self.d.zones, zone)),
            Some(PickSource::Cells(grid)) => format!("local Z{n} = T.__CELLS[{:?}]", name(&self.d.grids, grid)),
            Some(PickSource::Numbers { upto: Upto::Counter(counter), .. }) => {
                format!("local Z{n} = T.__C[{:?}]", name(&self.d.counters, counter))
            }
            _ => String::new(),
        }
    }

    /// The function that tells whether a choice has a candidate after the earlier choices.
    fn finder(&self, place: usize, pick: &Pick, with_can: bool) -> String {
        let n = place + 1;
        let mut out = format!("local function find{n}(player, {}args, it{})\n", chosen(place), self.made());
        if with_can {
            out += "if not can(player, args, it) then return false end\n";
        }
        if pick.source == Some(PickSource::Script) {
            out += "local before = readi32(O, 0)\n";
            let _ = writeln!(out, "W{n}(player, {}args, it)", chosen(place));
            out += "local n = readi32(O, 0) writei32(O, 0, before)\n";
            match self.test(place, pick) {
                None => out += "if n > before then return true end\n",
                Some(test) => {
                    let _ = writeln!(
                        out,
                        "for i = before + 1, n do local x = readi32(O, i * 4) if x < 0 then x = unpack_label(x) end \
                         if {test} then return true end end"
                    );
                }
            }
        } else {
            out += &self.each(place, pick, "return true");
        }
        out += &self.each_label(place, pick, |_| "return true".to_owned());
        out + "return false\nend\n"
    }

    /// Lists the candidates of a choice, asks, and acts.
    fn question(&self, place: usize, pick: &Pick) -> String {
        const ADD: &str = "local n = readi32(O, 0) + 1 if n > $MAX_CHOICES then choice_other(x, n) end \
                           writei32(O, n * 4, x) writei32(O, 0, n)";
        let n = place + 1;
        let picks = &self.verb.picks;
        let mut out = String::new();
        if pick.source == Some(PickSource::Script) {
            let _ = writeln!(out, "W{n}(player, {}args, it)", chosen(place));
            if let Some(test) = self.test(place, pick) {
                let _ = writeln!(
                    out,
                    "local found = 0 for i = 1, readi32(O, 0) do local raw = readi32(O, i * 4) \
                     local x = if raw < 0 then unpack_label(raw) else raw \
                     if {test} then found += 1 writei32(O, found * 4, raw) end end writei32(O, 0, found)"
                );
            }
        } else {
            out += &self.each(place, pick, ADD);
        }
        let add = |label: &str| {
            format!(
                "local n = readi32(O, 0) + 1 if n > $MAX_CHOICES then choice_other({label:?}, n) end \
                 writei32(O, n * 4, LABEL[{label:?}]) writei32(O, 0, n)"
            )
        };
        out += &self.each_label(place, pick, add);
        let done = picks.done.as_deref().filter(|_| place == 0);
        if place == 0 {
            out += "if readi32(O, 0) == 0 then break end\n";
            if let Some(done) = done {
                let _ = writeln!(out, "if time > {} then {} end", picks.least, add(done));
            }
        }
        let shows: String = pick.shows.iter().map(|shown| format!(", {}", self.shown(shown))).collect();
        let _ = writeln!(out, "local c{n} = ask(player, P{n}{shows})");
        let is_list = pick.source == Some(PickSource::Script);
        if !pick.labels.is_empty() || done.is_some() || is_list {
            let _ = writeln!(out, "if type(c{n}) == \"number\" and c{n} < 0 then c{n} = unpack_label(c{n}) end");
        }
        if let Some(done) = done {
            let _ = writeln!(out, "if c1 == {done:?} then if time == 1 then return end break end");
        }
        if pick.same.is_some() {
            let _ = writeln!(out, "m{n}[c{n}] = (m{n}[c{n}] or 0) + 1");
        }
        for label in &pick.labels {
            if let Some(call) = self.verb.stands_for.get(label) {
                let args = self.args_of(label);
                let _ = writeln!(out, "if c{n} == {label:?} then VERB[{:?}](player, {args}, it) end", call.verb);
            }
        }
        out
    }

    /// A loop over the candidates that are numbers.
    fn each(&self, place: usize, pick: &Pick, act: &str) -> String {
        let n = place + 1;
        let act = self.test(place, pick).map_or_else(|| act.to_owned(), |test| format!("if {test} then {act} end"));
        let owner = |per: Holder| if per == Holder::Player { "player" } else { "$GAME_HOLDER" };
        let per_zone = |zone: usize| self.d.zones.get_index(zone).map_or(Holder::Game, |(_, zone)| zone.per);
        let per_grid = |grid: usize| self.d.grids.get_index(grid).map_or(Holder::Game, |(_, grid)| grid.per);
        match pick.source {
            None | Some(PickSource::Script) => String::new(),
            Some(PickSource::Zone(zone)) => format!(
                "do local at = Z{n}[{}] for i = at + 4, at + readi32(S, at) * 4, 4 do local x = readi32(S, i) {act} end end\n",
                owner(per_zone(zone))
            ),
            Some(PickSource::Cells(grid)) => format!("for _, x in Z{n}[{}] do {act} end\n", owner(per_grid(grid))),
            Some(PickSource::Players(others)) => {
                let act = if others { format!("if x ~= player then {act} end") } else { act };
                format!("for _, x in PLAYERS[readi32(S, $PLAYERS_BYTE) * 65536 + readi32(S, $OUT_BYTE)] do {act} end\n")
            }
            Some(PickSource::Kind(kind)) => format!("for x = 1, {} do {act} end\n", self.d.kinds[kind].len),
            Some(PickSource::Filter(filter)) => {
                format!("for _, x in tokens_where({filter}, player, if it then it.source else nil) do {act} end\n")
            }
            Some(PickSource::Numbers { from, upto: Upto::Number(upto) }) => {
                format!("for x = {from}, {upto} do {act} end\n")
            }
            Some(PickSource::Numbers { from, upto: Upto::Counter(_) }) => {
                format!("for x = {from}, readi32(S, Z{n}[player]) do {act} end\n")
            }
        }
    }

    fn each_label(&self, place: usize, pick: &Pick, act: impl Fn(&str) -> String) -> String {
        let mut out = String::new();
        for label in &pick.labels {
            let mut tests: Vec<String> = self.test(place, pick).into_iter().collect();
            if let Some(VerbCall { verb, .. }) = self.verb.stands_for.get(label) {
                let args = self.args_of(label);
                tests.push(format!("(not CAN[{verb:?}] or CAN[{verb:?}](player, {args}, it))"));
            }
            let test = if tests.is_empty() { "true".to_owned() } else { tests.join(" and ") };
            let _ = writeln!(out, "do local x = {label:?} if {test} then {} end end", act(label));
        }
        out
    }

    /// The condition on a candidate: how often it has been chosen, its function, and the next choice.
    fn test(&self, place: usize, pick: &Pick) -> Option<String> {
        let n = place + 1;
        let mut tests = Vec::new();
        if let Some(same) = pick.same {
            tests.push(format!("(not m{n} or (m{n}[x] or 0) < {same})"));
        }
        if self.has_where[place] && pick.source != Some(PickSource::Script) {
            tests.push(format!("W{n}(player, {}x, args, it)", chosen(place)));
        }
        if n < self.picks().len() {
            tests.push(format!("find{}(player, {}x, args, it{})", n + 1, chosen(place), self.made()));
        }
        (!tests.is_empty()).then(|| tests.join(" and "))
    }

    /// Parameters for the numbers of times that candidates have been chosen.
    fn made(&self) -> &'static str {
        if self.has_same() { ", m1, m2, m3" } else { "" }
    }

    fn args_of(&self, label: &str) -> String {
        let is_computed = self.computed.contains(&label);
        if is_computed {
            format!("ARGS[{label:?}](player, it or {{ source = 0 }})")
        } else {
            format!("ARGS[{label:?}]")
        }
    }

    fn shown(&self, shown: &ShownValue) -> String {
        match shown {
            ShownValue::Time => "time".to_owned(),
            ShownValue::Argument(name) => format!("args[{name:?}]"),
            ShownValue::Pick(place) => format!("c{}", place + 1),
            ShownValue::Counter(counter) => {
                format!("readi32(S, T.__C[{:?}][player])", name(&self.d.counters, *counter))
            }
        }
    }
}

/// The choices before a place, as arguments.
fn chosen(place: usize) -> String {
    (1..=place).map(|n| format!("c{n}, ")).collect()
}

fn name<T>(named: &indexmap::IndexMap<String, T>, index: usize) -> &str {
    named.get_index(index).map_or("", |(name, _)| name)
}

/// A function of a verb besides `run`.
fn function_of(functions: &LayeredFunctions, verb: &str, part: &str) -> Option<Function> {
    functions.get(&part_of(verb, part)).map(|layered| layered.function.clone())
}

/// Whether a function takes the context, after the player, the choices and the arguments.
fn takes_context(function: Option<&Function>, chosen: usize) -> bool {
    function.is_some_and(|function| {
        let info = function.info();
        info.is_vararg || usize::from(info.num_params) > 2 + chosen
    })
}
