//! The routes of the server: the files of the page, and one socket per browser.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::Notify;
use tokio::time::{Instant, interval_at, timeout};

use super::client::{Event, Mailbox, MailboxReceiver, Role};
use super::connections::Connection;
use super::gate::{Gate, HEADERS, LinkHash};
use super::hall::SharedTables;
use super::image;
use super::limits::Limits;
use super::listener::ConnectionListener;
use super::message::{self, LONGEST, LONGEST_OF_DESIGNER, Refusal};
use super::page::{FILES, File};

/// Path of the socket.
pub const SOCKET: &str = "/socket";

/// Protocol of the socket. A browser also offers its link's token and the fingerprint of the rules that it knows.
pub const PROTOCOL: &str = "lode.2";
const TOKEN: &str = "token.";
const KNOWN: &str = "known.";

/// The state that all connections share.
struct Shared {
    gate: Gate,
    tables: Arc<SharedTables>,
    next: AtomicU64,
}

/// All paths of the server.
pub fn paths() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.path).chain([SOCKET])
}

/// Serves requests until the program ends.
///
/// # Errors
/// The network fails.
pub fn answer(listener: TcpListener, gate: Gate, tables: Arc<SharedTables>) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let listener = ConnectionListener::new(listener, &tables.limits);
        let service = router(gate, tables).into_make_service_with_connect_info::<Connection>();
        axum::serve(listener, service).await
    })
}

fn router(gate: Gate, tables: Arc<SharedTables>) -> Router {
    let door = Arc::new(Shared { gate, tables, next: AtomicU64::new(0) });
    let mut router = Router::new();
    for path in paths() {
        let of = FILES.iter().find(|file| file.path == path);
        router = match of {
            Some(file) => router.route(path, get(move || async move { send(file) })),
            None => router.route(path, get(upgrade)),
        };
    }
    router = router.route("/images/{hash}", get(send_image));
    router.layer(middleware::from_fn_with_state(Arc::clone(&door), guard)).with_state(door)
}

/// Checks every request before its route, and adds the security headers.
async fn guard(State(door): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match door.gate.admit(&request) {
        Ok(()) => next.run(request).await,
        Err(status) => status.into_response(),
    };
    for (name, value) in HEADERS {
        // An image has a stricter policy than a page.
        let header = response.headers_mut().entry(HeaderName::from_static(name));
        header.or_insert(HeaderValue::from_static(value));
    }
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        // A connection serves one request only, so that its deadline holds.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

fn send(file: &'static File) -> Response {
    ([(header::CONTENT_TYPE, file.kind)], file.text).into_response()
}

async fn send_image(State(door): State<Arc<Shared>>, Path(hash): Path<String>) -> Response {
    door.tables.image(&hash).map_or_else(|| StatusCode::NOT_FOUND.into_response(), |image| image::respond(&image))
}

async fn upgrade(
    State(door): State<Arc<Shared>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let offered = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter().filter_map(|value| value.to_str().ok());
    let offered: Vec<&str> = offered.flat_map(|list| list.split(',')).map(str::trim).collect();
    let with = |prefix: &str| offered.iter().find_map(|word| word.strip_prefix(prefix));
    let link = with(TOKEN).and_then(|token| Some((LinkHash::of(token), door.gate.role(token)?)));
    let Some((key, (of, role))) = link else { return StatusCode::FORBIDDEN.into_response() };
    if !offered.contains(&PROTOCOL) {
        return StatusCode::BAD_REQUEST.into_response();
    }
    let Some(evicted) = connection.show_link(key) else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    let longest = if role.designer { LONGEST_OF_DESIGNER } else { LONGEST };
    let session = SocketSession { door, of, evicted, longest };
    let known = with(KNOWN).map(str::to_owned);
    // A slightly long message is refused with an explanation; a far longer one is not even read.
    upgrade
        .max_message_size(8 * longest)
        .max_frame_size(8 * longest)
        .protocols([PROTOCOL])
        .on_upgrade(move |socket| async move { talk(session, socket, role, known).await })
}

/// The socket of a browser at a table.
struct SocketSession {
    door: Arc<Shared>,
    of: u32,
    /// Signals that the socket must close.
    evicted: Arc<Notify>,
    /// Maximum length of its messages, in bytes.
    longest: usize,
}

impl SocketSession {
    fn send(&self, event: Event) {
        self.door.tables.send(self.of, event);
    }
}

async fn talk(session: SocketSession, mut socket: WebSocket, role: Role, known: Option<String>) {
    let id = session.door.next.fetch_add(1, Ordering::Relaxed);
    let (mailbox, mut inbox) = Mailbox::new();
    session.send(Event::Joined { id, role, known, mailbox });
    // Report the end to the table in every case.
    let end = converse(&session, id, &mut socket, &mut inbox).await;
    session.send(Event::Left { id });
    if let Some((code, why)) = end {
        let slow = session.door.tables.limits.slow;
        let told = put(&mut socket, message::refused(why).into(), slow).await;
        let frame = CloseFrame { code, reason: "".into() };
        if told {
            let _ = timeout(slow, socket.send(Message::Close(Some(frame)))).await;
        }
    }
}

/// Forwards messages in both directions. Returns the reason to disconnect the browser, if there is one.
async fn converse(
    session: &SocketSession,
    id: u64,
    socket: &mut WebSocket,
    inbox: &mut MailboxReceiver,
) -> Option<(u16, Refusal)> {
    let limits = session.door.tables.limits;
    let mut allowance = Allowance::new(&limits);
    let beat = limits.silence / 3;
    let mut beats = interval_at(Instant::now() + beat, beat);
    loop {
        tokio::select! {
            message = inbox.next() => {
                if !put(socket, message?, limits.slow).await {
                    return None;
                }
            }
            () = session.evicted.notified() => return Some((1008, Refusal::Crowded)),
                        // A browser that does not answer pings counts as silent.
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
                match message::read(&text, session.longest) {
                    Ok(message) => session.send(Event::Message { id, message }),
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

/// Rate limit of a browser's messages.
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
