//! A game's scripts, loaded into a VM and ready to run.

use mlua::Table;

use crate::script::luau::contribution::Contributions;
use crate::script::luau::counting::HostCounts;
use crate::script::luau::loader::{Loader, host_message};
use crate::script::luau::message::message_of;
use crate::script::luau::parts::Parts;
use crate::script::luau::raw::{FunctionRef, Vm};
use crate::script::luau::sandbox::Mode;
use crate::script::machine::VerbPlace;
use motherlode_content::diagnostic::Diagnostic;

/// A VM with all scripts of a game loaded.
#[derive(Debug)]
pub struct Program {
    /// The VM.
    pub vm: Vm,
    /// The table that holds the options of the match.
    pub options: Table,
    /// The functions of all hooks, by [`Hook::index`](crate::script::machine::Hook::index).
    pub hooks: Vec<Option<FunctionRef>>,
    /// Which layers contributed to each function.
    pub contributions: Contributions,
    /// Numbers of the running verbs, as indices into `verb_places`, innermost last; used only in [`Mode::Careful`].
    pub running: Table,
    /// Places that listed the choices of the running hook, by choice; used only in [`Mode::Careful`].
    pub listed: Table,
    /// The verbs of definitions, in [`Mode::Careful`].
    pub verb_places: Vec<VerbPlace>,
    /// Coverage counters, in [`Mode::Counting`].
    pub counting: Option<HostCounts>,
}

impl Program {
    /// Loads a game's scripts.
    ///
    /// # Errors
    /// All faults of all scripts.
    pub fn load(parts: &Parts, mode: Mode) -> Result<Self, Vec<Diagnostic>> {
        match Loader::new(parts, mode) {
            Ok(loader) => loader.run(),
            Err(error) => Err(vec![Diagnostic::of_file("host", parts.declarations.game_file(), host_message(&error))]),
        }
    }
}

impl Loader<'_> {
    fn run(mut self) -> Result<Program, Vec<Diagnostic>> {
        let d = self.d.clone();
        let lib = self.lib(&d);
        let shared = self.faults.len();
        if let Err(error) = lib.and_then(|()| self.verbs(&d)) {
            self.host_fault(&error);
        }
        if let Err(error) = self.definitions(&d).and_then(|()| self.events(&d)) {
            self.host_fault(&error);
        }
        let phases = self.phases(&d);
        let mut hooks = self.game(&d);
        hooks.extend(phases);
        if self.faults.is_empty()
            && let Err(error) = self.freeze()
        {
            let (file, line) = self.place.clone();
            self.fault("script", &file, line, message_of(&error), None);
        }
        let with_values = self.shared.get::<mlua::Function>("__with_values");
        if let Err(error) = with_values.and_then(|function| self.vm.set_with_values(&function)) {
            self.host_fault(&error);
        }
        if let Err(error) = self.shared.get::<Table>("__LABELS").and_then(|labels| self.vm.seal(&labels)) {
            self.host_fault(&error);
        }
        if shared > 0 {
            // Skip faults that a broken `lib` may cause in other scripts.
            let mut at = 0..;
            self.faults.retain(|fault| at.next() < Some(shared) || fault.code != "script");
        }
        let tables =
            self.shared.get::<Table>("__running").and_then(|running| Ok((running, self.shared.get("__listed")?)));
        if let Err(error) = &tables {
            self.host_fault(error);
        }
        if let (true, Ok((running, listed))) = (self.faults.is_empty(), tables) {
            self.shared.set_readonly(true);
            self.vm.lua().gc_restart();
            self.vm.set_price(self.price);
            let (vm, options, contributions, counting) = (self.vm, self.options, self.contributions, self.counting);
            let verb_places = self.verb_places;
            Ok(Program { vm, options, hooks, contributions, running, listed, verb_places, counting })
        } else {
            Err(self.faults)
        }
    }
}
