//! Connections as they come in. Each has a deadline for the whole of what it does: a stranger for its request and the answer, a socket for
//! each message, once that has begun; and a socket is never silent for long.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::yield_now;
use tokio::time::{Instant, Sleep, sleep};

use super::crowd::{Crowd, Line};
use super::frames::Frames;
use super::limits::Limits;

/// Files that the program opens besides connections.
const OTHER_FILES: usize = 64;

/// Connections that end for others until their files are closed.
const AT_ONCE: u32 = 16;

/// A request comes in one piece or a few. A stranger whose request comes in more waits before each: many that send byte by byte do not
/// take the time of the thread.
const PIECES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(250);

/// How long to wait until the files of connections that have ended are closed.
const MOMENT: Duration = Duration::from_millis(10);

/// Takes connections.
pub struct Wires {
    listener: TcpListener,
    crowd: Arc<Crowd>,
    limits: Limits,
    /// Connections that have ended for others.
    ended: u32,
}

/// A connection, which ends at its deadline.
pub struct Wire {
    stream: TcpStream,
    line: Line,
    cut: oneshot::Receiver<()>,
    limits: Limits,
    frames: Frames,
    /// In how many pieces something has come.
    pieces: u32,
    /// When it was opened.
    opened: Instant,
    /// When something was last heard.
    heard: Instant,
    /// When the message that is under way began.
    begun: Option<Instant>,
    timer: Pin<Box<Sleep>>,
}

impl Wires {
    /// Those of a listener.
    pub fn new(listener: TcpListener, limits: &Limits) -> Self {
        let most = limits.connections.min(open_files(limits.connections + OTHER_FILES).saturating_sub(OTHER_FILES));
        Self { listener, crowd: Arc::new(Crowd::new(most, limits.sockets)), limits: *limits, ended: 0 }
    }
}

/// How many files the program may open at a time: as many as it wants, if the system lets it.
#[cfg(unix)]
fn open_files(wanted: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = (wanted as u64).min(maximum.unwrap_or(u64::MAX));
    let now = current.unwrap_or(u64::MAX);
    let raised = now < wanted && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).is_ok();
    usize::try_from(if raised { wanted } else { now }).unwrap_or(usize::MAX)
}

#[cfg(not(unix))]
fn open_files(wanted: usize) -> usize {
    wanted
}

impl Listener for Wires {
    type Io = Wire;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Wire, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    let (line, cut, full) = self.crowd.come();
                    self.ended += u32::from(full);
                    if full && self.ended.is_multiple_of(AT_ONCE) {
                        // Those that must go close their files.
                        yield_now().await;
                    }
                    return (Wire::new(stream, line, cut, self.limits), address);
                }
                Err(error) if is_of_one(&error) => {}
                // There are no more files.
                Err(_) => {
                    self.crowd.make_room();
                    sleep(MOMENT).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Whether an error concerns one connection, which is gone.
fn is_of_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

impl Connected<IncomingStream<'_, Wires>> for Line {
    fn connect_info(stream: IncomingStream<'_, Wires>) -> Self {
        stream.io().line.clone()
    }
}

impl Wire {
    fn new(stream: TcpStream, line: Line, cut: oneshot::Receiver<()>, limits: Limits) -> Self {
        // Small messages do not wait for more of them.
        let _ = stream.set_nodelay(true);
        let (opened, timer) = (Instant::now(), Box::pin(sleep(limits.request)));
        let frames = Frames::default();
        Self { stream, line, cut, limits, frames, pieces: 0, opened, heard: opened, begun: None, timer }
    }

    /// Resolves when the connection must end.
    fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        if Pin::new(&mut self.cut).poll(context).is_ready() {
            return Poll::Ready(io::ErrorKind::ConnectionAborted.into());
        }
        let due = if self.line.is_guest() {
            let silent = self.heard + self.limits.silence;
            self.begun.map_or(silent, |begun| silent.min(begun + self.limits.message))
        } else {
            self.opened + self.limits.request
        };
        // The end of a pause is no end of the connection, but the next that it waits for.
        let next = if self.is_paused() { due.min(self.heard + PAUSE) } else { due };
        if self.timer.deadline() != next {
            self.timer.as_mut().reset(next);
        }
        match self.timer.as_mut().poll(context) {
            Poll::Ready(()) if next < due => {
                self.pieces = PIECES;
                self.poll_end(context)
            }
            polled => polled.map(|()| io::ErrorKind::TimedOut.into()),
        }
    }

    /// Whether it waits before it reads on.
    fn is_paused(&self) -> bool {
        !self.line.is_guest() && self.pieces > PIECES && Instant::now() < self.heard + PAUSE
    }

    fn hear(&mut self, bytes: &[u8]) -> io::Result<()> {
        (self.heard, self.pieces) = (Instant::now(), self.pieces.saturating_add(1));
        if self.frames.take(bytes) {
            self.begun = None;
        }
        if !self.frames.is_between() {
            self.begun.get_or_insert(self.heard);
        }
        if self.frames.is_too_long() { Err(io::ErrorKind::InvalidData.into()) } else { Ok(()) }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.line.leave();
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Poll::Ready(error) = self.poll_end(context) {
            return Poll::Ready(Err(error));
        }
        if self.is_paused() {
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if matches!(read, Poll::Ready(Ok(()))) {
            self.hear(&buffer.filled()[before..])?;
        }
        read
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.poll_end(context) {
            Poll::Ready(error) => Poll::Ready(Err(error)),
            Poll::Pending => Pin::new(&mut self.stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.poll_end(context) {
            Poll::Ready(error) => Poll::Ready(Err(error)),
            Poll::Pending => Pin::new(&mut self.stream).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
