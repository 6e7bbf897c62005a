//! Meters VMs that run no match, at the same prices: rule tests run in a sandbox of their own.

use std::rc::Rc;

use mlua::chunk::Compiler;
use mlua::{Function, Lua, Table, Value};

use crate::script::bytecode::functions;
use crate::script::luau::meter::meter_of;
use crate::script::luau::raw;
use crate::script::luau::sandbox::{ABSENT, LIBRARIES, METERED, NO_BUILTINS};
use crate::script::luau::stretch::{MAX_SUMS, Stretch};
use crate::script::machine::budget::{Budget, Price, TOO_LONG};

/// The price of a guest's steps, given by the longest stretches of its scripts.
#[derive(Debug, Clone, Copy)]
pub struct GuestPrice(Price);

impl Default for GuestPrice {
    fn default() -> Self {
        Self(Price::LEAST)
    }
}

impl GuestPrice {
    /// Compiles a script and raises the price to that of its longest stretch. `None`: the script does not compile;
    /// loading its source gives the error.
    ///
    /// # Errors
    /// A stretch is too long: the line of its function, and a message.
    pub fn compile(&mut self, source: &str) -> Result<Option<Vec<u8>>, (usize, String)> {
        let Ok(code) = Compiler::new().set_disabled_builtins(NO_BUILTINS).compile(source) else { return Ok(None) };
        let Some(functions) = functions(&code) else { return Ok(None) };
        let stretch = Stretch::of(&functions);
        if let Some(line) = stretch.too_long() {
            let message = format!("more than {MAX_SUMS} arithmetic operations without a loop or a call");
            return Err((line, message));
        }
        self.0 = self.0.with_source(source);
        self.0.stretch = self.0.stretch.max(stretch.guest_price());
        self.0.sums = self.0.sums.max(1 + stretch.sums());
        Ok(Some(code))
    }

    /// Raises the price by the largest objects that the guest has made since the last [`Guest::allow`].
    #[must_use]
    pub fn with_made_objects(self, guest: &Guest) -> Self {
        Self(self.0.with_made_objects(&guest.0))
    }
}

/// The step budget of a VM that runs no match.
#[derive(Debug, Clone, Default)]
pub struct Guest(Rc<Budget>);

impl Guest {
    /// Meters a VM: its safepoints, its allocations and its library. Removes library functions that have no meter.
    /// The VM must already have an interrupt, which is then called only when a step is refused.
    ///
    /// # Errors
    /// The VM is out of memory.
    pub fn meter(&self, lua: &Lua) -> mlua::Result<()> {
        let globals = lua.globals();
        let mut slots = Vec::new();
        for name in METERED.into_iter().chain(["tostring"]) {
            let (metered, slot) = raw::metered(lua, &globals.get::<Function>(name)?, name, meter_of("", name))?;
            globals.raw_set(name, metered)?;
            slots.push(slot);
        }
        for library in LIBRARIES {
            let table: Table = globals.get(library)?;
            for name in ABSENT.iter().filter(|(of, _)| *of == library).flat_map(|(_, names)| *names) {
                table.raw_set(*name, Value::Nil)?;
            }
            let functions: Vec<(String, Value)> = table.pairs().flatten().collect();
            for (name, value) in functions {
                let Value::Function(function) = value else { continue };
                let (metered, slot) = raw::metered(lua, &function, &name, meter_of(library, &name))?;
                table.raw_set(name, metered)?;
                slots.push(slot);
            }
        }
        // The functions point to the slots as long as the VM lives.
        lua.set_app_data(slots);
        raw::count_steps(lua, &self.0)
    }

    /// Sets the budget: this many steps, at this price.
    pub fn allow(&self, steps: u64, GuestPrice(price): GuestPrice) {
        self.0.allow(i64::try_from(steps).unwrap_or(i64::MAX), price);
    }

    /// Steps left; negative if the budget is overdrawn.
    #[must_use]
    pub fn left(&self) -> i64 {
        self.0.left()
    }

    /// Takes steps.
    pub fn charge(&self, steps: u64) {
        self.0.charge(i64::try_from(steps).unwrap_or(i64::MAX));
    }

    /// Why the guest must stop; `None`: it may continue.
    #[must_use]
    pub fn refusal(&self) -> Option<Refusal> {
        self.0.fault().map(|fault| if fault == TOO_LONG { Refusal::TooLong(fault) } else { Refusal::Spent })
    }
}

/// Why a guest must stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// All steps are used up.
    Spent,
    /// The guest has made a text that is too long.
    TooLong(&'static str),
}
