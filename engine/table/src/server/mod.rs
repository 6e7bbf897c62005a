//! The browser table: a local server for matches.
//!
//! A [`Hall`] holds the tables, and its threads serve them. A [`Door`] accepts connections in its own thread
//! and passes on their messages. A browser receives only the view of its seat: [`Viewer`] derives each message
//! from that view and from the messages before. With a [`Journal`], every event of a match is on disk before
//! any browser learns of it.
//!
//! A link grants access to a table. Its secret is in the URL fragment, which browsers never send; the page
//! passes the secret on when it opens the socket. `gate.rs` decides on access, and `message.rs` defines the
//! messages.
//!
//! Direction: editor, frames, image, limits, match_record <- message, page, workshop <- client, rules, undo_limits, viewer
//! <- branches, gate, reach, worker_match <- connections <- listener <- journal <- table
//! <- consent, consult, designer, edits, ending, presence, preview, reasons, secret, several <- hall <- routes

mod branches;
mod client;
mod connections;
mod consent;
mod consult;
mod designer;
mod editor;
mod edits;
mod ending;
mod frames;
mod gate;
mod hall;
mod image;
mod journal;
mod limits;
mod listener;
mod match_record;
mod message;
mod page;
mod presence;
mod preview;
mod reach;
mod reasons;
mod routes;
mod rules;
mod secret;
mod several;
mod table;
mod undo_limits;
mod viewer;
mod worker_match;
mod workshop;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::thread;

pub use client::Role;
pub use editor::{
    CardDraft, CardField, CardForm, CellEdit, CheckedCard, FieldFault, SavedText, VerbHelp, card_form, check_card,
};
pub use gate::{Gate, HEADERS, LinkHash};
pub use hall::Hall;
pub use journal::{Commit, FILE, Journal, JournalContents, JournalError, JournalHeader};
pub use limits::Limits;
pub use match_record::{JournalEvent, MatchRecord, Note};
pub use message::{AnswerLine, ChoicePreview, ClientMessage, LONGEST, LONGEST_OF_DESIGNER, Refusal};
pub use page::FILES;
pub use routes::{PROTOCOL, SOCKET, paths};
pub use rules::{NewRules, Players, PlayersFactory, Rules};
pub use table::Save;
pub use viewer::{StepWords, Viewer};
pub use workshop::{ChoiceEstimate, DesignerTools, EditorWork, EstimateUpdate};

/// Length of the accept queue: long enough for a sudden crowd, so that no browser has to retry.
#[cfg(unix)]
const BACKLOG: i32 = 4096;

/// The local address of a server, with its access control.
#[derive(Debug)]
pub struct Door {
    listener: TcpListener,
    gate: Gate,
    address: SocketAddr,
}

impl Door {
    /// Listens on a port; 0: any free port.
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

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Creates a link to a match for a role.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn link(&mut self, of: u32, role: Role) -> io::Result<String> {
        self.gate.link(of, role).map_err(|error| io::Error::other(error.to_string()))
    }

    /// The access control.
    pub fn gate(&mut self) -> &mut Gate {
        &mut self.gate
    }

    /// Serves requests and runs the matches of the hall until the server stops.
    ///
    /// # Errors
    /// The network or the journal fails.
    pub fn serve(self, hall: Hall) -> io::Result<()> {
        let Self { listener, gate, .. } = self;
        let hall = hall.open()?;
        let tables = hall.shared();
        let door = thread::Builder::new().name("door".into()).spawn(move || routes::answer(listener, gate, tables))?;
        hall.wait(|| !door.is_finished())
    }
}
