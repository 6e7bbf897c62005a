//! What the server is put under.

use std::path::PathBuf;
use std::time::Duration;

/// What the server is put under.
#[derive(Debug, Clone)]
pub struct Load {
    pub game: String,
    pub players: u8,
    /// Matches of the server.
    pub held: usize,
    /// Matches that are played.
    pub active: usize,
    /// Sockets at those: a seat each, the rest look on.
    pub sockets: usize,
    /// Answers a second, one rate after the other.
    pub rates: Vec<u32>,
    /// How long each rate lasts.
    pub time: Duration,
    /// The program that is measured.
    pub program: PathBuf,
}

impl Load {
    /// The load of arguments such as `held=100`.
    pub fn from_arguments(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut load = Self {
            game: "photon".to_owned(),
            players: 2,
            held: 10_000,
            active: 1_000,
            sockets: 4_000,
            rates: vec![1_000, 2_000],
            time: Duration::from_secs(15),
            program: PathBuf::from(env!("CARGO_BIN_EXE_lode")),
        };
        // Cargo says that this is a bench.
        for argument in arguments.filter(|argument| argument != "--bench") {
            let wrong = || format!("`{argument}` is no argument of this bench; see its first lines");
            let (name, value) = argument.split_once('=').ok_or_else(wrong)?;
            let number = || value.parse::<usize>().map_err(|_| format!("`{argument}`: a number is missing"));
            match name {
                "game" => value.clone_into(&mut load.game),
                "players" => load.players = number()? as u8,
                "held" => load.held = number()?,
                "active" => load.active = number()?,
                "sockets" => load.sockets = number()?,
                "seconds" => load.time = Duration::from_secs(number()? as u64),
                "program" => load.program = value.into(),
                "rates" => {
                    let rates = value.split(',').map(str::parse).collect::<Result<_, _>>();
                    load.rates = rates.map_err(|_| format!("`{argument}`: numbers with commas between them"))?;
                }
                _ => return Err(wrong()),
            }
        }
        load.active = load.active.min(load.held);
        Ok(load)
    }
}
