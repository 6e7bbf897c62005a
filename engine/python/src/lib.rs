//! The Python package `motherlode`: games, states and vector environments.
//!
//! Python sees no match, because a match stays in its thread. A `State` is a snapshot, and each thread
//! restores it into the match that it keeps for the game (`with_match` of `motherlode-play`). So states can be copied
//! by the million and used in any thread. A `Game` keeps the files that it was loaded from, so that it can be pickled.
//!
//! Direction: error, exclusive, number, wait <- chance, content, path <- match_state <- state, vector <- game <- bot <- lab, loading <- self
#![forbid(unsafe_code)]

mod bot;
mod chance;
mod content;
mod error;
mod exclusive;
mod game;
mod lab;
mod loading;
mod match_state;
mod number;
mod path;
mod state;
mod vector;
mod wait;

use pyo3::prelude::*;

/// The compiled part of the package.
#[pymodule]
fn _motherlode(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<game::Game>()?;
    module.add_class::<game::Part>()?;
    module.add_class::<lab::Run>()?;
    module.add_class::<lab::Trainer>()?;
    module.add_class::<game::Utility>()?;
    module.add_class::<state::State>()?;
    module.add_class::<vector::Vector>()?;
    module.add_class::<bot::Bot>()?;
    module.add_function(wrap_pyfunction!(loading::load, module)?)?;
    module.add_function(wrap_pyfunction!(loading::load_copy, module)?)?;
    module.add_function(wrap_pyfunction!(loading::games, module)?)?;
    module.add_function(wrap_pyfunction!(loading::episode_seed, module)?)?;
    module.add_function(wrap_pyfunction!(lab::default_bot, module)?)?;
    module.add_function(wrap_pyfunction!(lab::exploit, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    // The package compares it with its own file, to find out whether the compiled part is older or newer.
    module.add("_STUB", include_str!("../python/motherlode/_motherlode.pyi"))?;
    error::add(module)
}
