//! Sockets without a page, which answer at a fixed rate.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::load::Load;
use crate::server::Server;

/// What a browser reads of a message.
#[derive(Deserialize)]
struct Heard {
    #[serde(alias = "table")]
    patch: Option<Told>,
    refused: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Told {
    view: View,
    beside: Beside,
}

#[derive(Deserialize)]
struct View {
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
}

/// No question any more is not the same as nothing about the question.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Question>>, D::Error> {
    Option::<Question>::deserialize(deserializer).map(Some)
}

/// A seat that is asked, and has not been told to answer.
struct Ready {
    decision: u32,
    choices: usize,
    seat: UnboundedSender<(Instant, String)>,
}

/// What all sockets share.
#[derive(Default)]
struct Shared {
    ready: VecDeque<Ready>,
    /// From when an answer was due until it was shown.
    waits: Vec<Duration>,
    refused: usize,
    closed: usize,
    bytes: usize,
}

type Socket = WebSocketStream<TcpStream>;

async fn connect(host: &str, token: &str) -> io::Result<Socket> {
    let wrong = |error: &dyn std::fmt::Display| io::Error::other(error.to_string());
    let mut request = format!("ws://{host}/socket").into_client_request().map_err(|error| wrong(&error))?;
    let value = |text: String| text.parse().map_err(|_| io::Error::other("no header"));
    request.headers_mut().insert("origin", value(format!("http://{host}"))?);
    request.headers_mut().insert("sec-websocket-protocol", value(format!("lode.2, token.{token}"))?);
    let stream = TcpStream::connect(host).await?;
    stream.set_nodelay(true)?;
    Ok(tokio_tungstenite::client_async(request, stream).await.map_err(|error| wrong(&error))?.0)
}

/// Somebody at a seat: hears, and answers when told to.
async fn sit(mut socket: Socket, shared: Rc<RefCell<Shared>>, plays: bool) {
    let (seat, mut told): (_, UnboundedReceiver<(Instant, String)>) = unbounded_channel();
    let (mut asked, mut due): (Option<(u32, usize)>, Option<Instant>) = (None, None);
    loop {
        tokio::select! {
            answer = told.recv() => {
                let Some((when, text)) = answer else { return };
                due = Some(when);
                if socket.send(Message::text(text)).await.is_err() {
                    break;
                }
            }
            message = socket.next() => {
                let Some(Ok(message)) = message else { break };
                let Message::Text(text) = message else { continue };
                shared.borrow_mut().bytes += text.len();
                if !plays {
                    continue;
                }
                let Ok(heard) = serde_json::from_str::<Heard>(&text) else { continue };
                if heard.refused.is_some() {
                    shared.borrow_mut().refused += 1;
                }
                let Some(Told { view, beside }) = heard.patch else { continue };
                let before = asked;
                match view.question {
                    Some(Some(question)) => asked = Some((beside.decision, question.choices.len())),
                    Some(None) => asked = None,
                    None => asked = asked.map(|(_, choices)| (beside.decision, choices)),
                }
                if asked == before {
                    continue;
                }
                let mut shared = shared.borrow_mut();
                shared.waits.extend(due.take().map(|due| due.elapsed()));
                if let Some((decision, choices)) = asked {
                    shared.ready.push_back(Ready { decision, choices, seat: seat.clone() });
                }
            }
        }
    }
    shared.borrow_mut().closed += 1;
}

/// Opens the sockets, and answers at one rate after the other.
pub async fn drive(load: &Load, server: &Server) -> io::Result<()> {
    let shared = Rc::new(RefCell::new(Shared::default()));
    let begin = Instant::now();
    let mut sockets = 0;
    let seats = usize::from(load.players);
    let each = (load.sockets / load.active.max(1)).max(seats);
    for of in server.matches.iter().take(load.active) {
        for place in 0..each {
            let token = of.get(place).or(of.last()).ok_or_else(|| io::Error::other("a match without links"))?;
            let socket = connect(&server.host, token).await?;
            tokio::task::spawn_local(sit(socket, Rc::clone(&shared), place < seats));
            sockets += 1;
        }
    }
    println!(
        "{sockets} sockets at {} matches after {:.1} s; the server has {} MiB",
        load.active,
        begin.elapsed().as_secs_f64(),
        server.memory() >> 20
    );
    println!("offered/s  answered/s   p50 ms   p99 ms   max ms  CPU ms/answer   syncs/s   KiB/s  refused  closed");
    let mut random = 1_u64;
    for &rate in &load.rates {
        let (syncs, used) = (server.syncs(), server.used());
        {
            let mut shared = shared.borrow_mut();
            shared.waits.clear();
            shared.bytes = 0;
        }
        let begin = Instant::now();
        let mut sent = 0;
        while begin.elapsed() < load.time {
            let due = (begin.elapsed().as_secs_f64() * f64::from(rate)) as u32;
            while sent < due {
                let Some(ready) = shared.borrow_mut().ready.pop_front() else { break };
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let index = (random >> 33) as usize % ready.choices.max(1);
                let text = format!(r#"{{"answer":{{"decision":{},"index":{index}}}}}"#, ready.decision);
                // When it was due, not when there was somebody to give it.
                let when = begin + Duration::from_secs_f64(f64::from(sent) / f64::from(rate));
                // A socket that is closed is counted.
                let _ = ready.seat.send((when, text));
                sent += 1;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let time = begin.elapsed().as_secs_f64();
        let mut shared = shared.borrow_mut();
        let answered = shared.waits.len();
        shared.waits.sort();
        let at = |part: f64| {
            let wait = shared.waits.get(((answered as f64 - 1.0) * part).max(0.0) as usize);
            wait.map_or(f64::NAN, |wait| wait.as_secs_f64() * 1e3)
        };
        println!(
            "{rate:>9}  {:>10.0} {:>8.1} {:>8.1} {:>8.1} {:>14.2} {:>9.0} {:>7.0} {:>8} {:>7}",
            answered as f64 / time,
            at(0.5),
            at(0.99),
            at(1.0),
            (server.used() - used) / answered.max(1) as f64,
            (server.syncs() - syncs) as f64 / time,
            shared.bytes as f64 / time / 1024.0,
            shared.refused,
            shared.closed
        );
    }
    println!("the server has {} MiB", server.memory() >> 20);
    Ok(())
}
