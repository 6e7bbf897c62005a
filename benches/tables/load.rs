//! The load that a bench puts on a server.

use std::path::PathBuf;
use std::time::Duration;

/// Load on a server.
#[derive(Debug, Clone)]
pub struct Load {
    pub game: String,
    pub players: u8,
    /// Matches that the server holds.
    pub held: usize,
    /// Matches that are played at the same time.
    pub active: usize,
    /// Sockets at the played matches: one for each seat, the rest for spectators.
    pub sockets: usize,
    /// Answers a second, one rate after another.
    pub rates: Vec<u32>,
    /// Time for each rate.
    pub time: Duration,
    /// Measured program.
    pub program: PathBuf,
    /// Folder for its matches.
    pub folder: PathBuf,
    /// Also measures boardgame.io.
    pub beside: bool,
}

impl Load {
    /// Reads arguments such as `held=100`.
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
            folder: std::env::temp_dir(),
            beside: true,
        };
        // Cargo adds `--bench`.
        for argument in arguments.filter(|argument| argument != "--bench") {
            let wrong = || format!("unknown argument `{argument}`: see the first lines of benches/tables.rs");
            let (name, value) = argument.split_once('=').ok_or_else(wrong)?;
            let number = || value.parse::<usize>().map_err(|_| format!("`{argument}`: use a whole number"));
            match name {
                "game" => value.clone_into(&mut load.game),
                "players" => load.players = u8::try_from(number()?).map_err(|error| error.to_string())?,
                "held" => load.held = number()?,
                "active" => load.active = number()?,
                "sockets" => load.sockets = number()?,
                "seconds" => load.time = Duration::from_secs(number()? as u64),
                "program" => load.program = value.into(),
                "folder" => load.folder = value.into(),
                "beside" if value == "nothing" => load.beside = false,
                "rates" => {
                    let rates = value.split(',').map(str::parse).collect::<Result<_, _>>();
                    load.rates =
                        rates.map_err(|_| format!("`{argument}`: use whole numbers with commas between them"))?;
                }
                _ => return Err(wrong()),
            }
        }
        load.active = load.active.clamp(1, load.held.max(1));
        Ok(load)
    }
}
