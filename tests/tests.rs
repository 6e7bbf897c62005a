//! Integration tests of the whole project: one binary, one module per subject.

#[path = "../benches/playouts/clock.rs"]
#[allow(dead_code, reason = "the benches use all of it")]
mod clock;
#[path = "../benches/playouts/history.rs"]
mod history;
#[path = "../benches/twins/mod.rs"]
mod twins;

mod cards;
mod checking;
mod cli;
mod conservation;
mod deciding;
mod determinism;
mod docs;
mod engine;
mod environment;
mod fuzz;
mod handbook;
mod hostile;
mod imperial_miners;
mod knowledge;
mod lagoon;
mod leaks;
mod lsp;
mod machine_code;
mod mods;
mod mutations;
mod oracles;
mod pictures;
mod playthroughs;
mod positions;
mod properties;
mod rooms;
mod rules;
mod schema;
mod setups;
mod shipped;
mod speed;
mod streams;
mod style;
mod table;
mod trading;
mod verbs;
mod walls;
#[cfg(feature = "table")]
mod web;
