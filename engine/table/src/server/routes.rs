//! What the server answers: the files of the page, and one socket for each browser.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::{Instant, timeout};

use super::gate::{Gate, HEADERS};
use super::message::{self, LONGEST, Refusal};
use super::page::{FILES, File};
use super::table::{BACKLOG, Event, Role};

/// The path of the socket.
pub const SOCKET: &str = "/socket";

/// The protocol of the socket. A browser offers it with the token of its link, and with the fingerprint of the rules that it knows.
const PROTOCOL: &str = "lode.1";
const TOKEN: &str = "token.";
const KNOWN: &str = "known.";

/// Most sockets at a time.
const SOCKETS: usize = 64;

/// Messages that a browser may send at once, and how long it takes until it may send one more.
const BURST: u32 = 40;
const ONE_MORE: Duration = Duration::from_millis(50);

/// How long a message may take to be written.
const SLOW: Duration = Duration::from_secs(10);

/// What all connections share.
struct Shared {
    gate: Gate,
    events: Sender<Event>,
    next: AtomicU64,
    open: AtomicUsize,
}

/// All paths that are answered.
pub fn paths() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.path).chain([SOCKET])
}

/// Answers requests until the program ends.
///
/// # Errors
/// The system refuses.
pub fn answer(listener: TcpListener, gate: Gate, events: Sender<Event>) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        axum::serve(listener, router(gate, events)).await
    })
}

fn router(gate: Gate, events: Sender<Event>) -> Router {
    let door = Arc::new(Shared { gate, events, next: AtomicU64::new(0), open: AtomicUsize::new(0) });
    let mut router = Router::new();
    for path in paths() {
        let of = FILES.iter().find(|file| file.path == path);
        router = match of {
            Some(file) => router.route(path, get(move || async move { send(file) })),
            None => router.route(path, get(upgrade)),
        };
    }
    router.layer(middleware::from_fn_with_state(Arc::clone(&door), guard)).with_state(door)
}

/// Every request passes here first, whatever it asks for.
async fn guard(State(door): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match door.gate.admit(&request) {
        Ok(()) => next.run(request).await,
        Err(status) => status.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

fn send(file: &'static File) -> Response {
    ([(header::CONTENT_TYPE, file.kind)], file.text).into_response()
}

async fn upgrade(State(door): State<Arc<Shared>>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    let offered = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter().filter_map(|value| value.to_str().ok());
    let offered: Vec<&str> = offered.flat_map(|list| list.split(',')).map(str::trim).collect();
    let with = |prefix: &str| offered.iter().find_map(|word| word.strip_prefix(prefix));
    let Some(role) = with(TOKEN).and_then(|token| door.gate.role(token)) else {
        return StatusCode::FORBIDDEN.into_response();
    };
    if !offered.contains(&PROTOCOL) {
        return StatusCode::BAD_REQUEST.into_response();
    }
    let place = Place::take(&door);
    let Some(place) = place else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    let known = with(KNOWN).map(str::to_owned);
    // What is a little too long is refused in words, what is much too long is not even read.
    upgrade
        .max_message_size(8 * LONGEST)
        .max_frame_size(8 * LONGEST)
        .protocols([PROTOCOL])
        .on_upgrade(move |socket| async move { talk(place, socket, role, known).await })
}

/// One of the sockets that may be open.
struct Place(Arc<Shared>);

impl Place {
    fn take(door: &Arc<Shared>) -> Option<Self> {
        let place = Self(Arc::clone(door));
        (door.open.fetch_add(1, Ordering::Relaxed) < SOCKETS).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn talk(place: Place, mut socket: WebSocket, role: Role, known: Option<String>) {
    let door = &place.0;
    let id = door.next.fetch_add(1, Ordering::Relaxed);
    let (to, mut from_table) = channel(BACKLOG);
    if door.events.send(Event::Came { id, role, known, to }).is_ok() {
        // However it ends, the table is told.
        let end = converse(door, id, &mut socket, &mut from_table).await;
        let _ = door.events.send(Event::Left { id });
        if let Some((code, why)) = end {
            let told = put(&mut socket, message::refused(why)).await;
            let frame = CloseFrame { code, reason: "".into() };
            if told {
                let _ = timeout(SLOW, socket.send(Message::Close(Some(frame)))).await;
            }
        }
    }
}

/// Passes messages on, both ways; returns why a browser is sent away.
async fn converse(
    door: &Shared,
    id: u64,
    socket: &mut WebSocket,
    from_table: &mut Receiver<String>,
) -> Option<(u16, Refusal)> {
    let mut allowance = Allowance { left: BURST, since: Instant::now() };
    loop {
        tokio::select! {
            message = from_table.recv() => {
                // The table drops those who read too slowly.
                if !put(socket, message?).await {
                    return None;
                }
            }
            message = socket.recv() => {
                let text = match message?.ok()? {
                    Message::Text(text) => text,
                    Message::Ping(_) | Message::Pong(_) if allowance.take() => continue,
                    Message::Ping(_) | Message::Pong(_) => return Some((1008, Refusal::TooMany)),
                    Message::Close(_) => return None,
                    Message::Binary(_) => return Some((1003, Refusal::Unknown)),
                };
                if !allowance.take() {
                    return Some((1008, Refusal::TooMany));
                }
                match message::read(&text) {
                    Ok(said) => door.events.send(Event::Said { id, said }).ok()?,
                    Err(Refusal::Oversize) => return Some((1009, Refusal::Oversize)),
                    Err(why) => {
                        if !put(socket, message::refused(why)).await {
                            return None;
                        }
                    }
                }
            }
        }
    }
}

async fn put(socket: &mut WebSocket, text: String) -> bool {
    timeout(SLOW, socket.send(Message::Text(text.into()))).await.is_ok_and(|sent| sent.is_ok())
}

/// How many messages a browser may still send.
struct Allowance {
    left: u32,
    since: Instant,
}

impl Allowance {
    fn take(&mut self) -> bool {
        let more = self.since.elapsed().as_millis() / ONE_MORE.as_millis();
        let more = u32::try_from(more).unwrap_or(BURST);
        if more > 0 {
            self.left = self.left.saturating_add(more).min(BURST);
            self.since = Instant::now();
        }
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}
