//! What is shown in a browser: the table (who is let in, what is said on the wire, its page), and the page of `lode report`.

mod browser;
mod designer;
mod door;
mod program;
mod report;
mod socket;
mod wire;

use std::net::TcpStream;
use std::sync::mpsc::channel;
use std::thread;

use motherlode::{Decision, Match, MatchError};
use motherlode_table::server::{Door, Players, Role, Table};

use crate::shipped::{load, root};

/// People at some seats; the others take the first choice.
struct People(&'static [u8]);

impl Players for People {
    fn is_person(&self, seat: u8) -> bool {
        self.0.contains(&seat)
    }

    fn choose(&mut self, _: &Match, _: Decision) -> Result<usize, MatchError> {
        Ok(0)
    }

    fn names(&self) -> Vec<String> {
        vec!["somebody".into(); 2]
    }
}

/// An open table.
struct Open {
    /// `127.0.0.1:4711`
    host: String,
    /// One for each role that was asked for.
    tokens: Vec<String>,
}

impl Open {
    /// Two seats guess the number of the other; the table stays open until the tests end.
    fn new(people: &'static [u8], roles: &[Role]) -> Self {
        let mut door = Door::open(0).unwrap();
        let links: Vec<String> = roles.iter().map(|role| door.link(*role).unwrap()).collect();
        let (host, _) = links[0].strip_prefix("http://").unwrap().split_once('/').unwrap();
        let tokens = links.iter().map(|link| link.split_once("#t=").unwrap().1.to_owned()).collect();
        let (ready, is_ready) = channel();
        // A match stays in its thread.
        thread::spawn(move || {
            let game = load(&root().join("tests/fixtures/knowledge"), "die");
            let setup = game.setup(Some(2), &[], 5).unwrap();
            let mut played = Match::new(&game, &setup).unwrap();
            played.set_logging(true);
            let mut table = Table::new(played, Box::new(People(people)), Box::new(|_| {}));
            ready.send(()).unwrap();
            door.serve(&mut table);
        });
        is_ready.recv().unwrap();
        Self { host: host.to_owned(), tokens }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.host).unwrap()
    }
}

/// The role of a player without powers.
fn seat(seat: u8) -> Role {
    Role { seat: Some(seat), designer: false }
}
