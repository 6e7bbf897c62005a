//! The table in the browser: a server for matches, on this machine.
//!
//! A [`Hall`] holds the tables, and its threads attend to them; a [`Door`] answers requests in a thread of its own and passes on what is
//! said. A browser gets the view of its seat and nothing else: [`Viewer`] makes each message of that view and of what the seat was sent
//! before. With a [`Journal`], whatever happens in a match is on a disk before anybody hears of it.
//!
//! Whoever has a link may sit down. Its secret stands in the fragment, which browsers send to nobody; the page offers it when it opens
//! the socket. See `gate.rs` for who is refused, and `message.rs` for the messages.
//!
//! Direction: course, frames, limits, message, page, workshop <- client, requests, rules, viewer <- branches, gate <- crowd <- wires <- journal <- table <- consent, consult, designer, edits, secret <- hall <- routes

mod branches;
mod client;
mod consent;
mod consult;
mod course;
mod crowd;
mod designer;
mod edits;
mod frames;
mod gate;
mod hall;
mod journal;
mod limits;
mod message;
mod page;
mod requests;
mod routes;
mod rules;
mod secret;
mod table;
mod viewer;
mod wires;
mod workshop;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::thread;

pub use client::Role;
pub use course::{Course, Deed, Note};
pub use gate::{Gate, HEADERS, Key};
pub use hall::Hall;
pub use journal::{Commit, FILE, Head, Journal, JournalError, Kept};
pub use limits::Limits;
pub use message::{LONGEST, Refusal, Said};
pub use page::FILES;
pub use routes::{PROTOCOL, SOCKET, paths};
pub use rules::{Invite, Players, Renewed, Rules};
pub use table::Save;
pub use viewer::Viewer;
pub use workshop::{Estimated, Trial, Workshop};

/// Connections that may wait for the door: a crowd that comes at once does not keep others waiting for a second try.
#[cfg(unix)]
const BACKLOG: i32 = 4096;

/// The door of a hall: an address of this machine that nobody else reaches.
#[derive(Debug)]
pub struct Door {
    listener: TcpListener,
    gate: Gate,
    address: SocketAddr,
}

impl Door {
    /// A door at this port; 0: any that is free.
    ///
    /// # Errors
    /// The port is taken.
    pub fn open(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        #[cfg(unix)]
        rustix::net::listen(&listener, BACKLOG)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, gate: Gate::new(address), address })
    }

    /// Its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// A link to a match for a role.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn link(&mut self, of: u32, role: Role) -> io::Result<String> {
        self.gate.link(of, role).map_err(|error| io::Error::other(error.to_string()))
    }

    /// Whoever may come in.
    pub fn gate(&mut self) -> &mut Gate {
        &mut self.gate
    }

    /// Answers, and lets the matches of the hall be played; does not return while the door is open.
    ///
    /// # Errors
    /// The system refuses, or what happens cannot be kept any more.
    pub fn serve(self, hall: Hall) -> io::Result<()> {
        let Self { listener, gate, .. } = self;
        let hall = hall.open()?;
        let floor = hall.floor();
        let door = thread::Builder::new().name("door".into()).spawn(move || routes::answer(listener, gate, floor))?;
        hall.wait(|| !door.is_finished())
    }
}
