//! Incoming connections and their deadlines. A stranger has a deadline for the request and its response; a
//! socket has one for each message once it begins, and for its silence.

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

use super::connections::{Connection, Connections};
use super::frames::FrameReader;
use super::limits::Limits;

/// Files reserved for uses other than connections.
const OTHER_FILES: usize = 64;

/// Number of closed connections after which the listener waits for their files to close.
const MAX_CLOSING: u32 = 16;

/// Number of pieces in which a normal request arrives. A stranger with more pieces has to pause before each, so
/// that browsers which send byte by byte do not occupy the thread.
const MAX_PIECES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(250);

/// Pause until the files of closed connections are free.
const CLOSE_DELAY: Duration = Duration::from_millis(10);

/// Accepts connections.
pub struct ConnectionListener {
    listener: TcpListener,
    connections: Arc<Connections>,
    limits: Limits,
    /// Number of connections closed for newer ones.
    ended: u32,
}

/// A connection with deadlines.
pub struct TimedStream {
    stream: TcpStream,
    connection: Connection,
    cut: oneshot::Receiver<()>,
    limits: Limits,
    frames: FrameReader,
    /// Number of pieces received.
    pieces: u32,
    /// Time of opening.
    opened: Instant,
    /// Time of the last received piece.
    heard: Instant,
    /// Start of the incomplete message.
    begun: Option<Instant>,
    timer: Pin<Box<Sleep>>,
}

impl ConnectionListener {
    /// Wraps a listener.
    pub fn new(listener: TcpListener, limits: &Limits) -> Self {
        let most = limits.connections.min(open_files(limits.connections + OTHER_FILES).saturating_sub(OTHER_FILES));
        Self { listener, connections: Arc::new(Connections::new(most, limits.sockets)), limits: *limits, ended: 0 }
    }
}

/// Raises the limit of open files to `wanted` if possible; returns the limit.
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

impl Listener for ConnectionListener {
    type Io = TimedStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TimedStream, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    let (connection, cut, full) = self.connections.add();
                    self.ended += u32::from(full);
                    if full && self.ended.is_multiple_of(MAX_CLOSING) {
                        // Let the closed connections close their files.
                        yield_now().await;
                    }
                    return (TimedStream::new(stream, connection, cut, self.limits), address);
                }
                Err(error) if affects_one_connection(&error) => {}
                // The system has no free files.
                Err(_) => {
                    self.connections.make_room();
                    sleep(CLOSE_DELAY).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Whether an error affects only one connection.
fn affects_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

impl Connected<IncomingStream<'_, ConnectionListener>> for Connection {
    fn connect_info(stream: IncomingStream<'_, ConnectionListener>) -> Self {
        stream.io().connection.clone()
    }
}

impl TimedStream {
    fn new(stream: TcpStream, connection: Connection, cut: oneshot::Receiver<()>, limits: Limits) -> Self {
        // Send small messages without delay.
        let _ = stream.set_nodelay(true);
        let (opened, timer) = (Instant::now(), Box::pin(sleep(limits.request)));
        let frames = FrameReader::default();
        Self { stream, connection, cut, limits, frames, pieces: 0, opened, heard: opened, begun: None, timer }
    }

    /// Resolves when the connection must close.
    fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        if Pin::new(&mut self.cut).poll(context).is_ready() {
            return Poll::Ready(io::ErrorKind::ConnectionAborted.into());
        }
        let due = if self.connection.has_link() {
            let silent = self.heard + self.limits.silence;
            self.begun.map_or(silent, |begun| silent.min(begun + self.limits.message))
        } else {
            self.opened + self.limits.request
        };
        // The timer also ends pauses, which do not close the connection.
        let next = if self.is_paused() { due.min(self.heard + PAUSE) } else { due };
        if self.timer.deadline() != next {
            self.timer.as_mut().reset(next);
        }
        match self.timer.as_mut().poll(context) {
            Poll::Ready(()) if next < due => {
                self.pieces = MAX_PIECES;
                self.poll_end(context)
            }
            polled => polled.map(|()| io::ErrorKind::TimedOut.into()),
        }
    }

    /// Whether the connection must wait before its next read.
    fn is_paused(&self) -> bool {
        !self.connection.has_link() && self.pieces > MAX_PIECES && Instant::now() < self.heard + PAUSE
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

impl Drop for TimedStream {
    fn drop(&mut self) {
        self.connection.close();
    }
}

impl AsyncRead for TimedStream {
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

impl AsyncWrite for TimedStream {
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
