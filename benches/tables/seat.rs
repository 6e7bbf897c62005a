//! A seat of a match at the other end of a socket. It reads only the parts of a message that a random player needs.

use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::handshake::client::Request;

/// Protocol of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Protocol of `lode table`.
    Lode,
    /// Protocol of boardgame.io, within socket.io.
    BoardgameIo,
}

/// A seat with its pending question.
#[derive(Debug)]
pub struct Seat {
    language: Language,
    secret: String,
    /// Number of the question, and how many choices it has.
    pub asked: Option<(u32, usize)>,
    pub over: bool,
    /// Number of refused answers.
    pub refused: usize,
}

impl Seat {
    pub fn new(language: Language, secret: &str) -> Self {
        Self { language, secret: secret.to_owned(), asked: None, over: false, refused: 0 }
    }

    /// Request that opens the socket.
    pub fn request(&self, host: &str) -> Result<Request, Error> {
        let path = match self.language {
            Language::Lode => "socket",
            Language::BoardgameIo => "socket.io/?EIO=4&transport=websocket",
        };
        let mut request = format!("ws://{host}/{path}").into_client_request()?;
        let headers = request.headers_mut();
        headers.insert("origin", format!("http://{host}").parse()?);
        if self.language == Language::Lode {
            headers.insert("sec-websocket-protocol", format!("lode.2, token.{}", self.secret).parse()?);
        }
        Ok(request)
    }

    /// Reads a message; returns the reply that the protocol demands.
    pub fn hear(&mut self, text: &str) -> Option<String> {
        match self.language {
            Language::Lode => {
                self.hear_lode(text);
                None
            }
            Language::BoardgameIo => self.hear_boardgame_io(text),
        }
    }

    fn hear_lode(&mut self, text: &str) {
        let Ok(heard) = serde_json::from_str::<TableMessage>(text) else { return };
        self.refused += usize::from(heard.refused.is_some());
        let Some(ViewPatch { view, beside }) = heard.patch else { return };
        self.over = beside.outcome.is_some();
        self.asked = match view.question {
            Some(question) => question.map(|question| (beside.decision, question.choices.len())),
            None => self.asked.map(|(_, choices)| (beside.decision, choices)),
        };
    }

    fn hear_boardgame_io(&mut self, text: &str) -> Option<String> {
        let (player, id) = (self.player(), self.secret.split(':').next().unwrap_or_default());
        if text == "2" {
            return Some("3".into());
        }
        if text.starts_with("0{") {
            return Some(format!("40{SPACE}"));
        }
        if text.starts_with(&format!("40{SPACE}")) {
            let secret = self.secret.rsplit(':').next().unwrap_or_default();
            let who = player.map_or("null,null".to_owned(), |player| format!(r#""{player}","{secret}""#));
            return Some(format!(r#"42{SPACE}["sync","{id}",{who},2]"#));
        }
        let said = text.strip_prefix("42")?.strip_prefix(SPACE)?;
        let update = serde_json::from_str::<(&str, IgnoredAny, State, IgnoredAny)>(said).map(|said| said.2);
        let state =
            update.or_else(|_| serde_json::from_str::<(&str, IgnoredAny, SyncMessage)>(said).map(|said| said.2.state));
        if let Ok(State { id, ctx }) = state {
            self.asked = (Some(ctx.player.as_str()) == player).then_some((id, CHOICES));
        }
        None
    }

    /// Message with an answer to the question.
    pub fn answer(&self, number: u32, index: usize) -> String {
        match self.language {
            Language::Lode => format!(r#"{{"answer":{{"decision":{number},"index":{index}}}}}"#),
            Language::BoardgameIo => {
                let mut parts = self.secret.split(':');
                let mut part = || parts.next().unwrap_or_default();
                let (id, player, secret) = (part(), part(), part());
                let payload =
                    format!(r#"{{"type":"choose","args":[{index}],"playerID":"{player}","credentials":"{secret}"}}"#);
                format!(r#"42{SPACE}["update",{{"type":"MAKE_MOVE","payload":{payload}}},{number},"{id}","{player}"]"#)
            }
        }
    }

    fn player(&self) -> Option<&str> {
        self.secret.split(':').nth(1).filter(|player| !player.is_empty())
    }
}

/// Namespace of socket.io for the game.
const SPACE: &str = "/load,";

/// Number of choices in the boardgame.io game.
const CHOICES: usize = 6;

#[derive(Deserialize)]
struct TableMessage {
    #[serde(alias = "table")]
    patch: Option<ViewPatch>,
    refused: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct ViewPatch {
    view: View,
    beside: Beside,
}

#[derive(Deserialize)]
struct View {
    /// `Some(None)`: the question is gone. `None`: the message does not mention it.
    #[serde(default, deserialize_with = "present")]
    question: Option<Option<Question>>,
}

#[derive(Deserialize)]
struct Question {
    choices: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
struct Beside {
    decision: u32,
    outcome: Option<IgnoredAny>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Question>>, D::Error> {
    Option::<Question>::deserialize(deserializer).map(Some)
}

#[derive(Deserialize)]
struct SyncMessage {
    state: State,
}

#[derive(Deserialize)]
struct State {
    #[serde(rename = "_stateID")]
    id: u32,
    ctx: Turn,
}

#[derive(Deserialize)]
struct Turn {
    #[serde(rename = "currentPlayer")]
    player: String,
}
