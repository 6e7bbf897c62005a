//! Python callables as bots.

use std::sync::{Arc, Mutex, PoisonError};

use motherlode::{ActionList, Decision, Game, Match, MatchError};
use motherlode_play::{Bot, Environment, GuestBot};
use numpy::IntoPyArray as _;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::ActionError;
use crate::wait::Flags;

/// A callable with everything that its bots share.
struct Policy {
    call: Py<PyAny>,
    environment: Arc<Environment>,
    flags: &'static Flags,
    /// The first exception, which ends the run.
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Policy {
    fn raise(&self, error: PyErr) {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.flags.stop.store(true, std::sync::atomic::Ordering::SeqCst);
        self.flags.halt.store(true, std::sync::atomic::Ordering::SeqCst);
    }
}

/// Registers a callable as a bot for a run.
pub fn register(
    call: &Bound<'_, PyAny>,
    environment: &Arc<Environment>,
    flags: &'static Flags,
    raised: &Arc<Mutex<Option<PyErr>>>,
) -> GuestBot {
    let of = |call: &Bound<'_, PyAny>| {
        ["__name__", "name"].iter().find_map(|key| call.getattr(*key).ok()?.extract::<String>().ok())
    };
    // A `functools.partial` has the function in `func`.
    let name = of(call).or_else(|| of(&call.getattr("func").ok()?));
    let of_type = || call.get_type().name().map_or_else(|_| "policy".to_owned(), |name| name.to_string());
    let name = name.unwrap_or_else(of_type);
    let policy = Arc::new(Policy {
        call: call.clone().unbind(),
        environment: Arc::clone(environment),
        flags,
        raised: Arc::clone(raised),
    });
    GuestBot::register(&name.clone(), move |_: &Game| {
        Box::new(PolicyBot { name: name.clone(), policy: Arc::clone(&policy), list: ActionList::default() })
    })
}

/// Adds a line below the message of an exception. Python 3.10 has no such lines.
fn add_note(error: &PyErr, note: &str) {
    Python::attach(|py| drop(error.value(py).call_method1("add_note", (note,))));
}

/// A bot that asks a callable.
struct PolicyBot {
    name: String,
    policy: Arc<Policy>,
    list: ActionList,
}

impl PolicyBot {
    fn ask(&mut self, m: &Match, seat: u8) -> PyResult<usize> {
        let environment = &self.policy.environment;
        let mut mask = vec![false; environment.actions.len()];
        for action in self.list.actions.iter().flatten() {
            mask[*action as usize] = true;
        }
        let mut observation = vec![0.0_f32; environment.observations.len()];
        environment.observations.write(m, seat, &mut observation);
        let action: i64 = Python::attach(|py| {
            let called = self.policy.call.call1(py, (observation.into_pyarray(py), mask.into_pyarray(py)))?;
            let called = called.bind(py);
            called.call_method0("__index__").and_then(|index| index.extract()).map_err(|_| {
                let shown = called.repr().map_or_else(|_| "something else".to_owned(), |text| text.to_string());
                PyTypeError::new_err(format!("bot `{}` returned {shown}: return an action, an integer", self.name))
            })
        })?;
        let chosen = environment.choice(action, &self.list.actions);
        chosen.map_err(|error| ActionError::new_err(format!("bot `{}`: {error}", self.name)))
    }
}

impl Bot for PolicyBot {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        let mut list = std::mem::take(&mut self.list);
        let listed = self.policy.environment.list(m, &mut list);
        self.list = list;
        listed?;
        self.ask(m, d.seat).map_err(|error| {
            let (game, seed) = (&m.game().declarations().id, m.setup().seed);
            add_note(&error, &format!("asked as player {} of `{game}`, in a match with seed {seed}", d.seat));
            self.policy.raise(error);
            MatchError::Halted
        })
    }

    fn reseed(&mut self, seed: u64) {
        let reset = Python::attach(|py| match self.policy.call.bind(py).getattr_opt("reset")? {
            Some(reset) => reset.call1((seed,)).map(drop),
            None => Ok(()),
        });
        if let Err(error) = reset {
            self.policy.raise(error);
        }
    }
}
