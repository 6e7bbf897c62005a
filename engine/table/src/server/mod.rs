//! The table in the browser: a server for one match, on this machine.
//!
//! A [`Table`] holds the match and stays in its thread; a [`Door`] answers requests in a thread of its own and passes on what is said.
//! A browser gets the view of its seat and nothing else: [`Viewer`] makes each message of that view and of what the seat was sent before.
//!
//! Whoever has a link may sit down. Its secret stands in the fragment, which browsers send to nobody; the page offers it when it opens
//! the socket. See `gate.rs` for who is refused, and `message.rs` for the messages.
//!
//! Direction: message, workshop <- viewer <- table <- designer, gate, page <- routes

mod designer;
mod gate;
mod message;
mod page;
mod routes;
mod table;
mod viewer;
mod workshop;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::mpsc::channel;
use std::thread;

pub use gate::{Gate, HEADERS};
pub use message::{LONGEST, Refusal, Said};
pub use page::FILES;
pub use routes::{SOCKET, paths};
pub use table::{Event, Players, Renewed, Role, Table};
pub use viewer::Viewer;
pub use workshop::{Estimated, Workshop};

/// The door of a table: an address of this machine that nobody else reaches.
#[derive(Debug)]
pub struct Door {
    listener: TcpListener,
    gate: Gate,
}

impl Door {
    /// A door at this port; 0: any that is free.
    ///
    /// # Errors
    /// The port is taken.
    pub fn open(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        let gate = Gate::new(listener.local_addr()?);
        Ok(Self { listener, gate })
    }

    /// A link for a role.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn link(&mut self, role: Role) -> io::Result<String> {
        self.gate.link(role).map_err(|error| io::Error::other(error.to_string()))
    }

    /// Answers, and plays the match of the table; does not return while the door is open.
    pub fn serve(self, table: &mut Table<'_>) {
        let (events, received) = channel();
        let Self { listener, gate } = self;
        let door = thread::Builder::new().name("door".into()).spawn(move || routes::answer(listener, gate, events));
        if door.is_ok() {
            table.run(&received);
        }
    }
}
