//! Loading: a VM with the scripts of a pack, and the hooks found in them.

use mlua::Table;

use crate::script::counting::Counting;
use crate::script::hooks::PhaseHooks;
use crate::script::layers::Contributions;
use crate::script::loader::Loader;
use crate::script::parts::Parts;
use crate::script::raw::{Func, Vm};
use crate::script::sandbox::Mode;
use motherlode_content::diagnostic::Diagnostic;

/// A VM with everything of a pack loaded.
#[derive(Debug)]
pub struct Loaded {
    /// The VM.
    pub vm: Vm,
    /// The table the host writes the options of a match into.
    pub options: Table,
    /// Hooks of the phases, as declared.
    pub phases: Vec<PhaseHooks>,
    /// `setup` of the game.
    pub setup: Option<Func>,
    /// `finish` of the game.
    pub finish: Option<Func>,
    /// Which layers contributed to each function.
    pub contributions: Contributions,
    /// What runs, if it is counted.
    pub counting: Option<Counting>,
}

/// Loads a pack's scripts. All faults of all scripts come back at once.
pub fn load(parts: &Parts, mode: Mode) -> Result<Loaded, Vec<Diagnostic>> {
    match Loader::new(parts, mode) {
        Ok(loader) => loader.run(),
        Err(error) => {
            Err(vec![Diagnostic::of_file("host", "scripts", format!("the script host did not start: {error}"))])
        }
    }
}

impl Loader<'_> {
    fn run(mut self) -> Result<Loaded, Vec<Diagnostic>> {
        let d = self.d.clone();
        let lib = self.lib(&d);
        let shared = self.faults.len();
        if let Err(error) = lib.and_then(|()| self.verbs(&d)) {
            self.fault("host", "scripts", 1, error.to_string(), None);
        }
        if let Err(error) = self.definitions(&d) {
            self.fault("host", "scripts", 1, error.to_string(), None);
        }
        let phases = self.phases(&d);
        let (setup, finish) = self.game(&d);
        if let Err(error) = self.shared.get::<Table>("__LABELS").and_then(|labels| self.vm.seal(&labels)) {
            self.fault("host", "scripts", 1, error.to_string(), None);
        }
        if shared > 0 {
            // What other scripts miss of a broken `lib` is no fault of theirs.
            let mut at = 0..;
            self.faults.retain(|fault| at.next() < Some(shared) || fault.code != "script");
        }
        if self.faults.is_empty() {
            self.shared.set_readonly(true);
            self.vm.lua().gc_restart();
            self.vm.set_price(self.price);
            let (vm, options, contributions, counting) = (self.vm, self.options, self.contributions, self.counting);
            Ok(Loaded { vm, options, phases, setup, finish, contributions, counting })
        } else {
            Err(self.faults)
        }
    }
}
