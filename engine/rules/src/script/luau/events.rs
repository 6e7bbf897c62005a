//! Loads what events and listeners do: `reactions.luau`, and lists of verbs.

use mlua::{Function, Table};

use crate::script::luau::aims;
use crate::script::luau::layers::LayeredFunctions;
use crate::script::luau::loader::Loader;
use motherlode_content::declare::{Bearer, Declarations, ListenerAction};

/// Functions of `reactions.luau` besides those of events and listeners: `check` runs after each event.
pub const EVENT_HOOKS: [&str; 1] = ["check"];

impl Loader<'_> {
    /// Loads the functions of events and of the listeners of the game, and the lists of verbs of all listeners.
    pub(super) fn events(&mut self, d: &Declarations) -> mlua::Result<()> {
        let scripted = |listener: &&motherlode_content::declare::Listener| {
            !matches!(listener.bearer, Bearer::Definition(_)) && matches!(listener.action, ListenerAction::Script(_))
        };
        let events = d.events.iter().filter(|(_, event)| event.may_be_emitted()).map(|(name, _)| name.as_str());
        let own = d.listeners.iter().filter(scripted).map(|listener| listener.name.as_str());
        let known: Vec<&str> = events.chain(own).chain(EVENT_HOOKS).collect();
        let mut functions = LayeredFunctions::new();
        for script in d.scripts_of("reactions") {
            let Some(table) = self.run_script(script) else { continue };
            let new = self.functions(script, &table, &known, "event or listener");
            self.add_layer(&mut functions, new, script, "reactions.");
        }
        let (actions, given): (Table, Table) = (self.shared.get("__ACTION")?, self.shared.get("__GIVEN")?);
        for (name, layered) in &functions {
            if let Some(event) = d.events.get_index_of(name) {
                actions.raw_set(event, &layered.function)?;
            } else if EVENT_HOOKS.contains(&name.as_str()) {
                given.raw_set(name.as_str(), &layered.function)?;
            }
        }
        for (index, listener) in d.listeners.iter().enumerate() {
            self.place = (listener.place.file.clone(), listener.place.line);
            self.targets = aims::fields(d, &listener.aims);
            match &listener.action {
                ListenerAction::Nothing => {}
                ListenerAction::Reset(counter) => {
                    let reset: Function = self.shared.get::<Function>("__resetting")?.call(*counter)?;
                    self.set_reaction(index, Some(&reset))?;
                }
                ListenerAction::Verbs(calls) => {
                    let of = match listener.bearer {
                        Bearer::Definition(definition) => {
                            let definition = &d.definitions[definition];
                            let kind = d.kinds.get_index(definition.kind).map_or("", |(name, _)| name.as_str());
                            (kind, definition.id.as_str(), listener.moment.word())
                        }
                        _ => ("reactions", listener.name.as_str(), listener.moment.word()),
                    };
                    let effect = self.effect(of, calls)?;
                    let reaction: Function = self.shared.get::<Function>("__reaction")?.call(effect)?;
                    self.set_reaction(index, Some(&reaction))?;
                    if listener.may.is_some() {
                        let usable = self.usable(d, of, calls)?;
                        self.shared.get::<Table>("__CAN_REACT")?.raw_set(index + 1, usable)?;
                    }
                }
                ListenerAction::Script(_) if matches!(listener.bearer, Bearer::Definition(_)) => {}
                ListenerAction::Script(name) => {
                    self.set_reaction(index, functions.get(name).map(|layered| &layered.function))?;
                }
            }
        }
        Ok(())
    }

    /// Sets the function of a listener (index into `listeners`). Reports a missing one.
    pub(super) fn set_reaction(&mut self, listener: usize, function: Option<&Function>) -> mlua::Result<()> {
        if let Some(function) = function {
            return self.shared.get::<Table>("__RUN")?.raw_set(listener + 1, function);
        }
        let listener = &self.d.listeners[listener];
        if let (ListenerAction::Script(name), true) = (&listener.action, self.faults.is_empty()) {
            let (file, line) = (listener.place.file.clone(), listener.place.line);
            let message = format!("listener `{}` has no function `{name}`", listener.name);
            let stem = match listener.bearer {
                Bearer::Definition(definition) => {
                    self.d.kinds.get_index(self.d.definitions[definition].kind).map_or("", |(kind, _)| kind.as_str())
                }
                _ => "reactions",
            };
            let help = format!("add `{name} = function(it) ... end` to {stem}.luau");
            self.fault("missing-script", &file, line, message, Some(help));
        }
        Ok(())
    }
}
