//! The exceptions of the package, with the messages of the engine.

use motherlode::{MatchError, SetupError};
use motherlode_play::{ActionError as WrongAction, VectorError};
use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(motherlode, Error, PyException, "An error of the engine.");
pyo3::create_exception!(motherlode, ContentError, Error, "A game or a mod with faults: the message lists all of them.");
pyo3::create_exception!(motherlode, ScriptError, Error, "A script of the game failed; the state is unchanged.");
pyo3::create_exception!(motherlode, ActionError, PyValueError, "An action that is not legal; nothing has changed.");

/// Adds the exceptions to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("ContentError", py.get_type::<ContentError>())?;
    module.add("ScriptError", py.get_type::<ScriptError>())?;
    module.add("ActionError", py.get_type::<ActionError>())
}

/// An error of a match, an action or an environment, on its way to Python.
#[derive(Debug)]
pub struct Fault(PyErr);

impl From<Fault> for PyErr {
    fn from(Fault(error): Fault) -> Self {
        error
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<MatchError> for Fault {
    fn from(error: MatchError) -> Self {
        Self(match error {
            MatchError::Setup(message) => PyValueError::new_err(message),
            MatchError::OpenDraw | MatchError::NoDraw | MatchError::BadOutcome { .. } => {
                ActionError::new_err(error.to_string())
            }
            MatchError::OtherMatch | MatchError::Position(_) => PyValueError::new_err(error.to_string()),
            error => ScriptError::new_err(error.to_string()),
        })
    }
}

impl From<SetupError> for Fault {
    fn from(error: SetupError) -> Self {
        Self(PyValueError::new_err(error.to_string()))
    }
}

impl From<WrongAction> for Fault {
    fn from(error: WrongAction) -> Self {
        Self(ActionError::new_err(error.to_string()))
    }
}

impl From<VectorError> for Fault {
    fn from(error: VectorError) -> Self {
        let message = error.to_string();
        Self(match error {
            VectorError::Match { error, .. } => match error {
                MatchError::Setup(_) | MatchError::Position(_) => PyValueError::new_err(message),
                _ => ScriptError::new_err(message),
            },
            VectorError::Action { .. } => ActionError::new_err(message),
            VectorError::NotReset => PyRuntimeError::new_err(message),
            _ => PyValueError::new_err(message),
        })
    }
}
