//! Browser pages: the table (access, wire protocol, page) and the page of `lode report`.

mod browser;
mod client;
mod consent;
mod courses;
mod crowd;
mod designer;
mod door;
mod durable;
mod editor;
mod edits;
mod figures;
mod gallery;
mod images;
mod laid;
mod load;
mod motion;
mod people;
mod places;
mod player;
mod pointer;
mod print;
mod program;
mod rematch;
mod report;
mod several;
mod socket;
mod tricks;
mod wire;

use std::net::TcpStream;
use std::sync::Arc;
use std::thread;

use motherlode::{Decision, Game, Match, MatchError};
use motherlode_table::server::{Door, Hall, Limits, MatchRecord, Players, Role, Rules};

use crate::shipped::{load, root};

/// The seats of people. The other seats take the first choice.
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
    /// For example `127.0.0.1:4711`.
    host: String,
    /// One token for each requested role.
    tokens: Vec<String>,
}

impl Open {
    /// Two seats guess each other's number. The table stays open until the tests end.
    fn new(people: &'static [u8], roles: &[Role]) -> Self {
        Self::limited(people, roles, Limits::default())
    }

    /// The same table with other limits.
    fn limited(people: &'static [u8], roles: &[Role], limits: Limits) -> Self {
        let game = load(&root().join("tests/fixtures/knowledge"), "die");
        Self::of(&game, 2, people, roles, limits)
    }

    /// A table of a game for this number of players.
    fn of(game: &Game, players: u8, people: &'static [u8], roles: &[Role], limits: Limits) -> Self {
        let mut hall = Hall::new(rules(game, players, people)).limited(limits);
        let of = hall.add(MatchRecord::new(game.setup(Some(players), &[], 5).unwrap()));
        let mut door = Door::open(0).unwrap();
        let links: Vec<String> = roles.iter().map(|role| door.link(of, *role).unwrap()).collect();
        let host = format!("127.0.0.1:{}", door.port());
        let tokens = links.iter().map(|link| token(link)).collect();
        thread::spawn(move || door.serve(hall).unwrap());
        Self { host, tokens }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.host).unwrap()
    }
}

/// A game with people at some seats.
fn rules(game: &Game, players: u8, people: &'static [u8]) -> Rules {
    let invite = move || -> Result<Box<dyn Players>, String> { Ok(Box::new(People(people))) };
    Rules::new(game, players, Arc::new(invite), Default::default(), Default::default()).unwrap()
}

/// The secret part of a link.
fn token(link: &str) -> String {
    link.split_once("#t=").unwrap().1.to_owned()
}

/// The role of a player without extra powers.
fn seat(seat: u8) -> Role {
    Role { seat: Some(seat), designer: false }
}
