//! Sockets without a page that answer at a fixed rate.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_tungstenite::tungstenite::Message;

use crate::figures::{Figures, Usage};
use crate::load::Load;
use crate::seat::Seat;
use crate::server::Server;

/// A seat with a pending question that no answer is due for yet.
struct Ready {
    choices: usize,
    seat: UnboundedSender<Due>,
}

/// A due answer: its time and its choice.
struct Due {
    since: Instant,
    index: usize,
}

/// State that all sockets share.
#[derive(Default)]
struct Shared {
    ready: RefCell<VecDeque<Ready>>,
    /// Delays from the time when an answer was due until the seat saw its result.
    waits: RefCell<Vec<Duration>>,
    bytes: Cell<usize>,
    refused: Cell<usize>,
    sockets: Cell<usize>,
    /// Index of the first match that nobody has played.
    next: Cell<usize>,
    failed: RefCell<Option<io::Error>>,
}

/// Opens the sockets and answers at each rate in turn.
pub async fn drive(load: &Load, server: &Server) -> io::Result<Vec<Figures>> {
    let shared = Rc::new(Shared::default());
    let begin = Instant::now();
    let sockets = (load.sockets / load.active).max(usize::from(load.players));
    let seats = Rc::new(server.matches.clone());
    for number in 1..=load.active {
        let (shared, seats) = (Rc::clone(&shared), Rc::clone(&seats));
        let (host, language, players) = (server.host.clone(), server.language, usize::from(load.players));
        let all = Rc::clone(&shared);
        tokio::task::spawn_local(async move {
            while let Some(of) = seats.get(shared.next.replace(shared.next.get() + 1)) {
                let people = (0..sockets).map(|place| {
                    let secret = of.get(place).or(of.last()).map_or("", String::as_str);
                    sit(&host, Seat::new(language, secret), &shared, place < players)
                });
                if let Err(error) = try_join_all(people).await {
                    return *shared.failed.borrow_mut() = Some(error);
                }
            }
        });
        // A server accepts a limited number of new connections at once.
        while all.sockets.get() < (number * sockets).saturating_sub(100) {
            all.check()?;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    while shared.sockets.get() < load.active * sockets {
        shared.check()?;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let time = begin.elapsed().as_secs_f64();
    println!("{} sockets at {} matches after {time:.1} s", shared.sockets.get(), load.active);
    tokio::time::sleep(Duration::from_secs(1)).await;
    println!("{}", Figures::HEAD);
    let mut all = Vec::new();
    for &rate in &load.rates {
        all.push(shared.answer(load, server, rate).await?);
    }
    println!("{} answers refused, {} matches begun", shared.refused.get(), shared.next.get());
    Ok(all)
}

impl Shared {
    fn check(&self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Answers at one rate.
    async fn answer(&self, load: &Load, server: &Server, rate: u32) -> io::Result<Figures> {
        let before = Usage::now(server);
        self.waits.borrow_mut().clear();
        self.bytes.set(0);
        let (begin, mut sent, mut random) = (Instant::now(), 0, u64::from(rate));
        while begin.elapsed() < load.time {
            self.check()?;
            let due = (begin.elapsed().as_secs_f64() * f64::from(rate)) as u32;
            while sent < due {
                let Some(Ready { choices, seat }) = self.ready.borrow_mut().pop_front() else { break };
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let index = (random >> 33) as usize % choices.max(1);
                // The due time, not the time when a seat was free to answer.
                let since = begin + Duration::from_secs_f64(f64::from(sent) / f64::from(rate));
                // A closed channel means that the match is over: the next seat answers instead.
                sent += u32::from(seat.send(Due { since, index }).is_ok());
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let time = begin.elapsed();
        let figures = Figures::since(before, server, rate, time, &mut self.waits.borrow_mut(), self.bytes.get());
        figures.print();
        Ok(figures)
    }
}

/// Runs a person's socket until the match is over: reads messages, and answers when an answer is due.
async fn sit(host: &str, mut seat: Seat, shared: &Shared, plays: bool) -> io::Result<()> {
    let stream = TcpStream::connect(host).await?;
    stream.set_nodelay(true)?;
    let request = seat.request(host).map_err(io::Error::other)?;
    let (mut socket, _) = tokio_tungstenite::client_async(request, stream).await.map_err(io::Error::other)?;
    shared.sockets.set(shared.sockets.get() + 1);
    let (tell, mut told): (_, UnboundedReceiver<Due>) = unbounded_channel();
    let mut due: Option<Instant> = None;
    while !seat.over {
        tokio::select! {
            Some(Due { since, index }) = told.recv() => {
                due = Some(since);
                let text = seat.answer(seat.asked.map_or(0, |asked| asked.0), index);
                socket.send(Message::text(text)).await.map_err(io::Error::other)?;
            }
            message = socket.next() => {
                let message = message.ok_or_else(|| io::Error::other("a socket is closed"))?;
                let Message::Text(text) = message.map_err(io::Error::other)? else { continue };
                shared.bytes.set(shared.bytes.get() + text.len());
                let before = (seat.asked, seat.refused);
                if let Some(reply) = seat.hear(&text) {
                    socket.send(Message::text(reply)).await.map_err(io::Error::other)?;
                }
                shared.refused.set(shared.refused.get() + seat.refused - before.1);
                if seat.asked == before.0 && !seat.over || !plays {
                    continue;
                }
                shared.waits.borrow_mut().extend(due.take().map(|due| due.elapsed()));
                if let Some((_, choices)) = seat.asked {
                    shared.ready.borrow_mut().push_back(Ready { choices, seat: tell.clone() });
                }
            }
        }
    }
    Ok(())
}
