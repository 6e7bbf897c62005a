//! Integration tests of the whole: one binary, one module a subject.

#[path = "../benches/twins/mod.rs"]
mod twins;

mod cli;
