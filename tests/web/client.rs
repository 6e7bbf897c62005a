//! A client without a page: one socket.

use std::net::TcpStream;
use std::time::Duration;

use motherlode_table::server::{PROTOCOL, SOCKET};
use serde_json::Value;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use super::Open;

/// A client without a page.
pub struct Client(pub WebSocket<TcpStream>);

impl Client {
    pub fn new(table: &Open, token: usize, known: Option<&str>) -> Self {
        Self::at(&table.host, &table.tokens[token], known).unwrap()
    }

    /// Opens a socket with the token of a link.
    pub fn at(host: &str, token: &str, known: Option<&str>) -> Result<Self, Box<tungstenite::Error>> {
        let mut request = format!("ws://{host}{SOCKET}").into_client_request().unwrap();
        let known = known.map(|known| format!(", known.{known}")).unwrap_or_default();
        let headers = request.headers_mut();
        headers.insert("origin", format!("http://{host}").parse().unwrap());
        headers.insert("sec-websocket-protocol", format!("{PROTOCOL}, token.{token}{known}").parse().unwrap());
        let stream = TcpStream::connect(host).map_err(|error| Box::new(error.into()))?;
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(tungstenite::HandshakeError::Failure(error)) => Err(Box::new(error)),
            Err(tungstenite::HandshakeError::Interrupted(_)) => panic!("the stream waits"),
        }
    }

    /// A new client, and the whole table that it receives.
    pub fn join(host: &str, token: &str) -> (Self, Value) {
        let mut client = Self::at(host, token, None).unwrap();
        assert!(client.hear().unwrap()["skeleton"].is_object());
        let table = client.hear().unwrap();
        assert!(table["table"].is_object(), "{table}");
        (client, table)
    }

    /// The next message, except those about presence; `None`: the table has closed the socket.
    pub fn hear(&mut self) -> Option<Value> {
        loop {
            let message = self.hear_any()?;
            if !message["presence"].is_object() {
                return Some(message);
            }
        }
    }

    /// The seats that are here, in the next message about presence.
    pub fn hear_presence(&mut self) -> Value {
        loop {
            let message = self.hear_any().expect("the table goes on");
            if message["presence"].is_object() {
                return message["presence"]["here"].clone();
            }
        }
    }

    fn hear_any(&mut self) -> Option<Value> {
        match self.0.read() {
            Ok(Message::Text(text)) => Some(serde_json::from_str(&text).unwrap()),
            Ok(Message::Ping(_) | Message::Pong(_)) => self.hear_any(),
            Ok(Message::Close(_)) | Err(_) => None,
            Ok(other) => panic!("{other:?}"),
        }
    }

    pub fn say(&mut self, message: &Value) {
        self.send(&message.to_string());
    }

    pub fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).unwrap();
    }

    /// The reason in the next refusal.
    pub fn refusal(&mut self) -> String {
        let heard = self.hear().unwrap();
        heard["refused"]["code"].as_str().unwrap_or_else(|| panic!("{heard}")).to_owned()
    }
}

/// The part of a message beside the view.
pub fn beside(message: &Value) -> &Value {
    let of = if message["table"].is_object() { &message["table"] } else { &message["patch"] };
    assert!(of["beside"].is_object(), "{message}");
    &of["beside"]
}

/// The number of the question.
pub fn decision(message: &Value) -> u64 {
    beside(message)["decision"].as_u64().unwrap()
}
