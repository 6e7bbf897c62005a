//! Lets the tests of hooks, verbs and choices leave their reasons; only in [`Mode::Reasons`]
//! (`std/refusals.luau`). In all other modes the tests stay as they are.
//!
//! [`Mode::Reasons`]: crate::script::luau::sandbox::Mode::Reasons

use mlua::{Function, Table};

use crate::script::luau::loader::Loader;
use motherlode_content::compose::cannot;
use motherlode_content::declare::{PickSource, Verb, VerbCall};

/// The reason of a condition that a script states without a text.
const CONDITION: &str = "Its condition is not met.";

/// The functions of a verb with choices that notice which choices have a candidate.
pub(super) struct ExplainedChoices {
    pub wheres: Table,
    pub can: Option<Function>,
    /// The table through which the code of the verb reaches the engine.
    pub shared: Table,
    complete: Option<Function>,
}

impl Loader<'_> {
    /// A test of a verb that leaves the verb's reason if nothing inside does.
    pub(super) fn refusing_verb(&self, verb: &Verb, can: Option<Function>) -> mlua::Result<Option<Function>> {
        match can {
            Some(can) if self.reasons => self.refusing(can, verb.none.map(|none| self.text(none))).map(Some),
            can => Ok(can),
        }
    }

    /// A test of a call of a verb that leaves its sentence if nothing inside leaves a reason.
    pub(super) fn refusing_call(&self, call: &VerbCall, can: Function) -> mlua::Result<Function> {
        if self.reasons { self.refusing(can, Some(cannot(self.d, call))) } else { Ok(can) }
    }

    fn refusing(&self, can: Function, fallback: Option<String>) -> mlua::Result<Function> {
        let info = can.info();
        let takes_context = info.num_params > 2 || info.is_vararg;
        self.shared.get::<Function>("__refusing")?.call((can, fallback, takes_context))
    }

    /// A test of a hook, by the ids of its definition and the hook, that records the refusal of its definition.
    pub(super) fn refusing_hook(&self, of: (&str, &str), can: Option<Function>) -> mlua::Result<Option<Function>> {
        match can {
            Some(can) if self.reasons => {
                self.shared.get::<Function>("__refusing_hook")?.call((can, CONDITION, of.0, of.1)).map(Some)
            }
            can => Ok(can),
        }
    }

    /// The functions of a verb with choices.
    pub(super) fn explained_choices(
        &self,
        verb: &Verb,
        wheres: Table,
        args: &Table,
        can: Option<Function>,
    ) -> mlua::Result<ExplainedChoices> {
        if !self.reasons {
            return Ok(ExplainedChoices { wheres, can, shared: self.shared.clone(), complete: None });
        }
        let lua = self.vm.lua();
        let (picks, calls) = (lua.create_table()?, lua.create_table()?);
        for pick in verb.picks.list.values() {
            let one = lua.create_table()?;
            one.set("none", pick.none.map(|none| self.text(none)))?;
            one.set("lists", pick.source == Some(PickSource::Script))?;
            picks.raw_push(one)?;
        }
        for (label, call) in &verb.stands_for {
            let one = lua.create_table()?;
            one.set("verb", call.verb.as_str())?;
            one.set("sentence", cannot(self.d, call))?;
            calls.raw_set(label.as_str(), one)?;
        }
        let none = verb.none.map(|none| self.text(none));
        let explaining: Function = self.shared.get("__explaining")?;
        let (wheres, can, shared, complete) = explaining.call((wheres, picks, calls, args, can, none))?;
        Ok(ExplainedChoices { wheres, can, shared, complete: Some(complete) })
    }

    fn text(&self, index: usize) -> String {
        self.d.texts.get_index(index).map(|(_, text)| text.clone()).unwrap_or_default()
    }
}

impl ExplainedChoices {
    /// The test that the code of the verb derived from its choices.
    pub(super) fn complete(self, find: Function) -> mlua::Result<Function> {
        self.complete.map_or(Ok(find.clone()), |complete| complete.call(find))
    }
}
