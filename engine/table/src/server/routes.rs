//! What the server answers: the files of the page, and one socket for each browser.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::Notify;
use tokio::time::{Instant, interval_at, timeout};

use super::client::{Event, Mailbox, Post, Role};
use super::crowd::Line;
use super::gate::{Gate, HEADERS, Key};
use super::hall::Floor;
use super::limits::Limits;
use super::message::{self, LONGEST, Refusal};
use super::page::{FILES, File};
use super::wires::Wires;

/// The path of the socket.
pub const SOCKET: &str = "/socket";

/// The protocol of the socket. A browser offers it with the token of its link, and with the fingerprint of the rules that it knows.
pub const PROTOCOL: &str = "lode.2";
const TOKEN: &str = "token.";
const KNOWN: &str = "known.";

/// What all connections share.
struct Shared {
    gate: Gate,
    floor: Arc<Floor>,
    next: AtomicU64,
}

/// All paths that are answered.
pub fn paths() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.path).chain([SOCKET])
}

/// Answers requests until the program ends.
///
/// # Errors
/// The system refuses.
pub fn answer(listener: TcpListener, gate: Gate, floor: Arc<Floor>) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let wires = Wires::new(listener, &floor.limits);
        let service = router(gate, floor).into_make_service_with_connect_info::<Line>();
        axum::serve(wires, service).await
    })
}

fn router(gate: Gate, floor: Arc<Floor>) -> Router {
    let door = Arc::new(Shared { gate, floor, next: AtomicU64::new(0) });
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
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        // One request has the time of a connection.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

fn send(file: &'static File) -> Response {
    ([(header::CONTENT_TYPE, file.kind)], file.text).into_response()
}

async fn upgrade(
    State(door): State<Arc<Shared>>,
    ConnectInfo(line): ConnectInfo<Line>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let offered = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter().filter_map(|value| value.to_str().ok());
    let offered: Vec<&str> = offered.flat_map(|list| list.split(',')).map(str::trim).collect();
    let with = |prefix: &str| offered.iter().find_map(|word| word.strip_prefix(prefix));
    let link = with(TOKEN).and_then(|token| Some((Key::of(token), door.gate.role(token)?)));
    let Some((key, (of, role))) = link else { return StatusCode::FORBIDDEN.into_response() };
    if !offered.contains(&PROTOCOL) {
        return StatusCode::BAD_REQUEST.into_response();
    }
    let Some(away) = line.show(key) else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    let place = Place { door, of, away };
    let known = with(KNOWN).map(str::to_owned);
    // What is a little too long is refused in words, what is much too long is not even read.
    upgrade
        .max_message_size(8 * LONGEST)
        .max_frame_size(8 * LONGEST)
        .protocols([PROTOCOL])
        .on_upgrade(move |socket| async move { talk(place, socket, role, known).await })
}

/// A place at a table, for one socket.
struct Place {
    door: Arc<Shared>,
    of: u32,
    /// Tells that the place is needed.
    away: Arc<Notify>,
}

impl Place {
    fn say(&self, event: Event) {
        self.door.floor.say(self.of, event);
    }
}

async fn talk(place: Place, mut socket: WebSocket, role: Role, known: Option<String>) {
    let id = place.door.next.fetch_add(1, Ordering::Relaxed);
    let (mailbox, mut post) = Mailbox::new();
    place.say(Event::Came { id, role, known, mailbox });
    // However it ends, the table is told.
    let end = converse(&place, id, &mut socket, &mut post).await;
    place.say(Event::Left { id });
    if let Some((code, why)) = end {
        let slow = place.door.floor.limits.slow;
        let told = put(&mut socket, message::refused(why).into(), slow).await;
        let frame = CloseFrame { code, reason: "".into() };
        if told {
            let _ = timeout(slow, socket.send(Message::Close(Some(frame)))).await;
        }
    }
}

/// Passes messages on, both ways; returns why a browser is sent away.
async fn converse(place: &Place, id: u64, socket: &mut WebSocket, post: &mut Post) -> Option<(u16, Refusal)> {
    let limits = place.door.floor.limits;
    let mut allowance = Allowance::new(&limits);
    let beat = limits.silence / 3;
    let mut beats = interval_at(Instant::now() + beat, beat);
    loop {
        tokio::select! {
            message = post.next() => {
                if !put(socket, message?, limits.slow).await {
                    return None;
                }
            }
            () = place.away.notified() => return Some((1008, Refusal::Crowded)),
            // Whoever does not answer is silent, and the connection ends.
            _ = beats.tick() => {
                timeout(limits.slow, socket.send(Message::Ping("".into()))).await.ok()?.ok()?;
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
                    Ok(said) => place.say(Event::Said { id, said }),
                    Err(Refusal::Oversize) => return Some((1009, Refusal::Oversize)),
                    Err(why) => {
                        if !put(socket, message::refused(why).into(), limits.slow).await {
                            return None;
                        }
                    }
                }
            }
        }
    }
}

async fn put(socket: &mut WebSocket, text: Utf8Bytes, slow: Duration) -> bool {
    timeout(slow, socket.send(Message::Text(text))).await.is_ok_and(|sent| sent.is_ok())
}

/// How many messages a browser may still send.
struct Allowance {
    burst: u32,
    one_more: Duration,
    left: u32,
    since: Instant,
}

impl Allowance {
    fn new(limits: &Limits) -> Self {
        Self { burst: limits.burst, one_more: limits.one_more, left: limits.burst, since: Instant::now() }
    }

    fn take(&mut self) -> bool {
        let more = self.since.elapsed().as_nanos() / self.one_more.as_nanos().max(1);
        let more = u32::try_from(more).unwrap_or(self.burst);
        if more > 0 {
            self.left = self.left.saturating_add(more).min(self.burst);
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
